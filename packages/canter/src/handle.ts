import { CanterError } from './error.js';
import type { Exports, Runtime } from './runtime.js';

/** What is left of a forgotten object: enough to free its memory. */
interface Rest {
  runtime: Runtime;
  free: (exports: Exports, id: number) => void;
  id: number;
}

const forgotten = new FinalizationRegistry<Rest>(({ runtime, free, id }) => {
  free(runtime._exports, id);
});

/** @internal An object's number in the module. Freed when the object is disposed of, or else when it was forgotten. */
export class Handle {
  readonly #rest: Rest;
  readonly #name: string;
  #isDisposed = false;

  constructor(owner: object, name: string, runtime: Runtime, id: number, free: (exports: Exports, id: number) => void) {
    this.#rest = { runtime, free, id };
    // Written out: the names of classes are shortened.
    this.#name = name;
    forgotten.register(owner, this.#rest, this);
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  get id(): number {
    if (this.#isDisposed) {
      throw new CanterError(`this ${this.#name} was disposed of and cannot be used any more; make a new one`);
    }
    return this.#rest.id;
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    forgotten.unregister(this);
    this.#rest.free(this.#rest.runtime._exports, this.#rest.id);
  }
}
