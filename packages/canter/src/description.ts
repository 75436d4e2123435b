/** What crates/canter-wasm says of a file, in the order of its `describe.rs`. */
export class DescriptionReader {
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  number(): number {
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4, true);
  }

  float(): number {
    this.#at += 4;
    return this.#view.getFloat32(this.#at - 4, true);
  }

  floats(count: number): number[] {
    return Array.from({ length: count }, () => this.float());
  }

  /** An index, or undefined for none. */
  index(): number | undefined {
    const index = this.number();
    return index === 0 ? undefined : index - 1;
  }

  text(): string {
    const len = this.number();
    const bytes = new Uint8Array(this.#view.buffer, this.#view.byteOffset + this.#at, len);
    this.#at += len;
    return new TextDecoder().decode(bytes);
  }

  list<T>(item: (index: number) => T): T[] {
    return Array.from({ length: this.number() }, (_, index) => item(index));
  }
}

export interface BoneDescription {
  name: string;
  parent: number | undefined;
}

export function readBones(reader: DescriptionReader): BoneDescription[] {
  return reader.list(() => ({ name: reader.text(), parent: reader.index() }));
}
