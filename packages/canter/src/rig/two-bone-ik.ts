import type { VectorLike } from '../matrix.js';
import type { Skeleton } from '../skeleton.js';
import { At, Kind, Solver, spaceOf, writeEnd, writePoint, type BoneOption, type LimbEnd, type Reach, type Space } from './solver.js';

/** How a `TwoBoneIK` is made. */
export interface TwoBoneIKOptions {
  /** Upper arm, forearm and hand, or thigh, shin and foot. Others may lie between them. */
  bones: readonly [BoneOption, BoneOption, BoneOption];
  /** The axis about which the middle bone bends, in the space of the first one; as the rest pose has it unless given. */
  hinge?: VectorLike;
  /** Where a limb that is straight at rest bends to, as a direction of the character: knees forwards, elbows backwards. */
  bendsTowards?: VectorLike;
  /** From which part of its length on the limb is drawn out gently, so that it does not snap straight: 0.97 unless given, 1 for never. */
  soften?: number;
  /** By how much the limb may be stretched to get there: 1, not at all, unless given. */
  maxStretch?: number;
}

/** Where a limb should get to. */
export interface LimbGoal {
  /** Where its end should be. */
  target: VectorLike;
  /** A point towards which it bends; as the hinge says unless given. */
  pole?: VectorLike;
  /** By how many radians it is turned about the line to the target. */
  twist?: number;
  /** How the last bone is turned; `follow` unless given. */
  end?: LimbEnd;
  /** 0 leaves the pose as it is, 1 gets there; 1 unless given. */
  weight?: number;
  /** Where `target` and `pole` are; `model` unless given. */
  space?: Space;
}

/**
 * Brings a hand or a foot to a target: two bones, solved exactly.
 *
 * ```ts
 * const arm = new TwoBoneIK(hero.skeleton, { bones: ['upper_arm_R', 'forearm_R', 'hand_R'] });
 * mixer.update(dt);
 * const { reached, remaining } = arm.apply({ target: [0.3, 1.2, 0.4], end: 'keep' });
 * ```
 *
 * A target that is out of reach stretches the limb nearly straight. One that is not a number changes nothing.
 */
export class TwoBoneIK extends Solver {
  constructor(skeleton: Skeleton, options: TwoBoneIKOptions) {
    const { bones, hinge, bendsTowards, soften, maxStretch } = options;
    super(skeleton, 'TwoBoneIK', Kind.TwoBone, (out) => {
      out.bones(bones, 3, 'the bones of a limb').optionalVector(hinge, 'hinge').optionalVector(bendsTowards, 'bendsTowards');
      out.optionalFloat(soften).optionalFloat(maxStretch);
    });
  }

  /** Corrects the pose as it is now. */
  apply({ target, pole, twist = 0, end = 'follow', weight = 1, space }: LimbGoal): Reach {
    const [goal, { skeleton }, from] = [this._goal(weight), this, spaceOf(space)];
    writePoint(goal, At.Point, target, skeleton, from);
    if (pole) {
      goal[At.HasSecond] = 1;
      writePoint(goal, At.Second, pole, skeleton, from);
    }
    goal[At.Twist] = twist;
    writeEnd(goal, end);
    return this._solve();
  }
}
