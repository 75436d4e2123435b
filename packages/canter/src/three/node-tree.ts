import { Object3D, Skeleton, SkinnedMesh } from 'three';

import { Handle } from '../handle.js';
import type { Runtime } from '../runtime.js';
import { BoneInverses } from './bone-inverses.js';

/** How many numbers a node has: its position, quaternion and scale. */
const NODE_LEN = 10;

/** A skeleton whose bones are all in the tree. */
interface Skin {
  readonly number: number;
  readonly inverses: BoneInverses;
  readonly bones: readonly Object3D[];
  readonly last: Object3D | undefined;
  readonly length: number;
}

const trees = new WeakMap<Object3D, NodeTree>();

const isPlain = (object: Object3D): boolean =>
  (object.updateMatrixWorld === Object3D.prototype.updateMatrixWorld || object.updateMatrixWorld === SkinnedMesh.prototype.updateMatrixWorld) &&
  object.updateMatrix === Object3D.prototype.updateMatrix;

/** Whether its matrices follow from position, quaternion and scale alone. Newer versions of three.js have a pivot. */
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
  #isStale = true;
  #nodes: Object3D[] = [];
  #childCounts: number[] = [];
  /** Objects below nodes that three.js looks after. */
  #others: Object3D[] = [];
  #meshes: SkinnedMesh[] = [];
  readonly #skins = new Map<Skeleton, Skin>();
  /** Local and world matrices: the objects' own, which lie in these lists. */
  #local = new Float64Array();
  #world = new Float64Array();
  /** The module's: positions, quaternions and scales; matrices, with that of the root's parent at the end. */
  #moduleTransforms = new Float64Array();
  #moduleLocal = new Float64Array();
  #moduleWorld = new Float64Array();
  #moduleNodes = new Float64Array();

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
    this.#forgetSkins();
    this.#watch(false);
    this.#handle?.dispose();
    this.#tellAbove();
  }

  readonly #onChild = (): void => {
    this.#isStale = true;
  };

  #watch(isOn: boolean): void {
    const how = isOn ? 'addEventListener' : 'removeEventListener';
    for (const node of this.#nodes) {
      node[how]('childadded', this.#onChild);
      node[how]('childremoved', this.#onChild);
    }
  }

  #forgetSkins(): void {
    for (const skeleton of this.#skins.keys()) delete (skeleton as { update?: unknown }).update;
    this.#skins.clear();
  }

  /** Looks at what is below the root. */
  #build(): void {
    this.#watch(false);
    this.#forgetSkins();
    this.#nodes = [];
    this.#others = [];
    this.#meshes = [];
    const places = new Map<Object3D, number>();
    const parents: number[] = [];
    const visit = (node: Object3D, parent: number): void => {
      if (node !== this.#root && !(isPlain(node) && follows(node))) {
        this.#others.push(node);
        return;
      }
      const place = this.#nodes.push(node);
      parents.push(parent);
      places.set(node, place - 1);
      if ((node as SkinnedMesh).isSkinnedMesh) this.#meshes.push(node as SkinnedMesh);
      for (const child of node.children) visit(child, place);
    };
    visit(this.#root, 0);
    this.#childCounts = this.#nodes.map(({ children }) => children.length);
    this.#handle?.dispose();
    this.#runtime._input(new Uint8Array(Uint32Array.from(parents).buffer));
    const id = this.#runtime._exports.tree_new();
    this.#handle = new Handle(this, 'NodeTree', this.#runtime, id, (exports, id) => exports.tree_free(id));
    this.#pool();
    for (const { skeleton } of this.#meshes) {
      if (skeleton && !this.#skins.has(skeleton)) this.#takeSkeleton(skeleton, places);
    }
    this.#watch(true);
    this.#isStale = false;
  }

  /** Puts the matrices of all nodes side by side. */
  #pool(): void {
    const count = this.#nodes.length;
    const [local, world] = [new Float64Array(16 * count), new Float64Array(16 * count)];
    [this.#local, this.#world] = [local, world];
    this.#moduleTransforms = new Float64Array();
    for (let place = 0; place < count; place++) {
      const node = this.#nodes[place] as Object3D;
      const [from, to] = [16 * place, 16 * place + 16];
      local.set(node.matrix.elements, from);
      world.set(node.matrixWorld.elements, from);
      (node.matrix as { elements: unknown }).elements = local.subarray(from, to);
      (node.matrixWorld as { elements: unknown }).elements = world.subarray(from, to);
    }
  }

  #takeSkeleton(skeleton: Skeleton, places: ReadonlyMap<Object3D, number>): void {
    const { bones, boneInverses } = skeleton;
    const words = new Uint32Array(bones.length);
    for (const [index, bone] of bones.entries()) {
      const place = places.get(bone);
      if (place === undefined) return;
      words[index] = place;
    }
    const isOther = Object.hasOwn(skeleton, 'update') || skeleton.update !== Skeleton.prototype.update;
    if (isOther || bones.length === 0 || bones.length !== boneInverses.length) return;
    const inverses = BoneInverses.of(this.#runtime, boneInverses);
    this.#runtime._input(new Uint8Array(words.buffer));
    const number = this.#runtime._exports.tree_skin((this.#handle as Handle).id, inverses.id);
    this.#skins.set(skeleton, { number, inverses, bones, last: bones.at(-1), length: bones.length });
    skeleton.update = () => this.#updateSkeleton(skeleton);
  }

  /** Whether the objects are still those that were looked at. Events tell of most changes, but not those of older versions of three.js. */
  #isCurrent(): boolean {
    if (this.#isStale) return false;
    const [nodes, counts] = [this.#nodes, this.#childCounts];
    for (let place = 0; place < nodes.length; place++) {
      const node = nodes[place] as Object3D;
      if (node.children.length !== counts[place] || !follows(node)) return false;
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
      this.#world.set(this.#moduleNodes);
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
    const from = this.#root.parent?.matrixWorld.elements as ArrayLike<number> | undefined;
    const [to, at] = [this.#moduleWorld, this.#world.length];
    let hasMoved = false;
    for (let index = 0; index < 16; index++) {
      const number = from ? (from[index] as number) : index % 5 === 0 ? 1 : 0;
      hasMoved ||= to[at + index] !== number;
      to[at + index] = number;
    }
    return hasMoved;
  }

  /** The first node that is not as it was. */
  #firstChange(): number {
    const [nodes, numbers] = [this.#nodes, this.#moduleTransforms];
    for (let place = 0, at = 0; place < nodes.length; place++, at += NODE_LEN) {
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
    const [nodes, numbers] = [this.#nodes, this.#moduleTransforms];
    for (let place = first, at = NODE_LEN * first; place < nodes.length; place++, at += NODE_LEN) {
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
    const { bones } = skeleton;
    const isSame = skin !== undefined && bones === skin.bones && bones.length === skin.length && bones[bones.length - 1] === skin.last;
    if (!isSame || !skin.inverses.isOf(skeleton.boneInverses)) {
      // The next walk looks again.
      this.#isStale = true;
      Skeleton.prototype.update.call(skeleton);
      return;
    }
    this.#look();
    this.#moduleNodes.set(this.#world);
    this.#runtime._exports.tree_palette((this.#handle as Handle).id, skin.number);
    const { _words, _buffer } = this.#runtime;
    (skeleton.boneMatrices as Float32Array).set(new Float32Array(_buffer, _words[0], _words[1]));
    if (skeleton.boneTexture) skeleton.boneTexture.needsUpdate = true;
  }

  /** Growing replaces the module's memory. */
  #look(): void {
    if (this.#moduleTransforms.length > 0) return;
    const { _exports } = this.#runtime;
    _exports.tree_places((this.#handle as Handle).id);
    const [transforms = 0, local = 0, world = 0] = this.#runtime._words;
    const { _buffer } = this.#runtime;
    const count = this.#nodes.length;
    this.#moduleTransforms = new Float64Array(_buffer, transforms, NODE_LEN * count);
    this.#moduleLocal = new Float64Array(_buffer, local, 16 * count);
    this.#moduleWorld = new Float64Array(_buffer, world, 16 * (count + 1));
    this.#moduleNodes = new Float64Array(_buffer, world, 16 * count);
  }
}
