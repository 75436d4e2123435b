// Programs like the skinning examples of three.js, written here, on both mixers: bones, palettes and events, frame by frame.
//
// The formulas are the same, so every node is where three.js has it within a ten-thousandth of the model; what is left is that of 32 bits,
// in which the module blends, from 64. They differ in one place: three.js writes a value to a bone when any of its 64 bits have changed since
// the last frame, and Canter when any of 32 have. Nobody sees that, unless somebody else writes the same bone as well and counts on
// the mixer to leave it alone; the programs here do not.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as THREE from 'three';
import { CCDIKSolver } from 'three/addons/animation/CCDIKSolver.js';
import { clone } from 'three/addons/utils/SkeletonUtils.js';

import { sharedFile } from './common.js';
import { loadHero, loadModel, named, play, sizeOf, skinsApart, twoSides, type Side } from './three-sides.js';

const DT = 1 / 60;
const WITHIN = 1e-4;

function skinnedMeshes(root: THREE.Object3D): THREE.SkinnedMesh[] {
  const found: THREE.SkinnedMesh[] = [];
  root.traverse((object) => {
    if ((object as THREE.SkinnedMesh).isSkinnedMesh) found.push(object as THREE.SkinnedMesh);
  });
  return found;
}

const setWeight = (action: THREE.AnimationAction, weight: number) => {
  action.enabled = true;
  action.setEffectiveTimeScale(1);
  action.setEffectiveWeight(weight);
};

test('blending: idle, walk and run by weights, crossfades that wait for the end of a loop, single steps', async () => {
  const gltf = await loadHero();
  const sides = await twoSides(gltf.scene);
  const actions = (side: Side) => ['Idle', 'Walk', 'Run'].map((name) => side.mixer.clipAction(named(gltf, name))) as [THREE.AnimationAction, THREE.AnimationAction, THREE.AnimationAction];
  const crossFade = (from: THREE.AnimationAction, to: THREE.AnimationAction, duration: number) => {
    setWeight(to, 1);
    to.time = 0;
    from.crossFadeTo(to, duration, true);
  };
  play(sides, 420, (side, frame) => {
    const [idle, walk, run] = actions(side);
    if (frame === 0) {
      for (const [action, weight] of [[idle, 0], [walk, 1], [run, 0]] as const) {
        setWeight(action, weight);
        action.play();
      }
    }
    if (frame === 30) crossFade(walk, idle, 1);
    if (frame === 120) {
      const wait = ({ action }: { action: THREE.AnimationAction }) => {
        if (action !== idle) return;
        side.mixer.removeEventListener('loop', wait);
        crossFade(idle, walk, 0.5);
      };
      side.mixer.addEventListener('loop', wait);
    }
    if (frame === 260) crossFade(walk, run, 2.5);
    if (frame === 330) for (const action of [idle, walk, run]) action.paused = true;
    if (frame === 340) for (const action of [idle, walk, run]) action.paused = false;
    if (frame === 360) for (const [action, weight] of [[idle, 0.2], [walk, 0.5], [run, 0.1]] as const) setWeight(action, weight);
    if (frame === 380) side.mixer.timeScale = 0.3;
    side.mixer.update(frame > 400 ? 0.05 : DT);
  }, WITHIN);
});

test('additive blending: base actions that fade into each other, poses and gestures on top by sliders', async () => {
  const gltf = await loadHero();
  const additive = ['Wave', 'Jump', 'Attack'].map((name) => {
    const clip = THREE.AnimationUtils.makeClipAdditive(named(gltf, name).clone());
    // A pose of one instant, cut out of it.
    return name === 'Jump' ? THREE.AnimationUtils.subclip(clip, 'pose', 8, 9, 30) : clip;
  });
  const sides = await twoSides(gltf.scene);
  play(sides, 240, ({ mixer }, frame) => {
    const [idle, walk] = ['Idle', 'Walk'].map((name) => mixer.clipAction(named(gltf, name)));
    const gestures = additive.map((clip) => mixer.clipAction(clip));
    if (frame === 0) {
      setWeight(idle!, 1);
      idle!.play();
      for (const gesture of gestures) {
        setWeight(gesture, 0);
        gesture.play();
      }
    }
    for (const [index, gesture] of gestures.entries()) if (frame > 20) setWeight(gesture, 0.5 + 0.5 * Math.sin(0.05 * frame + index));
    if (frame === 60) {
      setWeight(walk!, 1);
      walk!.time = 0;
      walk!.play();
      idle!.crossFadeTo(walk!, 0.35, true);
    }
    if (frame === 150) walk!.fadeOut(0.35);
    mixer.update(DT);
  }, WITHIN);
});

