import { CanterError } from './error.js';

/**
 * What happens at the end of a clip: it holds its last pose, starts again, or runs back and forth. A number
 * plays it that often.
 */
export type LoopOption = 'once' | 'repeat' | 'pingpong' | number;

/** The codes of crates/canter-wasm. */
const LOOPS: Readonly<Record<string, number>> = { once: 0, repeat: 1, pingpong: 2 };
const TIMES = 3;

/** @internal The code of a loop, and how often it plays. */
export function loopCodes(loop: LoopOption): [mode: number, times: number] {
  const names = "'once', 'repeat', 'pingpong'";
  if (typeof loop === 'number') {
    if (!(Number.isInteger(loop) && loop >= 1 && loop < 2 ** 32)) {
      throw new CanterError(`the loop is ${loop}; give ${names}, or how often as a whole number from 1`);
    }
    return [TIMES, loop];
  }
  const code = LOOPS[loop];
  if (code === undefined) {
    throw new CanterError(`there is no loop '${String(loop)}'; give ${names}, or a number`);
  }
  return [code, 1];
}
