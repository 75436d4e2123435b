import type { VectorLike } from '../matrix.js';
import type { Skeleton } from '../skeleton.js';
import { At, Kind, Solver, spaceOf, writePoint, type BoneOption, type Reach, type Space } from './solver.js';

/** A bone that takes part in a look. */
export interface LookAtBone {
  bone: BoneOption;
  /** Its part of the way, from 0 to 1. */
  share: number;
  /** How far it turns at most from the animated pose, in radians; without a limit unless given. */
  limit?: number;
}

/** How a `LookAt` is made. */
export interface LookAtOptions {
  /** From the first to the last, which looks: chest, neck, head. One alone takes all of the way. */
  bones: readonly (LookAtBone | BoneOption)[];
  /** Where the last one looks at rest, as a direction of the character; `[0, 0, 1]` unless given. */
  forward?: VectorLike;
  /** Where the eye is, in the space of the last bone; at the bone unless given. */
  eye?: VectorLike;
  /** Between which angles from straight ahead, in radians, the look is given up, before its way becomes ambiguous. */
  fadeBehind?: readonly [from: number, to: number];
}

/** What to look at. */
export interface LookGoal {
  target: VectorLike;
  /** Where the top of the last bone turns to; as the animated pose has it unless given. */
  up?: VectorLike;
  /** 0 leaves the pose as it is, 1 looks there; 1 unless given. */
  weight?: number;
  /** Where `target` and `up` are; `model` unless given. */
  space?: Space;
}

/**
 * Looks at something: eyes, head, neck and chest together.
 *
 * ```ts
 * const look = new LookAt(hero.skeleton, { bones: [{ bone: 'chest', share: 0.2, limit: 0.4 }, { bone: 'neck', share: 0.3 }, { bone: 'head', share: 1 }] });
 * mixer.update(dt);
 * look.apply({ target: camera.position, space: 'world', weight: 0.8 });
 * ```
 *
 * Each bone takes its share of what those before it left. What remains is an angle.
 */
export class LookAt extends Solver {
  constructor(skeleton: Skeleton, options: LookAtOptions) {
    const { bones, forward = [0, 0, 1], eye, fadeBehind } = options;
    super(skeleton, 'LookAt', Kind.Aim, (out) => {
      out.list(bones, (item) => {
        const { bone, share, limit = Math.PI } = isShare(item) ? item : { bone: item, share: 1 };
        // Rounded up, half a turn would be more than it.
        out.bone(bone).float(share).float(Math.min(limit, Math.fround(Math.PI)));
      });
      out.vector(forward, 'forward').optionalVector(eye, 'eye');
      out.option(fadeBehind, ([from, to]) => out.float(from).float(to));
    });
  }

  /** Corrects the pose as it is now. */
  apply({ target, up, weight = 1, space }: LookGoal): Reach {
    const [goal, { skeleton }, from] = [this._goal(weight), this, spaceOf(space)];
    writePoint(goal, At.Point, target, skeleton, from);
    if (up) {
      goal[At.HasSecond] = 1;
      writePoint(goal, At.Second, up, skeleton, from, true);
    }
    return this._solve();
  }
}

function isShare(item: LookAtBone | BoneOption): item is LookAtBone {
  return typeof item === 'object' && 'share' in item;
}
