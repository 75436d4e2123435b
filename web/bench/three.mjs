// The job in three.js: its mixer, its matrices, its skeleton.
import * as THREE from 'three';

import { DT, parse, weightAt } from './job.mjs';

export function threeJob(bytes, characterCount) {
  const { joints, clips, inverses } = parse(bytes);
  const paths = { translation: 'position', rotation: 'quaternion', scale: 'scale' };
  const threeClips = clips.map(({ name, tracks }) => new THREE.AnimationClip(name, -1, tracks.map(({ joint, path, times, values }) => {
    const Track = path === 'rotation' ? THREE.QuaternionKeyframeTrack : THREE.VectorKeyframeTrack;
    return new Track(`j${joint}.${paths[path]}`, times, values);
  })));
  const characters = Array.from({ length: characterCount }, (_, index) => {
    const bones = joints.map(({ translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1] }, joint) => {
      const bone = new THREE.Bone();
      bone.name = `j${joint}`;
      bone.position.fromArray(translation);
      bone.quaternion.fromArray(rotation);
      bone.scale.fromArray(scale);
      return bone;
    });
    const root = new THREE.Group();
    joints.forEach(({ parent }, joint) => (parent < 0 ? root : bones[parent]).add(bones[joint]));
    const skeleton = new THREE.Skeleton(bones, joints.map((_, joint) => new THREE.Matrix4().fromArray(inverses, 16 * joint)));
    const mixer = new THREE.AnimationMixer(root);
    const actions = threeClips.map((clip) => {
      const action = mixer.clipAction(clip).play();
      action.time = (index * 0.037) % clip.duration;
      return action;
    });
    return { root, skeleton, mixer, actions };
  });
  let frame = 0;
  return () => {
    const weight = weightAt(frame++);
    for (const { root, skeleton, mixer, actions } of characters) {
      actions[0].weight = weight;
      actions[1].weight = 1 - weight;
      mixer.update(DT);
      root.updateMatrixWorld(true);
      skeleton.update();
    }
    return characters[0].skeleton.boneMatrices;
  };
}
