import type { AnimationClip } from '../clip.js';
import type { MarkerEvent } from '../marker.js';

/** A state of a graph was entered, or left, during the last `update`. */
export interface GraphStateEvent {
  readonly type: 'enter' | 'leave';
  /** The name of its layer. */
  readonly layer: string;
  /** Its name, after those of the states that its machine is in: `Combat/Attack`. */
  readonly state: string;
  /** What the graph has as `on_enter` or `on_leave` of the state. */
  readonly event: string | undefined;
  /** How long ago, in seconds of the last step: 0 at its end, the whole step at its start. */
  readonly secondsAgo: number;
}

/** A machine in a state has come to its exit during the last `update`. */
export interface GraphFinishedEvent {
  readonly type: 'finished';
  readonly layer: string;
  readonly state: string;
  readonly secondsAgo: number;
}

/** As many transitions of a layer were taken as one update takes (16), and more were ready: they wait for the next one. */
export interface GraphChainLimitEvent {
  readonly type: 'chainLimit';
  readonly layer: string;
  readonly secondsAgo: number;
}

/** A marker that a clip of the graph crossed during the last `update`, as those of a mixer. */
export interface GraphMarkerEvent extends Omit<MarkerEvent, 'action' | 'layer'> {
  /** The name of its layer; undefined for a layer that was added to the mixer beside the graph's. */
  readonly layer: string | undefined;
  readonly clip: AnimationClip;
}

/** What a graph tells of, by type. */
export interface GraphEventMap {
  enter: GraphStateEvent;
  leave: GraphStateEvent;
  finished: GraphFinishedEvent;
  chainLimit: GraphChainLimitEvent;
  marker: GraphMarkerEvent;
}

/** What a graph tells of. */
export type GraphEvent = GraphEventMap[keyof GraphEventMap];

/** Called when something happened; the pose is complete by then, and any call is allowed. */
export type GraphListener<T extends keyof GraphEventMap> = (event: GraphEventMap[T]) => void;

/** @internal The codes of crates/canter-wasm. */
export const EVENT_TYPES = ['leave', 'enter', 'finished', 'chainLimit'] as const;

/** Something that tells of events of a graph. */
export class GraphEmitter {
  #listeners = new Map<keyof GraphEventMap, readonly ((event: never) => void)[]>();

  /** Tells a listener of all events of a type from now on. */
  addEventListener<T extends keyof GraphEventMap>(type: T, listener: GraphListener<T>): void {
    if (!this.hasEventListener(type, listener)) this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  removeEventListener<T extends keyof GraphEventMap>(type: T, listener: GraphListener<T>): void {
    this.#listeners.set(type, (this.#listeners.get(type) ?? []).filter((other) => other !== listener));
  }

  hasEventListener<T extends keyof GraphEventMap>(type: T, listener: GraphListener<T>): boolean {
    return this.#listeners.get(type)?.includes(listener) ?? false;
  }

  /** @internal */
  _hears(type: keyof GraphEventMap): boolean {
    return (this.#listeners.get(type)?.length ?? 0) > 0;
  }

  /** @internal The lists are never changed, only replaced: a listener may add and remove others. */
  _tell(event: GraphEvent): void {
    for (const listener of this.#listeners.get(event.type) ?? []) listener(event as never);
  }
}
