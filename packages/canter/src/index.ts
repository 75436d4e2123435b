/**
 * Canter: skeletal animation. glTF characters in, bone matrices out.
 *
 * ```ts
 * const hero = await loadGltf('hero.glb');
 * const mixer = new AnimationMixer(hero);
 * mixer.play('Idle');
 * mixer.crossFadeTo('Run', 0.3);
 * mixer.update(1 / 60);
 * upload(hero.skeleton.boneMatrices);
 * ```
 *
 * @module
 */
export { AnimationAction } from './action.js';
export type { AdditiveOptions, AdditiveReference } from './additive.js';
export { Asset } from './asset.js';
export { Attachment, type Attachable, type AttachmentBone, type AttachmentOffset } from './attachment.js';
export { Bone } from './bone.js';
export { BoneEuler } from './bone-euler.js';
export { BoneQuaternion } from './bone-quaternion.js';
export { BoneVector } from './bone-vector.js';
export type { AnimationClip, Marker, MarkerOption } from './clip.js';
export type { Contact, Contacts } from './contacts.js';
export { Crowd, type CrowdOptions } from './crowd.js';
export { CrowdMember } from './crowd-member.js';
export type { Easing } from './easing.js';
export { CanterError } from './error.js';
export { Emitter, type AnimationEvent, type AnimationEventMap, type AnimationEventType, type AnimationListener } from './events.js';
export type { Fade, FadeKind, FadeOption } from './fade.js';
export { AnimationLayer, type LayerMode, type LayerOptions } from './layer.js';
export { loadGltf, loadGltfSync, type LoadOptions } from './load.js';
export type { LoopOption } from './loop.js';
export type { MarkerEvent, MarkerFilter, MarkerKind } from './marker.js';
export { BoneMask } from './mask.js';
export type { MutableMatrix, VectorLike } from './matrix.js';
export { MemberBone } from './member-bone.js';
export { AnimationMixer } from './mixer.js';
export { Primitive, type Material, type Mesh, type AssetImage, type AssetNode, type Skin } from './asset-parts.js';
export { Player, type CrossFadeOptions, type PlayOptions } from './player.js';
export type { ReadOptions, Source } from './read.js';
export type { RootMotion, RootMotionOption } from './root-motion.js';
export type { EulerLike, EulerOrder, QuaternionLike } from './rotation.js';
export { createRuntime, init, Runtime, type RuntimeOptions } from './runtime.js';
export { Skeleton, type MatrixFormat } from './skeleton.js';
export type { SyncKind, SyncOption } from './sync.js';
