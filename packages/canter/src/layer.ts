import type { AnimationAction } from './action.js';
import { LayerActions } from './layer-actions.js';
import { boneIndex } from './bone-index.js';
import type { Bone } from './bone.js';
import type { AnimationClip } from './clip.js';
import type { Easing } from './easing.js';
import { CanterError, checkWeight } from './error.js';
import { AT_ONCE, curveCodes, fadeCodes, type FadeCodes, type FadeOption } from './fade.js';
import { maskBytes, type BoneMask } from './mask.js';
import type { CrossFadeOptions, Player, PlayOptions } from './player.js';

/** What a layer does with what is below it: covers it, or adds to it. */
export type LayerMode = 'over' | 'additive';

/** How a layer is made. */
export interface LayerOptions {
  /** Which bones it moves; all unless said otherwise. */
  mask?: BoneMask;
  /** How strong it is, from 0; 1 unless said otherwise. */
  weight?: number;
  /** `over` unless said otherwise. The clips of a layer that adds are additive; see `asset.additive`. */
  mode?: LayerMode;
}

/** The codes of crates/canter-wasm. */
const MODES: Readonly<Record<LayerMode, number>> = { over: 0, additive: 1 };

/**
 * Actions that play above others: an attack over a run, breathing on top of everything.
 *
 * ```ts
 * const upper = mixer.addLayer({ mask: hero.skeleton.mask('spine', { feather: 2 }) });
 * upper.play('Attack', { loop: 'once', fadeIn: { duration: 0.1, kind: 'dead' } });
 * upper.fadeOut(0.2);
 * ```
 *
 * Within a layer, actions blend and fade as those of a mixer without layers do. A layer that covers what is
 * below (`over`) does so, at each bone, by its weight times its mask times the sum of the weights of its
 * actions, up to one: fading its only action in and out fades the layer. A layer that adds (`additive`) adds
 * each of its clips with weight times mask times the action's weight.
 */
export class AnimationLayer {
  /** Whose layer it is. */
  readonly mixer: Player;
  /** What it does with what is below it. */
  readonly mode: LayerMode;
  readonly #actions: LayerActions;
  #number: number;
  #weight: number;
  #mask: BoneMask | undefined;

  /** @internal */
  constructor(mixer: Player, options: LayerOptions) {
    const { mask, weight = 1, mode = 'over' } = options;
    const code = Object.hasOwn(MODES, mode) ? MODES[mode] : undefined;
    if (code === undefined) {
      throw new CanterError(`there is no layer '${String(mode)}'; give the mode 'over' or 'additive'`);
    }
    checkWeight(weight);
    this.mixer = mixer;
    this.mode = mode;
    this.#weight = weight;
    this.#mask = mask;
    this.#actions = new LayerActions(mixer, this);
    const { _runtime, _mixers, _member } = mixer;
    _runtime._input(maskBytes(mask, mixer.asset));
    this.#number = _runtime._exports.layer_add(_mixers, _member, code, weight);
  }

  /** The action of a clip on this layer, always the same one unless `play` starts others; as that of a mixer. */
  clipAction(clip: AnimationClip | string): AnimationAction {
    return this.#actions.clipAction(clip);
  }

  /** Plays a clip from its start on this layer, as a new action each time. */
  play(clip: AnimationClip | string, options: PlayOptions = {}): AnimationAction {
    return this.#actions.play(clip, options);
  }

  /** Fades everything that plays on this layer out and a clip in, as `mixer.crossFadeTo` does. */
  crossFadeTo(clip: AnimationClip | string, fade: FadeOption, how?: Easing | CrossFadeOptions): AnimationAction {
    return this.#actions.crossFadeTo(clip, fade, how);
  }

  /**
   * Fades everything on this layer out, so that the layer is gone. It comes back with the next clip that is
   * played on it.
   */
  fadeOut(fade: FadeOption): this {
    const { _runtime, _mixers, _member } = this.mixer;
    const codes = fadeCodes(fade, 'the length of the fade');
    _runtime._exports.layer_fade_out(_mixers, _member, this._number, ...codes);
    return this;
  }

  /** Stops all actions of this layer at once. */
  stopAll(): this {
    const { _runtime, _mixers, _member } = this.mixer;
    _runtime._exports.layer_stop_all(_mixers, _member, this._number);
    return this;
  }

  /** How strong it is, from 0, in the midst of a fade, too. Setting it counts at once. */
  get weight(): number {
    const { _runtime, _mixers, _member } = this.mixer;
    const weight = _runtime._exports.layer_weight(_mixers, _member, this._number);
    // The module has 32 bits of what was given.
    return weight === Math.fround(this.#weight) ? this.#weight : weight;
  }
  set weight(weight: number) {
    this.#lead(weight, AT_ONCE);
  }

  /** Leads its weight from what it is to another one. */
  fadeWeight(to: number, fade: FadeOption): this {
    return this.#lead(to, curveCodes(fade, 'the length of the fade'));
  }

  #lead(to: number, codes: FadeCodes): this {
    checkWeight(to);
    const { _runtime, _mixers, _member } = this.mixer;
    _runtime._exports.layer_fade_weight(_mixers, _member, this._number, to, ...codes);
    this.#weight = to;
    return this;
  }

  /** Which bones it moves; undefined for all. */
  get mask(): BoneMask | undefined {
    return this.#mask;
  }
  set mask(mask: BoneMask | undefined) {
    const { _runtime, _mixers, _member, asset } = this.mixer;
    _runtime._input(maskBytes(mask, asset));
    _runtime._exports.layer_mask(_mixers, _member, this._number);
    this.#mask = mask;
  }

  /** How much of a bone it is, from 0 to 1; if it adds, how much of its clips is added. */
  coverage(bone: Bone | string | number): number {
    const { _runtime, _mixers, _member, asset } = this.mixer;
    return _runtime._exports.layer_coverage(_mixers, _member, this._number, boneIndex(asset, bone));
  }

  /** Takes it and its actions away at once. */
  remove(): void {
    if (this.#number === 0) return;
    const { _runtime, _mixers, _member } = this.mixer;
    _runtime._exports.layer_remove(_mixers, _member, this.#number);
    this.#number = 0;
    this.mixer._forget(this);
  }

  /** Whether it was taken away. */
  get isRemoved(): boolean {
    return this.#number === 0;
  }

  /** @internal Its number in the module; throws when it was taken away. */
  get _number(): number {
    if (this.#number === 0) throw new CanterError('this layer was removed; `mixer.addLayer()` makes a new one');
    return this.#number;
  }
}
