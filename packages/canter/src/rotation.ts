import { CanterError, checkFinite } from './error.js';
import { readVector } from './matrix.js';

/** A quaternion (x, y, z, w), as an array or as an object (such as three's `Quaternion`). */
export type QuaternionLike =
  | readonly [number, number, number, number]
  | { readonly x: number; readonly y: number; readonly z: number; readonly w: number };

/** The order in which an object is turned about its own axes; `XYZ` begins with x. */
export type EulerOrder = 'XYZ' | 'YXZ' | 'ZXY' | 'ZYX' | 'YZX' | 'XZY';

/** Euler angles in radians, as an array or as an object (such as three's `Euler`); in the order `XYZ` unless they say another. */
export type EulerLike =
  | readonly [number, number, number]
  | { readonly x: number; readonly y: number; readonly z: number; readonly order?: EulerOrder };

/** @internal */
export type Quaternion = [x: number, y: number, z: number, w: number];

/** @internal A unit quaternion, from one of any length. */
export function readQuaternion(quaternion: QuaternionLike, what: string): Quaternion {
  const { x, y, z, w } =
    'w' in quaternion ? quaternion : { x: quaternion[0], y: quaternion[1], z: quaternion[2], w: quaternion[3] as number | undefined };
  if (w === undefined) {
    throw new CanterError(`${what} has no w; give a quaternion (x, y, z, w), or Euler angles where \`euler\` is asked for`);
  }
  const length = Math.hypot(x, y, z, w);
  checkFinite(length, what);
  if (length < 1e-12) throw new CanterError(`${what} is a quaternion of length zero; give [0, 0, 0, 1] for no rotation`);
  return [x / length, y / length, z / length, w / length];
}

/** @internal A unit quaternion, from Euler angles. */
export function readEuler(euler: EulerLike, what: string): Quaternion {
  if ('w' in euler || ('length' in euler && euler.length !== 3)) {
    throw new CanterError(`${what} is not three angles; give Euler angles (x, y, z) in radians, or a quaternion where \`quaternion\` is asked for`);
  }
  const angles = readVector(euler, what);
  const order: string = ('order' in euler ? euler.order : undefined) ?? 'XYZ';
  if ([...order].sort().join('') !== 'XYZ') {
    throw new CanterError(`${what} has the order '${order}'; give 'XYZ', 'YXZ', 'ZXY', 'ZYX', 'YZX' or 'XZY'`);
  }
  let quaternion: Quaternion = [0, 0, 0, 1];
  for (const letter of order) {
    const axis = 'XYZ'.indexOf(letter);
    const half = (angles[axis] as number) / 2;
    const turn: Quaternion = [0, 0, 0, Math.cos(half)];
    turn[axis] = Math.sin(half);
    quaternion = multiplyQuaternions(quaternion, turn);
  }
  return quaternion;
}

/**
 * @internal The angles of a quaternion in the order `XYZ`; where x and z turn about the same axis, z is 0.
 *
 * The product of three turns by half angles has, as sums and differences of its numbers, sine and cosine of (x + z) / 2 times
 * sqrt(1 + sin y), and of (x - z) / 2 times sqrt(1 - sin y). So nothing is lost close to a right angle.
 */
export function eulerOf([x, y, z, w]: Quaternion): [number, number, number] {
  const [above, below] = [Math.hypot(x + z, w + y), Math.hypot(x - z, w - y)];
  const middle = 2 * Math.atan2(above, below) - Math.PI / 2;
  const halfSum = Math.atan2(x + z, w + y);
  const halfDifference = Math.atan2(x - z, w - y);
  if (below < 1e-6 * above) return [turn(2 * halfSum), middle, 0];
  if (above < 1e-6 * below) return [turn(2 * halfDifference), middle, 0];
  return [turn(halfSum + halfDifference), middle, turn(halfSum - halfDifference)];
}

/** The same angle within half a turn. */
function turn(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

/** @internal */
export function multiplyQuaternions([ax, ay, az, aw]: Quaternion, [bx, by, bz, bw]: Quaternion): Quaternion {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}
