/** @internal Writes numbers, texts and lists as `reader.rs` of crates/canter-wasm reads them. */
export class Writer {
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  #len = 0;

  #grow(len: number): number {
    const at = this.#len;
    this.#len += len;
    if (this.#len > this.#bytes.length) {
      const bytes = new Uint8Array(2 * this.#len);
      bytes.set(this.#bytes);
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer);
    }
    return at;
  }

  /** Negative ones as the bits of 32-bit integers. */
  number(value: number): this {
    const at = this.#grow(4);
    this.#view.setUint32(at, value, true);
    return this;
  }

  float(value: number): this {
    const at = this.#grow(4);
    this.#view.setFloat32(at, value, true);
    return this;
  }

  double(value: number): this {
    const at = this.#grow(8);
    this.#view.setFloat64(at, value, true);
    return this;
  }

  floats(values: Iterable<number>): this {
    for (const value of values) this.float(value);
    return this;
  }

  flag(value: boolean): this {
    return this.number(value ? 1 : 0);
  }

  text(value: string): this {
    const bytes = new TextEncoder().encode(value);
    this.number(bytes.length);
    const at = this.#grow(bytes.length);
    this.#bytes.set(bytes, at);
    return this;
  }

  list<T>(items: readonly T[], item: (value: T, index: number) => void): this {
    this.number(items.length);
    items.forEach(item);
    return this;
  }

  /** Whether there is one, and what it is. */
  option<T>(value: T | undefined, item: (value: T) => void): this {
    this.flag(value !== undefined);
    if (value !== undefined) item(value);
    return this;
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#len);
  }
}
