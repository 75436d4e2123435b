import type { Asset } from 'canter';

import { bound, makeFigure, type Figure } from './figure.js';
import { invertAffine } from './math.js';
import { VERTEX_FLOATS, type Part } from './renderer.js';

/**
 * The sword in the hero's hand, and in those of the crowd. His follows a matrix that an attachment writes; theirs, whose bones nobody looks
 * at, is bound to the hand as if it were part of the skin. From afar it is three boxes.
 */
export async function makeSword(sword: Asset, hero: Figure, hand: string): Promise<Part[]> {
  const { asset } = hero;
  const bone = asset.skeleton.getBoneByName(hand);
  const joint = bone ? (asset.skins[0]?.bones.indexOf(bone.index) ?? -1) : -1;
  if (joint < 0) return [];
  const meshFromHand = invertAffine(asset.skins[0]!.inverseBindMatrices.subarray(16 * joint, 16 * joint + 16));
  const slot = hero.matrixCount + hero.rigidBones.length;
  const { parts } = await makeFigure(sword);
  const farther = hero.triangleCounts.map((_, level) => level).slice(1);
  return parts.flatMap((part) => {
    const attached = new Float32Array(part.vertices);
    for (let at = 0; at < attached.length; at += VERTEX_FLOATS) attached.fill(slot, at + 16, at + 20);
    const box = boxAround(part);
    return [
      { ...part, vertices: attached, hero: true, crowd: [] },
      { ...part, vertices: bound(part.vertices, meshFromHand, joint), hero: false, crowd: [0] },
      ...(farther.length > 0 ? [{ ...box, vertices: bound(box.vertices, meshFromHand, joint), hero: false, crowd: farther }] : []),
    ];
  });
}

/** A box in the place of a part, of the colour that the part has on the mean. */
function boxAround(part: Part): Part {
  const { vertices } = part;
  const [low, high, color] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity], [0, 0, 0, 0]];
  const count = vertices.length / VERTEX_FLOATS;
  for (let at = 0; at < vertices.length; at += VERTEX_FLOATS) {
    for (let axis = 0; axis < 3; axis++) {
      low[axis] = Math.min(low[axis]!, vertices[at + axis]!);
      high[axis] = Math.max(high[axis]!, vertices[at + axis]!);
    }
    for (let channel = 0; channel < 4; channel++) color[channel]! += vertices[at + 6 + channel]! / count;
  }
  const numbers: number[] = [];
  const indices: number[] = [];
  for (const axis of [0, 1, 2]) {
    for (const isHigh of [0, 1]) {
      const first = numbers.length / VERTEX_FLOATS;
      for (const corner of [0, 1, 2, 3]) {
        const [place, normal] = [[0, 0, 0], [0, 0, 0]];
        const bits = [isHigh, corner & 1, corner >> 1];
        for (let turn = 0; turn < 3; turn++) place[(axis + turn) % 3] = (bits[turn] ? high : low)[(axis + turn) % 3]!;
        normal[axis] = isHigh ? 1 : -1;
        numbers.push(...place, ...normal, ...color, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0);
      }
      // Outwards, on both sides.
      for (const corner of isHigh ? [0, 1, 3, 0, 3, 2] : [0, 3, 1, 0, 2, 3]) indices.push(first + corner);
    }
  }
  return { ...part, vertices: new Float32Array(numbers), indices: new Uint32Array(indices) };
}
