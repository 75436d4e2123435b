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
});
