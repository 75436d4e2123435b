import type { Asset } from 'canter';

import { merge } from './coarser.js';
import { bound, makeFigure, type Figure } from './figure.js';
import { invertAffine } from './math.js';
import { VERTEX_FLOATS, type Part } from './renderer.js';

/** Farther away, vertices so close together are one, in metres: a blade is thin. */
const CELLS = [0.02, 0.05];

/**
 * The sword in the hero's hand, and in those of the crowd. His follows a matrix that an attachment writes; theirs, whose bones nobody looks
 * at, is bound to the hand as if it were part of the skin, and from afar it has less detail.
 */
export async function makeSword(sword: Asset, hero: Figure, hand: string): Promise<Part[]> {
  const { asset } = hero;
  const bone = asset.skeleton.getBoneByName(hand);
  const joint = bone ? (asset.skins[0]?.bones.indexOf(bone.index) ?? -1) : -1;
  if (joint < 0) return [];
  const meshFromHand = invertAffine(asset.skins[0]!.inverseBindMatrices.subarray(16 * joint, 16 * joint + 16));
  const slot = hero.matrixCount + hero.rigidBones.length;
  const { parts } = await makeFigure(sword);
  return parts.flatMap((part) => {
    const attached = new Float32Array(part.vertices);
    for (let at = 0; at < attached.length; at += VERTEX_FLOATS) attached.fill(slot, at + 16, at + 20);
    const inHand = { ...part, vertices: bound(part.vertices, meshFromHand, joint), hero: false };
    return [
      { ...part, vertices: attached, hero: true, crowd: [] },
      { ...inHand, crowd: [0] },
      ...CELLS.map((cell, index) => ({ ...merge(inHand, cell), crowd: [index + 1] })),
    ].filter(({ indices }) => indices.length > 0);
  });
}
