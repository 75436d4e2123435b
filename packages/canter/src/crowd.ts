/// <reference lib="esnext.disposable" preserve="true" />
import type { Asset } from './asset.js';
import type { Attachment } from './attachment.js';
import type { Bone } from './bone.js';
import { boneIndex } from './bone-index.js';
import { checkRate, CrowdMember } from './crowd-member.js';
import { CanterError, checkNotNegative } from './error.js';
import { Emitter, inOrder, takeEvents } from './events.js';
import { Handle } from './handle.js';
import { takeMarkers } from './marker.js';
import type { MemberBone } from './member-bone.js';
import { checkFormat, type MatrixFormat } from './skeleton.js';

/** How a crowd writes its matrices. */
export interface CrowdOptions {
  /** `mat4` unless said otherwise. */
  matrices?: MatrixFormat;
  /**
   * The width of the texture that `boneMatrices` is uploaded to, in texels of four numbers (RGBA32F); a multiple of
   * four for `mat4`, of three for `mat3x4`, so that a matrix is in one row. As many members share a row as fit into it
   * as a whole, and the rest of it is left unused; a member that is wider begins a row and takes as many as it needs.
   * Without a width the matrices of all members lie one behind another.
   */
  textureWidth?: number;
  /**
   * Leaves it to the shader to move members on that are not sampled in every frame: what is shown is
   * `mix(boneMatrices, secondBoneMatrices, blends[member.index])`, number by number. They then cost only their
   * time in an update.
   */
  blendInShader?: boolean;
  /**
   * Lets members that are far or hidden step only in frames in which they are sampled, by all the time that has passed
   * until then. Whoever asks them steps them first: with listeners, and for `rootMotions` in every frame, as else. So
   * nothing is told late or twice, and those of whom nothing is asked cost next to nothing.
   */
  stepWhenSampled?: boolean;
}

const NOTHING = new Float32Array(0);

/** Many characters of one file: one call updates them all, into one array to upload. */
export class Crowd extends Emitter {
  readonly asset: Asset;
  readonly format: MatrixFormat;
  /** How many numbers a member has in `boneMatrices`: the matrices of all skins. */
  readonly floatsPerMember: number;
  /** The width that was asked for, in texels; undefined if the matrices lie one behind another. */
  readonly textureWidth: number | undefined;
  /** How many members a row of the texture has; 1 if they lie one behind another, or take more than a row. */
  readonly membersPerRow: number;
  /** From the first texel of a row of members to that of the next. */
  readonly #rowTexels: number;
  readonly #handle: Handle;
  readonly #members: CrowdMember[] = [];
  readonly #keptBones: number[] = [];
  #attachments: Attachment<MemberBone>[] = [];
  /** Where the weights of each morph set begin among those of a member, and where the last one ends. */
  #morphStarts: readonly number[] | undefined;
  /** Palettes, kept bones, morph weights, second palettes, blends, ways of roots. */
  readonly #views: Float32Array[] = Array.from({ length: 6 }, () => NOTHING);
  /** @internal Whether anybody ever wanted to know of markers of a member. */
  _membersHearMarkers = false;

