// The job in Babylon Lite: its animation manager with blending, which needs no GPU but for the upload that is left out.
import { addAnimationGroups, createAnimationGroups, createAnimationManager, enableAnimationBlending, playAnimation, updateAnimationManager } from '@babylonjs/lite';

import { DT, parse, weightAt } from './job.mjs';

const PATHS = ['translation', 'rotation', 'scale'];
const LINEAR = 0;
/** It mirrors the roots of a scene; what a skeleton starts from mirrors them back. */
const MIRROR = new Float32Array([-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
const ENGINE = { _device: { queue: { writeTexture() {} } } };

export function babylonJob(bytes, characterCount) {
  const { joints, clips, inverses } = parse(bytes);
  const liteClips = clips.map(({ name, tracks }) => ({
    name,
    duration: Math.max(...tracks.map(({ times }) => times.at(-1))),
    channels: tracks.map(({ joint, path }, index) => ({ samplerIdx: index, nodeIdx: joint, path: PATHS.indexOf(path) })),
    samplers: tracks.map(({ times, values }) => ({ input: times, output: values, interpolation: LINEAR })),
  }));
  const manager = createAnimationManager({ engine: ENGINE });
  enableAnimationBlending(manager);
  const characters = Array.from({ length: characterCount }, (_, index) => {
    const nodes = joints.map(({ parent, translation: [tx, ty, tz] = [0, 0, 0], rotation: [rx, ry, rz, rw] = [0, 0, 0, 1], scale: [sx, sy, sz] = [1, 1, 1] }) => (
      { parentIdx: parent, tx, ty, tz, rx, ry, rz, rw, sx, sy, sz }
    ));
    const boneMatrices = new Float32Array(16 * joints.length);
    const skeleton = { jointNodes: joints.map((_, joint) => joint), inverseBindMatrices: inverses, invMeshWorld: MIRROR, boneTexture: {}, boneCount: joints.length, boneMatrices };
    const groups = createAnimationGroups({
      clips: liteClips, nodes, skeletons: [skeleton], morphBindings: [], nodeTargets: [], excludedNodeIndices: new Set(skeleton.jointNodes), nodeNames: [],
    });
    addAnimationGroups(manager, groups);
    for (const group of groups) {
      playAnimation(group);
      group.currentTime = (index * 0.037) % group.duration;
    }
    return { groups, boneMatrices };
  });
  // In the frame in which it meets a character, whatever has no track is zero instead of at rest.
  characters.forEach(({ groups }) => groups.forEach((group) => (group.weight = 0.5)));
  updateAnimationManager(manager, 0);
  let frame = 0;
  return () => {
    const weight = weightAt(frame++);
    for (const { groups } of characters) {
      groups[0].weight = weight;
      groups[1].weight = 1 - weight;
    }
    updateAnimationManager(manager, 1000 * DT);
    return characters[0].boneMatrices;
  };
}
