import { CanterError } from './error.js';
import type { WasmModule } from './global.js';
import { read, type Source } from './read.js';
import { readWasm, unpack, type Build, type Extent } from './wasm-file.js';

/** @internal The exports of crates/canter-wasm. */
export interface Exports {
  readonly memory: WebAssembly.Memory;
  has_meshes(): number;
  input(len: number): number;
  answer(): number;
  file_add(nameLen: number): void;
  asset_load(meshes: number, images: number, ignoresExtensions: number): number;
  asset_free(asset: number): void;
  asset_describe(asset: number): void;
  asset_describe_clips(asset: number): void;
  asset_split_root_motion(asset: number, joint: number, axes: number, yaw: number): void;
  asset_set_markers(asset: number, clip: number): number;
  asset_clip_tracks(asset: number, clip: number): void;
  asset_add_clips(asset: number, other: number): number;
  asset_additive(asset: number, clip: number, kind: number, reference: number, secs: number): number;
  /** Only of the module with meshes. */
  asset_contacts?(asset: number, clip: number): void;
  /** This and the next, too: without meshes there is nothing to ask for. */
  asset_vertices(asset: number, mesh: number, primitive: number, kind: number, set: number): void;
  asset_image(asset: number, image: number): void;
  skeleton_new(asset: number, isPacked: number): number;
  skeleton_free(skeleton: number): void;
  skeleton_palette(skeleton: number, skin: number): void;
  skeleton_matrices(skeleton: number): void;
  skeleton_joint(skeleton: number, joint: number): void;
  skeleton_set_joint(skeleton: number, joint: number): void;
  skeleton_compose(skeleton: number): void;
  skeleton_reset(skeleton: number): void;
  skeleton_morph(skeleton: number, morph: number): void;
  mixer_new(asset: number): number;
  mixer_update(mixer: number, skeleton: number, dtSecs: number): number;
  crowd_new(asset: number, isPacked: number, rowWidth: number, saves: number): number;
  crowd_spawn(crowd: number): number;
  crowd_remove(crowd: number, member: number): void;
  crowd_update(crowd: number, dtSecs: number, wantsEvents: number): number;
  crowd_output(crowd: number, output: number): void;
  crowd_set_rates(crowd: number, first: number): void;
  crowd_resample(crowd: number, member: number): void;
  crowd_keep_joint(crowd: number, joint: number): void;
  mixers_free(mixers: number): void;
  mixers_events(mixers: number): void;
  mixers_markers(mixers: number, member: number): number;
  mixers_root(mixers: number, member: number): void;
  mixers_roots(mixers: number): void;
  mixers_stop_all(mixers: number, member: number): void;
  mixers_speed(mixers: number, member: number, speed: number): void;
  mixers_fades_follow_speed(mixers: number, member: number, follow: number): void;
  layer_add(mixers: number, member: number, mode: number, weight: number): number;
  layer_remove(mixers: number, member: number, layer: number): void;
  layer_mask(mixers: number, member: number, layer: number): void;
  layer_stop_all(mixers: number, member: number, layer: number): void;
  layer_fade_out(mixers: number, member: number, layer: number, secs: number, code: number): void;
  layer_fade_weight(mixers: number, member: number, layer: number, weight: number, secs: number, code: number): void;
  layer_weight(mixers: number, member: number, layer: number): number;
  layer_coverage(mixers: number, member: number, layer: number, joint: number): number;
  layer_crossfade_to(
    mixers: number, member: number, layer: number, clip: number, action: number, secs: number, code: number,
  ): number;
  action_start(
    mixers: number, member: number, action: number, layer: number, clip: number, waits: number, mode: number,
    times: number, speed: number, weight: number, startSecs: number, fadeSecs: number, fadeCode: number,
    syncCode: number, group: number,
  ): number;
  action_resume(mixers: number, member: number, action: number): number;
  action_stop(mixers: number, member: number, action: number): number;
  action_pause(mixers: number, member: number, action: number): number;
  action_reset(mixers: number, member: number, action: number): number;
  action_seek(mixers: number, member: number, action: number, secs: number): number;
  action_scrub(mixers: number, member: number, action: number, secs: number): number;
  action_sync(mixers: number, member: number, action: number, code: number, group: number): number;
  action_speed(mixers: number, member: number, action: number, speed: number): number;
  action_weight(mixers: number, member: number, action: number, weight: number): number;
  action_loop(mixers: number, member: number, action: number, mode: number, times: number): number;
  action_mask(mixers: number, member: number, action: number): number;
  action_fade_in(mixers: number, member: number, action: number, secs: number, code: number): number;
  action_fade_out(mixers: number, member: number, action: number, secs: number, code: number): number;
  action_crossfade(mixers: number, member: number, from: number, to: number, secs: number, code: number): number;
  action_state(mixers: number, member: number, action: number): number;
  /** This and the following only of a module for three.js. */
  sampler_new(asset: number): number;
  sampler_free(sampler: number): void;
  mix_new(): number;
  mix_free(mix: number): void;
  mix_slot(mix: number, isRotation: number): number;
  mix_slots(mix: number): void;
  mix_bind(mix: number, sampler: number): number;
  mix_link(mix: number, tree: number): void;
  mix_add(mix: number, channels: number, sampler: number, secs: number, weight: number, isAdditive: number): void;
  mix_finish(mix: number): number;
  tree_new(): number;
  tree_free(tree: number): void;
  tree_places(tree: number): void;
  tree_compose(tree: number): void;
  inverses_new(): number;
  inverses_free(inverses: number): void;
  tree_skin(tree: number, inverses: number): number;
  tree_palette(tree: number, skin: number): void;
}