  constructor(asset: Asset, options: CrowdOptions = {}) {
    super();
    const { matrices = 'mat4', textureWidth, blendInShader = false, stepWhenSampled = false } = options;
    checkFormat(matrices);
    this.asset = asset;
    this.format = matrices;
    const texels = matrices === 'mat4' ? 4 : 3;
    const memberTexels = texels * asset.skins.reduce((sum, skin) => sum + skin.bones.length, 0);
    this.floatsPerMember = 4 * memberTexels;
    if (textureWidth !== undefined) checkWidth(textureWidth, texels, matrices);
    this.textureWidth = textureWidth;
    const width = textureWidth ?? memberTexels;
    this.membersPerRow = memberTexels > 0 ? Math.max(1, Math.floor(width / memberTexels)) : 1;
    this.#rowTexels = memberTexels > 0 ? Math.ceil(memberTexels / width) * width : 0;
    const { _runtime, _id } = asset;
    const rowWidth = (textureWidth ?? 0) / texels;
    const saves = (blendInShader ? 1 : 0) | (stepWhenSampled ? 2 : 0);
    const id = _runtime._exports.crowd_new(_id, matrices === 'mat3x4' ? 1 : 0, rowWidth, saves);
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
    for (let index = 0; index < this.#attachments.length; index++) {
      (this.#attachments[index] as Attachment<MemberBone>)._follow();
    }
    const hearsMarkers = this._hearsMarkers || this._membersHearMarkers;
    if (events > 0 || hearsMarkers) this.#tell(events > 0, hearsMarkers);
    return this;
  }

  /**
   * The matrices of all members as of the last `update`, at rest before: one upload. One behind another, or with a
   * `textureWidth` all texels of a texture of `textureWidth` by `textureHeight`; see `member.firstTexel`.
   *
   * A view straight on WebAssembly memory: ask for it each frame, do not keep it.
   */
  get boneMatrices(): Float32Array {
    return this.#output(0);
  }

  /**
   * With `blendInShader`, what `boneMatrices` is mixed with; as long as it, or empty as long as every member is sampled
   * in every frame. A view straight on WebAssembly memory: ask for it each frame, do not keep it.
   */
  get secondBoneMatrices(): Float32Array {
    return this.#output(3);
  }

  /** With `blendInShader`, how much of `secondBoneMatrices` each member shows, from 0 to 1. Likewise a view. */
  get blends(): Float32Array {
    return this.#output(4);
  }

  /**
   * Sets how often all members are sampled in one call: `updateEvery` of each in their order, 0 for those that nobody
   * sees.
   */
  setUpdateRates(rates: Uint8Array): this {
    const { length } = this.#members;
    if (rates.length !== length) throw new CanterError(`${rates.length} rates for ${length} members; give one for each`);
    for (const rate of rates) if (rate > 0) checkRate(rate);
    return this._setRates(0, rates);
  }

  /** How many rows the texture has, with a `textureWidth`: `boneMatrices` fills them all. */
  get textureHeight(): number {
    return this.textureWidth === undefined ? 0 : this.boneMatrices.length / (4 * this.textureWidth);
  }

  /**
   * Keeps where a bone of all members is, in `keptMatrices`, and returns its place there. What is attached to members
   * needs no call of this; it is for drawing a thousand swords at once.
   */
  keepBone(bone: Bone | string | number): number {
    const index = boneIndex(this.asset, bone);
    const known = this.#keptBones.indexOf(index);
    if (known >= 0) return known;
    this.asset._runtime._exports.crowd_keep_joint(this._id, index);
    return this.#keptBones.push(index) - 1;
  }

  /** The places in the skeleton of the bones that are kept. */
  get keptBones(): readonly number[] {
    return this.#keptBones;
  }

  /**
   * Where the kept bones of all members are, relative to the member: member by member, each with the matrices of
   * `keptBones` in the crowd's format. A view straight on WebAssembly memory: ask for it each frame, do not keep it.
   */
  get keptMatrices(): Float32Array {
    return this.#output(1);
  }

  /**
   * The weights of all morph targets of all members, one behind another: `morphWeightsPerMember` each, set by set. A
   * view straight on WebAssembly memory: ask for it each frame, do not keep it.
   */
  get morphWeights(): Float32Array {
    return this.#output(2);
  }

  /** How many morph weights a member has: those of all sets. */
  get morphWeightsPerMember(): number {
    return this.#morphs().at(-1) as number;
  }

  /**
   * The ways that all members made in the last `update`, one matrix of 16 numbers behind another; see
   * `rootMotion` of a member. A view straight on WebAssembly memory: ask for it each frame, do not keep it.
   */
  get rootMotions(): Float32Array {
    this.asset._runtime._exports.mixers_roots(this._id);
    return this.#again(5);
  }

  #output(output: number): Float32Array {
    this.asset._runtime._exports.crowd_output(this._id, output);
    return this.#again(output);
  }

  #again(view: number): Float32Array {
    return (this.#views[view] = this.asset._runtime._outputFloatsAgain(this.#views[view] as Float32Array));
  }

  #morphs(): readonly number[] {
    return (this.#morphStarts ??= morphStarts(this.asset));
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
  _setRates(first: number, rates: Uint8Array): this {
    this.asset._runtime._input(rates);
    this.asset._runtime._exports.crowd_set_rates(this._id, first);
    for (const [index, rate] of rates.entries()) (this.#members[first + index] as CrowdMember)._rate = rate;
    return this;
  }

  /** @internal */
  _firstTexel(member: number): number {
    const row = Math.floor(member / this.membersPerRow);
    return row * this.#rowTexels + (member % this.membersPerRow) * (this.floatsPerMember / 4);
  }

  /** @internal */
  _morphWeights(member: number, morph: number): Float32Array {
    const starts = this.#morphs();
    const sets = starts.length - 1;
    if (!(Number.isInteger(morph) && morph >= 0 && morph < sets)) {
      throw new CanterError(`there is no morph set ${morph}; the file has ${sets}, counted from 0`);
    }
    const first = member * (starts[sets] as number);
    return this.morphWeights.subarray(first + (starts[morph] as number), first + (starts[morph + 1] as number));
  }

  /** @internal */
  _attach(attachment: Attachment<MemberBone>): Attachment<MemberBone> {
    this.#attachments.push(attachment);
    attachment._follow();
    return attachment;
  }

  /** @internal */
  _detach(attachment: Attachment<MemberBone>): void {
    this.#attachments = this.#attachments.filter((other) => other !== attachment);
  }

  /** @internal */
  _remove(member: CrowdMember): void {
    const index = member._index;
    if (index < 0) return;
    this.#attachments = this.#attachments.filter(({ bone }) => bone.member !== member);
    this.asset._runtime._exports.crowd_remove(this._id, index);
    const last = this.#members.pop() as CrowdMember;
    if (last !== member) {
      this.#members[index] = last;
      last._index = index;
    }
    member._index = -1;
  }
}

function checkWidth(width: number, texels: number, format: MatrixFormat): void {
  if (Number.isInteger(width / texels) && width > 0 && width <= 65536) return;
  const near = texels * Math.max(1, Math.min(Math.floor(65536 / texels), Math.ceil(width / texels) || 1));
  throw new CanterError(`a texture width of ${String(width)} for ${format}; give a multiple of ${texels}, such as ${near}`);
}

function morphStarts(asset: Asset): number[] {
  const sets = asset.nodes.filter(({ morph }) => morph !== undefined).length;
  const starts = [0];
  for (let set = 0; set < sets; set++) starts.push((starts[set] as number) + asset.skeleton.morphWeights(set).length);
  return starts;
}
