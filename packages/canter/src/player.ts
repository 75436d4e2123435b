import { AnimationAction, type LoopOption } from './action.js';
import type { Asset } from './asset.js';
import type { AnimationClip } from './clip.js';
import { easingCode, type Easing } from './easing.js';
import { CanterError, checkFinite, checkNotNegative, checkWeight } from './error.js';
import { Emitter } from './events.js';
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
}

/** What plays the clips of one character: an `AnimationMixer`, or a member of a `Crowd`. */
export abstract class Player extends Emitter {
  readonly asset: Asset;
  readonly #actions = new Map<number, AnimationAction>();

  /** @internal */
  constructor(asset: Asset) {
    super();
    this.asset = asset;
  }

  /** @internal */
  abstract get _runtime(): Runtime;
  /** @internal Its number in the module; throws when it is gone. */
  abstract get _band(): number;
  /** @internal Its place among the mixers of its band. */
  abstract get _member(): number;

  /** The action of a clip: always the same one for the same clip. */
  clipAction(clip: AnimationClip | string): AnimationAction {
    void this._band;
    const found = this.asset._findClip(clip);
    let action = this.#actions.get(found.index);
    if (!action) {
      action = new AnimationAction(this, found);
      this.#actions.set(found.index, action);
    }
    return action;
  }

  /** Plays a clip from its start, beside what plays already. */
  play(clip: AnimationClip | string, options: PlayOptions = {}): AnimationAction {
    const action = this.clipAction(clip);
    const { loop = 'repeat', speed = 1, weight = 1, startTime } = options;
    checkFinite(speed, 'speed');
    checkWeight(weight);
    if (startTime !== undefined) checkFinite(startTime, 'startTime');
    return action._start(loop, speed, weight, startTime);
  }

  /** Fades everything that plays out and a clip in. */
  crossFadeTo(clip: AnimationClip | string, secs: number, easing: Easing = 'linear'): AnimationAction {
    checkNotNegative(secs, 'the length of the crossfade');
    const action = this.clipAction(clip);
    action._prepare();
    this._runtime._exports.action_crossfade_to(this._band, this._member, action.clip.index, secs, easingCode(easing));
    action._settle();
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
    this._runtime._exports.stop_all(this._band, this._member);
    return this;
  }

  /**
   * The sum of weights below which the rest pose begins to show, from 0 to 1; 0.1 at first. 1 fills up to full weight with the rest
   * pose, as three.js does.
   */
  setRestThreshold(threshold: number): this {
    if (!(threshold >= 0 && threshold <= 1)) throw new CanterError(`the rest threshold is ${threshold}; give a number from 0 to 1`);
    this._runtime._exports.set_rest_threshold(this._band, this._member, threshold);
    return this;
  }

  /** @internal The action that an event is about. */
  _actionAt(clip: number): AnimationAction | undefined {
    return this.#actions.get(clip);
  }
}
