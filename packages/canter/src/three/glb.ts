/** @internal The numbers of a .glb file, one list after another. */
export class GlbNumbers {
  readonly accessors: object[] = [];
  readonly views: object[] = [];
  readonly #parts: Float32Array[] = [];
  #bytes = 0;

  add(numbers: ArrayLike<number>, type: string, size: number): number {
    const part = Float32Array.from(numbers);
    this.views.push({ buffer: 0, byteOffset: this.#bytes, byteLength: part.byteLength });
    this.accessors.push({ bufferView: this.views.length - 1, componentType: 5126, count: part.length / size, type });
    this.#parts.push(part);
    this.#bytes += part.byteLength;
    return this.accessors.length - 1;
  }

  /** A .glb file. */
  file(json: object): Uint8Array {
    const buffers = this.#bytes > 0 ? [{ byteLength: this.#bytes }] : [];
    const whole = { ...json, accessors: this.accessors, bufferViews: this.views, buffers };
    const text = new TextEncoder().encode(JSON.stringify(whole));
    const padded = Math.ceil(text.length / 4) * 4;
    const bytes = new Uint8Array(28 + padded + this.#bytes);
    const view = new DataView(bytes.buffer);
    const words = [0x46546c67, 2, bytes.length, padded, 0x4e4f534a];
    for (const [index, word] of words.entries()) view.setUint32(4 * index, word, true);
    bytes.fill(0x20, 20, 20 + padded).set(text, 20);
    view.setUint32(20 + padded, this.#bytes, true);
    view.setUint32(24 + padded, 0x004e4942, true);
    let at = 28 + padded;
    for (const part of this.#parts) {
      bytes.set(new Uint8Array(part.buffer), at);
      at += part.byteLength;
    }
    return bytes;
  }
}
