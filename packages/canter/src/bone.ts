import { Attachment, type Attachable, type AttachmentOffset } from './attachment.js';
import { BoneEuler } from './bone-euler.js';
import { BoneQuaternion } from './bone-quaternion.js';
import { BoneVector } from './bone-vector.js';
import { CanterError, checkFinite } from './error.js';
import { multiplyRows } from './matrix.js';
import type { Skeleton } from './skeleton.js';

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
  /** Its rotation relative to its parent, as a unit quaternion. */
  readonly quaternion: BoneQuaternion;
  /** The same rotation as Euler angles. */
  readonly euler: BoneEuler;
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
    this.quaternion = new BoneQuaternion(this);
    this.euler = new BoneEuler(this);
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
  _detach(attachment: Attachment): void {
    this.skeleton._detach(attachment);
  }

  /** @internal */
  _number(index: number): number {
    const { _runtime, _id } = this.skeleton;
    _runtime._exports.skeleton_joint(_id, this.index);
    return _runtime._floats[index] as number;
  }

  /** @internal */
  _numbers(first: number, count: number): number[] {
    const { _runtime, _id } = this.skeleton;
    _runtime._exports.skeleton_joint(_id, this.index);
    return Array.from(_runtime._floats.subarray(first, first + count));
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
