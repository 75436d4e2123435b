import type { AnimationAction } from './action.js';
import type { AnimationClip } from './clip.js';
import type { AnimationLayer } from './layer.js';
import type { Player } from './player.js';
import type { Runtime } from './runtime.js';

/**
 * What can happen: an action has played to its end, has begun again, or was faded out and has left. When an
 * action that has finished begins anew, its last pose is faded out without an event.
 */
export type AnimationEventType = 'finished' | 'loop' | 'fadedOut';

/** Something that happened to an action during the last `update`. */
export interface AnimationEvent {
  readonly type: AnimationEventType;
  readonly action: AnimationAction;
  /** What it plays, or played. */
  readonly clip: AnimationClip;
  /** The layer that it plays on, or played on; undefined for the base. */
  readonly layer: AnimationLayer | undefined;
  /** For `loop`: how often it has begun again since the last time. */
  readonly loopDelta: number;
  /** How long ago, in seconds of the last step: 0 at its end, the whole step at its start. */
  readonly secondsAgo: number;
}

/** Called when something happened; the pose is complete by then, and any call is allowed. */
export type AnimationListener = (event: AnimationEvent) => void;

/** @internal The codes of crates/canter-wasm. */
const TYPES: readonly AnimationEventType[] = ['loop', 'finished', 'fadedOut'];

/** Something that tells of events. */
export class Emitter {
  #listeners = new Map<AnimationEventType, AnimationListener[]>();
  /** @internal Whether anybody ever wanted to know: events are not even looked at before. */
  _isHeard = false;

  addEventListener(type: AnimationEventType, listener: AnimationListener): void {
    this._isHeard = true;
    const known = this.#listeners.get(type) ?? [];
    if (!known.includes(listener)) this.#listeners.set(type, [...known, listener]);
  }

  removeEventListener(type: AnimationEventType, listener: AnimationListener): void {
    const known = this.#listeners.get(type) ?? [];
    this.#listeners.set(type, known.filter((other) => other !== listener));
  }

  hasEventListener(type: AnimationEventType, listener: AnimationListener): boolean {
    return this.#listeners.get(type)?.includes(listener) ?? false;
  }

  /** @internal The lists are never changed, only replaced: a listener may add and remove others. */
  _tell(event: AnimationEvent): void {
    for (const listener of this.#listeners.get(event.type) ?? []) listener(event);
  }
}

/** @internal The events of the last step, copied out of the module's memory: a listener may do anything. */
export function takeEvents(
  runtime: Runtime,
  mixers: number,
  playerOf: (member: number) => Player | undefined,
): { player: Player; event: AnimationEvent }[] {
  runtime._exports.mixers_events(mixers);
  const [address = 0, len = 0] = runtime._words;
  const words = new Uint32Array(runtime._buffer, address, len);
  const floats = new Float32Array(runtime._buffer, address, len);
  const events = [];
  for (let at = 0; at < len; at += 5) {
    const [member = 0, number = 0, kind = 0, loopDelta = 1] = words.subarray(at, at + 4);
    const player = playerOf(member);
    const action = player?._actionOf(number);
    if (!player || !action) continue;
    const [type, secondsAgo] = [TYPES[kind] as AnimationEventType, floats[at + 4] as number];
    const { clip, layer } = action;
    events.push({ player, event: { type, action, clip, layer, loopDelta, secondsAgo } });
  }
  return events;
}
