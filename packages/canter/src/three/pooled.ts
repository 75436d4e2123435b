import { Euler, Quaternion, Vector3, type Object3D } from 'three';

/** Where an object's numbers are: a list, and a place in it. */
const POOL = Symbol('pool');
const AT = Symbol('at');
const ANGLES = Symbol('angles');

interface Pooled {
  [POOL]: Float64Array;
  [AT]: number;
}

/** How many numbers a node has: its position, quaternion and scale. */
export const NODE_LEN = 10;

/** Where each property begins. */
export const [POSITION_AT, QUATERNION_AT, SCALE_AT] = [0, 3, 7];

function accessor(offset: number): PropertyDescriptor & ThisType<Pooled> {
  return {
    get() {
      return this[POOL][this[AT] + offset];
    },
    set(value: number) {
      this[POOL][this[AT] + offset] = value;
    },
    enumerable: true,
    configurable: true,
  };
}

const HIDDEN = { value: undefined, writable: true, configurable: true, enumerable: false };
const [FIRST, SECOND, THIRD, FOURTH] = [accessor(0), accessor(1), accessor(2), accessor(3)];

/**
 * @internal Puts the numbers of a node (its position, quaternion and scale) into a list, where all of a figure lie side by side: what is read
 * and written in every frame is one copy instead of hundreds of objects. The objects stay the same and can be read and written as ever.
 */
export function poolNode({ position, quaternion, rotation, scale }: Object3D, pool: Float64Array, at: number): void {
  poolVector(position as Vector3 & Partial<Pooled>, pool, at + POSITION_AT);
  poolQuaternion(quaternion as InnerQuaternion, rotation as InnerEuler, pool, at + QUATERNION_AT);
  poolVector(scale as Vector3 & Partial<Pooled>, pool, at + SCALE_AT);
}

/** @internal Whether the numbers of a node are its own: somebody else may have had the same idea. */
export function canPool({ position, quaternion, scale, rotation }: Object3D): boolean {
  return (
    isOwn(position, 'x', Vector3.prototype) && isOwn(scale, 'x', Vector3.prototype) &&
    isOwn(quaternion, '_x', Quaternion.prototype) && (ANGLES in rotation || isOwn(rotation, '_x', Euler.prototype))
  );
}

function isOwn(object: object, name: string, prototype: object): boolean {
  return POOL in object || (Object.getPrototypeOf(object) === prototype && Object.getOwnPropertyDescriptor(object, name)?.writable === true);
}

/** @internal The list that a vector or quaternion lies in, and where. */
export function placeOf(object: object): { pool: Float64Array; at: number } | undefined {
  const { [POOL]: pool, [AT]: at } = object as Partial<Pooled>;
  return pool && at !== undefined ? { pool, at } : undefined;
}

function poolVector(vector: Vector3 & Partial<Pooled>, pool: Float64Array, at: number): void {
  const { x, y, z } = vector;
  if (vector[POOL] === undefined) {
    // From the last to the first: engines then take the object for one that never had them.
    delete (vector as Partial<Vector3>).z;
    delete (vector as Partial<Vector3>).y;
    delete (vector as Partial<Vector3>).x;
    Object.defineProperty(vector, 'x', FIRST);
    Object.defineProperty(vector, 'y', SECOND);
    Object.defineProperty(vector, 'z', THIRD);
    Object.defineProperty(vector, POOL, HIDDEN);
    Object.defineProperty(vector, AT, HIDDEN);
  }
  vector[POOL] = pool;
  vector[AT] = at;
  pool[at] = x;
  pool[at + 1] = y;
  pool[at + 2] = z;
}

type InnerQuaternion = Quaternion & Partial<Pooled> & { _onChangeCallback: () => void; _x: number; _y: number; _z: number; _w: number };

function poolQuaternion(quaternion: InnerQuaternion, rotation: InnerEuler, pool: Float64Array, at: number): void {
  const { x, y, z, w } = quaternion;
  if (quaternion[POOL] === undefined) {
    const callback = quaternion._onChangeCallback;
    const inner = quaternion as Partial<InnerQuaternion>;
    delete inner._onChangeCallback;
    delete inner._w;
    delete inner._z;
    delete inner._y;
    delete inner._x;
    Object.defineProperty(quaternion, '_x', FIRST);
    Object.defineProperty(quaternion, '_y', SECOND);
    Object.defineProperty(quaternion, '_z', THIRD);
    Object.defineProperty(quaternion, '_w', FOURTH);
    Object.defineProperty(quaternion, POOL, HIDDEN);
    Object.defineProperty(quaternion, AT, HIDDEN);
    quaternion._onChangeCallback = callback;
    quaternion[POOL] = pool;
    quaternion[AT] = at;
    pool.set([x, y, z, w], at);
    followLazily(rotation, quaternion);
    return;
  }
  quaternion[POOL] = pool;
  quaternion[AT] = at;
  pool.set([x, y, z, w], at);
}

type InnerEuler = Euler & { _onChangeCallback: () => void; [ANGLES]?: Angles };

/** The angles of a rotation, and the quaternion that they were calculated from. */
interface Angles {
  readonly quaternion: Quaternion;
  x: number;
  y: number;
  z: number;
  order: Euler['order'];
  of: [x: number, y: number, z: number, w: number];
}

const scratch = new Euler();

function fresh(rotation: InnerEuler): Angles {
  const angles = rotation[ANGLES] as Angles;
  const { quaternion, of } = angles;
  if (of[0] !== quaternion.x || of[1] !== quaternion.y || of[2] !== quaternion.z || of[3] !== quaternion.w) {
    scratch.setFromQuaternion(quaternion, angles.order, false);
    [angles.x, angles.y, angles.z] = [scratch.x, scratch.y, scratch.z];
    remember(angles);
  }
  return angles;
}

function remember({ quaternion, of }: Angles): void {
  [of[0], of[1], of[2], of[3]] = [quaternion.x, quaternion.y, quaternion.z, quaternion.w];
}

function angle<K extends 'x' | 'y' | 'z' | 'order'>(name: K): PropertyDescriptor & ThisType<InnerEuler> {
  return {
    get(): Angles[K] {
      return fresh(this)[name];
    },
    set(value: Angles[K]) {
      fresh(this)[name] = value;
    },
    enumerable: true,
    configurable: true,
  };
}

const ANGLE_ACCESSORS = { _x: angle('x'), _y: angle('y'), _z: angle('z'), _order: angle('order') };

/**
 * three.js keeps `rotation` in step with `quaternion`: three inverse sines for each bone in each frame, which hardly anybody reads. This
 * makes a rotation follow when it is read.
 */
function followLazily(rotation: InnerEuler, quaternion: Quaternion): void {
  const { x, y, z, order, _onChangeCallback } = rotation;
  const angles: Angles = { quaternion, x, y, z, order, of: [0, 0, 0, 0] };
  remember(angles);
  Object.defineProperty(rotation, ANGLES, { value: angles });
  Object.defineProperties(rotation, ANGLE_ACCESSORS);
  // Angles that were set are those to read again, not others that turn the same.
  rotation._onChangeCallback = () => {
    _onChangeCallback();
    remember(angles);
  };
}
