/// <reference lib="esnext.disposable" preserve="true" />
/**
 * Corrections of a pose: hands that reach, heads that look, feet that stand, capes that swing, and the mirror.
 *
 * ```ts
 * import { AnimationMixer, loadGltf } from 'canter';
 * import { LookAt, TwoBoneIK } from 'canter/rig';
 *
 * const hero = await loadGltf('hero.glb', { motion: true });
 * const mixer = new AnimationMixer(hero);
 * const arm = new TwoBoneIK(hero.skeleton, { bones: ['upper_arm_R', 'forearm_R', 'hand_R'] });
 * mixer.play('Walk');
 * mixer.update(1 / 60);
 * const { reached, remaining } = arm.apply({ target: [-0.3, 1.1, 0.4] });
 * ```
 *
 * Each works on the pose that a mixer or a graph has written, one after another; matrices and attachments follow when they are asked
 * for. Points are relative to the character unless something else is said.
 *
 * @module
 */
export { ChainIK, type BoneLimit, type ChainGoal, type ChainIKOptions } from './rig/chain-ik.js';
export { Constraints, Twist, type BoneConstraint, type TwistOptions } from './rig/constraints.js';
export { Feet, heightField, type FeetDrive, type FeetOptions, type GroundFunction, type GroundHit, type HeightField } from './rig/feet.js';
export { LookAt, type LookAtBone, type LookAtOptions, type LookGoal } from './rig/look-at.js';
export { Mirror } from './rig/mirror.js';
export { Solver, type BoneOption, type LimbEnd, type Reach, type Space } from './rig/solver.js';
export {
  Springs, type SpringChain, type SpringCollider, type SpringDrive, type SpringSettings, type SpringsOptions,
} from './rig/springs.js';
export { TwoBoneIK, type LimbGoal, type TwoBoneIKOptions } from './rig/two-bone-ik.js';