/** How the WebAssembly module is found. */
export interface RuntimeOptions {
  /**
   * Whether to use SIMD instructions. By default wherever the engine has them. The results are the same, bit
   * for bit.
   */
  simd?: boolean;
  /** Whether it reads meshes, materials and pictures, too: a larger module. */
  meshes?: boolean;
  /** Whether it serves `canter/three`, too: a module that is a little larger, and which that asks for by itself. */
  three?: boolean;
  /** Whether it has graphs and solvers, too, for `canter/graph` and `canter/rig`: a larger module. */
  motion?: boolean;
  /** The module, compressed or not, if it is not to be fetched from beside the package's own files. */
  wasm?: Source | WasmModule;
}

/** How many numbers go in or out at once. */
const ANSWER_LEN = 20;

/** An instance of the WebAssembly module. Most programs never see one: the first `loadGltf` makes it. */
export class Runtime {
  /** Whether it is the build with SIMD instructions. */
  readonly simd: boolean;
  /** Whether it reads meshes, materials and pictures. */
  readonly meshes: boolean;
  /** @internal */
  readonly _exports: Exports;
  readonly #answerAt: number;
  #bytes: Uint8Array;
  #words: Uint32Array;
  #floats: Float32Array;

  /** @internal */
  constructor(exports: Exports, simd: boolean) {
    this._exports = exports;
    this.simd = simd;
    this.meshes = exports.has_meshes() !== 0;
    this.#answerAt = exports.answer();
    const { buffer } = exports.memory;
    this.#bytes = new Uint8Array(buffer);
    this.#words = new Uint32Array(buffer, this.#answerAt, ANSWER_LEN);
    this.#floats = new Float32Array(buffer, this.#answerAt, ANSWER_LEN);
  }

  /**
   * How much memory the module has, in bytes. It grows and never shrinks; what is disposed of is used again.
   */
  get memoryBytes(): number {
    return this._exports.memory.buffer.byteLength;
  }

  /** @internal The module's memory as it is now. Growing replaces it. */
  get _buffer(): ArrayBuffer {
    return this._exports.memory.buffer as ArrayBuffer;
  }

