// canter/three against three's own mixer, program by program: times, weights, events and every node, frame by frame.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AnimationMixer } from 'canter/three';
import * as THREE from 'three';

import { apart, loadHero, named, play, twoSides, type Side } from './three-sides.js';

const DT = 1 / 30;

/** A few nodes with everything that tracks can move. */
function stage(): THREE.Object3D {
  const root = new THREE.Group();
  root.name = 'root';
  root.position.set(3, 1, -2);
  root.rotation.set(0.1, 0.7, 0);
  const [arm, hand, box] = [new THREE.Bone(), new THREE.Bone(), new THREE.Mesh(new THREE.BoxGeometry(), new THREE.MeshStandardMaterial())];
  [arm.name, hand.name, box.name] = ['arm', 'hand', 'box'];
  arm.position.set(0.1, 1, 0.3);
  hand.position.set(0, 1, 0);
  hand.rotation.set(0.3, 0.2, 0.1);
  box.scale.set(1, 2, 3);
  box.morphTargetInfluences = [0.25, 0.5];
  box.morphTargetDictionary = { smile: 0, frown: 1 };
  root.add(arm.add(hand), box);
  return root;
}

const turn = (name: string, times: number[], ...angles: [x: number, y: number, z: number][]) =>
  new THREE.QuaternionKeyframeTrack(`${name}.quaternion`, times, angles.flatMap((angle) => new THREE.Quaternion().setFromEuler(new THREE.Euler(...angle)).toArray()));
const move = (name: string, times: number[], values: number[]) => new THREE.VectorKeyframeTrack(`${name}.position`, times, values);

const wave = () => new THREE.AnimationClip('wave', -1, [
  turn('arm', [0, 0.4, 1], [0, 0, 0], [1.2, 0.3, -0.4], [0.1, 2.5, 0.2]),
  turn('hand', [0, 0.5, 1], [0, 0, 0], [0, -1.5, 0], [0.5, 0, 0]),
  move('hand', [0, 1], [0, 1, 0, 0.5, 1.5, 0]),
]);
const nod = () => new THREE.AnimationClip('nod', -1, [turn('arm', [0, 0.7], [0.2, 0, 0], [-0.8, 0.4, 1]), move('box', [0, 0.35, 0.7], [0, 0, 0, 1, 2, 3, 0, 0, 1])]);

/** Frames of a program that is given the actions of `wave` and `nod`. */
type Program = (side: Side & { a: THREE.AnimationAction; b: THREE.AnimationAction }, frame: number) => void;

const at = (...when: [frame: number, act: (side: Parameters<Program>[0]) => void][]): Program => (side, frame) => {
  for (const [then, act] of when) if (then === frame) act(side);
};

