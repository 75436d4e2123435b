// The same bits as the native build: ten seconds by the hero's graph, and five of every solver, in both builds of the module.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { AnimationMixer, createRuntime, loadGltf, type Asset, type Skeleton } from 'canter';
import { AnimationGraph, type GraphEvent } from 'canter/graph';
import { ChainIK, Constraints, Feet, LookAt, Mirror, Springs, Twist, TwoBoneIK, type GroundFunction, type Reach } from 'canter/rig';

import { HERO, ROOT, runNative } from './common.js';

const GRAPH = join(ROOT, 'assets/hero.graph.json');
const GRAPH_FRAMES = 600;
const SOLVER_FRAMES = 300;

class Hash {
  #state = 0x811c9dc5;

  constructor(skeleton: Skeleton) {
    this.numbers((skeleton as unknown as { _modelRows: Float32Array })._modelRows);
  }

  word(word: number): void {
    this.#state = Math.imul(this.#state ^ word, 16777619);
  }

  numbers(numbers: Float32Array): void {
    for (const word of new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.length)) this.word(word);
  }

  text(text: string): void {
    for (const byte of new TextEncoder().encode(text)) this.word(byte);
  }

  toString(): string {
    return (this.#state >>> 0).toString(16).padStart(8, '0');
  }
}

/** This and all that follows is the same as in crates/canter-wasm/examples/motion_hashes.rs. */
function stepSecs(frame: number): number {
  return { 7: 0, 20: 0.4 }[frame % 50] ?? 1 / 60;
}

function ramp(frame: number, frames: number, scale: number): number {
  return Math.fround(Math.fround((frame % frames) / scale) - 1);
}

function graphHashes(asset: Asset): string[] {
  using graph = new AnimationGraph(readFileSync(GRAPH, 'utf8'), asset.skeleton.clone());
  const { parameters, skeleton } = graph;
  let told: GraphEvent[] = [];
  for (const type of ['enter', 'leave', 'marker'] as const) graph.addEventListener(type, (event) => told.push(event));
  const frames: string[] = [];
  for (let frame = 0; frame < GRAPH_FRAMES; frame++) {
    parameters.set('forward', ramp(frame, 192, 48)).set('left', ramp(frame, 160, 80)).set('turn', ramp(frame, 96, 48));
    for (const [every, trigger] of [[37, 'jump'], [61, 'attack'], [113, 'wave']] as const) {
      if (frame % every === every - 1) parameters.trigger(trigger);
    }
    told = [];
    graph.update(stepSecs(frame));
    const hash = new Hash(skeleton);
    for (const layer of graph.layers) hash.text(layer.state);
    for (const event of told) {
      if (event.type !== 'enter' && event.type !== 'leave') continue;
      hash.word(event.type === 'enter' ? 1 : 0);
      hash.text(event.state);
      hash.numbers(Float32Array.of(event.secondsAgo));
    }
    for (const event of told) {
      if (event.type !== 'marker') continue;
      hash.text(event.name);
      hash.numbers(Float32Array.of(event.weight, event.secondsAgo));
    }
    frames.push(String(hash));
  }
  skeleton.dispose();
  return frames;
}

type Solve = (frame: number) => Reach | unknown;

function run(skeleton: Skeleton, clip: Parameters<AnimationMixer['play']>[0], solve: Solve): string[] {
  using mixer = new AnimationMixer(skeleton);
  mixer.play(clip);
  const frames: string[] = [];
  for (let frame = 0; frame < SOLVER_FRAMES; frame++) {
    mixer.update(stepSecs(frame));
    skeleton.matrix.set([0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0.5, ramp(frame, 128, 512), ramp(frame, 300, 64), 1]);
    const reach = solve(frame);
    const hash = new Hash(skeleton);
    if (typeof reach === 'object' && reach !== null && 'reached' in reach) {
      const { reached, remaining } = reach as Reach;
      hash.word(reached ? 1 : 0);
      hash.numbers(Float32Array.of(remaining));
    }
    frames.push(String(hash));
  }
  return frames;
}

const ground: GroundFunction = (_x, _y, z) => (z > -0.5 ? { height: Math.floor(z * 2) / 16, normal: [0.125, 1, 0.0625] } : undefined);

