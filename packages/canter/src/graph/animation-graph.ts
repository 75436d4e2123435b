/// <reference lib="esnext.disposable" preserve="true" />
import type { Asset } from '../asset.js';
import type { AnimationClip } from '../clip.js';
import { CanterError, checkNotNegative } from '../error.js';
import { Handle } from '../handle.js';
import type { MarkerKind } from '../marker.js';
import { identity, multiply, type MutableMatrix } from '../matrix.js';
import { missingName } from '../missing-name.js';
// By way of the whole: scripts that only a part of `canter` were shared with would make that one a dozen of small files.
import { AnimationMixer } from '../index.js';
import { motionExports, type MotionExports } from '../motion/exports.js';
import { MotionReader } from '../motion/reader.js';
import { read, type ReadOptions, type Source } from '../read.js';
import type { Skeleton } from '../skeleton.js';
import type { GraphData } from './data.js';
import { encodeGraph } from './encode.js';
import { GraphError, readError } from './error.js';
import { EVENT_TYPES, GraphEmitter, type GraphEvent } from './events.js';
import { readExplanation, readHistory, type GraphExplanation, type RunningTransition, type TakenTransition } from './explanation.js';
import { GraphLayer } from './layer.js';
import { GraphParameters, type GraphParameter } from './parameters.js';
import { GraphSnapshot } from './snapshot.js';

/** What a graph can drive: a skeleton, that of an asset, or a mixer that nothing else plays on. */
export type GraphTarget = Asset | Skeleton | AnimationMixer;

interface GraphState {
  readonly layer: number;
  readonly path: string;
  readonly events: Readonly<Record<'enter' | 'leave', string | undefined>>;
}

/** The codes of crates/canter-wasm. */
const PARAMETER_KINDS = ['float', 'int', 'bool', 'trigger'] as const;
const MARKER_KINDS: readonly MarkerKind[] = ['at', 'enter', 'leave'];
const HAS_MARKERS = 0x80000000;

/**
 * State machines and blend spaces that decide what a character plays.
 *
 * ```ts
 * const hero = await loadGltf('hero.glb', { motion: true });
 * const graph = await AnimationGraph.load('hero.graph.json', hero);
 * graph.addEventListener('enter', ({ state }) => console.log(state));
 * graph.parameters.set('forward', 1.4);
 * graph.parameters.trigger('jump');
 * graph.update(1 / 60); // instead of `mixer.update`
 * ```
 *
 * It drives one mixer: `update` decides what plays, moves time on and poses the skeleton. A long step leads where many short ones do.
 */
export class AnimationGraph extends GraphEmitter {
  /** The mixer that it drives. Call the graph's `update`, not the mixer's. Layers that are added to it play above those of the graph. */
  readonly mixer: AnimationMixer;
  /** What the program tells it. */
  readonly parameters: GraphParameters;
  /** Its layers, from below. */
  readonly layers: readonly GraphLayer[];
  /** What is probably not meant, in words: clips that are not there, states that nothing leads to. */
  readonly warnings: readonly string[];
  readonly #ownsMixer: boolean;
  readonly #states: readonly GraphState[];
  readonly #handle: Handle;
  readonly #root = identity();
  readonly #before = identity();

