// canter/three against three's own mixer: the same matrices reach the skin.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { AnimationMixer } from 'canter/three';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { clone } from 'three/addons/utils/SkeletonUtils.js';

import { HERO } from './common.js';

async function load() {
  const bytes = readFileSync(HERO);
  return new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer, '');
}

function skinnedMesh(root: THREE.Object3D): THREE.SkinnedMesh {
  let found: THREE.SkinnedMesh | undefined;
  root.traverse((object) => {
    if ((object as THREE.SkinnedMesh).isSkinnedMesh) found ??= object as THREE.SkinnedMesh;
  });
  return found!;
}

test('matrices are those of three.js, wherever the model stands', async () => {
  const gltf = await load();
  const [theirs, ours] = [clone(gltf.scene), clone(gltf.scene)];
  const world = new THREE.Scene();
  for (const root of [theirs, ours]) {
    root.position.set(3, 1, -2);
    root.rotation.y = 0.7;
    world.add(root);
  }
  const their = new THREE.AnimationMixer(theirs);
  const our = await AnimationMixer.create(ours, gltf.animations);
  const [walk, run] = ['Walk', 'Run'].map((name) => THREE.AnimationClip.findByName(gltf.animations, name)!);
  their.clipAction(walk!).play();
  assert.equal(our.clipAction(walk!), our.clipAction('Walk'));
  our.clipAction(walk!).play();
  for (let frame = 0; frame < 40; frame++) {
    if (frame === 20) {
      their.clipAction(walk!).stop();
      their.clipAction(run!).play();
      our.clipAction(walk!).stop();
      our.clipAction(run!).play();
    }
    their.update(1 / 60);
    our.update(1 / 60);
    world.updateMatrixWorld(true);
    const [mesh, own] = [skinnedMesh(theirs), skinnedMesh(ours)];
    mesh.skeleton.update();
    own.skeleton.update();
    // What the shader makes of a vertex: from the mesh to the bone and back.
    for (const [bone] of mesh.skeleton.bones.entries()) {
      const matrix = (from: THREE.SkinnedMesh) =>
        from.matrixWorld.clone().multiply(from.bindMatrixInverse).multiply(new THREE.Matrix4().fromArray(from.skeleton.boneMatrices!, 16 * bone)).elements;
      const [expected, found] = [matrix(mesh), matrix(own)];
      for (const [index, number] of expected.entries()) assert.ok(Math.abs(number - found[index]!) < 1e-4, `frame ${frame}, bone ${bone}`);
    }
  }
  our.dispose();
  assert.equal(Object.hasOwn(skinnedMesh(ours).skeleton, 'update'), false);
});

test('clips that come later, things in hands and events work', async () => {
  const gltf = await load();
  const mixer = await AnimationMixer.create(gltf.scene);
  const heard: string[] = [];
  mixer.addEventListener('finished', ({ action }) => heard.push(action.clip.name));
  const attack = mixer.clipAction(THREE.AnimationClip.findByName(gltf.animations, 'Attack')!);
  attack.setLoop('once').play();
  const hand = gltf.scene.getObjectByName('hand_R')!;
  const before = hand.quaternion.clone();
  mixer.update(0.3);
  assert.ok(hand.quaternion.equals(before));
  hand.add(new THREE.Object3D());
  mixer.rebind().update(0.1);
  assert.ok(!hand.quaternion.equals(before));
  mixer.update(2);
  assert.deepEqual(heard, ['Attack']);
  mixer.stopAllAction().update(0.1);
});

test('clips of the same name are different clips', async () => {
  const gltf = await load();
  const named = (name: string) => {
    const clip = THREE.AnimationClip.findByName(gltf.animations, name)!.clone();
    clip.name = 'mixamo.com';
    return clip;
  };
  const [idle, walk, run] = [named('Idle'), named('Walk'), named('Run')];
  const mixer = await AnimationMixer.create(gltf.scene, [idle, walk]);
  const lengths = [idle, walk, run].map((clip) => mixer.clipAction(clip).clip.duration);
  assert.deepEqual(lengths.map((secs) => secs.toFixed(2)), ['3.00', '1.00', '0.70']);
  assert.equal(mixer.clipAction(run), mixer.clipAction(run));
  mixer.dispose();
});

