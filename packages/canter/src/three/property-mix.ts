import type { Object3D, Quaternion, Vector3 } from 'three';

import { Handle } from '../handle.js';
import type { Runtime } from '../runtime.js';
import { PROPERTIES } from './clip-file.js';
import type { ClipSampler } from './clip-sampler.js';
import { NODE_LEN, PROPERTY_AT } from './node-numbers.js';
import type { NodeTree } from './node-tree.js';

/** How many numbers a slot of the module has, and where in it what is. */
const [SLOT_LEN, ORIGINAL, VALUE, IS_USED] = [20, 0, 4, 8];
const ROTATION = 1;

/** A clip at a time, in one frame. */
interface Played {
  channels: number;
  sampler: ClipSampler | undefined;
  time: number;
  weight: number;
  isAdditive: boolean;
}

/**
 * @internal Positions, quaternions and scales of the nodes below a root, and what clips make of them. Written
 * by the module, one clip after another as three.js does it, each property with the weights of the clips that
 * have a track for it.
 */
export class PropertyMix {
  readonly runtime: Runtime;
  readonly #handle: Handle;
  /** By the vector or quaternion itself. */
  readonly #slots = new Map<object, number>();
  readonly #left = new Map<Object3D, Set<number>>();
  readonly #vectors: (Vector3 | undefined)[] = [];
  readonly #quaternions: (Quaternion | undefined)[] = [];
  readonly #nodes: Object3D[] = [];
  readonly #properties: number[] = [];
  /** Has the nodes whose properties the module writes by itself. */
  #tree: NodeTree | undefined;
  #linked = -1;
  /** How many playing actions move it. */
  readonly #users: number[] = [];
  /** What it was before anything played, in full precision. */
  #originals = new Float64Array();
  #floats = new Float32Array();
  #words = new Uint32Array();
  #changed = new Uint32Array();
  /** What this frame plays, and the last one did. */
  #played: Played[] = [];
  #before: Played[] = [];
  #count = 0;
  #countBefore = 0;
  #isPending = false;
  #isChanged = false;

  constructor(runtime: Runtime) {
    this.runtime = runtime;
    const id = runtime._exports.mix_new();
    this.#handle = new Handle(this, 'PropertyMix', runtime, id, (exports, id) => exports.mix_free(id));
  }

  /** The nodes of a tree are written by the module. */
  useTree(tree: NodeTree | undefined): void {
    this.#tree = tree;
    this.#linked = -1;
  }

