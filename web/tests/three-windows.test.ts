// The objects of three.js whose numbers are in the module: whoever holds one reads and writes as ever.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { init } from 'canter';
import { AnimationMixer } from 'canter/three';
import * as THREE from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';

import { apart, loadHero, named, play, skinsApart, twoSides } from './three-sides.js';

const bone = (root: THREE.Object3D, name = 'hand_R') => root.getObjectByName(name)!;

test('memory that grows takes nothing away from those who hold an object', async () => {
  const gltf = await loadHero();
  const sides = await twoSides(gltf.scene);
  const runtime = await init();
  const before = runtime.memoryBytes;
  const held = sides.map(({ root }) => {
    const { position, quaternion, rotation, scale, matrix, matrixWorld } = bone(root);
    return { position, quaternion, rotation, scale, matrix, matrixWorld };
  });
  const crowd: AnimationMixer[] = [];
  play(sides, 12, ({ mixer, root }, frame) => {
    if (frame === 0) mixer.clipAction(named(gltf, 'Walk')).play();
    mixer.update(1 / 60);
    if (mixer instanceof AnimationMixer) {
      for (let index = 0; index < 20; index++) {
        const other = new AnimationMixer(clone(gltf.scene));
        other.clipAction(named(gltf, 'Run')).play();
        crowd.push(other);
      }
    }
    bone(root).position.y += 0.01;
    bone(root, 'head').rotation.z = 0.1 * frame;
  });
  assert.ok(runtime.memoryBytes > before, 'it has not grown');
  for (const [name, value] of Object.entries(held[0]!)) {
    const [theirs, ours] = [value, held[1]![name as keyof (typeof held)[1]]].map((object) => (object as THREE.Vector3).toArray().slice(0, 3).map(Number));
    for (const [index, number] of theirs!.entries()) assert.ok(Math.abs(number - ours![index]!) < 1e-4, name);
  }
  for (const mixer of crowd) mixer.dispose();
});

/** Everything that one can see of a node without calling anything. */
const seen = ({ position, quaternion, rotation, scale, matrix, matrixWorld }: THREE.Object3D) =>
  [position, quaternion, rotation, scale, matrix, matrixWorld].map((object) => [Object.getPrototypeOf(object), Object.keys(object).sort(), JSON.stringify(object)]);

test('copies are plain ones, and texts are the same', async () => {
  const gltf = await loadHero();
  const [theirs, ours] = await twoSides(gltf.scene);
  for (const { mixer, root } of [theirs, ours]) {
    mixer.clipAction(named(gltf, 'Idle')).play();
    mixer.stopAllAction();
    root.parent!.updateMatrixWorld();
  }
  const [a, b] = [bone(theirs.root), bone(ours.root)];
  for (const name of ['position', 'quaternion', 'rotation', 'scale', 'matrix', 'matrixWorld'] as const) {
    assert.equal(Object.getPrototypeOf(b[name].clone()), Object.getPrototypeOf(a[name]), name);
    assert.equal(b[name].constructor, a[name].constructor, name);
    assert.ok(b[name] instanceof (a[name].constructor as new () => object), name);
  }
  assert.equal(JSON.stringify(b.position), JSON.stringify(a.position));
  assert.deepEqual(JSON.parse(JSON.stringify(b.matrix)), JSON.parse(JSON.stringify(a.matrix)));
  assert.deepEqual(b.quaternion.toArray(), a.quaternion.toArray());
  const names = new Set<string>();
  for (const name in b.position) names.add(name);
  for (const name of ['x', 'y', 'z']) assert.ok(names.has(name));
  // A clone of a model that plays plays by itself.
  const other = clone(ours.root);
  bone(other).position.x = 7;
  assert.notEqual(b.position.x, 7);
});

test('what is given back is as if it had never been taken', async () => {
  const gltf = await loadHero();
  const [theirs, ours] = await twoSides(gltf.scene);
  for (const { mixer } of [theirs, ours]) {
    mixer.clipAction(named(gltf, 'Walk')).play();
    mixer.update(0.3);
    mixer.stopAllAction();
  }
  for (const { root } of [theirs, ours]) root.parent!.updateMatrixWorld();
  let called = 0;
  const hand = bone(ours.root);
  hand.quaternion._onChange(() => called++);
  hand.quaternion.set(0, 1, 0, 0);
  (ours.mixer as AnimationMixer).dispose();
  hand.quaternion.set(0, 0, 0, 1);
  assert.equal(called, 2);
  const [a, b] = [bone(theirs.root, 'head'), bone(ours.root, 'head')];
  for (const [index, [prototype, keys]] of seen(a).entries()) assert.deepEqual(seen(b)[index]!.slice(0, 2), [prototype, keys]);
  b.rotation.y = 0.5;
  assert.ok(b.quaternion.angleTo(new THREE.Quaternion().setFromEuler(b.rotation)) < 1e-6);
});