test('morph: states and emotes of a robot of rigid parts, with a face', async () => {
  const file = sharedFile('assets/RobotExpressive/RobotExpressive.glb');
  if (file === undefined) return;
  const gltf = await loadModel(file);
  const sides = await twoSides(gltf.scene);
  const once = ['Jump', 'Yes', 'No', 'Wave', 'Punch', 'ThumbsUp', 'Death', 'Sitting', 'Standing'];
  const active = sides.map(() => '');
  const fadeTo = (side: Side, name: string, duration: number) => {
    const index = sides.indexOf(side);
    const before = active[index]!;
    active[index] = name;
    const action = side.mixer.clipAction(named(gltf, name));
    if (once.includes(name)) {
      action.clampWhenFinished = true;
      action.loop = THREE.LoopOnce;
    }
    if (before !== '' && before !== name) side.mixer.clipAction(named(gltf, before)).fadeOut(duration);
    action.reset().setEffectiveTimeScale(1).setEffectiveWeight(1).fadeIn(duration).play();
  };
  for (const side of sides) side.mixer.addEventListener('finished', () => fadeTo(side, 'Walking', 0.2));
  const faces = sides.map(({ root }) => {
    const found: THREE.Mesh[] = [];
    root.traverse((object) => {
      if ((object as THREE.Mesh).morphTargetInfluences?.length) found.push(object as THREE.Mesh);
    });
    return found;
  });
  const cues: Record<number, string> = { 0: 'Walking', 40: 'Jump', 130: 'Running', 180: 'Dance', 230: 'Wave' };
  play(sides, 360, (side, frame) => {
    const cue = cues[frame];
    if (cue !== undefined) fadeTo(side, cue, cue === 'Walking' ? 0.5 : 0.2);
    for (const face of faces[sides.indexOf(side)]!) face.morphTargetInfluences![0] = 0.5 + 0.5 * Math.sin(0.1 * frame);
    side.mixer.update(DT);
  }, WITHIN);
  assert.ok(sides[0].told.some((text) => text.startsWith('finished Jump')) && sides[0].told.some((text) => text.startsWith('finished Wave')));
  assert.deepEqual(faces[1]!.map((face) => face.morphTargetInfluences), faces[0]!.map((face) => face.morphTargetInfluences));
});

test('multiple: clones with mixers of their own, and meshes that share one skeleton', async () => {
  const gltf = await loadHero();
  const [first, second, third] = await Promise.all(Array.from({ length: 3 }, () => twoSides(gltf.scene)));
  for (const [index, sides] of [first!, second!, third!].entries()) {
    play(sides, 60, ({ root, mixer }, frame) => {
      root.position.x = index - 1;
      if (frame === 0) mixer.clipAction(named(gltf, ['Idle', 'Run', 'Walk'][index]!)).play();
      mixer.update(DT);
    }, WITHIN);
  }
  // The mixer moves bones without a mesh; the meshes stand elsewhere.
  const shared = await twoSides(() => {
    const model = clone(gltf.scene);
    const mesh = skinnedMeshes(model)[0]!;
    const top = mesh.skeleton.bones.find(({ parent }) => !(parent as THREE.Bone | null)?.isBone)!;
    top.userData['meshes'] = [0, 1].map((x) => {
      const copy = mesh.clone();
      copy.bindMode = THREE.DetachedBindMode;
      copy.bind(mesh.skeleton, new THREE.Matrix4());
      copy.position.x = x;
      return copy;
    });
    return top;
  });
  const meshes = shared.map(({ root }) => root.userData['meshes'] as THREE.SkinnedMesh[]);
  for (const [index, { root }] of shared.entries()) root.parent!.add(...meshes[index]!);
  play(shared, 60, ({ mixer }, frame) => {
    if (frame === 0) mixer.clipAction(named(gltf, 'Walk')).play();
    mixer.update(DT);
  }, WITHIN);
  const apartAll = meshes[0]!.map((mesh, index) => skinsApart([{ ...shared[0], root: mesh }, { ...shared[1], root: meshes[1]![index]! }]));
  assert.ok(Math.max(...apartAll) < WITHIN, apartAll.join());
});

