import type { Matrix4 } from 'three';

import { Handle } from '../handle.js';
import type { Runtime } from '../runtime.js';

/** By the list itself, which clones of a model share. */
const known = new WeakMap<readonly Matrix4[], BoneInverses>();

/** @internal The inverse bind matrices of a skeleton, in the module. */
export class BoneInverses {
  readonly #matrices: readonly Matrix4[];
  readonly #first: Matrix4 | undefined;
  readonly #last: Matrix4 | undefined;
  readonly #length: number;
  readonly #runtime: Runtime;
  readonly #handle: Handle;

  static of(runtime: Runtime, matrices: readonly Matrix4[]): BoneInverses {
    const kept = known.get(matrices);
    if (kept?.isOf(matrices) && kept.#runtime === runtime) return kept;
    const made = new BoneInverses(runtime, matrices);
    known.set(matrices, made);
    return made;
  }

  private constructor(runtime: Runtime, matrices: readonly Matrix4[]) {
    this.#matrices = matrices;
    [this.#first, this.#last, this.#length] = [matrices[0], matrices.at(-1), matrices.length];
    this.#runtime = runtime;
    const numbers = new Float32Array(16 * matrices.length);
    for (const [index, { elements }] of matrices.entries()) numbers.set(elements, 16 * index);
    runtime._input(new Uint8Array(numbers.buffer));
    const id = runtime._exports.inverses_new();
    this.#handle = new Handle(this, 'BoneInverses', runtime, id, (exports, id) => exports.inverses_free(id));
  }

  /** Whether it was made of this list as it is: `skeleton.calculateInverses()` exchanges all matrices. */
  isOf(matrices: readonly Matrix4[]): boolean {
    const isSame = matrices === this.#matrices && matrices.length === this.#length;
    return isSame && matrices[0] === this.#first && matrices[this.#length - 1] === this.#last;
  }

  get id(): number {
    return this.#handle.id;
  }
}
