import type { AnimationClip } from './clip.js';
import type { Easing } from './easing.js';
import { CanterError, checkFinite, checkWeight } from './error.js';
import { AT_ONCE, fadeCodes, type FadeCodes, type FadeOption } from './fade.js';
import type { AnimationLayer } from './layer.js';
import { loopCodes, type LoopOption } from './loop.js';
import { maskBytes, type BoneMask } from './mask.js';
import type { Player } from './player.js';
import { syncCodes, type SyncOption } from './sync.js';

const PAUSED = 1;
const FINISHED = 2;
const FADING = 4;

/**
 * A clip on a character: whether it plays, where it is, how fast and how strong.
 *
 * It keeps its settings; stopping or fading it out and playing it again is fine. One that has finished holds
 * its last pose until something starts. If that is itself, its last pose fades out while it begins anew.
 * Setters chain: `action.setLoop('once').setSpeed(1.5).play()`.
 */
export class AnimationAction {
  readonly clip: AnimationClip;
  /** The layer that it plays on; undefined for the base. */
  readonly layer: AnimationLayer | undefined;
  readonly #player: Player;
  #loop: LoopOption = 'repeat';
  #speed = 1;
  #weight = 1;
  #mask: BoneMask | undefined;
  #sync: SyncOption | undefined;
  /** Where it starts when it plays next, if that was said. */
  #startTime: number | undefined;
  /** Its number in the module, which may be given to another action once this one is gone; 0 at first. */
  #number = 0;

  /** @internal */
  constructor(player: Player, layer: AnimationLayer | undefined, clip: AnimationClip) {
    this.#player = player;
    this.layer = layer;
    this.clip = clip;
  }

  /** What plays it. */
  get mixer(): Player {
    return this.#player;
  }

  /** Starts it at full strength, or lets it run on where it was paused. One that has finished starts over. */
  play(): this {
    const { _runtime, _mixers, _member } = this.#player;
    if (_runtime._exports.action_resume(_mixers, _member, this._owned) === 0) this._start(AT_ONCE);
    return this;
  }

  /** Ends it at once. */
  stop(): this {
    const { _runtime, _mixers, _member } = this.#player;
    _runtime._exports.action_stop(_mixers, _member, this._owned);
    return this;
  }

  /** Stops its clock; its pose still counts. `play()` lets it run on. */
  pause(): this {
    const { _runtime, _mixers, _member } = this.#player;
    _runtime._exports.action_pause(_mixers, _member, this._owned);
    return this;
  }

  /** Puts it back to where it begins. */
  reset(): this {
    this.#startTime = undefined;
    const { _runtime, _mixers, _member } = this.#player;
    _runtime._exports.action_reset(_mixers, _member, this._owned);
    return this;
  }

  /** Sets what happens at the end of the clip. */
  setLoop(loop: LoopOption): this {
    const [mode, times] = loopCodes(loop);
    this.#loop = loop;
    const { _runtime, _mixers, _member } = this.#player;
    _runtime._exports.action_loop(_mixers, _member, this._owned, mode, times);
    return this;
  }

  /** Sets the seconds of the clip per second; 0 stands still, negative runs backwards. */
  setSpeed(speed: number): this {
    checkFinite(speed, 'the speed');
    this.#speed = speed;
    const { _runtime, _mixers, _member } = this.#player;
    _runtime._exports.action_speed(_mixers, _member, this._owned, speed);
    return this;
  }

  /**
   * Sets the speed so that it covers so many metres per second; negative runs backwards. The clip has a
   * `groundSpeed` for that.
   */
  setGroundSpeed(metresPerSecond: number): this {
    const { name, groundSpeed = 0 } = this.clip;
    checkFinite(metresPerSecond, 'the ground speed');
    if (!(groundSpeed > 1e-6)) throw new CanterError(`clip "${name}" does not walk, or nothing says how fast; set its speed instead`);
    return this.setSpeed(Math.fround(metresPerSecond) / groundSpeed);
  }

  /** Sets which actions it stays in step with; undefined for none. It goes to where they are at once. */
  setSync(sync: SyncOption | undefined): this {
    const codes = syncCodes(sync);
    this.#sync = sync;
    const { _runtime, _mixers, _member } = this.#player;
    _runtime._exports.action_sync(_mixers, _member, this._owned, ...codes);
    return this;
  }

  /** Sets how strong it is beside other actions, from 0. */
  setWeight(weight: number): this {
    checkWeight(weight);
    this.#weight = weight;
    const { _runtime, _mixers, _member } = this.#player;
    _runtime._exports.action_weight(_mixers, _member, this._owned, weight);
    return this;
  }

