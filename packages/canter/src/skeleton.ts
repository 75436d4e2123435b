/// <reference lib="esnext.disposable" preserve="true" />
import type { Asset } from './asset.js';
import type { Attachment } from './attachment.js';
import { Bone } from './bone.js';
import { CanterError } from './error.js';
import { Handle } from './handle.js';
import { BoneMask } from './mask.js';
import { identity } from './matrix.js';
import type { Skin } from './asset-parts.js';
import type { Runtime } from './runtime.js';

/**
 * The format of bone matrices: 16 numbers column by column, or 12 numbers in three rows of four, which upload
 * faster.
 */
export type MatrixFormat = 'mat4' | 'mat3x4';

/** @internal */
export function checkFormat(format: MatrixFormat): void {
  if (format !== 'mat4' && format !== 'mat3x4') {
    throw new CanterError(`there is no format '${String(format)}'; give 'mat4' or 'mat3x4'`);
  }
}

/** A posed skeleton: bones, and the matrices that move the vertices of skinned meshes. */
export class Skeleton {
  readonly asset: Asset;
  readonly format: MatrixFormat;
  /** Parents before children. */
  readonly bones: readonly Bone[];
  /**
   * Where the character stands: 16 numbers, column by column, to be written by the program. Bone matrices are
   * relative to it.
   */
  readonly matrix: Float32Array = identity();
  readonly #byName = new Map<string, Bone>();
  readonly #palettes: Float32Array[] = [];
  #rows: Float32Array = new Float32Array(0);
  #attachments: Attachment[] = [];
  #isStale = false;
  readonly #handle: Handle;

  /** @internal */
  constructor(asset: Asset, format: MatrixFormat) {
    const { _runtime, _id } = asset;
    checkFormat(format);
    const id = _runtime._exports.skeleton_new(_id, format === 'mat3x4' ? 1 : 0);
    this.#handle = new Handle(this, 'Skeleton', _runtime, id, (exports, id) => exports.skeleton_free(id));
    this.asset = asset;
    this.format = format;
    const bones: Bone[] = [];
    for (const { name, parent } of asset._bones) {
      const bone = new Bone(this, bones.length, name, parent === undefined ? undefined : bones[parent]);
      bones.push(bone);
      if (!this.#byName.has(name)) this.#byName.set(name, bone);
    }
    this.bones = bones;
  }

  /** The bone of that name, or undefined. */
  getBoneByName(name: string): Bone | undefined {
    return this.#byName.get(name);
  }

  /** The bone at that place, or undefined. */
  getBoneByIndex(index: number): Bone | undefined {
    return this.bones[index];
  }

  /**
   * A mask of a bone and everything that hangs on it, for an action or a layer; with a feather it comes in
   * gradually, over so many bones: `skeleton.mask('spine', { feather: 2 })`. More ways are in `BoneMask`.
   */
  mask(top: Bone | string | number, options: { feather?: number } = {}): BoneMask {
    const mask = BoneMask.subtree(this, top);
    return options.feather === undefined ? mask : mask.feathered(options.feather);
  }

  /**
   * The matrices of the first skin, ready for `texSubImage2D`, `bufferSubData` or `writeBuffer`.
   *
   * A view straight on WebAssembly memory: ask for it each frame, do not keep it. (When memory grows, old
   * views become empty; this property then gives a new one.) Relative to `matrix`.
   */
  get boneMatrices(): Float32Array {
    return this.boneMatricesOf(0);
  }

  /** The same for another skin of the asset. */
  boneMatricesOf(skin: Skin | number): Float32Array {
    const index = typeof skin === 'number' ? skin : skin.index;
    const id = this._id;
    this.#freshen();
    const known = this.#palettes[index];
    if (known && known.buffer === this._runtime._buffer) return known;
    if (!this.asset.skins[index]) {
      const { length } = this.asset.skins;
      const count = length === 0 ? 'none' : `${length}, counted from 0`;
      throw new CanterError(`there is no skin ${index}; the file has ${count}`);
    }
    this._runtime._exports.skeleton_palette(id, index);
    return (this.#palettes[index] = this._runtime._outputFloats());
  }

  /**
   * The weights of a node's morph targets (`asset.nodes[…].morph`), as a view straight on WebAssembly memory.
   */
  morphWeights(morph: number): Float32Array {
    this._runtime._exports.skeleton_morph(this._id, morph);
    return this._runtime._outputFloats();
  }

  /** Puts every bone back to the pose of the file. */
  pose(): this {
    this._runtime._exports.skeleton_reset(this._id);
    this._posed();
    return this;
  }

  /**
   * Brings matrices and attachments up to date after bones or `matrix` were changed. A mixer's `update` does
   * so by itself.
   */
  update(): this {
    this.#isStale = true;
    this.#freshen();
    return this;
  }

  /** Another skeleton of the same file, at rest: for another character. */
  clone(format: MatrixFormat = this.format): Skeleton {
    return new Skeleton(this.asset, format);
  }

  /** Whether its memory was given back. */
  get isDisposed(): boolean {
    return this.#handle.isDisposed;
  }

  /** Gives its memory back. */
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
  get _id(): number {
    return this.#handle.id;
  }

  #freshen(): void {
    if (!this.#isStale) return;
    this._runtime._exports.skeleton_compose(this._id);
    this._posed();
  }

  /** @internal The pose was written: lets attachments follow. */
  _posed(): void {
    this.#isStale = false;
    for (let index = 0; index < this.#attachments.length; index++) {
      (this.#attachments[index] as Attachment)._follow();
    }
  }

  /** @internal A bone was changed. */
  _touch(): void {
    this.#isStale = true;
  }

  /** @internal Three rows of four for each bone, relative to the character. */
  get _modelRows(): Float32Array {
    this.#freshen();
    if (this.#rows.buffer !== this._runtime._buffer) {
      this._runtime._exports.skeleton_matrices(this._id);
      this.#rows = this._runtime._outputFloats();
    }
    return this.#rows;
  }

  /** @internal */
  _attach(attachment: Attachment): Attachment {
    this.#attachments.push(attachment);
    attachment._follow();
    return attachment;
  }

  /** @internal */
  _detach(attachment: Attachment): void {
    // A new list: an event's answer may let go while all follow.
    this.#attachments = this.#attachments.filter((other) => other !== attachment);
  }
}
