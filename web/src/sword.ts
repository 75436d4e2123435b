import type { Asset } from 'canter';

import { merge } from './coarser.js';
import { bound, makeFigure, type Figure } from './figure.js';
import { invertAffine } from './math.js';
import { VERTEX_FLOATS, type Part } from './renderer.js';

/** Farther away, vertices so close together are one, in metres: a blade is thin. */
const CELLS = [0.02, 0.05];

/** A sword: as the hero has it, and as members of the crowd do. */
export interface Sword {
  parts: Part[];
  /** Made when there is a crowd. */
  crowdParts(): Part[];
}

/**
 * The sword in the hero's hand, and in those of the crowd. His follows a matrix that an attachment writes; theirs, whose bones nobody looks
 * at, is bound to the hand as if it were part of the skin, and has less detail farther away.
 */
export async function makeSword(sword: Asset, hero: Figure, hand: string): Promise<Sword | undefined> {
  const { asset } = hero;
  const bone = asset.skeleton.getBoneByName(hand);
  const joint = bone ? (asset.skins[0]?.bones.indexOf(bone.index) ?? -1) : -1;
  if (joint < 0) return undefined;
  const meshFromHand = invertAffine(asset.skins[0]!.inverseBindMatrices.subarray(16 * joint, 16 * joint + 16));
  const slot = hero.matrixCount + hero.rigidBones.length;
  const { parts } = await makeFigure(sword);
  for (const { vertices } of parts) {
    for (let at = 0; at < vertices.length; at += VERTEX_FLOATS) vertices.fill(slot, at + 16, at + 20);
  }
  const crowdParts = () => {
    const near = parts.map((part) => ({ ...part, vertices: bound(part.vertices, meshFromHand, joint), hero: false, crowd: [0] }));
    const coarse = CELLS.flatMap((cell, index) => near.map((part) => ({ ...merge(part, cell), crowd: [index + 1] })));
    return [...near, ...coarse.filter(({ indices }) => indices.length > 0)];
  };
  return { parts, crowdParts };
}
