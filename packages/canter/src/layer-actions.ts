import { AnimationAction } from './action.js';
import type { AnimationClip } from './clip.js';
import type { Easing } from './easing.js';
import { CanterError, checkFinite } from './error.js';
import { fadeCodes, type FadeOption } from './fade.js';
import type { AnimationLayer } from './layer.js';
import type { CrossFadeOptions, Player, PlayOptions } from './player.js';

/** @internal The actions of a layer, or of the base of a mixer, where there is none. */
export class LayerActions {
  readonly #player: Player;
  readonly #layer: AnimationLayer | undefined;
  /** What `clipAction` last found, by the index of the clip. */
  readonly #byClip = new Map<number, AnimationAction>();

  constructor(player: Player, layer: AnimationLayer | undefined) {
    this.#player = player;
    this.#layer = layer;
  }

  clipAction(clip: AnimationClip | string): AnimationAction {
    const found = this.#find(clip);
    const known = this.#byClip.get(found.index);
    if (known?._isLive) return known;
    const live = this.#player._liveAction(found.index, this.#layer);
    const action = live ?? known ?? new AnimationAction(this.#player, this.#layer, found);
    this.#byClip.set(found.index, action);
    return action;
  }

  play(clip: AnimationClip | string, options: PlayOptions): AnimationAction {
    const { fadeIn = 0, easing } = options;
    const action = new AnimationAction(this.#player, this.#layer, this.#find(clip));
    const fade = fadeCodes(fadeIn, 'fadeIn', easing);
    set(action, options)._start(fade);
    if (!this.#byClip.get(action.clip.index)?._isLive) this.#byClip.set(action.clip.index, action);
    return action;
  }

  crossFadeTo(clip: AnimationClip | string, option: FadeOption, how: Easing | CrossFadeOptions = {}): AnimationAction {
    const options = typeof how === 'string' ? { easing: how } : how;
    const fade = fadeCodes(option, 'the length of the crossfade', options.easing);
    const { index } = this.#find(clip);
    const playing = this.#crossFade(index, 0, fade);
    const known = this.#player._actionOf(playing);
    if (playing > 0 && known) return known;
    const action = this.clipAction(clip);
    if (!action._isLive) set(action, options);
    action._startBy(() => this.#crossFade(index, action._owned, fade));
    return action;
  }

  /** The number of the clip's action. One that does not run starts by the given number, or not at all by 0. */
  #crossFade(clip: number, number: number, [secs, code]: readonly [number, number]): number {
    const { _runtime, _mixers, _member } = this.#player;
    const layer = this.#layer?._number ?? 0;
    return _runtime._exports.layer_crossfade_to(_mixers, _member, layer, clip, number, secs, code);
  }

  /** A clip that can be played here. Of clips of the same name, an additive one is meant where clips are added. */
  #find(clip: AnimationClip | string): AnimationClip {
    void this.#player._mixers;
    void this.#layer?._number;
    const adds = this.#layer?.mode === 'additive';
    const found = this.#player.asset._findClip(clip, adds);
    const { name, isAdditive } = found;
    if (isAdditive && !adds) {
      throw new CanterError(
        `clip "${name}" is additive; play it on a layer that adds, \`mixer.addLayer({ mode: 'additive' })\``,
      );
    }
    if (adds && !isAdditive) {
      throw new CanterError(`clip "${name}" is a full pose, and this layer adds; give \`asset.additive('${name}')\``);
    }
    return found;
  }
}

/** Gives an action that does not play the settings that were given. */
function set(action: AnimationAction, options: CrossFadeOptions): AnimationAction {
  const { loop, speed, groundSpeed, weight, startTime, mask, sync } = options;
  if (startTime !== undefined) checkFinite(startTime, 'startTime');
  if (loop !== undefined) action.setLoop(loop);
  if (speed !== undefined) action.setSpeed(speed);
  if (groundSpeed !== undefined) action.setGroundSpeed(groundSpeed);
  if (weight !== undefined) action.setWeight(weight);
  if (startTime !== undefined) action.setTime(startTime);
  if (mask) action.setMask(mask);
  if (sync !== undefined) action.setSync(sync);
  return action;
}
