// The hero, and time that passes for it.
import { AnimationMixer, loadGltf, type Asset } from 'canter';

import { HERO } from './common.js';

export const DT = 1 / 60;

export async function hero(): Promise<{ asset: Asset; mixer: AnimationMixer }> {
  const asset = await loadGltf(HERO);
  return { asset, mixer: new AnimationMixer(asset) };
}

export function steps(mixer: { update(dt: number): unknown }, count: number): void {
  for (let step = 0; step < count; step++) mixer.update(DT);
}

/** Every bone as it is: translation, rotation, scale. */
export function posed({ skeleton }: Asset): Map<string, number[]> {
  return new Map(skeleton.bones.map((bone) => {
    const { position, quaternion, scale } = bone;
    return [bone.name, [...position.toArray(), ...quaternion.toArray(), ...scale.toArray()]];
  }));
}

/** How far two poses are apart at most, in any number; a rotation is its opposite, too. */
export function distance(a: ReadonlyMap<string, number[]>, b: ReadonlyMap<string, number[]>): number {
  let most = 0;
  for (const [name, numbers] of a) {
    const other = b.get(name)!;
    const dot = [3, 4, 5, 6].reduce((sum, index) => sum + numbers[index]! * other[index]!, 0);
    for (const [index, number] of numbers.entries()) {
      const isTurned = index >= 3 && index < 7 && dot < 0;
      most = Math.max(most, Math.abs(number - (isTurned ? -1 : 1) * other[index]!));
    }
  }
  return most;
}
