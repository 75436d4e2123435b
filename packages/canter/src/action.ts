import type { AnimationClip } from './clip.js';
import { easingCode, type Easing } from './easing.js';
import { CanterError, checkFinite, checkNotNegative, checkWeight } from './error.js';
import { loopCodes, type LoopOption } from './loop.js';
import type { BoneMask } from './mask.js';
import type { Player } from './player.js';

const PAUSED = 1;
const FINISHED = 2;
const FADING = 4;
const NO_BYTES = new Uint8Array(0);

/**
 * A clip on a character: whether it plays, where it is, how fast and how strong.
 *
 * It keeps its settings; stopping or fading it out and playing it again is fine. One that has finished holds
 * its last pose until something starts. If that is itself, its last pose fades out while it begins anew.
 * Setters chain: `action.setLoop('once').setSpeed(1.5).play()`.
 */
export class AnimationAction {
  readonly clip: AnimationClip;
  readonly #player: Player;
  #loop: LoopOption = 'repeat';
  #speed = 1;
  #weight = 1;
  #mask: BoneMask | undefined;
  /** Where it starts when it plays next, if that was said. */
  #startTime: number | undefined;
  /** Its number in the module, which may be given to another action once this one is gone; 0 at first. */
  #number = 0;

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
    const { _runtime, _mixers, _member } = this.#player;
    if (_runtime._exports.action_resume(_mixers, _member, this.#owned()) === 0) this._start(0, 'linear');
    return this;
  }

  /** Ends it at once. */
  stop(): this {
    const { _runtime, _mixers, _member } = this.#player;
    _runtime._exports.action_stop(_mixers, _member, this.#owned());
    return this;
  }

  /** Stops its clock; its pose still counts. `play()` lets it run on. */
  pause(): this {
    const { _runtime, _mixers, _member } = this.#player;
    _runtime._exports.action_pause(_mixers, _member, this.#owned());
    return this;
  }

  /** Puts it back to where it begins. */
  reset(): this {
    this.#startTime = undefined;
    const { _runtime, _mixers, _member } = this.#player;
    _runtime._exports.action_reset(_mixers, _member, this.#owned());
    return this;
  }

  /** Sets what happens at the end of the clip. */
  setLoop(loop: LoopOption): this {
    const [mode, times] = loopCodes(loop);
    this.#loop = loop;
    const { _runtime, _mixers, _member } = this.#player;
    _runtime._exports.action_loop(_mixers, _member, this.#owned(), mode, times);
    return this;
  }

  /** Sets the seconds of the clip per second; 0 stands still, negative runs backwards. */
  setSpeed(speed: number): this {
    checkFinite(speed, 'the speed');
    this.#speed = speed;
    const { _runtime, _mixers, _member } = this.#player;
    _runtime._exports.action_speed(_mixers, _member, this.#owned(), speed);
    return this;
  }

  /** Sets how strong it is beside other actions, from 0. */
  setWeight(weight: number): this {
    checkWeight(weight);
    this.#weight = weight;
    const { _runtime, _mixers, _member } = this.#player;
    _runtime._exports.action_weight(_mixers, _member, this.#owned(), weight);
    return this;
  }

  /** Sets which bones it moves; undefined for all. */
  setMask(mask: BoneMask | undefined): this {
    const bytes = this.#maskBytes(mask);
    this.#mask = mask;
    const { _runtime, _mixers, _member } = this.#player;
    _runtime._input(bytes);
    _runtime._exports.action_mask(_mixers, _member, this.#owned());
    return this;
  }

  /** Puts it to a time of the clip, in seconds; beyond the clip it wraps as its loop says. */
  setTime(secs: number): this {
    checkFinite(secs, 'the time');
    const { _runtime, _mixers, _member } = this.#player;
    const isLive = _runtime._exports.action_seek(_mixers, _member, this.#owned(), secs) !== 0;
    this.#startTime = isLive ? undefined : secs;
    return this;
  }

  /** Fades it in from where its weight is. It starts if it does not play, and anew if it has finished. */
  fadeIn(secs: number, easing: Easing = 'linear'): this {
    checkNotNegative(secs, 'the length of the fade');
    const { _runtime, _mixers, _member } = this.#player;
    const number = this.#owned();
    const isLive = _runtime._exports.action_fade_in(_mixers, _member, number, secs, easingCode(easing)) !== 0;
    if (!isLive) this._start(secs, easing);
    return this;
  }

  /** Fades it out from where its weight is; at the end it stops. */
  fadeOut(secs: number, easing: Easing = 'linear'): this {
    checkNotNegative(secs, 'the length of the fade');
    const { _runtime, _mixers, _member } = this.#player;
    _runtime._exports.action_fade_out(_mixers, _member, this.#owned(), secs, easingCode(easing));
    return this;
  }

  /** Fades this one out and another in, as `fadeIn` does. Returns this one. */
  crossFadeTo(to: AnimationAction, secs: number, easing: Easing = 'linear'): this {
    checkNotNegative(secs, 'the length of the crossfade');
    if (to.#player !== this.#player) {
      throw new CanterError('a crossfade leads from one action to another of the same mixer');
    }
    to.fadeIn(secs, easing);
    if (to !== this) this.fadeOut(secs, easing);
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

  /** Which bones it moves; undefined for all. */
  get mask(): BoneMask | undefined {
    return this.#mask;
  }
  set mask(mask: BoneMask | undefined) {
    this.setMask(mask);
  }

  /** Whether its clock stands still. */
  get paused(): boolean {
    return (this.#flags() & PAUSED) !== 0;
  }
  set paused(paused: boolean) {
    if (paused) this.pause();
    else if (this.paused) this.play();
  }

  /** What part of the pose it is, from 0 to 1: beside the others, after fades. */
  get effectiveWeight(): number {
    return this.#state() ? (this.#player._runtime._floats[2] as number) : 0;
  }

  /** How many loops it has completed; negative when it went back beyond its start. */
  get loops(): number {
    return this.#state() ? (this.#player._runtime._words[3] as number) | 0 : 0;
  }

  /** Whether it plays: started, not paused, not at its end. */
  get isRunning(): boolean {
    return this.#state() && ((this.#player._runtime._words[0] as number) & (PAUSED | FINISHED)) === 0;
  }

  /** Whether it has played to its end and holds its last pose. */
  get isFinished(): boolean {
    return (this.#flags() & FINISHED) !== 0;
  }

  /** Whether a fade is under way. */
  get isFading(): boolean {
    return (this.#flags() & FADING) !== 0;
  }

  /** Its number in the module, or 0 if that belongs to another action now. */
  #owned(): number {
    return this.#player._actionOf(this.#number) === this ? this.#number : 0;
  }

  #state(): boolean {
    const { _runtime, _mixers, _member } = this.#player;
    return _runtime._exports.action_state(_mixers, _member, this.#owned()) !== 0;
  }

  #flags(): number {
    return this.#state() ? (this.#player._runtime._words[0] as number) : 0;
  }

  #maskBytes(mask: BoneMask | undefined): Uint8Array {
    if (mask && mask.asset !== this.#player.asset) {
      throw new CanterError('the mask was made for another asset; make one for the skeleton of this mixer');
    }
    return mask?._bytes ?? NO_BYTES;
  }

  /** @internal Whether the module has it: it plays, holds its last pose, or is on its way out. */
  get _isLive(): boolean {
    return this.#state();
  }

  /** @internal Starts it with its settings, as a new action of the module. */
  _start(fadeSecs: number, easing: Easing): this {
    const [mode, times] = loopCodes(this.#loop);
    const { _runtime, _mixers, _member } = this.#player;
    const code = easingCode(easing);
    _runtime._input(this.#maskBytes(this.#mask));
    this.#number = _runtime._exports.action_start(
      _mixers, _member, this.#owned(), this.clip.index, mode, times, this.#speed, this.#weight,
      this.#startTime ?? NaN, fadeSecs, code,
    );
    this.#startTime = undefined;
    this.#player._own(this.#number, this);
    return this;
  }
}
