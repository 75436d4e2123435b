import { LoopOnce, LoopPingPong, type AnimationAction, type AnimationClip } from 'three';

import type { MarkerKind } from '../marker.js';

/** A marker of a clip, in `clip.userData.markers`: the loader puts what a file has in its extras there. */
export interface ClipMarker {
  name: string;
  /** In seconds of the clip. */
  time: number;
  /** How long a window lasts, in seconds; without it the marker is an instant. */
  duration?: number;
}

/** A marker that an action crossed during the last `update`. */
export interface MarkerEvent {
  readonly action: AnimationAction;
  readonly clip: AnimationClip;
  readonly name: string;
  /** A window is entered and left; it is left, too, when its action ends within it. */
  readonly kind: MarkerKind;
  /** Whether time ran backwards through the clip. */
  readonly backward: boolean;
  /** The action's effective weight. */
  readonly weight: number;
  /** How long ago, in seconds of the last step. */
  readonly secondsAgo: number;
}

declare module 'three/src/animation/AnimationMixer.js' {
  interface AnimationMixerEventMap {
    /** Of the mixer of `canter/three`. */
    marker: MarkerEvent;
  }
}

/** What three's actions have inside. */
type Inside = AnimationAction & { _loopCount: number; _effectiveTimeScale: number };

/** One end of a marker, or both of an instant. */
interface Edge {
  readonly name: string;
  readonly time: number;
  readonly forward: MarkerKind;
  readonly backward: MarkerKind;
}

interface Before {
  readonly time: number;
  readonly loopCount: number;
}

/** An update tells so many at most: a step of an hour through a clip of a second. */
const MOST = 4096;
let hasWarned = false;

/** @internal Finds the markers that actions cross, by their times before and after a step. */
export class MarkerWatch {
  readonly #before = new Map<AnimationAction, Before>();
  readonly #found: MarkerEvent[] = [];
  /** Windows that were entered and not left. */
  readonly #open = new Map<AnimationAction, Set<string>>();
  #dt = 0;

  /** Those that play are the first of all actions. */
  begin(actions: readonly AnimationAction[], playing: number, dt: number): void {
    this.#before.clear();
    this.#dt = dt;
    for (let index = 0; index < playing; index++) {
      const action = actions[index] as AnimationAction;
      if (edgesOf(action.getClip()).length === 0 || action.paused || !action.enabled) continue;
      this.#before.set(action, { time: action.time, loopCount: (action as Inside)._loopCount });
    }
  }

  /** An action has begun again or has ended; its time is that of the end of the step, before listeners change it. */
  told(action: AnimationAction, loopDelta: number | undefined): void {
    const before = this.#before.get(action);
    this.#before.delete(action);
    const { duration } = action.getClip();
    if (!before || !(duration > 0)) return;
    if (loopDelta !== undefined) {
      this.#cross(action, before, loopDelta * duration + action.time - before.time, false);
      return;
    }
    const isForward = action.time > 0;
    const loopCount = isForward ? Math.max(before.loopCount, 0) : before.loopCount;
    const loops = action.loop === LoopOnce ? 1 : Math.max(action.repetitions - loopCount, 1);
    const way = isForward ? loops * duration - before.time : -(loops - 1) * duration - before.time;
    this.#cross(action, before, way, true);
    this.#leave(action);
  }

  /** Ends a step: what was crossed, in the order of time. */
  end(actions: readonly AnimationAction[], playing: number): MarkerEvent[] {
    for (const [action, before] of this.#before) this.#cross(action, before, action.time - before.time, false);
    this.#before.clear();
    for (const action of [...this.#open.keys()]) {
      const index = actions.indexOf(action);
      if (index < 0 || index >= playing) this.#leave(action);
    }
    const found = this.#found.splice(0).sort((a, b) => b.secondsAgo - a.secondsAgo);
    if (found.length > MOST && !hasWarned) {
      hasWarned = true;
      console.warn(`canter/three: more than ${MOST} markers were crossed in one update; the rest is not told`);
    }
    return found.slice(0, MOST);
  }

  /** `way` is how far it went, in seconds of the clip, across all loops. From the first place on, but not to the last. */
  #cross(action: AnimationAction, { time, loopCount }: Before, way: number, isEnd: boolean): void {
    const clip = action.getClip();
    const { duration } = clip;
    if (way === 0 || !(duration > 0) || !Number.isFinite(way)) return;
    const step = Math.sign(way);
    const first = step > 0 ? Math.max(loopCount, 0) : loopCount;
    const rate = Math.abs((action as Inside)._effectiveTimeScale * action.getMixer().timeScale);
    // A marker at the very end of a loop is where the next one begins.
    for (let loop = step > 0 && first > 0 ? -1 : 0; ; loop += step) {
      const from = loop * duration;
      const isOver = step > 0 ? from >= time + way : from + duration <= time + way;
      if (isOver || this.#found.length > MOST) return;
      const isMirrored = action.loop === LoopPingPong && ((first + (step > 0 ? loop : -loop)) & 1) === 1;
      const isBackward = step < 0 !== isMirrored;
      for (const edge of edgesOf(clip)) {
        const gone = step * (from + (isMirrored ? duration - edge.time : edge.time) - time);
        const whole = Math.abs(way);
        if (gone < 0 || gone > whole || (gone === whole && !isEnd)) continue;
        const left = isEnd ? Math.abs(this.#dt) * rate - gone : whole - gone;
        const secondsAgo = rate > 0 ? Math.min(Math.max(left / rate, 0), Math.abs(this.#dt)) : 0;
        this.#tell(action, edge, isBackward, secondsAgo);
      }
    }
  }

  #tell(action: AnimationAction, { name, forward, backward }: Edge, isBackward: boolean, secondsAgo: number): void {
    const kind = isBackward ? backward : forward;
    let open = this.#open.get(action);
    if (kind === 'leave' && !open?.delete(name)) return;
    if (kind === 'enter') {
      if (!open) this.#open.set(action, (open = new Set()));
      open.add(name);
    }
    const weight = action.getEffectiveWeight();
    this.#found.push({ action, clip: action.getClip(), name, kind, backward: isBackward, weight, secondsAgo });
  }

  #leave(action: AnimationAction): void {
    const weight = action.getEffectiveWeight();
    for (const name of this.#open.get(action) ?? []) {
      this.#found.push({ action, clip: action.getClip(), name, kind: 'leave', backward: false, weight, secondsAgo: 0 });
    }
    this.#open.delete(action);
  }
}

const known = new WeakMap<object, readonly Edge[]>();

/** Ends of a clip's markers. Those that are no markers are left out. */
function edgesOf(clip: AnimationClip): readonly Edge[] {
  const markers = (clip as { userData?: { markers?: unknown } }).userData?.markers;
  if (!Array.isArray(markers)) return [];
  let edges = known.get(markers);
  if (!edges) known.set(markers, (edges = markers.flatMap((marker) => edgesOfMarker(marker as Partial<ClipMarker>))));
  return edges;
}

function edgesOfMarker(marker: Partial<ClipMarker> | null): Edge[] {
  const { name, time, duration = 0 } = marker ?? {};
  if (typeof name !== 'string' || typeof time !== 'number' || !Number.isFinite(time + duration)) return [];
  if (!(duration > 0)) return [{ name, time, forward: 'at', backward: 'at' }];
  return [
    { name, time, forward: 'enter', backward: 'leave' },
    { name, time: time + duration, forward: 'leave', backward: 'enter' },
  ];
}