  #look(): void {
    if (this.#bytes.buffer !== this._exports.memory.buffer) {
      const buffer = this._buffer;
      this.#bytes = new Uint8Array(buffer);
      this.#words = new Uint32Array(buffer, this.#answerAt, ANSWER_LEN);
      this.#floats = new Float32Array(buffer, this.#answerAt, ANSWER_LEN);
    }
  }

  /** @internal The few numbers that a call leaves or takes. */
  get _words(): Uint32Array {
    this.#look();
    return this.#words;
  }

  /** @internal The same as floats. */
  get _floats(): Float32Array {
    this.#look();
    return this.#floats;
  }

  /** @internal The bytes that a call left, as a view. */
  _outputBytes(): Uint8Array {
    const [address = 0, len = 0] = this._words;
    return this.#bytes.subarray(address, address + len);
  }

  /** @internal The text that a call left. */
  _outputText(): string {
    // A copy: decoders refuse memory that can grow.
    return new TextDecoder().decode(this._outputBytes().slice());
  }

  /** @internal The numbers that a call left, as a view. */
  _outputFloats(): Float32Array {
    const [address = 0, len = 0] = this._words;
    return new Float32Array(this._buffer, address, len);
  }

  /** @internal The same; a view that is still right is used again. */
  _outputFloatsAgain(view: Float32Array): Float32Array {
    const { 0: address, 1: len } = this._words;
    const isRight = view.byteOffset === address && view.length === len && view.buffer === this._buffer;
    return isRight ? view : this._outputFloats();
  }

  /** @internal Hands bytes to the next call. */
  _input(...parts: Uint8Array[]): void {
    let at = this._exports.input(parts.reduce((sum, part) => sum + part.length, 0));
    this.#look();
    for (const part of parts) {
      this.#bytes.set(part, at);
      at += part.length;
    }
  }
}

/** (module (func (result v128) i32.const 0 i8x16.splat)) */
const SIMD_MODULE = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11,
];

let isSimdKnown: boolean | undefined;

function hasSimd(): boolean {
  isSimdKnown ??= WebAssembly.validate(new Uint8Array(SIMD_MODULE));
  return isSimdKnown;
}

/**
 * Makes an instance of its own: memory that is separate from the shared one, or another build of the module.
 */
export function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  return create(options, extentOf(options));
}

async function create(options: RuntimeOptions, extent: Extent): Promise<Runtime> {
  const simd = options.simd ?? hasSimd();
  if (simd && !hasSimd()) {
    throw new CanterError('this engine has no WebAssembly SIMD; leave `simd` out to use what there is');
  }
  const module = await compile(options.wasm, { simd, extent });
  const instance = await WebAssembly.instantiate(module, {});
  return new Runtime(instance.exports as unknown as Exports, simd);
}

async function compile(wasm: Source | WasmModule | undefined, build: Build): Promise<WebAssembly.Module> {
  if (wasm instanceof WebAssembly.Module) return wasm;
  const bytes = wasm === undefined ? await readWasm(build) : await unpack(await read(wasm));
  return WebAssembly.compile(bytes as BufferSource);
}

function extentOf({ meshes, motion, three }: RuntimeOptions): Extent {
  if (motion) return 3;
  if (meshes) return 2;
  return three ? 1 : 0;
}

let shared: Promise<Runtime> | undefined;
let sharedExtent: Extent = 0;

/**
 * The instance that all share who bring none of their own. The first call decides how it is made; later
 * options are ignored, but for `meshes`, `motion` and `three`: whoever is the first to need more has an instance made
 * that can do what both need, which all share from then on.
 */
export function init(options: RuntimeOptions = {}): Promise<Runtime> {
  const extent = Math.max(sharedExtent, extentOf(options)) as Extent;
  if (shared && extent === sharedExtent) return shared;
  sharedExtent = extent;
  const made: Promise<Runtime> = create(options, extent).catch((error: unknown) => {
    // The next call may try again: the network may be back.
    if (shared === made) shared = undefined;
    throw error;
  });
  shared = made;
  return made;
}

/** @internal After a crash the shared instance is made anew. */
export async function forget(runtime: Runtime): Promise<void> {
  if ((await shared) === runtime) shared = undefined;
}
