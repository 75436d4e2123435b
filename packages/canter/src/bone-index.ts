import type { Asset } from './asset.js';
import type { Bone } from './bone.js';
import { CanterError } from './error.js';
import { missingName } from './missing-name.js';

/** @internal The place of a bone that was given as such, or by name or index. */
export function boneIndex(asset: Asset, bone: Bone | string | number): number {
  const { _bones: bones } = asset;
  if (typeof bone === 'string') {
    const index = bones.findIndex(({ name }) => name === bone);
    if (index < 0) throw new CanterError(missingName('bone', bone, bones.map(({ name }) => name)));
    return index;
  }
  const index = typeof bone === 'number' ? bone : bone.index;
  if (!bones[index]) {
    throw new CanterError(`there is no bone ${index}; the skeleton has ${bones.length}, counted from 0`);
  }
  if (typeof bone !== 'number' && bone.skeleton.asset !== asset) {
    throw new CanterError(`bone "${bone.name}" is one of another asset; give its name`);
  }
  return index;
}