  /** The number of a property of a node. */
  slot(node: Object3D, property: number): number {
    const object = node[PROPERTIES[property] as (typeof PROPERTIES)[number]];
    const known = this.#slots.get(object);
    if (known !== undefined) return known;
    const slot = this.runtime._exports.mix_slot(this.#handle.id, property === ROTATION ? 1 : 0);
    this.#slots.set(object, slot);
    const isRotation = property === ROTATION;
    this.#vectors.push(isRotation ? undefined : (object as Vector3));
    this.#quaternions.push(isRotation ? node.quaternion : undefined);
    this.#nodes.push(node);
    this.#properties.push(property);
    this.#linked = -1;
    this.#users.push(0);
    this.#forgetPlaces();
    return slot;
  }

  /** Leaves a property to three.js. Whether an action has it here already, and has to be bound anew. */
  leave(node: Object3D, property: number): boolean {
    if (this.isLeft(node, property)) return false;
    const left = this.#left.get(node) ?? new Set();
    this.#left.set(node, left.add(property));
    return this.#slots.has(node[PROPERTIES[property] as (typeof PROPERTIES)[number]]);
  }

  isLeft(node: Object3D, property: number): boolean {
    return this.#left.get(node)?.has(property) === true;
  }

  /** Binds a clip to slots: words of its joints, properties and slots. */
  bind(sampler: ClipSampler, words: Uint32Array): number {
    this.runtime._input(new Uint8Array(words.buffer));
    this.#forgetPlaces();
    return this.runtime._exports.mix_bind(this.#handle.id, sampler.id);
  }

  /** Remembers what properties are before an action moves them, unless another does already. */
  use(slots: readonly number[]): void {
    this.#look();
    if (this.#originals.length < 4 * this.#nodes.length) {
      const before = this.#originals;
      this.#originals = new Float64Array(4 * this.#nodes.length);
      this.#originals.set(before);
    }
    for (const slot of slots) {
      if ((this.#users[slot] as number) > 0) {
        this.#users[slot] = (this.#users[slot] as number) + 1;
        continue;
      }
      this.#users[slot] = 1;
      (this.#vectors[slot] ?? (this.#quaternions[slot] as Quaternion)).toArray(this.#originals as unknown as number[], 4 * slot);
      const at = SLOT_LEN * slot;
      for (let index = 0; index < 4; index++) {
        const number = this.#originals[4 * slot + index] as number;
        this.#floats[at + ORIGINAL + index] = number;
        this.#floats[at + VALUE + index] = number;
      }
      this.#words[at + IS_USED] = 1;
    }
    this.#isChanged = true;
  }

  /** Puts properties back that nothing moves any more. */
  release(slots: readonly number[]): void {
    this.#look();
    for (const slot of slots) {
      const users = (this.#users[slot] as number) - 1;
      this.#users[slot] = users;
      if (users > 0) continue;
      (this.#vectors[slot] ?? (this.#quaternions[slot] as Quaternion)).fromArray(this.#originals as unknown as number[], 4 * slot);
      this.#words[SLOT_LEN * slot + IS_USED] = 0;
    }
    this.#isChanged = true;
  }

  begin(): void {
    this.#isPending = true;
    this.#count = 0;
  }

  add(channels: number, sampler: ClipSampler, time: number, weight: number, isAdditive: boolean): void {
    const played = (this.#played[this.#count++] ??= { channels: 0, sampler: undefined, time: 0, weight: 0, isAdditive: false });
    played.channels = channels;
    played.sampler = sampler;
    played.time = time;
    played.weight = weight;
    played.isAdditive = isAdditive;
  }

  /** Ends a frame: writes what has changed to the nodes. */
  apply(): void {
    if (!this.#isPending) return;
    this.#isPending = false;
    if (!this.#isChanged && this.#isAsBefore()) return;
    this.#isChanged = false;
    const { id } = this.#handle;
    const { _exports } = this.runtime;
    if (this.#tree && this.#tree.builds !== this.#linked) this.#link(this.#tree);
    for (let index = 0; index < this.#count; index++) {
      const { channels, sampler, time, weight, isAdditive } = this.#played[index] as Played;
      _exports.mix_add(id, channels, (sampler as ClipSampler).id, floor32(time), weight, isAdditive ? 1 : 0);
    }
    const changed = _exports.mix_finish(id);
    if (changed % 2 === 1) (this.#tree as NodeTree).change();
    if (changed > 1) this.#write(changed >> 1);
    [this.#before, this.#played] = [this.#played, this.#before];
    this.#countBefore = this.#count;
  }

  #isAsBefore(): boolean {
    if (this.#count !== this.#countBefore) return false;
    for (let index = 0; index < this.#count; index++) {
      const [now, before] = [this.#played[index] as Played, this.#before[index] as Played];
      const isSame = now.channels === before.channels && now.time === before.time && now.weight === before.weight;
      if (!isSame || now.isAdditive !== before.isAdditive) return false;
    }
    return true;
  }

  /** Tells the module where in the tree the properties are. */
  #link(tree: NodeTree): void {
    this.#linked = tree.builds;
    const targets = new Uint32Array(this.#nodes.length);
    for (let slot = 0; slot < targets.length; slot++) {
      const place = tree.placeOf(this.#nodes[slot] as Object3D);
      if (place !== undefined) targets[slot] = 1 + NODE_LEN * place + (PROPERTY_AT[this.#properties[slot] as number] as number);
    }
    this.runtime._input(new Uint8Array(targets.buffer));
    this.runtime._exports.mix_link(this.#handle.id, tree.id);
  }

  /** Writes properties of nodes that are in no tree. */
  #write(count: number): void {
    this.#look();
    const floats = this.#floats;
    for (let index = 0; index < count; index++) {
      const slot = this.#changed[index] as number;
      const at = SLOT_LEN * slot + VALUE;
      const [x, y, z, w] = floats.subarray(at, at + 4) as unknown as [number, number, number, number];
      this.#vectors[slot]?.set(x, y, z);
      this.#quaternions[slot]?.set(x, y, z, w);
    }
  }

  #forgetPlaces(): void {
    this.#floats = new Float32Array();
  }

  /** The module's slots. They move when slots are added, or when its memory grows. */
  #look(): void {
    if (this.#floats.length > 0) return;
    const { runtime } = this;
    runtime._exports.mix_slots(this.#handle.id);
    const [slots = 0, len = 0, changed = 0] = runtime._words;
    const { _buffer } = runtime;
    this.#floats = new Float32Array(_buffer, slots, len);
    this.#words = new Uint32Array(_buffer, slots, len);
    this.#changed = new Uint32Array(_buffer, changed, len / SLOT_LEN);
  }

  dispose(): void {
    this.#handle.dispose();
  }
}

const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);

/** The module's times have 32 bits, as keys have. Rounded up, a time just before a key would be on it. */
function floor32(time: number): number {
  float[0] = time;
  if (time > 0 && (float[0] as number) > time) bits[0] = (bits[0] as number) - 1;
  return float[0] as number;
}
