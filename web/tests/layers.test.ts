// The package as a user would write it: layers.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import { AnimationMixer, BoneMask, CanterError, Crowd, loadGltf, type Asset, type LayerOptions } from 'canter';

import { HERO } from './common.js';
import { DT, hero, posed, steps } from './hero.js';

/** The hero after a while of what is played on a new mixer. */
function played(asset: Asset, play: (mixer: AnimationMixer) => void, secs = 0.4): Map<string, number[]> {
  using mixer = new AnimationMixer(asset);
  play(mixer);
  mixer.update(secs);
  return posed(asset);
}

suite('layers', () => {
  test('a layer without weight, or without anything that plays, is no layer, bit for bit', async () => {
    const { asset } = await hero();
    const run = played(asset, (mixer) => mixer.play('Run'));
    const without: ((mixer: AnimationMixer) => void)[] = [
      (mixer) => void mixer.addLayer(),
      (mixer) => void mixer.addLayer({ weight: 0 }).play('Attack'),
      (mixer) => void mixer.addLayer().play('Attack', { weight: 0 }),
      (mixer) => void mixer.addLayer({ mask: new BoneMask(asset.skeleton) }).play('Attack'),
      (mixer) => void mixer.addLayer({ mode: 'additive', weight: 0 }).play(asset.additive('Attack')),
      (mixer) => void mixer.addLayer().play('Attack').stop(),
      (mixer) => void mixer.addLayer().play('Attack').layer!.remove(),
    ];
    for (const layer of without) {
      const found = played(asset, (mixer) => {
        mixer.play('Run');
        layer(mixer);
      });
      assert.deepEqual([...found], [...run], String(layer));
    }
  });

  test('a layer at full coverage is its own clip where its mask is, and what is below elsewhere', async () => {
    const { asset } = await hero();
    const mask = asset.skeleton.mask('chest');
    const [run, attack] = ['Run', 'Attack'].map((clip) => played(asset, (mixer) => mixer.play(clip)));
    const both = played(asset, (mixer) => {
      mixer.play('Run');
      mixer.addLayer({ mask }).play('Attack');
    });
    for (const [name, transform] of both) {
      assert.deepEqual(transform, (mask.weight(name) === 1 ? attack! : run!).get(name), name);
    }
  });

  test('fading its only action in and out fades the layer, and so does its weight', async () => {
    const { asset, mixer } = await hero();
    const upper = mixer.addLayer({ mask: asset.skeleton.mask('chest', { feather: 1 }) });
    mixer.play('Run');
    assert.deepEqual([upper.coverage('hand_R'), upper.weight, upper.mode], [0, 1, 'over']);
    const attack = upper.play('Attack', { fadeIn: 0.5 });
    mixer.update(0.25);
    assert.deepEqual([upper.coverage('hand_R'), upper.coverage('chest'), upper.coverage('hips')], [0.5, 0.25, 0]);
    mixer.update(0.25);
    assert.equal(upper.coverage(asset.skeleton.getBoneByName('hand_R')!), 1);
    upper.weight = 0.3;
    assert.deepEqual([upper.weight, upper.coverage('hand_R')], [0.3, Math.fround(0.3)]);
    upper.fadeWeight(0.8, { duration: 0.5, easing: 'smoothStep' });
    mixer.update(0.25);
    assert.ok(Math.abs(upper.weight - 0.55) < 1e-6, String(upper.weight));
    mixer.update(0.25);
    assert.equal(upper.weight, 0.8);
    assert.ok(Math.abs(attack.effectiveWeight - 0.8) < 1e-6);
    upper.mask = undefined;
    assert.ok(upper.mask === undefined && Math.abs(upper.coverage('hips') - 0.8) < 1e-6);
    upper.fadeOut(0.2);
    mixer.update(0.2);
    assert.deepEqual([upper.coverage('hips'), attack.isRunning], [0, false]);
    attack.play();
    mixer.update(0);
    assert.ok(attack.isRunning && upper.coverage('hips') > 0.79);
    upper.stopAll();
    assert.deepEqual([attack.isRunning, mixer.clipAction('Run').isRunning], [false, true]);
  });

  test('each layer has actions of its own, and events say which', async () => {
    const { mixer } = await hero();
    const [lower, upper] = [mixer.addLayer(), mixer.addLayer()];
    assert.deepEqual(mixer.layers, [lower, upper]);
    const walks = [mixer, lower, upper].map((place) => place.play('Walk', { loop: 'once' }));
    assert.deepEqual(walks.map(({ layer }) => layer), [undefined, lower, upper]);
    assert.deepEqual([mixer, lower, upper].map((place) => place.clipAction('Walk')), walks);
    const heard: unknown[] = [];
    mixer.addEventListener('finished', ({ layer, action }) => heard.push([layer, action]));
    mixer.addEventListener('fadedOut', ({ layer, clip }) => heard.push([layer, clip.name]));
    const run = upper.crossFadeTo('Run', 0.5);
    assert.equal(upper.crossFadeTo('Run', 0.5), run);
    mixer.update(2);
    assert.deepEqual(heard, [
      [upper, 'Walk'], [undefined, walks[0]], [lower, walks[1]],
    ]);
    // From one layer to another.
    walks[1]!.crossFadeTo(run, 0.1);
    mixer.update(0.2);
    assert.deepEqual([walks[1]!.effectiveWeight, run.effectiveWeight], [0, 1]);
    mixer.stopAll();
    assert.deepEqual([run.isRunning, mixer.layers.length], [false, 2]);
  });

  test('a layer that was removed says so, and others stay', async () => {
    const { mixer } = await hero();
    const [lower, upper] = [mixer.addLayer(), mixer.addLayer()];
    const [walk, run] = [lower.play('Walk'), upper.play('Run')];
    lower.remove();
    lower.remove();
    assert.deepEqual([lower.isRemoved, upper.isRemoved, mixer.layers], [true, false, [upper]]);
    assert.deepEqual([walk.isRunning, run.isRunning], [false, true]);
    const again = mixer.addLayer();
    const jump = again.play('Jump');
    for (const call of [() => lower.play('Walk'), () => walk.play(), () => lower.weight, () => lower.stopAll()]) {
      assert.throws(call, { name: 'CanterError', message: /layer was removed; `mixer\.addLayer\(\)` makes a new one/ });
    }
    mixer.update(DT);
    assert.ok(jump.isRunning && !walk.isRunning && again.coverage(0) === 1);
  });

  test('members of a crowd have them, too', async () => {
    const { asset, mixer } = await hero();
    const crowd = new Crowd(asset);
    const mask = asset.skeleton.mask('spine', { feather: 2 });
    crowd.spawn().addLayer({ mode: 'additive' }).play(asset.additive('Jump'));
    for (const player of [mixer, crowd.spawn()]) {
      player.play('Run');
      player.addLayer({ mask }).play('Attack', { fadeIn: { duration: 0.2, kind: 'dead' } });
      player.addLayer({ mode: 'additive', weight: 0.5 }).play(asset.additive('Wave'), { speed: 1.5 });
    }
    crowd.members[0]!.remove();
    for (let step = 0; step < 20; step++) crowd.update(DT);
    steps(mixer, 20);
    assert.deepEqual([...crowd.boneMatrices], [...asset.skeleton.boneMatrices]);
    assert.deepEqual(crowd.members[0]!.layers.map(({ mode }) => mode), ['over', 'additive']);
  });

  test('wrong calls say what to do', async () => {
    const { asset, mixer } = await hero();
    const { skeleton: other } = await loadGltf(HERO);
    const upper = mixer.addLayer();
    const lean = mixer.addLayer({ mode: 'additive' });
    const calls: [() => unknown, RegExp][] = [
      [() => mixer.addLayer({ mode: 'under' as never }), /no layer 'under'; give the mode 'over' or 'additive'/],
      [() => mixer.addLayer({ mode: 'toString' as never }), /no layer 'toString'/],
      [() => mixer.addLayer({ weight: -1 }), /weight is -1/],
      [() => mixer.addLayer({ mask: other.mask('chest') }), /mask was made for another asset/],
      [() => (upper.mask = other.mask('chest')), /mask was made for another asset/],
      [() => (upper.weight = NaN), /weight is NaN/],
      [() => upper.fadeWeight(-1, 1), /weight is -1/],
      [() => upper.fadeWeight(1, { duration: 1, kind: 'dead' }), /leave the kind out/],
      [() => upper.fadeOut(-1), /fade is -1/],
      [() => upper.coverage('tail'), /no bone "tail"/],
      [() => upper.coverage(999), /no bone 999/],
      [() => upper.play('Atack'), /did you mean "Attack"/],
      [() => lean.play('Attack'), /"Attack" is a full pose, and this layer adds; give `asset\.additive\('Attack'\)`/],
      [() => lean.clipAction('Walk'), /"Walk" is a full pose/],
      [() => lean.crossFadeTo('Walk', 1), /"Walk" is a full pose/],
      [() => upper.play(asset.additive('Attack')), /"Attack" is additive; play it on a layer that adds/],
      [() => mixer.play(asset.additive('Attack')), /addLayer\(\{ mode: 'additive' \}\)/],
      [() => mixer.crossFadeTo(asset.additive('Attack'), 1), /"Attack" is additive/],
    ];
    for (const [call, message] of calls) {
      assert.throws(call, (error) => error instanceof CanterError && message.test(error.message), String(message));
    }
    assert.deepEqual([mixer.layers.length, upper.weight, upper.mask], [2, 1, undefined] satisfies [number, number, LayerOptions['mask']]);
  });
});
