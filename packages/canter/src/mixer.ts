/// <reference lib="esnext.disposable" preserve="true" />
import { Asset } from './asset.js';
import { checkNotNegative } from './error.js';
import { inOrder, takeEvents } from './events.js';
import { takeMarkers } from './marker.js';
import { Player } from './player.js';
import { Handle } from './handle.js';
import type { Runtime } from './runtime.js';
import type { Skeleton } from './skeleton.js';

/** Plays the clips of one character: samples and blends them, poses the skeleton, moves what is attached. */
export class AnimationMixer extends Player {
  /** The skeleton that it poses. */
  readonly skeleton: Skeleton;
  readonly #handle: Handle;

  /** A mixer for the asset's own skeleton, or for one of its clones. */
  constructor(target: Asset | Skeleton) {
    const skeleton = target instanceof Asset ? target.skeleton : target;
    super(skeleton.asset);
    this.skeleton = skeleton;
    const { _runtime, _id } = this.asset;
    const id = _runtime._exports.mixer_new(_id);
    this.#handle = new Handle(this, 'AnimationMixer', _runtime, id, (exports, id) => exports.mixers_free(id));
  }

  /**
   * Moves time on by a number of seconds and poses the skeleton: clocks and fades, sampling, blending,
   * matrices, attachments; then tells of events. Makes no garbage.
   */
  update(dt: number): this {
    checkNotNegative(dt, 'the step of time (to play backwards, give actions a negative `timeScale`)');
    const { skeleton } = this;
    const events = this._runtime._exports.mixer_update(this._mixers, skeleton._id, dt);
    skeleton._posed();
    if (this._isHeard && (events > 0 || this._hearsMarkers)) this.#tell(events > 0);
    return this;
  }

  #tell(hasEvents: boolean): void {
    // All are taken out of the module before the first is told: a listener may do anything, `dispose` too.
    const markers = this._hearsMarkers ? takeMarkers(this, undefined, () => this) : [];
    const events = hasEvents ? takeEvents(this._runtime, this._mixers, () => this) : [];
    for (const { event } of inOrder(markers, events)) this._tell(event);
  }

  /** Whether its memory was given back. */
  get isDisposed(): boolean {
    return this.#handle.isDisposed;
  }

  /** Gives its memory back. The skeleton stays. */
  dispose(): void {
    this.#handle.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** @internal */
  get _runtime(): Runtime {
    return this.asset._runtime;
  }

  /** @internal */
  get _mixers(): number {
    return this.#handle.id;
  }

  /** @internal */
  get _member(): number {
    return 0;
  }
}
