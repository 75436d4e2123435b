// The job by hand.
import { DT, parse, weightAt } from './job.mjs';

/** What a careful programmer writes by hand: flat arrays, one search per clip, slerp, no objects in the loop. */
export function flatJob(bytes, characterCount) {
  const { joints, clips, inverses } = parse(bytes);
  const count = joints.length;
  const rest = new Float32Array(10 * count);
  joints.forEach(({ translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1] }, joint) => rest.set([...translation, ...rotation, ...scale], 10 * joint));
  const flat = clips.map(({ tracks }) => {
    const { times } = tracks[0];
    const keys = new Float32Array(times.length * 10 * count);
    for (let key = 0; key < times.length; key++) keys.set(rest, key * 10 * count);
    for (const { joint, path, values } of tracks) {
      const [at, size] = { translation: [0, 3], rotation: [3, 4], scale: [7, 3] }[path];
      for (let key = 0; key < times.length; key++) keys.set(values.subarray(key * size, key * size + size), (key * count + joint) * 10 + at);
    }
    return { times, keys, duration: times[times.length - 1] };
  });
  const parents = Int32Array.from(joints, ({ parent }) => parent);
  const order = [...parents.keys()].sort((a, b) => depth(parents, a) - depth(parents, b));
  const clocks = new Float64Array(2 * characterCount);
  for (let index = 0; index < characterCount; index++) for (const clip of [0, 1]) clocks[2 * index + clip] = (index * 0.037) % flat[clip].duration;
  const poses = [new Float32Array(10 * count), new Float32Array(10 * count)];
  const model = new Float32Array(12 * count);
  const palettes = new Float32Array(characterCount * 16 * count);
  let frame = 0;
  return () => {
    const weight = weightAt(frame++);
    for (let index = 0; index < characterCount; index++) {
      for (let clip = 0; clip < 2; clip++) {
        const { times, keys, duration } = flat[clip];
        let secs = clocks[2 * index + clip] + DT;
        if (secs >= duration) secs -= duration;
        clocks[2 * index + clip] = secs;
        sample(times, keys, secs, poses[clip], count);
      }
      blend(poses[0], poses[1], weight, count);
      compose(poses[0], parents, order, model, inverses, palettes, index * 16 * count);
    }
    return palettes;
  };
}

function depth(parents, joint) {
  let steps = 0;
  for (let at = parents[joint]; at >= 0; at = parents[at]) steps++;
  return steps;
}

function sample(times, keys, secs, out, count) {
  let low = 0;
  let high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= secs) low = middle;
    else high = middle;
  }
  const t = Math.min(Math.max((secs - times[low]) / (times[high] - times[low]), 0), 1);
  const from = low * 10 * count;
  const to = high * 10 * count;
  for (let joint = 0; joint < count; joint++) {
    const at = 10 * joint;
    const a = from + at;
    const b = to + at;
    out[at] = keys[a] + (keys[b] - keys[a]) * t;
    out[at + 1] = keys[a + 1] + (keys[b + 1] - keys[a + 1]) * t;
    out[at + 2] = keys[a + 2] + (keys[b + 2] - keys[a + 2]) * t;
    out[at + 7] = keys[a + 7] + (keys[b + 7] - keys[a + 7]) * t;
    out[at + 8] = keys[a + 8] + (keys[b + 8] - keys[a + 8]) * t;
    out[at + 9] = keys[a + 9] + (keys[b + 9] - keys[a + 9]) * t;
    const ax = keys[a + 3], ay = keys[a + 4], az = keys[a + 5], aw = keys[a + 6];
    let bx = keys[b + 3], by = keys[b + 4], bz = keys[b + 5], bw = keys[b + 6];
    let cos = ax * bx + ay * by + az * bz + aw * bw;
    if (cos < 0) {
      cos = -cos;
      bx = -bx;
      by = -by;
      bz = -bz;
      bw = -bw;
    }
    let s = 1 - t;
    let r = t;
    if (cos < 0.9999999) {
      const angle = Math.acos(cos);
      const scale = 1 / Math.sin(angle);
      s = Math.sin((1 - t) * angle) * scale;
      r = Math.sin(t * angle) * scale;
    }
    out[at + 3] = ax * s + bx * r;
    out[at + 4] = ay * s + by * r;
    out[at + 5] = az * s + bz * r;
    out[at + 6] = aw * s + bw * r;
  }
}