test('a hand that goes from one figure to another, and figures that swap their places', async () => {
  const gltf = await loadHero();
  const sides = await twoSides(gltf.scene);
  const others = await twoSides(gltf.scene);
  const swap = (frame: number, index: number) => {
    const [first, second] = [sides[index]!.root, others[index]!.root];
    if (frame === 5) bone(second, 'hand_L').attach(bone(first));
    if (frame === 10) bone(first, 'head').add(second);
    if (frame === 15) first.parent!.add(second);
  };
  play(sides, 25, (side, frame) => {
    const index = sides.indexOf(side);
    if (frame === 0) side.mixer.clipAction(named(gltf, 'Walk')).play();
    if (frame === 0) others[index]!.mixer.clipAction(named(gltf, 'Run')).play();
    swap(frame, index);
    side.mixer.update(1 / 60);
    others[index]!.mixer.update(1 / 60);
    others[index]!.root.parent!.updateMatrixWorld();
  }, 1e-4);
  assert.ok(apart(others) < 1e-4 && skinsApart(others) < 1e-3);
});

test('nodes whose numbers are kept elsewhere are left to three.js', async () => {
  const gltf = await loadHero();
  const sides = await twoSides(() => {
    const root = clone(gltf.scene);
    const kept = new THREE.Vector3(0.1, 0.2, 0.3);
    Object.freeze(bone(root, 'head').scale);
    Object.defineProperty(bone(root), 'position', { value: Object.assign(Object.create(kept) as THREE.Vector3, { x: 0.3, y: 0.2, z: 0.1 }) });
    return root;
  });
  const turn = new THREE.AnimationClip('turn', 1, ['head', 'hand_R', 'hand_L'].map((name) => new THREE.QuaternionKeyframeTrack(`${name}.quaternion`, [0, 1], [0, 0, 0, 1, 0, 0.6, 0, 0.8])));
  play(sides, 20, ({ mixer }, frame) => {
    if (frame === 0) mixer.clipAction(turn).play();
    mixer.update(1 / 60);
  });
});

test('lists of matrices that are made anew are filled, and a pivot counts after a few frames', async () => {
  const gltf = await loadHero();
  const sides = await twoSides(gltf.scene);
  for (let frame = 0; frame < 30; frame++) {
    for (const { mixer, root } of sides) {
      if (frame === 0) mixer.clipAction(named(gltf, 'Walk')).play();
      if (frame === 5) (bone(root) as { pivot?: THREE.Vector3 | null }).pivot = new THREE.Vector3(0.1, 0.2, 0.3);
      mixer.update(frame < 20 ? 1 / 60 : 0);
      root.parent!.updateMatrixWorld();
      root.traverse((object) => {
        const { skeleton } = object as THREE.SkinnedMesh;
        skeleton?.update();
        if (frame === 25) skeleton?.init();
      });
    }
    if (frame < 5 || frame > 13) assert.ok(apart(sides) < 1e-5 && skinsApart(sides) < 1e-4, `frame ${frame}: ${apart(sides)} ${skinsApart(sides)}`);
  }
});

test('a root that is placed by its matrix is left to three.js, for as long as that lasts', async () => {
  const gltf = await loadHero();
  const sides = await twoSides(gltf.scene);
  play(sides, 30, ({ mixer, root }, frame) => {
    if (frame === 0) mixer.clipAction(named(gltf, 'Walk')).play();
    if (frame === 10) root.matrixAutoUpdate = false;
    if (frame >= 10 && frame < 20) root.matrix.makeTranslation(frame, 1, 2);
    if (frame >= 10 && frame < 20) root.matrixWorldNeedsUpdate = true;
    if (frame === 20) root.matrixAutoUpdate = true;
    mixer.update(1 / 60);
  });
  const frozen = await twoSides(() => {
    const group = new THREE.Group();
    Object.freeze(group.scale);
    return group.add(clone(gltf.scene));
  });
  play(frozen, 5, ({ mixer }, frame) => {
    if (frame === 0) mixer.clipAction(named(gltf, 'Walk')).play();
    mixer.update(1 / 60);
  });
});
