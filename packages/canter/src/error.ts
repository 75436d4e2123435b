/** Something that Canter was asked to do and cannot. The message says what to do instead. */
export class CanterError extends Error {
  override readonly name = 'CanterError';
}

/** @internal Throws unless the number is finite. */
export function checkFinite(value: number, what: string): void {
  if (!Number.isFinite(value)) {
    throw new CanterError(`${what} is ${String(value)}; give a finite number`);
  }
}

/** @internal Throws unless the number is finite and not negative. */
export function checkNotNegative(value: number, what: string): void {
  if (!(value >= 0 && value < Infinity)) {
    throw new CanterError(`${what} is ${String(value)}; give a finite number from 0`);
  }
}
