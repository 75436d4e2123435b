// The package as a user would write it: crowds.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import { AnimationMixer, Crowd, loadGltf } from 'canter';

import { HERO } from './common.js';
import { DT, steps } from './hero.js';

suite('crowds', () => {
  test('write what mixers write, one behind another', async () => {
    const asset = await loadGltf(HERO);
    const crowd = new Crowd(asset);
    const members = ['Idle', 'Walk', 'Run'].map((clip) => crowd.spawn().play(clip).mixer);
    assert.equal(crowd.boneMatrices.length, 0);
    for (let step = 0; step < 30; step++) crowd.update(DT);
    assert.equal(crowd.boneMatrices.length, 3 * crowd.floatsPerMember);
    for (const [index, clip] of ['Idle', 'Walk', 'Run'].entries()) {
      const mixer = new AnimationMixer(asset);
      mixer.play(clip);
      steps(mixer, 30);
      const own = crowd.boneMatrices.slice(index * crowd.floatsPerMember, (index + 1) * crowd.floatsPerMember);
      assert.deepEqual([...own], [...asset.skeleton.boneMatrices]);
    }
    assert.equal(members.length, crowd.members.length);
  });

  test('members leave and events find the right one', async () => {
    const crowd = new Crowd(await loadGltf(HERO), { matrices: 'mat3x4' });
    const [first, second, third] = [crowd.spawn(), crowd.spawn(), crowd.spawn()];
    const heard: number[] = [];
    crowd.addEventListener('finished', ({ action }) => heard.push((action.mixer as typeof first).index));
    third.addEventListener('finished', () => heard.push(100));
    third.play('Run', { loop: 'once' });
    first.remove();
    first.remove();
    assert.deepEqual([first.index, second.index, third.index, crowd.members.length], [-1, 1, 0, 2]);
    crowd.update(1);
    assert.deepEqual(heard, [100, 0]);
    assert.equal(crowd.boneMatrices.length, 2 * crowd.floatsPerMember);
    assert.throws(() => first.play('Run'), /left its crowd/);
    crowd.dispose();
    assert.throws(() => crowd.update(DT), /Crowd was disposed of/);
  });
});
