import type { AnimationClip, Mesh, Object3D } from 'three';

/** three's number for clips that are added to others. */
const ADDITIVE = 2501;

/** @internal A clip of three.js, and whether its values are differences. */
export interface BlendedClip {
  readonly clip: AnimationClip;
  readonly isAdditive: boolean;
}

/** @internal Whether a clip is added to others, by itself or as it was asked for. */
export function isAdditive(clip: AnimationClip, blendMode: number = clip.blendMode): boolean {
  return blendMode === ADDITIVE;
}

/** @internal An object as it is at rest. */
export interface Rest {
  readonly position: readonly number[];
  readonly quaternion: readonly number[];
  readonly scale: readonly number[];
  readonly morphTargetInfluences: readonly number[];
}

/** @internal */
export function restOf(object: Object3D): Rest {
  return {
    position: object.position.toArray(),
    quaternion: object.quaternion.toArray().map(Number),
    scale: object.scale.toArray(),
    morphTargetInfluences: [...((object as Mesh).morphTargetInfluences ?? [])],
  };
}

/**
 * @internal Values of a full pose of which a track of differences is the difference from rest. A cubic track
 * has two tangents with every value; what is added to a curve is added to its values alone.
 */
export function fullValues(
  values: ArrayLike<number>,
  property: keyof Rest,
  rest: Rest,
  isCubic: boolean,
): Float64Array {
  const full = Float64Array.from(values);
  const from = rest[property];
  if (property === 'quaternion') {
    for (let at = 0; at < full.length; at += 4) turn(from, full.subarray(at, at + 4));
    return full;
  }
  const stride = from.length * (isCubic ? 3 : 1);
  const first = isCubic ? from.length : 0;
  for (let at = first; at < full.length; at += stride) {
    for (const [index, number] of from.entries()) full[at + index] = (full[at + index] as number) + number;
  }
  return full;
}

/** Puts a rotation in front of another one. */
function turn(rest: readonly number[], rotation: Float64Array): void {
  const [ax = 0, ay = 0, az = 0, aw = 1] = rest;
  const [bx = 0, by = 0, bz = 0, bw = 1] = rotation;
  rotation.set([
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ]);
}
