// The package as a user would write it: masks.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import { AnimationMixer, BoneMask, CanterError, Crowd, loadGltf } from 'canter';

import { HERO } from './common.js';
import { DT, hero, posed, steps } from './hero.js';
import { gltf } from './gltf.js';

/** Three nodes, each with a clip that moves it along x for a second; the last one has a morph target that comes in. */
function threeClips() {
  const move = (node: number) => ({ node, path: 'translation', times: [0, 1], values: [[0, 0, 0], [1, 0, 0]] });
  return loadGltf(gltf({
    nodes: [{ name: 'a' }, { name: 'b' }, { name: 'c', mesh: 0 }],
    meshes: [{ weights: [0], primitives: [{ attributes: {}, targets: [{}] }] }],
    animations: [[move(0)], [move(1)], [move(2), { node: 2, path: 'weights', times: [0, 1], values: [[0], [1]] }]],
  }));
}

suite('masks', () => {
  test('an action moves the bones of its mask alone', async () => {
    const { asset, mixer } = await hero();
    const pose = (play: () => void) => {
      mixer.stopAll();
      play();
      mixer.update(0.4);
      return posed(asset);
    };
    const walk = pose(() => mixer.play('Walk'));
    const wave = pose(() => mixer.play('Wave'));
    const arm = BoneMask.subtree(asset.skeleton, 'upper_arm_R');
    const names = asset.skeleton.bones.filter((bone) => arm.weight(bone) === 1).map(({ name }) => name);
    assert.ok(names.includes('hand_R') && !names.includes('hand_L') && !names.includes('chest'), names.join());
    // Where the masks do not meet, each bone is that of its clip alone, bit for bit.
    const others = BoneMask.bones(asset.skeleton, ...asset.skeleton.bones.filter((bone) => !arm.weight(bone)));
    const both = pose(() => {
      mixer.play('Walk', { mask: others });
      mixer.play('Wave').setMask(arm);
    });
    for (const [name, transform] of both) {
      assert.deepEqual(transform, (names.includes(name) ? wave : walk).get(name), name);
    }
    // Taking it away is what it would have been without.
    const plain = pose(() => mixer.play('Wave', { mask: arm }).setMask(undefined));
    assert.deepEqual([...plain], [...wave]);
  });

  test('a faint mask is all there is where nothing else plays, and a mask outlives stopping', async () => {
    const { asset, mixer } = await hero();
    const hips = asset.skeleton.getBoneByName('hips')!;
    mixer.play('Walk', { mask: BoneMask.bones(asset.skeleton, 'hips').set('hips', 0.5) });
    mixer.update(0.4);
    const half = hips.position.toArray();
    mixer.stopAll().update(0);
    const rest = hips.position.toArray();
    const action = mixer.play('Walk', { mask: BoneMask.bones(asset.skeleton, 0, hips) });
    mixer.update(0.4);
    const full = hips.position.toArray();
    // By itself an action is all there is, however faint its mask.
    assert.deepEqual(half, full);
    assert.notDeepEqual(full, rest);
    action.stop().play();
    mixer.update(0.4);
    assert.deepEqual(hips.position.toArray(), full);
    assert.equal(action.mask?.weight('hips'), 1);
  });

  test('members of a crowd take them, too', async () => {
    const { asset, mixer } = await hero();
    const crowd = new Crowd(asset);
    const mask = BoneMask.subtree(asset.skeleton, 'chest');
    for (const player of [mixer, crowd.spawn()]) {
      player.play('Walk');
      player.play('Wave', { mask, fadeIn: 0.2 });
    }
    for (let step = 0; step < 20; step++) crowd.update(DT);
    steps(mixer, 20);
    assert.deepEqual([...crowd.boneMatrices], [...asset.skeleton.boneMatrices]);
  });

  test('by its tracks, a clip moves what it has keys for, and leaves the rest to others', async () => {
    // Each clip moves one node by 1, and the last one a morph target, too.
    const { skeleton, ...asset } = await threeClips();
    const mixer = new AnimationMixer(skeleton);
    const names = (mask: BoneMask) => skeleton.bones.filter((bone) => mask.weight(bone) === 1).map(({ name }) => name);
    assert.deepEqual(asset.clips.map((clip) => names(BoneMask.tracks(skeleton, clip))), [['a'], ['b'], ['c']]);
    assert.deepEqual(asset.clips.map((clip) => BoneMask.tracks(skeleton, clip.name).morphWeight(0)), [0, 0, 1]);
    for (const clip of asset.clips) mixer.play(clip, { loop: 'once', mask: BoneMask.tracks(skeleton, clip) });
    mixer.update(1);
    assert.deepEqual(skeleton.bones.map(({ position }) => position.x), [1, 1, 1]);
    assert.deepEqual([...skeleton.morphWeights(0)], [1]);
    // Without masks, each is at rest in two of three clips.
    mixer.stopAll();
    for (const clip of asset.clips) mixer.play(clip, { loop: 'once' });
    mixer.update(1);
    for (const { position } of skeleton.bones) assert.ok(Math.abs(position.x - 1 / 3) < 1e-6);
    assert.throws(() => BoneMask.tracks(skeleton, 'dance'), /no clip "dance"/);
    assert.throws(() => new BoneMask(skeleton).morphWeight(1), /no morph set 1; the file has 1/);
  });

  test('bones that are not there are named, and masks of other files refused', async () => {
    const { asset, mixer } = await hero();
    const { skeleton } = await loadGltf(HERO);
    const calls: [() => unknown, RegExp][] = [
      [() => BoneMask.subtree(asset.skeleton, 'chst'), /^there is no bone "chst"; did you mean "chest"\? the bones are/],
      [() => BoneMask.bones(asset.skeleton, 'hips', 999), /no bone 999; the skeleton has \d+, counted from 0/],
      [() => BoneMask.bones(asset.skeleton, skeleton.bones[0]!), /bone ".*" is one of another asset; give its name/],
      [() => mixer.play('Walk', { mask: new BoneMask(skeleton) }), /mask was made for another asset/],
      [() => mixer.clipAction('Walk').setMask(new BoneMask(skeleton)), /mask was made for another asset/],
    ];
    for (const [call, message] of calls) {
      assert.throws(call, (error) => error instanceof CanterError && message.test(error.message), String(message));
    }
    assert.equal(mixer.clipAction('Walk').isRunning, false);
  });

  test('masks are made of masks, of names with wildcards, and with a feather', async () => {
    const { asset } = await hero();
    const { skeleton } = asset;
    const names = (mask: BoneMask) => skeleton.bones.filter((bone) => mask.weight(bone) > 0).map(({ name }) => name);
    const all = skeleton.bones.map(({ name }) => name);
    const arm = skeleton.mask('upper_arm_R');
    assert.deepEqual(names(arm), names(BoneMask.subtree(skeleton, 'upper_arm_R')));
    assert.deepEqual(names(BoneMask.all(skeleton)), all);
    const left = BoneMask.matching(skeleton, '*_L');
    assert.deepEqual(names(left), all.filter((name) => name.endsWith('_L')));
    assert.deepEqual(names(BoneMask.matching(skeleton, 'hand_?', 'hips')).sort(), ['hand_L', 'hand_R', 'hips']);
    assert.deepEqual(names(left.inverse()), all.filter((name) => !name.endsWith('_L')));
    assert.deepEqual(names(arm.max(left)), all.filter((name) => names(arm).includes(name) || name.endsWith('_L')));
    assert.deepEqual(names(arm.min(left)), []);
    assert.equal(arm.set('hand_R', 0.5).product(arm).weight('hand_R'), 0.25);
    // A letter that means something in regular expressions is a letter.
    assert.throws(() => BoneMask.matching(skeleton, 'h.ps'), /no bone "h\.ps"/);

    const spine = skeleton.getBoneByName('spine')!;
    const upper = skeleton.mask(spine, { feather: 2 });
    const child = skeleton.bones.find(({ parent }) => parent === spine)!;
    const grandchild = skeleton.bones.find(({ parent }) => parent === child)!;
    const weights = [spine.parent!, spine, child, grandchild].map((bone) => upper.weight(bone));
    assert.deepEqual(weights, [0, Math.fround(1 / 3), Math.fround(2 / 3), 1]);
    // Making another mask of one leaves it as it was.
    assert.equal(skeleton.mask('spine').weight('spine'), 1);
  });

  test('what masks cannot be made of is said', async () => {
    const { asset } = await hero();
    const { skeleton } = asset;
    const { skeleton: other } = await loadGltf(HERO);
    const calls: [() => unknown, RegExp][] = [
      [() => BoneMask.matching(skeleton, 'tail*'), /no bone "tail\*"; .*\* stands for any characters/],
      [() => skeleton.mask('chst'), /did you mean "chest"/],
      [() => skeleton.mask('chest', { feather: 0.5 }), /feather is 0\.5; give a number of bones, from 0/],
      [() => skeleton.mask('chest', { feather: -1 }), /feather is -1/],
      [() => skeleton.mask('chest').max(other.mask('chest')), /masks were made for different assets/],
    ];
    for (const [call, message] of calls) {
      assert.throws(call, (error) => error instanceof CanterError && message.test(error.message), String(message));
    }
  });
});