function blend(a, b, weight, count) {
  const other = 1 - weight;
  for (let at = 0; at < 10 * count; at += 10) {
    a[at] = a[at] * weight + b[at] * other;
    a[at + 1] = a[at + 1] * weight + b[at + 1] * other;
    a[at + 2] = a[at + 2] * weight + b[at + 2] * other;
    a[at + 7] = a[at + 7] * weight + b[at + 7] * other;
    a[at + 8] = a[at + 8] * weight + b[at + 8] * other;
    a[at + 9] = a[at + 9] * weight + b[at + 9] * other;
    const cos = a[at + 3] * b[at + 3] + a[at + 4] * b[at + 4] + a[at + 5] * b[at + 5] + a[at + 6] * b[at + 6];
    const signed = cos < 0 ? -other : other;
    const x = a[at + 3] * weight + b[at + 3] * signed;
    const y = a[at + 4] * weight + b[at + 4] * signed;
    const z = a[at + 5] * weight + b[at + 5] * signed;
    const w = a[at + 6] * weight + b[at + 6] * signed;
    const scale = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
    a[at + 3] = x * scale;
    a[at + 4] = y * scale;
    a[at + 5] = z * scale;
    a[at + 6] = w * scale;
  }
}

/** Three rows of four for each joint; palettes as 4x4, column by column. */
function compose(pose, parents, order, model, inverses, palettes, start) {
  for (let place = 0; place < order.length; place++) {
    const joint = order[place];
    const at = 10 * joint;
    const x = pose[at + 3], y = pose[at + 4], z = pose[at + 5], w = pose[at + 6];
    const sx = pose[at + 7], sy = pose[at + 8], sz = pose[at + 9];
    const m0 = (1 - 2 * (y * y + z * z)) * sx, m1 = 2 * (x * y - z * w) * sy, m2 = 2 * (x * z + y * w) * sz, m3 = pose[at];
    const m4 = 2 * (x * y + z * w) * sx, m5 = (1 - 2 * (x * x + z * z)) * sy, m6 = 2 * (y * z - x * w) * sz, m7 = pose[at + 1];
    const m8 = 2 * (x * z - y * w) * sx, m9 = 2 * (y * z + x * w) * sy, m10 = (1 - 2 * (x * x + y * y)) * sz, m11 = pose[at + 2];
    const out = 12 * joint;
    if (parents[joint] < 0) {
      model[out] = m0; model[out + 1] = m1; model[out + 2] = m2; model[out + 3] = m3;
      model[out + 4] = m4; model[out + 5] = m5; model[out + 6] = m6; model[out + 7] = m7;
      model[out + 8] = m8; model[out + 9] = m9; model[out + 10] = m10; model[out + 11] = m11;
    } else {
      const parent = 12 * parents[joint];
      for (let row = 0; row < 12; row += 4) {
        const a = model[parent + row], b = model[parent + row + 1], c = model[parent + row + 2], d = model[parent + row + 3];
        model[out + row] = a * m0 + b * m4 + c * m8;
        model[out + row + 1] = a * m1 + b * m5 + c * m9;
        model[out + row + 2] = a * m2 + b * m6 + c * m10;
        model[out + row + 3] = a * m3 + b * m7 + c * m11 + d;
      }
    }
    const inverse = 16 * joint;
    const target = start + 16 * joint;
    for (let row = 0; row < 3; row++) {
      const a = model[out + 4 * row], b = model[out + 4 * row + 1], c = model[out + 4 * row + 2], d = model[out + 4 * row + 3];
      for (let column = 0; column < 4; column++) {
        const i = inverse + 4 * column;
        palettes[target + 4 * column + row] = a * inverses[i] + b * inverses[i + 1] + c * inverses[i + 2] + (column === 3 ? d : 0);
      }
    }
    palettes[target + 15] = 1;
  }
}
