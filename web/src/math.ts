/** The few matrices that a page needs: 16 numbers, column by column. */
export type Mat4 = Float32Array<ArrayBuffer>;
export type Vec3 = readonly [number, number, number];

export function multiply(a: ArrayLike<number>, b: ArrayLike<number>): Mat4 {
  const out = new Float32Array(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[4 * k + row]! * b[4 * column + k]!;
      out[4 * column + row] = sum;
    }
  }
  return out;
}

/** A camera's projection; depth runs from -1 to 1 in WebGL and from 0 to 1 in WebGPU. */
export function perspective(fovY: number, aspect: number, near: number, far: number, isZeroToOne: boolean): Mat4 {
  const f = 1 / Math.tan(fovY / 2);
  const out = new Float32Array(16);
  out[0] = f / aspect;
  out[5] = f;
  out[10] = isZeroToOne ? far / (near - far) : (far + near) / (near - far);
  out[11] = -1;
  out[14] = (isZeroToOne ? 1 : 2) * ((far * near) / (near - far));
  return out;
}

export function lookAt(eye: Vec3, target: Vec3): Mat4 {
  const z = normalize(subtract(eye, target));
  const x = normalize(cross([0, 1, 0], z));
  const y = cross(z, x);
  return new Float32Array([x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, -dot(x, eye), -dot(y, eye), -dot(z, eye), 1]);
}

/** The inverse of an affine matrix. */
export function invertAffine(m: ArrayLike<number>): Mat4 {
  const a: Vec3 = [m[0]!, m[1]!, m[2]!];
  const b: Vec3 = [m[4]!, m[5]!, m[6]!];
  const c: Vec3 = [m[8]!, m[9]!, m[10]!];
  const scale = 1 / dot(a, cross(b, c));
  const rows = [cross(b, c), cross(c, a), cross(a, b)].map((row) => row.map((value) => value * scale) as unknown as Vec3);
  const t: Vec3 = [m[12]!, m[13]!, m[14]!];
  const out = new Float32Array(16);
  for (const [index, row] of rows.entries()) {
    out[index] = row[0];
    out[4 + index] = row[1];
    out[8 + index] = row[2];
    out[12 + index] = -dot(row, t);
  }
  out[15] = 1;
  return out;
}

export function subtract(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}
export function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
export function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
export function normalize(a: Vec3): Vec3 {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
}
