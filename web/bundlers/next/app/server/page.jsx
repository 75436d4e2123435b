// Rendered by the server, when the project is built.
import { AnimationMixer, loadGltf } from 'canter/inline';

export default async function Page() {
  const hero = await loadGltf('public/hero.glb');
  const mixer = new AnimationMixer(hero);
  mixer.play('Walk');
  for (let frame = 0; frame < 30; frame++) mixer.update(1 / 60);
  return <pre>{JSON.stringify([...hero.skeleton.boneMatrices])}</pre>;
}
