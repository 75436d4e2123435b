import type { KeyframeTrack } from 'three';

import { GlbNumbers } from './glb.js';

/** What a track of a clip can move in the module: properties of nodes, by their names in three.js. */
export const PROPERTIES = ['position', 'quaternion', 'scale'] as const;

const PATHS = [
  { path: 'translation', type: 'VEC3', size: 3 },
  { path: 'rotation', type: 'VEC4', size: 4 },
  { path: 'scale', type: 'VEC3', size: 3 },
] as const;

/** @internal A track that the module plays: of which of a clip's nodes, and which property of it. */
export interface PlayedTrack {
  readonly track: KeyframeTrack;
  readonly joint: number;
  readonly property: number;
  readonly interpolation: 'STEP' | 'LINEAR' | 'CUBICSPLINE';
}

/** @internal The samplers and channels of tracks, as glTF has them. */
export function animation(numbers: GlbNumbers, tracks: readonly PlayedTrack[], node: (track: PlayedTrack) => number): object {
  const samplers = tracks.map(({ track, property, interpolation }) => {
    const { type, size } = PATHS[property] as (typeof PATHS)[number];
    const [input, output] = [numbers.add(track.times, 'SCALAR', 1), numbers.add(track.values, type, size)];
    return { input, output, interpolation };
  });
  const channels = tracks.map((track, sampler) => {
    const { path } = PATHS[track.property] as (typeof PATHS)[number];
    return { sampler, target: { node: node(track), path } };
  });
  return { samplers, channels };
}

/** @internal A clip as a file that the module loads: nodes side by side, of which only the tracks matter. */
export function clipFile(name: string, joints: number, tracks: readonly PlayedTrack[]): Uint8Array {
  const numbers = new GlbNumbers();
  const animations = [{ name, ...animation(numbers, tracks, ({ joint }) => joint) }];
  const nodes = Array.from({ length: joints }, (_, index) => ({ name: `${index}` }));
  return numbers.file({ asset: { version: '2.0' }, nodes, animations });
}
