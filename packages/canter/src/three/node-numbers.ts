import { Euler, Matrix4, Quaternion, Vector3, type Object3D } from 'three';

/** How many numbers a node has: its position, quaternion and scale. */
export const NODE_LEN = 10;

/** Where each of them begins, by the number of the property. */
export const PROPERTY_AT = [0, 3, 7] as const;

const NUMBERS = Symbol('numbers');
const AT = Symbol('at');
const KIND = Symbol('kind');
const VIEW = Symbol('view');
const QUATERNION = Symbol('quaternion');
const ORDER = Symbol('order');
const CHANGED = Symbol('changed');

/** @internal The numbers of all nodes of a tree, in the module's memory. */
export class NodeNumbers {
  transforms = new Float64Array();
  locals = new Float64Array();
  /** The last is that of the root's parent. */
  worlds = new Float64Array();
  /** Angles, which only JavaScript knows. */
  angles = new Float64Array();
  /** Whether somebody has written a position, quaternion or scale since matrices were calculated. */
  isChanged = true;
  /** Whether somebody has got hold of the world matrix of a bone: it may have been written. */
  isHeld = false;
  /** Gives all nodes their numbers back. */
  readonly close: () => void;
  readonly #look: (numbers: NodeNumbers) => void;

  /** Growing replaces the module's memory: `look` finds the lists again. */
  constructor(look: (numbers: NodeNumbers) => void, close: () => void) {
    this.#look = look;
    this.close = close;
  }

  /** Makes room for the angles of so many nodes. */
  setCount(count: number): void {
    this.angles = new Float64Array(ANGLES_LEN * count);
  }

  /** Makes sure that the lists are those of now. */
  refresh(): this {
    if (this.transforms.length === 0) this.#look(this);
    return this;
  }

  get(at: number): number {
    const { transforms } = this;
    return transforms.length > 0 ? (transforms[at] as number) : (this.refresh().transforms[at] as number);
  }

  set(at: number, value: number): void {
    this.isChanged = true;
    const { transforms } = this;
    if (transforms.length > 0) transforms[at] = value;
    else this.refresh().transforms[at] = value;
  }
}

/** An object of three.js whose numbers are in the module. */
interface Window {
  [NUMBERS]: NodeNumbers;
  [AT]: number;
}

/** A number of the list as a property. */
function number(offset: number): PropertyDescriptor & ThisType<Window> {
  return {
    get() {
      return this[NUMBERS].get(this[AT] + offset);
    },
    set(value: number) {
      this[NUMBERS].set(this[AT] + offset, value);
    },
    enumerable: true,
  };
}

/** Clones are made by the constructor, and have numbers of their own. */
function madeBy(constructor: unknown): { constructor: PropertyDescriptor } {
  return { constructor: { value: constructor, writable: true, configurable: true } };
}

class VectorWindow extends Vector3 {
  /** The numbers are not its own properties. */
  toJSON(): object {
    return { x: this.x, y: this.y, z: this.z };
  }
}
Object.defineProperties(VectorWindow.prototype, { x: number(0), y: number(1), z: number(2), ...madeBy(Vector3) });

class QuaternionWindow extends Quaternion {}
Object.defineProperties(QuaternionWindow.prototype, {
  isQuaternion: { value: true },
  _x: number(0),
  _y: number(1),
  _z: number(2),
  _w: number(3),
  ...madeBy(Quaternion),
});

interface MatrixInside extends Window {
  [KIND]: 'locals' | 'worlds' | 'joints';
  [VIEW]: Float64Array | undefined;
}

class MatrixWindow extends Matrix4 {
  toJSON(): object {
    return { elements: [...this.elements] };
  }
}
Object.defineProperties(MatrixWindow.prototype, {
  elements: {
    get(this: MatrixInside) {
      const kind = this[KIND];
      if (kind === 'joints') this[NUMBERS].isHeld = true;
      const view = this[VIEW];
      if (view !== undefined && view.length > 0) return view;
      const { locals, worlds } = this[NUMBERS].refresh();
      return (this[VIEW] = (kind === 'locals' ? locals : worlds).subarray(this[AT], this[AT] + 16));
    },
    set(this: Matrix4, elements: ArrayLike<number>) {
      (this.elements as unknown as Float64Array).set(elements);
    },
    enumerable: true,
  },
  ...madeBy(Matrix4),
});

/** How many numbers the angles of a rotation are: three, and the quaternion that they were calculated from. */
const ANGLES_LEN = 7;

/** A rotation that follows its quaternion when it is read. `AT` is where its angles are. */
interface Following extends Window {
  [QUATERNION]: Quaternion;
  [ORDER]: Euler['order'];
  /** What three.js does when angles are set. */
  [CHANGED]: () => void;
}

