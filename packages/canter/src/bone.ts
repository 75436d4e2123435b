import { Attachment, type Attachable, type AttachmentOffset } from './attachment.js';
import { CanterError, checkFinite } from './error.js';
import { multiplyRows, readRotation, readVector, type EulerLike, type QuaternionLike, type VectorLike } from './matrix.js';
import type { Skeleton } from './skeleton.js';

/** Three numbers of a bone. Reading gives the present pose; writing holds until the next `update`. */
export class BoneVector {
  readonly #bone: Bone;
  readonly #first: number;

  /** @internal */
  constructor(bone: Bone, first: number) {
    this.#bone = bone;
    this.#first = first;
  }

  get x(): number {
    return this.#bone._number(this.#first);
  }
  set x(value: number) {
    this.#bone._write(this.#first, [value]);
  }
  get y(): number {
    return this.#bone._number(this.#first + 1);
  }
  set y(value: number) {
    this.#bone._write(this.#first + 1, [value]);
  }
  get z(): number {
    return this.#bone._number(this.#first + 2);
  }
  set z(value: number) {
    this.#bone._write(this.#first + 2, [value]);
  }

  set(x: number, y: number, z: number): this {
    this.#bone._write(this.#first, [x, y, z]);
    return this;
  }

  copy(vector: VectorLike): this {
    return this.set(...readVector(vector, 'the vector'));
  }

  toArray(): [number, number, number] {
    return [this.x, this.y, this.z];
  }
}

/** A bone's rotation as a unit quaternion. Reading gives the present pose; writing holds until the next `update`. */
export class BoneRotation extends BoneVector {
  readonly #bone: Bone;

  /** @internal */
  constructor(bone: Bone) {
    super(bone, 3);
    this.#bone = bone;
  }

  get w(): number {
    return this.#bone._number(6);
  }
  set w(value: number) {
    this.#bone._write(6, [value]);
  }

  /** Takes a quaternion (x, y, z, w), or Euler angles (x, y, z) in radians. */
  override set(x: number, y: number, z: number, w?: number): this {
    this.#bone._write(3, readRotation(w === undefined ? [x, y, z] : [x, y, z, w], 'the rotation'));
    return this;
  }

  override copy(rotation: QuaternionLike | EulerLike): this {
    this.#bone._write(3, readRotation(rotation, 'the rotation'));
    return this;
  }

  /** Turns it further, in the bone's own space: what an aiming head or a recoiling arm needs. */
  multiply(rotation: QuaternionLike | EulerLike): this {
    const [bx, by, bz, bw] = readRotation(rotation, 'the rotation');
    const { x, y, z, w } = this;
    this.#bone._write(3, [
      w * bx + x * bw + y * bz - z * by,
      w * by - x * bz + y * bw + z * bx,
      w * bz + x * by - y * bx + z * bw,
      w * bw - x * bx - y * by - z * bz,
    ]);
    return this;
  }

  /** x, y, z, w. */
  toQuaternion(): [number, number, number, number] {
    return [this.x, this.y, this.z, this.w];
  }
}

/** A bone of a posed skeleton. Every node of the file is one. */
export class Bone {
  readonly skeleton: Skeleton;
  /** Its place in the skeleton; parents come before children. */
  readonly index: number;
  readonly name: string;
  /** The bone that it hangs on; undefined for a root. */
  readonly parent: Bone | undefined;
  /** Relative to its parent. */
  readonly position: BoneVector;
  /** Relative to its parent. */
  readonly rotation: BoneRotation;
  /** Relative to its parent. */
  readonly scale: BoneVector;
  readonly #worldMatrix = new Float32Array(16);

  /** @internal */
  constructor(skeleton: Skeleton, index: number, name: string, parent: Bone | undefined) {
    this.skeleton = skeleton;
    this.index = index;
    this.name = name;
    this.parent = parent;
    this.position = new BoneVector(this, 0);
    this.rotation = new BoneRotation(this);
    this.scale = new BoneVector(this, 7);
  }

  /** Where it is in the world, column by column: `skeleton.matrix` times its place in the character. The array is the bone's own. */
  get worldMatrix(): Float32Array {
    multiplyRows(this.#worldMatrix, this.skeleton.matrix, this.skeleton._modelRows, 12 * this.index);
    return this.#worldMatrix;
  }

  /**
   * Lets an object follow the bone, from now on and in the same frame: its `matrix` becomes the bone's world matrix times the offset
   * on every `update`. Anything with a `matrix` of 16 numbers will do, and so will an `Object3D` of three.js.
   */
  attach(object: Attachable, offset?: AttachmentOffset): Attachment {
    return this.skeleton._attach(new Attachment(this, object, offset));
  }

  /** @internal */
  _number(index: number): number {
    const { _runtime, _id } = this.skeleton;
    _runtime._exports.skeleton_joint(_id, this.index);
    return _runtime._floats[index] as number;
  }

  /** @internal */
  _write(first: number, numbers: readonly number[]): void {
    for (const number of numbers) {
      checkFinite(number, `the transform of bone "${this.name}"`);
      if (Math.abs(number) > 1e18) throw new CanterError(`${number} in the transform of bone "${this.name}" is too large to calculate with`);
    }
    const { _runtime, _id } = this.skeleton;
    _runtime._exports.skeleton_joint(_id, this.index);
    _runtime._floats.set(numbers, first);
    _runtime._exports.skeleton_set_joint(_id, this.index);
    this.skeleton._touch();
  }
}
