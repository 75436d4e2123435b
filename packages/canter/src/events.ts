import type { AnimationAction } from './action.js';
import type { AnimationClip } from './clip.js';
import type { AnimationLayer } from './layer.js';
import { passes, type MarkerEvent, type MarkerFilter } from './marker.js';
import type { Player } from './player.js';
import type { Runtime } from './runtime.js';

/**
 * What can happen to an action: it has played to its end, has begun again, or was faded out and has left. When
 * an action that has finished begins anew, its last pose is faded out without an event.
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

/** What is told of each type of event. */
export interface AnimationEventMap {
  finished: AnimationEvent;
  loop: AnimationEvent;
  fadedOut: AnimationEvent;
  /** An action has crossed a marker of its clip. */
  marker: MarkerEvent;
}

/** Called when something happened; the pose is complete by then, and any call is allowed. */
export type AnimationListener<T extends keyof AnimationEventMap = AnimationEventType> = (event: AnimationEventMap[T]) => void;

/** @internal The codes of crates/canter-wasm. */
const TYPES: readonly AnimationEventType[] = ['loop', 'finished', 'fadedOut'];

/** @internal Something to tell, and of whom. */
export interface Told {
  player: Player;
  event: AnimationEvent | MarkerEvent;
}

interface Listening {
  listener: (event: never) => void;
  filter: MarkerFilter;
}

/** Something that tells of events. */
export class Emitter {
  #listeners = new Map<keyof AnimationEventMap, readonly Listening[]>();
  /** @internal Whether anybody ever wanted to know: events are not even looked at before. */
  _isHeard = false;

  /** For `marker`, the third argument says which: `{ minWeight: 0.5 }`. */
  addEventListener<T extends keyof AnimationEventMap>(type: T, listener: AnimationListener<T>, filter: MarkerFilter = {}): void {
    this._isHeard = true;
    if (this.hasEventListener(type, listener)) return;
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), { listener, filter }]);
  }

  removeEventListener<T extends keyof AnimationEventMap>(type: T, listener: AnimationListener<T>): void {
    const known = this.#listeners.get(type) ?? [];
    this.#listeners.set(type, known.filter((other) => other.listener !== listener));
  }

  hasEventListener<T extends keyof AnimationEventMap>(type: T, listener: AnimationListener<T>): boolean {
    return this.#listeners.get(type)?.some((other) => other.listener === listener) ?? false;
  }

  /** @internal Whether anybody wants to know of markers now. */
  get _hearsMarkers(): boolean {
    return (this.#listeners.get('marker')?.length ?? 0) > 0;
  }

  /** @internal The lists are never changed, only replaced: a listener may add and remove others. */
  _tell(event: AnimationEvent | MarkerEvent): void {
    for (const { listener, filter } of this.#listeners.get(event.type) ?? []) {
      if (event.type !== 'marker' || passes(event, filter)) listener(event as never);
    }
  }
}

/** @internal In the order of time; of what happened at once, markers come first. */
export function inOrder(markers: readonly Told[], events: readonly Told[]): Told[] {
  return [...markers, ...events].sort((a, b) => b.event.secondsAgo - a.event.secondsAgo);
}

/** @internal The events of the last step, copied out of the module's memory: a listener may do anything. */
export function takeEvents(runtime: Runtime, mixers: number, playerOf: (member: number) => Player | undefined): Told[] {
  runtime._exports.mixers_events(mixers);
  const [address = 0, len = 0] = runtime._words;
  const words = new Uint32Array(runtime._buffer, address, len);
  const floats = new Float32Array(runtime._buffer, address, len);
  const events: Told[] = [];
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
