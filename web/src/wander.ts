import type { AnimationClip, AnimationMixer, CrossFadeOptions } from 'canter';

/** Whatever walks is in step, so that feet do not slide while one clip fades to another. */
export function inStep(clip: AnimationClip): CrossFadeOptions {
  return clip.groundSpeed !== undefined && clip.markers.length > 0 ? { sync: 'locomotion' } : {};
}

/** How long he walks, then runs. */
const TURN_SECS = 4;
/** Feet of a blend stand where those of both clips do on the mean: in a short fade that moves them by more. */
const FADE_SECS = 0.8;
const GAITS = ['WalkRoot', 'RunRoot'];

/** Walking about: from a walk to a run and back, in step by the markers of the feet. */
export class Wander {
  isOn = false;
  readonly #mixer: AnimationMixer;
  #gait = 0;
  /** How long the present gait lasts on. */
  #left = TURN_SECS;

  constructor(mixer: AnimationMixer) {
    this.#mixer = mixer;
  }

  /** Whether a figure has the clips for it. */
  static suits(clips: readonly AnimationClip[]): boolean {
    return GAITS.every((name) => clips.some((clip) => clip.name === name && clip.hasRootMotion));
  }

  /** From the walk on. */
  start(): void {
    this.#gait = 0;
    this.#left = TURN_SECS;
  }

  /** Begins an update of that many seconds; returns how many of them belong to one gait, for the rest to be asked for again. */
  begin(secs: number): number {
    if (!this.isOn) return secs;
    if (this.#left <= 0) {
      this.#gait = (this.#gait + 1) % GAITS.length;
      this.#left += TURN_SECS;
    }
    const part = Math.min(secs, this.#left);
    this.#left -= part;
    this.#mixer.crossFadeTo(GAITS[this.#gait]!, FADE_SECS, { sync: 'locomotion' });
    return part;
  }
}
