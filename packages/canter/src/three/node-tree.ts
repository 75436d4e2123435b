import { Object3D, Skeleton, SkinnedMesh } from 'three';

import { Handle } from '../handle.js';
import type { Runtime } from '../runtime.js';
import { BoneInverses } from './bone-inverses.js';
import { closeWindows, hasOwnNumbers, holdAsJoint, NODE_LEN, NodeNumbers, numbersOf, openWindows, placeAmong } from './node-numbers.js';

/** The bones of a skeleton, all of them in the tree. Skeletons of meshes that share bones share it. */
interface Skin {
  readonly number: number;
  readonly inverses: BoneInverses;
  readonly places: readonly number[];
  /** Of which matrices the palette is. */
  version: number;
  palette: Float32Array;
}

interface TakenSkeleton {
  readonly skin: Skin;
  readonly bones: readonly Object3D[];
  readonly last: Object3D | undefined;
  readonly length: number;
  /** Of which matrices it has the palette, and where. */
  version: number;
  matrices: Float32Array | null;
}

const trees = new WeakMap<Object3D, NodeTree>();

/** What goes into the module next: lists of its own would be half of what a clone leaves to the garbage collector. */
let words = new Uint32Array(256);

function asBytes(numbers: readonly number[]): Uint8Array {
  if (words.length < numbers.length) words = new Uint32Array(2 * numbers.length);
  words.set(numbers);
  return new Uint8Array(words.buffer, 0, 4 * numbers.length);
}

const isPlain = (object: Object3D): boolean =>
  (object.updateMatrixWorld === Object3D.prototype.updateMatrixWorld || object.updateMatrixWorld === SkinnedMesh.prototype.updateMatrixWorld) &&
  object.updateMatrix === Object3D.prototype.updateMatrix;

/** Newer versions of three.js turn nodes about a pivot. */
const hasPivot = (node: Object3D): boolean => ((node as { pivot?: unknown }).pivot ?? null) !== null;

/** Whether its matrices follow from position, quaternion and scale alone. */
const follows = (node: Object3D): boolean => node.matrixAutoUpdate && node.matrixWorldAutoUpdate && !hasPivot(node);

/** Whether it can be in a tree, or is in one. */
const canBeIn = (node: Object3D): boolean => follows(node) && (numbersOf(node) !== undefined || hasOwnNumbers(node));

/** In so many walks every node is asked for its pivot: reading that of all each time takes longer than all else here. */
const PIVOT_WALKS = 8;

/** Whether this version of three.js tells of children; older ones do not. */
let tellsOfChildren: boolean | undefined;

function isToldOfChildren(): boolean {
  if (tellsOfChildren === undefined) {
    tellsOfChildren = false;
    const parent = new Object3D();
    parent.addEventListener('childadded', () => (tellsOfChildren = true));
    parent.add(new Object3D());
  }
  return tellsOfChildren;
}

/** Listens to what comes and goes. Where nobody listens yet, without the large lists that three.js makes. */
function watch(node: Object3D, listener: () => void): void {
  const inside = node as { _listeners?: Record<string, unknown[]> };
  if (inside._listeners === undefined) {
    inside._listeners = { childadded: [listener], childremoved: [listener] };
    return;
  }
  node.addEventListener('childadded', listener);
  node.addEventListener('childremoved', listener);
}

/**
 * @internal The positions, quaternions, scales and matrices of an object and of everything below it, which are in the
 * module. three.js visits object after object; here the module calculates all matrices at once, at the same moment.
 * Objects with ways of their own (a camera, `matrixAutoUpdate` of false, a class that overrides the methods) are
 * left to three.js with all that is below them.
 */
export class NodeTree {
  readonly #root: Object3D;
  readonly #runtime: Runtime;
  #handle: Handle | undefined;
  #users = 0;
  #isStale = true;
  #builds = 0;
  #nodes: Object3D[] = [];
  /** Made when it is asked for. */
  readonly #names = new Map<string, Object3D>();
  #childCounts: number[] = [];
  /** Objects below nodes that three.js looks after. */
  #others: Object3D[] = [];
  #meshes: SkinnedMesh[] = [];
  #skins: Skin[] = [];
  readonly #skeletons = new Map<Skeleton, TakenSkeleton>();
  readonly #numbers = new NodeNumbers((numbers) => this.#look(numbers), () => this.#close());
  /** How often matrices were asked for, and calculated. */
  #walks = 0;
  #version = 0;

  /** The tree of a root, if it can have one. `release` it when it is not needed any more. */
  static of(runtime: Runtime, root: Object3D): NodeTree | undefined {
    const known = trees.get(root);
    if (!known && !(root.isObject3D && isPlain(root) && canBeIn(root))) return undefined;
    const tree = known ?? new NodeTree(runtime, root);
    tree.#users++;
    return tree;
  }

