import { CanterError } from '../error.js';
import type { VectorLike } from '../matrix.js';
import { readQuaternion, type QuaternionLike } from '../rotation.js';
import type { Skeleton } from '../skeleton.js';
import { Kind, Solver, type BoneOption } from './solver.js';

/**
 * A bone that follows another one.
 *
 * - `rotation`: turned from rest as its source is.
 * - `roll`: only what its source turns about an axis, in the space of the bone.
 * - `aim`: an axis of the bone points at its source.
 * - `copy`: as `rotation`, by no more than a limit in radians, and turned further.
 */
export type BoneConstraint = {
  bone: BoneOption;
  source: BoneOption;
  /** From 0, the rest rotation, to 1; 1 unless given. */
  weight?: number;
} & ({ kind: 'rotation' } | { kind: 'roll' | 'aim'; axis: VectorLike } | { kind: 'copy'; offset?: QuaternionLike; limit?: number });

const KINDS = ['rotation', 'roll', 'aim', 'copy'];

/** Bones that follow others, as VRM 1.0 has them, in the order in which they depend on each other. */
export class Constraints extends Solver {
  constructor(skeleton: Skeleton, constraints: readonly BoneConstraint[]) {
    super(skeleton, 'Constraints', Kind.Constraints, (out) => {
      out.list(constraints, (constraint) => {
        const { bone, source, weight = 1, kind } = constraint;
        if (!KINDS.includes(kind)) throw new CanterError(`there is no constraint '${String(kind)}'; give 'rotation', 'roll', 'aim' or 'copy'`);
        out.bone(bone).bone(source).float(weight).number(KINDS.indexOf(kind));
        if (kind === 'roll' || kind === 'aim') out.vector(constraint.axis, 'axis');
        if (kind !== 'copy') return;
        const { offset = [0, 0, 0, 1], limit = Math.PI } = constraint;
        out.floats(readQuaternion(offset, 'offset')).float(Math.min(limit, Math.fround(Math.PI)));
      });
    });
  }

  /** Corrects the pose as it is now. */
  apply(): this {
    this._goal();
    this._solve();
    return this;
  }
}

/** How a `Twist` is made. */
export interface TwistOptions {
  /** What twists: a hand, a thigh. */
  source: BoneOption;
  /** The axis of the bone, in the space of the source's parent. */
  axis: VectorLike;
  /** Bones beside the source, or on it, and what part of its twist each has. */
  bones: readonly { bone: BoneOption; share: number }[];
}

/** The twist of a hand or a thigh, spread along the limb. */
export class Twist extends Solver {
  constructor(skeleton: Skeleton, { source, axis, bones }: TwistOptions) {
    super(skeleton, 'Twist', Kind.Twist, (out) => {
      out.bone(source).vector(axis, 'axis').list(bones, ({ bone, share }) => out.bone(bone).float(share));
    });
  }

  /** Corrects the pose as it is now. */
  apply(): this {
    this._goal();
    this._solve();
    return this;
  }
}
