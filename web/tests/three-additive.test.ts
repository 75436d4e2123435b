// canter/three against three's own mixer: additive clips, bone by bone.
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

type Loaded = Awaited<ReturnType<typeof load>>;

function named(gltf: Loaded, name: string): THREE.AnimationClip {
  return THREE.AnimationClip.findByName(gltf.animations, name)!;
}

function additive(gltf: Loaded, name: string): THREE.AnimationClip {
  return THREE.AnimationUtils.makeClipAdditive(named(gltf, name).clone());
}

/** How far the bones of two figures are apart at most: in metres, and in radians. */
function apart(theirs: THREE.Object3D, ours: THREE.Object3D): [metres: number, radians: number] {
  let [metres, radians] = [0, 0];
  theirs.traverse((bone) => {
    if (!(bone as THREE.Bone).isBone) return;
    const own = ours.getObjectByName(bone.name)!;
    metres = Math.max(metres, bone.position.distanceTo(own.position));
    radians = Math.max(radians, bone.quaternion.angleTo(own.quaternion));
  });
  return [metres, radians];
}

/** The largest angle that a clip turns any bone by. */
function largestAngle({ tracks }: THREE.AnimationClip): number {
  const turns = tracks.filter(({ name }) => name.endsWith('.quaternion'));
  return 2 * Math.acos(Math.min(1, ...turns.flatMap(({ values }) => [...values].filter((_, index) => index % 4 === 3).map(Math.abs))));
}

/**
 * three.js turns evenly by a part of a difference: by `weight * angle`. Canter mixes the quaternions of none and all of it and normalises,
 * which is quicker, and behind or ahead by this many radians: 0.14 at most for half a turn, less than a thousandth for 30 degrees.
 */
function behind(angle: number, weight: number): number {
  const half = angle / 2;
  return Math.abs(2 * Math.atan2(weight * Math.sin(half), 1 - weight + weight * Math.cos(half)) - weight * angle);
}

/** Plays the same on both sides, and says how far they are apart over a second. */
async function compare(gltf: Loaded, clips: THREE.AnimationClip[], play: (clipAction: (clip: THREE.AnimationClip) => { play(): unknown; weight: number }) => void) {
  const [theirs, ours] = [clone(gltf.scene), clone(gltf.scene)];
  const their = new THREE.AnimationMixer(theirs);
  const our = (await AnimationMixer.create(ours, clips)).rebind('all');
  play((clip) => their.clipAction(clip));
  play((clip) => our.clipAction(clip));
  let [metres, radians] = [0, 0];
  for (let frame = 0; frame < 60; frame++) {
    their.update(1 / 60);
    our.update(1 / 60);
    const [m, r] = apart(theirs, ours);
    [metres, radians] = [Math.max(metres, m), Math.max(radians, r)];
  }
  our.dispose();
  return { metres, radians };
}

test('at full weight they are added as three.js adds them, beside others and by themselves', async () => {
  const gltf = await load();
  const [run, wave, jump] = [named(gltf, 'Run'), additive(gltf, 'Wave'), additive(gltf, 'Jump')];
  const combinations: [string, THREE.AnimationClip[]][] = [
    ['a wave while running', [run, wave]],
    ['a wave by itself', [wave]],
    ['a jump while running', [run, jump]],
  ];
  for (const [what, clips] of combinations) {
    const { metres, radians } = await compare(gltf, clips, (clipAction) => clips.forEach((clip) => clipAction(clip).play()));
    // What 32 bits leave of rest plus difference minus rest; an angle is the square root of such an error.
    assert.ok(metres < 1e-6 && radians < 2e-3, `${what}: ${metres} m, ${radians} radians`);
  }
});