test('what no clip moves is left alone, and a clip that moves nothing says so', async () => {
  const root = new THREE.Group();
  const [face, other, prop] = [new THREE.Mesh(), new THREE.Mesh(), new THREE.Group()];
  [face.name, other.name] = ['face', 'other'];
  [face.morphTargetInfluences, other.morphTargetInfluences] = [[0.5, 0.25], [0.5]];
  root.add(prop, face, other);
  const track = (name: string, values: number[]) => new THREE.NumberKeyframeTrack(name, [0, 1], values);
  const smile = new THREE.AnimationClip('Smile', 1, [track('face.morphTargetInfluences', [0, 0, 1, 1])]);
  const mixer = await AnimationMixer.create(root, [smile]);
  mixer.update(0.1);
  // At rest as it was when the mixer was made.
  assert.deepEqual([face.morphTargetInfluences, other.morphTargetInfluences], [[0.5, 0.25], [0.5]]);
  other.morphTargetInfluences[0] = 1;
  prop.position.x = 7;
  mixer.clipAction(smile).play();
  mixer.update(0.5);
  assert.deepEqual([face.morphTargetInfluences, other.morphTargetInfluences, prop.position.x], [[0.5, 0.5], [1], 7]);

  // A clip that comes later moves what it moves from then on.
  const lift = new THREE.AnimationClip('Lift', 1, [track('other.position', [0, 0, 0, 0, 2, 0])]);
  mixer.clipAction(lift).play();
  mixer.update(0.25);
  assert.equal(other.position.y, 0.25);

  // A track without a name is about the root, not about whatever has no name.
  const leave = new THREE.AnimationClip('Leave', 1, [track('.position', [0, 0, 0, 5, 0, 0])]);
  assert.throws(() => mixer.clipAction(leave), /clip "Leave" moves nothing below the object/);
  mixer.dispose();
});

test('clips tell of the markers of the file, and the object goes by its root motion', async () => {
  const gltf = await load();
  const stage = new THREE.Group().add(gltf.scene);
  const mixer = await AnimationMixer.create(gltf.scene, gltf.animations, { rootMotion: 'root' });
  const heard: string[] = [];
  mixer.addEventListener('marker', ({ name, clip }) => heard.push(`${clip.name} ${name}`), { minWeight: 0.5 });
  gltf.scene.rotation.y = Math.PI / 2;
  gltf.scene.scale.setScalar(2);
  mixer.clipAction('WalkRoot').play();
  for (let step = 0; step < 60; step++) mixer.update(1 / 60).applyRootMotion();
  assert.deepEqual(heard.slice(0, 2), ['WalkRoot foot_L', 'WalkRoot foot_R']);
  const { position } = gltf.scene;
  assert.ok(Math.abs(position.x - 2.04) < 0.03 && Math.abs(position.z) < 1e-4, position.toArray().join());
  mixer.clipAction('WalkRoot').stop();
  mixer.clipAction('TurnLeft').setLoop('once').play();
  mixer.update(0.9).applyRootMotion(stage);
  assert.ok(Math.abs(stage.rotation.y - Math.PI / 2) < 1e-3, String(stage.rotation.y));

  // One that comes later is split at the same bone, and has markers of its own.
  const later = THREE.AnimationClip.findByName(gltf.animations, 'RunRoot')!.clone();
  later.userData = { markers: [{ name: 'hop', time: 0.25 }] };
  mixer.stopAllAction();
  mixer.clipAction(later).play();
  mixer.update(0.5);
  assert.deepEqual(mixer.markers().map(({ name }) => name), ['hop']);
  assert.ok(Math.abs(mixer.rootMotion[14]! - 1.45) < 0.03, String(mixer.rootMotion[14]));
  mixer.dispose();
  await assert.rejects(AnimationMixer.create(gltf.scene, [], { rootMotion: 'rot' }), /no bone "rot"; did you mean "root"/);
});
