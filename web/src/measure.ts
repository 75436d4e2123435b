import { AnimationMixer, type AnimationClip } from 'canter';

import { writeMatrices, type Figure } from './figure.js';
import type { Vec3 } from './math.js';
import { VERTEX_FLOATS, type Part } from './renderer.js';

/** The space that a figure takes. */
export interface Extent {
  low: Vec3;
  high: Vec3;
}

/** So many vertices of a part tell well enough how large it is; a visitor waits for them. */
const MOST_VERTICES = 60;
const POSES = 4;
/** Clips that lead so many times the figure's own size away are not followed. */
const MOST_GROWTH = 2.5;

/** The box around a figure as it is in the file, and as it plays a clip. */
export function measure(figure: Figure, clip: AnimationClip | undefined): Extent {
  const [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  const extent = () => ({ low: [...low], high: [...high] }) as unknown as Extent;
  take(figure, low, high);
  const rest = extent();
  if (clip && clip.duration > 0) {
    const mixer = new AnimationMixer(figure.asset);
    mixer.play(clip);
    mixer.update(0);
    [low.fill(Infinity), high.fill(-Infinity)];
    for (let pose = 0; pose < POSES; pose++) {
      take(figure, low, high);
      mixer.update(clip.duration / POSES);
    }
    mixer.dispose();
    figure.asset.skeleton.pose();
  }
  const played = extent();
  const isSane = (box: Extent) => sizeOf(box) > 0 && Number.isFinite(sizeOf(box));
  if (!isSane(rest)) return isSane(played) ? played : { low: [-1, 0, -1], high: [1, 2, 1] };
  return isSane(played) && sizeOf(played) <= MOST_GROWTH * sizeOf(rest) ? played : rest;
}

/** The longest edge of a box. */
export function sizeOf({ low, high }: Extent): number {
  return Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
}

/** Where the ground is: at zero, where files mean it to be, unless the figure does not stand there. */
export function groundUnder(box: Extent): number {
  return Math.abs(box.low[1]) < 0.06 * sizeOf(box) ? 0 : box.low[1];
}

/** How far apart the lines of the ground are: a round number, of about half the figure's size. */
export function cellFor(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size / 1.9));
  const rest = size / 1.9 / power;
  return power * (rest < 1.4 ? 1 : rest < 3.2 ? 2 : rest < 7 ? 5 : 10);
}

function take(figure: Figure, low: number[], high: number[]): void {
  const matrices = new Float32Array(12 * (figure.matrixCount + figure.rigidBones.length));
  writeMatrices(figure, matrices);
  for (const part of figure.parts) {
    if (!part.hero) continue;
    const count = part.vertices.length / VERTEX_FLOATS;
    const step = Math.max(1, Math.floor(count / MOST_VERTICES));
    for (let vertex = 0; vertex < count; vertex += step) {
      const place = posed(figure, part, vertex, matrices);
      for (let axis = 0; axis < 3; axis++) {
        low[axis] = Math.min(low[axis]!, place[axis]!);
        high[axis] = Math.max(high[axis]!, place[axis]!);
      }
    }
  }
}

/** Where a vertex is: what the vertex shader does. */
function posed(figure: Figure, part: Part, vertex: number, matrices: Float32Array): Vec3 {
  const { vertices } = part;
  const at = VERTEX_FLOATS * vertex;
  const [x, y, z] = morphed(figure, part, vertex);
  let sum = 0;
  for (let slot = 0; slot < 4; slot++) sum += vertices[at + 12 + slot]!;
  const place = [0, 0, 0];
  for (let slot = 0; slot < 4; slot++) {
    const weight = sum > 0 ? vertices[at + 12 + slot]! / sum : slot === 0 ? 1 : 0;
    if (weight === 0) continue;
    for (let axis = 0; axis < 3; axis++) {
      const m = 12 * vertices[at + 16 + slot]! + 4 * axis;
      place[axis]! += weight * (matrices[m]! * x + matrices[m + 1]! * y + matrices[m + 2]! * z + matrices[m + 3]!);
    }
  }
  return place as unknown as Vec3;
}

function morphed({ asset, morphs }: Figure, part: Part, vertex: number): Vec3 {
  const at = VERTEX_FLOATS * vertex;
  const place = [part.vertices[at]!, part.vertices[at + 1]!, part.vertices[at + 2]!];
  const { targets, morphRow } = part;
  const list = targets && morphs.find(({ row }) => row === morphRow);
  if (!targets || !list) return place as unknown as Vec3;
  const [vertexCount, targetCount, hasNormals] = targets;
  const weights = asset.skeleton.morphWeights(list.morph);
  for (let target = 0; target < Math.min(targetCount!, weights.length); target++) {
    if (weights[target] === 0) continue;
    const from = 4 * (1 + (target * vertexCount! + vertex) * (1 + hasNormals!));
    for (let axis = 0; axis < 3; axis++) place[axis]! += weights[target]! * targets[from + axis]!;
  }
  return place as unknown as Vec3;
}
