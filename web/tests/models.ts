// Models made by code.

/** A .glb file of JSON and one buffer. */
function glb(json: object, buffer: Float32Array | Uint8Array): Uint8Array {
  const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  const text = new TextEncoder().encode(JSON.stringify({ asset: { version: '2.0' }, buffers: [{ byteLength: bytes.length }], ...json }));
  const padded = (length: number) => Math.ceil(length / 4) * 4;
  const out = new Uint8Array(28 + padded(text.length) + padded(bytes.length)).fill(0x20, 20, 20 + padded(text.length));
  const view = new DataView(out.buffer);
  const words = [0x46546c67, 2, out.length, padded(text.length), 0x4e4f534a];
  for (const [index, word] of words.entries()) view.setUint32(4 * index, word, true);
  out.set(text, 20);
  const second = 20 + padded(text.length);
  view.setUint32(second, padded(bytes.length), true);
  view.setUint32(second + 4, 0x004e4942, true);
  out.set(bytes, second + 8);
  return out;
}

/** The corners of a box from -1 to 1, three to a triangle. */
function boxCorners(): [number, number, number][] {
  const corners: [number, number, number][] = [];
  for (const axis of [0, 1, 2]) {
    for (const side of [-1, 1]) {
      const corner = (u: number, v: number) => {
        const place = [0, 0, 0];
        [place[axis], place[(axis + 1) % 3], place[(axis + 2) % 3]] = [side, u, v];
        return place as [number, number, number];
      };
      const [a, b, c, d] = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
      corners.push(...(side > 0 ? [a, b, c, a, c, d] : [a, c, b, a, d, c]));
    }
  }
  return corners;
}

/**
 * A box of a size, standing on the ground, that nothing moves but the weight of a morph target, by which it becomes a roof: there and back
 * within a second.
 */
export function morphingBox(size: number): Uint8Array {
  const corners = boxCorners();
  const positions = corners.flatMap(([x, y, z]) => [(size * x) / 2, (size * (y + 1)) / 2, (size * z) / 2]);
  const target = corners.flatMap(([x, y]) => [y > 0 ? -0.45 * size * x : 0, 0, 0]);
  const times = [0, 0.5, 1];
  const weights = [0, 1, 0];
  const lists = [positions, target, times, weights];
  const buffer = new Float32Array(lists.flat());
  let byteOffset = 0;
  const bufferViews = lists.map(({ length }) => {
    const view = { buffer: 0, byteOffset, byteLength: 4 * length };
    byteOffset += 4 * length;
    return view;
  });
  const bounds = { min: [-size / 2, 0, -size / 2], max: [size / 2, size, size / 2] };
  const accessors = [
    { bufferView: 0, componentType: 5126, count: corners.length, type: 'VEC3', ...bounds },
    { bufferView: 1, componentType: 5126, count: corners.length, type: 'VEC3', min: [-0.45 * size, 0, 0], max: [0.45 * size, 0, 0] },
    { bufferView: 2, componentType: 5126, count: 3, type: 'SCALAR', min: [0], max: [1] },
    { bufferView: 3, componentType: 5126, count: 3, type: 'SCALAR' },
  ];
  return glb({
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    materials: [{ pbrMetallicRoughness: { baseColorFactor: [0.1, 0.6, 0.5, 1] } }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, targets: [{ POSITION: 1 }], material: 0 }], weights: [0] }],
    animations: [{ name: 'Breathe', samplers: [{ input: 2, output: 3 }], channels: [{ sampler: 0, target: { node: 0, path: 'weights' } }] }],
    accessors,
    bufferViews,
  }, buffer);
}
