import type { AnimationClip, Object3D } from 'three';

import type { ClipSampler } from './clip-sampler.js';
import type { PropertyMix } from './property-mix.js';

/** @internal Finds a node by the name in a track. */
export type FindNode = (name: string | undefined) => Object3D | null;

/**
 * @internal All tracks of an action that the module plays, to three's mixer as one: the interpolant of a track,
 * and the mixer of the property that it moves. three.js decides when it plays, at which time and weight.
 */
export class PoseBinding {
  /** What three's mixer keeps about the mixer of a property. */
  readonly binding: { readonly rootNode: Object3D; readonly path: string };
  useCount = 0;
  referenceCount = 0;
  _cacheIndex: number | null = null;
  /** For each track of the clip whether the module plays it. */
  readonly isPlayed: readonly boolean[];
  readonly #mix: PropertyMix;
  readonly #sampler: ClipSampler;
  readonly #slots: readonly number[];
  readonly #channels: number;
  #isUsed = false;
  #time = 0;

  constructor(root: Object3D, clip: AnimationClip, mix: PropertyMix, sampler: ClipSampler, find: FindNode) {
    // No track has such a name: each action has a binding of its own.
    this.binding = { rootNode: root, path: `[pose ${clip.uuid} ${counter++}]` };
    this.#mix = mix;
    this.#sampler = sampler;
    const isPlayed = clip.tracks.map(() => false);
    const slots: number[] = [];
    const words: number[] = [];
    for (const { nodeName, index, joint, property } of sampler.tracks) {
      const node = find(nodeName);
      // three.js says that there is no such node, or plays it.
      if (!node?.isObject3D || mix.isLeft(node, property)) continue;
      const slot = mix.slot(node, property);
      isPlayed[index] = true;
      slots.push(slot);
      words.push(joint, property, slot);
    }
    this.isPlayed = isPlayed;
    this.#slots = slots;
    this.#channels = mix.bind(sampler, Uint32Array.from(words));
  }

  evaluate(time: number): void {
    this.#time = time;
  }

  accumulate(_index: number, weight: number): void {
    this.#mix.add(this.#channels, this.#sampler, this.#time, weight, false);
  }

  accumulateAdditive(weight: number): void {
    this.#mix.add(this.#channels, this.#sampler, this.#time, weight, true);
  }

  apply(): void {
    this.#mix.apply();
  }

  saveOriginalState(): void {
    if (this.#isUsed) return;
    this.#isUsed = true;
    this.#mix.use(this.#slots);
  }

  restoreOriginalState(): void {
    if (!this.#isUsed) return;
    this.#isUsed = false;
    this.#mix.release(this.#slots);
  }
}

let counter = 0;
