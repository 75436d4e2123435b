import { Writer } from '../motion/writer.js';
import type { GraphData } from './data.js';
import { GraphError, placeText, type GraphPlace } from './error.js';

type Fields = Readonly<Record<string, unknown>>;

/** Deeper than any graph may be nested; the module says that to those that are not as deep as this. */
const MOST_DEPTH = 64;

const KINDS = ['float', 'int', 'bool', 'trigger'];
const FADES = ['cross', 'frozen', 'inertial', 'dead'];
const EASINGS = ['linear', 'quadratic_in', 'quadratic_out', 'quadratic_in_out', 'smooth_step', 'smoother_step'];
const INTERRUPTS = ['none', 'source', 'target', 'source_then_target', 'target_then_source'];
const OPS = ['==', '!=', '<', '<=', '>', '>='];
const MOTIONS = ['clip', 'blend1d', 'blend2d', 'direct', 'machine'];

/** @internal The names of fields that each object of the format may have, those that it must have first, and how many these are. */
export const FIELDS: Readonly<Record<string, readonly [required: number, ...names: string[]]>> = {
  graph: [2, 'version', 'layers', '$schema', 'parameters', 'sync_groups'],
  parameter: [2, 'name', 'kind', 'default', 'keep'],
  sync_group: [1, 'name', 'by'],
  layer: [2, 'name', 'machine', 'mode', 'mask', 'weight'],
  additive: [0, 'reference'],
  reference: [1, 'clip', 'time'],
  mask: [0, 'subtree', 'joints', 'feather', 'morphs'],
  machine: [2, 'entry', 'states', 'keep', 'transitions'],
  state: [2, 'name', 'motion', 'speed', 'loop', 'mirror', 'sync', 'on_enter', 'on_leave', 'position'],
  clip: [1, 'name', 'range', 'speed'],
  blend1d: [2, 'parameter', 'points', 'half_life', 'place'],
  blend2d: [2, 'parameters', 'points', 'method', 'half_life', 'place'],
  point: [1, 'motion', 'at'],
  direct: [1, 'items', 'normalize'],
  item: [2, 'weight', 'motion'],
  transition: [
    2, 'from', 'to', 'when', 'exit_time', 'duration', 'fade', 'easing', 'enter', 'interrupt', 'ordered', 'priority', 'to_self',
  ],
  condition: [1, 'parameter', 'op', 'value'],
};

/** @internal The bytes of a graph, in the order of `graph/read.rs` of crates/canter-wasm. Says what is no graph, and where. */
export function encodeGraph(source: string | GraphData): Uint8Array {
  let data: unknown = source;
  if (typeof source === 'string') {
    try {
      data = JSON.parse(source);
    } catch (cause) {
      throw new GraphError(`this is no JSON: ${cause instanceof Error ? cause.message : String(cause)}`, 'json');
    }
  }
  return new Encoder().graph(data);
}

class Encoder {
  readonly #out = new Writer();
  #place: GraphPlace = {};
  #depth = 0;

