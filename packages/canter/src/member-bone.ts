import { Attachment, type Attachable, type AttachmentOffset } from './attachment.js';
import type { CrowdMember } from './crowd-member.js';
import { multiply, multiplyRows } from './matrix.js';

/** A bone of a member of a crowd: where it is, and what hangs on it. */
export class MemberBone {
  readonly member: CrowdMember;
  /** Its place in the skeleton. */
  readonly index: number;
  readonly name: string;
  /** Its place among the bones that the crowd keeps. */
  readonly #kept: number;
  readonly #worldMatrix = new Float32Array(16);

  /** @internal */
  constructor(member: CrowdMember, index: number, kept: number) {
    this.member = member;
    this.index = index;
    this.name = member.asset._bones[index]!.name;
    this.#kept = kept;
  }

  /**
   * Where it is in the world, column by column: `member.matrix` times its place in the character, as of the last
   * `update` of the crowd. The array is the bone's own.
   */
  get worldMatrix(): Float32Array {
    const { crowd, index, matrix } = this.member;
    const { keptMatrices, keptBones, format } = crowd;
    const at = index * keptBones.length + this.#kept;
    if (index < 0) return this.#worldMatrix;
    if (format === 'mat4') multiply(this.#worldMatrix, matrix, keptMatrices, 16 * at);
    else multiplyRows(this.#worldMatrix, matrix, keptMatrices, 12 * at);
    return this.#worldMatrix;
  }

  /**
   * Lets an object follow the bone, from now on: its `matrix` becomes the bone's world matrix times the offset on
   * every `update` of the crowd. Anything with a `matrix` of 16 numbers will do, and so will an `Object3D` of three.js.
   */
  attach(object: Attachable, offset?: AttachmentOffset): Attachment<MemberBone> {
    return this.member.crowd._attach(new Attachment<MemberBone>(this, object, offset));
  }

  /** @internal */
  _detach(attachment: Attachment<MemberBone>): void {
    this.member.crowd._detach(attachment);
  }
}
