import { Euler, Quaternion, Vector3, type Object3D } from 'three';

/** Where an object's numbers are: a list, and a place in it. */
const POOL = Symbol('pool');
const AT = Symbol('at');
const ANGLES = Symbol('angles');
const CHANGED = Symbol('changed');

interface Pooled {
  [POOL]: Float64Array;
  [AT]: number;
}

/** How many numbers a node has: its position, quaternion and scale. */
export const NODE_LEN = 10;

/** Where each property begins. */
const [POSITION_AT, QUATERNION_AT, SCALE_AT] = [0, 3, 7];

/** A number of a list as a property. */
function number(offset: number): PropertyDescriptor & ThisType<Pooled> {
  return {
    get() {
      return this[POOL][this[AT] + offset];
    },
    set(value: number) {
      this[POOL][this[AT] + offset] = value;
    },
  };
}

/** Clones are made by the constructor, and are not pooled. */
function madeBy(constructor: unknown): { constructor: PropertyDescriptor } {
  return { constructor: { value: constructor, writable: true, configurable: true } };
}

class PooledVector extends Vector3 {
  /** The numbers are not its own properties. */
  toJSON(): object {
    return { x: this.x, y: this.y, z: this.z };
  }
}
Object.defineProperties(PooledVector.prototype, { x: number(0), y: number(1), z: number(2), ...madeBy(Vector3) });

class PooledQuaternion extends Quaternion {}
Object.defineProperties(PooledQuaternion.prototype, { _x: number(0), _y: number(1), _z: number(2), _w: number(3), ...madeBy(Quaternion) });

/** The angles of a rotation, and the quaternion that they were calculated from. */
interface Angles {
  readonly quaternion: Quaternion;
  x: number;
  y: number;
  z: number;
  order: Euler['order'];
  qx: number;
  qy: number;
  qz: number;
  qw: number;
}

type InnerEuler = Euler & { _x: number; _y: number; _z: number; _order: string; _onChangeCallback: () => void; [ANGLES]: Angles; [CHANGED]: () => void };
type InnerQuaternion = Quaternion & Pooled & { _x: number; _y: number; _z: number; _w: number; _onChangeCallback: () => void };

/**
 * three.js keeps `rotation` in step with `quaternion`: three inverse sines for each bone in each frame, which hardly
 * anybody reads. This one follows when it is read.
 */
class LazyEuler extends Euler {}

function angle<K extends 'x' | 'y' | 'z' | 'order'>(name: K): PropertyDescriptor & ThisType<InnerEuler> {
  return {
    get(): Angles[K] {
      return fresh(this)[name];
    },
    set(value: Angles[K]) {
      fresh(this)[name] = value;
    },
  };
}
Object.defineProperties(LazyEuler.prototype, {
  _x: angle('x'),
  _y: angle('y'),
  _z: angle('z'),
  _order: angle('order'),
  ...madeBy(Euler),
  /** Angles that were set are those to read again, not others that turn the same. */
  _onChangeCallback: {
    value(this: InnerEuler) {
      this[CHANGED]();
      remember(this[ANGLES]);
    },
    writable: true,
  },
});

const scratch = new Euler();

function fresh(rotation: InnerEuler): Angles {
  const angles = rotation[ANGLES];
  const { quaternion } = angles;
  if (angles.qx !== quaternion.x || angles.qy !== quaternion.y || angles.qz !== quaternion.z || angles.qw !== quaternion.w) {
    scratch.setFromQuaternion(quaternion, angles.order, false);
    angles.x = scratch.x;
    angles.y = scratch.y;
    angles.z = scratch.z;
    remember(angles);
  }
  return angles;
}

function remember(angles: Angles): void {
  const { quaternion } = angles;
  angles.qx = quaternion.x;
  angles.qy = quaternion.y;
  angles.qz = quaternion.z;
  angles.qw = quaternion.w;
}

