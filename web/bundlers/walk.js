// What every bundler builds: the hero walks for half a second.
import { AnimationMixer, loadGltf } from 'canter';
import { wgslSkinningStorageMat4 } from 'canter/shaders';

export async function walk(url = '/hero.glb') {
  const hero = await loadGltf(url);
  const mixer = new AnimationMixer(hero);
  mixer.play('Walk');
  for (let frame = 0; frame < 30; frame++) mixer.update(1 / 60);
  if (!wgslSkinningStorageMat4.includes('canter_skin')) throw new Error('there is no function that skins');
  return [...hero.skeleton.boneMatrices];
}
