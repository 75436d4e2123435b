import { CanterError } from '../error.js';
import { missingName } from '../missing-name.js';
import type { MotionExports } from '../motion/exports.js';
import type { ParameterKind } from './data.js';

/** A parameter of a graph. */
export interface GraphParameter {
  readonly name: string;
  readonly kind: ParameterKind;
}

/** @internal What parameters need of their graph. */
export interface ParameterOwner {
  readonly _exports: MotionExports;
  readonly _id: number;
}

/**
 * What the program tells a graph, by name. Only what they are at an `update` counts.
 *
 * ```ts
 * graph.parameters.set('speed', 1.4);
 * graph.parameters.set('grounded', true);
 * graph.parameters.trigger('jump');
 * ```
 */
export class GraphParameters implements Iterable<[name: string, value: number | boolean]> {
  /** In the order of the graph. */
  readonly list: readonly GraphParameter[];
  readonly #owner: ParameterOwner;
  readonly #places: ReadonlyMap<string, number>;

  /** @internal */
  constructor(owner: ParameterOwner, list: readonly GraphParameter[]) {
    this.#owner = owner;
    this.list = list;
    this.#places = new Map(list.map(({ name }, place) => [name, place]));
  }

  /** Whether there is a parameter of that name. */
  has(name: string): boolean {
    return this.#places.has(name);
  }

  /** What a parameter is: a number, or of a bool and a trigger whether it is set. */
  get(name: string): number | boolean {
    const { _exports, _id } = this.#owner;
    const place = this.#place(name);
    const value = _exports.graph_get(_id, place);
    const { kind } = this.list[place]!;
    return kind === 'float' || kind === 'int' ? value : value !== 0;
  }

  /**
   * Gives a parameter a value: a number to a float, a whole number to an int, true or false to a bool. A float may be
   * anything; what is not finite leaves blends and speeds as they were, and fulfils no condition.
   */
  set(name: string, value: number | boolean): this {
    const { _exports, _id } = this.#owner;
    const place = this.#place(name);
    const { kind } = this.list[place]!;
    if (!isOfKind(value, kind)) {
      throw new CanterError(`parameter "${name}" is a ${kind} and was given ${String(value)}; ${expected(name, kind)}`);
    }
    _exports.graph_set(_id, place, Number(value));
    return this;
  }

  /** Sets a trigger. Setting it again before a transition takes it means nothing more. */
  trigger(name: string): this {
    return this.#setTrigger(name, 1);
  }

  /** Takes a trigger back. */
  reset(name: string): this {
    return this.#setTrigger(name, 0);
  }

  #setTrigger(name: string, value: number): this {
    const { _exports, _id } = this.#owner;
    const place = this.#place(name);
    const { kind } = this.list[place]!;
    if (kind !== 'trigger') throw new CanterError(`parameter "${name}" is a ${kind}, no trigger; ${expected(name, kind)}`);
    _exports.graph_set(_id, place, value);
    return this;
  }

  #place(name: string): number {
    const place = this.#places.get(name);
    if (place === undefined) throw new CanterError(missingName('parameter', name, [...this.#places.keys()], 'the graph'));
    return place;
  }

  /** All of them as they are. */
  *[Symbol.iterator](): IterableIterator<[name: string, value: number | boolean]> {
    for (const { name } of this.list) yield [name, this.get(name)];
  }
}

function isOfKind(value: number | boolean, kind: ParameterKind): boolean {
  switch (kind) {
    case 'float': return typeof value === 'number';
    case 'int': return typeof value === 'number' && value === (value | 0);
    case 'bool': return typeof value === 'boolean';
    case 'trigger': return false;
  }
}

function expected(name: string, kind: ParameterKind): string {
  switch (kind) {
    case 'float': return 'give a number';
    case 'int': return 'give a whole number of 32 bits';
    case 'bool': return 'give true or false';
    case 'trigger': return `call \`trigger('${name}')\` or \`reset('${name}')\``;
  }
}
