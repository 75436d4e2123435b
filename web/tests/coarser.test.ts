// The meshes of a crowd that is far away.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { loadGltf, type Asset } from 'canter';

import { HERO, ROOT, sharedFile } from './common.js';

interface Part {
  vertices: Float32Array;
  indices: Uint32Array;
  hero: boolean;
  crowd: number[];
}
interface Figure {
  parts: Part[];
  coarser: () => Part[];
}
const page = <T>(name: string) => import(pathToFileURL(join(ROOT, 'target/web/page', name)).href) as Promise<T>;
const { makeFigure } = await page<{ makeFigure(asset: Asset): Promise<Figure> }>('figure.js');
const { withCoarser } = await page<{ withCoarser(figure: Figure, size: number): Part[] }>('coarser.js');

const triangles = (parts: readonly Part[]) => parts.reduce((sum, { indices }) => sum + indices.length / 3, 0);
const FLOATS = 20;

function box(parts: readonly Part[]): number[][] {
  const [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  for (const { vertices } of parts) {
    for (let at = 0; at < vertices.length; at += FLOATS) {
      for (let axis = 0; axis < 3; axis++) {
        low[axis] = Math.min(low[axis]!, vertices[at + axis]!);
        high[axis] = Math.max(high[axis]!, vertices[at + axis]!);
      }
    }
  }
  return [low, high];
}

test('members of a crowd have fewer triangles the farther they are away, and keep their shape', async () => {
  const figure = await makeFigure(await loadGltf(HERO, { meshes: true, matrices: 'mat3x4' }));
  const parts = withCoarser(figure, 1.8);
  const levels = [0, 1, 2].map((level) => parts.filter(({ crowd }) => crowd.includes(level)));
  const [fine, middle, coarse] = levels.map(triangles);
  assert.equal(fine, triangles(figure.parts));
  // The file has both: they are its own, as they are.
  assert.deepEqual([middle, coarse], [1, 2].map((level) => triangles(figure.coarser().filter(({ crowd }) => crowd[0] === level))));
  assert.ok(middle! < 0.35 * fine! && middle! > 0.05 * fine!, `${middle} of ${fine}`);
  assert.ok(coarse! < 0.08 * fine! && coarse! > 200, `${coarse} of ${fine}`);
  for (const [index, cells] of [44, 20].entries()) {
    const [was, is] = [box(levels[0]!), box(levels[index + 1]!)];
    for (const side of [0, 1]) {
      for (let axis = 0; axis < 3; axis++) {
        const moved = Math.abs(was[side]![axis]! - is[side]![axis]!);
        assert.ok(moved < 1.8 / cells, `level ${index + 1} is ${moved} m smaller`);
      }
    }
  }
  for (const { vertices, indices, hero } of levels[2]!) {
    assert.equal(hero, false);
    for (let at = 0; at < indices.length; at += 3) {
      const corners = new Set(indices.subarray(at, at + 3));
      assert.equal(corners.size, 3, 'a triangle has no area');
      for (const corner of corners) assert.ok(corner < vertices.length / FLOATS);
    }
  }
});

test('files that measure skins in other units than their figures keep their shape, too', async () => {
  const file = sharedFile('assets/RobotExpressive/RobotExpressive.glb');
  if (file === undefined) return;
  const parts = withCoarser(await makeFigure(await loadGltf(readFileSync(file), { meshes: true, matrices: 'mat3x4' })), 4.5);
  const [fine, , coarse] = [0, 1, 2].map((level) => triangles(parts.filter(({ crowd }) => crowd.includes(level))));
  assert.ok(coarse! > 0.1 * fine! && coarse! < 0.7 * fine!, `${coarse} of ${fine}`);
});
