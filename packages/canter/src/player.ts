import { AnimationAction } from './action.js';
import type { Asset } from './asset.js';
import type { AnimationClip } from './clip.js';
import { easingCode, type Easing } from './easing.js';
import { checkFinite, checkNotNegative } from './error.js';
import { Emitter } from './events.js';
import type { LoopOption } from './loop.js';
import type { BoneMask } from './mask.js';
import type { Runtime } from './runtime.js';

/** How a clip is played. */
export interface PlayOptions {
  /** What happens at the end; `repeat` unless said otherwise. A number plays it that often. */
  loop?: LoopOption;
  /** Seconds of the clip per second; 0 stands still, negative runs backwards. */
  speed?: number;
  /** How strong it is beside other actions; 1 unless said otherwise. */
  weight?: number;
  /** Where it begins, in seconds. */
  startTime?: number;
  /** In how many seconds it fades in; at once unless said otherwise. */
  fadeIn?: number;
  /** The curve of that fade. */
  easing?: Easing;
  /** Which bones it moves; all unless said otherwise. */
  mask?: BoneMask;
}

/** What plays the clips of one character: an `AnimationMixer`, or a member of a `Crowd`. */
export abstract class Player extends Emitter {
  readonly asset: Asset;
  /** By their numbers in the module. A number that is given to another action is that one's from then on. */
  readonly #actions: (AnimationAction | undefined)[] = [];
  /** What `clipAction` last found, by the index of the clip. */
  readonly #byClip = new Map<number, AnimationAction>();
  #timeScale = 1;
  #fadesFollowTimeScale = false;

  /** @internal */
  constructor(asset: Asset) {
    super();
    this.asset = asset;
  }

  /** @internal */
  abstract get _runtime(): Runtime;
  /** @internal The number of its mixers in the module; throws when they are gone. */
  abstract get _mixers(): number;
  /** @internal Its place among these mixers. */
  abstract get _member(): number;

  /**
   * The action of a clip: the first one that plays, or else the one that this returned before, or a new one.
   * So it is always the same one for the same clip, unless `play` starts others.
   */
  clipAction(clip: AnimationClip | string): AnimationAction {
    void this._mixers;
    const { index } = this.asset._findClip(clip);
    const known = this.#byClip.get(index);
    if (known?._isLive) return known;
    const live = this.#actions.find((action) => action?.clip.index === index && action._isLive);
    const action = live ?? known ?? new AnimationAction(this, this.asset._findClip(clip));
    this.#byClip.set(index, action);
    return action;
  }

  /**
   * Plays a clip from its start, beside what plays already, as a new action each time: a clip can play
   * several times at once. Actions that have finished make room for it. To go on with a clip that plays
   * already, see `crossFadeTo`.
   */
  play(clip: AnimationClip | string, options: PlayOptions = {}): AnimationAction {
    const { loop = 'repeat', speed = 1, weight = 1, startTime } = options;
    const { fadeIn = 0, easing = 'linear', mask } = options;
    const action = new AnimationAction(this, this.asset._findClip(clip));
    checkNotNegative(fadeIn, 'fadeIn');
    if (startTime !== undefined) checkFinite(startTime, 'startTime');
    action.setLoop(loop).setSpeed(speed).setWeight(weight);
    if (startTime !== undefined) action.setTime(startTime);
    if (mask) action.setMask(mask);
    action._start(fadeIn, easing);
    if (!this.#byClip.get(action.clip.index)?._isLive) this.#byClip.set(action.clip.index, action);
    return action;
  }

  /**
   * Fades everything that plays out and a clip in. A clip that plays already goes on; one that has finished
   * starts anew. Calling it in every frame is fine.
   */
  crossFadeTo(clip: AnimationClip | string, secs: number, easing: Easing = 'linear'): AnimationAction {
    checkNotNegative(secs, 'the length of the crossfade');
    const { index } = this.asset._findClip(clip);
    const code = easingCode(easing);
    const { mixers_crossfade_to: crossFadeTo } = this._runtime._exports;
    const fade = () => crossFadeTo(this._mixers, this._member, index, secs, code);
    const playing = this.#actions[fade()];
    if (playing) return playing;
    const action = this.clipAction(clip)._start(secs, easing);
    fade();
    return action;
  }

  /** Fades one clip out and another in, which starts if it does not play. */
  crossFade(
    from: AnimationClip | AnimationAction | string,
    to: AnimationClip | AnimationAction | string,
    secs: number,
    easing: Easing = 'linear',
  ): AnimationAction {
    const start = from instanceof AnimationAction ? from : this.clipAction(from);
    const end = to instanceof AnimationAction ? to : this.clipAction(to);
    start.crossFadeTo(end, secs, easing);
    return end;
  }

  /** Stops all actions at once. The bones go back to rest with the next `update`. */
  stopAll(): this {
    this._runtime._exports.mixers_stop_all(this._mixers, this._member);
    return this;
  }

  /** How fast the time of all actions runs: 0 for a hit-stop, less than 1 for slow motion; 1 at first. */
  get timeScale(): number {
    return this.#timeScale;
  }
  set timeScale(scale: number) {
    checkNotNegative(scale, 'the time scale (to play backwards, give actions a negative `timeScale`)');
    this._runtime._exports.mixers_speed(this._mixers, this._member, scale);
    this.#timeScale = scale;
  }

  /** Whether fades run with `timeScale`, too, so that a hit-stop stops them as well; false at first. */
  get fadesFollowTimeScale(): boolean {
    return this.#fadesFollowTimeScale;
  }
  set fadesFollowTimeScale(follow: boolean) {
    this._runtime._exports.mixers_fades_follow_speed(this._mixers, this._member, follow ? 1 : 0);
    this.#fadesFollowTimeScale = follow;
  }

  /** @internal The action that has a number in the module, or had it last. */
  _actionOf(number: number): AnimationAction | undefined {
    return this.#actions[number];
  }

  /** @internal */
  _own(number: number, action: AnimationAction): void {
    this.#actions[number] = action;
  }
}
