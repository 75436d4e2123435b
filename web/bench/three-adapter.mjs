// canter/three beside three's own mixer: update with matrices, two clips, 100 characters; and cloning.
//
// `node web/bench/three-adapter.mjs` prints a table. Both in turns, each in a process of its own, since a JavaScript engine
// compiles three's functions for what it has seen; by the time on the CPU. Build with `cargo xtask web` first.
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

import * as THREE from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';

import { RIGS } from './three-rigs.mjs';

const CHARACTERS = Number(process.env.CHARACTERS ?? 100);
const ROUNDS = Number(process.env.ROUNDS ?? 5);

/** Microseconds of a character's frame and of its cloning: the least of many. */
async function measure(engine, rig) {
  const { scene, clips } = await RIGS[rig]();
  const { AnimationMixer } = engine === 'three' ? THREE : await import('canter/three');
  if (engine === 'canter') await AnimationMixer.create(new THREE.Group(), clips);
  const world = new THREE.Scene();
  const make = (index) => {
    const root = clone(scene);
    const mixer = new AnimationMixer(root);
    const [a, b] = clips.map((clip) => mixer.clipAction(clip).play());
    [a.time, b.time] = [(0.037 * index) % a.getClip().duration, (0.051 * index) % b.getClip().duration];
    return { root, mixer, a, b };
  };
  const cloning = [];
  let characters = [];
  for (let round = 0; round < 8; round++) {
    const start = process.cpuUsage();
    characters = Array.from({ length: CHARACTERS }, (_, index) => make(index));
    // What is put off until the first frame belongs to it.
    for (const { root, mixer } of characters) {
      mixer.update(0);
      root.updateMatrixWorld();
    }
    const { user, system } = process.cpuUsage(start);
    cloning.push(user + system);
  }
  const skeletons = [];
  for (const { root } of characters) {
    world.add(root);
    root.traverse((object) => object.isSkinnedMesh && skeletons.push(object.skeleton));
  }
  let frame = 0;
  const step = () => {
    const weight = 0.5 + 0.4 * Math.sin(0.01 * frame++);
    for (const { mixer, a, b } of characters) {
      [a.weight, b.weight] = [weight, 1 - weight];
      mixer.update(1 / 60);
    }
    world.updateMatrixWorld();
    for (const skeleton of skeletons) skeleton.update();
  };
  for (let warm = 0; warm < 200; warm++) step();
  let best = Infinity;
  for (let round = 0; round < 400; round++) {
    const start = process.cpuUsage();
    step();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, user + system);
  }
  return { update: best / CHARACTERS, cloning: Math.min(...cloning) / CHARACTERS };
}

const [, , engine, rig] = process.argv;
if (engine !== undefined) {
  console.log(JSON.stringify(await measure(engine, rig)));
} else {
  const script = fileURLToPath(import.meta.url);
  console.log(`| ${CHARACTERS} characters, two clips | three: update with matrices | canter/three | times | three: cloning | canter/three | times |`);
  console.log('|---|---|---|---|---|---|---|');
  for (const name of Object.keys(RIGS)) {
    const best = {};
    for (let round = 0; round < ROUNDS; round++) {
      for (const which of ['three', 'canter']) {
        const found = JSON.parse(execFileSync(process.execPath, [script, which, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }));
        for (const [what, micros] of Object.entries(found)) best[`${which} ${what}`] = Math.min(best[`${which} ${what}`] ?? Infinity, micros);
      }
    }
    const cell = (what) => {
      const [theirs, ours] = [best[`three ${what}`], best[`canter ${what}`]];
      return `${theirs.toFixed(1)} µs | ${ours.toFixed(1)} µs | ${what === 'update' ? (theirs / ours).toFixed(1) : (ours / theirs).toFixed(2)}`;
    };
    console.log(`| ${name} | ${cell('update')} | ${cell('cloning')} |`);
  }
  console.log(`\nMachine: ${cpus()[0].model.trim()}, ${cpus().length} cores, Node ${process.versions.node}.`);
}
