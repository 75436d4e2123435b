import { CanterError, checkNotNegative } from '../error.js';
import type { VectorLike } from '../matrix.js';
import type { Skeleton } from '../skeleton.js';
import { At, Kind, Solver, writePoint, type BoneOption, type SolverWriter } from './solver.js';

/** How bones swing. Defaults are those of VRM 1.0. */
export interface SpringSettings {
  /** How strongly they are drawn to the animated pose, from 0; 1 unless given. */
  stiffness?: number;
  /** What part of their speed a step of 1/60 s takes, from 0 to 1; 0.5 unless given. */
  drag?: number;
  /** Gravity: its direction in the world times its power; none unless given. */
  gravity?: VectorLike;
  /** How much of the wind they take; 1 unless given. */
  wind?: number;
  /** The radius of a bone's end for colliders; 0 unless given. */
  hitRadius?: number;
}

/** A strand of hair, a tail, an edge of a cape. */
export interface SpringChain extends SpringSettings {
  /** From the root to the end, which only ends the last bone unless there is a tail; each as it is, or with settings of its own. */
  bones: readonly (BoneOption | ({ bone: BoneOption } & SpringSettings))[];
  /** Where a bone of the last one ends, in its own space. */
  tail?: VectorLike;
  /** Relative to what it keeps its momentum: the `world`, the `model`, or a bone; `world` unless given. */
  center?: 'world' | 'model' | { bone: BoneOption };
  /** Which colliders it does not go through, by their places in the list; all unless given. */
  colliders?: readonly number[];
}

/** A shape on a bone, in its space, that springs do not go through, or stay inside of. */
export type SpringCollider = { bone: BoneOption } & (
  | { shape: 'sphere' | 'insideSphere'; offset?: VectorLike; radius: number }
  | { shape: 'capsule' | 'insideCapsule'; offset?: VectorLike; tail: VectorLike; radius: number }
  | { shape: 'plane'; offset?: VectorLike; normal: VectorLike }
);

/** How `Springs` are made. */
export interface SpringsOptions {
  /** What a chain hangs on comes before it. */
  chains: readonly SpringChain[];
  colliders?: readonly SpringCollider[];
  /** A jump of more metres than this in one frame takes everything along. */
  teleportDistance?: number;
}

/** What drives springs in a frame. */
export interface SpringDrive {
  /** In the world, of the kind of gravity. */
  wind?: VectorLike;
  /** What part of the swing is shown; 1 unless given. */
  weight?: number;
}

const SHAPES = ['sphere', 'capsule', 'insideSphere', 'insideCapsule', 'plane'];

/**
 * Hair, capes, tails and ears that swing: the spring bones of VRM 1.0, the same at any frame rate.
 *
 * ```ts
 * const springs = new Springs(hero.skeleton, { chains: [{ bones: ['hair_1', 'hair_2', 'hair_3'], stiffness: 0.5, gravity: [0, -1, 0] }] });
 * mixer.update(dt);
 * springs.update(dt); // `skeleton.matrix` says where the character is
 * ```
 */
export class Springs extends Solver {
  constructor(skeleton: Skeleton, { chains, colliders = [], teleportDistance }: SpringsOptions) {
    super(skeleton, 'Springs', Kind.Springs, (out) => {
      out.list(chains, (chain) => writeChain(out, chain, colliders.length));
      out.list(colliders, (collider) => writeCollider(out, collider));
      out.optionalFloat(teleportDistance);
    });
  }

  /** Moves them on by a number of seconds, and corrects the pose as it is now. */
  update(dt: number, { wind = [0, 0, 0], weight = 1 }: SpringDrive = {}): this {
    checkNotNegative(dt, 'the step of time');
    this._place();
    const goal = this._goal(weight);
    writePoint(goal, At.Point, wind, this.skeleton, 'model');
    goal[At.Dt] = dt;
    this._solve();
    return this;
  }

  /** Lets them begin anew, at rest as the next pose has them. */
  reset(): this {
    this._exports.solver_reset(this._id, 0);
    return this;
  }

  /** Takes everything along with the next step, however far the character is from where it was. */
  teleport(): this {
    this._exports.solver_reset(this._id, 1);
    return this;
  }
}

function writeChain(out: SolverWriter, chain: SpringChain, colliderCount: number): void {
  const { bones, tail, center = 'world', colliders = Array.from({ length: colliderCount }, (_, index) => index) } = chain;
  out.list(bones, (item) => {
    const own = typeof item === 'object' && 'bone' in item ? item : undefined;
    const { stiffness = 1, drag = 0.5, gravity = [0, 0, 0], wind = 1, hitRadius = 0 } = { ...chain, ...own };
    out.bone(own ? own.bone : (item as BoneOption)).float(stiffness).float(drag).vector(gravity, 'gravity').float(wind).float(hitRadius);
  });
  out.optionalVector(tail, 'tail');
  if (center === 'world') out.number(0);
  else if (center === 'model') out.number(1);
  else if (typeof center === 'object') out.number(2).bone(center.bone);
  else throw new CanterError(`there is no center '${String(center)}'; give 'world', 'model' or { bone }`);
  out.list(colliders, (collider) => out.number(collider));
}

function writeCollider(out: SolverWriter, collider: SpringCollider): void {
  const { bone, shape, offset = [0, 0, 0] } = collider;
  const kind = SHAPES.indexOf(shape);
  if (kind < 0) throw new CanterError(`there is no collider '${String(shape)}'; give one of ${SHAPES.map((name) => `'${name}'`).join(', ')}`);
  const far = 'tail' in collider ? collider.tail : 'normal' in collider ? collider.normal : ([0, 0, 0] as const);
  out.bone(bone).number(kind).vector(offset, 'the offset of a collider').vector(far, 'the tail or normal of a collider');
  out.float('radius' in collider ? collider.radius : 0);
}