type InnerEuler = Euler & Following & { _x: number; _y: number; _z: number; _order: Euler['order']; isEuler: true; _onChangeCallback: () => void };
type InnerQuaternion = Quaternion & Window & { _x: number; _y: number; _z: number; _w: number; isQuaternion: true; _onChangeCallback: () => void };

/**
 * three.js keeps `rotation` in step with `quaternion`: three inverse sines for each bone in each frame, which hardly
 * anybody reads. This one follows when it is read.
 */
class EulerWindow extends Euler {}

function angle(offset: number): PropertyDescriptor & ThisType<InnerEuler> {
  return {
    get() {
      return fresh(this)[this[AT] + offset];
    },
    set(value: number) {
      fresh(this)[this[AT] + offset] = value;
    },
    enumerable: true,
  };
}
Object.defineProperties(EulerWindow.prototype, {
  isEuler: { value: true },
  _x: angle(0),
  _y: angle(1),
  _z: angle(2),
  _order: {
    get(this: InnerEuler) {
      return this[ORDER];
    },
    set(this: InnerEuler, order: Euler['order']) {
      // The angles are those of the order before.
      fresh(this);
      this[ORDER] = order;
    },
    enumerable: true,
  },
  /** Angles that were set are those to read again, not others that turn the same. */
  _onChangeCallback: {
    value(this: InnerEuler) {
      this[CHANGED]();
      remember(this);
    },
    writable: true,
  },
  ...madeBy(Euler),
});

const scratch = new Euler();

/** The list of angles, in which those of a rotation are right. */
function fresh(rotation: InnerEuler): Float64Array {
  const { [QUATERNION]: quaternion, [AT]: at } = rotation;
  const { angles } = rotation[NUMBERS];
  const isSame = angles[at + 3] === quaternion.x && angles[at + 4] === quaternion.y && angles[at + 5] === quaternion.z && angles[at + 6] === quaternion.w;
  if (!isSame) {
    scratch.setFromQuaternion(quaternion, rotation[ORDER], false);
    angles[at] = scratch.x;
    angles[at + 1] = scratch.y;
    angles[at + 2] = scratch.z;
    remember(rotation);
  }
  return angles;
}

function remember(rotation: InnerEuler): void {
  const { [QUATERNION]: quaternion, [AT]: at } = rotation;
  const { angles } = rotation[NUMBERS];
  angles[at + 3] = quaternion.x;
  angles[at + 4] = quaternion.y;
  angles[at + 5] = quaternion.z;
  angles[at + 6] = quaternion.w;
}

/** @internal The tree that a node is in. */
export function numbersOf({ position }: Object3D): NodeNumbers | undefined {
  return (position as Partial<Window>)[NUMBERS];
}

/** @internal The place of a node, if it is one of these. */
export function placeAmong(numbers: NodeNumbers, { position }: Object3D): number | undefined {
  const { [NUMBERS]: own, [AT]: at } = position as Partial<Window>;
  return own === numbers ? (at as number) / NODE_LEN : undefined;
}

/** @internal Whether the numbers of a node are its own: others may keep them elsewhere, too. */
export function hasOwnNumbers({ position, quaternion, scale, rotation, matrix, matrixWorld }: Object3D): boolean {
  return (
    isOwn(position, Vector3.prototype) && isOwn(scale, Vector3.prototype) &&
    isOwn(quaternion, Quaternion.prototype) && isOwn(rotation, Euler.prototype) &&
    isOwn(matrix, Matrix4.prototype) && isOwn(matrixWorld, Matrix4.prototype)
  );
}

function isOwn(object: object, plain: object): boolean {
  return Object.getPrototypeOf(object) === plain && Object.isExtensible(object);
}

/**
 * @internal Moves the numbers of a node into the module, where the mixer writes them and matrices are calculated.
 * The objects stay the same ones, and are read and written as ever: they are windows on that memory.
 *
 * Properties are deleted from the last to the first, down to none: engines then take the object for one that never
 * had them, and all of these objects for alike.
 */
export function openWindows(node: Object3D, numbers: NodeNumbers, place: number): void {
  const at = NODE_LEN * place;
  openVector(node.position, numbers, at + PROPERTY_AT[0]);
  openQuaternion(node.quaternion as InnerQuaternion, numbers, at + PROPERTY_AT[1]);
  openRotation(node, numbers, ANGLES_LEN * place);
  openVector(node.scale, numbers, at + PROPERTY_AT[2]);
  openMatrix(node.matrix, numbers, 16 * place, 'locals');
  openMatrix(node.matrixWorld, numbers, 16 * place, 'worlds');
}

