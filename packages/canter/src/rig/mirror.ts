import { boneIndex } from '../bone-index.js';
import type { Bone } from '../bone.js';
import type { AnimationClip } from '../clip.js';
import { CanterError } from '../error.js';
import type { Skeleton } from '../skeleton.js';
import { Kind, Solver, type BoneOption } from './solver.js';

/**
 * Left for right: poses and clips as a mirror shows them. Which bones change places is found by their names (`arm.L`, `LeftArm`,
 * `upperarm_l`) and checked against the rest pose.
 *
 * ```ts
 * const mirror = new Mirror(hero.skeleton);
 * mixer.play(mirror.clip('Wave')); // with the other hand
 * ```
 */
export class Mirror extends Solver {
  readonly #clips = new Map<string, AnimationClip>();

  constructor(skeleton: Skeleton) {
    super(skeleton, 'Mirror', Kind.Mirror, () => undefined);
  }

  /** The bone that a bone changes places with: itself in the middle, undefined for one that is left as it is. */
  partner(bone: BoneOption): Bone | undefined {
    const { asset, bones } = this.skeleton;
    return bones[this._exports.mirror_partner(this._id, asset._id, boneIndex(asset, bone)) - 1];
  }

  /** Mirrors the pose as it is now. */
  apply(): this {
    this._goal();
    this._solve();
    return this;
  }

  /**
   * A clip as the mirror shows it, with its root motion, and with `foot_R` where it had `foot_L`: a further clip of the asset, which plays and
   * blends at no further cost. Its name is that of the clip with `.mirrored` behind it unless given, for graphs, too, that are made
   * afterwards. The same one whenever it is asked for.
   */
  clip(clip: AnimationClip | string, name?: string): AnimationClip {
    const { asset } = this.skeleton;
    const source = asset._findClip(clip);
    const called = name ?? `${source.name}.mirrored`;
    const known = this.#clips.get(`${source.index} ${called}`);
    if (known) return known;
    const runtime = asset._runtime;
    runtime._input(new TextEncoder().encode(called));
    if (this._exports.mirror_clip(this._id, asset._id, source.index) === 0) throw new CanterError(runtime._outputText());
    const made = { ...source, name: called, index: asset.clips.length };
    (asset.clips as AnimationClip[]).push(made);
    asset._readClips();
    this.#clips.set(`${source.index} ${called}`, made);
    return made;
  }
}