test('at other weights translations are those of three.js, and rotations within what nlerp leaves of slerp', async () => {
  const gltf = await load();
  const [run, wave, jump] = [named(gltf, 'Run'), additive(gltf, 'Wave'), additive(gltf, 'Jump')];
  for (const weight of [0, 0.25, 0.5, 0.8]) {
    for (const clip of [wave, jump]) {
      const { metres, radians } = await compare(gltf, [run, clip], (clipAction) => {
        clipAction(run).play();
        const action = clipAction(clip);
        action.weight = weight;
        action.play();
      });
      assert.ok(metres < 1e-6, `${clip.name} at ${weight}: ${metres} m`);
      const most = behind(largestAngle(clip), weight) + 2e-3;
      assert.ok(radians < most, `${clip.name} at ${weight}: ${radians} radians, at most ${most}`);
    }
  }
});

test('a clip that comes later, or is made additive later, is added; actions are their own', async () => {
  const gltf = await load();
  const root = clone(gltf.scene);
  const mixer = (await AnimationMixer.create(root, gltf.animations)).rebind('all');
  const run = named(gltf, 'Run');
  const running = mixer.clipAction(run);
  running.play();
  mixer.update(0.2);
  // The objects are no longer at rest by now.
  const wave = additive(gltf, 'Wave');
  const waving = mixer.clipAction(wave);
  assert.notEqual(waving, mixer.clipAction(named(gltf, 'Wave')));
  assert.equal(mixer.clipAction(wave), waving);
  assert.deepEqual([waving.layer?.mode, running.layer, waving.clip.isAdditive], ['additive', undefined, true]);
  waving.play();
  mixer.update(0.2);
  const theirs = clone(gltf.scene);
  const their = new THREE.AnimationMixer(theirs);
  their.clipAction(run).play();
  their.update(0.2);
  their.clipAction(wave).play();
  their.update(0.2);
  const [metres, radians] = apart(theirs, root);
  assert.ok(metres < 1e-6 && radians < 2e-3, `${metres} m, ${radians} radians`);

  // By three's third argument, and in place.
  const jump = additive(gltf, 'Jump');
  jump.blendMode = THREE.NormalAnimationBlendMode;
  assert.equal(mixer.clipAction(jump, undefined, THREE.AdditiveAnimationBlendMode).layer, waving.layer);
  assert.equal(mixer.clipAction(jump).layer, undefined);
  assert.equal(mixer.clipAction('Attack').layer, undefined);
  THREE.AnimationUtils.makeClipAdditive(named(gltf, 'Attack'));
  assert.equal(mixer.clipAction('Attack').layer, waving.layer);
  assert.throws(() => mixer.clipAction(run, new THREE.Group()), /moves one object; make another one for that root/);
  mixer.dispose();
});

test('morph weights, scales and cubic tracks are added, too', async () => {
  const root = () => {
    const [group, face] = [new THREE.Group(), new THREE.Mesh()];
    face.name = 'face';
    face.morphTargetInfluences = [0.5, 0.25];
    face.scale.set(2, 2, 4);
    face.position.set(0, 1, 0);
    group.add(face);
    return { group, face };
  };
  const track = (name: string, values: number[]) => new THREE.NumberKeyframeTrack(name, [0, 1], values);
  const smile = new THREE.AnimationClip('Smile', 1, [
    track('face.morphTargetInfluences', [0.1, 0.2, 0.6, 0.4]),
    new THREE.VectorKeyframeTrack('face.scale', [0, 1], [1, 1, 1, 1.5, 2, 3]),
    new THREE.VectorKeyframeTrack('face.position', [0, 1], [0, 0, 0, 2, 4, 6]),
  ]);
  THREE.AnimationUtils.makeClipAdditive(smile);
  const [theirs, ours] = [root(), root()];
  const [their, our] = [new THREE.AnimationMixer(theirs.group), await AnimationMixer.create(ours.group, [smile])];
  for (const action of [their.clipAction(smile), our.clipAction(smile)]) {
    action.weight = 0.5;
    action.play();
  }
  their.update(0.5);
  our.update(0.5);
  const numbers = ({ face }: typeof theirs) => [...face.morphTargetInfluences!, ...face.scale.toArray(), ...face.position.toArray()];
  for (const [index, number] of numbers(theirs).entries()) assert.ok(Math.abs(number - numbers(ours)[index]!) < 1e-6, `number ${index}`);
  our.dispose();
});
