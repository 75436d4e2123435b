import type { Vec3 } from './math.js';

/** The colours of ground and sky, in linear light before they are toned. */
export interface Look {
  /** Where ground and sky meet. */
  far: Vec3;
  /** The ground at the hero's feet. */
  near: Vec3;
  sky: Vec3;
  /** What a line of the ground adds to it. */
  grid: number;
  /** How dark shadows are. */
  shadow: number;
}

const DARK: Look = { far: [0.105, 0.118, 0.15], near: [0.26, 0.29, 0.35], sky: [0.028, 0.036, 0.062], grid: 0.1, shadow: 0.5 };
const LIGHT: Look = { far: [0.86, 0.89, 0.94], near: [1.12, 1.13, 1.14], sky: [0.6, 0.7, 0.86], grid: -0.13, shadow: 0.3 };

const prefersLight = matchMedia('(prefers-color-scheme: light)');

/** As the rest of the screen is. */
export function currentLook(): Look {
  return prefersLight.matches ? LIGHT : DARK;
}
