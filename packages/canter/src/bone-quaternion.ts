import type { Bone } from './bone.js';
import { multiplyQuaternions, readQuaternion, type QuaternionLike } from './rotation.js';

/** A bone's rotation as a unit quaternion. Reading gives the present pose; writing holds until the next `update`. */
export class BoneQuaternion {
  readonly #bone: Bone;

  /** @internal */
  constructor(bone: Bone) {
    this.#bone = bone;
  }

  get x(): number {
    return this.#bone._number(3);
  }
  set x(value: number) {
    this.#bone._write(3, [value]);
  }
  get y(): number {
    return this.#bone._number(4);
  }
  set y(value: number) {
    this.#bone._write(4, [value]);
  }
  get z(): number {
    return this.#bone._number(5);
  }
  set z(value: number) {
    this.#bone._write(5, [value]);
  }
  get w(): number {
    return this.#bone._number(6);
  }
  set w(value: number) {
    this.#bone._write(6, [value]);
  }

  /** Takes a quaternion of any length but zero. */
  set(x: number, y: number, z: number, w: number): this {
    return this.copy([x, y, z, w]);
  }

  copy(quaternion: QuaternionLike): this {
    this.#bone._write(3, readQuaternion(quaternion, 'the quaternion'));
    return this;
  }

  /** Turns it further, in the bone's own space: what an aiming head or a recoiling arm needs. */
  multiply(quaternion: QuaternionLike): this {
    this.#bone._write(3, multiplyQuaternions(this.toArray(), readQuaternion(quaternion, 'the quaternion')));
    return this;
  }

  /** x, y, z, w. */
  toArray(): [number, number, number, number] {
    return this.#bone._numbers(3, 4) as [number, number, number, number];
  }
}
