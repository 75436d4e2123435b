import type { KeyframeTrack } from 'three';

/** What a track of a clip can move in the module: properties of nodes, by their names in three.js. */
export const PROPERTIES = ['position', 'quaternion', 'scale'] as const;

const PATHS = [
  { path: 'translation', type: 'VEC3', size: 3 },
  { path: 'rotation', type: 'VEC4', size: 4 },
  { path: 'scale', type: 'VEC3', size: 3 },
] as const;

/** @internal A track that the module plays: of which of a clip's nodes, and which property of it. */
export interface PlayedTrack {
  readonly track: KeyframeTrack;
  readonly joint: number;
  readonly property: number;
  readonly interpolation: 'STEP' | 'LINEAR' | 'CUBICSPLINE';
}

/** The numbers of a file, one list after another. */
class Numbers {
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
    const buffers = [{ byteLength: this.#bytes }];
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

/** @internal A clip as a file that the module loads: nodes side by side, of which only the tracks matter. */
export function clipFile(name: string, joints: number, tracks: readonly PlayedTrack[]): Uint8Array {
  const numbers = new Numbers();
  const samplers = tracks.map(({ track, property, interpolation }) => {
    const { type, size } = PATHS[property] as (typeof PATHS)[number];
    const [input, output] = [numbers.add(track.times, 'SCALAR', 1), numbers.add(track.values, type, size)];
    return { input, output, interpolation };
  });
  const channels = tracks.map(({ joint, property }, sampler) => {
    const { path } = PATHS[property] as (typeof PATHS)[number];
    return { sampler, target: { node: joint, path } };
  });
  const nodes = Array.from({ length: joints }, (_, index) => ({ name: `${index}` }));
  return numbers.file({ asset: { version: '2.0' }, nodes, animations: [{ name, samplers, channels }] });
}
