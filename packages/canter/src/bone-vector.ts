import type { Bone } from './bone.js';
import { readVector, type VectorLike } from './matrix.js';

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