/**
 * @internal Puts the numbers of a node (its position, quaternion and scale) into a list, where all of a figure lie
 * side by side: what is read and written in every frame is one copy instead of hundreds of objects. The objects stay
 * the same ones, and are read and written as ever.
 */
export function poolNode({ position, quaternion, rotation, scale }: Object3D, pool: Float64Array, at: number): void {
  poolVector(position as Vector3 & Pooled, pool, at + POSITION_AT);
  poolQuaternion(quaternion as InnerQuaternion, rotation as InnerEuler, pool, at + QUATERNION_AT);
  poolVector(scale as Vector3 & Pooled, pool, at + SCALE_AT);
}

/** @internal Whether the numbers of a node are its own: others may keep them elsewhere, too. */
export function canPool({ position, quaternion, scale, rotation }: Object3D): boolean {
  return (
    isPlain(position, 'x', Vector3.prototype, PooledVector.prototype) && isPlain(scale, 'x', Vector3.prototype, PooledVector.prototype) &&
    isPlain(quaternion, '_x', Quaternion.prototype, PooledQuaternion.prototype) && isPlain(rotation, '_x', Euler.prototype, LazyEuler.prototype)
  );
}

function isPlain(object: object, name: string, plain: object, pooled: object): boolean {
  const prototype = Object.getPrototypeOf(object) as object;
  return prototype === pooled || (prototype === plain && Object.hasOwn(object, name) && Object.getOwnPropertyDescriptor(object, name)?.writable === true);
}

/** @internal The list that a vector or quaternion lies in, and where. */
export function placeOf(object: object): { pool: Float64Array; at: number } | undefined {
  const { [POOL]: pool, [AT]: at } = object as Partial<Pooled>;
  return pool && at !== undefined ? { pool, at } : undefined;
}

function poolVector(vector: Vector3 & Pooled, pool: Float64Array, at: number): void {
  const { x, y, z } = vector;
  if (Object.getPrototypeOf(vector) !== PooledVector.prototype) {
    // From the last to the first: engines then take the object for one that never had them, and it stays quick.
    const own = vector as Partial<Vector3>;
    delete own.z;
    delete own.y;
    delete own.x;
    Object.setPrototypeOf(vector, PooledVector.prototype);
  }
  vector[POOL] = pool;
  vector[AT] = at;
  pool[at] = x;
  pool[at + 1] = y;
  pool[at + 2] = z;
}

function poolQuaternion(quaternion: InnerQuaternion, rotation: InnerEuler, pool: Float64Array, at: number): void {
  const { x, y, z, w } = quaternion;
  const isFirst = Object.getPrototypeOf(quaternion) !== PooledQuaternion.prototype;
  if (isFirst) {
    const callback = quaternion._onChangeCallback;
    const own = quaternion as Partial<InnerQuaternion>;
    delete own._onChangeCallback;
    delete own._w;
    delete own._z;
    delete own._y;
    delete own._x;
    Object.setPrototypeOf(quaternion, PooledQuaternion.prototype);
    quaternion._onChangeCallback = callback;
  }
  quaternion[POOL] = pool;
  quaternion[AT] = at;
  pool[at] = x;
  pool[at + 1] = y;
  pool[at + 2] = z;
  pool[at + 3] = w;
  if (isFirst) followLazily(rotation, quaternion);
}

function followLazily(rotation: InnerEuler, quaternion: Quaternion): void {
  if (Object.getPrototypeOf(rotation) === LazyEuler.prototype) return;
  const { x, y, z, order, _onChangeCallback } = rotation;
  const own = rotation as Partial<InnerEuler>;
  delete own._onChangeCallback;
  delete own._order;
  delete own._z;
  delete own._y;
  delete own._x;
  Object.setPrototypeOf(rotation, LazyEuler.prototype);
  rotation[ANGLES] = { quaternion, x, y, z, order, qx: quaternion.x, qy: quaternion.y, qz: quaternion.z, qw: quaternion.w };
  rotation[CHANGED] = _onChangeCallback;
}
