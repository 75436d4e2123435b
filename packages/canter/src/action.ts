import type { AnimationClip } from './clip.js';
import { easingCode, type Easing } from './easing.js';
import { CanterError, checkFinite, checkNotNegative, checkWeight } from './error.js';
import type { Player } from './player.js';

/** What happens at the end of a clip: it holds its last pose, starts again, or runs back and forth. A number plays it that often. */
export type LoopOption = 'once' | 'repeat' | 'pingpong' | number;

/** The codes of crates/canter-wasm. */
const LOOPS: Readonly<Record<string, number>> = { once: 0, repeat: 1, pingpong: 2 };
const TIMES = 3;

const PAUSED = 2;
const FINISHED = 4;
const FADING = 8;

/**
 * A clip on a character: whether it plays, where it is, how fast and how strong.
 *
 * It stays with its mixer for ever and keeps its settings; stopping or fading it out and playing it again is fine. Setters chain:
 * `action.setLoop('once').setSpeed(1.5).play()`.
 */
export class AnimationAction {
  readonly clip: AnimationClip;
  readonly #player: Player;
  #loop: LoopOption = 'repeat';
  #speed = 1;
  #weight = 1;
  /** Where it starts when it plays next, if that was said. */
  #startTime: number | undefined;

  /** @internal */
  constructor(player: Player, clip: AnimationClip) {
    this.#player = player;
    this.clip = clip;
  }

  /** What plays it. */
  get mixer(): Player {
    return this.#player;
  }

  /** Starts it at full strength, or lets it run on where it was paused. One that has finished starts over. */
  play(): this {
    this._prepare();
    const { _runtime, _band, _member } = this.#player;
    _runtime._exports.action_resume(_band, _member, this.clip.index);
    this._settle();
    return this;
  }

  /** Ends it at once. */
  stop(): this {
    const { _runtime, _band, _member } = this.#player;
    _runtime._exports.action_stop(_band, _member, this.clip.index);
    return this;
  }

  /** Stops its clock; its pose still counts. `play()` lets it run on. */
  pause(): this {
    const { _runtime, _band, _member } = this.#player;
    _runtime._exports.action_pause(_band, _member, this.clip.index);
    return this;
  }

  /** Puts it back to where it begins. */
  reset(): this {
    this.#startTime = undefined;
    const { _runtime, _band, _member } = this.#player;
    _runtime._exports.action_reset(_band, _member, this.clip.index);
    return this;
  }

  /** Sets what happens at the end of the clip. */
  setLoop(loop: LoopOption): this {
    const [mode, times] = loopCodes(loop);
    this.#loop = loop;
    const { _runtime, _band, _member } = this.#player;
    _runtime._exports.action_loop(_band, _member, this.clip.index, mode, times);
    return this;
  }

  /** Sets the seconds of the clip per second; 0 stands still, negative runs backwards. */
  setSpeed(speed: number): this {
    checkFinite(speed, 'the speed');
    this.#speed = speed;
    const { _runtime, _band, _member } = this.#player;
    _runtime._exports.action_speed(_band, _member, this.clip.index, speed);
    return this;
  }

  /** Sets how strong it is beside other actions, from 0. */
  setWeight(weight: number): this {
    checkWeight(weight);
    this.#weight = weight;
    const { _runtime, _band, _member } = this.#player;
    _runtime._exports.action_weight(_band, _member, this.clip.index, weight);
    return this;
  }

  /** Puts it to a time of the clip, in seconds; beyond the clip it wraps as its loop says. */
  setTime(secs: number): this {
    checkFinite(secs, 'the time');
    const { _runtime, _band, _member } = this.#player;
    const isLive = _runtime._exports.action_seek(_band, _member, this.clip.index, secs) !== 0;
    this.#startTime = isLive ? undefined : secs;
    return this;
  }

  /** Fades it in from where its weight is. It starts if it does not play. */
  fadeIn(secs: number, easing: Easing = 'linear'): this {
    checkNotNegative(secs, 'the length of the fade');
    this._prepare();
    const { _runtime, _band, _member } = this.#player;
    _runtime._exports.action_fade_in(_band, _member, this.clip.index, secs, easingCode(easing));
    this._settle();
    return this;
  }

  /** Fades it out from where its weight is; at the end it stops. */
  fadeOut(secs: number, easing: Easing = 'linear'): this {
    checkNotNegative(secs, 'the length of the fade');
    const { _runtime, _band, _member } = this.#player;
    _runtime._exports.action_fade_out(_band, _member, this.clip.index, secs, easingCode(easing));
    return this;
  }

