import { CanterError, checkNotNegative } from '../error.js';
import type { VectorLike } from '../matrix.js';
import type { Skeleton } from '../skeleton.js';
import { At, Kind, Solver, type BoneOption, type Reach } from './solver.js';

/** The ground under a foot, in the world: how high it is, and where it faces; straight up unless given. */
export interface GroundHit {
  height: number;
  normal?: VectorLike;
}

/** What ground is at a place of the world: a height, more than that, or nothing (`undefined`) over an edge. */
export type GroundFunction = (x: number, y: number, z: number) => number | GroundHit | undefined;

/** How `Feet` are made. */
export interface FeetOptions {
  /** What the legs hang on. */
  pelvis: BoneOption;
  /** Thigh, shin and foot of each leg; 8 at most. */
  legs: readonly (readonly [BoneOption, BoneOption, BoneOption])[];
  /** How far below and above the character's origin ground counts, as a part of a leg's length; 0.6 unless given. */
  reach?: number;
  /** How far a foot that is down may be from where it is animated before it is let go, as a part of a leg's length; 0.35 unless given. */
  release?: number;
}

/** What drives feet in a frame. */
export interface FeetDrive {
  /** For each leg whether its foot is down, as markers say; undefined where that is to be detected. */
  contacts?: readonly (boolean | undefined)[];
  /** 0 leaves the pose as it is; 1 unless given. */
  weight?: number;
}

/** Numbers of a leg in the module: a place, the height there, and the normal. */
const STRIDE = 7;
const UP = [0, 1, 0] as const;

/**
 * Feet that stand on stairs and slopes, and do not slide.
 *
 * ```ts
 * const feet = new Feet(hero.skeleton, { pelvis: 'hips', legs: [['thigh_L', 'shin_L', 'foot_L'], ['thigh_R', 'shin_R', 'foot_R']] });
 * mixer.update(dt);
 * feet.update(dt, (x, y, z) => terrain.heightAt(x, z)); // `skeleton.matrix` says where the character is
 * ```
 *
 * The animated pose is taken to walk on a plane at the height of the character's origin.
 */
export class Feet extends Solver {
  readonly #legs: number;
  /** Where the ground is asked for, and what it is; the module has a list like it. */
  readonly #ground: Float64Array;
  #address = 0;
  #asked = new Float64Array(0);

  constructor(skeleton: Skeleton, { pelvis, legs, reach, release }: FeetOptions) {
    super(skeleton, 'Feet', Kind.Feet, (out) => {
      out.bone(pelvis).list(legs, (leg) => out.bones(leg, 3, 'the bones of a leg'));
      out.optionalFloat(reach).optionalFloat(release);
    });
    this.#legs = legs.length;
    this.#ground = new Float64Array(STRIDE * legs.length);
  }

  /** Moves them on by a number of seconds, and corrects the pose as it is now. The ground is asked for once for each foot. */
  update(dt: number, ground: GroundFunction, { contacts = [], weight = 1 }: FeetDrive = {}): Reach {
    checkNotNegative(dt, 'the step of time');
    this.#drive(dt, contacts, weight);
    this._exports.feet_ask(this._id, this.skeleton._id);
    this.#address = this.skeleton._runtime._words[16] as number;
    this.#ground.set(this.#list());
    for (let leg = 0; leg < this.#legs; leg++) this.#ask(STRIDE * leg, ground);
    // The function may have used the module: its memory may have grown, and the numbers that drive it be others.
    this.#list().set(this.#ground);
    this.#drive(dt, contacts, weight);
    return this._solve();
  }

  /** Lets them come down anew: after a jump of the character, for instance. */
  reset(): this {
    this._exports.solver_reset(this._id, 0);
    return this;
  }

  #drive(dt: number, contacts: readonly (boolean | undefined)[], weight: number): void {
    this._place();
    const goal = this._goal(weight);
    goal[At.Dt] = dt;
    let codes = 0;
    for (let leg = 0; leg < this.#legs; leg++) {
      const isDown = contacts[leg];
      if (isDown !== undefined) codes |= (isDown ? 2 : 1) << (2 * leg);
    }
    this.skeleton._runtime._words[At.Contacts] = codes;
  }

  /** The module's list; the same view while its memory is the same. */
  #list(): Float64Array {
    const buffer = this.skeleton._runtime._buffer;
    if (this.#asked.buffer !== buffer) this.#asked = new Float64Array(buffer, this.#address, STRIDE * this.#legs);
    return this.#asked;
  }

  #ask(at: number, ground: GroundFunction): void {
    const list = this.#ground;
    const hit = ground(list[at]!, list[at + 1]!, list[at + 2]!);
    if (typeof hit === 'number') {
      list[at + 3] = hit;
    } else if (hit) {
      const { height, normal = UP } = hit;
      list[at + 3] = height;
      [list[at + 4], list[at + 5], list[at + 6]] = 'x' in normal ? [normal.x, normal.y, normal.z] : normal;
    }
  }
}

/** Heights of the ground on a grid, as a texture or a terrain has them. */
export interface HeightField {
  /** Row by row along z, each along x. */
  heights: ArrayLike<number>;
  /** How many there are in a row. */
  width: number;
  /** How far they are apart, in metres; 1 unless given. */
  spacing?: number;
  /** Where the first one is, along x and z; at the origin unless given. */
  origin?: readonly [x: number, z: number];
}

/** A ground of heights on a grid, straight between them, with its normals. Nothing is beyond its edges. */
export function heightField({ heights, width, spacing = 1, origin = [0, 0] }: HeightField): GroundFunction {
  const rows = Math.floor(heights.length / width);
  if (!(width >= 2 && Number.isInteger(width) && rows >= 2 && spacing > 0)) {
    throw new CanterError(`a field of ${heights.length} heights, ${width} in a row, ${spacing} m apart; give at least two rows of two, above 0 m apart`);
  }
  return (x, _, z) => {
    const [u, v] = [(x - origin[0]) / spacing, (z - origin[1]) / spacing];
    if (!(u >= 0 && v >= 0 && u <= width - 1 && v <= rows - 1)) return undefined;
    const [column, row] = [Math.min(Math.floor(u), width - 2), Math.min(Math.floor(v), rows - 2)];
    const [s, t, at] = [u - column, v - row, row * width + column];
    const [a, b, c, d] = [heights[at]!, heights[at + 1]!, heights[at + width]!, heights[at + width + 1]!];
    const [alongX, alongZ] = [(b - a) * (1 - t) + (d - c) * t, (c - a) * (1 - s) + (d - b) * s];
    const height = (a * (1 - s) + b * s) * (1 - t) + (c * (1 - s) + d * s) * t;
    return { height, normal: [-alongX / spacing, 1, -alongZ / spacing] };
  };
}
