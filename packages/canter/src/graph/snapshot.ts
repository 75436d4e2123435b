/// <reference lib="esnext.disposable" preserve="true" />
import { Handle } from '../handle.js';
import type { MotionExports } from '../motion/exports.js';
import type { Runtime } from '../runtime.js';

/** A character as it was: its graph, what it was told, and what its mixer played. Made by `graph.save()`. */
export class GraphSnapshot {
  readonly #handle: Handle;

  /** @internal */
  constructor(runtime: Runtime, id: number) {
    this.#handle = new Handle(this, 'GraphSnapshot', runtime, id, (exports, id) => (exports as MotionExports).snapshot_free(id));
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
  get _id(): number {
    return this.#handle.id;
  }
}
