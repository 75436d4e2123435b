/** Something that Canter was asked to do and cannot. The message says what to do instead. */
export class CanterError extends Error {
  override readonly name: string = 'CanterError';
}

/** @internal Throws unless the number is finite, in the module too, which calculates with 32 bits. */
export function checkFinite(value: number, what: string): void {
  if (!Number.isFinite(Math.fround(value))) {
    throw new CanterError(`${what} is ${String(value)}; give a finite number below 3.4e38`);
  }
}

/** @internal The same, and the number must not be negative. */
export function checkNotNegative(value: number, what: string): void {
  if (!(value >= 0 && Math.fround(value) < Infinity)) {
    throw new CanterError(`${what} is ${String(value)}; give a finite number from 0, below 3.4e38`);
  }
}

/** @internal Throws unless an action can have this weight. */
export function checkWeight(weight: number): void {
  if (!(weight >= 0 && weight <= 1e18)) throw new CanterError(`the weight is ${String(weight)}; give a number from 0 to 1e18`);
}
