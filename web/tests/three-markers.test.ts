// Markers of clips under three.js: each is told once, however long or short the steps are.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AnimationMixer, type MarkerEvent } from 'canter/three';
import * as THREE from 'three';

import { loadHero, named } from './three-sides.js';

interface Played {
  names: string[];
  events: MarkerEvent[];
  mixer: AnimationMixer;
  action: THREE.AnimationAction;
}

/** A clip of a second, and what is told of it in steps of one length. */
function play(markers: unknown, step: number, steps: number, set: (action: THREE.AnimationAction) => void = () => {}): Played {
  const clip = new THREE.AnimationClip('clip', 1, [new THREE.VectorKeyframeTrack('.position', [0, 1], [0, 0, 0, 1, 0, 0])]);
  (clip as { userData?: object }).userData = { markers };
  const mixer = new AnimationMixer(new THREE.Group());
  const events: MarkerEvent[] = [];
  mixer.addEventListener('marker', (event) => void events.push(event));
  const action = mixer.clipAction(clip);
  set(action);
  action.play();
  for (let index = 0; index < steps; index++) mixer.update(step);
  return { names: events.map(({ name, kind }) => (kind === 'at' ? name : `${kind} ${name}`)), events, mixer, action };
}

const FEET = [{ name: 'start', time: 0 }, { name: 'left', time: 0.25 }, { name: 'right', time: 0.75 }, { name: 'end', time: 1 }];
const round = ['start', 'left', 'right', 'end'];

test('loops tell each marker once a round, whatever the steps', async () => {
  await AnimationMixer.create(new THREE.Group());
  for (const [step, steps] of [[1 / 64, 192], [1 / 8, 24], [1 / 4, 12], [3 / 4, 4], [3, 1], [1, 3]] as const) {
    const { names } = play(FEET, step, steps);
    // Those at the very end of the last step belong to the next one.
    assert.deepEqual(names.slice(0, 11), [...round, ...round, ...round].slice(0, 11), `steps of ${step}`);
    assert.ok(names.length <= 12, `${names.length} in steps of ${step}`);
  }
});

test('backwards, to and fro, once, twice, scaled and stopped', () => {
  for (const step of [1 / 64, 1 / 8, 1 / 4]) {
    const steps = (seconds: number) => seconds / step;
    const back = play(FEET, step, steps(2), (action) => { action.timeScale = -1; action.time = 1; });
    assert.deepEqual(back.names, ['end', 'right', 'left', 'start', 'end', 'right', 'left'], `back by ${step}`);
    assert.ok(back.events.every(({ backward }) => backward));
    const fro = play(FEET, step, steps(2), (action) => action.setLoop(THREE.LoopPingPong, Infinity));
    assert.deepEqual(fro.names.slice(0, 7), ['start', 'left', 'right', 'end', 'end', 'right', 'left'], `to and fro by ${step}`);
    assert.deepEqual(fro.events.slice(1, 7).map(({ backward }) => backward), [false, false, false, true, true, true]);
    assert.deepEqual(play(FEET, step, steps(3), (action) => action.setLoop(THREE.LoopOnce, 1)).names, round, `once by ${step}`);
    assert.deepEqual(play(FEET, step, steps(5), (action) => action.setLoop(THREE.LoopRepeat, 2)).names, [...round, ...round], `twice by ${step}`);
    assert.deepEqual(play(FEET, step, steps(0.5), (action) => { action.timeScale = 2; }).names, ['start', 'left', 'right'], `twice as fast by ${step}`);
    assert.deepEqual(play(FEET, step, steps(2), (action) => { action.paused = true; }).names, []);
  }
  assert.deepEqual(play(FEET, 100, 1, (action) => action.setLoop(THREE.LoopRepeat, 2)).names, [...round, ...round]);
  assert.deepEqual(play(FEET, -100, 1, (action) => { action.time = 1; action.setLoop(THREE.LoopOnce, 1); }).names, ['end', 'right', 'left', 'start']);
});

test('a step that is told of says how long ago, and what listeners do to the action changes nothing', () => {
  const { events } = play(FEET, 0.5, 1);
  assert.deepEqual(events.map(({ name, secondsAgo, weight }) => [name, secondsAgo, weight]), [['start', 0.5, 1], ['left', 0.25, 1]]);
  const { mixer, events: all, action } = play(FEET, 0.5, 1);
  mixer.addEventListener('loop', () => action.reset());
  mixer.update(0.75);
  assert.deepEqual(all.slice(2).map(({ name, secondsAgo }) => [name, secondsAgo]), [['right', 0.5], ['end', 0.25], ['start', 0.25]]);
});

test('windows are entered and left, and none stays open', () => {
  const window = [{ name: 'blade', time: 0.4, duration: 0.2 }];
  assert.deepEqual(play(window, 1 / 8, 16).names, ['enter blade', 'leave blade', 'enter blade', 'leave blade']);
  assert.deepEqual(play(window, 5, 1, (action) => action.setLoop(THREE.LoopOnce, 1)).names, ['enter blade', 'leave blade']);
  const back = play(window, 1 / 8, 8, (action) => { action.timeScale = -1; action.time = 1; });
  assert.deepEqual(back.names, ['enter blade', 'leave blade']);
  const stopped = play(window, 0.5, 1);
  assert.deepEqual(stopped.names, ['enter blade']);
  stopped.action.stop();
  stopped.mixer.update(0.1);
  assert.equal(stopped.events.at(-1)?.kind, 'leave');
  // It starts within the window: nothing was entered, and nothing is left.
  assert.deepEqual(play(window, 1 / 8, 3, (action) => { action.time = 0.5; }).names, []);
});

test('what is no marker is no marker, and there is an end to them', () => {
  assert.deepEqual(play([null, 3, { name: 'no time' }, { time: 1 }, { name: 'none', time: NaN }, { name: 'never', time: Infinity }], 0.1, 30).names, []);
  assert.deepEqual(play('none', 0.1, 30).names, []);
  const { warn } = console;
  const warnings: string[] = [];
  console.warn = (text: string) => warnings.push(text);
  try {
    assert.equal(play(FEET, 1e6, 1).names.length, 4096);
    assert.equal(play(FEET, Infinity, 1).names.length, 0);
    assert.equal(play(FEET, NaN, 1).names.length, 0);
  } finally {
    console.warn = warn;
  }
  assert.equal(warnings.length, 1);
});

test('the markers of a file are those of its clips', async () => {
  const gltf = await loadHero();
  const walk = named(gltf, 'Walk');
  const mixer = await AnimationMixer.create(gltf.scene);
  const names = new Set<string>();
  mixer.addEventListener('marker', ({ name }) => void names.add(name));
  mixer.clipAction(walk).play();
  for (let frame = 0; frame < 120; frame++) mixer.update(1 / 60);
  assert.ok(names.size >= 2, [...names].join());
});
