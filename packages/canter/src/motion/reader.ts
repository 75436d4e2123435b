import { DescriptionReader } from '../description.js';

const words = new Uint32Array(2);
const doubles = new Float64Array(words.buffer);

/** @internal Reads what the module says of graphs. */
export class MotionReader extends DescriptionReader {
  double(): number {
    words[0] = this.number();
    words[1] = this.number();
    return doubles[0] as number;
  }

  /** A text that may be missing. */
  optional(): string | undefined {
    const isThere = this.number() !== 0;
    const text = this.text();
    return isThere ? text : undefined;
  }
}
