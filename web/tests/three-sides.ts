// The same program on two sides: under three's own mixer, and under that of canter/three.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { AnimationMixer, init } from 'canter/three';
import * as THREE from 'three';
import { GLTFLoader, type GLTF } from 'three/addons/loaders/GLTFLoader.js';
import { clone } from 'three/addons/utils/SkeletonUtils.js';

import { HERO } from './common.js';

export interface Side {
  root: THREE.Object3D;
  mixer: THREE.AnimationMixer;
  /** What it told of. */
  told: string[];
}

export async function loadModel(file: string): Promise<GLTF> {
  const bytes = readFileSync(file);
  return new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer, '');
}

export const loadHero = (): Promise<GLTF> => loadModel(HERO);

export function named({ animations }: { animations: THREE.AnimationClip[] }, name: string): THREE.AnimationClip {
  const clip = THREE.AnimationClip.findByName(animations, name);
  assert.ok(clip, name);
  return clip;
}

/** two clones of a model in one world, each with its mixer: three's first. */
export async function twoSides(model: THREE.Object3D | (() => THREE.Object3D)): Promise<[Side, Side]> {
  await AnimationMixer.create(new THREE.Group());
  const world = new THREE.Scene();
  const side = (Mixer: typeof THREE.AnimationMixer): Side => {
    const root = typeof model === 'function' ? model() : clone(model);
    world.add(root);
    const mixer = new Mixer(root);
    const told: string[] = [];
    const tell = ({ type, action, ...rest }: { type: string; action: THREE.AnimationAction }) => told.push(`${type} ${action.getClip().name} ${JSON.stringify(rest, ['loopDelta', 'direction'])}`);
    mixer.addEventListener('loop', tell);
    mixer.addEventListener('finished', tell);
    return { root, mixer, told };
  };
  return [side(THREE.AnimationMixer), side(AnimationMixer)];
}

export { init };

/** How large a model is: what a part of it is measured by. */
export function sizeOf(root: THREE.Object3D): number {
  root.updateWorldMatrix(true, true);
  const box = new THREE.Box3();
  root.traverse((object) => box.expandByPoint(new THREE.Vector3().setFromMatrixPosition(object.matrixWorld)));
  return Math.max(box.getSize(new THREE.Vector3()).length(), 1e-6);
}

const listed = (root: THREE.Object3D): THREE.Object3D[] => {
  const list: THREE.Object3D[] = [];
  root.traverse((object) => list.push(object));
  return list;
};

/** How far apart the nodes of both are at most: places of three points of each node in the world, as a part of the model. */
export function apart([theirs, ours]: readonly [Side, Side], size = sizeOf(theirs.root)): number {
  let most = 0;
  const [list, other] = [listed(theirs.root), listed(ours.root)];
  assert.equal(list.length, other.length);
  const points = [[0, 0, 0], [0.1 * size, 0, 0], [0, 0.1 * size, 0]] as const;
  for (const [index, node] of list.entries()) {
    for (const point of points) {
      const [a, b] = [node, other[index]!].map(({ matrixWorld }) => new THREE.Vector3(...point).applyMatrix4(matrixWorld));
      most = Math.max(most, a!.distanceTo(b!) / size);
    }
  }
  return most;
}

/** The same for what the GPU gets: palettes, and the matrices around them. */
export function skinsApart([theirs, ours]: readonly [Side, Side]): number {
  let most = 0;
  const other = listed(ours.root);
  for (const [index, node] of listed(theirs.root).entries()) {
    const [mesh, own] = [node as THREE.SkinnedMesh, other[index] as THREE.SkinnedMesh];
    if (!mesh.isSkinnedMesh) continue;
    mesh.skeleton.update();
    own.skeleton.update();
    const numbers = ({ skeleton, bindMatrix, bindMatrixInverse }: THREE.SkinnedMesh) => [...skeleton.boneMatrices!, ...bindMatrix.elements, ...bindMatrixInverse.elements];
    const [a, b] = [numbers(mesh), numbers(own)];
    for (const [place, number] of a.entries()) most = Math.max(most, Math.abs(number - b[place]!));
  }
  return most;
}

/** Runs the same on both sides, frame by frame, and compares all there is. `within` is a part of the model. */
export function play(sides: readonly [Side, Side], frames: number, step: (side: Side, frame: number) => void, within = 1e-5): void {
  const size = sizeOf(sides[0].root);
  for (let frame = 0; frame < frames; frame++) {
    for (const side of sides) step(side, frame);
    for (const { root } of sides) root.parent!.updateMatrixWorld();
    const distance = apart(sides, size);
    assert.ok(distance <= within, `frame ${frame}: ${distance} of the model apart`);
    const skins = skinsApart(sides);
    assert.ok(skins <= within * Math.max(size, 1) * 20, `frame ${frame}: palettes ${skins} apart`);
    assert.deepEqual(sides[1].told, sides[0].told, `frame ${frame}`);
    assert.equal(sides[1].mixer.time, sides[0].mixer.time);
  }
}
