// The package as a user would write it: playing.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import { Crowd, loadGltf, type AnimationEvent } from 'canter';

import { HERO } from './common.js';
import { DT, hero, steps } from './hero.js';

suite('playing', () => {
  test('a clip has one action unless more are started, and setters chain', async () => {
    const { asset, mixer } = await hero();
    const walk = mixer.clipAction('Walk');
    assert.equal(mixer.clipAction(asset.clips[1]!), walk);
    assert.equal(walk.setLoop('repeat').setSpeed(1.5).setWeight(0.5).play(), walk);
    steps(mixer, 20);
    assert.ok(Math.abs(walk.time - 0.5) < 1e-5);
    assert.deepEqual([walk.timeScale, walk.weight, walk.isRunning, walk.paused], [1.5, 0.5, true, false]);
    walk.pause();
    steps(mixer, 20);
    assert.ok(Math.abs(walk.time - 0.5) < 1e-5 && walk.paused && !walk.isRunning);
    walk.play().time = 0.25;
    assert.equal(walk.time, 0.25);
    walk.reset();
    assert.equal(walk.time, 0);
  });

  test('settings outlive stopping', async () => {
    const { mixer } = await hero();
    const walk = mixer.clipAction('Walk').setSpeed(2).play();
    steps(mixer, 1);
    walk.stop();
    assert.deepEqual([walk.isRunning, walk.time, walk.effectiveWeight], [false, 0, 0]);
    walk.time = 0.5;
    walk.play();
    steps(mixer, 6);
    assert.ok(Math.abs(walk.time - 0.7) < 1e-5, String(walk.time));
  });

  test('options of play', async () => {
    const { mixer } = await hero();
    const walk = mixer.play('Walk', { loop: 'once', speed: 0.5, weight: 0.25, startTime: 0.75 });
    assert.deepEqual([walk.loop, walk.timeScale, walk.weight, walk.time], ['once', 0.5, 0.25, 0.75]);
    steps(mixer, 60);
    assert.ok(walk.isFinished);
    assert.equal(walk.time, 1);
    walk.play();
    assert.equal(walk.time, 0);
  });

  test('crossfades lead from one to the other, and the first leaves', async () => {
    const { mixer } = await hero();
    const idle = mixer.play('Idle');
    const run = mixer.crossFadeTo('Run', 0.5, 'quadraticInOut');
    steps(mixer, 15);
    assert.ok(Math.abs(run.effectiveWeight - 0.5) < 0.02, String(run.effectiveWeight));
    assert.ok(run.isFading && idle.isFading);
    steps(mixer, 16);
    assert.deepEqual([idle.effectiveWeight, run.effectiveWeight, idle.isRunning], [0, 1, false]);
    assert.equal(mixer.crossFade('Run', 'Walk', 0.1), mixer.clipAction('Walk'));
    run.crossFadeTo(mixer.clipAction('Idle'), 0.1);
    idle.fadeOut(0.1).fadeIn(0.1).crossFadeFrom(run, 0.2);
    mixer.stopAll().update(DT);
    assert.equal(idle.isRunning, false);
  });

  test('events come after the pose, and may be answered with any call', async () => {
    const { asset, mixer } = await hero();
    const heard: string[] = [];
    const sword = { matrix: new Float32Array(16) };
    asset.skeleton.getBoneByName('hand_R')!.attach(sword);
    const note = ({ type, action, loopDelta }: AnimationEvent) => heard.push(`${type} ${action.clip.name} ${loopDelta}`);
    mixer.addEventListener('loop', note);
    mixer.addEventListener('loop', note);
    mixer.addEventListener('finished', note);
    mixer.addEventListener('fadedOut', note);
    mixer.addEventListener('finished', ({ action }) => {
      assert.deepEqual([...sword.matrix], [...asset.skeleton.getBoneByName('hand_R')!.worldMatrix]);
      action.stop();
      mixer.crossFadeTo('Idle', 0).mixer.stopAll();
      mixer.update(0);
      mixer.dispose();
      asset.dispose();
    });
    const walk = mixer.play('Walk', { loop: 3 });
    mixer.play('Run').fadeOut(0.1);
    mixer.update(1.5);
    // In the order of time; what has left does not begin again.
    assert.deepEqual(heard, ['fadedOut Run 1', 'loop Walk 1']);
    assert.equal(walk.loops, 1);
    mixer.update(9);
    assert.deepEqual(heard.slice(2), ['loop Walk 1', 'finished Walk 1']);
    assert.throws(() => mixer.update(DT), /disposed of/);
  });

  test('events say which clip, and how long ago within the step', async () => {
    const { mixer } = await hero();
    const heard: [string, string, number][] = [];
    for (const type of ['loop', 'finished', 'fadedOut'] as const) {
      mixer.addEventListener(type, ({ type, clip, secondsAgo }) => heard.push([type, clip.name, secondsAgo]));
    }
    mixer.play('Walk', { loop: 'once', speed: 2 });
    mixer.play('Idle', { startTime: 2.75 }).fadeOut(0.5);
    mixer.update(0.75);
    assert.deepEqual(heard, [['loop', 'Idle', 0.5], ['finished', 'Walk', 0.25], ['fadedOut', 'Idle', 0.25]]);
  });

  test('a clip plays as often at once as it is started', async () => {
    const { mixer } = await hero();
    const first = mixer.play('Attack', { loop: 'once' });
    mixer.update(0.25);
    const second = mixer.play('Attack', { loop: 'once', fadeIn: 0.5 });
    assert.notEqual(second, first);
    assert.equal(mixer.clipAction('Attack'), first);
    mixer.update(0.25);
    assert.deepEqual([first.time, second.time, second.isFading], [0.5, 0.25, true]);
    assert.ok(Math.abs(second.effectiveWeight - 0.25) < 1e-6, String(second.effectiveWeight));
    // When one is gone, its number is given to others; the object knows that it is no longer meant.
    first.stop();
    assert.equal(mixer.clipAction('Attack'), second);
    const walk = mixer.play('Walk');
    first.setSpeed(3).pause().fadeOut(0);
    assert.deepEqual([walk.timeScale, walk.paused, walk.isRunning, first.isRunning], [1, false, true, false]);
    first.play();
    mixer.update(0.1);
    assert.ok(Math.abs(first.time - 0.3) < 1e-6 && Math.abs(walk.time - 0.1) < 1e-6);
  });

  test('a finished action is the same object when it begins anew, with its settings', async () => {
    const { mixer } = await hero();
    const faded: string[] = [];
    mixer.addEventListener('fadedOut', ({ clip }) => faded.push(clip.name));
    const walk = mixer.play('Walk', { loop: 'once', speed: 2 });
    for (const again of [
      () => walk.fadeIn(0.2),
      () => mixer.crossFadeTo('Walk', 0.2),
      () => walk.crossFadeFrom(mixer.clipAction('Idle'), 0.2),
    ]) {
      mixer.update(1);
      assert.ok(walk.isFinished);
      assert.equal(again(), walk);
      assert.ok(walk.isRunning && walk.isFading && walk.time === 0);
      // It begins while its last pose fades out.
      mixer.update(0.1);
      assert.ok(Math.abs(walk.effectiveWeight - 0.5) < 0.01, String(walk.effectiveWeight));
      assert.ok(Math.abs(walk.time - 0.2) < 1e-6);
      mixer.update(0.2);
      assert.deepEqual([walk.effectiveWeight, walk.loop, walk.timeScale], [1, 'once', 2]);
    }
    assert.deepEqual(faded, []);
  });

  test('a crossfade in every frame goes on with the clip that plays', async () => {
    const { mixer } = await hero();
    mixer.play('Idle');
    const run = mixer.crossFadeTo('Run', 0.25);
    for (let step = 0; step < 30; step++) {
      mixer.update(DT);
      assert.equal(mixer.crossFadeTo('Run', 0.25), run);
    }
    assert.ok(run.effectiveWeight === 1 && Math.abs(run.time + run.loops * run.clip.duration - 0.5) < 1e-5);
  });

  test('the time of a mixer can be scaled, and fades follow if they are told to', async () => {
    const { mixer } = await hero();
    const walk = mixer.play('Walk', { fadeIn: 1 });
    mixer.timeScale = 0;
    mixer.update(0.25);
    assert.deepEqual([walk.time, walk.effectiveWeight, mixer.timeScale], [0, 0.25, 0]);
    mixer.fadesFollowTimeScale = true;
    mixer.update(0.25);
    assert.deepEqual([walk.time, walk.effectiveWeight], [0, 0.25]);
    mixer.timeScale = 0.5;
    mixer.update(0.5);
    assert.deepEqual([walk.time, walk.effectiveWeight], [0.25, 0.5]);
    const crowd = new Crowd(mixer.asset);
    const [slow, usual] = [crowd.spawn(), crowd.spawn()];
    slow.timeScale = 0.5;
    const times = [slow, usual].map((member) => member.play('Walk'));
    crowd.update(0.5);
    assert.deepEqual(times.map(({ time }) => time), [0.25, 0.5]);
  });

  test('clips of another file play by the names of bones', async () => {
    const { asset, mixer } = await hero();
    const other = await loadGltf(HERO);
    const [, walk] = asset.addClips(other);
    assert.equal(asset.clips.length, 28);
    mixer.play(walk!, { startTime: 0.3 }).mixer.stopAll();
    mixer.play(walk!, { startTime: 0.3 });
    mixer.update(0);
    const added = [...asset.skeleton.boneMatrices];
    mixer.stopAll().play('Walk', { startTime: 0.3 });
    mixer.update(0);
    assert.deepEqual(added, [...asset.skeleton.boneMatrices]);
  });
});
