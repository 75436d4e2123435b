import { PropertyBinding, type AnimationClip, type Matrix4, type Mesh, type Object3D, type SkinnedMesh } from 'three';

import { CanterError } from '../error.js';
import { animation } from './clip-file.js';
import { namedTracks } from './clip-sampler.js';
import { GlbNumbers } from './glb.js';

/** @internal A mesh of a model, and which of a figure's matrices move it: one for each bone, or one alone. */
export interface ModelPart {
  readonly mesh: Mesh;
  readonly firstMatrix: number;
  readonly isSkinned: boolean;
}

/** @internal A model of three.js as a file that the module loads, with the matrices of all its meshes. */
export interface ModelFile {
  readonly file: Uint8Array;
  readonly parts: readonly ModelPart[];
  /** How many matrices a figure has. */
  readonly matrices: number;
  /** Tracks that a crowd does not play. */
  readonly left: readonly string[];
}

/** @internal Everything below a root, as it stands; matrices are relative to the root. */
export function modelFile(root: Object3D, clips: readonly AnimationClip[]): ModelFile {
  const numbers = new GlbNumbers();
  const nodes: Object3D[] = [];
  const meshes: Mesh[] = [];
  root.traverse((object) => {
    if (object !== root) nodes.push(object);
    if ((object as Mesh).isMesh) meshes.push(object as Mesh);
  });
  const places = new Map(nodes.map((node, place) => [node, place]));
  // The root itself may be a mesh, and tracks may move it: a node above all, which stays where it is.
  const top = nodes.length;
  const placeOf = (node: Object3D): number => {
    const place = node === root ? top : places.get(node);
    if (place === undefined) throw new CanterError(`bone "${node.name}" is not below the object that the crowd was made of; give a common parent of both`);
    return place;
  };
  const childrenOf = (node: Object3D) => node.children.map((child) => places.get(child)).filter((child) => child !== undefined);
  const encodedNodes = [...nodes, root].map((node, index) => ({
    name: `${index}`,
    ...(node !== root && { translation: node.position.toArray(), rotation: node.quaternion.toArray(), scale: node.scale.toArray() }),
    ...(childrenOf(node).length > 0 && { children: childrenOf(node) }),
  }));
  let matrices = 0;
  const skins: object[] = [];
  const parts = meshes.map((mesh): ModelPart => {
    const { isSkinnedMesh: isSkinned = false, skeleton, bindMatrix } = mesh as Partial<SkinnedMesh>;
    const joints = isSkinned && skeleton ? skeleton.bones.map(placeOf) : [placeOf(mesh)];
    const inverses = isSkinned && skeleton ? skeleton.boneInverses.map((inverse) => inverse.clone().multiply(bindMatrix as Matrix4)) : [mesh.matrix.clone().identity()];
    skins.push({ joints, inverseBindMatrices: numbers.add(inverses.flatMap(({ elements }) => [...elements]), 'MAT4', 16) });
    matrices += joints.length;
    return { mesh, firstMatrix: matrices - joints.length, isSkinned };
  });
  const left: string[] = [];
  const animations = clips.map((clip) => {
    const { tracks } = namedTracks(clip.tracks);
    const found = new Map(tracks.map((track) => [track, PropertyBinding.findNode(root, track.nodeName ?? '') as Object3D | null]));
    const played = tracks.filter((track) => found.get(track) && found.get(track) !== root);
    left.push(...clip.tracks.filter((track) => !played.some((one) => one.track === track)).map(({ name }) => `${clip.name}: ${name}`));
    return { name: clip.name, ...animation(numbers, played, (track) => placeOf(found.get(track as (typeof tracks)[number]) as Object3D)) };
  });
  const file = numbers.file({ asset: { version: '2.0' }, nodes: encodedNodes, skins, animations });
  return { file, parts, matrices, left };
}
