import { Euler, type Quaternion } from 'three';

const STATE = Symbol('lazy rotation');

/** @internal The angles of a rotation, which are only calculated when somebody reads them. */
export interface LazyRotation {
  readonly quaternion: Quaternion;
  x: number;
  y: number;
  z: number;
  order: Euler['order'];
  /** Whether the quaternion was changed without telling. */
  isStale: boolean;
}

type Owner = Euler & { [STATE]: LazyRotation };

const scratch = new Euler();

function fresh(owner: Owner): LazyRotation {
  const state = owner[STATE];
  if (state.isStale) {
    state.isStale = false;
    scratch.setFromQuaternion(state.quaternion, state.order, false);
    [state.x, state.y, state.z] = [scratch.x, scratch.y, scratch.z];
  }
  return state;
}

function accessor<K extends 'x' | 'y' | 'z' | 'order'>(name: K): PropertyDescriptor & ThisType<Owner> {
  return {
    get(): LazyRotation[K] {
      return fresh(this)[name];
    },
    set(value: LazyRotation[K]) {
      fresh(this)[name] = value;
    },
    enumerable: true,
    configurable: true,
  };
}

const ACCESSORS = { _x: accessor('x'), _y: accessor('y'), _z: accessor('z'), _order: accessor('order') };

/**
 * @internal three.js keeps `rotation` in step with `quaternion`: three inverse sines for each bone in each frame,
 * which hardly anybody reads. This makes an object's rotation follow when it is read. It stays the same object.
 */
export function lazyRotation(rotation: Euler, quaternion: Quaternion): LazyRotation {
  const known = (rotation as Partial<Owner>)[STATE];
  if (known) return known;
  const { x, y, z, order } = rotation;
  const state: LazyRotation = { quaternion, x, y, z, order, isStale: false };
  Object.defineProperty(rotation, STATE, { value: state });
  Object.defineProperties(rotation, ACCESSORS);
  return state;
}
