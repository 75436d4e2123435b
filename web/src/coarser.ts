import { writeMatrices, type Figure } from './figure.js';
import { VERTEX_FLOATS, type Part } from './renderer.js';

/** What is left of a figure in less detail: vertices within a cell become one; so many cells along its longest edge. */
const CELLS = [44, 20];
/** Parts of so few triangles are kept as they are in the first of these levels: eyes, buckles. */
const FEW_TRIANGLES = 300;
/** Where fewer than these are saved, a part is kept as it is. */
const LEAST_SAVED = 0.25;

/** The first numbers of a vertex are mixed: position, normal, colour. */
const MIXED = 10;

/**
 * The parts of a figure of a size, and behind them those for members of a crowd that are farther away: those that its file has, and
 * made here where it has none.
 */
export function withCoarser(figure: Figure, size: number): Part[] {
  const matrices = new Float32Array(12 * (figure.matrixCount + figure.rigidBones.length));
  writeMatrices(figure, matrices);
  const all = figure.parts.map((part) => ({ ...part, crowd: [...part.crowd] }));
  const coarse = figure.coarser().filter(({ crowd }) => crowd[0]! <= CELLS.length);
  for (const [index, cells] of CELLS.entries()) {
    const level = index + 1;
    for (const part of all) {
      if (!part.crowd.includes(0) || (part.levels ?? 0) >= level) continue;
      const isSmall = level === 1 && part.indices.length <= 3 * FEW_TRIANGLES;
      const merged = isSmall ? part : merge(part, size / cells / scaleOf(part, matrices));
      if (merged.indices.length > (1 - LEAST_SAVED) * part.indices.length) part.crowd.push(level);
      else if (merged.indices.length > 0) coarse.push({ ...merged, hero: false, crowd: [level] });
    }
  }
  return [...all, ...coarse];
}

/** How much larger a part is in the figure than in its own numbers: files often measure skins in centimetres. */
function scaleOf({ vertices }: Part, matrices: Float32Array): number {
  const at = 12 * (vertices[16] ?? 0);
  const lengths = [0, 4, 8].map((row) => Math.hypot(matrices[at + row]!, matrices[at + row + 1]!, matrices[at + row + 2]!));
  const scale = Math.max(...lengths);
  return Number.isFinite(scale) && scale > 0 ? scale : 1;
}

/** A part whose vertices in the same cell of a grid are one: in their middle, with the joints and texture of one of them. */
export function merge(part: Part, cell: number): Part {
  const { vertices, indices } = part;
  const count = vertices.length / VERTEX_FLOATS;
  const places = new Map<number, number>();
  const placeOf = new Uint32Array(count);
  const sums: number[] = [];
  const numbers: number[] = [];
  for (let vertex = 0; vertex < count; vertex++) {
    const at = VERTEX_FLOATS * vertex;
    // Cells have numbers up to a thousand to each side.
    let key = 0;
    for (let axis = 0; axis < 3; axis++) key = 2048 * key + Math.min(2047, Math.max(0, Math.floor(vertices[at + axis]! / cell) + 1024));
    let place = places.get(key);
    if (place === undefined) {
      place = numbers.push(0) - 1;
      places.set(key, place);
      for (let index = 0; index < VERTEX_FLOATS; index++) sums.push(index < MIXED ? 0 : vertices[at + index]!);
    }
    placeOf[vertex] = place;
    numbers[place]!++;
    for (let index = 0; index < MIXED; index++) sums[VERTEX_FLOATS * place + index]! += vertices[at + index]!;
  }
  const out = new Float32Array(sums);
  for (const [place, number] of numbers.entries()) {
    for (let index = 0; index < MIXED; index++) out[VERTEX_FLOATS * place + index]! /= number;
  }
  const kept: number[] = [];
  for (let at = 0; at < indices.length; at += 3) {
    const [a, b, c] = [placeOf[indices[at]!]!, placeOf[indices[at + 1]!]!, placeOf[indices[at + 2]!]!];
    if (a !== b && b !== c && c !== a) kept.push(a, b, c);
  }
  return { ...part, vertices: out, indices: new Uint32Array(kept), targets: undefined };
}