  /**
   * A graph of its JSON, or of what that holds, for a character; or another one that moves by the same graph, which need not be read
   * again. A graph that is wrong is refused with a `GraphError`, which names layer, state, transition and field.
   */
  constructor(source: string | GraphData | AnimationGraph, target: GraphTarget) {
    super();
    const bytes = source instanceof AnimationGraph ? undefined : encodeGraph(source);
    this.#ownsMixer = !(target instanceof AnimationMixer);
    this.mixer = target instanceof AnimationMixer ? target : new AnimationMixer(target);
    const runtime = this.mixer._runtime;
    try {
      const exports = motionExports(runtime);
      const id = source instanceof AnimationGraph ? this.#again(source) : this.#build(exports, bytes!);
      this.#handle = new Handle(this, 'AnimationGraph', runtime, id, (exports, id) => (exports as MotionExports).graph_free(id));
    } catch (error) {
      if (this.#ownsMixer) this.mixer.dispose();
      throw error;
    }
    this._exports.graph_describe(this._id);
    const reader = new MotionReader(runtime._outputBytes().slice());
    const parameters = reader.list((): GraphParameter => ({ name: reader.text(), kind: PARAMETER_KINDS[reader.number()]! }));
    const layers = reader.list(() => reader.text());
    this.#states = reader.list(() => ({
      layer: reader.number(),
      path: reader.text(),
      events: { enter: reader.optional(), leave: reader.optional() },
    }));
    this.warnings = reader.list(() => reader.text());
    this.parameters = new GraphParameters(this, parameters);
    this.layers = layers.map((name, index) => {
      const states = this.#states.filter(({ layer }) => layer === index).map(({ path }) => path);
      return new GraphLayer(this, index, name, states);
    });
  }

  #build(exports: MotionExports, bytes: Uint8Array): number {
    const runtime = this.mixer._runtime;
    runtime._input(bytes);
    const id = exports.graph_new(this.mixer._mixers);
    if (id === 0) throw readError(runtime._outputBytes());
    return id;
  }

  #again(other: AnimationGraph): number {
    if (other.mixer.asset !== this.mixer.asset) {
      throw new CanterError('this graph was built for the clips of another asset; build it again from its JSON');
    }
    return other._exports.graph_clone(other._id, this.mixer._mixers);
  }

  /** Reads a graph from a URL (in Node and Deno a path, too), a file or bytes. */
  static async load(source: Source, target: GraphTarget, options: ReadOptions = {}): Promise<AnimationGraph> {
    return new AnimationGraph(new TextDecoder().decode(await read(source, options)), target);
  }

  /** Another character that moves by the same graph, from its start: on `skeleton.clone()`, for instance. */
  clone(target: GraphTarget): AnimationGraph {
    return new AnimationGraph(this, target);
  }

  /** The skeleton that it poses. */
  get skeleton(): Skeleton {
    return this.mixer.skeleton;
  }

  /** Sets a trigger, as `parameters.trigger` does. */
  trigger(name: string): this {
    this.parameters.trigger(name);
    return this;
  }

  /**
   * Moves time on by a number of seconds: decides what plays, poses the skeleton, moves attachments; then tells of events, in the order
   * of time. Parameters count as they are now; triggers that a transition has taken are reset.
   */
  update(dt: number): this {
    checkNotNegative(dt, 'the step of time');
    const { mixer, skeleton } = this;
    const hearsMarkers = this._hears('marker');
    const told = this._exports.graph_update(this._id, mixer._mixers, skeleton._id, dt, hearsMarkers ? 1 : 0) >>> 0;
    skeleton._posed();
    if (told > 0) this.#tell(told);
    return this;
  }

  #tell(told: number): void {
    // All are taken out of the module before the first is told: a listener may do anything, `dispose` too.
    const markers = told >= HAS_MARKERS ? this.#takeMarkers() : [];
    const events = told % HAS_MARKERS > 0 ? this.#takeEvents() : [];
    for (const event of [...markers, ...events].sort((a, b) => b.secondsAgo - a.secondsAgo)) this._tell(event);
  }

  #takeEvents(): GraphEvent[] {
    this._exports.graph_events(this._id);
    const [words, floats] = this.#output();
    const events: GraphEvent[] = [];
    for (let at = 0; at < words.length; at += 4) {
      const layer = this.layers[words[at]!]!.name;
      const type = EVENT_TYPES[words[at + 1]!]!;
      const secondsAgo = floats[at + 3]!;
      const state = this.#states[words[at + 2]!];
      if (type === 'chainLimit' || !state) events.push({ type: 'chainLimit', layer, secondsAgo });
      else if (type === 'finished') events.push({ type, layer, state: state.path, secondsAgo });
      else events.push({ type, layer, state: state.path, event: state.events[type], secondsAgo });
    }
    return events;
  }

  #takeMarkers(): GraphEvent[] {
    const leftOut = this._exports.graph_markers(this._id);
    const [words, floats] = this.#output();
    const { asset } = this.mixer;
    const events: GraphEvent[] = [];
    for (let at = 0; at < words.length; at += 7) {
      const kind = words[at + 3]!;
      events.push({
        type: 'marker',
        layer: this.layers[words[at]!]?.name,
        clip: asset.clips[words[at + 1]!] as AnimationClip,
        name: asset._markerNames[words[at + 2]!]!,
        kind: MARKER_KINDS[kind & 3]!,
        loops: words[at + 4]! | 0,
        backward: (kind & 4) !== 0,
        weight: floats[at + 5]!,
        secondsAgo: floats[at + 6]!,
      });
    }
    if (leftOut > 0) console.warn(`canter: a step crossed more markers than are told at once; ${leftOut} or more are left out. Take shorter steps.`);
    return events;
  }

  #output(): [words: Uint32Array, floats: Float32Array] {
    const runtime = this.mixer._runtime;
    const [address = 0, len = 0] = runtime._words;
    return [new Uint32Array(runtime._buffer, address, len), new Float32Array(runtime._buffer, address, len)];
  }

  /** The innermost state that its first layer is in. */
  get state(): string {
    return this._stateOf(0);
  }

  /** Seconds since it began. */
  get time(): number {
    return this._exports.graph_time(this._id);
  }

  /** The layer of that name, or undefined. */
  getLayerByName(name: string): GraphLayer | undefined {
    return this.layers.find((layer) => layer.name === name);
  }

  /**
   * What plays, and why: states, transitions with their progress, clips with their weights, and what everything waits for; `String(…)`
   * says it in words. For tools: it makes a list of objects.
   */
  explain(): GraphExplanation {
    this._exports.graph_explain(this._id, this.mixer._mixers);
    return readExplanation(new MotionReader(this.mixer._runtime._outputBytes().slice()));
  }

  /** The last transitions that were taken, 32 at most, the latest first. */
  get history(): TakenTransition[] {
    this._exports.graph_history(this._id);
    const reader = new MotionReader(this.mixer._runtime._outputBytes().slice());
    return readHistory(reader, this.layers.map(({ name }) => name), this.parameters.list);
  }

  /**
   * Leads the layer that has this state to it, over as few transitions as there are: they are taken one after the other, each when the
   * one before it is over and, if it has an exit time, then. Their conditions do not count. Returns how many there are. States of
   * the same name on several layers are told apart by `layer.travel`.
   */
  travel(state: string): number {
    const found = this.#states.find(({ path }) => path === state);
    return this._travel(found?.layer ?? 0, state);
  }

  /** The way of the last `update`, by the root motion of its clips, as `mixer.rootMotion` has it. The same list each time. */
  get rootMotion(): Float32Array {
    this.#root.set(this.#rootStep().subarray(0, 16));
    return this.#root;
  }

  /** Its velocity in metres per second, as seen from where the last step began. */
  get rootVelocity(): [x: number, y: number, z: number] {
    const step = this.#rootStep();
    return [step[16]!, step[17]!, step[18]!];
  }

  /** How fast it turns about the vertical, in radians per second. */
  get rootYawRate(): number {
    return this.#rootStep()[19]!;
  }

  /** Moves a matrix by the way of the last `update`, such as `skeleton.matrix`, which says where it stands. */
  applyRootMotion(matrix: MutableMatrix): this {
    for (let index = 0; index < 16; index++) this.#before[index] = matrix[index]!;
    multiply(matrix, this.#before, this.rootMotion);
    return this;
  }

  #rootStep(): Float32Array {
    this._exports.graph_root(this._id);
    return this.mixer._runtime._floats;
  }

  /** Keeps everything that an update changes: states, parameters, and what the mixer plays. */
  save(): GraphSnapshot {
    return new GraphSnapshot(this.mixer._runtime, this._exports.graph_save(this._id, this.mixer._mixers));
  }

  /** Puts back what was kept, of this graph or of a clone, bit for bit, and poses the skeleton as it was. */
  restore(snapshot: GraphSnapshot): this {
    const { mixer, skeleton } = this;
    if (this._exports.graph_restore(this._id, mixer._mixers, skeleton._id, snapshot._id) === 0) {
      throw new CanterError('this was saved of another graph; only that one and its clones can return to it');
    }
    skeleton._posed();
    return this;
  }

  /** Whether its memory was given back. */
  get isDisposed(): boolean {
    return this.#handle.isDisposed;
  }

  /** Gives its memory back, and that of its mixer unless it was given one. */
  dispose(): void {
    if (this.#ownsMixer) this.mixer.dispose();
    this.#handle.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** @internal */
  get _id(): number {
    return this.#handle.id;
  }

  /** @internal */
  get _exports(): MotionExports {
    return this.mixer._runtime._exports as MotionExports;
  }

  /** @internal */
  _stateOf(layer: number): string {
    return this.#states[this._exports.graph_state(this._id, layer) - 1]?.path ?? '';
  }

  /** @internal */
  _transitionOf(layer: number): RunningTransition | undefined {
    if (this._exports.graph_fade(this._id, layer) === 0) return undefined;
    const { _words, _floats } = this.mixer._runtime;
    const [from, to] = [this.#states[_words[0]!]!.path, this.#states[_words[1]!]!.path];
    return { from, to, progress: _floats[2]!, duration: _floats[3]! };
  }

  /** @internal */
  _travel(layer: number, state: string): number {
    const place = this.#states.findIndex((other) => other.layer === layer && other.path === state);
    if (place < 0) throw new CanterError(missingName('state', state, this.#states.map(({ path }) => path), 'the graph'));
    const count = this._exports.graph_travel(this._id, place);
    if (count === 0) {
      const place = { layer: this.layers[layer]!.name, state };
      throw new GraphError(`state "${state}": ${this.mixer._runtime._outputText()}`, 'other', place);
    }
    return count - 1;
  }

  /** @internal */
  _stopTravelling(layer: number): void {
    this._exports.graph_stop_travelling(this._id, layer);
  }
}