  /** Sets which bones it moves; undefined for all. */
  setMask(mask: BoneMask | undefined): this {
    const bytes = maskBytes(mask, this.#player.asset);
    this.#mask = mask;
    const { _runtime, _mixers, _member } = this.#player;
    _runtime._input(bytes);
    _runtime._exports.action_mask(_mixers, _member, this._owned);
    return this;
  }

  /** Puts it to a time of the clip, in seconds; beyond the clip it wraps as its loop says. */
  setTime(secs: number): this {
    checkFinite(secs, 'the time');
    const { _runtime, _mixers, _member } = this.#player;
    const isLive = _runtime._exports.action_seek(_mixers, _member, this._owned, secs) !== 0;
    this.#startTime = isLive ? undefined : secs;
    return this;
  }

  /**
   * Puts it to a time of the clip, in the loop that it is in; the next `update` tells of the markers on the way.
   * For a hand on a timeline. `setTime` tells of none.
   */
  scrub(secs: number): this {
    checkFinite(secs, 'the time');
    const { _runtime, _mixers, _member } = this.#player;
    const isLive = _runtime._exports.action_scrub(_mixers, _member, this._owned, secs) !== 0;
    this.#startTime = isLive ? undefined : secs;
    return this;
  }

  /** Fades it in from where its weight is. It starts if it does not play, and anew if it has finished. */
  fadeIn(fade: FadeOption, easing?: Easing): this {
    const codes = fadeCodes(fade, 'the length of the fade', easing);
    const { _runtime, _mixers, _member } = this.#player;
    if (_runtime._exports.action_fade_in(_mixers, _member, this._owned, ...codes) === 0) this._start(codes);
    return this;
  }

  /** Fades it out from where its weight is; at the end it stops. */
  fadeOut(fade: FadeOption, easing?: Easing): this {
    const codes = fadeCodes(fade, 'the length of the fade', easing);
    const { _runtime, _mixers, _member } = this.#player;
    _runtime._exports.action_fade_out(_mixers, _member, this._owned, ...codes);
    return this;
  }

  /** Fades this one out and another in, as `fadeIn` does. Returns this one. */
  crossFadeTo(to: AnimationAction, fade: FadeOption, easing?: Easing): this {
    const codes = fadeCodes(fade, 'the length of the crossfade', easing);
    const { _runtime, _mixers, _member } = this.#player;
    if (to.#player !== this.#player) {
      throw new CanterError('a crossfade leads from one action to another of the same mixer');
    }
    if (to === this) return this.fadeIn(fade, easing);
    const crossFade = () => _runtime._exports.action_crossfade(_mixers, _member, this._owned, to._owned, ...codes);
    if (to._startBy(crossFade)) return this;
    // Another action plays its clip already, and is left alone.
    to._start(codes);
    return this.fadeOut(fade, easing);
  }

  /** Fades another one out and this one in. */
  crossFadeFrom(from: AnimationAction, fade: FadeOption, easing?: Easing): this {
    from.crossFadeTo(this, fade, easing);
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

  /** Which actions it stays in step with; undefined for none. */
  get sync(): SyncOption | undefined {
    return this.#sync;
  }
  set sync(sync: SyncOption | undefined) {
    this.setSync(sync);
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

  #state(): boolean {
    const { _runtime, _mixers, _member } = this.#player;
    return _runtime._exports.action_state(_mixers, _member, this._owned) !== 0;
  }

  #flags(): number {
    return this.#state() ? (this.#player._runtime._words[0] as number) : 0;
  }

  /** @internal Its number in the module, or 0 if that belongs to another action now. */
  get _owned(): number {
    return this.#player._actionOf(this.#number) === this ? this.#number : 0;
  }

  /** @internal Whether the module has it: it plays, holds its last pose, or is on its way out. */
  get _isLive(): boolean {
    return this.#state();
  }

  /** @internal Starts it with its settings, as a new action of the module. */
  _start(fade: FadeCodes): this {
    this.#make(0, this.#startTime, fade);
    this.#startTime = undefined;
    return this;
  }

  /**
   * @internal Lets a call of the module start it together with what else that does, so that one fade leads
   * from what is on screen. False, and the call is not made, if the module has another action of its clip.
   */
  _startBy(call: () => void): boolean {
    const isLive = this.#state();
    if (!isLive && !this.#make(1, undefined, AT_ONCE)) return false;
    call();
    if (!isLive && this.#startTime !== undefined) this.setTime(this.#startTime);
    // It waited, and those that wait are in step with nobody.
    else if (!isLive && this.#sync !== undefined) this.setSync(this.#sync);
    return true;
  }

  /** Makes it an action of the module, which plays, or only waits to be faded in. */
  #make(waits: number, startTime: number | undefined, [fadeSecs, fadeCode]: FadeCodes): boolean {
    const [mode, times] = loopCodes(this.#loop);
    const { _runtime, _mixers, _member, asset } = this.#player;
    const layer = this.layer?._number ?? 0;
    _runtime._input(maskBytes(this.#mask, asset));
    const number = _runtime._exports.action_start(
      _mixers, _member, this._owned, layer, this.clip.index, waits, mode, times, this.#speed, this.#weight,
      startTime ?? NaN, fadeSecs, fadeCode, ...syncCodes(this.#sync),
    );
    if (number === 0) return false;
    this.#number = number;
    this.#player._own(number, this);
    return true;
  }
}
