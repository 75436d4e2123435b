import type { Look } from './look.js';
import type { Mat4, Vec3 } from './math.js';

/** How many numbers a vertex has: position 3, normal 3, colour 4, texture 2, weights 4, joints 4 (as numbers). */
export const VERTEX_FLOATS = 20;
/** The sizes of these attributes, in order. */
export const VERTEX_SIZES = [3, 3, 4, 2, 4, 4] as const;
/** And an instance: x, z, yaw, the row where its matrices begin; the row where its morph weights begin, and three that are not used. */
export const INSTANCE_FLOATS = 8;
/** Rows of four numbers in a line of the texture that has all matrices, where it is a texture. */
export const PALETTE_WIDTH = 2048;

/** What is drawn in one call: one mesh with one material. */
export interface Part {
  vertices: Float32Array<ArrayBuffer>;
  indices: Uint32Array<ArrayBuffer>;
  image: ImageBitmap | undefined;
  alphaCutoff: number;
  /** Its morph targets as `canter_morph` reads them: texels of four numbers. */
  targets: Float32Array<ArrayBuffer> | undefined;
  /** Where its list of weights begins among those of the figure, in rows. */
  morphRow: number;
  /** Which copies of it are drawn: the hero's, and those of members of the crowd that are drawn in so much detail; 0 is the finest. */
  hero: boolean;
  crowd: number[];
  /** How many coarser levels of it the file has. */
  levels?: number;
}

/** Some instances, one after another. */
export interface Range {
  first: number;
  count: number;
}

/** What changes from frame to frame. */
export interface Frame {
  width: number;
  height: number;
  clipFromWorld: Mat4;
  eye: Vec3;
  /** Where ground and sky meet: -1 is the lower edge of the picture, 1 the upper one. */
  horizon: number;
  look: Look;
  ground: Ground;
  /** Where feet came down: x and z from the hero, yaw, how clear; negative for right feet. */
  prints: Float32Array<ArrayBuffer>;
  printCount: number;
  /** Rows of four numbers, and at which row they go: matrices and morph weights of all. */
  palettes: readonly { row: number; numbers: Float32Array }[];
  /** Everybody to be drawn; the hero comes first. */
  instances: Float32Array<ArrayBuffer>;
  /** Those of the crowd, by how finely they are drawn. */
  crowd: readonly Range[];
}

/** The ground, which runs under the hero. */
export interface Ground {
  x: number;
  z: number;
  height: number;
  /** How far apart its lines are. */
  cell: number;
  /** How far it is lit. */
  reach: number;
}

/** One of the two ways to draw. */
export interface Renderer {
  readonly api: 'WebGPU' | 'WebGL2';
  /** Whether depth runs from 0 to 1. */
  readonly isZeroToOne: boolean;
  setParts(parts: Part[]): void;
  render(frame: Frame): void;
}

/** Where the light comes from; of length one. */
export const SUN: Vec3 = [0.4208, 0.7815, 0.4609];

/** Which instances of a part are drawn: a few ranges. */
export function rangesOf(part: Part, frame: Frame): Range[] {
  const ranges: Range[] = part.hero ? [{ first: 0, count: 1 }] : [];
  for (const level of part.crowd) {
    const { first, count } = frame.crowd[level] ?? { first: 0, count: 0 };
    const last = ranges.at(-1);
    if (last && last.first + last.count === first) last.count += count;
    else if (count > 0) ranges.push({ first, count });
  }
  return ranges;
}

/** The uniforms of a frame: 11 rows of four numbers. */
export function uniforms({ clipFromWorld, eye, horizon, look, ground }: Frame): Float32Array<ArrayBuffer> {
  return new Float32Array([
    ...clipFromWorld,
    ...eye, 0,
    ...SUN, look.shadow,
    ground.x / ground.cell, ground.z / ground.cell, 1 / ground.cell, 1 / ground.reach,
    ground.height, 0.0015 * ground.cell, horizon, 0,
    ...look.far, look.grid,
    ...look.near, 0,
    ...look.sky, 0,
  ]);
}
export const UNIFORM_FLOATS = 44;
