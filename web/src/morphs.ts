import type { Primitive, Skeleton } from 'canter';

import { PALETTE_WIDTH } from './renderer.js';

/** The weights of a node's morph targets, as the shader reads them: how many, then pairs of target and weight, two to a row. */
export interface MorphList {
  /** Which of the file's sets of weights. */
  morph: number;
  /** Where the list begins among those of the figure. */
  row: number;
  targetCount: number;
}

/** What the targets of a primitive add, as texels for `canter_morph`; whole lines of a texture. */
export function makeTargets(primitive: Primitive, targetCount: number): Float32Array<ArrayBuffer> | undefined {
  const { vertexCount } = primitive;
  const targets = Array.from({ length: targetCount }, (_, target) => ({
    positions: primitive.targetPositions(target), normals: primitive.targetNormals(target),
  }));
  if (targets.every(({ positions, normals }) => positions.length === 0 && normals.length === 0)) return undefined;
  const texels = targets.some(({ normals }) => normals.length > 0) ? 2 : 1;
  const count = 1 + targetCount * vertexCount * texels;
  const out = new Float32Array(4 * Math.max(1, Math.ceil(count / PALETTE_WIDTH)) * PALETTE_WIDTH);
  out.set([vertexCount, targetCount, texels - 1, 0]);
  for (const [target, { positions, normals }] of targets.entries()) {
    for (const [texel, list] of [positions, normals].entries()) {
      for (let vertex = 0; 3 * vertex < list.length; vertex++) {
        const at = 4 * (1 + (target * vertexCount + vertex) * texels + texel);
        for (let axis = 0; axis < 3; axis++) out[at + axis] = list[3 * vertex + axis]!;
      }
    }
  }
  return out;
}

/** Writes the lists of a figure as its skeleton has them now, from a place on. Weights of 0 are left out. */
export function writeMorphs(lists: readonly MorphList[], weightsOf: (morph: number) => ArrayLike<number>, out: Float32Array, start: number): void {
  for (const { morph, row, targetCount } of lists) {
    const at = start + 4 * row;
    const weights = weightsOf(morph);
    let count = 0;
    for (let target = 0; target < Math.min(targetCount, weights.length); target++) {
      const weight = weights[target]!;
      if (weight === 0) continue;
      out[at + 4 + 2 * count] = target;
      out[at + 5 + 2 * count] = weight;
      count++;
    }
    out[at] = count;
  }
}

export function weightsIn(skeleton: Skeleton): (morph: number) => Float32Array {
  return (morph) => skeleton.morphWeights(morph);
}
