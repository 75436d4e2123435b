// canter/three and the scene around it: matrices, skins, raycasts, edits, clones, memory.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

import { AnimationMixer } from 'canter/three';
import * as THREE from 'three';
import { CCDIKSolver } from 'three/addons/animation/CCDIKSolver.js';
import { clone } from 'three/addons/utils/SkeletonUtils.js';

import { ROOT } from './common.js';
import { apart, loadHero, named, play, skinsApart, twoSides } from './three-sides.js';

function skinnedMesh(root: THREE.Object3D): THREE.SkinnedMesh {
  let found: THREE.SkinnedMesh | undefined;
  root.traverse((object) => {
    if ((object as THREE.SkinnedMesh).isSkinnedMesh) found ??= object as THREE.SkinnedMesh;
  });
  return found!;
}

test('matrices are those of three.js, wherever the model stands', async () => {
  const gltf = await loadHero();
  const sides = await twoSides(gltf.scene);
  play(sides, 60, ({ root, mixer }, frame) => {
    if (frame === 0) mixer.clipAction(named(gltf, 'Walk')).play();
    root.position.set(3 + frame, 1, -2);
    root.rotation.y = 0.7 * frame;
    root.scale.set(1, 2, 1);
    if (frame === 30) mixer.clipAction(named(gltf, 'Walk')).crossFadeTo(mixer.clipAction(named(gltf, 'Run')).play(), 0.3);
    mixer.update(1 / 60);
  });
});

test('rays, boxes and vertices are where the model is drawn', async () => {
  const gltf = await loadHero();
  const sides = await twoSides(gltf.scene);
  for (const { root, mixer } of sides) {
    root.position.set(3, 0, 0);
    mixer.clipAction(named(gltf, 'Walk')).play();
    mixer.update(0.3);
    root.parent!.updateMatrixWorld();
  }
  const seen = sides.map(({ root }) => {
    const mesh = skinnedMesh(root);
    const hits = new THREE.Raycaster(new THREE.Vector3(3, 0.9, 10), new THREE.Vector3(0, 0, -1)).intersectObject(root, true);
    const missed = new THREE.Raycaster(new THREE.Vector3(6, 0.9, 10), new THREE.Vector3(0, 0, -1)).intersectObject(root, true);
    assert.ok(hits.length > 0 && missed.length === 0);
    const box = new THREE.Box3().setFromObject(root, true);
    const vertex = mesh.getVertexPosition(100, new THREE.Vector3());
    const hand = root.getObjectByName('hand_R')!;
    return [...hits[0]!.point.toArray(), ...box.min.toArray(), ...box.max.toArray(), ...vertex.toArray(), ...hand.getWorldPosition(new THREE.Vector3()).toArray()];
  });
  for (const [index, number] of seen[0]!.entries()) assert.ok(Math.abs(number - seen[1]![index]!) < 1e-4, `number ${index}: ${number} ${seen[1]![index]}`);
});

test('edits of bones after an update reach the skin, however they are made', async () => {
  const gltf = await loadHero();
  const sides = await twoSides(gltf.scene);
  // What does not change from one frame to the next is not written again, and edits of it would add up: each of these moves.
  const turning = new THREE.AnimationClip('turning', -1, ['head', 'hand_R', 'foot_L'].flatMap((name) => [
    new THREE.QuaternionKeyframeTrack(`${name}.quaternion`, [0, 2], [0, 0, 0, 1, 0.6, 0, 0, 0.8]),
    new THREE.VectorKeyframeTrack(`${name}.position`, [0, 2], [0, 0, 0, 0.2, 0.3, 0.4]),
    new THREE.VectorKeyframeTrack(`${name}.scale`, [0, 2], [1, 1, 1, 1.2, 1.3, 1.4]),
  ]));
  play(sides, 40, ({ root, mixer }, frame) => {
    if (frame === 0) mixer.clipAction(turning).play();
    mixer.update(1 / 60);
    const [head, hand, foot] = ['head', 'hand_R', 'foot_L'].map((name) => root.getObjectByName(name)!);
    if (frame % 4 === 0) head!.lookAt(3, 1, 2 + frame);
    if (frame % 4 === 1) hand!.rotation.y += 0.5;
    if (frame % 4 === 2) foot!.position.y += 0.1;
    if (frame % 4 === 3) head!.scale.setScalar(1.5);
    head!.quaternion.multiply(new THREE.Quaternion().setFromEuler(hand!.rotation));
  });
});

