import type { Bone } from './bone.js';
import { CanterError } from './error.js';
import { compose, multiply, readVector, type MutableMatrix, type VectorLike } from './matrix.js';
import { readEuler, readQuaternion, type EulerLike, type Quaternion, type QuaternionLike } from './rotation.js';

/** Anything with a matrix of 16 numbers, column by column: of one's own, or an `Object3D` of three.js. */
export interface Attachable {
  matrix: MutableMatrix | { elements: MutableMatrix };
  /** three.js: set to false, since the matrix is written here. */
  matrixAutoUpdate?: boolean;
  /** three.js: set to true whenever the matrix was written. */
  matrixWorldNeedsUpdate?: boolean;
}

/** Where an object is, relative to its bone. */
export interface AttachmentOffset {
  position?: VectorLike;
  /** How it is turned, as a quaternion; or else as Euler angles, below. */
  quaternion?: QuaternionLike;
  /** How it is turned, as Euler angles in radians. */
  euler?: EulerLike;
  scale?: VectorLike | number;
}

/** What an object can follow: a `Bone` of a skeleton, or a `MemberBone` of a crowd. */
export interface AttachmentBone {
  readonly name: string;
  readonly worldMatrix: Float32Array;
  /** @internal */
  _detach(attachment: Attachment<AttachmentBone>): void;
}

/** An object that follows a bone. */
export class Attachment<B extends AttachmentBone = Bone> {
  readonly bone: B;
  readonly object: Attachable;
  /** Where the object is relative to the bone: 16 numbers, column by column, which may be changed. */
  readonly offset: Float32Array;
  readonly #out: MutableMatrix;

  /** @internal */
  constructor(bone: B, object: Attachable, offset: AttachmentOffset = {}) {
    const matrix = object.matrix as MutableMatrix | { elements: MutableMatrix } | undefined;
    const out = matrix && 'elements' in matrix ? matrix.elements : matrix;
    if (out?.length !== 16) {
      throw new CanterError('what is attached needs a `matrix` of 16 numbers, such as a Float32Array(16) or a Matrix4 of three.js');
    }
    this.bone = bone;
    this.object = object;
    this.#out = out;
    const { scale = 1 } = offset;
    this.offset = compose(
      new Float32Array(16),
      readVector(offset.position ?? [0, 0, 0], 'the position of the offset'),
      rotationOf(offset),
      readVector(typeof scale === 'number' ? [scale, scale, scale] : scale, 'the scale of the offset'),
    );
    if (object.matrixAutoUpdate !== undefined) object.matrixAutoUpdate = false;
  }

  /** Lets the object go; it stays where it is. */
  detach(): void {
    this.bone._detach(this);
  }

  /** @internal */
  _follow(): void {
    multiply(this.#out, this.bone.worldMatrix, this.offset);
    if (this.object.matrixWorldNeedsUpdate !== undefined) this.object.matrixWorldNeedsUpdate = true;
  }
}

function rotationOf({ quaternion, euler }: AttachmentOffset): Quaternion {
  if (quaternion && euler) throw new CanterError('the offset has a quaternion and Euler angles; give one of them');
  if (euler) return readEuler(euler, 'the Euler angles of the offset');
  return readQuaternion(quaternion ?? [0, 0, 0, 1], 'the quaternion of the offset');
}
