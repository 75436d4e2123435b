// The package as a user would write it: root motion, and actions in step.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import { AnimationMixer, CanterError, Crowd, loadGltf, type Asset } from 'canter';

import { HERO } from './common.js';
import { DT, steps } from './hero.js';

async function traveller(): Promise<{ asset: Asset; mixer: AnimationMixer }> {
  const asset = await loadGltf(HERO, { rootMotion: true });
  return { asset, mixer: new AnimationMixer(asset) };
}

const near = (a: number, b: number, most = 1e-4) => assert.ok(Math.abs(a - b) < most, `${a} is not ${b}`);

suite('root motion', () => {
  test('a bone is found, or given, and clips play on the spot', async () => {
    for (const rootMotion of [true, 'root', { joint: 'root', axes: 'xz', yaw: true }, {}] as const) {
      const asset = await loadGltf(HERO, { rootMotion });
      assert.equal(asset.rootBone, 'root');
      assert.deepEqual(asset.clips.filter(({ hasRootMotion }) => hasRootMotion).map(({ name }) => name).slice(0, 2), ['WalkRoot', 'RunRoot']);
      near(asset.getClipByName('WalkRoot')!.groundSpeed!, 1.02, 0.02);
      const mixer = new AnimationMixer(asset);
      mixer.play('WalkRoot');
      mixer.update(0.75);
      assert.deepEqual(asset.skeleton.getBoneByName('root')!.position.toArray(), [0, 0, 0]);
    }
    const still = await loadGltf(HERO);
    assert.equal(still.getClipByName('WalkRoot')!.hasRootMotion, false);
    await assert.rejects(loadGltf(HERO, { rootMotion: 'rot' }), { name: 'CanterError', message: /no bone "rot"; did you mean "root"/ });
    await assert.rejects(loadGltf(HERO, { rootMotion: { axes: 'xw' } }), /no axes 'xw'/);
  });

  test('it leads where the clip does, however a time is cut', async () => {
    for (const parts of [1, 3, 540]) {
      const { asset, mixer } = await traveller();
      const { matrix } = asset.skeleton;
      mixer.play('WalkRoot');
      for (let part = 0; part < parts; part++) mixer.update(9 / parts).applyRootMotion(matrix);
      near(matrix[14]!, 9 * asset.getClipByName('WalkRoot')!.groundSpeed!, 1e-3);
      near(matrix[12]!, 0);
      near(mixer.rootVelocity[2], 1.02, 0.02);
    }
  });

  test('turns are turns', async () => {
    const { asset, mixer } = await traveller();
    const { matrix } = asset.skeleton;
    mixer.play('TurnLeft', { loop: 4 });
    for (let step = 0; step < 100; step++) {
      mixer.update(0.009 * 2);
      mixer.applyRootMotion(matrix);
      if (step === 20) assert.ok(mixer.rootYawRate > 0.5, String(mixer.rootYawRate));
    }
    // Two turns by 90 degrees.
    near(matrix[0]!, -1, 1e-3);
    mixer.update(0);
    assert.deepEqual([...mixer.rootMotion], [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    assert.equal(mixer.rootMotion, mixer.rootMotion);
  });

  test('a crowd has that of all members in one list', async () => {
    const { asset } = await traveller();
    const crowd = new Crowd(asset);
    crowd.spawn();
    crowd.spawn().play('RunRoot');
    crowd.update(0.5);
    const all = crowd.rootMotions;
    assert.deepEqual([all.length, all[14]], [32, 0]);
    near(all[16 + 14]!, 0.5 * asset.getClipByName('RunRoot')!.groundSpeed!, 1e-3);
    assert.deepEqual([...crowd.members[1]!.rootMotion], [...crowd.rootMotions.subarray(16)]);
  });
});

suite('in step', () => {
  test('a run begins where the walk is, and both stay together', async () => {
    const { mixer } = await traveller();
    const walk = mixer.play('WalkRoot', { sync: 'locomotion' });
    mixer.update(0.25);
    const run = mixer.crossFadeTo('RunRoot', 0.5, { sync: 'locomotion' });
    assert.deepEqual([walk.sync, run.sync, mixer.crossFadeTo('RunRoot', 0.5)], ['locomotion', 'locomotion', run]);
    near(run.time, 0.25 * 0.7);
    for (let step = 0; step < 20; step++) {
      mixer.update(DT);
      near(walk.time, run.time / 0.7, 1e-3);
    }
    // Feet of the leader alone are told.
    mixer.update(0.7);
    assert.ok(mixer.markers().every(({ clip }, _, all) => clip === all[0]!.clip));
  });

  test('by the part of the clip, by numbers, later, and not at all', async () => {
    const { mixer } = await traveller();
    const wave = mixer.play('Wave', { sync: { group: 7, by: 'cycle' } });
    mixer.update(0.5);
    const idle = mixer.play('Idle');
    assert.equal(idle.time, 0);
    idle.sync = { group: 7, by: 'cycle' };
    near(idle.time / 3, wave.time / 2);
    idle.setSync(undefined).time = 0;
    steps(mixer, 6);
    near(idle.time, 0.1);
    const walk = mixer.play('Walk', { sync: 8, startTime: 0.3 });
    near(walk.time, 0.3);
    assert.throws(() => mixer.play('Walk', { sync: -1 }), /sync group is -1/);
    assert.throws(() => mixer.play('Walk', { sync: { group: 'a', by: 'feet' as never } }), /no sync by 'feet'/);
    assert.throws(() => (walk.sync = null as never), CanterError);
  });

  test('actions go as fast as is said', async () => {
    const { asset, mixer } = await traveller();
    const walk = mixer.play('WalkRoot', { groundSpeed: 1.4 });
    mixer.update(DT);
    near(mixer.rootVelocity[2], 1.4, 1e-3);
    near(walk.timeScale, 1.4 / asset.getClipByName('WalkRoot')!.groundSpeed!);
    walk.setGroundSpeed(-0.7);
    mixer.update(DT);
    near(mixer.rootVelocity[2], -0.7, 1e-3);
    near(mixer.crossFadeTo('Run', 0.1, { groundSpeed: 2.9 / 2 }).timeScale, 0.5, 0.02);
    assert.throws(() => mixer.play('Idle', { groundSpeed: 1 }), /clip "Idle" does not walk/);
    assert.throws(() => walk.setGroundSpeed(Infinity), CanterError);
  });

  test('settings of a crossfade are those of an action that starts', async () => {
    const { mixer } = await traveller();
    const run = mixer.crossFadeTo('Run', { duration: 0.2 }, { speed: 2, loop: 3, weight: 0.5, easing: 'smoothStep' });
    assert.deepEqual([run.timeScale, run.loop, run.weight], [2, 3, 0.5]);
    mixer.update(DT);
    assert.equal(mixer.crossFadeTo('Run', 0.2, { speed: 3 }).timeScale, 2);
    assert.equal(mixer.addLayer().crossFadeTo('Walk', 0.2, { speed: 3 }).timeScale, 3);
  });
});
