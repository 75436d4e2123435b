// The character of the benchmark, as a .glb: 64 joints, clips of 1.0 s with 31 keys and of 0.7 s with 22, linear.

const JOINTS = 64;

/** Always the same numbers, from -1 to 1. */
function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

/** `full`: translation, rotation and scale tracks on every joint; `typical`: rotations, and a translation of the first. */
export function character(tracks) {
  const next = random(7);
  const parts = [];
  const [bufferViews, accessors] = [[], []];
  let byteLength = 0;
  const add = (type, size, numbers) => {
    const bytes = new Uint8Array(Float32Array.from(numbers).buffer);
    bufferViews.push({ buffer: 0, byteOffset: byteLength, byteLength: bytes.length });
    accessors.push({ bufferView: bufferViews.length - 1, componentType: 5126, count: numbers.length / size, type });
    parts.push(bytes);
    byteLength += bytes.length;
    return accessors.length - 1;
  };
  const parents = Array.from({ length: JOINTS }, (_, joint) => (joint === 0 ? -1 : Math.floor((joint - 1) / 2)));
  const nodes = parents.map((_, joint) => {
    const children = parents.flatMap((parent, child) => (parent === joint ? [child] : []));
    return { name: `j${joint}`, translation: [0, joint === 0 ? 0 : 0.2, 0], ...(children.length > 0 && { children }) };
  });
  const inverses = nodes.flatMap(() => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.1 * next(), 0.1 * next(), 0.1 * next(), 1]);
  const animations = [['A', 1.0, 31], ['B', 0.7, 22]].map(([name, secs, keys]) => {
    const input = add('SCALAR', 1, Array.from({ length: keys }, (_, key) => (secs * key) / (keys - 1)));
    const [channels, samplers] = [[], []];
    const track = (node, path, type, size, value) => {
      const output = add(type, size, Array.from({ length: keys }, (_, key) => value(key / (keys - 1))).flat());
      samplers.push({ input, output, interpolation: 'LINEAR' });
      channels.push({ sampler: samplers.length - 1, target: { node, path } });
    };
    nodes.forEach(({ translation }, node) => {
      const [angle, phase] = [0.1 * next(), Math.PI * next()];
      const axis = [next(), next(), next() + 2];
      const length = Math.hypot(...axis);
      // So small that it does not matter whether rotations of two clips are mixed by slerp, as in three.js, or by a sum.
      const swing = (t) => Math.sin(2 * Math.PI * t + phase);
      track(node, 'rotation', 'VEC4', 4, (t) => {
        const half = angle * swing(t);
        return [...axis.map((part) => (part / length) * Math.sin(half)), Math.cos(half)];
      });
      if (tracks === 'full' || node === 0) {
        track(node, 'translation', 'VEC3', 3, (t) => translation.map((part) => part + 0.02 * swing(t)));
      }
      if (tracks === 'full') track(node, 'scale', 'VEC3', 3, (t) => [1 + 0.05 * swing(t), 1, 1 - 0.05 * swing(t)]);
    });
    return { name, channels, samplers };
  });
  const skins = [{ joints: nodes.map((_, joint) => joint), inverseBindMatrices: add('MAT4', 16, inverses) }];
  const json = { asset: { version: '2.0' }, nodes, skins, animations, accessors, bufferViews, buffers: [{ byteLength }] };
  return glb(json, Buffer.concat(parts));
}

function glb(json, bin) {
  const text = JSON.stringify(json);
  const chunks = [[0x4e4f534a, Buffer.from(text.padEnd(Math.ceil(text.length / 4) * 4))], [0x004e4942, bin]];
  const size = chunks.reduce((sum, [, bytes]) => sum + 8 + bytes.length, 12);
  const file = Buffer.alloc(size);
  [0x46546c67, 2, size].forEach((word, index) => file.writeUInt32LE(word, 4 * index));
  let at = 12;
  for (const [kind, bytes] of chunks) {
    file.writeUInt32LE(bytes.length, at);
    file.writeUInt32LE(kind, at + 4);
    bytes.copy(file, at + 8);
    at += 8 + bytes.length;
  }
  return file;
}
