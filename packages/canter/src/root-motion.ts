import type { Asset } from './asset.js';
import { boneIndex } from './bone-index.js';
import { CanterError } from './error.js';

/** Which part of a bone's motion is the character's. */
export interface RootMotion {
  /** The bone that leads the others: a root at the feet, or the hips. Found unless said otherwise. */
  joint?: string;
  /** Which axes of its way are taken out of the pose; `xz`, the ground, unless said otherwise. */
  axes?: string;
  /** Whether turns about the vertical are taken out of the pose, too; they are unless this is false. */
  yaw?: boolean;
}

/** Whether the way over the ground is taken out of clips: of the bone that is found, of one by name, or as said. */
export type RootMotionOption = boolean | string | RootMotion;

/** @internal Takes the root motion out of the clips of an asset that nothing uses yet. */
export function splitRootMotion(asset: Asset, option: RootMotionOption): void {
  if (option === false) return;
  const { joint, axes = 'xz', yaw = true }: RootMotion =
    typeof option === 'object' && option !== null ? option : typeof option === 'string' ? { joint: option } : {};
  if (!/^[xyz]*$/.test(axes)) throw new CanterError(`there are no axes '${axes}'; give letters of 'xyz', such as 'xz'`);
  const bits = [...'xyz'].reduce((sum, axis, bit) => sum + (axes.includes(axis) ? 1 << bit : 0), 0);
  const place = joint === undefined ? 0 : boneIndex(asset, joint) + 1;
  asset._runtime._exports.asset_split_root_motion(asset._id, place, bits, yaw ? 1 : 0);
  asset._readClips();
}