/** @internal Tells when somebody gets hold of the world matrix of a node whose windows are open. */
export function holdAsJoint({ matrixWorld }: Object3D): void {
  (matrixWorld as unknown as MatrixInside)[KIND] = 'joints';
}

function openVector(vector: Vector3, numbers: NodeNumbers, at: number): void {
  const { transforms } = numbers;
  transforms[at] = vector.x;
  transforms[at + 1] = vector.y;
  transforms[at + 2] = vector.z;
  const own = vector as Partial<Vector3>;
  delete own.z;
  delete own.y;
  delete own.x;
  Object.setPrototypeOf(vector, VectorWindow.prototype);
  (vector as Vector3 & Window)[NUMBERS] = numbers;
  (vector as Vector3 & Window)[AT] = at;
}

function openQuaternion(quaternion: InnerQuaternion, numbers: NodeNumbers, at: number): void {
  const { _x, _y, _z, _w, _onChangeCallback } = quaternion;
  const { transforms } = numbers;
  transforms[at] = _x;
  transforms[at + 1] = _y;
  transforms[at + 2] = _z;
  transforms[at + 3] = _w;
  const own = quaternion as Partial<InnerQuaternion>;
  delete own._onChangeCallback;
  delete own._w;
  delete own._z;
  delete own._y;
  delete own._x;
  delete own.isQuaternion;
  Object.setPrototypeOf(quaternion, QuaternionWindow.prototype);
  quaternion._onChangeCallback = _onChangeCallback;
  quaternion[NUMBERS] = numbers;
  quaternion[AT] = at;
}

function openRotation(node: Object3D, numbers: NodeNumbers, at: number): void {
  const rotation = node.rotation as InnerEuler;
  const { _x, _y, _z, _order, _onChangeCallback } = rotation;
  const own = rotation as Partial<InnerEuler>;
  delete own._onChangeCallback;
  delete own._order;
  delete own._z;
  delete own._y;
  delete own._x;
  delete own.isEuler;
  Object.setPrototypeOf(rotation, EulerWindow.prototype);
  rotation[NUMBERS] = numbers;
  rotation[AT] = at;
  rotation[QUATERNION] = node.quaternion;
  rotation[ORDER] = _order;
  rotation[CHANGED] = _onChangeCallback;
  const { angles } = numbers;
  angles[at] = _x;
  angles[at + 1] = _y;
  angles[at + 2] = _z;
  remember(rotation);
}

function openMatrix(matrix: Matrix4, numbers: NodeNumbers, at: number, kind: MatrixInside[typeof KIND]): void {
  const [to, from] = [kind === 'locals' ? numbers.locals : numbers.worlds, matrix.elements];
  // Setting a list at once takes ten times as long where it is a plain one.
  for (let index = 0; index < 16; index++) to[at + index] = from[index] as number;
  delete (matrix as Partial<Matrix4>).elements;
  Object.setPrototypeOf(matrix, MatrixWindow.prototype);
  const inside = matrix as unknown as MatrixInside;
  inside[NUMBERS] = numbers;
  inside[AT] = at;
  inside[KIND] = kind;
  inside[VIEW] = undefined;
}

/** @internal Gives a node its numbers back. */
export function closeWindows(node: Object3D): void {
  for (const vector of [node.position, node.scale]) {
    const { x, y, z } = vector;
    plain(vector, [AT, NUMBERS], Vector3.prototype, { x, y, z });
  }
  const quaternion = node.quaternion as InnerQuaternion;
  const rotation = node.rotation as InnerEuler;
  const { x, y, z, order, [CHANGED]: changed } = rotation;
  const { _x, _y, _z, _w, _onChangeCallback } = quaternion;
  plain(quaternion, [AT, NUMBERS, '_onChangeCallback'], Quaternion.prototype, { isQuaternion: true, _x, _y, _z, _w, _onChangeCallback });
  const callback = Object.hasOwn(rotation, '_onChangeCallback') ? rotation._onChangeCallback : changed;
  plain(rotation, ['_onChangeCallback', CHANGED, ORDER, QUATERNION, AT, NUMBERS], Euler.prototype, { isEuler: true, _x: x, _y: y, _z: z, _order: order, _onChangeCallback: callback });
  for (const matrix of [node.matrix, node.matrixWorld]) {
    const elements = [...matrix.elements];
    plain(matrix, [VIEW, KIND, AT, NUMBERS], Matrix4.prototype, { elements });
  }
}

function plain(object: object, names: readonly PropertyKey[], prototype: object, own: object): void {
  for (const name of names) delete (object as Record<PropertyKey, unknown>)[name];
  Object.setPrototypeOf(object, prototype);
  Object.assign(object, own);
}
