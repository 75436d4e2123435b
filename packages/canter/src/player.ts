import { AnimationAction } from './action.js';
import type { Asset } from './asset.js';
import type { AnimationClip } from './clip.js';
import type { Easing } from './easing.js';
import { checkNotNegative } from './error.js';
import { Emitter } from './events.js';
import type { FadeOption } from './fade.js';
import { LayerActions } from './layer-actions.js';
import { AnimationLayer, type LayerOptions } from './layer.js';
import type { LoopOption } from './loop.js';
import type { BoneMask } from './mask.js';
import { passes, takeMarkers, type MarkerEvent, type MarkerFilter } from './marker.js';
import { identity, multiply, type MutableMatrix } from './matrix.js';
import type { Runtime } from './runtime.js';
import type { SyncOption } from './sync.js';

/** How a clip is played. */
export interface PlayOptions {
  /** What happens at the end; `repeat` unless said otherwise. A number plays it that often. */
  loop?: LoopOption;
  /** Seconds of the clip per second; 0 stands still, negative runs backwards. */
  speed?: number;
  /** How many metres it covers per second, instead of `speed`; the clip has a `groundSpeed` for that. */
  groundSpeed?: number;
  /** How strong it is beside other actions; 1 unless said otherwise. */
  weight?: number;
  /** Where it begins, in seconds. */
  startTime?: number;
  /** How it fades in: seconds, or `{ duration, easing, kind }`; at once unless said otherwise. */
  fadeIn?: FadeOption;
  /** The curve of that fade, if it was given in seconds. */
  easing?: Easing;
  /** Which bones it moves; all unless said otherwise. */
  mask?: BoneMask;
  /** Which actions it stays in step with. Unless `startTime` says otherwise, it begins where they are. */
  sync?: SyncOption;
}

/** How a clip is played that a crossfade starts. */
export type CrossFadeOptions = Omit<PlayOptions, 'fadeIn'>;

/** What plays the clips of one character: an `AnimationMixer`, or a member of a `Crowd`. */
export abstract class Player extends Emitter {
  readonly asset: Asset;
  /** By their numbers in the module. A number that is given to another action is that one's from then on. */
  readonly #actions: (AnimationAction | undefined)[] = [];
  readonly #base = new LayerActions(this, undefined);
  #layers: readonly AnimationLayer[] = [];
  #timeScale = 1;
  #fadesFollowTimeScale = false;
  readonly #root = identity();
  readonly #before = identity();

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
    return this.#base.clipAction(clip);
  }

  /**
   * Plays a clip from its start, beside what plays already, as a new action each time: a clip can play
   * several times at once. Actions that have finished make room for it. To go on with a clip that plays
   * already, see `crossFadeTo`.
   */
  play(clip: AnimationClip | string, options: PlayOptions = {}): AnimationAction {
    return this.#base.play(clip, options);
  }

  /**
   * Fades everything that plays out and a clip in; layers above go on. A clip that plays already goes on; one
   * that has finished starts anew. Calling it in every frame is fine. What is given behind the fade is its curve,
   * or settings for an action that starts: `mixer.crossFadeTo('Run', 0.3, { sync: 'locomotion' })`.
   */
  crossFadeTo(clip: AnimationClip | string, fade: FadeOption, how?: Easing | CrossFadeOptions): AnimationAction {
    return this.#base.crossFadeTo(clip, fade, how);
  }

  /** Fades one clip out and another in, which starts if it does not play. */
  crossFade(
    from: AnimationClip | AnimationAction | string,
    to: AnimationClip | AnimationAction | string,
    fade: FadeOption,
    easing?: Easing,
  ): AnimationAction {
    const start = from instanceof AnimationAction ? from : this.clipAction(from);
    const end = to instanceof AnimationAction ? to : this.clipAction(to);
    start.crossFadeTo(end, fade, easing);
    return end;
  }

  /**
   * Puts a layer on top of those there are, to play over what this plays, or to add to it:
   *
   * ```ts
   * const upper = mixer.addLayer({ mask: hero.skeleton.mask('spine', { feather: 2 }) });
   * const lean = mixer.addLayer({ mode: 'additive' });
   * mixer.play('Run');
   * upper.play('Attack', { loop: 'once', fadeIn: 0.1 });
   * lean.play(hero.additive('Lean'), { weight: 0.5 });
   * ```
   */
  addLayer(options: LayerOptions = {}): AnimationLayer {
    const layer = new AnimationLayer(this, options);
    this.#layers = [...this.#layers, layer];
    return layer;
  }

  /** The layers above what this plays itself, from below. */
  get layers(): readonly AnimationLayer[] {
    return this.#layers;
  }

  /** Stops all actions at once, those of layers too. The bones go back to rest with the next `update`. */
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

  /**
   * The markers that the last `update` crossed, in the order of time, each exactly once however a time is cut
   * into steps; 4096 at most. For those who do not listen: `mixer.markers({ minWeight: 0.5 })`.
   */
  markers(filter: MarkerFilter = {}): MarkerEvent[] {
    const told = takeMarkers(this, this._member, () => this);
    return told.map(({ event }) => event).filter((event) => passes(event, filter));
  }

  /**
   * The way that the character made in the last `update`, by the root motion of its clips (`rootMotion` of
   * `loadGltf`): 16 numbers, column by column, relative to where the character was before. Where it stands
   * now is `worldFromCharacter * rootMotion`; `applyRootMotion` does that. The same list each time.
   */
  get rootMotion(): Float32Array {
    this.#root.set(this.#rootStep().subarray(0, 16));
    return this.#root;
  }

  /** Its velocity in metres per second, as seen from where the last step that took any time began. */
  get rootVelocity(): [x: number, y: number, z: number] {
    const step = this.#rootStep();
    return [step[16] as number, step[17] as number, step[18] as number];
  }

  /** How fast it turns about the vertical, in radians per second. */
  get rootYawRate(): number {
    return this.#rootStep()[19] as number;
  }

  /** Moves a matrix by the way of the last `update`, such as `skeleton.matrix`, which says where it stands. */
  applyRootMotion(matrix: MutableMatrix): this {
    for (let index = 0; index < 16; index++) this.#before[index] = matrix[index] as number;
    multiply(matrix, this.#before, this.rootMotion);
    return this;
  }

  #rootStep(): Float32Array {
    this._runtime._exports.mixers_root(this._mixers, this._member);
    return this._runtime._floats;
  }

  /** @internal The action that has a number in the module, or had it last. */
  _actionOf(number: number): AnimationAction | undefined {
    return this.#actions[number];
  }

  /** @internal The first action of a clip on a layer that the module has. */
  _liveAction(clip: number, layer: AnimationLayer | undefined): AnimationAction | undefined {
    return this.#actions.find((action) => action?.clip.index === clip && action.layer === layer && action._isLive);
  }

  /** @internal */
  _forget(layer: AnimationLayer): void {
    this.#layers = this.#layers.filter((other) => other !== layer);
  }

  /** @internal */
  _own(number: number, action: AnimationAction): void {
    this.#actions[number] = action;
  }
}
