import type { Asset } from './asset.js';
import type { Bone } from './bone.js';
import { CanterError } from './error.js';
import { missingName } from './missing-name.js';
import type { Skeleton } from './skeleton.js';

/**
 * A weight from 0 to 1 for every bone and every set of morph targets: what an action moves, and what it
 * leaves alone.
 *
 * ```ts
 * const upperBody = BoneMask.subtree(hero.skeleton, 'chest').set('chest', 0.5);
 * mixer.play('Wave', { loop: 'once', mask: upperBody });
 * ```
 *
 * It serves all mixers and crowds of its asset. An action takes the weights as they are when it gets the
 * mask.
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

  /** The weight of a bone. */
  weight(bone: Bone | string | number): number {
    return this.#weights[this.#indexOf(bone)] as number;
  }

  /** Sets the weight of a bone, from 0 to 1. */
  set(bone: Bone | string | number, weight: number): this {
    const index = this.#indexOf(bone);
    this.#weights[index] = checkUnit(weight);
    return this;
  }

  /** Sets the weight of a set of morph targets (`asset.nodes[…].morph`), from 0 to 1. */
  setMorph(morph: number, weight: number): this {
    const count = this.#weights.length - this.#bones.length;
    if (!(Number.isInteger(morph) && morph >= 0 && morph < count)) {
      throw new CanterError(`there is no morph set ${morph}; the file has ${count}, counted from 0`);
    }
    this.#weights[this.#bones.length + morph] = checkUnit(weight);
    return this;
  }

  /** @internal */
  get _bytes(): Uint8Array {
    return new Uint8Array(this.#weights.buffer);
  }

  #indexOf(bone: Bone | string | number): number {
    const bones = this.#bones;
    if (typeof bone === 'string') {
      const index = bones.findIndex(({ name }) => name === bone);
      if (index < 0) throw new CanterError(missingName('bone', bone, bones.map(({ name }) => name)));
      return index;
    }
    const index = typeof bone === 'number' ? bone : bone.index;
    if (!bones[index]) {
      throw new CanterError(`there is no bone ${index}; the skeleton has ${bones.length}, counted from 0`);
    }
    if (typeof bone !== 'number' && bone.skeleton.asset !== this.asset) {
      throw new CanterError(`bone "${bone.name}" is one of another asset; give its name`);
    }
    return index;
  }
}

function checkUnit(weight: number): number {
  if (!(weight >= 0 && weight <= 1)) {
    throw new CanterError(`the weight of a mask is ${String(weight)}; give a number from 0 to 1`);
  }
  return weight;
}
