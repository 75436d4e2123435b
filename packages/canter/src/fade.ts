import { easingCode, type Easing } from './easing.js';
import { CanterError, checkNotNegative } from './error.js';

/**
 * How a fade leads from what plays to what comes.
 *
 * - `cross`: both play on, and their shares change.
 * - `inertial`: only what comes plays; the difference to the pose on screen dies away, with the velocity that
 *   was there. Quick and lively, for short fades between poses that are not far apart.
 * - `dead`: only what comes plays; the pose on screen moves on with its velocity, which dies away, and is
 *   blended over. For games in which anything may interrupt anything.
 */
export type FadeKind = 'cross' | 'inertial' | 'dead';

/** How long a fade takes, on which curve, and how it leads. */
export interface Fade {
  /** In seconds. */
  duration: number;
  /** The curve of a crossfade; straight unless said otherwise. The other kinds have their own. */
  easing?: Easing;
  /** How it leads from what plays to what comes; `cross` unless said otherwise. */
  kind?: FadeKind;
}

/**
 * A fade: a number of seconds, or more than that.
 *
 * ```ts
 * mixer.crossFadeTo('Run', 0.3);
 * mixer.crossFadeTo('Jump', { duration: 0.2, kind: 'dead' });
 * ```
 */
export type FadeOption = number | Fade;

/** The codes of crates/canter-wasm. */
const KINDS: Readonly<Record<FadeKind, number>> = { cross: 0, inertial: 8, dead: 16 };

/** @internal A fade as the module takes it: its length, and the codes of its curve and kind in one. */
export type FadeCodes = readonly [secs: number, code: number];

/** @internal A step from one to the other at once. */
export const AT_ONCE: FadeCodes = [0, 0];

/** @internal `what` is what the fade is called where it was given, `easing` one that was given beside it. */
export function fadeCodes(option: FadeOption, what: string, easing?: Easing): FadeCodes {
  if (typeof option === 'number') {
    checkNotNegative(option, what);
    return [option, easing === undefined ? 0 : easingCode(easing)];
  }
  if (typeof option !== 'object' || option === null) {
    throw new CanterError(`${what} is ${String(option)}; give seconds, or { duration, easing, kind }`);
  }
  const { duration, kind = 'cross' } = option;
  checkNotNegative(duration, what);
  const kindCode = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (kindCode === undefined) {
    throw new CanterError(`there is no fade '${String(kind)}'; give 'cross', 'inertial' or 'dead'`);
  }
  const curve = option.easing ?? easing;
  if (curve === undefined) return [duration, kindCode];
  const code = easingCode(curve);
  if (kindCode > 0) throw new CanterError(`a fade '${kind}' has a curve of its own; leave the easing out`);
  return [duration, code];
}

/** @internal The same for what only a curve can lead. */
export function curveCodes(option: FadeOption, what: string): FadeCodes {
  const codes = fadeCodes(option, what);
  if (codes[1] >= KINDS.inertial) throw new CanterError('a weight has no pose to start from; leave the kind out');
  return codes;
}
