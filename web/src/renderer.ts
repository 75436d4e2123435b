import type { Mat4, Vec3 } from './math.js';

/** How many numbers a vertex has: position 3, normal 3, colour 4, texture 2, weights 4, joints 4 (as numbers). */
export const VERTEX_FLOATS = 20;

/** What is drawn in one call: one mesh with one material. */
export interface Part {
  vertices: Float32Array<ArrayBuffer>;
  indices: Uint32Array<ArrayBuffer>;
  image: ImageBitmap | undefined;
  alphaCutoff: number;
  /** Which copies of it are drawn: those of the hero, those of the crowd. */
  hero: boolean;
  crowd: boolean;
}

/** What changes from frame to frame. */
export interface Frame {
  width: number;
  height: number;
  clipFromWorld: Mat4;
  eye: Vec3;
  /** Where the hero is on the ground, which runs under him: x and z. */
  groundOffset: readonly [number, number];
  /** Which way he faces. */
  heroYaw: number;
  /** Where feet came down: x and z from the hero, yaw, how clear; negative for right feet. */
  prints: Float32Array<ArrayBuffer>;
  printCount: number;
  /** The hero's matrices: three rows of four numbers each. */
  heroMatrices: Float32Array<ArrayBuffer>;
  /** The crowd's, one character behind another. */
  crowdMatrices: Float32Array;
  rowsPerMember: number;
  /** x, z and yaw of each member of the crowd. */
  places: Float32Array<ArrayBuffer>;
  memberCount: number;
}

/** One of the two ways to draw. */
export interface Renderer {
  readonly api: 'WebGPU' | 'WebGL2';
  /** Whether depth runs from 0 to 1. */
  readonly isZeroToOne: boolean;
  setParts(parts: Part[]): void;
  render(frame: Frame): void;
}

/** Where the light comes from. */
export const SUN: Vec3 = [0.42, 0.78, 0.46];
