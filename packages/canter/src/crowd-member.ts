import type { Bone } from './bone.js';
import { boneIndex } from './bone-index.js';
import type { Crowd } from './crowd.js';
import { CanterError } from './error.js';
import type { AnimationEventMap, AnimationListener } from './events.js';
import type { MarkerFilter } from './marker.js';
import { identity } from './matrix.js';
import { MemberBone } from './member-bone.js';
import { Player } from './player.js';
import type { Runtime } from './runtime.js';

/** @internal Throws unless a member can be sampled that often. */
export function checkRate(frames: number): void {
  if (!(Number.isInteger(frames) && frames >= 1 && frames <= 8)) {
    throw new CanterError(`a member is sampled in every frame (1) to every eighth (8), not every ${String(frames)}`);
  }
}

/** One character of a crowd: plays clips as an `AnimationMixer` does, and is updated with all others. */
export class CrowdMember extends Player {
  readonly crowd: Crowd;
  /** @internal */
  _index: number;
  /** @internal In every nth frame; 0 is hidden. */
  _rate = 1;
  #shownRate = 1;
  #matrix: Float32Array | undefined;

  /** @internal */
  constructor(crowd: Crowd, index: number) {
    super(crowd.asset);
    this.crowd = crowd;
    this._index = index;
  }

  /** Its place in the crowd. Changes when others leave. */
  get index(): number {
    return this._index;
  }

  /**
   * The texel of the texture at which its matrices begin, which is also the place in `crowd.boneMatrices`, in fours of
   * numbers. Texel `row` of matrix `bone` is `texel = firstTexel + texelsPerMatrix * bone + row`, which is at
   * `x = texel % crowd.textureWidth`, `y = Math.floor(texel / crowd.textureWidth)`; a mat4 has four texels (its columns),
   * a mat3x4 three (its rows). Changes when others leave.
   */
  get firstTexel(): number {
    return this.crowd._firstTexel(this._index);
  }

  /**
   * In every nth frame it is sampled, from 1 to 8, from its next sample on; 1 at first. Between samples it goes
   * on to where it will be, so that nothing jumps; time, events, markers and root motion are exact in every frame. What
   * is played meanwhile shows with the next sample.
   */
  get updateEvery(): number {
    return this._rate || this.#shownRate;
  }
  set updateEvery(frames: number) {
    checkRate(frames);
    this.#shownRate = frames;
    if (this._rate > 0) this.#setRate(frames);
  }

  /** Whether nobody sees it: only its time passes then. */
  get isHidden(): boolean {
    return this._rate === 0;
  }
  set isHidden(isHidden: boolean) {
    if (isHidden === this.isHidden) return;
    if (isHidden) this.#shownRate = this._rate;
    this.#setRate(isHidden ? 0 : this.#shownRate);
  }

  /**
   * Sets `updateEvery` by how far away it is: 1 below `fullDistance`, 2 below twice that, 4 below four times that,
   * else 8.
   */
  setDistance(distance: number, fullDistance: number): this {
    const times = distance / fullDistance;
    this.updateEvery = times >= 4 ? 8 : times >= 2 ? 4 : times >= 1 ? 2 : 1;
    return this;
  }

  /** Lets it be sampled in the next `update` whatever its rate is: for one that was put somewhere else, or sought. */
  resample(): this {
    this._runtime._exports.crowd_resample(this._mixers, this._index);
    return this;
  }

  #setRate(rate: number): void {
    // Throws if it has left.
    if (this._mixers > 0 && rate !== this._rate) this.crowd._setRates(this._index, new Uint8Array([rate]));
  }

  /**
   * Where it stands: 16 numbers, column by column, to be written by the program. Bone matrices are relative to it; what
   * is attached follows it.
   */
  get matrix(): Float32Array {
    return (this.#matrix ??= identity());
  }

  /**
   * One of its bones: `member.bone('hand_R').attach(sword)`. The crowd keeps where this bone is, of all its members,
   * from then on.
   */
  bone(bone: Bone | string | number): MemberBone {
    const index = boneIndex(this.asset, bone);
    return new MemberBone(this, index, this.crowd.keepBone(index));
  }

  /**
   * The weights of a node's morph targets (`asset.nodes[…].morph`), as a view straight on WebAssembly memory: ask for it
   * each frame, do not keep it.
   */
  morphWeights(morph: number): Float32Array {
    return this.crowd._morphWeights(this._index, morph);
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
