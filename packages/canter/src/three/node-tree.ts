import { Object3D, Skeleton, SkinnedMesh } from 'three';

import { Handle } from '../handle.js';
import type { Runtime } from '../runtime.js';

/** A skin whose bones are all in the tree. */
interface Skin {
  readonly number: number;
  readonly bones: readonly Object3D[];
  readonly inverses: readonly object[];
}

const trees = new WeakMap<Object3D, NodeTree>();
/** Goes up when any object gets a tree: what was a node of another may be the root of one now. */
let epoch = 0;

const isPlain = (object: Object3D): boolean =>
  (object.updateMatrixWorld === Object3D.prototype.updateMatrixWorld || object.updateMatrixWorld === SkinnedMesh.prototype.updateMatrixWorld) &&
  object.updateMatrix === Object3D.prototype.updateMatrix;

/** three.js 0.183 and later have a pivot. */
const follows = (node: Object3D): boolean =>
  node.matrixAutoUpdate && node.matrixWorldAutoUpdate && ((node as { pivot?: unknown }).pivot ?? null) === null;

/**
 * @internal The matrices of an object and of everything below it. three.js visits object after object; here the
 * module calculates all of them at once, from the same positions, quaternions and scales, at the same moment.
 * Objects with ways of their own (a camera, `matrixAutoUpdate` of false, a class that overrides the methods) are
 * left to three.js with all that is below them.
 */
export class NodeTree {
  readonly #root: Object3D;
  readonly #runtime: Runtime;
  #handle: Handle | undefined;
  #users = 0;
  #epoch = -1;
  #nodes: Object3D[] = [];
  #parents: (Object3D | null)[] = [];
  #childCounts: number[] = [];
  /** Objects below nodes that three.js looks after. */
  #others: Object3D[] = [];
  #meshes: SkinnedMesh[] = [];
  readonly #skins = new Map<Skeleton, Skin>();
  /** Local and world matrices: the objects' own, which lie in these lists. */
  #local = new Float64Array();
  #world = new Float64Array();
  /** The module's: positions, quaternions and scales; matrices, with that of the root's parent at the end. */
  #transforms = new Float64Array();
  #moduleLocal = new Float64Array();
  #moduleWorld = new Float64Array();

  /** The tree of a root, if it can have one. `release` it when it is not needed any more. */
  static of(runtime: Runtime, root: Object3D): NodeTree | undefined {
    const known = trees.get(root);
    if (!known && !(root.isObject3D && isPlain(root) && follows(root))) return undefined;
    const tree = known ?? new NodeTree(runtime, root);
    tree.#users++;
    return tree;
  }

  private constructor(runtime: Runtime, root: Object3D) {
    this.#runtime = runtime;
    this.#root = root;
    trees.set(root, this);
    root.updateMatrixWorld = (force?: boolean) => this.#walk(force === true);
    epoch++;
  }

