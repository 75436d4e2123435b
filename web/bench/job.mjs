// The job that is measured: characters of 64 joints, each with two looping clips whose weights change slowly. Sample, blend,
// compose, multiply by the inverse bind matrices.

/** Seconds of a frame. */
export const DT = 1 / 60;

/** The weight of the first clip; the second has the rest. */
export function weightAt(frame) {
  return 0.5 + 0.4 * Math.sin(frame * 0.01);
}

/** The file's skeleton and tracks, without any loader: what the two others start from. */
export function parse(bytes) {
  const jsonBytes = bytes.readUInt32LE(12);
  const json = JSON.parse(bytes.toString('utf8', 20, 20 + jsonBytes));
  const bin = bytes.subarray(28 + jsonBytes);
  const sizes = { SCALAR: 1, VEC3: 3, VEC4: 4, MAT4: 16 };
  const numbers = (index) => {
    const accessor = json.accessors[index];
    const view = json.bufferViews[accessor.bufferView];
    const start = bin.byteOffset + (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
    return new Float32Array(bytes.buffer.slice(start, start + 4 * accessor.count * sizes[accessor.type]));
  };
  const parents = new Int32Array(json.nodes.length).fill(-1);
  json.nodes.forEach((node, index) => node.children?.forEach((child) => (parents[child] = index)));
  const skin = json.skins[0];
  const clips = json.animations.map((animation) => ({
    name: animation.name,
    tracks: animation.channels.map(({ sampler, target }) => ({
      joint: skin.joints.indexOf(target.node),
      path: target.path,
      times: numbers(animation.samplers[sampler].input),
      values: numbers(animation.samplers[sampler].output),
    })),
  }));
  const joints = skin.joints.map((node) => ({ parent: skin.joints.indexOf(parents[node]), ...json.nodes[node] }));
  return { joints, clips, inverses: numbers(skin.inverseBindMatrices) };
}

/** The first character's matrices must be alike everywhere, or nothing is compared. */
export function check(expected, results) {
  for (const [name, result] of Object.entries(results)) {
    for (let index = 0; index < 64 * 16; index++) {
      if (!(Math.abs(result[index] - expected[index]) < 1e-3)) throw new Error(`${name}: number ${index} is ${result[index]}, expected ${expected[index]}`);
    }
  }
}

/** Milliseconds of each job, min of many rounds. */
export function measure(jobs, rounds, repeatsOf) {
  const best = Object.fromEntries(Object.keys(jobs).map((name) => [name, Infinity]));
  for (let round = 0; round < rounds; round++) {
    // In turns, and by the time on the CPU: on a busy machine a long job would be interrupted more often than a short one.
    for (const [name, job] of Object.entries(jobs)) {
      const repeats = repeatsOf(name);
      const start = process.cpuUsage();
      for (let repeat = 0; repeat < repeats; repeat++) job();
      const { user, system } = process.cpuUsage(start);
      best[name] = Math.min(best[name], (user + system) / 1000 / repeats);
    }
  }
  return best;
}
