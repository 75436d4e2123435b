// The package as a user would write it: bones.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import { Euler, Quaternion } from 'three';

import { AnimationMixer } from 'canter';

import { hero, steps } from './hero.js';

function near(actual: readonly number[], expected: readonly number[]): void {
  assert.equal(actual.length, expected.length);
  for (const [index, number] of actual.entries()) {
    assert.ok(Math.abs(number - expected[index]!) < 1e-5, `${actual.join()} is not ${expected.join()}`);
  }
}

function anglesOf([x, y, z, w]: [number, number, number, number]): [number, number, number] {
  const euler = new Euler().setFromQuaternion(new Quaternion(x, y, z, w));
  return [euler.x, euler.y, euler.z];
}

suite('bones', () => {
  test('are found by name and index, parents first', async () => {
    const { asset } = await hero();
    const { skeleton } = asset;
    const hand = skeleton.getBoneByName('hand_R')!;
    assert.equal(hand.parent?.name, 'forearm_R');
    assert.equal(skeleton.getBoneByIndex(hand.index), hand);
    assert.deepEqual([skeleton.getBoneByName('tail'), skeleton.getBoneByIndex(999)], [undefined, undefined]);
    assert.ok(skeleton.bones.every(({ parent, index }) => (parent?.index ?? -1) < index));
  });

  test('edits move what hangs on them, until the next update', async () => {
    const { asset, mixer } = await hero();
    mixer.play('Idle');
    mixer.update(0.2);
    const { skeleton } = asset;
    const [head, hips] = [skeleton.getBoneByName('head')!, skeleton.getBoneByName('hips')!];
    const before = head.worldMatrix[13]!;
    const matrices = [...skeleton.boneMatrices];
    hips.position.y += 1;
    assert.ok(Math.abs(head.worldMatrix[13]! - before - 1) < 1e-5);
    assert.notDeepEqual([...skeleton.boneMatrices], matrices);
    head.euler.set(0, Math.PI / 2, 0);
    assert.ok(Math.abs(head.quaternion.w - Math.SQRT1_2) < 1e-6);
    head.quaternion.set(0, 0, 0, 2);
    assert.deepEqual(head.quaternion.toArray(), [0, 0, 0, 1]);
    head.quaternion.multiply([0, 0, 0.6, 0.8]).copy({ x: 0, y: 0, z: 0, w: 1 });
    head.scale.copy([2, 2, 2]);
    assert.deepEqual(head.scale.toArray(), [2, 2, 2]);
    mixer.update(0);
    assert.deepEqual([...skeleton.boneMatrices], matrices);
  });

  test('turn by quaternion and by Euler angles as in three.js, in any order', async () => {
    const { asset } = await hero();
    const head = asset.skeleton.getBoneByName('head')!;
    for (const order of ['XYZ', 'YXZ', 'ZXY', 'ZYX', 'YZX', 'XZY'] as const) {
      const euler = new Euler(0.3, -1.1, 2.2, order);
      const { x, y, z, w } = new Quaternion().setFromEuler(euler);
      head.euler.copy(euler);
      near(head.quaternion.toArray(), [x, y, z, w]);
      const inXyz = euler.reorder('XYZ');
      near(head.euler.toArray(), [inXyz.x, inXyz.y, inXyz.z]);
    }
    // Read from a pose: the angles of its quaternion.
    const turn = new Quaternion(0.1, -0.5, 0.7, 0.4).normalize();
    head.quaternion.copy(turn);
    const { x, y, z } = new Euler().setFromQuaternion(turn);
    near(head.euler.toArray(), [x, y, z]);
    near(asset.skeleton.getBoneByName('hips')!.euler.toArray(), anglesOf(asset.skeleton.getBoneByName('hips')!.quaternion.toArray()));
  });

  test('keep the angles that were written, so that adding to one goes on and on', async () => {
    const { asset, mixer } = await hero();
    const head = asset.skeleton.getBoneByName('head')!;
    head.euler.set(0, 0, 0);
    for (let step = 0; step < 100; step++) head.euler.y += 0.1;
    near(head.euler.toArray(), [0, 10, 0]);
    near(head.quaternion.toArray(), [0, Math.sin(5), 0, Math.cos(5)]);
    head.euler.x = 0.5;
    near(head.euler.toArray(), [0.5, 10, 0]);
    // Turned otherwise, the angles are those of the pose: where x and z turn about one axis, too.
    head.quaternion.set(0, Math.SQRT1_2, 0, Math.SQRT1_2);
    near(head.euler.toArray(), [0, Math.PI / 2, 0]);
    head.euler.set(0.3, -Math.PI / 2, 0.2);
    const before = head.quaternion.toArray();
    head.quaternion.set(0, 0, 0, 1);
    near(head.euler.toArray(), [0, 0, 0]);
    head.quaternion.copy(before);
    near(head.euler.toArray(), [0.1, -Math.PI / 2, 0]);
    // Close to it, where a sine says little, the angles still make the same rotation.
    for (const y of [1.5707, -1.5707, 1.57079, -1.57079]) {
      const turned = head.euler.set(0.4, y, -0.9) && head.quaternion.toArray();
      head.quaternion.set(0, 0, 0, 1);
      near(head.euler.toArray(), [0, 0, 0]);
      const angles = head.quaternion.copy(turned) && head.euler.toArray();
      near(head.euler.set(...angles) && head.quaternion.toArray(), turned);
    }
    mixer.play('Walk');
    mixer.update(0.1);
    near(head.euler.toArray(), anglesOf(head.quaternion.toArray()));
  });

  test('attachments follow in the same frame, with an offset', async () => {
    const { asset, mixer } = await hero();
    const { skeleton } = asset;
    const hand = skeleton.getBoneByName('hand_R')!;
    const plain = { matrix: new Float32Array(16) };
    const offset = { matrix: { elements: new Array<number>(16).fill(0) }, matrixAutoUpdate: true, matrixWorldNeedsUpdate: false };
    hand.attach(plain);
    const attachment = hand.attach(offset, { position: [0, 0.1, 0], euler: [0, 0, Math.PI / 2], scale: 2 });
    mixer.play('Run');
    skeleton.matrix.set([10, 20, 30], 12);
    mixer.update(0.1);
    assert.deepEqual([...plain.matrix], [...hand.worldMatrix]);
    assert.ok(plain.matrix[12]! > 8);
    assert.deepEqual([offset.matrixAutoUpdate, offset.matrixWorldNeedsUpdate], [false, true]);
    // A tenth along the hand's own y axis; x of the object along y of the hand, twice as long.
    for (const row of [0, 1, 2]) {
      const { elements } = offset.matrix;
      assert.ok(Math.abs(elements[12 + row]! - hand.worldMatrix[12 + row]! - 0.1 * hand.worldMatrix[4 + row]!) < 1e-5);
      assert.ok(Math.abs(elements[row]! - 2 * hand.worldMatrix[4 + row]!) < 1e-5);
    }
    attachment.detach();
    const still = [...offset.matrix.elements];
    mixer.update(0.1);
    assert.deepEqual(offset.matrix.elements, still);
    assert.throws(() => hand.attach({ matrix: new Float32Array(9) }), /16 numbers/);
  });

  test('packed matrices are the rows of the others', async () => {
    const { asset, mixer } = await hero();
    const packed = asset.skeleton.clone('mat3x4');
    const second = new AnimationMixer(packed);
    for (const each of [mixer, second]) each.play('Run').mixer.play('Wave');
    steps(mixer, 10);
    steps(second, 10);
    const [mat4, rows] = [asset.skeleton.boneMatrices, packed.boneMatrices];
    assert.equal(mat4.length / 16, rows.length / 12);
    for (let bone = 0; bone < 66; bone++) {
      for (let row = 0; row < 3; row++) {
        for (let column = 0; column < 4; column++) assert.equal(mat4[16 * bone + 4 * column + row], rows[12 * bone + 4 * row + column]);
      }
    }
  });
});
