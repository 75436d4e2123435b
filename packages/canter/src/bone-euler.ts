import type { Bone } from './bone.js';
import { eulerOf, readEuler, type EulerLike } from './rotation.js';

/**
 * A bone's rotation as Euler angles in radians: about x, then y, then z of the turned bone (three's order `XYZ`). Reading gives the present
 * pose; writing holds until the next `update`.
 *
 * Angles that were written are read as such, also those beyond half a turn, until the bone is turned otherwise.
 */
export class BoneEuler {
  readonly #bone: Bone;
  #angles: [number, number, number] = [0, 0, 0];
  /** The quaternion whose angles these are. */
  #quaternion: number[] = [];

  /** @internal */
  constructor(bone: Bone) {
    this.#bone = bone;
  }

  get x(): number {
    return this.toArray()[0];
  }
  set x(value: number) {
    const [, y, z] = this.toArray();
    this.set(value, y, z);
  }
  get y(): number {
    return this.toArray()[1];
  }
  set y(value: number) {
    const [x, , z] = this.toArray();
    this.set(x, value, z);
  }
  get z(): number {
    return this.toArray()[2];
  }
  set z(value: number) {
    const [x, y] = this.toArray();
    this.set(x, y, value);
  }

  set(x: number, y: number, z: number): this {
    this.copy([x, y, z]);
    this.#angles = [x, y, z];
    return this;
  }

  /** Takes angles of another order, too: those of an `Euler` of three.js that says so. */
  copy(euler: EulerLike): this {
    this.#bone._write(3, readEuler(euler, 'the Euler angles'));
    this.#quaternion = this.#bone._numbers(3, 4);
    this.#angles = eulerOf(this.#bone.quaternion.toArray());
    return this;
  }

  /** x, y, z. */
  toArray(): [number, number, number] {
    const quaternion = this.#bone.quaternion.toArray();
    if (quaternion.some((number, index) => number !== this.#quaternion[index])) {
      this.#quaternion = quaternion;
      this.#angles = eulerOf(quaternion);
    }
    return [...this.#angles];
  }
}
