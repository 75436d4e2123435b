// The job in Canter: one crowd, one call.
import { createRuntime, Crowd, loadGltf } from 'canter';

import { DT, weightAt } from './job.mjs';

export async function canterJob(bytes, count, simd) {
  const runtime = await createRuntime({ simd });
  const crowd = new Crowd(await loadGltf(bytes, { runtime }));
  const actions = Array.from({ length: count }, (_, index) => {
    const member = crowd.spawn();
    return ['A', 'B'].map((clip) => member.play(clip, { startTime: index * 0.037 }));
  });
  let frame = 0;
  return () => {
    const weight = weightAt(frame++);
    const other = 1 - weight;
    for (let index = 0; index < count; index++) {
      actions[index][0].weight = weight;
      actions[index][1].weight = other;
    }
    crowd.update(DT);
    return crowd.boneMatrices;
  };
}