  private constructor(runtime: Runtime, root: Object3D) {
    this.#runtime = runtime;
    this.#root = root;
    trees.set(root, this);
    root.updateMatrixWorld = (force?: boolean) => this.#walk(force === true);
    this.#build();
    this.#tellAbove();
  }

  /** What was a node of a tree above is a root now, or is none any more. */
  #tellAbove(): void {
    for (let object = this.#root.parent; object; object = object.parent) {
      const tree = trees.get(object);
      if (tree) tree.#isStale = true;
    }
  }

  release(): void {
    if (--this.#users > 0) return;
    trees.delete(this.#root);
    delete (this.#root as { updateMatrixWorld?: unknown }).updateMatrixWorld;
    this.#close();
    this.#tellAbove();
  }

  /** The first node of a name, unless it may be another by now. */
  named(name: string): Object3D | undefined {
    if (this.#isStale) return undefined;
    if (this.#names.size === 0) {
      for (const node of this.#nodes) if (!this.#names.has(node.name)) this.#names.set(node.name, node);
    }
    const node = this.#names.get(name);
    return node?.name === name ? node : undefined;
  }

  /** Other than before: places of nodes are other ones. */
  get builds(): number {
    return this.#builds;
  }

  get id(): number {
    return this.#handle?.isDisposed === false ? this.#handle.id : 0;
  }

  /** The place of a node, if it is in the tree. */
  placeOf(node: Object3D): number | undefined {
    return placeAmong(this.#numbers, node);
  }

  /** The module has written positions, quaternions or scales. */
  change(): void {
    this.#numbers.isChanged = true;
  }

  readonly #onChild = (): void => {
    this.#isStale = true;
  };

  /** Leaves all nodes to three.js, until the next walk. */
  #close(): void {
    for (const node of this.#nodes) {
      closeWindows(node);
      node.removeEventListener('childadded', this.#onChild);
      node.removeEventListener('childremoved', this.#onChild);
    }
    for (const skeleton of this.#skeletons.keys()) delete (skeleton as { update?: unknown }).update;
    this.#skeletons.clear();
    this.#skins = [];
    this.#nodes = [];
    this.#names.clear();
    this.#handle?.dispose();
    this.#isStale = true;
    this.#builds++;
  }

  /** Looks at what is below the root. */
  #build(): void {
    this.#close();
    this.#others = [];
    this.#meshes = [];
    const parents: number[] = [];
    const visit = (node: Object3D, parent: number): void => {
      if (node !== this.#root && !(isPlain(node) && canBeIn(node))) {
        this.#others.push(node);
        return;
      }
      // It was moved here from another tree.
      numbersOf(node)?.close();
      const place = this.#nodes.push(node);
      parents.push(parent);
      if ((node as SkinnedMesh).isSkinnedMesh) this.#meshes.push(node as SkinnedMesh);
      for (const child of node.children) visit(child, place);
    };
    visit(this.#root, 0);
    this.#runtime._input(asBytes(parents));
    const id = this.#runtime._exports.tree_new();
    this.#handle = new Handle(this, 'NodeTree', this.#runtime, id, (exports, id) => exports.tree_free(id));
    this.#look(this.#numbers);
    this.#numbers.setCount(this.#nodes.length);
    this.#numbers.isChanged = true;
    this.#numbers.isHeld = false;
    for (let place = 0; place < this.#nodes.length; place++) {
      const node = this.#nodes[place] as Object3D;
      openWindows(node, this.#numbers, place);
      watch(node, this.#onChild);
    }
    this.#takeSkeletons();
    this.#childCounts = isToldOfChildren() ? [] : this.#nodes.map(({ children }) => children.length);
    this.#isStale = false;
  }

  /** Takes over those skeletons whose bones are all here. */
  #takeSkeletons(): void {
    for (const { skeleton } of this.#meshes) {
      if (!skeleton || this.#skeletons.has(skeleton)) continue;
      const { bones, boneInverses } = skeleton;
      const isOther = Object.hasOwn(skeleton, 'update') || skeleton.update !== Skeleton.prototype.update;
      if (isOther || bones.length === 0 || bones.length !== boneInverses.length) continue;
      const places = this.#placesOf(bones);
      if (!places) continue;
      const skin = this.#skinOf(BoneInverses.of(this.#runtime, boneInverses), places);
      this.#skeletons.set(skeleton, { skin, bones, last: bones.at(-1), length: bones.length, version: -1, matrices: null });
      skeleton.update = () => this.#updateSkeleton(skeleton);
      bones.forEach(holdAsJoint);
    }
  }

  /** Undefined if any of them is elsewhere. */
  #placesOf(bones: readonly Object3D[]): number[] | undefined {
    const places: number[] = [];
    for (let index = 0; index < bones.length; index++) {
      const place = this.placeOf(bones[index] as Object3D);
      if (place === undefined) return undefined;
      places.push(place);
    }
    return places;
  }

  #skinOf(inverses: BoneInverses, places: readonly number[]): Skin {
    const isSame = (skin: Skin) => skin.inverses === inverses && skin.places.every((place, index) => place === places[index]);
    const known = this.#skins.find(isSame);
    if (known) return known;
    this.#runtime._input(asBytes(places));
    const number = this.#runtime._exports.tree_skin(this.id, inverses.id);
    const skin = { number, inverses, places, version: -1, palette: new Float32Array() };
    this.#skins.push(skin);
    return skin;
  }

  /** Whether the objects are still those that were looked at. */
  #isCurrent(): boolean {
    if (this.#isStale) return false;
    const nodes = this.#nodes;
    for (let place = 0; place < nodes.length; place++) {
      const node = nodes[place] as Object3D;
      if (!node.matrixAutoUpdate || !node.matrixWorldAutoUpdate) return false;
    }
    for (let place = this.#walks++ % PIVOT_WALKS; place < nodes.length; place += PIVOT_WALKS) {
      if (hasPivot(nodes[place] as Object3D)) return false;
    }
    const counts = this.#childCounts;
    for (let place = 0; place < counts.length; place++) {
      if ((nodes[place] as Object3D).children.length !== counts[place]) return false;
    }
    return true;
  }

  #walk(force: boolean): void {
    if (!this.#isCurrent()) {
      if (!canBeIn(this.#root)) {
        this.#close();
        (Object.getPrototypeOf(this.#root) as Object3D).updateMatrixWorld.call(this.#root, force);
        return;
      }
      this.#build();
      force = true;
    }
    const numbers = this.#numbers.refresh();
    if (this.#gatherParent(numbers.worlds) || numbers.isChanged || force) {
      numbers.isChanged = false;
      this.#version++;
      this.#runtime._exports.tree_compose(this.id);
      force = true;
      for (const mesh of this.#meshes) {
        if (mesh.bindMode === 'attached') mesh.bindMatrixInverse.copy(mesh.matrixWorld).invert();
        else mesh.bindMatrixInverse.copy(mesh.bindMatrix).invert();
      }
    }
    for (const other of this.#others) other.updateMatrixWorld(force);
  }

  /** Whether the root's parent has moved. */
  #gatherParent(to: Float64Array): boolean {
    const from = this.#root.parent?.matrixWorld.elements as ArrayLike<number> | undefined;
    const at = 16 * this.#nodes.length;
    let hasMoved = false;
    for (let index = 0; index < 16; index++) {
      const number = from ? (from[index] as number) : index % 5 === 0 ? 1 : 0;
      hasMoved ||= to[at + index] !== number;
      to[at + index] = number;
    }
    return hasMoved;
  }

  /** From the world matrices of the bones as they are now, whoever wrote them. */
  #updateSkeleton(skeleton: Skeleton): void {
    const taken = this.#skeletons.get(skeleton) as TakenSkeleton;
    const { bones } = skeleton;
    const { skin } = taken;
    const isSame = bones === taken.bones && bones.length === taken.length && bones[bones.length - 1] === taken.last;
    if (!isSame || !skin.inverses.isOf(skeleton.boneInverses)) {
      // The next walk looks again.
      this.#isStale = true;
      Skeleton.prototype.update.call(skeleton);
      return;
    }
    const { isHeld } = this.#numbers;
    if (isHeld || skin.version !== this.#version || skin.palette.length === 0) {
      skin.version = this.#version;
      this.#runtime._exports.tree_palette(this.id, skin.number);
      skin.palette = this.#runtime._outputFloatsAgain(skin.palette);
    } else if (taken.version === this.#version && taken.matrices === skeleton.boneMatrices) {
      return;
    }
    taken.version = this.#version;
    taken.matrices = skeleton.boneMatrices;
    (skeleton.boneMatrices as Float32Array).set(skin.palette);
    if (skeleton.boneTexture) skeleton.boneTexture.needsUpdate = true;
  }

  #look(numbers: NodeNumbers): void {
    const { _exports } = this.#runtime;
    _exports.tree_places(this.id);
    const [transforms = 0, local = 0, world = 0] = this.#runtime._words;
    const { _buffer } = this.#runtime;
    const count = this.#nodes.length;
    numbers.transforms = new Float64Array(_buffer, transforms, NODE_LEN * count);
    numbers.locals = new Float64Array(_buffer, local, 16 * count);
    numbers.worlds = new Float64Array(_buffer, world, 16 * (count + 1));
  }
}