test('angles follow when they are read', async () => {
  const gltf = await loadHero();
  const [theirs, ours] = await twoSides(gltf.scene);
  const [hand, own] = [theirs, ours].map(({ root }) => root.getObjectByName('upper_arm_R') ?? root.getObjectByName('hand_R')!);
  const [rotation, held] = [hand!.rotation, own!.rotation];
  for (let frame = 0; frame < 20; frame++) {
    for (const { mixer } of [theirs, ours]) {
      if (frame === 0) mixer.clipAction(named(gltf, 'Wave')).play();
      mixer.update(1 / 30);
    }
    assert.equal(own!.rotation, held);
    const angles = [new THREE.Euler().copy(held), held.clone(), new THREE.Euler().setFromQuaternion(own!.quaternion, held.order)];
    for (const euler of angles) for (const axis of ['x', 'y', 'z'] as const) assert.ok(Math.abs(euler[axis] - rotation[axis]) < 1e-4, `frame ${frame}: ${axis}`);
    if (frame === 10) for (const euler of [rotation, held]) euler.order = 'ZYX';
    if (frame === 15) for (const euler of [rotation, held]) euler.set(0.1, 0.2, 0.3, 'XYZ');
    assert.ok(hand!.quaternion.angleTo(own!.quaternion) < 2e-3, `frame ${frame}`);
  }
  assert.deepEqual([JSON.stringify(own!.scale), own!.position.clone().constructor], [JSON.stringify(hand!.scale), THREE.Vector3]);
});

test('the solver of three.js pulls a hand to its target', async () => {
  const gltf = await loadHero();
  const sides = await twoSides(gltf.scene);
  const solvers = sides.map(({ root }) => {
    const mesh = skinnedMesh(root);
    const place = (name: string) => mesh.skeleton.bones.findIndex((bone) => bone.name === name);
    const target = new THREE.Bone();
    target.name = 'goal';
    target.position.set(0.4, 1.4, 0.4);
    const bones = [...mesh.skeleton.bones, target];
    root.add(target);
    mesh.bind(new THREE.Skeleton(bones, [...mesh.skeleton.boneInverses, new THREE.Matrix4()]), mesh.bindMatrix);
    const links: number[] = [];
    for (let bone = mesh.skeleton.bones[place('hand_R')]!.parent; bone && links.length < 2; bone = bone.parent) links.push(place(bone.name));
    return new CCDIKSolver(mesh, [{ target: bones.length - 1, effector: place('hand_R'), links: links.map((index) => ({ index })), iteration: 4 }]);
  });
  play(sides, 30, (side, frame) => {
    if (frame === 0) side.mixer.clipAction(named(gltf, 'Walk')).play();
    side.mixer.update(1 / 60);
    side.root.parent!.updateMatrixWorld();
    solvers[sides.indexOf(side)]!.update();
  }, 1e-3);
});

test('what is put into a hand moves with it, and what is taken out stays', async () => {
  const gltf = await loadHero();
  const sides = await twoSides(gltf.scene);
  const swords = sides.map(() => {
    const [sword, gem] = [new THREE.Mesh(), new THREE.PointLight()];
    sword.position.set(0, 0.2, 0);
    return sword.add(gem);
  });
  play(sides, 40, (side, frame) => {
    const hand = side.root.getObjectByName('hand_R')!;
    const sword = swords[sides.indexOf(side)]!;
    if (frame === 0) side.mixer.clipAction(named(gltf, 'Attack')).play();
    if (frame === 5) hand.add(sword);
    if (frame === 15) side.root.getObjectByName('hand_L')!.attach(sword);
    if (frame === 20) sword.removeFromParent();
    if (frame === 25) hand.add(sword);
    if (frame === 28) [sword.matrixAutoUpdate, sword.matrixWorldNeedsUpdate] = [false, true];
    if (frame === 28) sword.matrix.makeRotationX(1);
    if (frame === 32) hand.matrixAutoUpdate = false;
    side.mixer.update(1 / 60);
  });
});

test('two mixers on one model, one model in another', async () => {
  const gltf = await loadHero();
  const sides = await twoSides(gltf.scene);
  const riders = sides.map(({ root }) => {
    const rider = clone(gltf.scene);
    rider.traverse((node) => (node.name = `rider_${node.name}`));
    root.getObjectByName('hand_R')!.add(rider);
    return rider;
  });
  const waving = named(gltf, 'Wave').clone();
  for (const track of waving.tracks) track.name = `rider_${track.name}`;
  const others = sides.map(({ mixer }, index) => {
    const Mixer = mixer.constructor as typeof THREE.AnimationMixer;
    return [new Mixer(sides[index]!.root), new Mixer(riders[index]!)] as const;
  });
  const isHead = ({ name }: THREE.KeyframeTrack) => name.startsWith('head');
  const headless = new THREE.AnimationClip('headless', -1, named(gltf, 'Walk').tracks.filter((track) => !isHead(track)));
  const head = new THREE.AnimationClip('head', -1, named(gltf, 'Attack').tracks.filter(isHead));
  play(sides, 30, (side, frame) => {
    const [second, rider] = others[sides.indexOf(side)]!;
    if (frame === 0) {
      side.mixer.clipAction(headless).play();
      rider.clipAction(waving).play();
    }
    if (frame === 10) second.clipAction(head).play();
    for (const mixer of [side.mixer, second, rider]) mixer.update(1 / 60);
  });
});