  release(): void {
    if (--this.#users > 0) return;
    trees.delete(this.#root);
    delete (this.#root as { updateMatrixWorld?: unknown }).updateMatrixWorld;
    for (const skeleton of this.#skins.keys()) delete (skeleton as { update?: unknown }).update;
    this.#handle?.dispose();
    epoch++;
  }

  /** Looks at what is below the root. */
  #build(): void {
    this.#nodes = [];
    this.#others = [];
    this.#meshes = [];
    const places = new Map<Object3D, number>();
    const visit = (node: Object3D): void => {
      if (node !== this.#root && !(isPlain(node) && follows(node))) {
        this.#others.push(node);
        return;
      }
      places.set(node, this.#nodes.length);
      this.#nodes.push(node);
      if ((node as SkinnedMesh).isSkinnedMesh) this.#meshes.push(node as SkinnedMesh);
      for (const child of node.children) visit(child);
    };
    visit(this.#root);
    this.#parents = this.#nodes.map(({ parent }) => parent);
    this.#childCounts = this.#nodes.map(({ children }) => children.length);
    const parents = this.#nodes.map((node) => (node === this.#root ? 0 : 1 + (places.get(node.parent as Object3D) as number)));
    this.#handle?.dispose();
    this.#runtime._input(new Uint8Array(Uint32Array.from(parents).buffer));
    const id = this.#runtime._exports.tree_new();
    this.#handle = new Handle(this, 'NodeTree', this.#runtime, id, (exports, id) => exports.tree_free(id));
    this.#transforms = new Float64Array();
    this.#local = new Float64Array(16 * this.#nodes.length);
    this.#world = new Float64Array(16 * this.#nodes.length);
    for (const [place, { matrix, matrixWorld }] of this.#nodes.entries()) {
      const [from, to] = [16 * place, 16 * place + 16];
      this.#local.set(matrix.elements, from);
      this.#world.set(matrixWorld.elements, from);
      (matrix as { elements: unknown }).elements = this.#local.subarray(from, to);
      (matrixWorld as { elements: unknown }).elements = this.#world.subarray(from, to);
    }
    for (const skeleton of this.#skins.keys()) delete (skeleton as { update?: unknown }).update;
    this.#skins.clear();
    for (const { skeleton } of this.#meshes) {
      if (skeleton && !this.#skins.has(skeleton)) this.#takeSkeleton(skeleton, places);
    }
    this.#epoch = epoch;
  }

  #takeSkeleton(skeleton: Skeleton, places: ReadonlyMap<Object3D, number>): void {
    const bones = [...skeleton.bones];
    const isOther = Object.hasOwn(skeleton, 'update') || skeleton.update !== Skeleton.prototype.update;
    if (isOther || bones.length === 0 || bones.some((bone) => !places.has(bone))) return;
    const inverses = [...skeleton.boneInverses];
    const numbers = Float64Array.from(inverses.flatMap(({ elements }) => [...elements]));
    const words = Uint32Array.from(bones, (bone) => places.get(bone) as number);
    this.#runtime._input(new Uint8Array(numbers.buffer), new Uint8Array(words.buffer));
    const number = this.#runtime._exports.tree_skin((this.#handle as Handle).id, bones.length);
    this.#skins.set(skeleton, { number, bones, inverses });
    skeleton.update = () => this.#updateSkeleton(skeleton);
  }

  /** Whether the objects are still those that were looked at. */
  #isCurrent(): boolean {
    if (this.#epoch !== epoch) return false;
    const [nodes, parents, counts] = [this.#nodes, this.#parents, this.#childCounts];
    for (let place = 0; place < nodes.length; place++) {
      const node = nodes[place] as Object3D;
      const isSame = node.parent === parents[place] || place === 0;
      if (!isSame || node.children.length !== counts[place] || !follows(node)) return false;
    }
    return true;
  }

  #walk(force: boolean): void {
    if (!this.#isCurrent()) {
      this.#build();
      force = true;
    }
    this.#look();
    const parentMoved = this.#gatherParent();
    const first = this.#firstChange();
    if (force || parentMoved || first < this.#nodes.length) {
      this.#gather(first);
      this.#runtime._exports.tree_compose((this.#handle as Handle).id);
      this.#local.set(this.#moduleLocal);
      this.#world.set(this.#moduleWorld.subarray(0, this.#world.length));
      force = true;
      for (const mesh of this.#meshes) {
        if (mesh.bindMode === 'attached') mesh.bindMatrixInverse.copy(mesh.matrixWorld).invert();
        else mesh.bindMatrixInverse.copy(mesh.bindMatrix).invert();
      }
    }
    for (const other of this.#others) other.updateMatrixWorld(force);
  }

  /** Whether the root's parent has moved. */
  #gatherParent(): boolean {
    const from = (this.#root.parent?.matrixWorld ?? this.#root.matrixWorld).elements as ArrayLike<number>;
    const [to, at] = [this.#moduleWorld, this.#world.length];
    const hasParent = this.#root.parent !== null;
    let hasMoved = false;
    for (let index = 0; index < 16; index++) {
      const number = hasParent ? (from[index] as number) : index % 5 === 0 ? 1 : 0;
      hasMoved ||= to[at + index] !== number;
      to[at + index] = number;
    }
    return hasMoved;
  }

  /** The first node that is not as it was. */
  #firstChange(): number {
    const [nodes, numbers] = [this.#nodes, this.#transforms];
    for (let place = 0, at = 0; place < nodes.length; place++, at += 10) {
      const { position, quaternion, scale } = nodes[place] as Object3D;
      const isSame =
        numbers[at] === position.x && numbers[at + 1] === position.y && numbers[at + 2] === position.z &&
        numbers[at + 3] === quaternion.x && numbers[at + 4] === quaternion.y && numbers[at + 5] === quaternion.z &&
        numbers[at + 6] === quaternion.w &&
        numbers[at + 7] === scale.x && numbers[at + 8] === scale.y && numbers[at + 9] === scale.z;
      if (!isSame) return place;
    }
    return nodes.length;
  }

  #gather(first: number): void {
    const [nodes, numbers] = [this.#nodes, this.#transforms];
    for (let place = first, at = 10 * first; place < nodes.length; place++, at += 10) {
      const { position, quaternion, scale } = nodes[place] as Object3D;
      numbers[at] = position.x;
      numbers[at + 1] = position.y;
      numbers[at + 2] = position.z;
      numbers[at + 3] = quaternion.x;
      numbers[at + 4] = quaternion.y;
      numbers[at + 5] = quaternion.z;
      numbers[at + 6] = quaternion.w;
      numbers[at + 7] = scale.x;
      numbers[at + 8] = scale.y;
      numbers[at + 9] = scale.z;
    }
  }

  /** From the world matrices of the bones as they are now, whoever wrote them. */
  #updateSkeleton(skeleton: Skeleton): void {
    const skin = this.#skins.get(skeleton);
    const isSame = skin !== undefined && isSameList(skin.bones, skeleton.bones) && isSameList(skin.inverses, skeleton.boneInverses);
    if (!isSame) {
      // The next walk looks again.
      this.#epoch = -1;
      Skeleton.prototype.update.call(skeleton);
      return;
    }
    this.#look();
    this.#moduleWorld.set(this.#world);
    const { _exports, _buffer } = this.#runtime;
    _exports.tree_palette((this.#handle as Handle).id, skin.number);
    const [address = 0, len = 0] = this.#runtime._words;
    (skeleton.boneMatrices as Float32Array).set(new Float32Array(_buffer, address, len));
    if (skeleton.boneTexture) skeleton.boneTexture.needsUpdate = true;
  }

  /** Growing replaces the module's memory. */
  #look(): void {
    if (this.#transforms.length > 0) return;
    const { _exports, _words, _buffer } = this.#runtime;
    _exports.tree_places((this.#handle as Handle).id);
    const [transforms = 0, local = 0, world = 0] = _words;
    const count = this.#nodes.length;
    this.#transforms = new Float64Array(_buffer, transforms, 10 * count);
    this.#moduleLocal = new Float64Array(_buffer, local, 16 * count);
    this.#moduleWorld = new Float64Array(_buffer, world, 16 * (count + 1));
  }
}

function isSameList(a: readonly object[], b: readonly object[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}
