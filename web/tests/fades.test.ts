// The package as a user would write it: fades that start from what is on screen.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import { AnimationMixer, CanterError, type FadeKind } from 'canter';

import { DT, distance, hero, posed, steps } from './hero.js';

const CLIPS = ['Run', 'Attack', 'Wave', 'Jump', 'Walk', 'Idle'];
const KINDS: FadeKind[] = ['inertial', 'dead'];

suite('fades from what is on screen', () => {
  for (const kind of KINDS) {
    test(`${kind}: a switch shows the pose that was there, however often, and ends with the clip`, async () => {
      const { asset, mixer } = await hero();
      mixer.play('Idle');
      let last: ReturnType<typeof mixer.play> | undefined;
      for (let mash = 0; mash < 40; mash++) {
        steps(mixer, 1 + (mash % 5));
        const before = posed(asset);
        last = mixer.crossFadeTo(CLIPS[mash % CLIPS.length]!, { duration: 0.3, kind });
        mixer.update(0);
        const apart = distance(before, posed(asset));
        assert.ok(apart < 1e-6, `switch ${mash} jumps by ${apart}`);
      }
      for (let step = 0; step < 20; step++) mixer.update(DT);
      const ended = posed(asset);
      // Only the last clip plays, and the pose is that of it, bit for bit.
      using alone = new AnimationMixer(asset);
      alone.play(last!.clip, { startTime: last!.time });
      alone.update(0);
      assert.deepEqual([...ended], [...posed(asset)]);
    });

    test(`${kind}: only what comes is sampled, and the others leave at once`, async () => {
      const { mixer } = await hero();
      const idle = mixer.play('Idle');
      mixer.update(DT);
      const run = mixer.crossFadeTo('Run', { duration: 0.3, kind });
      assert.equal(mixer.crossFadeTo('Run', { duration: 0.3, kind }), run);
      mixer.update(DT);
      assert.deepEqual([idle.effectiveWeight, run.effectiveWeight, idle.isRunning], [0, 1, false]);
    });

    test(`${kind}: every call that fades takes it`, async () => {
      const { asset, mixer } = await hero();
      const upper = mixer.addLayer({ mask: asset.skeleton.mask('spine', { feather: 2 }) });
      const fade = { duration: 0.25, kind };
      const [idle, run] = [mixer.play('Idle'), mixer.clipAction('Run')];
      upper.play('Wave');
      steps(mixer, 10);
      const calls = [
        () => idle.crossFadeTo(run.setSpeed(1.25), fade),
        () => idle.crossFadeFrom(run, fade),
        () => mixer.crossFade('Idle', 'Walk', fade),
        () => mixer.play('Jump', { loop: 'once', startTime: 0.1, fadeIn: fade }),
        () => mixer.clipAction('Walk').fadeOut(fade),
        () => mixer.clipAction('Walk').fadeIn(fade),
        () => upper.crossFadeTo('Attack', fade),
        () => upper.fadeOut(fade),
        () => upper.play('Attack', { fadeIn: fade }),
        // It was started elsewhere in time; the fade leads there.
        () => mixer.crossFadeTo(mixer.clipAction('Attack').setTime(0.3).clip, fade),
      ];
      for (const [index, call] of calls.entries()) {
        const before = posed(asset);
        call();
        mixer.update(0);
        const apart = distance(before, posed(asset));
        assert.ok(apart < 1e-6, `call ${index} jumps by ${apart}`);
        steps(mixer, 7);
      }
      assert.ok(Math.abs(mixer.clipAction('Attack').time - 0.3 - 7 * DT) < 1e-5);
      assert.equal(run.timeScale, 1.25);
    });
  }

  test('an action that finished begins anew from its own last pose', async () => {
    const { asset, mixer } = await hero();
    const attack = mixer.play('Attack', { loop: 'once', speed: 2 });
    mixer.update(3);
    const held = posed(asset);
    assert.equal(mixer.crossFadeTo('Attack', { duration: 0.2, kind: 'dead' }), attack);
    mixer.update(0);
    assert.ok(distance(held, posed(asset)) < 1e-6);
    assert.deepEqual([attack.time, attack.isFinished, attack.loop], [0, false, 'once']);
  });

  test('a crossfade by an object is the one by numbers', async () => {
    const { asset } = await hero();
    const played = (fade: (mixer: AnimationMixer) => void) => {
      using mixer = new AnimationMixer(asset);
      mixer.play('Idle');
      fade(mixer);
      steps(mixer, 6);
      return [...posed(asset)];
    };
    const plain = played((mixer) => mixer.crossFadeTo('Run', 0.25, 'smoothStep'));
    const option = { duration: 0.25, easing: 'smoothStep' } as const;
    assert.deepEqual(played((mixer) => mixer.crossFadeTo('Run', option)), plain);
    assert.deepEqual(played((mixer) => mixer.crossFadeTo('Run', { duration: 0.25, kind: 'cross' }, 'smoothStep')), plain);
    assert.notDeepEqual(played((mixer) => mixer.crossFadeTo('Run', { duration: 0.25 })), plain);
  });

  test('wrong fades say what to give', async () => {
    const { mixer } = await hero();
    const calls: [unknown, RegExp][] = [
      [{ duration: 1, kind: 'dad' }, /no fade 'dad'; give 'cross', 'inertial' or 'dead'/],
      [{ duration: 1, kind: 'constructor' }, /no fade 'constructor'/],
      [{ duration: -1 }, /-1; give a finite number from 0/],
      [{ seconds: 1 }, /undefined; give a finite number from 0/],
      [{ duration: 1, easing: 'bouncy' }, /no easing 'bouncy'/],
      [{ duration: 1, easing: 'linear', kind: 'dead' }, /fade 'dead' has a curve of its own; leave the easing out/],
      ['0.3', /is 0\.3; give seconds, or \{ duration, easing, kind \}/],
      [null, /is null; give seconds/],
    ];
    const walk = mixer.clipAction('Walk');
    for (const [fade, message] of calls) {
      for (const call of [
        () => mixer.crossFadeTo('Walk', fade as never),
        () => mixer.play('Walk', { fadeIn: fade as never }),
        () => walk.fadeIn(fade as never),
      ]) {
        assert.throws(call, (error) => error instanceof CanterError && message.test(error.message), String(message));
      }
    }
    assert.equal(walk.isRunning, false);
  });
});
