// The package as a user would write it: masks.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import { BoneMask, CanterError, Crowd, loadGltf, type Asset } from 'canter';

import { HERO } from './common.js';
import { DT, hero, steps } from './hero.js';

suite('masks', () => {
  /** Every bone as it is: translation, rotation, scale. */
  const posed = ({ skeleton }: Asset) =>
    new Map(skeleton.bones.map((bone) => {
      const { position, rotation, scale } = bone;
      return [bone.name, [...position.toArray(), ...rotation.toQuaternion(), ...scale.toArray()]];
    }));

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
});
