// Who of a crowd is drawn, how finely and how often.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { loadGltf, type Asset, type Crowd } from 'canter';

import { HERO, ROOT } from './common.js';

interface Range {
  first: number;
  count: number;
}
interface Field {
  crowd: Crowd;
  most: number;
  hasNewcomers: boolean;
  resize(count: number, yaw: number): unknown[];
  select(view: object, rows: { instances: Float32Array; matrices: number; morphs: number }): Range[];
}
type Mat4 = Float32Array;
const page = <T>(name: string) => import(pathToFileURL(join(ROOT, 'target/web/page', name)).href) as Promise<T>;
const { makeFigure } = await page<{ makeFigure(asset: Asset): Promise<object> }>('figure.js');
const { Field } = await page<{ Field: new (figure: object, size: number) => Field }>('field.js');
const { lookAt, multiply, perspective } = await page<{
  lookAt(eye: number[], target: number[]): Mat4;
  multiply(a: Mat4, b: Mat4): Mat4;
  perspective(fov: number, aspect: number, near: number, far: number, isZeroToOne: boolean): Mat4;
}>('math.js');

const INSTANCE_FLOATS = 8;
const view = (eye: number[], target: number[], isStill = false) => ({
  clipFromWorld: multiply(perspective(0.7, 1.6, 0.1, 500, false), lookAt(eye, target)), eye, pixelsAtOne: 600, isStill,
});

test('near members are drawn finely and often, far ones rarely, and those out of the picture not at all', async () => {
  const field = new Field(await makeFigure(await loadGltf(HERO, { meshes: true, matrices: 'mat3x4' })), 1.8);
  assert.equal(field.most, 10_000);
  assert.equal(field.resize(3000, 0).length, 3000);
  const rows = { instances: new Float32Array(INSTANCE_FLOATS * 3001), matrices: 2048, morphs: 4096 };
  const ranges = field.select(view([0, 2, 6], [0, 1, 0]), rows);
  assert.equal(ranges.length, 3);
  const seen = ranges.reduce((sum, { count }) => sum + count, 0);
  assert.ok(ranges.every(({ count }) => count > 0), JSON.stringify(ranges));
  assert.ok(seen > 300 && seen < 2400, `${seen} are seen`);
  const away = (instance: number) => Math.hypot(rows.instances[INSTANCE_FLOATS * instance]!, 2 - 0.9, 6 - rows.instances[INSTANCE_FLOATS * instance + 1]!);
  const distances = ranges.map(({ first, count }) => Array.from({ length: count }, (_, index) => away(first + index)));
  assert.ok(Math.max(...distances[0]!) <= Math.min(...distances[1]!) && Math.max(...distances[1]!) <= Math.min(...distances[2]!));

  const { members } = field.crowd;
  assert.equal(members.filter(({ isHidden }) => !isHidden).length, seen);
  const rates = new Set(members.filter(({ isHidden }) => !isHidden).map(({ updateEvery }) => updateEvery));
  assert.deepEqual([...rates].sort(), [1, 2, 4, 8]);
  assert.equal(members[0]!.updateEvery, 1);

  // Who looks the other way sees others, who have to be sampled first; while nothing moves, in every update.
  field.select(view([0, 2, -6], [0, 1, 20], true), rows);
  assert.equal(field.hasNewcomers, true);
  assert.ok(members.every(({ isHidden, updateEvery }) => isHidden || updateEvery === 1));
  field.crowd.update(0);
  field.select(view([0, 2, -6], [0, 1, 20], true), rows);
  assert.equal(field.hasNewcomers, false);
  field.resize(0, 0);
  assert.deepEqual(field.select(view([0, 2, 6], [0, 1, 0]), rows).map(({ count }) => count), [0, 0, 0]);
});