test('the scene is the same after the mixer is disposed of, and three.js goes on with it', async () => {
  const gltf = await loadHero();
  const sides = await twoSides(gltf.scene);
  play(sides, 20, (side, frame) => {
    if (frame === 0) side.mixer.clipAction(named(gltf, 'Walk')).play();
    side.mixer.update(1 / 60);
  });
  const { root, mixer } = sides[1];
  (mixer as AnimationMixer).dispose();
  sides[0].mixer.stopAllAction();
  assert.equal(Object.hasOwn(root, 'updateMatrixWorld'), false);
  assert.equal(Object.hasOwn(skinnedMesh(root).skeleton, 'update'), false);
  root.parent!.updateMatrixWorld();
  assert.ok(apart(sides) < 1e-6 && skinsApart(sides) < 1e-5);
  sides[1].mixer = new THREE.AnimationMixer(root);
  play([{ ...sides[0], told: [] }, { ...sides[1], told: [] }], 20, (side, frame) => {
    if (frame === 0) side.mixer.time = 0;
    if (frame === 0) side.mixer.clipAction(named(gltf, 'Run')).reset().play();
    side.mixer.update(1 / 60);
  });
});

test('before the module is there three.js plays, and nothing jumps when it comes', () => {
  // In a process of its own, where nobody has asked for the module.
  const script = `
    import { readFileSync } from 'node:fs';
    import * as THREE from 'three';
    import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
    import { clone } from 'three/addons/utils/SkeletonUtils.js';
    import { AnimationMixer } from 'canter/three';
    const bytes = readFileSync('assets/hero.glb');
    const { scene, animations } = await new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');
    const roots = [clone(scene), clone(scene)];
    const mixers = [new THREE.AnimationMixer(roots[0]), new AnimationMixer(roots[1])];
    const [walk, run] = ['Walk', 'Run'].map((name) => THREE.AnimationClip.findByName(animations, name));
    let [most, frames] = [0, 0];
    const isTaken = () => Object.hasOwn(roots[1], 'updateMatrixWorld');
    for (let frame = 0; frame < 60; frame++) {
      for (const [index, mixer] of mixers.entries()) {
        if (frame === 0) { mixer.clipAction(walk).play(); mixer.clipAction(run).setEffectiveWeight(0.4).play(); }
        mixer.update(1 / 60);
        roots[index].updateMatrixWorld();
      }
      if (!isTaken()) frames++;
      const others = [];
      roots[1].traverse((node) => others.push(node));
      roots[0].traverse((node) => { const other = others.shift(); node.matrixWorld.elements.forEach((number, index) => { most = Math.max(most, Math.abs(number - other.matrixWorld.elements[index])); }); });
      if (frame === 20) while (!isTaken()) { await new Promise((resolve) => setTimeout(resolve, 10)); mixers[1].update(0); }
    }
    console.log(JSON.stringify({ most, frames, isTaken: isTaken() }));
  `;
  const told = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT, encoding: 'utf8' });
  const { most, frames, isTaken } = JSON.parse(told) as { most: number; frames: number; isTaken: boolean };
  assert.ok(most < 1e-5 && frames > 0 && isTaken, told);
});

test('clones share what the module has of a clip', async () => {
  const gltf = await loadHero();
  const runtime = (await import('canter/three')).init();
  const make = async () => {
    const mixer = await AnimationMixer.create(clone(gltf.scene));
    for (const name of ['Walk', 'Run', 'Attack']) mixer.clipAction(named(gltf, name)).play();
    mixer.update(0.1);
    mixer.getRoot();
    return mixer;
  };
  await make();
  const before = (await runtime).memoryBytes;
  const mixers = await Promise.all(Array.from({ length: 100 }, make));
  const each = ((await runtime).memoryBytes - before) / 100;
  // The keys of three clips alone are 250 kB.
  assert.ok(each < 80_000, `${each} bytes`);
  for (const mixer of mixers) mixer.dispose();
});
