/// <reference lib="esnext.disposable" preserve="true" />
import { boneIndex } from '../bone-index.js';
import type { Bone } from '../bone.js';
// As in ../graph/animation-graph.ts.
import { CanterError } from '../index.js';
import { Handle } from '../handle.js';
import { readVector, type VectorLike } from '../matrix.js';
import { motionExports, type MotionExports } from '../motion/exports.js';
import { Writer } from '../motion/writer.js';
import { readQuaternion, type QuaternionLike } from '../rotation.js';
import type { Skeleton } from '../skeleton.js';

/** A bone of the solver's skeleton: itself, its name, or its place. */
export type BoneOption = Bone | string | number;

/** Whether a target was reached, and how far from it the end is. */
export interface Reach {
  readonly reached: boolean;
  /** In the model's metres; of a look, the angle in radians. */
  readonly remaining: number;
}

/** Where the points of a goal are: relative to the character, or in the world, where `skeleton.matrix` says how it stands. */
export type Space = 'model' | 'world';

/** @internal The codes of crates/canter-wasm. */
export const enum Kind {
  TwoBone, Aim, Chain, Feet, Springs, Constraints, Twist, Mirror,
}

/** @internal Which number of the answer is what; `rig.rs` of crates/canter-wasm has the list. */
export const enum At {
  Point = 0, HasSecond = 3, Second = 4, Twist = 7, End = 8, Quaternion = 9, Weight = 13, Dt = 14, Contacts = 15,
}

/** What corrects the pose of a skeleton, after a mixer or a graph has written it. */
export abstract class Solver {
  /** The skeleton whose pose it corrects. */
  readonly skeleton: Skeleton;
  readonly #handle: Handle;

  /** @internal `write` says how it is made. */
  constructor(skeleton: Skeleton, name: string, kind: number, write: (out: SolverWriter) => void) {
    const runtime = skeleton._runtime;
    const exports = motionExports(runtime);
    const out = new SolverWriter(skeleton);
    write(out);
    runtime._input(out.bytes);
    const id = exports.solver_new(skeleton.asset._id, kind);
    if (id === 0) throw new CanterError(`${name}: ${runtime._outputText().replaceAll('joint', 'bone')}`);
    this.skeleton = skeleton;
    this.#handle = new Handle(this, name, runtime, id, (exports, id) => (exports as MotionExports).solver_free(id));
  }

  /** Whether its memory was given back. */
  get isDisposed(): boolean {
    return this.#handle.isDisposed;
  }

  /** Gives its memory back. The skeleton stays. */
  dispose(): void {
    this.#handle.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** @internal */
  get _id(): number {
    return this.#handle.id;
  }

  /** @internal */
  get _exports(): MotionExports {
    return this.skeleton._runtime._exports as MotionExports;
  }

  /** @internal The numbers that drive it, as they are when nothing was said. */
  _goal(weight = 1): Float32Array {
    const goal = this.skeleton._runtime._floats;
    goal.fill(0);
    goal[At.Weight] = weight;
    return goal;
  }

  /** @internal Lets it work with the numbers that were written. */
  _solve(): Reach {
    const { skeleton } = this;
    const reached = this._exports.solver_apply(this._id, skeleton._id) !== 0;
    const remaining = skeleton._runtime._floats[0] as number;
    skeleton._touch();
    return { reached, remaining };
  }

  /** @internal Tells the module where the character stands. Before the goal is written: both go through the same numbers. */
  _place(): void {
    const { skeleton } = this;
    skeleton._runtime._floats.set(skeleton.matrix);
    this._exports.skeleton_place(skeleton._id);
  }
}

/** @internal */
export class SolverWriter extends Writer {
  readonly #skeleton: Skeleton;

  constructor(skeleton: Skeleton) {
    super();
    this.#skeleton = skeleton;
  }

  bone(bone: BoneOption): this {
    return this.number(boneIndex(this.#skeleton.asset, bone));
  }

  bones(bones: readonly BoneOption[], count: number, what: string): this {
    if (bones.length !== count) throw new CanterError(`${what} are ${bones.length} bones; give ${count}`);
    for (const bone of bones) this.bone(bone);
    return this;
  }

  vector(vector: VectorLike, what: string): this {
    return this.floats(readVector(vector, what));
  }

  optionalVector(vector: VectorLike | undefined, what: string): this {
    return this.option(vector, (vector) => this.vector(vector, what));
  }

  optionalFloat(number: number | undefined): this {
    return this.option(number, (number) => this.float(number));
  }
}

/** @internal Writes a point of a goal, which may be anything: what is not a number changes nothing. */
export function writePoint(goal: Float32Array, at: number, point: VectorLike, skeleton: Skeleton, space: Space, isDirection = false): void {
  let [x, y, z] = 'x' in point ? [point.x, point.y, point.z] : point;
  if (space === 'world') [x, y, z] = modelFromWorld(skeleton.matrix, x, y, z, isDirection ? 0 : 1);
  goal[at] = x;
  goal[at + 1] = y;
  goal[at + 2] = z;
}

/** A point of the world, or a direction, as the character sees it. Where its matrix is flat, it sees nothing: what is not a number. */
function modelFromWorld(matrix: Float32Array, px: number, py: number, pz: number, w: number): [number, number, number] {
  const m = matrix as ArrayLike<number> as readonly number[] & { length: number };
  const [a, b, c, d, e, f, g, h, i] = [m[0]!, m[4]!, m[8]!, m[1]!, m[5]!, m[9]!, m[2]!, m[6]!, m[10]!];
  const [x, y, z] = [px - w * m[12]!, py - w * m[13]!, pz - w * m[14]!];
  const [A, B, C] = [e * i - f * h, f * g - d * i, d * h - e * g];
  const determinant = a * A + b * B + c * C;
  return [
    (A * x + (c * h - b * i) * y + (b * f - c * e) * z) / determinant,
    (B * x + (a * i - c * g) * y + (c * d - a * f) * z) / determinant,
    (C * x + (b * g - a * h) * y + (a * e - b * d) * z) / determinant,
  ];
}

/**
 * How the last bone of a limb is turned: it goes with the limb (`follow`), stays as it was in the character (`keep`), or is turned so, in the
 * space of the character.
 */
export type LimbEnd = 'follow' | 'keep' | QuaternionLike;

/** @internal */
export function writeEnd(goal: Float32Array, end: LimbEnd): void {
  if (end === 'follow') return;
  if (end === 'keep') {
    goal[At.End] = 1;
    return;
  }
  if (typeof end === 'string') throw new CanterError(`there is no end '${String(end)}'; give 'follow', 'keep' or a quaternion`);
  goal[At.End] = 2;
  goal.set(readQuaternion(end, 'the end'), At.Quaternion);
}

/** @internal */
export function spaceOf(space: Space | undefined): Space {
  if (space === undefined || space === 'model' || space === 'world') return space ?? 'model';
  throw new CanterError(`there is no space '${String(space)}'; give 'model' or 'world'`);
}
