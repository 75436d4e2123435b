import type { MotionReader } from '../motion/reader.js';
import type { GraphParameter } from './parameters.js';

/** What a graph does at present, and why. */
export interface GraphExplanation {
  /** Seconds since it began. */
  readonly time: number;
  /** From below. */
  readonly layers: readonly LayerExplanation[];
  /** All of it in words, a line for each layer. */
  toString(): string;
}

/** What a layer does. */
export interface LayerExplanation {
  readonly layer: string;
  /** How strong it is. */
  readonly weight: number;
  /** The states that it is in, those in machines of others after them. */
  readonly states: readonly string[];
  /** How often the innermost state has played its motion. */
  readonly cycles: number;
  /** Transitions that are under way, those of outer machines first. */
  readonly transitions: readonly RunningTransition[];
  /** What it plays. */
  readonly clips: readonly PlayedClip[];
  /** The last transition, in words. */
  readonly because: string | undefined;
  /** What could be taken from here, and what it waits for. */
  readonly waiting: readonly WaitingTransition[];
}

/** A transition that is under way. */
export interface RunningTransition {
  readonly from: string;
  readonly to: string;
  /** The part of its time that has passed, from 0 to 1. */
  readonly progress: number;
  /** Its time in seconds. */
  readonly duration: number;
}

/** A clip that a layer plays. */
export interface PlayedClip {
  readonly clip: string;
  /** What part of what its layer shows it is. */
  readonly weight: number;
  /** Where it is, in seconds. */
  readonly time: number;
}

/** A transition that could be taken. */
export interface WaitingTransition {
  /** The state that it leads to, or `exit`. */
  readonly to: string;
  /** What has yet to come, in words. */
  readonly lacks: readonly string[];
}

/** A transition that was taken. */
export interface TakenTransition {
  /** When, in seconds since the graph began. */
  readonly time: number;
  readonly layer: string;
  readonly from: string;
  /** The state that it leads to; undefined out of the machine. */
  readonly to: string | undefined;
  /** Whether it interrupted another one. */
  readonly interrupts: boolean;
  /** Whether it is on the way to a state that was asked for with `travel`. */
  readonly travels: boolean;
  /** Whether it waited for an exit time. */
  readonly atExitTime: boolean;
  /** A parameter that it waited for, and what that was: the trigger if there is one, else the first. */
  readonly cause: { readonly parameter: string; readonly value: number | boolean } | undefined;
}

/** @internal In the order of `graph/describe.rs` of crates/canter-wasm. */
export function readExplanation(reader: MotionReader): GraphExplanation {
  const text = reader.text();
  return { time: reader.double(), layers: reader.list(() => readLayer(reader)), toString: () => text };
}

function readLayer(reader: MotionReader): LayerExplanation {
  return {
    layer: reader.text(),
    weight: reader.float(),
    states: reader.list(() => reader.text()),
    cycles: reader.double(),
    transitions: reader.list(() => ({ from: reader.text(), to: reader.text(), progress: reader.double(), duration: reader.double() })),
    clips: reader.list(() => ({ clip: reader.text(), weight: reader.float(), time: reader.float() })),
    because: reader.optional(),
    waiting: reader.list(() => ({ to: reader.text(), lacks: reader.list(() => reader.text()) })),
  };
}

/** @internal The latest first. */
export function readHistory(reader: MotionReader, layers: readonly string[], parameters: readonly GraphParameter[]): TakenTransition[] {
  return reader.list(() => {
    const [time, layer, from, to] = [reader.double(), layers[reader.number()]!, reader.text(), reader.optional()];
    const [flags, place, number] = [reader.number(), reader.index(), reader.double()];
    const parameter = place === undefined ? undefined : parameters[place];
    const isNumber = parameter?.kind === 'float' || parameter?.kind === 'int';
    const cause = parameter && { parameter: parameter.name, value: isNumber ? number : number !== 0 };
    return { time, layer, from, to, interrupts: (flags & 1) !== 0, travels: (flags & 2) !== 0, atExitTime: (flags & 4) !== 0, cause };
  });
}