const PROGRAMS: [what: string, program: Program, dt?: (frame: number) => number][] = [
  ['a loop', at([0, ({ a }) => a.play()])],
  ['nothing plays, nothing moves', at()],
  ['once, which restores what was', at([0, ({ a }) => { a.setLoop(THREE.LoopOnce, 1); a.play(); }])],
  ['once by the property alone', at([0, ({ a }) => { a.loop = THREE.LoopOnce; a.play(); }])],
  ['once, and it holds its last pose', at([0, ({ a }) => { a.loop = THREE.LoopOnce; a.clampWhenFinished = true; a.play(); }], [50, ({ a }) => a.reset()])],
  ['three times to and fro', at([0, ({ a }) => a.setLoop(THREE.LoopPingPong, 3).play()])],
  ['two times to and fro, clamped', at([0, ({ a }) => { a.clampWhenFinished = true; a.setLoop(THREE.LoopPingPong, 2).play(); }])],
  ['two rounds', at([0, ({ a }) => a.setLoop(THREE.LoopRepeat, 2).play()])],
  ['no round at all', at([0, ({ a }) => a.setLoop(THREE.LoopRepeat, 0).play()])],
  ['backwards', at([0, ({ a }) => { a.timeScale = -1; a.play(); }])],
  ['backwards once from the end', at([0, ({ a }) => { a.timeScale = -1; a.time = 1; a.setLoop(THREE.LoopOnce, 1).play(); }])],
  ['the mixer backwards', at([0, ({ a }) => a.play()], [20, ({ mixer }) => (mixer.timeScale = -0.5)])],
  ['negative steps', at([0, ({ a, b }) => { a.play(); b.play(); }]), (frame) => (frame < 25 ? DT : -DT)],
  ['steps of none, of an hour and back', at([0, ({ a, b }) => { a.play(); b.setLoop(THREE.LoopPingPong, Infinity).play(); }]), (frame) => [DT, 0, 3600, 0, -3600][frame % 5]!],
  ['later', at([0, ({ a }) => a.startAt(0.5).play()])],
  ['slower and slower', at([0, ({ a }) => a.play()], [10, ({ a }) => a.halt(0.5)], [40, ({ a }) => { a.paused = false; }])],
  ['warped', at([0, ({ a }) => a.play()], [5, ({ a }) => a.warp(1, 3, 0.5)], [30, ({ a }) => a.stopWarping()])],
  ['as long as it is told', at([0, ({ a }) => a.setDuration(0.3).play()])],
  ['in time with another', at([0, ({ a }) => a.play()], [12, ({ a, b }) => b.syncWith(a).play()])],
  ['effective weights and speeds', at([0, ({ a }) => a.setEffectiveWeight(0.4).setEffectiveTimeScale(2).play()], [20, ({ a }) => a.setEffectiveWeight(1).setEffectiveTimeScale(-1)])],
  ['half a weight, half of what was', at([0, ({ a }) => { a.weight = 0.5; a.play(); }])],
  ['a weight of more than one', at([0, ({ a, b }) => { a.weight = 3; a.play(); b.play(); }])],
  ['two at once', at([0, ({ a, b }) => { a.play(); b.play(); }])],
  ['two at small weights', at([0, ({ a, b }) => { a.weight = 0.2; b.weight = 0.3; a.play(); b.play(); }])],
  ['in from nothing, and out', at([0, ({ a }) => a.fadeIn(0.5).play()], [30, ({ a }) => a.fadeOut(0.3)])],
  ['one into the other', at([0, ({ a }) => a.play()], [10, ({ a, b }) => { b.play(); a.crossFadeTo(b, 0.5); }])],
  ['one into the other, warped', at([0, ({ a }) => a.play()], [10, ({ a, b }) => { b.play(); b.crossFadeFrom(a, 0.5, true); }])],
  ['a fade that is interrupted', at([0, ({ a }) => a.play()], [5, ({ a, b }) => { b.play(); a.crossFadeTo(b, 1); }], [15, ({ a, b }) => { a.reset(); b.crossFadeTo(a, 0.5); }])],
  ['a fade that is stopped', at([0, ({ a }) => a.fadeIn(1).play()], [10, ({ a }) => a.stopFading()])],
  ['not enabled', at([0, ({ a, b }) => { a.play(); b.play(); }], [10, ({ a }) => { a.enabled = false; }], [20, ({ a }) => { a.enabled = true; }])],
  ['paused', at([0, ({ a }) => a.play()], [10, ({ a }) => { a.paused = true; }], [20, ({ a }) => { a.paused = false; }])],
  ['stopped and played again', at([0, ({ a, b }) => { a.play(); b.play(); }], [10, ({ a }) => a.stop()], [20, ({ mixer }) => mixer.stopAllAction()], [25, ({ b }) => b.play()])],
  ['put to a time', at([0, ({ a, b }) => { a.play(); b.play(); }], [10, ({ mixer }) => mixer.setTime(0.3)], [20, ({ a }) => { a.time = 0.9; }])],
  ['forgotten', at([0, ({ a, b }) => { a.play(); b.play(); }], [10, ({ mixer, a }) => mixer.uncacheAction(a.getClip())], [20, ({ mixer, a }) => mixer.clipAction(a.getClip()).play()], [30, ({ mixer, b }) => mixer.uncacheClip(b.getClip())], [40, ({ mixer, root }) => mixer.uncacheRoot(root)], [45, ({ mixer, a, b }) => { mixer.clipAction(a.getClip()).play(); mixer.clipAction(b.getClip()).play(); }])],
  ['originals are those of the moment', at([0, ({ a }) => { a.weight = 0.5; a.play(); }], [9, ({ root }) => root.getObjectByName('box')!.position.set(5, 5, 5)], [10, ({ b }) => { b.weight = 0.5; b.play(); }], [20, ({ b }) => b.stop()])],
];

