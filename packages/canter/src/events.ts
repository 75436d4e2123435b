import type { AnimationAction } from './action.js';
import type { Runtime } from './runtime.js';

/** What can happen: an action has played to its end, has begun again, or was faded out and has left. */
export type AnimationEventType = 'finished' | 'loop' | 'fadedOut';

/** Something that happened to an action during the last `update`. */
export interface AnimationEvent {
  readonly type: AnimationEventType;
  readonly action: AnimationAction;
  /** For `loop`: how often it has begun again since the last time. */
  readonly loopDelta: number;
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

  /** @internal The lists are never changed, only replaced: an answer may add and remove listeners. */
  _tell(event: AnimationEvent): void {
    for (const listener of this.#listeners.get(event.type) ?? []) listener(event);
  }
}

/** @internal What happened, copied out of the module's memory: the answer to an event may be any call. */
export function takeEvents(runtime: Runtime, band: number): { member: number; clip: number; type: AnimationEventType; times: number }[] {
  runtime._exports.band_events(band);
  const [address = 0, len = 0] = runtime._words;
  const words = new Uint32Array(runtime._buffer, address, len);
  const events = [];
  for (let at = 0; at < len; at += 4) {
    const [member = 0, clip = 0, kind = 0, times = 1] = words.subarray(at, at + 4);
    events.push({ member, clip, type: TYPES[kind] ?? 'loop', times });
  }
  return events;
}
