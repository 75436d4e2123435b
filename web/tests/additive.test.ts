// The package as a user would write it: additive clips.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import { AnimationMixer, CanterError, loadGltf } from 'canter';

import { HERO } from './common.js';
import { distance, hero, posed } from './hero.js';

suite('additive clips', () => {
  test('added in full to their reference are the clip, within 1e-6', async () => {
    const { asset } = await hero();
    const references = ['rest', 'first-key', { clip: 'Idle', time: 0.5 }] as const;
    for (const { name } of [...asset.clips]) {
      for (const reference of references) {
        const clip = asset.additive(name, { reference });
        for (const time of [0, 0.21, 0.6]) {
          using mixer = new AnimationMixer(asset);
          if (reference === 'first-key') mixer.play(name, { speed: 0 });
          if (typeof reference === 'object') mixer.play(reference.clip, { startTime: reference.time, speed: 0 });
          mixer.addLayer({ mode: 'additive' }).play(clip, { startTime: time });
          mixer.update(0);
          const added = posed(asset);
          mixer.layers[0]!.remove();
          mixer.stopAll().play(name, { startTime: time });
          mixer.update(0);
          const apart = distance(added, posed(asset));
          assert.ok(apart < 1e-6, `${name} at ${time} from ${JSON.stringify(reference)}: ${apart}`);
        }
      }
    }
  });

  test('a delta is added by weight: half of it moves half as far', async () => {
    const { asset, mixer } = await hero();
    const hips = asset.skeleton.getBoneByName('hips')!;
    mixer.play('Idle', { speed: 0 });
    mixer.update(0);
    const before = hips.position.y;
    const jump = mixer.addLayer({ mode: 'additive' }).play(asset.additive('Jump'), { startTime: 0.4, speed: 0 });
    mixer.update(0);
    const whole = hips.position.y - before;
    jump.weight = 0.5;
    mixer.update(0);
    const half = hips.position.y - before;
    jump.layer!.weight = 0.5;
    mixer.update(0);
    const quarter = hips.position.y - before;
    assert.ok(Math.abs(whole) > 0.05, String(whole));
    assert.ok(Math.abs(half - whole / 2) < 1e-6 && Math.abs(quarter - whole / 4) < 1e-6);
    assert.equal(jump.layer!.coverage('hips'), 0.25);
  });

  test('are clips of the same name, made once, and found by name where clips are added', async () => {
    const { asset, mixer } = await hero();
    const wave = asset.additive('Wave');
    assert.equal(asset.additive(asset.getClipByName('Wave')!, { reference: 'first-key' }), wave);
    assert.notEqual(asset.additive('Wave', { reference: 'rest' }), wave);
    assert.deepEqual([wave.name, wave.isAdditive, asset.clips[wave.index]], ['Wave', true, wave]);
    assert.equal(asset.getClipByName('Wave')!.isAdditive, false);
    assert.equal(mixer.play('Wave').clip, asset.getClipByName('Wave'));
    const action = mixer.addLayer({ mode: 'additive' }).play('Wave');
    assert.equal(action.clip, wave);
    // They go to another asset with the others.
    const other = await loadGltf(HERO);
    const added = other.addClips(asset).filter((clip) => clip.isAdditive);
    assert.equal(added.length, 2);
    using second = new AnimationMixer(other);
    second.play('Wave');
    second.addLayer({ mode: 'additive' }).play(added[0]!);
    for (const each of [mixer, second]) each.update(0.3);
    assert.deepEqual([...posed(other)], [...posed(asset)]);
  });

  test('what cannot be made of a clip is said', async () => {
    const { asset } = await hero();
    const wave = asset.additive('Wave');
    const calls: [() => unknown, RegExp][] = [
      [() => asset.additive('Wvae'), /did you mean "Wave"/],
      [() => asset.additive(wave), /clip "Wave" is additive already; expected one of full poses/],
      [() => asset.additive('Walk', { reference: { clip: wave, time: 0 } }), /reference clip "Wave" is additive/],
      [() => asset.additive('Walk', { reference: 'last' as never }), /no reference 'last'; give 'rest', 'first-key' or/],
      [() => asset.additive('Walk', { reference: { clip: 'Idle', time: NaN } }), /time of the reference is NaN/],
      [() => asset.additive('Walk', { reference: { clip: 'Idel', time: 0 } }), /did you mean "Idle"/],
    ];
    const count = asset.clips.length;
    for (const [call, message] of calls) {
      assert.throws(call, (error) => error instanceof CanterError && message.test(error.message), String(message));
    }
    assert.equal(asset.clips.length, count);
  });
});
