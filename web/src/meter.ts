/** How long sums are kept: clocks of browsers tell whole steps of 5 to 100 µs, so one frame says little. */
const WINDOW_MS = 8000;
/** And how often what they say is shown. */
const SHOWN_EVERY_MS = 500;
/** Nothing is said of fewer frames than these. */
const LEAST_FRAMES = 20;

interface Slice {
  frames: number;
  /** Summed over its frames. */
  workMs: number;
  figures: number;
  lastsMs: number;
}

/** What was measured, over all frames of the window. */
export interface Reading {
  framesPerSec: number;
  /** Work per figure and frame; undefined while there are too few frames to tell. */
  microsPerFigure: number | undefined;
  /** By how much that may be off, since the clock has steps. */
  errorMicros: number;
}

/**
 * Counts frames and sums up the time that work took. A sum over many frames is right even where the clock is coarse: the steps that it
 * tells are as often too many as too few.
 */
export class Meter {
  #slices: Slice[] = [];
  #now: Slice = { frames: 0, workMs: 0, figures: 0, lastsMs: 0 };
  #since: number;
  /** The shortest step that the clock was seen to make, in milliseconds. */
  #tick = 0;

  constructor(now: number) {
    this.#since = now;
  }

  /** Forgets what was before: something else is measured from now on. */
  restart(now: number): void {
    this.#slices = [];
    this.#now = { frames: 0, workMs: 0, figures: 0, lastsMs: 0 };
    this.#since = now;
  }

  /** A frame, when it ended, and how long the work for so many figures took in it. Now and then it returns a reading. */
  count(now: number, workMs: number, figures: number): Reading | undefined {
    if (workMs > 0) this.#tick = this.#tick === 0 ? workMs : Math.min(this.#tick, workMs);
    this.#now.frames++;
    this.#now.workMs += workMs;
    this.#now.figures += figures;
    this.#now.lastsMs = now - this.#since;
    if (this.#now.lastsMs < SHOWN_EVERY_MS) return undefined;
    this.#slices.push(this.#now);
    const rate = (1000 * this.#now.frames) / this.#now.lastsMs;
    this.#now = { frames: 0, workMs: 0, figures: 0, lastsMs: 0 };
    this.#since = now;
    const sum = (of: (slice: Slice) => number) => this.#slices.reduce((total, slice) => total + of(slice), 0);
    while (this.#slices.length > 1 && sum(({ lastsMs }) => lastsMs) > WINDOW_MS) this.#slices.shift();
    const [frames, work, all] = [sum(({ frames }) => frames), sum(({ workMs }) => workMs), Math.max(sum(({ figures }) => figures), 1)];
    // Each frame is off by up to a step, to either side: the root of their number times half of one.
    const error = (500 * this.#tick * Math.sqrt(frames)) / all;
    return { framesPerSec: rate, microsPerFigure: frames < LEAST_FRAMES ? undefined : (1000 * work) / all, errorMicros: error };
  }
}

/** A duration, with no more digits than are known. */
export function micros({ microsPerFigure: value, errorMicros: error }: Reading): string {
  if (value === undefined) return '–';
  if (value < error) return `< ${Math.max(error, 0.1).toFixed(error < 1 ? 1 : 0)} µs`;
  const digits = value < 10 && error < 0.5 ? 1 : 0;
  return `${value.toFixed(digits)} µs`;
}