  /** Fades this one out and another in, which starts if it does not play. Gives this one back. */
  crossFadeTo(to: AnimationAction, secs: number, easing: Easing = 'linear'): this {
    checkNotNegative(secs, 'the length of the crossfade');
    if (to.#player !== this.#player) throw new CanterError('a crossfade leads from one action to another of the same mixer');
    to._prepare();
    const { _runtime, _band, _member } = this.#player;
    _runtime._exports.action_crossfade(_band, _member, this.clip.index, to.clip.index, secs, easingCode(easing));
    to._settle();
    return this;
  }

  /** Fades another one out and this one in. */
  crossFadeFrom(from: AnimationAction, secs: number, easing: Easing = 'linear'): this {
    from.crossFadeTo(this, secs, easing);
    return this;
  }

  /** The instant of the clip that it shows, in seconds. */
  get time(): number {
    return this.#state() ? (this.#player._runtime._floats[1] as number) : (this.#startTime ?? 0);
  }
  set time(secs: number) {
    this.setTime(secs);
  }

  /** The weight that it was given, without fades and other actions. */
  get weight(): number {
    return this.#weight;
  }
  set weight(weight: number) {
    this.setWeight(weight);
  }

  /** Seconds of the clip per second. */
  get timeScale(): number {
    return this.#speed;
  }
  set timeScale(speed: number) {
    this.setSpeed(speed);
  }

  /** What happens at the end of the clip. */
  get loop(): LoopOption {
    return this.#loop;
  }
  set loop(loop: LoopOption) {
    this.setLoop(loop);
  }

  /** Whether its clock stands still. */
  get paused(): boolean {
    return (this.#flags() & PAUSED) !== 0;
  }
  set paused(paused: boolean) {
    if (paused) this.pause();
    else if (this.paused) this.play();
  }

  /** What its weight comes to beside the others, after fades. */
  get effectiveWeight(): number {
    return this.#state() ? (this.#player._runtime._floats[2] as number) : 0;
  }

  /** How many loops it has completed; negative when it went back beyond its start. */
  get loops(): number {
    return this.#state() ? (this.#player._runtime._words[3] as number) | 0 : 0;
  }

  /** Whether it plays: started, not paused, not at its end. */
  get isRunning(): boolean {
    return (this.#flags() & 7) === 1;
  }

  /** Whether it has played to its end and holds its last pose. */
  get isFinished(): boolean {
    return (this.#flags() & FINISHED) !== 0;
  }

  /** Whether a fade is under way. */
  get isFading(): boolean {
    return (this.#flags() & FADING) !== 0;
  }

  #state(): boolean {
    const { _runtime, _band, _member } = this.#player;
    return _runtime._exports.action_state(_band, _member, this.clip.index) !== 0;
  }

  #flags(): number {
    return this.#state() ? (this.#player._runtime._words[0] as number) : 0;
  }

  /** @internal Makes sure that the module has it, with its settings. */
  _prepare(): void {
    if (this.#state()) return;
    const { _runtime, _band, _member } = this.#player;
    const { index } = this.clip;
    const exports = _runtime._exports;
    const [mode, times] = loopCodes(this.#loop);
    exports.action_make(_band, _member, index);
    exports.action_speed(_band, _member, index, this.#speed);
    exports.action_weight(_band, _member, index, this.#weight);
    exports.action_loop(_band, _member, index, mode, times);
  }

  /** @internal After a start, which goes to the beginning: goes to the time that was asked for. */
  _settle(): void {
    if (this.#startTime !== undefined) this.setTime(this.#startTime);
  }

  /** @internal */
  _start(loop: LoopOption, speed: number, weight: number, startTime: number | undefined): this {
    const [mode, times] = loopCodes(loop);
    [this.#loop, this.#speed, this.#weight, this.#startTime] = [loop, speed, weight, undefined];
    const { _runtime, _band, _member } = this.#player;
    _runtime._exports.action_play(_band, _member, this.clip.index, mode, times, speed, weight, startTime ?? NaN);
    return this;
  }
}

function loopCodes(loop: LoopOption): [number, number] {
  if (typeof loop === 'number') {
    if (!(Number.isInteger(loop) && loop >= 1 && loop < 2 ** 32)) {
      throw new CanterError(`the loop is ${loop}; give 'once', 'repeat', 'pingpong', or how often as a whole number from 1`);
    }
    return [TIMES, loop];
  }
  const code = LOOPS[loop];
  if (code === undefined) throw new CanterError(`there is no loop '${String(loop)}'; give 'once', 'repeat', 'pingpong', or a number`);
  return [code, 1];
}
