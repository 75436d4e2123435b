import type { AnimationAction } from './action.js';
import type { AnimationClip } from './clip.js';
import type { AnimationLayer } from './layer.js';
import type { Player } from './player.js';

/** What of a marker was crossed: an instant, the start of a window, or its end. */
export type MarkerKind = 'at' | 'enter' | 'leave';

/** A marker that an action crossed during the last `update`. */
export interface MarkerEvent {
  readonly type: 'marker';
  readonly action: AnimationAction;
  /** What it plays, or played. */
  readonly clip: AnimationClip;
  /** The layer that it plays on, or played on; undefined for the base. */
  readonly layer: AnimationLayer | undefined;
  /** The name of the marker. */
  readonly name: string;
  /** A window is entered and left; it is left, too, when its action ends within it. */
  readonly kind: MarkerKind;
  /** In which loop of the clip, from 0; negative when it went back beyond its start. */
  readonly loops: number;
  /** Whether time ran backwards through the clip. */
  readonly backward: boolean;
  /** What part of the pose the action was at that time, from 0 to 1. */
  readonly weight: number;
  /** How long ago, in seconds of the last step: 0 at its end, the whole step at its start. */
  readonly secondsAgo: number;
}

/** Which markers are told. */
export interface MarkerFilter {
  /**
   * Only those of actions that were at least so much of the pose: a run that hardly shows makes no sound. Ends
   * of windows are always told, so that none stays open.
   */
  minWeight?: number;
}

/** The codes of crates/canter-wasm. */
const KINDS: readonly MarkerKind[] = ['at', 'enter', 'leave'];
const BACKWARD = 4;
const WORDS = 7;

/** @internal */
export function passes(event: MarkerEvent, { minWeight = 0 }: MarkerFilter): boolean {
  return event.weight >= minWeight || event.kind === 'leave';
}

let hasWarned = false;

/**
 * @internal The markers that the last step crossed, of one player or of all in the same module's list, copied
 * out of its memory: a listener may do anything.
 */
export function takeMarkers(
  of: Pick<Player, '_runtime' | '_mixers' | 'asset'>,
  member: number | undefined,
  playerOf: (member: number) => Player | undefined,
): { player: Player; event: MarkerEvent }[] {
  const runtime = of._runtime;
  const leftOut = runtime._exports.mixers_markers(of._mixers, member === undefined ? 0 : member + 1);
  const [address = 0, len = 0] = runtime._words;
  const words = new Uint32Array(runtime._buffer, address, len);
  const floats = new Float32Array(runtime._buffer, address, len);
  const events: { player: Player; event: MarkerEvent }[] = [];
  for (let at = 0; at < len; at += WORDS) {
    const player = playerOf(words[at] as number);
    const action = player?._actionOf(words[at + 1] as number);
    if (!player || !action) continue;
    const { clip, layer } = action;
    const kind = words[at + 3] as number;
    events.push({
      player,
      event: {
        type: 'marker',
        action,
        clip,
        layer,
        name: of.asset._markerNames[words[at + 2] as number] as string,
        kind: KINDS[kind & 3] as MarkerKind,
        loops: (words[at + 4] as number) | 0,
        backward: (kind & BACKWARD) !== 0,
        weight: floats[at + 5] as number,
        secondsAgo: floats[at + 6] as number,
      },
    });
  }
  if (leftOut > 0 && !hasWarned) {
    hasWarned = true;
    console.warn(`canter: a step crossed more markers than are told at once; ${leftOut} or more are left out. Take shorter steps.`);
  }
  return events;
}