test('every program does what it does under three.js', async () => {
  for (const [what, program, dt = () => DT] of PROGRAMS) {
    const sides = await twoSides(stage);
    const actions = sides.map(({ mixer }) => ({ a: mixer.clipAction(wave()), b: mixer.clipAction(nod()) }));
    try {
      play(sides, 60, (side, frame) => {
        const { a, b } = actions[sides.indexOf(side)]!;
        program({ ...side, a, b }, frame);
        side.mixer.update(dt(frame));
      }, what.includes('hour') ? 1e-4 : 1e-5);
      const state = ({ a, b }: (typeof actions)[number]) => [a, b].map((action) => [
        action.time, action.enabled, action.paused, action.timeScale, action.weight, action.isRunning(), action.isScheduled(),
        action.getEffectiveWeight(), action.getEffectiveTimeScale(), action.repetitions, action.loop,
      ]);
      assert.deepEqual(state(actions[1]!), state(actions[0]!));
    } catch (error) {
      throw new Error(what, { cause: error });
    }
  }
});

test('it is the class of three.js, with its defaults', async () => {
  const [theirs, ours] = await twoSides(stage);
  const clip = wave();
  const [action, own] = [theirs.mixer.clipAction(clip), ours.mixer.clipAction(clip)];
  assert.ok(ours.mixer instanceof THREE.AnimationMixer && ours.mixer instanceof AnimationMixer);
  assert.equal(own.constructor, action.constructor);
  assert.equal(ours.mixer.clipAction(clip), own);
  assert.equal(ours.mixer.existingAction(clip), own);
  assert.equal(ours.mixer.existingAction(nod()), null);
  assert.equal(own.getClip(), clip);
  assert.equal(own.getMixer(), ours.mixer);
  assert.equal(ours.mixer.getRoot(), ours.root);
  for (const name of ['blendMode', 'loop', 'time', 'timeScale', 'weight', 'repetitions', 'paused', 'enabled', 'clampWhenFinished', 'zeroSlopeAtStart', 'zeroSlopeAtEnd'] as const) {
    assert.equal(own[name], action[name], name);
  }
  // By name, as three.js finds clips: among those of the root.
  ours.root.animations = [clip];
  assert.equal(ours.mixer.clipAction('wave' as unknown as THREE.AnimationClip), own);
  ours.mixer.uncacheClip(clip);
  assert.equal(ours.mixer.existingAction(clip), null);
});

test('clips that move one node each do not share their weights', async () => {
  const root = () => {
    const group = new THREE.Group();
    for (const name of ['a', 'b', 'c']) group.add(Object.assign(new THREE.Object3D(), { name }));
    return group;
  };
  const sides = await twoSides(root);
  const clips = ['a', 'b', 'c'].map((name) => new THREE.AnimationClip(name, 1, [move(name, [0, 1], [1, 0, 0, 1, 0, 0])]));
  // Of one node, too: position by one clip, scale by another.
  clips.push(new THREE.AnimationClip('scale', 1, [new THREE.VectorKeyframeTrack('a.scale', [0, 1], [2, 2, 2, 2, 2, 2])]));
  for (const { mixer } of sides) for (const clip of clips) mixer.clipAction(clip).play();
  play(sides, 3, ({ mixer }) => void mixer.update(DT));
  assert.deepEqual(sides[1].root.children.map(({ position }) => position.x), [1, 1, 1]);
  assert.equal(sides[1].root.children[0]!.scale.x, 2);
});

