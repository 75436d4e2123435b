import { Crowd, type CrowdMember } from 'canter';

import type { Figure } from './figure.js';
import type { Mat4, Vec3 } from './math.js';
import { writeMorphs, type MorphList } from './morphs.js';
import { INSTANCE_FLOATS, type Range } from './renderer.js';

export const LARGEST_CROWD = 10_000;
/** So many triangles in all are enough for any graphics card. */
const MOST_TRIANGLES = 60e6;
/** From afar, a figure has about so much of its triangles left. */
const LEFT_FROM_AFAR = 1 / 20;
/** Figures that are less tall than this are drawn less finely, then less finely still; in pixels. */
const LEVEL_PIXELS = [170, 60];
const UNSEEN = 255;
/** Those that are less tall than this are sampled in every second frame, then in every fourth; all others in every eighth. */
const RATE_PIXELS = [110, 55, 28];

/** From where a frame is seen. */
export interface View {
  clipFromWorld: Mat4;
  eye: Vec3;
  /** How many pixels something of size one has at a distance of one. */
  pixelsAtOne: number;
  /** Whether time stands still: then everybody is sampled when something changes. */
  isStill: boolean;
}

/** Where the numbers of members go: instances, and rows of the palette for matrices and morph weights. */
export interface Rows {
  instances: Float32Array;
  /** The row at which the matrices of the first member begin, and that of the morph weights. */
  matrices: number;
  morphs: number;
}

/** A crowd on a field around the hero: where its members stand, which of them are seen, and how finely each is drawn. */
export class Field {
  readonly crowd: Crowd;
  /** How many may come. */
  readonly most: number;
  readonly #size: number;
  /** x, z and yaw of each member, nearest first. */
  #places = new Float32Array(0);
  #levels = new Uint8Array(0);
  /** In every so manieth frame they are sampled; 0 for those that are not seen. */
  #rates = new Uint8Array(0);
  readonly #morphs: readonly MorphList[];
  readonly #morphRows: number;
  /** The morph weights of those that are drawn in full detail. */
  morphNumbers = new Float32Array(0);
  /** Whether somebody came into the picture who was not sampled when time stood still: one more update is needed. */
  hasNewcomers = false;

  constructor({ asset, morphs, morphRows, triangleCount }: Figure, size: number) {
    this.crowd = new Crowd(asset, { matrices: 'mat3x4' });
    this.#size = size;
    this.#morphs = morphs;
    this.#morphRows = morphRows;
    const isPossible = this.crowd.floatsPerMember > 0;
    this.most = isPossible ? Math.max(1, Math.min(LARGEST_CROWD, Math.floor(MOST_TRIANGLES / Math.max(LEFT_FROM_AFAR * triangleCount, 1)))) : 1;
  }