  graph(value: unknown): Uint8Array {
    const data = this.#fields(value, 'graph');
    this.#whole(data, 'version', 0);
    this.#list(data, 'parameters', (item) => this.#parameter(item));
    this.#list(data, 'sync_groups', (item) => {
      const group = this.#fields(item, 'sync_group');
      this.#text(group, 'name');
      this.#choice(group, 'by', ['markers', 'cycle']);
    });
    this.#list(data, 'layers', (item) => this.#layer(item));
    return this.#out.bytes;
  }

  #parameter(value: unknown): void {
    const data = this.#fields(value, 'parameter');
    this.#text(data, 'name');
    this.#choice(data, 'kind', KINDS);
    this.#value(data, 'default');
    this.#flag(data, 'keep', true);
  }

  #value(data: Fields, field: string): void {
    const value = data[field];
    if (value === undefined || value === null) this.#out.number(0);
    else if (typeof value === 'boolean') this.#out.number(1).flag(value);
    else if (typeof value === 'number') this.#out.number(2).double(value);
    else this.#fail(field, value, 'a number, true or false');
  }

  #layer(value: unknown): void {
    const data = this.#fields(value, 'layer');
    const layer = this.#text(data, 'name');
    this.#at({ layer }, () => {
      this.#mode(data);
      this.#optional(data, 'mask', (value) => {
        const mask = this.#fields(value, 'mask');
        this.#texts(mask, 'subtree');
        this.#texts(mask, 'joints');
        this.#whole(mask, 'feather', 0);
        this.#float(mask, 'morphs', 0);
      });
      this.#amount(data, 'weight');
      this.#machine(data['machine'], '');
    });
  }

  #mode(data: Fields): void {
    const { mode = 'override' } = data;
    if (mode === 'override') return void this.#out.number(0);
    const expected = '"override" or { "additive": { "reference": "rest", "first_key" or { "clip", "time" } } }';
    const { reference = 'rest' } = this.#fields(this.#variant(mode, ['additive'], 'mode', expected)[1], 'additive');
    if (reference === 'rest') return void this.#out.number(1);
    if (reference === 'first_key') return void this.#out.number(2);
    const clip = this.#fields(reference, 'reference');
    this.#out.number(3);
    this.#text(clip, 'clip');
    this.#float(clip, 'time', 0);
  }

  #machine(value: unknown, path: string): void {
    if (++this.#depth > MOST_DEPTH) this.#throw(`\`machine\`: machines are nested deeper than ${MOST_DEPTH}`);
    const data = this.#fields(value, 'machine');
    this.#text(data, 'entry');
    this.#flag(data, 'keep', false);
    this.#list(data, 'states', (item) => this.#state(item, path));
    this.#list(data, 'transitions', (item, index) => this.#transition(item, index));
    this.#depth--;
  }

  #state(value: unknown, path: string): void {
    const data = this.#fields(value, 'state');
    const state = path + this.#text(data, 'name');
    this.#at({ state }, () => {
      this.#motion(data['motion'], `${state}/`);
      this.#amount(data, 'speed');
      this.#loop(data);
      this.#flag(data, 'mirror', false);
      for (const field of ['sync', 'on_enter', 'on_leave']) this.#optional(data, field, () => this.#text(data, field));
    });
  }

  #loop(data: Fields): void {
    const modes = ['once', 'repeat', 'ping_pong'];
    const { loop = 'repeat' } = data;
    if (typeof loop === 'string' && modes.includes(loop)) return void this.#out.number(modes.indexOf(loop));
    const expected = '"once", "repeat", "ping_pong" or { "times": a number }';
    const [, times] = this.#variant(loop, ['times'], 'loop', expected);
    this.#out.number(3);
    this.#whole({ times }, 'times');
  }

  #motion(value: unknown, path: string): void {
    if (++this.#depth > MOST_DEPTH) this.#throw(`\`motion\`: motions are nested deeper than ${MOST_DEPTH}`);
    if (value === 'rest') this.#out.number(0);
    else if (value === 'hold') this.#out.number(1);
    else {
      const expected = `"hold", "rest" or an object with one of ${MOTIONS.map((name) => `"${name}"`).join(', ')}`;
      const [kind, data] = this.#variant(value, MOTIONS, 'motion', expected);
      this.#out.number(2 + MOTIONS.indexOf(kind));
      if (kind === 'clip') this.#clip(data);
      else if (kind === 'machine') this.#machine(data, path);
      else if (kind === 'direct') this.#direct(data, path);
      else this.#blend(kind, data, path);
    }
    this.#depth--;
  }

  #clip(value: unknown): void {
    const data = this.#fields(typeof value === 'string' ? { name: value } : value, 'clip');
    this.#text(data, 'name');
    this.#optional(data, 'range', (range) => this.#pair(range, 'range'));
    this.#float(data, 'speed', 1);
  }

  #blend(kind: string, value: unknown, path: string): void {
    const data = this.#fields(value, kind);
    const isPlane = kind === 'blend2d';
    if (isPlane) {
      const { parameters } = data;
      if (!Array.isArray(parameters) || parameters.length !== 2) this.#fail('parameters', parameters, 'a list of two names');
      for (const parameter of parameters as unknown[]) this.#text({ parameters: parameter }, 'parameters');
      this.#choice(data, 'method', ['triangles', 'cartesian', 'directional']);
    } else {
      this.#text(data, 'parameter');
    }
    this.#float(data, 'half_life', 0);
    const places = isPlane ? ['velocity', 'turn_and_speed'] : ['speed', 'turn'];
    this.#optional(data, 'place', () => this.#choice(data, 'place', places));
    this.#list(data, 'points', (item) => {
      const point = this.#fields(item, 'point');
      this.#optional(point, 'at', (at) => (isPlane ? this.#pair(at, 'at') : this.#float(point, 'at')));
      this.#motion(point['motion'], path);
    });
  }

  #direct(value: unknown, path: string): void {
    const data = this.#fields(value, 'direct');
    this.#optional(data, 'normalize', () => this.#flag(data, 'normalize', true));
    this.#list(data, 'items', (value) => {
      const item = this.#fields(value, 'item');
      this.#amount(item, 'weight');
      this.#motion(item['motion'], path);
    });
  }

  #transition(value: unknown, index: number): void {
    const data = this.#fields(value, 'transition');
    const [from, to] = [this.#text(data, 'from'), this.#text(data, 'to')];
    this.#at({ transition: { index, from, to } }, () => {
      this.#list(data, 'when', (item) => {
        const condition = this.#fields(item, 'condition');
        this.#text(condition, 'parameter');
        this.#optional(condition, 'op', () => this.#choice(condition, 'op', OPS));
        this.#value(condition, 'value');
      });
      this.#optional(data, 'exit_time', () => this.#float(data, 'exit_time'));
      this.#duration(data);
      this.#choice(data, 'fade', FADES, 'dead');
      this.#choice(data, 'easing', EASINGS, 'smooth_step');
      this.#enter(data);
      this.#choice(data, 'interrupt', INTERRUPTS, 'source_then_target');
      this.#flag(data, 'ordered', false);
      this.#whole(data, 'priority', 0, -2147483648, 2147483647);
      this.#flag(data, 'to_self', false);
    });
  }

  #duration(data: Fields): void {
    const { duration = 0.2 } = data;
    if (typeof duration === 'number') return void this.#out.number(0).float(duration);
    const kinds = ['of_source', 'of_target'];
    const expected = 'a number of seconds, { "of_source": a part } or { "of_target": a part }';
    const [kind, part] = this.#variant(duration, kinds, 'duration', expected);
    this.#out.number(1 + kinds.indexOf(kind));
    this.#float({ duration: part }, 'duration');
  }

  #enter(data: Fields): void {
    const { enter } = data;
    if (enter === undefined || enter === null) return void this.#out.number(0);
    if (enter === 'keep_phase') return void this.#out.number(1);
    const expected = '"keep_phase", { "offset": a part } or { "marker": a name }';
    const [kind, value] = this.#variant(enter, ['offset', 'marker'], 'enter', expected);
    this.#out.number(kind === 'offset' ? 2 : 3);
    if (kind === 'offset') this.#float({ enter: value }, 'enter');
    else this.#text({ enter: value }, 'enter');
  }

  /** Writes with a more exact place for what is wrong. */
  #at(place: GraphPlace, write: () => void): void {
    const before = this.#place;
    this.#place = { ...before, ...place };
    write();
    this.#place = before;
  }

  /** The fields of an object that has all that it needs, and none that is not known. */
  #fields(value: unknown, what: string): Fields {
    const [required, ...names] = FIELDS[what]!;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return this.#throw(`${shown(value)} where a ${what.replace('_', ' ')} is expected: an object with ${names.slice(0, required).map(quoted).join(' and ')}`);
    }
    for (const field of Object.keys(value)) {
      if (!names.includes(field)) this.#throw(`a ${what.replace('_', ' ')} has no field "${field}"; it has ${names.map(quoted).join(', ')}`, field);
    }
    for (const field of names.slice(0, required)) {
      if (!Object.hasOwn(value, field)) this.#throw(`a ${what.replace('_', ' ')} without "${field}"`, field);
    }
    return value as Fields;
  }

  /** The one field of an object that stands for a choice. */
  #variant(value: unknown, kinds: readonly string[], field: string, expected: string): [kind: string, value: unknown] {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const [entry, ...others] = Object.entries(value as Fields);
      if (entry && others.length === 0 && kinds.includes(entry[0])) return entry;
    }
    return this.#fail(field, value, expected);
  }

  #text(data: Fields, field: string): string {
    const value = data[field];
    if (typeof value !== 'string') return this.#fail(field, value, 'a text');
    this.#out.text(value);
    return value;
  }

  #texts(data: Fields, field: string): void {
    this.#list(data, field, (item) => this.#text({ [field]: item }, field));
  }

  #float(data: Fields, field: string, otherwise?: number): void {
    const value = data[field] ?? otherwise;
    if (typeof value !== 'number') this.#fail(field, value, 'a number');
    this.#out.float(value as number);
  }

  #whole(data: Fields, field: string, otherwise?: number, least = 0, most = 4294967295): void {
    const value = data[field] ?? otherwise;
    const isWhole = Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
    if (!isWhole) this.#fail(field, value, `a whole number from ${least} to ${most}`);
    this.#out.number(value as number);
  }

  #pair(value: unknown, field: string): void {
    const isPair = Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'number');
    if (!isPair) this.#fail(field, value, 'a list of two numbers');
    this.#out.floats(value as number[]);
  }

  #flag(data: Fields, field: string, otherwise: boolean): void {
    const value = data[field] ?? otherwise;
    if (typeof value !== 'boolean') this.#fail(field, value, 'true or false');
    this.#out.flag(value as boolean);
  }

  #choice(data: Fields, field: string, names: readonly string[], otherwise = names[0]): void {
    const value = data[field] ?? otherwise;
    if (typeof value !== 'string' || !names.includes(value)) this.#fail(field, value, names.map(quoted).join(', '));
    this.#out.number(names.indexOf(value as string));
  }

  #amount(data: Fields, field: string): void {
    const value = data[field] ?? 1;
    if (typeof value === 'string') this.#out.flag(true).text(value);
    else if (typeof value === 'number') this.#out.flag(false).float(value);
    else this.#fail(field, value, 'a number, or the name of a float parameter');
  }

  #list(data: Fields, field: string, item: (value: unknown, index: number) => void): void {
    const value = data[field] ?? [];
    if (!Array.isArray(value)) this.#fail(field, value, 'a list');
    this.#out.list(value as unknown[], item);
  }

  #optional(data: Fields, field: string, write: (value: unknown) => void): void {
    this.#out.option(data[field] ?? undefined, write);
  }

  #fail(field: string, value: unknown, expected: string): never {
    return this.#throw(`${shown(value)} refused; expected ${expected}`, field);
  }

  #throw(message: string, field?: string): never {
    const place = { ...this.#place, field };
    const where = placeText(place);
    throw new GraphError(where === '' ? message : `${where}: ${message}`, 'json', place);
  }
}

function quoted(name: string): string {
  return `"${name}"`;
}

/** A value in a message: long ones are cut. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
