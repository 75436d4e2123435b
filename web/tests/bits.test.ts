// The same bits as the native build: both builds of the module, fifteen seconds of crossfades and masked actions, then also
// layers, additive clips and the other kinds of fades, then ten seconds by root motion, in step, with markers; hero and real models.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  AnimationMixer, BoneMask, CanterError, createRuntime, loadGltf, type AnimationClip, type Asset, type Fade, type Runtime,
  type SyncOption,
} from 'canter';

import { HERO, runNative, sharedModels } from './common.js';

const FRAMES = 900;
const FRAMES_PER_CLIP = 45;
const FRAMES_TO_MASKED = 20;
const LAYERS_FROM = 450;
const TRAVELLING_FRAMES = 600;

function hash(start: number, words: Float32Array): number {
  return hashWords(start, new Uint32Array(words.buffer, words.byteOffset, words.length));
}

function hashWords(start: number, words: ArrayLike<number>): number {
  let state = start;
  for (let index = 0; index < words.length; index++) state = Math.imul(state ^ words[index]!, 16777619);
  return state;
}

/** Layers above, as in examples/pose_hashes.rs: one over a part of the skeleton, and one that adds. */
function makeLayers(asset: Asset, mixer: AnimationMixer, clips: readonly AnimationClip[], mask: BoneMask): (frame: number) => void {
  const upper = mixer.addLayer({ mask: mask.feathered(2), weight: 0.75 });
  const adding = mixer.addLayer({ mode: 'additive' });
  const additive = clips.map((clip, index) => {
    const reference = (['rest', 'first-key', { clip: clips[0]!, time: 0.25 }] as const)[index % 3]!;
    try {
      return asset.additive(clip, { reference });
    } catch (error) {
      assert.ok(error instanceof CanterError);
      return undefined;
    }
  });
  const fades: Fade[] = [{ duration: 0.4, kind: 'dead' }, { duration: 0.2 }, { duration: 0.25, kind: 'inertial' }];
  return (frame) => {
    const turn = Math.floor(frame / FRAMES_PER_CLIP);
    const [at, fade, added] = [frame % FRAMES_PER_CLIP, fades[turn % 3]!, additive[turn % clips.length]];
    const after = { 5: 1, 15: 2 }[at];
    if (after !== undefined && clips.length > 0) upper.crossFadeTo(clips[(turn + after) % clips.length]!, fade);
    if (at === 35) upper.fadeOut(fade);
    if (at === 25) upper.fadeWeight(turn % 2 === 0 ? 0.5 : 1, 0.3);
    if (at === 10 && added) adding.crossFadeTo(added, fade);
  };
}

/** The same as examples/pose_hashes.rs. */
function hashes(asset: Asset): string[] {
  const { skeleton } = asset;
  const clips = [...asset.clips];
  const mixer = new AnimationMixer(asset);
  const morphs = asset.nodes.filter((node) => node.morph !== undefined).map((node) => node.morph!);
  if (clips[0]) mixer.play(clips[0]);
  const mask = BoneMask.subtree(skeleton, skeleton.bones.length >> 1).set(0, 0.25);
  const kinds = ['cross', 'inertial', 'dead'] as const;
  let direct: ((frame: number) => void) | undefined;
  const frames = [];
  for (let frame = 0; frame < FRAMES; frame++) {
    const clip = clips[Math.floor(frame / FRAMES_PER_CLIP) % clips.length];
    if (frame === LAYERS_FROM) direct = makeLayers(asset, mixer, clips, mask);
    direct?.(frame);
    const kind = direct ? kinds[Math.floor(frame / FRAMES_PER_CLIP) % 3]! : 'cross';
    if (clip && frame % FRAMES_PER_CLIP === 0) mixer.crossFadeTo(clip, { duration: 0.3, kind });
    if (clip && frame % FRAMES_PER_CLIP === FRAMES_TO_MASKED) {
      mixer.play(clip, { loop: 'once', speed: 1.5, weight: 0.5, fadeIn: 0.1, mask });
    }
    mixer.update(1 / 60);
    let state = hash(0x811c9dc5, (skeleton as unknown as { _modelRows: Float32Array })._modelRows);
    for (const skin of asset.skins) state = hash(state, skeleton.boneMatricesOf(skin));
    for (const morph of morphs.sort((a, b) => a - b)) state = hash(state, skeleton.morphWeights(morph));
    frames.push((state >>> 0).toString(16).padStart(8, '0'));
  }
  mixer.dispose();
  return frames;
}

/** The same as `travelling_hashes` there. */
function travellingHashes(asset: Asset): string[] {
  const { skeleton } = asset;
  const clips = [...asset.clips];
  const mixer = new AnimationMixer(asset);
  const groups: SyncOption[] = [0, { group: 1, by: 'cycle' }];
  const fades: Fade[] = [{ duration: 0.4 }, { duration: 0.3, kind: 'inertial' }, { duration: 0.3, kind: 'dead' }];
  const frames = [];
  for (let frame = 0; frame < TRAVELLING_FRAMES; frame++) {
    const turn = Math.floor(frame / FRAMES_PER_CLIP);
    const index = turn % clips.length;
    const clip = clips[index];
    if (clip && frame % FRAMES_PER_CLIP === 0) {
      const sync = groups[(index % 7) % 3];
      const isGiven = index % 2 === 1 && (clip.groundSpeed ?? 0) > 1e-6;
      mixer.crossFadeTo(clip, fades[Math.floor(turn / 4) % 3]!, { ...(sync !== undefined && { sync }), ...(isGiven && { groundSpeed: 1.5 }) });
    }
    mixer.update({ 7: 0, 20: 0.4 }[frame % 50] ?? 1 / 60);
    let state = hash(0x811c9dc5, (skeleton as unknown as { _modelRows: Float32Array })._modelRows);
    state = hash(state, mixer.rootMotion);
    state = hash(state, Float32Array.from([...mixer.rootVelocity, mixer.rootYawRate]));
    for (const { name, kind, backward, loops, weight, secondsAgo } of mixer.markers()) {
      state = hashWords(state, [...new TextEncoder().encode(name), ['at', 'enter', 'leave'].indexOf(kind), backward ? 1 : 0, loops]);
      state = hash(state, Float32Array.from([weight, secondsAgo]));
    }
    frames.push((state >>> 0).toString(16).padStart(8, '0'));
  }
  mixer.dispose();
  return frames;
}

const models = [{ name: 'hero', file: HERO }, ...sharedModels()];
const native = runNative('pose_hashes', models.map(({ file }) => file)).split('\n');

for (const simd of [true, false]) {
  test(`poses are those of the native build, ${simd ? 'with' : 'without'} SIMD`, async (context) => {
    const runtime: Runtime = await createRuntime({ simd });
    assert.equal(runtime.simd, simd);
    for (const [index, { name, file }] of models.entries()) {
      await context.test(name, async () => {
        using asset = await loadGltf(file, { runtime, matrices: 'mat3x4', images: false });
        using travelling = await loadGltf(file, { runtime, images: false, rootMotion: true });
        const [found, expected] = [[...hashes(asset), ...travellingHashes(travelling)], native[index]!.split(' ')];
        const frame = found.findIndex((hash, frame) => hash !== expected[frame]);
        assert.deepEqual([found.length, frame], [expected.length, -1], 'frames, and the first that differs');
      });
    }
  });
}