  /** How far the field reaches, from the hero. */
  get radius(): number {
    const last = 3 * (this.crowd.members.length - 1);
    return last < 0 ? 0 : Math.hypot(this.#places[last]!, this.#places[last + 1]!);
  }

  /** How many rows of four numbers the matrices of all members have. */
  get rows(): number {
    return (this.crowd.members.length * this.crowd.floatsPerMember) / 4;
  }

  /** Lets members leave or come, facing as the hero does; returns those that came. */
  resize(count: number, yaw: number): CrowdMember[] {
    const { members } = this.crowd;
    while (members.length > count) members[members.length - 1]!.remove();
    const before = members.length;
    if (count > 0 && this.#places.length === 0) this.#places = makePlaces(this.most, 0.72 * this.#size);
    while (members.length < count) this.#places[3 * this.crowd.spawn().index + 2] = yaw;
    return members.slice(before);
  }

  /** After an update: all turn as their clips do. The ground runs under all as fast as under the hero. */
  turn(): void {
    const ways = this.crowd.members.length > 0 ? this.crowd.rootMotions : [];
    for (let member = 0; 16 * member < ways.length; member++) {
      const turned = Math.atan2(ways[16 * member + 8]!, ways[16 * member]!);
      if (turned !== 0) this.#places[3 * member + 2]! += turned;
    }
  }

  /** Writes those who are seen behind the hero's instance, finest first; returns which are drawn how finely. */
  select(view: View, rows: Rows): Range[] {
    const { members, floatsPerMember } = this.crowd;
    const counts = this.#look(view);
    let first = 1;
    const ranges = counts.map((count) => {
      const range = { first, count };
      first += count;
      return range;
    });
    const next = ranges.map((range) => range.first);
    if (this.morphNumbers.length !== 4 * this.#morphRows * counts[0]!) this.morphNumbers = new Float32Array(4 * this.#morphRows * counts[0]!);
    for (let member = 0; member < members.length; member++) {
      const level = this.#levels[member]!;
      if (level === UNSEEN) continue;
      const instance = next[level]!++;
      const at = INSTANCE_FLOATS * instance;
      for (let axis = 0; axis < 3; axis++) rows.instances[at + axis] = this.#places[3 * member + axis]!;
      rows.instances[at + 3] = rows.matrices + member * (floatsPerMember / 4);
      // Coarser meshes have no targets.
      const place = level === 0 ? this.#morphRows * (instance - 1) : 0;
      rows.instances[at + 4] = rows.morphs + place;
      if (level === 0) writeMorphs(this.#morphs, (morph) => members[member]!.morphWeights(morph), this.morphNumbers, 4 * place);
    }
    return ranges;
  }

  /** Decides for everybody how finely and how often; returns how many are seen of each level. */
  #look(view: View): number[] {
    const { length } = this.crowd.members;
    if (this.#levels.length < length) [this.#levels, this.#rates] = [new Uint8Array(this.most), new Uint8Array(this.most)];
    const counts = Array<number>(LEVEL_PIXELS.length + 1).fill(0);
    this.hasNewcomers = false;
    for (let member = 0; member < length; member++) {
      const isSeen = this.#isSeen(view, member);
      const pixels = isSeen ? this.#pixels(view, member) : 0;
      const level = isSeen ? step(pixels, LEVEL_PIXELS) : UNSEEN;
      const rate = !isSeen ? 0 : view.isStill ? 1 : 2 ** step(pixels, RATE_PIXELS);
      if (rate > 0 && this.#rates[member] === 0) this.hasNewcomers = true;
      this.#levels[member] = level;
      this.#rates[member] = rate;
      if (isSeen) counts[level]!++;
    }
    if (length > 0) this.crowd.setUpdateRates(this.#rates.subarray(0, length));
    return counts;
  }

  /** How tall a member is in the picture. */
  #pixels({ eye, pixelsAtOne }: View, member: number): number {
    const away = Math.hypot(eye[0] - this.#places[3 * member]!, eye[1] - this.#size / 2, eye[2] - this.#places[3 * member + 1]!);
    return (pixelsAtOne * this.#size) / Math.max(away, 1e-9);
  }

  /** Whether a ball around a member touches what is in the picture. */
  #isSeen({ clipFromWorld: m }: View, member: number): boolean {
    const [x, y, z] = [this.#places[3 * member]!, this.#size / 2, this.#places[3 * member + 1]!];
    const w = m[3]! * x + m[7]! * y + m[11]! * z + m[15]!;
    // Shadows reach farther than the figure does.
    const reach = 1.6 * this.#size;
    if (w < -reach) return false;
    for (let axis = 0; axis < 2; axis++) {
      const at = m[axis]! * x + m[4 + axis]! * y + m[8 + axis]! * z + m[12 + axis]!;
      const scale = Math.hypot(m[axis]!, m[4 + axis]!, m[8 + axis]!) + 1;
      if (Math.abs(at) > w + reach * scale) return false;
    }
    return true;
  }

  dispose(): void {
    this.crowd.dispose();
  }
}

/** How many of some limits, from the largest down, are above a number. */
function step(pixels: number, limits: readonly number[]): number {
  let count = 0;
  while (count < limits.length && pixels < limits[count]!) count++;
  return count;
}

/** Places around the hero, nearest first: rows of which every second one is moved by half a step. */
function makePlaces(count: number, step: number): Float32Array<ArrayBuffer> {
  const spots: [x: number, z: number, away: number][] = [];
  const half = Math.ceil(Math.sqrt(count / Math.PI)) + 2;
  for (let row = -half; row <= half; row++) {
    for (let column = -half; column <= half; column++) {
      const [x, z] = [(column + (row & 1) * 0.5) * step, row * step];
      if (row !== 0 || column !== 0) spots.push([x, z, Math.hypot(x, z)]);
    }
  }
  spots.sort((a, b) => a[2] - b[2]);
  const places = new Float32Array(3 * count);
  for (let index = 0; index < count; index++) places.set(spots[index]!.slice(0, 2), 3 * index);
  return places;
}
