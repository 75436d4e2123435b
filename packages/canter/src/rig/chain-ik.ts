import type { VectorLike } from '../matrix.js';
import type { Skeleton } from '../skeleton.js';
import type { LimbGoal } from './two-bone-ik.js';
import { At, Kind, Solver, spaceOf, writeEnd, writePoint, type BoneOption, type Reach } from './solver.js';

/** How a bone of a chain may turn: within a cone from the animated pose, or about an axis from rest, in radians. */
export type BoneLimit = { cone: number } | { axis: VectorLike; min: number; max: number };

/** How a `ChainIK` is made. */
export interface ChainIKOptions {
  /** From its root to its end, 2 to 32; each as it is, or with a limit. */
  bones: readonly (BoneOption | { bone: BoneOption; limit: BoneLimit })[];
  /** From which part of its length on the chain is drawn out gently. */
  soften?: number;
}

/** Where the end of a chain should get to. */
export type ChainGoal = Omit<LimbGoal, 'twist'>;

/** Brings the end of a tail, a spine or a crane to a target: any number of bones. */
export class ChainIK extends Solver {
  constructor(skeleton: Skeleton, { bones, soften }: ChainIKOptions) {
    super(skeleton, 'ChainIK', Kind.Chain, (out) => {
      out.list(bones, (item) => {
        if (typeof item !== 'object' || !('limit' in item)) return void out.bone(item).number(0);
        const { bone, limit } = item;
        out.bone(bone);
        if ('cone' in limit) out.number(1).float(limit.cone);
        else out.number(2).vector(limit.axis, 'the axis of a limit').float(limit.min).float(limit.max);
      });
      out.optionalFloat(soften);
    });
  }

  /** Corrects the pose as it is now. */
  apply({ target, pole, end = 'follow', weight = 1, space }: ChainGoal): Reach {
    const [goal, { skeleton }, from] = [this._goal(weight), this, spaceOf(space)];
    writePoint(goal, At.Point, target, skeleton, from);
    if (pole) {
      goal[At.HasSecond] = 1;
      writePoint(goal, At.Second, pole, skeleton, from);
    }
    writeEnd(goal, end);
    return this._solve();
  }
}
