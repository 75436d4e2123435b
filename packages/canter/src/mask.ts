import type { Asset } from './asset.js';
import type { Bone } from './bone.js';
import { boneIndex } from './bone-index.js';
import type { AnimationClip } from './clip.js';
import { CanterError } from './error.js';
import { missingName } from './missing-name.js';
import type { Skeleton } from './skeleton.js';

const NO_BYTES = new Uint8Array(0);

/**
 * A weight from 0 to 1 for every bone and every set of morph targets: what an action or a layer moves, and
 * what it leaves alone.
 *
 * ```ts
 * const upperBody = hero.skeleton.mask('spine', { feather: 2 });
 * const butHands = upperBody.min(BoneMask.matching(hero.skeleton, 'hand_*', 'finger*').inverse());
 * mixer.addLayer({ mask: butHands }).play('Wave', { loop: 'once' });
 * ```
 *
 * It serves all mixers and crowds of its asset. An action or a layer takes the weights as they are when it
 * gets the mask.
 */
export class BoneMask {
  readonly asset: Asset;
  /** The bones, then the sets of morph targets. */
  readonly #weights: Float32Array;
  readonly #bones: readonly Bone[];

  /** Leaves everything alone. */
  constructor(skeleton: Skeleton) {
    this.asset = skeleton.asset;
    this.#bones = skeleton.bones;
    const morphs = this.asset.nodes.filter(({ morph }) => morph !== undefined).length;
    this.#weights = new Float32Array(this.#bones.length + morphs);
  }

  /** Moves everything, sets of morph targets too. */
  static all(skeleton: Skeleton): BoneMask {
    return new BoneMask(skeleton).inverse();
  }

  /** Moves these bones and everything that hangs on them. Bones are given as such, or by name or index. */
  static subtree(skeleton: Skeleton, ...tops: (Bone | string | number)[]): BoneMask {
    const mask = BoneMask.bones(skeleton, ...tops);
    // Parents come before children.
    for (const { index, parent } of skeleton.bones) {
      if (parent && mask.#weights[parent.index] === 1) mask.#weights[index] = 1;
    }
    return mask;
  }

  /** Moves these bones, and nothing else. */
  static bones(skeleton: Skeleton, ...bones: (Bone | string | number)[]): BoneMask {
    const mask = new BoneMask(skeleton);
    for (const bone of bones) mask.set(bone, 1);
    return mask;
  }

  /**
   * Moves the bones whose names match one of these patterns, in which `*` stands for any characters, also
   * none, and `?` for one: `BoneMask.matching(skeleton, '*_L', 'finger_?_R')`. Upper and lower case count.
   */
  static matching(skeleton: Skeleton, ...patterns: string[]): BoneMask {
    const mask = new BoneMask(skeleton);
    for (const pattern of patterns) {
      const expression = new RegExp(`^${wildcards(pattern)}$`, 'su');
      const found = skeleton.bones.filter(({ name }) => expression.test(name));
      if (found.length === 0) {
        const names = skeleton.bones.map(({ name }) => name);
        throw new CanterError(`${missingName('bone', pattern, names)}; * stands for any characters, ? for one`);
      }
      for (const bone of found) mask.set(bone, 1);
    }
    return mask;
  }

  /**
   * Moves what a clip has tracks for, sets of morph targets too. So several clips that move a few bones each play side by side, and
   * leave the rest to others:
   *
   * ```ts
   * for (const clip of ['Walk', 'Blink', 'Point']) mixer.play(clip, { mask: BoneMask.tracks(hero.skeleton, clip) });
   * ```
   */
  static tracks(skeleton: Skeleton, clip: AnimationClip | string): BoneMask {
    const { asset } = skeleton;
    const mask = new BoneMask(skeleton);
    asset._runtime._exports.asset_clip_tracks(asset._id, asset._findClip(clip).index);
    mask.#weights.set(asset._runtime._outputBytes());
    return mask;
  }

  /** The weight of a bone. */
  weight(bone: Bone | string | number): number {
    return this.#weights[boneIndex(this.asset, bone)] as number;
  }

  /** The weight of a set of morph targets (`asset.nodes[…].morph`). */
  morphWeight(morph: number): number {
    return this.#weights[this.#morphIndex(morph)] as number;
  }

  /** Sets the weight of a bone, from 0 to 1. */
  set(bone: Bone | string | number, weight: number): this {
    const index = boneIndex(this.asset, bone);
    this.#weights[index] = checkUnit(weight);
    return this;
  }

  /** Sets the weight of a set of morph targets (`asset.nodes[…].morph`), from 0 to 1. */
  setMorph(morph: number, weight: number): this {
    this.#weights[this.#morphIndex(morph)] = checkUnit(weight);
    return this;
  }

  #morphIndex(morph: number): number {
    const count = this.#weights.length - this.#bones.length;
    if (!(Number.isInteger(morph) && morph >= 0 && morph < count)) {
      throw new CanterError(`there is no morph set ${morph}; the file has ${count}, counted from 0`);
    }
    return this.#bones.length + morph;
  }

