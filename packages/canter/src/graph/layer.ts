import type { AnimationGraph } from './animation-graph.js';
import type { LayerExplanation, RunningTransition } from './explanation.js';

/** A layer of a graph: one state machine, and what it is in. */
export class GraphLayer {
  readonly name: string;
  /** All its states, those of machines in states after the name of these: `Combat/Attack`. */
  readonly states: readonly string[];
  readonly #graph: AnimationGraph;
  readonly #index: number;

  /** @internal */
  constructor(graph: AnimationGraph, index: number, name: string, states: readonly string[]) {
    this.#graph = graph;
    this.#index = index;
    this.name = name;
    this.states = states;
  }

  /** The innermost state that it is in. */
  get state(): string {
    return this.#graph._stateOf(this.#index);
  }

  /** The innermost transition that is under way, if there is one. */
  get transition(): RunningTransition | undefined {
    return this.#graph._transitionOf(this.#index);
  }

  /** What it does, and why. */
  explain(): LayerExplanation {
    return this.#graph.explain().layers[this.#index]!;
  }

  /** Leads it to a state; see `graph.travel`. Returns how many transitions lead there. */
  travel(state: string): number {
    return this.#graph._travel(this.#index, state);
  }

  /** Lets it go where conditions lead it again. */
  stopTravelling(): void {
    this.#graph._stopTravelling(this.#index);
  }
}