test('ik: a hand follows its goal and the head looks there, on top of a clip', async () => {
  const gltf = await loadHero();
  const sides = await twoSides(gltf.scene);
  const rigs = sides.map(({ root }) => {
    const mesh = skinnedMeshes(root)[0]!;
    const goal = new THREE.Bone();
    goal.name = 'goal';
    root.add(goal);
    const bones = [...mesh.skeleton.bones, goal];
    mesh.bind(new THREE.Skeleton(bones, [...mesh.skeleton.boneInverses, new THREE.Matrix4()]), mesh.bindMatrix);
    const place = (bone: THREE.Object3D) => bones.indexOf(bone as THREE.Bone);
    const hand = root.getObjectByName('hand_R')!;
    const links = [hand.parent!, hand.parent!.parent!].map((link) => ({ index: place(link), rotationMin: new THREE.Vector3(-2, -2, -2), rotationMax: new THREE.Vector3(2, 2, 2) }));
    const solver = new CCDIKSolver(mesh, [{ target: bones.length - 1, effector: place(hand), links, iteration: 5 }]);
    return { goal, solver, head: root.getObjectByName('head')!, hand };
  });
  const size = sizeOf(sides[0].root);
  play(sides, 120, (side, frame) => {
    const { goal, solver, head } = rigs[sides.indexOf(side)]!;
    if (frame === 0) side.mixer.clipAction(named(gltf, 'Walk')).play();
    side.mixer.update(DT);
    goal.position.set(0.5 * Math.sin(0.05 * frame), 1.2, 0.5);
    side.root.parent!.updateMatrixWorld();
    solver.update();
    head.lookAt(goal.getWorldPosition(new THREE.Vector3()));
    // Iterations enlarge what 32 bits leave: within a thousandth, still a tenth of what is asked for.
  }, 1e-3);
  const [theirs, ours] = rigs.map(({ hand }) => hand.getWorldPosition(new THREE.Vector3()));
  assert.ok(theirs!.distanceTo(ours!) < 1e-3 * size);
});

test('vrm: a second rig is animated and turns the bones after each update, as three-vrm does', async () => {
  const gltf = await loadHero();
  const sides = await twoSides(() => {
    const root = clone(gltf.scene);
    const rig = new THREE.Group();
    const nodes = new Map<THREE.Object3D, THREE.Object3D>();
    for (const bone of skinnedMeshes(root)[0]!.skeleton.bones) {
      const node = new THREE.Object3D();
      node.name = `normalized_${bone.name}`;
      node.position.copy(bone.position);
      nodes.set(bone, node);
    }
    for (const [bone, node] of nodes) (nodes.get(bone.parent!) ?? rig).add(node);
    return root.add(rig);
  });
  const turns = (name: string) => {
    const tracks = named(gltf, name).clone().tracks.filter((track) => track.name.endsWith('.quaternion'));
    for (const track of tracks) track.name = `normalized_${track.name}`;
    return new THREE.AnimationClip(name, -1, tracks);
  };
  const clips = ['Walk', 'Run'].map(turns);
  play(sides, 90, ({ root, mixer }, frame) => {
    if (frame === 0) mixer.clipAction(clips[0]!).play();
    if (frame === 30) mixer.clipAction(clips[0]!).crossFadeTo(mixer.clipAction(clips[1]!).play(), 0.4);
    mixer.update(DT);
    for (const bone of skinnedMeshes(root)[0]!.skeleton.bones) bone.quaternion.copy(root.getObjectByName(`normalized_${bone.name}`)!.quaternion);
    root.getObjectByName('hips')!.position.y += 0.001;
  }, WITHIN);
});

test('walk: a figure that is steered, turned and moved while its clips are weighed by speed', async () => {
  const gltf = await loadHero();
  const sides = await twoSides(gltf.scene);
  const up = new THREE.Vector3(0, 1, 0);
  play(sides, 300, ({ root, mixer }, frame) => {
    const [idle, walk, run] = ['Idle', 'Walk', 'Run'].map((name) => mixer.clipAction(named(gltf, name)));
    if (frame === 0) for (const action of [idle!, walk!, run!]) action.play();
    const speed = Math.max(0, 4 * Math.sin(0.02 * frame));
    idle!.weight = Math.max(0, 1 - speed);
    walk!.weight = speed < 1 ? speed : Math.max(0, 2 - speed);
    run!.weight = Math.max(0, Math.min(1, speed - 1));
    walk!.timeScale = Math.max(0.5, speed / 1.5);
    const target = new THREE.Quaternion().setFromAxisAngle(up, 0.03 * frame);
    root.quaternion.rotateTowards(target, 0.1);
    root.position.add(new THREE.Vector3(0, 0, speed * DT).applyQuaternion(root.quaternion));
    mixer.update(DT);
  }, WITHIN);
});