const SOLVERS: Record<string, (skeleton: Skeleton) => Solve> = {
  two_bone(skeleton) {
    const arm = new TwoBoneIK(skeleton, { bones: ['upper_arm_R', 'forearm_R', 'hand_R'], soften: 0.9, maxStretch: 1.25 });
    const ends = ['follow', 'keep', [0.5, -0.5, 0.5, 0.5]] as const;
    return (frame) => arm.apply({
      target: [ramp(frame, 64, 32), 1.25, ramp(frame, 96, 64)],
      ...(frame % 2 === 0 && { pole: { x: -2, y: 1, z: -1 } }),
      twist: ramp(frame, 32, 16),
      end: ends[frame % 3]!,
      weight: frame % 5 === 0 ? 0.75 : 1,
    });
  },
  look_at(skeleton) {
    const bones = [{ bone: 'chest', share: 0.25, limit: 0.5 }, { bone: 'neck', share: 0.5 }, { bone: 'head', share: 1 }];
    const look = new LookAt(skeleton, { bones, eye: [0, 0.125, 0.0625], fadeBehind: [2, 2.5] });
    return (frame) => look.apply({
      target: [4 * ramp(frame, 64, 32), 1.5, ramp(frame, 96, 16)],
      ...(frame % 2 === 0 && { up: [0.25, 1, 0] as const }),
    });
  },
  chain(skeleton) {
    const free = new ChainIK(skeleton, { bones: ['spine', 'chest', 'neck', 'head'], soften: 0.9 });
    const cones = new ChainIK(skeleton, {
      bones: [{ bone: 'spine', limit: { cone: 0.5 } }, { bone: 'chest', limit: { cone: 0.25 } }, 'neck', 'head'],
    });
    const limit = { axis: [1, 0, 0], min: -1, max: 0.5 } as const;
    const hinges = new ChainIK(skeleton, { bones: [{ bone: 'scarf_long_1', limit }, { bone: 'scarf_long_2', limit }, 'scarf_long_3'] });
    return (frame) => [free, cones, hinges][frame % 3]!.apply({
      target: [0.5 * ramp(frame, 64, 32), 1.25, ramp(frame, 96, 96)],
      ...(frame % 2 === 0 && { pole: [0, 1, -1] as const }),
      end: frame % 4 === 1 ? 'keep' : 'follow',
    });
  },
  feet(skeleton) {
    const feet = new Feet(skeleton, {
      pelvis: 'hips', legs: [['thigh_L', 'shin_L', 'foot_L'], ['thigh_R', 'shin_R', 'foot_R']], reach: 0.5, release: 0.25,
    });
    return (frame) => {
      if (frame === 200) feet.reset();
      return feet.update(stepSecs(frame), ground, { contacts: [undefined, frame % 60 < 30], weight: frame % 70 === 9 ? 0.5 : 1 });
    };
  },
  springs(skeleton) {
    const swing = { stiffness: 0.5, drag: 0.25, gravity: [0, -1, 0], wind: 0.5, hitRadius: 0.0625 } as const;
    const springs = new Springs(skeleton, {
      chains: [
        { ...swing, bones: ['scarf_long_1', 'scarf_long_2', { bone: 'scarf_long_3', drag: 0.75 }, 'scarf_long_4'] },
        {
          ...swing, stiffness: 1, bones: ['scarf_short_1', 'scarf_short_2', 'scarf_short_3'], tail: [0, 0.125, 0], center: 'model',
          colliders: [1],
        },
      ],
      colliders: [
        { bone: 'spine', shape: 'sphere', offset: [0, 0.125, 0], radius: 0.25 },
        { bone: 'spine', shape: 'capsule', tail: [0, 0.125, 0], radius: 0.125 },
        { bone: 'hips', shape: 'plane', offset: [0, -1, 0], normal: [0, 1, 0] },
      ],
      teleportDistance: 0.5,
    });
    return (frame) => {
      if (frame === 150) springs.reset();
      if (frame === 220) springs.teleport();
      springs.update(stepSecs(frame), { wind: [ramp(frame, 64, 32), 0, 0.5], weight: frame % 40 === 3 ? 0.5 : 1 });
    };
  },
  constraints(skeleton) {
    const constraints = new Constraints(skeleton, [
      { bone: 'eye_L', source: 'hand_R', kind: 'aim', axis: [0, 0, 1] },
      { bone: 'forearm_L', source: 'hand_L', kind: 'roll', axis: [0, 1, 0], weight: 0.5 },
      { bone: 'scarf_long_1', source: 'thigh_L', kind: 'rotation' },
      { bone: 'scarf_short_1', source: 'scarf_long_1', kind: 'copy', offset: [0.5, 0.5, 0.5, 0.5], limit: 0.25 },
    ]);
    return () => constraints.apply();
  },
  twist(skeleton) {
    const twist = new Twist(skeleton, { source: 'thigh_L', axis: [0, 1, 0], bones: [{ bone: 'shin_L', share: 0.5 }] });
    return () => twist.apply();
  },
  mirror(skeleton) {
    const mirror = new Mirror(skeleton);
    return () => mirror.apply();
  },
};

const lines = runNative('motion_hashes', [HERO, GRAPH]).split('\n');
const native = new Map(lines.map((line) => [line.slice(0, line.indexOf(' ')), line.split(' ').slice(1)]));

for (const simd of [true, false]) {
  test(`graphs and solvers do what those of the native build do, ${simd ? 'with' : 'without'} SIMD`, async (context) => {
    const runtime = await createRuntime({ simd, motion: true });
    assert.equal(runtime.simd, simd);
    using asset = await loadGltf(HERO, { runtime });
    const runs: Record<string, () => string[]> = { graph: () => graphHashes(asset) };
    for (const [name, make] of Object.entries(SOLVERS)) {
      runs[name] = () => {
        using skeleton = asset.skeleton.clone();
        return run(skeleton, 'Walk', make(skeleton));
      };
    }
    runs['mirrored_clip'] = () => {
      using skeleton = asset.skeleton.clone();
      return run(skeleton, new Mirror(skeleton).clip('Attack'), () => undefined);
    };
    assert.deepEqual(Object.keys(runs), [...native.keys()]);
    for (const [name, hashes] of Object.entries(runs)) {
      await context.test(name, () => {
        const [found, expected] = [hashes(), native.get(name)!];
        const frame = found.findIndex((hash, frame) => hash !== expected[frame]);
        assert.deepEqual([found.length, frame], [expected.length, -1], 'frames, and the first that differs');
      });
    }
  });
}