test('clips last as long as they say, beyond their last key or cut off before it', async () => {
  for (const duration of [1.7, 0.6]) {
    for (const loop of [THREE.LoopRepeat, THREE.LoopPingPong, THREE.LoopOnce] as const) {
      const sides = await twoSides(stage);
      for (const { mixer } of sides) {
        const clip = wave();
        clip.duration = duration;
        mixer.clipAction(clip).setLoop(loop, Infinity).play();
      }
      play(sides, 80, ({ mixer }) => mixer.update(DT));
    }
  }
});

test('additive clips are added, at any weight, beside others and by themselves', async () => {
  const gltf = await loadHero();
  const [run, waving, jump] = [named(gltf, 'Run'), ...['Wave', 'Jump'].map((name) => THREE.AnimationUtils.makeClipAdditive(named(gltf, name).clone()))] as [THREE.AnimationClip, THREE.AnimationClip, THREE.AnimationClip];
  for (const weight of [0, 0.25, 0.8, 1, 1.5]) {
    for (const clips of [[run, waving], [waving], [run, jump], [run, waving, jump]]) {
      const sides = await twoSides(gltf.scene);
      play(sides, 30, ({ mixer }, frame) => {
        if (frame === 0) for (const clip of clips) {
          const action = mixer.clipAction(clip).play();
          if (clip !== run) action.weight = weight;
        }
        mixer.update(DT);
      }, 1e-4);
    }
  }
  // By the third argument; with one clip both ways.
  const sides = await twoSides(gltf.scene);
  play(sides, 20, ({ mixer }, frame) => {
    if (frame === 0) {
      mixer.clipAction(run).play();
      const added = mixer.clipAction(jump, undefined, THREE.AdditiveAnimationBlendMode).play();
      assert.equal(added.blendMode, THREE.AdditiveAnimationBlendMode);
    }
    mixer.update(DT);
  });
});

test('what the module does not play, three.js plays: materials, visible, morphs, components, smooth curves, the root', async () => {
  const number = (name: string, ...values: number[]) => new THREE.NumberKeyframeTrack(name, values.map((_, index) => index / (values.length - 1)), values);
  const smooth = move('arm', [0, 0.3, 0.8, 1], [0, 0, 0, 1, 2, 0, -1, 0, 3, 0, 1, 0]);
  smooth.setInterpolation(THREE.InterpolateSmooth);
  const clip = new THREE.AnimationClip('all', 2, [
    new THREE.ColorKeyframeTrack('box.material.color', [0, 1], [1, 0, 0, 0, 0, 1]),
    number('box.material.opacity', 1, 0),
    new THREE.BooleanKeyframeTrack('box.visible', [0, 0.5], [true, false]),
    new THREE.NumberKeyframeTrack('box.morphTargetInfluences', [0, 1], [0, 0, 1, 0.5]),
    number('hand.position[y]', 0, 2),
    number('box.rotation[x]', 0, 1),
    number('box.morphTargetInfluences[frown]', 0, 1),
    smooth,
    move('', [0, 1], [0, 0, 0, 5, 0, 0]),
    new THREE.QuaternionKeyframeTrack('root.quaternion', [0, 1], [0, 0, 0, 1, 0, 1, 0, 0]),
    turn('hand', [0.2, 0.8], [0, 0, 0], [2, 0, 0]),
    new THREE.VectorKeyframeTrack('arm.scale', [0, 0.25, 0.5], [1, 1, 1, 2, 1, 1, 1, 3, 1], THREE.InterpolateDiscrete),
  ]);
  // The same property in the module's way: blended with the smooth one, not fought over.
  const other = new THREE.AnimationClip('other', 1, [move('arm', [0, 1], [1, 1, 1, 2, 2, 2]), turn('arm', [0, 1], [0, 0, 0], [1, 1, 1])]);
  for (const order of [[clip, other], [other, clip]]) {
    const sides = await twoSides(stage);
    play(sides, 90, ({ mixer, root }, frame) => {
      if (frame === 0) for (const one of order) mixer.clipAction(one).play();
      if (frame === 80) mixer.stopAllAction();
      mixer.update(DT);
      void root;
    });
    const rest = ({ root }: Side) => {
      const box = root.getObjectByName('box') as THREE.Mesh<THREE.BoxGeometry, THREE.MeshStandardMaterial>;
      return [box.visible, box.morphTargetInfluences, box.material.opacity, box.material.color.toArray()];
    };
    assert.deepEqual(rest(sides[1]), rest(sides[0]));
  }
});

