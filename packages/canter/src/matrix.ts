import { checkFinite } from './error.js';

/** Three numbers, as an array or as an object with x, y and z (such as three's `Vector3`). */
export type VectorLike = readonly [number, number, number] | { readonly x: number; readonly y: number; readonly z: number };

/** @internal */
export function readVector(vector: VectorLike, what: string): [number, number, number] {
  const numbers: [number, number, number] = 'x' in vector ? [vector.x, vector.y, vector.z] : [vector[0], vector[1], vector[2]];
  for (const number of numbers) checkFinite(number, what);
  return numbers;
}

/** @internal A 4x4 matrix, column by column. */
export function compose(
  out: Float32Array,
  [x, y, z]: [number, number, number],
  [qx, qy, qz, qw]: [number, number, number, number],
  [sx, sy, sz]: [number, number, number],
): Float32Array {
  out[0] = (1 - 2 * (qy * qy + qz * qz)) * sx;
  out[1] = 2 * (qx * qy + qz * qw) * sx;
  out[2] = 2 * (qx * qz - qy * qw) * sx;
  out[3] = 0;
  out[4] = 2 * (qx * qy - qz * qw) * sy;
  out[5] = (1 - 2 * (qx * qx + qz * qz)) * sy;
  out[6] = 2 * (qy * qz + qx * qw) * sy;
  out[7] = 0;
  out[8] = 2 * (qx * qz + qy * qw) * sz;
  out[9] = 2 * (qy * qz - qx * qw) * sz;
  out[10] = (1 - 2 * (qx * qx + qy * qy)) * sz;
  out[11] = 0;
  out[12] = x;
  out[13] = y;
  out[14] = z;
  out[15] = 1;
  return out;
}

/** A list of 16 numbers that can be written. */
export type MutableMatrix = { [index: number]: number; readonly length: number };

/** @internal `out = left * right`, which is at a place in a list; all 4x4, column by column. `out` may be neither of the others. */
export function multiply(out: MutableMatrix, left: Float32Array, right: Float32Array, at = 0): void {
  for (let column = 0; column < 16; column += 4) {
    const x = right[at + column] as number;
    const y = right[at + column + 1] as number;
    const z = right[at + column + 2] as number;
    const w = right[at + column + 3] as number;
    for (let row = 0; row < 4; row++) {
      out[column + row] =
        (left[row] as number) * x + (left[row + 4] as number) * y + (left[row + 8] as number) * z + (left[row + 12] as number) * w;
    }
  }
}

/** @internal `out = left * right`, where `right` is three rows of four at a place in a list. */
export function multiplyRows(out: Float32Array, left: Float32Array, rows: Float32Array, at: number): void {
  for (let column = 0; column < 4; column++) {
    const x = rows[at + column] as number;
    const y = rows[at + 4 + column] as number;
    const z = rows[at + 8 + column] as number;
    const w = column === 3 ? 1 : 0;
    for (let row = 0; row < 4; row++) {
      out[4 * column + row] =
        (left[row] as number) * x + (left[row + 4] as number) * y + (left[row + 8] as number) * z + (left[row + 12] as number) * w;
    }
  }
}

/** @internal */
export function identity(): Float32Array {
  return new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
}
