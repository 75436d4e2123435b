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
