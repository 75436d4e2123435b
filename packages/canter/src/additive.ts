import type { AnimationClip } from './clip.js';

/**
 * The pose that an additive clip is the difference from: the rest pose, the clip's own first keys, or the pose
 * of a clip at a time in seconds.
 */
export type AdditiveReference = 'rest' | 'first-key' | { clip: AnimationClip | string; time: number };

/** How an additive clip is made. */
export interface AdditiveOptions {
  /** What it is the difference from; its own first keys unless said otherwise, as in three.js. */
  reference?: AdditiveReference;
}

/** @internal The codes of crates/canter-wasm. */
export const [REST, FIRST_KEY, OF_CLIP] = [0, 1, 2] as const;
