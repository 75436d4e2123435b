import type { KeyframeTrack, Object3D, Skeleton } from 'three';

import { CanterError } from './error.js';
import { fullValues, type BlendedClip, type Rest } from './three-additive.js';

/** three's number for keys that hold until the next. */
const DISCRETE = 2300;

const PATHS: Readonly<Record<keyof Rest, { path: string; type: string; size: number }>> = {
  position: { path: 'translation', type: 'VEC3', size: 3 },
  quaternion: { path: 'rotation', type: 'VEC4', size: 4 },
  scale: { path: 'scale', type: 'VEC3', size: 3 },
  morphTargetInfluences: { path: 'weights', type: 'SCALAR', size: 1 },
};

/** The numbers of a file, one list behind another. */
class Numbers {
  readonly accessors: object[] = [];
  readonly views: object[] = [];
  readonly #parts: Float32Array[] = [];
  #bytes = 0;

  add(numbers: ArrayLike<number>, type: string, size: number): number {
    const part = Float32Array.from(numbers);
    this.views.push({ buffer: 0, byteOffset: this.#bytes, byteLength: part.byteLength });
    this.accessors.push({ bufferView: this.views.length - 1, componentType: 5126, count: part.length / size, type });
    this.#parts.push(part);
    this.#bytes += part.byteLength;
    return this.accessors.length - 1;
  }

  /** A .glb file. */
  file(json: object): Uint8Array {
    const whole = { ...json, accessors: this.accessors, bufferViews: this.views, buffers: this.#bytes > 0 ? [{ byteLength: this.#bytes }] : [] };
    const text = new TextEncoder().encode(JSON.stringify(whole));
    const padded = Math.ceil(text.length / 4) * 4;
    const bytes = new Uint8Array(28 + padded + this.#bytes);
    const view = new DataView(bytes.buffer);
    const words = [0x46546c67, 2, bytes.length, padded, 0x4e4f534a];
    for (const [index, word] of words.entries()) view.setUint32(4 * index, word, true);
    bytes.fill(0x20, 20, 20 + padded).set(text, 20);
    view.setUint32(20 + padded, this.#bytes, true);
    view.setUint32(24 + padded, 0x004e4942, true);
    let at = 28 + padded;
    for (const part of this.#parts) {
      bytes.set(new Uint8Array(part.buffer), at);
      at += part.byteLength;
    }
    return bytes;
  }
}

/** @internal What is below an object of three.js, as a file that Canter loads. */
export interface Encoded {
  readonly file: Uint8Array;
  /** The clips that are in it, in order: those that move anything here. Additive ones are added to rest. */
  readonly clips: readonly BlendedClip[];
  /** Places of the nodes that clips move. */
  readonly moved: ReadonlySet<number>;
  /** Places of the nodes whose morph targets clips weigh. */
  readonly morphed: ReadonlySet<number>;
}

/** @internal Objects with what they are at rest. */
export function encode(
  nodes: readonly Object3D[],
  rests: readonly Rest[],
  skeletons: readonly Skeleton[],
  clips: readonly BlendedClip[],
): Encoded {
  const numbers = new Numbers();
  const places = new Map(nodes.map((node, index) => [node, index]));
  const meshes: object[] = [];
  const encodedNodes = nodes.map((node, index) => {
    const children = node.children.map((child) => places.get(child)).filter((child) => child !== undefined);
    const { position, quaternion, scale, morphTargetInfluences: weights } = rests[index] as Rest;
    if (weights.length > 0) {
      numbers.accessors.push({ componentType: 5126, count: 1, type: 'VEC3' });
      const zero = { POSITION: numbers.accessors.length - 1 };
      meshes.push({ primitives: [{ attributes: zero, mode: 0, targets: weights.map(() => zero) }], weights });
    }
    return {
      // Names need not be unique in three.js; these are, and they are the same in every file of this object.
      name: `${index}`,
      translation: position,
      rotation: quaternion,
      scale,
      ...(children.length > 0 && { children }),
      ...(weights.length > 0 && { mesh: meshes.length - 1 }),
    };
  });
  const skins = skeletons.map((skeleton) => ({
    joints: skeleton.bones.map((bone) => {
      const place = places.get(bone);
      if (place === undefined) throw new CanterError(`bone "${bone.name}" is not below the object that the mixer was made for; give a common parent of both`);
      return place;
    }),
    inverseBindMatrices: numbers.add(skeleton.boneInverses.flatMap((matrix) => matrix.elements), 'MAT4', 16),
  }));
  const encodedClips = clips
    .map((blended) => ({ blended, ...encodeClip(blended, nodes, rests, numbers) }))
    .filter(({ channels }) => channels.length > 0);
  const animations = encodedClips.map(({ blended: { clip }, samplers, channels }) => ({
    name: clip.name,
    samplers,
    channels,
    // Markers, and how fast it walks. Clips of older versions of three.js have no such data.
    extras: (clip as { userData?: object }).userData,
  }));
  const targets = encodedClips.flatMap(({ channels }) => channels.map(({ target }) => target));
  const [morphing, moving] = [targets.filter(({ path }) => path === 'weights'), targets.filter(({ path }) => path !== 'weights')];
  return {
    file: numbers.file({ asset: { version: '2.0' }, nodes: encodedNodes, meshes, skins, animations }),
    clips: encodedClips.map(({ blended }) => blended),
    moved: new Set(moving.map(({ node }) => node)),
    morphed: new Set(morphing.map(({ node }) => node)),
  };
}

function encodeClip(
  { clip, isAdditive }: BlendedClip,
  nodes: readonly Object3D[],
  rests: readonly Rest[],
  numbers: Numbers,
) {
  const samplers: object[] = [];
  const channels: { sampler: number; target: { node: number; path: string } }[] = [];
  for (const track of clip.tracks) {
    const dot = track.name.lastIndexOf('.');
    const [name, property] = [track.name.slice(0, dot), track.name.slice(dot + 1)];
    const node = nodes.findIndex((object) => object.name === name || object.uuid === name);
    const target = Object.hasOwn(PATHS, property) ? PATHS[property as keyof Rest] : undefined;
    // What is not below the root, and properties that are no pose (a material's colour), are left to others. No name is the root.
    if (name === '' || node < 0 || !target) continue;
    const interpolation = interpolationOf(track);
    const isCubic = interpolation === 'CUBICSPLINE';
    const values = isAdditive
      ? fullValues(track.values, property as keyof Rest, rests[node] as Rest, isCubic)
      : track.values;
    samplers.push({
      input: numbers.add(track.times, 'SCALAR', 1),
      output: numbers.add(values, target.type, target.size),
      interpolation,
    });
    channels.push({ sampler: samplers.length - 1, target: { node, path: target.path } });
  }
  return { samplers, channels };
}

function interpolationOf(track: KeyframeTrack): string {
  const factory = (track as unknown as { createInterpolant?: { isInterpolantFactoryMethodGLTFCubicSpline?: boolean } }).createInterpolant;
  if (factory?.isInterpolantFactoryMethodGLTFCubicSpline) return 'CUBICSPLINE';
  return (track.getInterpolation() as number) === DISCRETE ? 'STEP' : 'LINEAR';
}
