import { CanterError } from '../error.js';
import { MotionReader } from '../motion/reader.js';

/**
 * What can be wrong with a graph.
 *
 * - `json`: it is no JSON, or something in it is of another type, missing, or not known.
 * - `version`: it is of another version of the format.
 * - `unknown`: a name means nothing; `taken`: a name is there twice.
 * - `kind`: a parameter is of another kind; `number`: a number cannot be.
 * - `missing`, `misplaced`: something is not there that has to be, or is there and cannot be.
 * - `neverReached`: a state ends before this exit time.
 * - `samePlace`: two points of a space are at one place.
 * - `cycle`: states lead to each other at once, without an end.
 * - `tooMany`: there is more than a graph may have.
 * - `clip`: a clip cannot be played here.
 */
export type GraphFault =
  | 'json' | 'version' | 'unknown' | 'taken' | 'kind' | 'number' | 'missing' | 'misplaced' | 'neverReached' | 'samePlace' | 'cycle' | 'tooMany'
  | 'clip' | 'other';

/** Where in a graph something is; what is not known is not given. */
export interface GraphPlace {
  /** The layer's name. */
  readonly layer?: string | undefined;
  /** The state's name, after those of the states that its machine is in: `Combat/Attack`. */
  readonly state?: string | undefined;
  /** The place of a transition in its machine, and where it leads from and to. */
  readonly transition?: { readonly index: number; readonly from: string; readonly to: string } | undefined;
  /** The name of a field, as in JSON. */
  readonly field?: string | undefined;
}

/** A graph that cannot be built: what is wrong, and where. The message says both. */
export class GraphError extends CanterError implements GraphPlace {
  override readonly name = 'GraphError';
  readonly fault: GraphFault;
  readonly layer: string | undefined;
  readonly state: string | undefined;
  readonly transition: { readonly index: number; readonly from: string; readonly to: string } | undefined;
  readonly field: string | undefined;

  /** @internal */
  constructor(message: string, fault: GraphFault, { layer, state, transition, field }: GraphPlace = {}) {
    super(message);
    this.fault = fault;
    this.layer = layer;
    this.state = state;
    this.transition = transition;
    this.field = field;
  }
}

/** @internal A place in words, as crates/canter-graph has it. */
export function placeText({ layer, state, transition, field }: GraphPlace): string {
  const parts = [
    layer !== undefined && `layer "${layer}"`,
    state !== undefined && `state "${state}"`,
    transition && `transition ${transition.index} ("${transition.from}" to "${transition.to}")`,
    field !== undefined && `\`${field}\``,
  ];
  return parts.filter((part) => part !== false && part !== undefined).join(', ');
}

/** @internal The error that the module wrote. */
export function readError(bytes: Uint8Array): GraphError {
  const reader = new MotionReader(bytes.slice());
  const [message, fault] = [reader.text(), reader.text() as GraphFault];
  const [layer, state, index] = [reader.optional(), reader.optional(), reader.index()];
  const transition = index === undefined ? undefined : { index, from: reader.text(), to: reader.text() };
  return new GraphError(message, fault, { layer, state, transition, field: reader.optional() });
}
