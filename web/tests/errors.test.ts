// The package as a user would write it: errors.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import { AnimationMixer, BoneMask, CanterError, loadGltf } from 'canter';

import { HERO } from './common.js';
import { DT, hero } from './hero.js';

suite('wrong calls say what to do', () => {
  test('unknown clips are listed, and the nearest is suggested', async () => {
    const { mixer } = await hero();
    assert.throws(() => mixer.play('Wlak'), { name: 'CanterError', message: /no clip "Wlak"; did you mean "Walk"\?.*"Idle"/ });
    assert.throws(() => mixer.play('dance'), { message: /^there is no clip "dance"; the clips are "Idle", .*"TurnRight"$/ });
    assert.throws(() => mixer.play('tta'), { message: /did you mean "Attack"\?/ });
    const other = await loadGltf(HERO);
    assert.throws(() => mixer.play(other.clips[0]!), /addClips/);
  });

  test('numbers that are none are refused', async () => {
    const { asset, mixer } = await hero();
    const walk = mixer.clipAction('Walk');
    const hips = asset.skeleton.getBoneByName('hips')!;
    const calls: [() => unknown, RegExp][] = [
      [() => mixer.update(NaN), /step of time.*NaN.*from 0/],
      [() => mixer.update(-1), /negative `timeScale`/],
      [() => mixer.play('Walk', { speed: Infinity }), /speed is Infinity/],
      [() => mixer.play('Walk', { startTime: NaN }), /startTime is NaN/],
      // What 32 bits cannot hold would be infinite in the module.
      [() => mixer.update(1e39), /step of time.*1e\+39.*below 3\.4e38/],
      [() => mixer.play('Walk', { speed: -1e39 }), /speed is -1e\+39/],
      [() => mixer.play('Walk', { weight: 1e19 }), /weight is 10000000000000000000; give a number from 0 to 1e18/],
      [() => walk.setSpeed(1e39), /speed is 1e\+39/],
      [() => walk.fadeOut(1e39), /fade is 1e\+39/],
      [() => walk.setWeight(-1), /weight is -1/],
      [() => walk.setSpeed(NaN), /speed is NaN/],
      [() => walk.setTime(NaN), /time is NaN/],
      [() => walk.fadeIn(-1), /fade is -1/],
      [() => walk.fadeIn(1, 'bouncy' as never), /no easing 'bouncy'.*smoothStep/],
      [() => walk.setLoop(0), /whole number from 1/],
      [() => walk.setLoop('twice' as never), /no loop 'twice'/],
      [() => mixer.crossFadeTo('Walk', NaN), /crossfade is NaN/],
      [() => mixer.play('Walk', { fadeIn: -1 }), /fadeIn is -1/],
      [() => mixer.play('Walk', { fadeIn: 1, easing: 'bouncy' as never }), /no easing 'bouncy'/],
      [() => walk.setTime(Infinity), /time is Infinity/],
      [() => (mixer.timeScale = -1), /time scale.*-1.*from 0/],
      [() => (mixer.timeScale = NaN), /time scale.*NaN/],
      [() => BoneMask.bones(asset.skeleton, 'head').set('head', 2), /mask is 2; give a number from 0 to 1/],
      [() => BoneMask.bones(asset.skeleton, 'head').set(0, NaN), /mask is NaN/],
      [() => new BoneMask(asset.skeleton).setMorph(0, 1), /no morph set 0; the file has 0/],
      [() => (hips.position.x = NaN), /bone "hips" is NaN/],
      [() => hips.quaternion.set(0, 0, 0, 0), /length zero/],
      [() => hips.quaternion.copy([0, 0, 1] as never), /has no w; give a quaternion/],
      [() => hips.euler.copy([0, 0, 0, 1] as never), /not three angles/],
      [() => hips.euler.copy({ x: 0, y: 0, z: 0, order: 'XXZ' as never }), /order 'XXZ'; give 'XYZ'/],
      [() => hips.euler.set(0, NaN, 0), /give a finite number/],
      [() => hips.attach({ matrix: new Float32Array(16) }, { euler: [0, 0, 0], quaternion: [0, 0, 0, 1] }), /give one of them/],
      [() => hips.scale.set(1e30, 1, 1), /too large/],
      [() => asset.skeleton.boneMatricesOf(3), /no skin 3; the file has 1/],
      [() => asset.skeleton.clone('mat2' as never), /'mat4' or 'mat3x4'/],
    ];

    for (const [call, message] of calls) {
      assert.throws(call, (error) => error instanceof CanterError && message.test(error.message), String(message));
    }
    assert.deepEqual([walk.timeScale, walk.weight, walk.isRunning, mixer.timeScale], [1, 1, false, 1]);
    mixer.update(DT);
    assert.ok(asset.skeleton.boneMatrices.every(Number.isFinite));
  });

  test('what was disposed of says so', async () => {
    const { asset, mixer } = await hero();
    const walk = mixer.play('Walk');
    const skeleton = asset.skeleton.clone();
    mixer.dispose();
    mixer.dispose();
    skeleton.dispose();
    assert.ok(mixer.isDisposed && skeleton.isDisposed && !asset.isDisposed);
    assert.throws(() => mixer.update(DT), /AnimationMixer was disposed of/);
    assert.throws(() => walk.play(), /disposed of/);
    assert.throws(() => mixer.clipAction('Walk'), /disposed of/);
    assert.throws(() => skeleton.boneMatrices, /Skeleton was disposed of/);
    asset.dispose();
    assert.throws(() => new AnimationMixer(asset), /disposed of/);
  });
});