  /** A mask that moves what either moves: the larger weights. */
  max(other: BoneMask): BoneMask {
    return this.#with(other, Math.max);
  }

  /** A mask that moves what both move: the smaller weights. */
  min(other: BoneMask): BoneMask {
    return this.#with(other, Math.min);
  }

  /** One mask through the other: the products of weights. */
  product(other: BoneMask): BoneMask {
    return this.#with(other, (a, b) => a * b);
  }

  /** A mask that moves what this one leaves alone: 1 minus each weight. */
  inverse(): BoneMask {
    return this.#with(this, (weight) => 1 - weight);
  }

  /**
   * A mask that comes in gradually from its top, over so many bones: a top, which is a bone with a weight
   * below one without, keeps 1 / (bones + 1) of its weight, its children 2 / (bones + 1), and so on down.
   */
  feathered(bones: number): BoneMask {
    if (!(Number.isInteger(bones) && bones >= 0)) {
      throw new CanterError(`the feather is ${String(bones)}; give a number of bones, from 0`);
    }
    const mask = this.#with(this, (weight) => weight);
    // How many bones with a weight lead down to each, itself included.
    const run: number[] = [];
    for (const { index, parent } of this.#bones) {
      const weight = this.#weights[index] as number;
      const above = parent ? (run[parent.index] as number) : 0;
      run.push(weight > 0 ? above + 1 : 0);
      if (weight > 0 && above < bones) mask.#weights[index] = weight * ((above + 1) / (bones + 1));
    }
    return mask;
  }

  #with(other: BoneMask, weigh: (mine: number, other: number) => number): BoneMask {
    if (other.asset !== this.asset) {
      throw new CanterError('the masks were made for different assets; make both for the same skeleton');
    }
    const mask = new BoneMask(this.#bones[0]?.skeleton ?? this.asset.skeleton);
    for (const [index, weight] of this.#weights.entries()) {
      mask.#weights[index] = weigh(weight, other.#weights[index] as number);
    }
    return mask;
  }

  /** @internal */
  get _bytes(): Uint8Array {
    return new Uint8Array(this.#weights.buffer);
  }
}

/** @internal A mask as the module takes it: no bytes are no mask. */
export function maskBytes(mask: BoneMask | undefined, asset: Asset): Uint8Array {
  if (mask && mask.asset !== asset) {
    throw new CanterError('the mask was made for another asset; make one for the skeleton of this mixer');
  }
  return mask?._bytes ?? NO_BYTES;
}

/** A regular expression for a name with `*` and `?`. */
function wildcards(pattern: string): string {
  const literal = pattern.replace(/[\\^$.+()[\]{}|/]/g, '\\$&');
  // Several stars are one: an expression would try all ways to share a name among them.
  return literal.replace(/\*+/g, '.*').replace(/\?/g, '.');
}

function checkUnit(weight: number): number {
  if (!(weight >= 0 && weight <= 1)) {
    throw new CanterError(`the weight of a mask is ${String(weight)}; give a number from 0 to 1`);
  }
  return weight;
}
