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
  #secs = 0;

  constructor(mixer: AnimationMixer) {
    this.#mixer = mixer;
  }

  /** Whether a figure has the clips for it. */
  static suits(clips: readonly AnimationClip[]): boolean {
    return GAITS.every((name) => clips.some((clip) => clip.name === name && clip.hasRootMotion));
  }

  /** From the walk on. */
  start(): void {
    this.#secs = 0;
  }

  /** Before an update of that many seconds. */
  update(secs: number): void {
    if (!this.isOn) return;
    const gait = GAITS[Math.floor(this.#secs / TURN_SECS) % GAITS.length]!;
    this.#secs += secs;
    this.#mixer.crossFadeTo(gait, FADE_SECS, { sync: 'locomotion' });
  }
}
