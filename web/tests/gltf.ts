// Small files, made where they are needed.

export interface Channel {
  node?: number;
  path: string;
  times: number[];
  values: number[][];
}

export interface Parts {
  nodes: object[];
  meshes?: object[];
  /** Each the channels of a clip; clips are named `clip 0`, `clip 1`, and so on. */
  animations: Channel[][];
  extensionsRequired?: string[];
}

const TYPES: Record<string, string> = { translation: 'VEC3', scale: 'VEC3', rotation: 'VEC4', weights: 'SCALAR' };

/** A .gltf file with its buffer inside. */
export function gltf({ nodes, meshes, animations, extensionsRequired = [] }: Parts): Uint8Array {
  const accessors: object[] = [];
  const bufferViews: object[] = [];
  const numbers: number[] = [];
  const accessor = (list: number[], type: string, size: number) => {
    bufferViews.push({ buffer: 0, byteOffset: 4 * numbers.length, byteLength: 4 * list.length });
    numbers.push(...list);
    return accessors.push({ bufferView: bufferViews.length - 1, componentType: 5126, count: list.length / size, type }) - 1;
  };
  const clips = animations.map((channels, index) => ({
    name: `clip ${index}`,
    samplers: channels.map(({ path, times, values }) => ({
      input: accessor(times, 'SCALAR', 1),
      output: accessor(values.flat(), TYPES[path] ?? 'SCALAR', path === 'weights' ? 1 : values[0]?.length ?? 1),
    })),
    channels: channels.map(({ node, path }, sampler) => ({ sampler, target: { node, path } })),
  }));
  const bytes = Buffer.from(new Float32Array(numbers).buffer);
  const uri = `data:application/octet-stream;base64,${bytes.toString('base64')}`;
  const json = {
    asset: { version: '2.0' },
    extensionsRequired,
    extensionsUsed: extensionsRequired,
    nodes,
    ...(meshes ? { meshes } : {}),
    ...(bytes.length > 0 ? { buffers: [{ uri, byteLength: bytes.length }], bufferViews, accessors } : {}),
    animations: clips,
  };
  return new TextEncoder().encode(JSON.stringify(json));
}
