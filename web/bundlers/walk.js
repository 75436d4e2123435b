// What every bundler builds: the hero walks for half a second, by a mixer and by a graph.
import { AnimationMixer, loadGltf } from 'canter';
import { AnimationGraph } from 'canter/graph';
import { TwoBoneIK } from 'canter/rig';
import { wgslSkinningStorageMat4 } from 'canter/shaders';

const WALK = { version: 1, layers: [{ name: 'body', machine: { entry: 'Walk', states: [{ name: 'Walk', motion: { clip: 'Walk' } }] } }] };

export async function walk(url = '/hero.glb') {
  const hero = await loadGltf(url);
  const mixer = new AnimationMixer(hero);
  mixer.play('Walk');
  for (let frame = 0; frame < 30; frame++) mixer.update(1 / 60);
  if (!wgslSkinningStorageMat4.includes('canter_skin')) throw new Error('there is no function that skins');
  const matrices = [...hero.skeleton.boneMatrices];
  const graph = new AnimationGraph(WALK, await loadGltf(url, { motion: true }));
  for (let frame = 0; frame < 30; frame++) graph.update(1 / 60);
  const arm = new TwoBoneIK(graph.skeleton, { bones: ['upper_arm_R', 'forearm_R', 'hand_R'] });
  arm.apply({ target: [0, 1, 1], weight: 0 });
  if (graph.skeleton.boneMatrices.some((number, index) => number !== matrices[index])) throw new Error('the graph walks otherwise');
  return matrices;
}
