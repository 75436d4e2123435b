/// <reference lib="esnext.disposable" preserve="true" />
import type { Asset } from './asset.js';
import { CanterError, checkNotNegative } from './error.js';
import { Emitter, inOrder, takeEvents, type AnimationEventMap, type AnimationListener } from './events.js';
import { Handle } from './handle.js';
import { takeMarkers, type MarkerFilter } from './marker.js';
import { Player } from './player.js';
import type { Runtime } from './runtime.js';
import { checkFormat, type MatrixFormat } from './skeleton.js';

/** One character of a crowd: plays clips as an `AnimationMixer` does, and is updated with all others. */
export class CrowdMember extends Player {
  readonly crowd: Crowd;
  /** @internal */
  _index: number;

  /** @internal */
  constructor(crowd: Crowd, index: number) {
    super(crowd.asset);
    this.crowd = crowd;
    this._index = index;
  }

  /**
   * Its place in the crowd: its matrices begin at `index * crowd.floatsPerMember`. Changes when others leave.
   */
  get index(): number {
    return this._index;
  }

  /** Leaves the crowd. The last member takes its place. */
  remove(): void {
    this.crowd._remove(this);
  }

  /** @internal */
  get _runtime(): Runtime {
    return this.asset._runtime;
  }

  /** @internal */
  get _mixers(): number {
    if (this._index < 0) {
      throw new CanterError('this member has left its crowd; `crowd.spawn()` makes a new one');
    }
    return this.crowd._id;
  }

  /** @internal */
  get _member(): number {
    return this._index;
  }

  override addEventListener<T extends keyof AnimationEventMap>(type: T, listener: AnimationListener<T>, filter?: MarkerFilter): void {
    this.crowd._isHeard = true;
    if (type === 'marker') this.crowd._membersHearMarkers = true;
    super.addEventListener(type, listener, filter);
  }
}

/** Many characters of one file: one call updates them all, into one array to upload. */
export class Crowd extends Emitter {
  readonly asset: Asset;
  readonly format: MatrixFormat;
  /** How many numbers a member has in `boneMatrices`: the matrices of all skins. */
  readonly floatsPerMember: number;
  readonly #handle: Handle;
  readonly #members: CrowdMember[] = [];
  #view: Float32Array = new Float32Array(0);
  #viewedCount = 0;
  /** @internal Whether anybody ever wanted to know of markers of a member. */
  _membersHearMarkers = false;

  constructor(asset: Asset, options: { matrices?: MatrixFormat } = {}) {
    super();
    const { matrices = 'mat4' } = options;
    checkFormat(matrices);
    this.asset = asset;
    this.format = matrices;
    const floats = matrices === 'mat4' ? 16 : 12;
    this.floatsPerMember = floats * asset.skins.reduce((sum, skin) => sum + skin.bones.length, 0);
    const { _runtime, _id } = asset;
    const id = _runtime._exports.crowd_new(_id, matrices === 'mat3x4' ? 1 : 0);
    this.#handle = new Handle(this, 'Crowd', _runtime, id, (exports, id) => exports.mixers_free(id));
  }

  get members(): readonly CrowdMember[] {
    return this.#members;
  }

  /** Adds a character, which plays nothing yet. */
  spawn(): CrowdMember {
    const member = new CrowdMember(this, this.asset._runtime._exports.crowd_spawn(this._id));
    this.#members.push(member);
    return member;
  }

  /** Moves time on for all and writes their matrices; then tells of events. Makes no garbage. */
  update(dt: number): this {
    checkNotNegative(dt, 'the step of time (to play backwards, give actions a negative `timeScale`)');
    const { _runtime } = this.asset;
    const events = _runtime._exports.crowd_update(this._id, dt, this._isHeard ? 1 : 0);
    const hearsMarkers = this._hearsMarkers || this._membersHearMarkers;
    if (events > 0 || hearsMarkers) this.#tell(events > 0, hearsMarkers);
    return this;
  }

  /**
   * The matrices of all members, one behind another, as of the last `update`: one upload.
   *
   * A view straight on WebAssembly memory: ask for it each frame, do not keep it.
   */
  get boneMatrices(): Float32Array {
    const { _runtime } = this.asset;
    const id = this._id;
    const isStale = this.#view.buffer !== _runtime._buffer || this.#viewedCount !== this.#members.length;
    if (isStale || this.#view.length === 0) {
      _runtime._exports.crowd_palette(id);
      this.#view = _runtime._outputFloats();
      this.#viewedCount = this.#view.length / Math.max(this.floatsPerMember, 1);
    }
    return this.#view;
  }

  /**
   * The ways that all members made in the last `update`, one matrix of 16 numbers behind another; see
   * `rootMotion` of a member. A view straight on WebAssembly memory: ask for it each frame, do not keep it.
   */
  get rootMotions(): Float32Array {
    this.asset._runtime._exports.mixers_roots(this._id);
    return this.asset._runtime._outputFloats();
  }

  #tell(hasEvents: boolean, hearsMarkers: boolean): void {
    const { asset, _id } = this;
    const playerOf = (member: number) => this.#members[member];
    const markers = hearsMarkers ? takeMarkers({ asset, _runtime: asset._runtime, _mixers: _id }, undefined, playerOf) : [];
    const events = hasEvents ? takeEvents(asset._runtime, _id, playerOf) : [];
    for (const { player, event } of inOrder(markers, events)) {
      player._tell(event);
      this._tell(event);
    }
  }

  /** Whether its memory was given back. */
  get isDisposed(): boolean {
    return this.#handle.isDisposed;
  }

  /** Gives the memory of all members back. */
  dispose(): void {
    this.#handle.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** @internal */
  get _id(): number {
    return this.#handle.id;
  }

  /** @internal */
  _remove(member: CrowdMember): void {
    const index = member._index;
    if (index < 0) return;
    this.asset._runtime._exports.crowd_remove(this._id, index);
    const last = this.#members.pop() as CrowdMember;
    if (last !== member) {
      this.#members[index] = last;
      last._index = index;
    }
    member._index = -1;
  }
}
