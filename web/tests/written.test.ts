// What canter-gltf writes: the Khronos validator finds nothing new in it, and three.js loads it and poses the same.
// The files are those of xtask/src/web/written.rs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import validator from 'gltf-validator';
import * as THREE from 'three';
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';

import { ROOT } from './common.js';

interface Written {
  source: string;
  file: string;
  kind: 'same' | 'added' | 'marked' | 'optimized' | 'quantized' | 'meshopt';
}

const LIST = JSON.parse(readFileSync(join(ROOT, 'target/web/written/list.json'), 'utf8')) as Written[];
const WARNING = 1;
/** What is written in these ways moves exactly as before. */
const LOSSLESS = ['same', 'added', 'marked'];

/** How often the validator reports each error and each warning. */
async function issues(file: string, folder: string): Promise<Map<string, number>> {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), {
    maxIssues: 0,
    externalResourceFunction: async (uri) => new Uint8Array(readFileSync(join(folder, decodeURIComponent(uri)))),
  });
  const counts = new Map<string, number>();
  for (const { code, severity } of report.issues.messages) {
    if (severity <= WARNING) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return counts;
}

test('the validator finds no new errors or warnings', async () => {
  assert.ok(LIST.length >= 7);
  for (const { source, file, kind } of LIST) {
    const [before, after] = [await issues(source, dirname(source)), await issues(file, dirname(source))];
    const fresh = [...after].filter(([code, count]) => count > (before.get(code) ?? 0));
    assert.deepEqual(fresh, [], `${source}, ${kind}`);
  }
});

// Node has none; three.js makes one while it reads buffers from data URIs.
(globalThis as { ProgressEvent?: unknown }).ProgressEvent ??= class extends Event {};

/** How three.js marks tracks of cubic splines. */
const SPLINE = 'isInterpolantFactoryMethodGLTFCubicSpline';
const HEADER = 20;

/** Loads a file without its pictures, which Node cannot decode. */
async function load(file: string, folder: string): Promise<GLTF> {
  const bytes = readFileSync(file);
  const isBinary = bytes.toString('latin1', 0, 4) === 'glTF';
  const length = isBinary ? bytes.readUInt32LE(12) : bytes.length;
  const json = JSON.parse(bytes.toString('utf8', isBinary ? HEADER : 0, (isBinary ? HEADER : 0) + length));
  for (const list of ['images', 'textures', 'samplers']) delete json[list];
  json.materials = json.materials?.map(() => ({}));
  for (const buffer of json.buffers ?? []) {
    if (buffer.uri === undefined || buffer.uri.startsWith('data:')) continue;
    const content = readFileSync(join(folder, decodeURIComponent(buffer.uri)));
    buffer.uri = `data:application/octet-stream;base64,${content.toString('base64')}`;
  }
  const text = Buffer.from(JSON.stringify(json));
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
  if (!isBinary) return loader.parseAsync(text.toString(), '');
  const rest = bytes.subarray(HEADER + length);
  const head = Buffer.alloc(HEADER);
  head.write('glTF', 'latin1');
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(HEADER + padded.length + rest.length, 8);
  head.writeUInt32LE(padded.length, 12);
  head.write('JSON', 16, 'latin1');
  const glb = Buffer.concat([head, padded, rest]);
  return loader.parseAsync(glb.buffer.slice(glb.byteOffset, glb.byteOffset + glb.length) as ArrayBuffer, '');
}

/** Where all nodes are, with a point 3 cm beside each, at some times of a clip. */
function poses({ scene }: GLTF, clip: THREE.AnimationClip): number[][] {
  const mixer = new THREE.AnimationMixer(scene);
  const action = mixer.clipAction(clip).setLoop(THREE.LoopOnce, 1);
  action.clampWhenFinished = true;
  action.play();
  const found: number[][] = [];
  for (let step = 0; step <= 8; step++) {
    mixer.setTime((clip.duration * step) / 8.001);
    scene.updateMatrixWorld(true);
    const numbers: number[] = [];
    scene.traverse((node) => {
      const axis = new THREE.Vector3().setFromMatrixColumn(node.matrixWorld, 0);
      for (const point of [0, 0.03 / Math.max(axis.length(), 1e-6)]) {
        numbers.push(...new THREE.Vector3(point, 0, 0).applyMatrix4(node.matrixWorld).toArray());
      }
    });
    found.push(numbers);
  }
  mixer.stopAllAction();
  mixer.uncacheRoot(scene);
  return found;
}

/** Quaternions of other lengths than one are normalised by Canter, and not by three.js. */
function oddLength(clip: THREE.AnimationClip): number {
  let odd = 0;
  for (const track of clip.tracks.filter(({ name }) => name.endsWith('.quaternion'))) {
    for (let key = 0; key + 4 <= track.values.length; key += 4) {
      odd = Math.max(odd, Math.abs(Math.hypot(...track.values.slice(key, key + 4)) - 1));
    }
  }
  return odd;
}

test('three.js loads what is written, and it moves the same', async () => {
  let compared = 0;
  for (const { source, file, kind } of LIST) {
    const folder = dirname(source);
    const before = await load(source, folder);
    const after = await load(file, folder);
    assert.equal(after.animations.length, before.animations.length + (kind === 'added' ? 1 : 0), file);
    for (const [index, clip] of before.animations.entries()) {
      // Splines have tangents among their values.
      const isSpline = clip.tracks.some((track) => SPLINE in ((track as unknown as { createInterpolant?: object }).createInterpolant ?? {}));
      const twin = after.animations[index]!;
      assert.ok(Math.abs(twin.duration - clip.duration) < 1e-6, `${file}, ${clip.name}`);
      const expected: number[][] = poses(before, clip);
      const found: number[][] = poses(after, twin);
      const size = Math.max(1, ...expected.flat().map(Math.abs));
      const odd = isSpline ? 0 : oddLength(clip);
      const bound = (LOSSLESS.includes(kind) ? 0 : 1.3e-4) + (1e-5 + 4 * Math.min(odd, 0.01)) * size;
      for (const [step, numbers] of expected.entries()) {
        assert.equal(found[step]!.length, numbers.length, file);
        const worst = numbers.reduce((most, number, place) => Math.max(most, Math.abs(number - found[step]![place]!)), 0);
        assert.ok(worst <= bound, `${source}, ${kind}, ${clip.name}, step ${step}: ${worst} m, expected ${bound}`);
      }
      compared++;
    }
  }
  assert.ok(compared >= 50, `${compared} clips`);
});
