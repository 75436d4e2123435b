// The package as a user would write it: memory.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';

import { AnimationMixer, Crowd, createRuntime, loadGltf } from 'canter';

import { HERO } from './common.js';
import { DT } from './hero.js';

suite('memory', () => {
  test('views are valid again after memory grows', async () => {
    const runtime = await createRuntime();
    const asset = await loadGltf(HERO, { runtime });
    const crowd = new Crowd(asset);
    crowd.spawn().play('Run');
    crowd.update(DT);
    const { skeleton } = asset;
    const old = skeleton.boneMatrices;
    const before = [...old];
    const size = runtime.memoryBytes;
    const more = [];
    while (runtime.memoryBytes === size) more.push(await loadGltf(HERO, { runtime }));
    assert.equal(old.length, 0);
    assert.deepEqual([...skeleton.boneMatrices], before);
    assert.equal(crowd.boneMatrices.length, crowd.floatsPerMember);
    assert.ok(skeleton.bones[3]!.worldMatrix.every(Number.isFinite));
  });

  test('a thousand loads and disposals keep it flat', async () => {
    const runtime = await createRuntime();
    const bytes = readFileSync(HERO);
    const once = async () => {
      using asset = await loadGltf(bytes, { runtime });
      using mixer = new AnimationMixer(asset);
      using crowd = new Crowd(asset);
      crowd.spawn().play('Walk');
      mixer.play('Run');
      mixer.update(DT);
      crowd.update(DT);
    };
    for (let round = 0; round < 20; round++) await once();
    const size = runtime.memoryBytes;
    for (let round = 0; round < 1000; round++) await once();
    assert.equal(runtime.memoryBytes, size);
  });

  test('layers that come and go, and fades of all kinds, keep it flat', async () => {
    const runtime = await createRuntime();
    const asset = await loadGltf(HERO, { runtime });
    const mixer = new AnimationMixer(asset);
    mixer.play('Idle');
    const once = (round: number) => {
      const upper = mixer.addLayer({ mask: asset.skeleton.mask('spine', { feather: 2 }) });
      upper.play('Attack', { fadeIn: { duration: 0.1, kind: 'dead' } });
      mixer.addLayer({ mode: 'additive' }).play(asset.additive('Wave'));
      mixer.crossFadeTo(['Run', 'Walk', 'Jump'][round % 3]!, { duration: 0.2, kind: round % 2 === 0 ? 'inertial' : 'dead' });
      mixer.update(DT);
      for (const layer of mixer.layers) layer.remove();
    };
    for (let round = 0; round < 20; round++) once(round);
    const [size, clips] = [runtime.memoryBytes, asset.clips.length];
    for (let round = 0; round < 2000; round++) once(round);
    assert.deepEqual([runtime.memoryBytes, asset.clips.length, mixer.layers], [size, clips, []]);
  });
});
