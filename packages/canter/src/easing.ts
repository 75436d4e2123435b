import { CanterError } from './error.js';

/** The curve of a fade: straight, or slow at one end or both. */
export type Easing = 'linear' | 'quadraticIn' | 'quadraticOut' | 'quadraticInOut' | 'smoothStep' | 'smootherStep';

/** The codes of crates/canter-wasm. */
const EASINGS: Readonly<Record<Easing, number>> = {
  linear: 0,
  quadraticIn: 1,
  quadraticOut: 2,
  quadraticInOut: 3,
  smoothStep: 4,
  smootherStep: 5,
};

/** @internal */
export function easingCode(easing: Easing): number {
  const code = EASINGS[easing] as number | undefined;
  if (code === undefined) throw new CanterError(`there is no easing '${easing}'; give one of ${Object.keys(EASINGS).join(', ')}`);
  return code;
}
