import { PropertyBinding, type AnimationClip, type KeyframeTrack } from 'three';

import { Handle } from '../handle.js';
import { loadGltfSync } from '../load.js';
import type { Runtime } from '../runtime.js';
import { clipFile, PROPERTIES, type PlayedTrack } from './clip-file.js';

/** three's numbers for keys that hold until the next, and for straight lines between them. */
const [DISCRETE, LINEAR] = [2300, 2301];

/** @internal A track that the module plays, and the name of the node that it moves. */
export interface NamedTrack extends PlayedTrack {
  readonly nodeName: string | undefined;
  /** Its place in the clip. */
  readonly index: number;
}

/** @internal A track that moves a whole property of a node as well, but is left to three.js. */
export type LeftTrack = Pick<NamedTrack, 'nodeName' | 'property'>;

interface Kept {
  readonly runtime: Runtime;
  readonly fingerprint: number;
  readonly sampler: ClipSampler;
}

/** By the clip itself: clones of a model share it. */
const known = new WeakMap<AnimationClip, Kept>();

/**
 * @internal A clip of three.js in the module: the tracks that move positions, quaternions and scales of nodes.
 * Everything that plays the clip shares it.
 */
export class ClipSampler {
  /** Those that the module plays. */
  readonly tracks: readonly NamedTrack[];
  /** What it moves without the module. A property is played by one of both alone. */
  readonly left: readonly LeftTrack[];
  readonly #handle: Handle | undefined;

  static of(runtime: Runtime, clip: AnimationClip): ClipSampler {
    const fingerprint = fingerprintOf(clip.tracks);
    const kept = known.get(clip);
    if (kept?.fingerprint === fingerprint && kept.runtime === runtime) return kept.sampler;
    const sampler = ClipSampler.#make(runtime, clip);
    known.set(clip, { runtime, fingerprint, sampler });
    return sampler;
  }

  static #make(runtime: Runtime, clip: AnimationClip): ClipSampler {
    const { tracks, left, joints } = namedTracks(clip.tracks);
    if (tracks.length === 0) return new ClipSampler(runtime, 0, [], left);
    try {
      const asset = loadGltfSync(runtime, clipFile(clip.name, joints, tracks), { images: false });
      const id = runtime._exports.sampler_new(asset._id);
      asset.dispose();
      return new ClipSampler(runtime, id, tracks, left);
    } catch {
      // Times that run backwards, values of NaN: three.js does with them whatever it does.
      return new ClipSampler(runtime, 0, [], [...left, ...tracks]);
    }
  }

  private constructor(runtime: Runtime, id: number, tracks: readonly NamedTrack[], left: readonly LeftTrack[]) {
    this.tracks = tracks;
    this.left = left;
    if (id !== 0) this.#handle = new Handle(this, 'ClipSampler', runtime, id, (exports, id) => exports.sampler_free(id));
  }

  get id(): number {
    return this.#handle?.id ?? 0;
  }
}

/** @internal Tracks that the module can play. Those of a node share a joint, unless a property has two tracks. */
export function namedTracks(all: readonly KeyframeTrack[]): { tracks: NamedTrack[]; left: LeftTrack[]; joints: number } {
  const tracks: NamedTrack[] = [];
  const left: LeftTrack[] = [];
  const taken = new Map<string, number>();
  let joints = 0;
  for (const [index, track] of all.entries()) {
    const interpolation = interpolationOf(track);
    const parsed: Partial<ReturnType<typeof PropertyBinding.parseTrackName>> = PropertyBinding.parseTrackName(track.name);
    const { nodeName, objectName, propertyName, propertyIndex } = parsed;
    const property = PROPERTIES.findIndex((name) => name === propertyName);
    if (objectName !== undefined || propertyIndex !== undefined || property < 0) continue;
    const isRotation = track.ValueTypeName === 'quaternion';
    const size = track.values.length / track.times.length / (interpolation === 'CUBICSPLINE' ? 3 : 1);
    if (interpolation === undefined || isRotation !== (property === 1) || size !== (isRotation ? 4 : 3)) {
      left.push({ nodeName, property });
      continue;
    }
    // The first joint of this node whose property is free.
    let joint: number | undefined;
    for (let copy = 0; joint === undefined; copy++) {
      const place = `${copy} ${nodeName ?? ''}`;
      if (!taken.has(place)) taken.set(place, joints++);
      const candidate = taken.get(place) as number;
      const key = `${candidate}.${property}`;
      if (!taken.has(key)) {
        taken.set(key, candidate);
        joint = candidate;
      }
    }
    tracks.push({ track, index, nodeName, joint, property, interpolation });
  }
  return { tracks, left, joints };
}

/** Undefined for what three.js interpolates in ways of its own: smooth curves, whose ends depend on the loop. */
function interpolationOf(track: KeyframeTrack): PlayedTrack['interpolation'] | undefined {
  const factory = (track as unknown as { createInterpolant?: { isInterpolantFactoryMethodGLTFCubicSpline?: boolean } }).createInterpolant;
  if (factory?.isInterpolantFactoryMethodGLTFCubicSpline) return 'CUBICSPLINE';
  const interpolation = track.getInterpolation() as number;
  return interpolation === LINEAR ? 'LINEAR' : interpolation === DISCRETE ? 'STEP' : undefined;
}

/** Of long lists about so many numbers are looked at. */
const LOOKED_AT = 16;

/** Meets all of x, y, z and w. */
function strideOf(length: number): number {
  const stride = Math.floor(length / LOOKED_AT) | 1;
  return stride % 3 === 0 ? stride + 2 : stride;
}

/** Numbers that differ by less than its inverse are taken for the same. */
const SCALE = 2 ** 24;

/** Differs when tracks were exchanged or their numbers changed: `makeClipAdditive`, `trim` and others edit in place. */
function fingerprintOf(tracks: readonly KeyframeTrack[]): number {
  let hash = tracks.length;
  for (const track of tracks) {
    const interpolation = interpolationOf(track);
    hash = (Math.imul(hash, 31) + (interpolation?.length ?? 0)) | 0;
    for (const numbers of [track.times, track.values]) {
      const stride = strideOf(numbers.length);
      for (let index = 0; index < numbers.length; index += stride) hash = (Math.imul(hash, 31) + SCALE * Number(numbers[index])) | 0;
    }
  }
  return hash;
}
