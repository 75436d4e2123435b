import { Asset } from './asset.js';
import { checkNotNegative } from './error.js';
import { takeEvents } from './events.js';
import { Player } from './player.js';
import { Handle } from './handle.js';
import type { Runtime } from './runtime.js';
import type { Skeleton } from './skeleton.js';

/** Plays the clips of one character: samples and blends them, poses the skeleton, moves what is attached. */
export class AnimationMixer extends Player {
  /** The skeleton that it poses. */
  readonly skeleton: Skeleton;
  /** Seconds of all actions per second of `update`; 0 or more. */
  timeScale = 1;
  readonly #handle: Handle;

  /** A mixer for the asset's own skeleton, or for one of its clones. */
  constructor(target: Asset | Skeleton) {
    const skeleton = target instanceof Asset ? target.skeleton : target;
    super(skeleton.asset);
    this.skeleton = skeleton;
    const { _runtime, _id } = this.asset;
    this.#handle = new Handle(this, 'AnimationMixer', _runtime, _runtime._exports.mixer_new(_id), (exports, id) => exports.band_free(id));
  }

  /**
   * Moves time on by a number of seconds and poses the skeleton: clocks and fades, sampling, blending, matrices, attachments; then
   * tells of events. Makes no garbage.
   */
  update(dt: number): this {
    const secs = dt * this.timeScale;
    checkNotNegative(secs, 'the step of time (to play backwards, give actions a negative `timeScale`)');
    const { skeleton } = this;
    const events = this._runtime._exports.mixer_update(this._band, skeleton._id, secs);
    skeleton._posed();
    if (events > 0 && this._isHeard) this.#tell();
    return this;
  }

  #tell(): void {
    // All were taken out of the module before the first is told of: the answer may be any call, `dispose` too.
    for (const { clip, type, times } of takeEvents(this._runtime, this._band)) {
      const action = this._actionAt(clip);
      if (action) this._tell({ type, action, loopDelta: times });
    }
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
  get _band(): number {
    return this.#handle.id;
  }

  /** @internal */
  get _member(): number {
    return 0;
  }
}