test('an action that was forgotten can be played again, where three.js fails', async () => {
  const [, { root, mixer }] = await twoSides(stage);
  const action = mixer.clipAction(wave()).play();
  mixer.update(DT);
  const before = root.getObjectByName('hand')!.position.clone();
  mixer.uncacheAction(action.getClip());
  assert.ok(!root.getObjectByName('hand')!.position.equals(before));
  action.reset().play();
  mixer.update(DT);
  assert.ok(root.getObjectByName('hand')!.position.equals(before));
});

test('a clip for nobody is told by three.js', async () => {
  const sides = await twoSides(stage);
  const warnings: string[] = [];
  const { warn } = console;
  console.warn = (...words: unknown[]) => warnings.push(words.join(' '));
  try {
    const clip = new THREE.AnimationClip('elsewhere', 1, [move('nobody', [0, 1], [0, 0, 0, 1, 1, 1]), move('hand', [0, 1], [0, 0, 0, 1, 1, 1])]);
    play(sides, 5, ({ mixer }, frame) => {
      if (frame === 0) mixer.clipAction(clip).play();
      mixer.update(DT);
    });
  } finally {
    console.warn = warn;
  }
  assert.equal(warnings.filter((text) => text.includes('No target node found for track: nobody.position')).length, 2, warnings.join());
});

test('clips that were edited in place are played as they are when an action is made', async () => {
  const sides = await twoSides(stage);
  const clip = wave();
  const [first] = sides;
  first.mixer.clipAction(nod());
  sides[1].mixer.clipAction(clip);
  sides[1].mixer.uncacheClip(clip);
  for (const track of clip.tracks) if (track.name === 'hand.position') for (let index = 0; index < track.values.length; index++) track.values[index]! *= 3;
  play(sides, 10, ({ mixer }, frame) => {
    if (frame === 0) mixer.clipAction(clip).play();
    mixer.update(DT);
  });
  assert.ok(apart(sides) < 1e-6);
});

test('other roots, and groups of objects', async () => {
  const sides = await twoSides(stage);
  const lift = new THREE.AnimationClip('lift', 1, [move('', [0, 1], [0, 0, 0, 0, 2, 0])]);
  play(sides, 20, ({ mixer, root }, frame) => {
    if (frame === 0) {
      mixer.clipAction(wave()).play();
      mixer.clipAction(lift, root.getObjectByName('box')!).play();
    }
    mixer.update(DT);
  });
  const group = () => {
    const pair = [new THREE.Object3D(), new THREE.Object3D()];
    return { pair, group: new THREE.AnimationObjectGroup(...pair) };
  };
  const [theirs, ours] = [group(), group()];
  const mixers = [new THREE.AnimationMixer(theirs.group), new AnimationMixer(ours.group)];
  for (const mixer of mixers) {
    mixer.clipAction(lift).play();
    mixer.update(0.3);
  }
  assert.deepEqual(ours.pair.map(({ position }) => position.y), theirs.pair.map(({ position }) => position.y));
});
