// Models as they are under three.js, made by code: like Xbot and Soldier of its examples; and RobotExpressive from its file.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const ROBOT = fileURLToPath(new URL('../../../shared/assets/RobotExpressive/RobotExpressive.glb', import.meta.url));

/** Spine, head, two arms with five fingers of four joints, two legs: 67 joints, as Mixamo's figures have them. */
function parents() {
  const list = [-1, 0, 1, 2, 3, 4, 5];
  const chain = (from, count) => {
    for (let index = 0; index < count; index++) list.push(index === 0 ? from : list.length - 1);
    return list.length - 1;
  };
  for (let side = 0; side < 2; side++) {
    const hand = chain(3, 4);
    for (let finger = 0; finger < 5; finger++) chain(hand, 4);
  }
  for (let side = 0; side < 2; side++) chain(0, 6);
  return list;
}

function geometry(joints) {
  const made = new THREE.BufferGeometry();
  const count = 3 * joints;
  const [positions, indices, weights] = [new Float32Array(3 * count), new Uint16Array(4 * count), new Float32Array(4 * count)];
  for (let vertex = 0; vertex < count; vertex++) {
    positions.set([Math.sin(vertex), Math.cos(vertex), 0.01 * vertex], 3 * vertex);
    indices[4 * vertex] = vertex % joints;
    weights[4 * vertex] = 1;
  }
  made.setAttribute('position', new THREE.BufferAttribute(positions, 3));
  made.setAttribute('skinIndex', new THREE.BufferAttribute(indices, 4));
  made.setAttribute('skinWeight', new THREE.BufferAttribute(weights, 4));
  return made;
}

function clip(name, count, keys, seed) {
  const times = Float32Array.from({ length: keys }, (_, key) => key / 30);
  const tracks = [new THREE.VectorKeyframeTrack('joint0.position', times, [...times].flatMap((time) => [0, 1 + 0.1 * Math.sin(time), 0]))];
  const [euler, quaternion] = [new THREE.Euler(), new THREE.Quaternion()];
  for (let joint = 0; joint < count; joint++) {
    const values = [];
    for (let key = 0; key < keys; key++) {
      euler.set(0.5 * Math.sin(key / 5 + joint + seed), 0.4 * Math.cos(key / 7 + 2 * joint), 0.3 * Math.sin(key / 3 + joint * seed));
      quaternion.setFromEuler(euler).toArray(values, 4 * key);
    }
    tracks.push(new THREE.QuaternionKeyframeTrack(`joint${joint}.quaternion`, times, values));
  }
  return new THREE.AnimationClip(name, -1, tracks);
}

function figure({ meshes, leavesArePlain }) {
  const list = parents();
  const isLeaf = (joint) => !list.includes(joint);
  const joints = list.map((_, joint) => {
    const made = leavesArePlain && isLeaf(joint) ? new THREE.Object3D() : new THREE.Bone();
    made.name = `joint${joint}`;
    made.position.set(0.02 * (joint % 3), 0.1, 0);
    return made;
  });
  const root = new THREE.Group();
  const armature = new THREE.Object3D();
  root.add(armature);
  list.forEach((parent, joint) => (parent < 0 ? armature : joints[parent]).add(joints[joint]));
  const skinned = Array.from({ length: meshes }, () => new THREE.SkinnedMesh(geometry(joints.length), new THREE.MeshBasicMaterial()));
  armature.add(...skinned);
  root.updateMatrixWorld(true);
  const skeleton = new THREE.Skeleton(joints);
  for (const mesh of skinned) mesh.bind(skeleton, mesh.matrixWorld);
  return { scene: root, clips: [clip('A', joints.length, 31, 1), clip('B', joints.length, 41, 2)] };
}

async function robot() {
  const bytes = readFileSync(ROBOT);
  const { scene, animations } = await new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');
  const named = (name) => THREE.AnimationClip.findByName(animations, name);
  return { scene, clips: [named('Walking'), named('Dance')] };
}

/** By name; each makes a scene and two clips. */
export const RIGS = {
  'like Xbot': () => figure({ meshes: 2, leavesArePlain: false }),
  'like Soldier': () => figure({ meshes: 2, leavesArePlain: true }),
  RobotExpressive: robot,
};
