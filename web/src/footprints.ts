import type { AnimationMixer, Bone, MarkerEvent } from 'canter';

import type { Walker } from './walker.js';

const LASTS_SECS = 6;
const MOST = 64;
/** A foot that has not come to rest by then, or goes farther, has left again. */
const SETTLES_SECS = 0.3;
const SETTLES_METRES = 0.12;
/** A foot does not come down more often than this. */
const AGAIN_SECS = 0.2;
/** Toes that are higher than where they stood by more than this do not stand, in metres. */
const STANDS = 0.0005;

interface Foot {
  ankle: Bone;
  /** What stands longest: the heel comes down before them and leaves before them. */
  toes: Bone;
  side: 1 | -1;
  last: Print | undefined;
}

interface Print {
  x: number;
  z: number;
  yaw: number;
  side: 1 | -1;
  /** Of the toes: as long as they come down, the print is not finished. */
  height: number;
  age: number;
}

/** Where feet came down: a print at each marker that is called like a foot, which fades away. */
export class Footprints {
  /** x, z, yaw, and how clear it is; negative for right feet. Relative to where the figure is. */
  readonly numbers = new Float32Array(4 * MOST);
  /** The farthest that toes were seen away from their print while they stood on it, in metres. */
  slide = 0;
  readonly #walker: Walker;
  readonly #feet = new Map<string, Foot>();
  #prints: Print[] = [];
  #marked: MarkerEvent[] = [];

  constructor(mixer: AnimationMixer, walker: Walker) {
    this.#walker = walker;
    for (const [side, letter] of [[1, 'L'], [-1, 'R']] as const) {
      const [ankle, toes] = ['foot', 'toes'].map((name) => mixer.skeleton.getBoneByName(`${name}_${letter}`));
      if (ankle && toes) this.#feet.set(`foot_${letter}`, { ankle, toes, side, last: undefined });
    }
    // Where the foot is, is looked at when the figure has been moved.
    mixer.addEventListener('marker', (event) => this.#marked.push(event));
  }

  get count(): number {
    return this.#prints.length;
  }

  /** After the figure was moved by that many seconds. */
  update(secs: number): void {
    for (const print of this.#prints) print.age += secs;
    this.#prints = this.#prints.filter(({ age }) => age < LASTS_SECS);
    for (const { name, secondsAgo } of this.#marked) {
      const foot = this.#feet.get(name);
      // A foot that came down so long ago stands elsewhere by now; two clips that are not in step tell of one foot twice.
      const isToldAgain = foot?.last !== undefined && foot.last.age - secondsAgo < AGAIN_SECS;
      if (!foot || secondsAgo > SETTLES_SECS || isToldAgain) continue;
      foot.last = { ...this.#look(foot), side: foot.side, age: secondsAgo };
      this.#prints.push(foot.last);
    }
    this.#marked = [];
    if (this.#prints.length > MOST) this.#prints.splice(0, this.#prints.length - MOST);
    for (const foot of this.#feet.values()) this.#settle(foot);
    this.#write();
  }

  /** The heel comes first: the sole lies where the toes are when they are down. */
  #settle({ ankle, toes, last }: Foot): void {
    if (!last) return;
    const now = this.#look({ ankle, toes });
    const away = Math.hypot(now.x - last.x, now.z - last.z);
    if (now.height < last.height && last.age < SETTLES_SECS && away < SETTLES_METRES) Object.assign(last, now);
    else if (now.height - last.height < STANDS && last.age < 1) this.slide = Math.max(this.slide, away);
  }

  #look({ ankle, toes }: Pick<Foot, 'ankle' | 'toes'>): Pick<Print, 'x' | 'z' | 'yaw' | 'height'> {
    const [from, to] = [ankle.worldMatrix, toes.worldMatrix];
    const [[ax, az], [x, z]] = [this.#walker.place(from[12]!, from[14]!), this.#walker.place(to[12]!, to[14]!)];
    return { x, z, yaw: Math.atan2(x - ax, z - az), height: to[13]! };
  }

  #write(): void {
    for (const [index, { x, z, yaw, side, age }] of this.#prints.entries()) {
      const clear = side * Math.min(1, 1.5 * (1 - age / LASTS_SECS));
      this.numbers.set([x - this.#walker.x, z - this.#walker.z, yaw, clear], 4 * index);
    }
  }
}
