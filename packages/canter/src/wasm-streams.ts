/**
 * How modules are shipped: what functions are made of lies apart by kind, operators in one stream, numbers of locals in another, offsets
 * into memory in a third. Each repeats itself in its own way, so that gzip makes a quarter less of them than of a module as it is.
 *
 *     magic, length of the module, where its functions begin, how many they are     32 bits each
 *     the length of each stream                                                    32 bits each
 *     stream 0: what is before and after the functions; streams 1 and on: the functions
 *
 * Three things are written in another way than in a module. Most alignments are what the operator's type has by nature, and left out: an
 * operator with another one has a stand-in that WebAssembly does not use. So have constants that are addresses, or else long. And locals and
 * functions have no numbers: it is said how many others were used since, which are few.
 */
const MAGIC = 0x6d776365;
const HEADER_WORDS = 4;

/** What is beside functions, and then what is in them. */
export const [
  REST, LOCAL_TYPES, OPERATORS, READS, WRITES, BLOCK_TYPES, LABELS, CALLS, ALIGNMENTS, LOADS, LOAD_ENDS, STORES, STORE_ENDS, INTEGER_ENDS,
  LONG_INTEGERS, FLOATS, VECTORS, CALL_ENDS, OTHERS, ADDRESSES, INTEGERS,
] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20] as const;
/** What becomes of an integer says most about it: it has one of 16 streams, by the kind of the operator behind it. */
const KIND_BITS = 4;
/** How many streams there are. */
export const STREAMS = INTEGERS + 16;

/** For operators that read or write memory, but for those of vectors, the usual alignment as a power of two; others have less than 0. */
export const NATURAL_ALIGNMENTS = new Int8Array(256).fill(-1);
NATURAL_ALIGNMENTS.set([2, 3, 2, 3, 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 2, 3, 2, 3, 0, 1, 0, 1, 2], 0x28);
/** From such an operator to its stand-in, and the first and last of those. */
const STAND_IN = 0xb8;
const [FIRST_STAND_IN, LAST_STAND_IN] = [0xe0, 0xf6] as const;
const [CONSTANT, LONG_CONSTANT] = [0x41, 0xf7] as const;
/** Bytes of a constant that is not long. */
const LONGEST_SHORT = 2;

/** The operator that a byte of the stream of operators means. */
function standsFor(found: number): number {
  if (found === LONG_CONSTANT) return CONSTANT;
  return found >= FIRST_STAND_IN && found <= LAST_STAND_IN ? found - STAND_IN : found;
}

/** No engine takes a function with more locals, and no module of ours has as many functions. */
const MOST = 50_000;

/** One way or the other between a module and its streams. */
export interface Way {
  /** Copies the next byte of a stream and returns it. */
  move(stream: number): number;
  /** The same for an operator, together with its alignment if it has one and is none of vectors. `LONG_CONSTANT` is one of its own. */
  moveOperator(): number;
  /** The operator behind the integer that comes next. */
  peekOperator(): number;
  /** Copies the number of a local or a function. Bytes of large ones have a stream for the first and one for the others. */
  moveRecent(recent: Recent, stream: number, ends: number): void;
}

/** A number of which each byte holds seven bits, the lowest first. */
export function readInteger(next: (isFirst: boolean) => number): number {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = next(!shift);
    value |= (byte & 127) << shift;
    if (byte < 128) return value;
  }
}

export function writeInteger(value: number, write: (byte: number) => void): void {
  for (; value > 127; value >>= 7) write(value & 127 | 128);
  write(value);
}

/** Locals or functions by their numbers, those that were used last before all others. */
export class Recent {
  readonly #numbers: number[] = [];

  /** Uses the one at a place, and returns its number. */
  use(place: number): number {
    if (place >>> 0 >= MOST) throw new RangeError('a module has too many locals or functions');
    const numbers = this.#numbers;
    // Those that were not used yet stand in their order.
    while (numbers.length <= place) numbers.push(numbers.length);
    const number = numbers[place]!;
    for (; place; place--) numbers[place] = numbers[place - 1]!;
    numbers[0] = number;
    return number;
  }

  /** Where one is. */
  placeOf(number: number): number {
    const place = this.#numbers.indexOf(number);
    return place < 0 ? number : place;
  }
}

/** Walks over a function, from the types of its locals to its end. `functions` are those that it and others before it called. */
export function walkFunction(way: Way, functions: Recent): void {
  const move = (stream: number): number => way.move(stream);
  const integer = (stream: number, others = stream): number => readInteger((isFirst) => move(isFirst ? stream : others));
  const bytes = (stream: number, count: number): void => {
    while (count--) move(stream);
  };
  const offset = (isStore: boolean): number => (isStore ? integer(STORES, STORE_ENDS) : integer(LOADS, LOAD_ENDS));
  const vector = (operator: number): void => {
    const isLane = operator > 83 && operator < 92;
    if (operator < 12 || isLane || operator === 92 || operator === 93) {
      move(ALIGNMENTS);
      offset(operator === 11 || operator > 87 && isLane);
    } else if (operator < 14) bytes(VECTORS, 16);
    if (isLane || operator > 20 && operator < 35) move(OTHERS);
  };

  for (let groups = integer(LOCAL_TYPES); groups; groups--) {
    integer(LOCAL_TYPES);
    move(LOCAL_TYPES);
  }
  const locals = new Recent();
  const moveLocal = (stream: number): void => way.moveRecent(locals, stream, stream);
  for (let depth = 1; depth;) {
    const operator = way.moveOperator();
    if (NATURAL_ALIGNMENTS[operator]! >= 0) offset(operator >= 0x36);
    else if (operator >= 0x20 && operator < 0x23) moveLocal(operator === 0x20 ? READS : WRITES);
    else if (operator === 0xfd) vector(integer(OPERATORS));
    // Copies and fills of memory: 10 names two memories, 11 one.
    else if (operator === 0xfc) bytes(OTHERS, [2, 1][integer(OPERATORS) - 10] ?? 0);
    else if (operator === CONSTANT) integer(INTEGERS + (way.peekOperator() >> KIND_BITS), INTEGER_ENDS);
    else if (operator === LONG_CONSTANT) integer(ADDRESSES);
    else if (operator === 0x42) integer(LONG_INTEGERS);
    else if (operator === 0x43 || operator === 0x44) bytes(FLOATS, operator === 0x43 ? 4 : 8);
    else if (operator === 0x10) way.moveRecent(functions, CALLS, CALL_ENDS);
    else if (operator === 0x11) {
      integer(OTHERS);
      integer(OTHERS);
    } else if (operator === 0x0b) depth--;
    else if (operator > 1 && operator < 5) {
      integer(BLOCK_TYPES);
      depth++;
    } else if (operator === 0x0c || operator === 0x0d) integer(LABELS);
    else if (operator === 0x0e) for (let labels = integer(LABELS); labels-- >= 0;) integer(LABELS);
    else if (operator === 0x23 || operator === 0x24 || operator === 0x3f || operator === 0x40) integer(OTHERS);
  }
}

/** The module that bytes were made of; others as they are. */
export function joinStreams(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const word = (index: number): number => view.getUint32(4 * index, true);
  if (bytes.length < 4 * (HEADER_WORDS + STREAMS) || word(0) !== MAGIC) return bytes;
  const module = new Uint8Array(word(1));
  const places: number[] = [];
  let place = 4 * (HEADER_WORDS + STREAMS);
  for (let stream = 0; stream < STREAMS; stream++) {
    places.push(place);
    place += word(HEADER_WORDS + stream);
  }
  let at = word(2);
  const rest = bytes.subarray(places[REST], places[LOCAL_TYPES]);
  module.set(rest.subarray(0, at));
  const next = (stream: number): number => {
    const byte = bytes[places[stream]!++];
    // Broken bytes might have no end: neither here nor in the module.
    if (byte === undefined || at >= module.length) throw new RangeError('streams of a module go on behind its end');
    return byte;
  };
  const write = (byte: number): number => (module[at++] = byte);
  const move = (stream: number): number => write(next(stream));
  const way: Way = {
    move,
    moveOperator() {
      const found = next(OPERATORS);
      const operator = write(standsFor(found));
      if (found === LONG_CONSTANT) return found;
      const alignment = NATURAL_ALIGNMENTS[operator]!;
      if (found !== operator) move(ALIGNMENTS);
      else if (alignment >= 0) write(alignment);
      return operator;
    },
    peekOperator: () => standsFor(bytes[places[OPERATORS]!]!),
    moveRecent(recent, stream, ends) {
      writeInteger(recent.use(readInteger((isFirst) => next(isFirst ? stream : ends))), write);
    },
  };
  const functions = new Recent();
  for (let count = word(3); count; count--) {
    // Its length is before the function, and known behind it.
    const begin = at;
    walkFunction(way, functions);
    const size: number[] = [];
    writeInteger(at - begin, (byte) => size.push(byte));
    module.copyWithin(begin + size.length, begin, at);
    module.set(size, begin);
    at += size.length;
  }
  module.set(rest.subarray(word(2)), at);
  return module;
}

/** The same the other way round, for those who build the package. */
export function splitIntoStreams(module: Uint8Array): Uint8Array {
  let at = 8;
  const next = (): number => module[at++]!;
  const integer = (): number => readInteger(next);
  // The section of functions is the tenth kind.
  for (let size = 0; next() !== 10; at += size) size = integer();
  integer();
  const count = integer();
  const [begin, streams] = [at, Array.from({ length: STREAMS }, (): number[] => [])];
  const write = (stream: number, byte: number): number => {
    streams[stream]!.push(byte);
    return byte;
  };
  const behindInteger = (): number => {
    let end = at;
    while (module[end++]! > 127);
    return end;
  };
  const way: Way = {
    move: (stream) => write(stream, next()),
    moveOperator() {
      const operator = next();
      if (operator === CONSTANT && behindInteger() - at > LONGEST_SHORT) return write(OPERATORS, LONG_CONSTANT);
      const natural = NATURAL_ALIGNMENTS[operator]!;
      const alignment = natural < 0 ? natural : next();
      write(OPERATORS, alignment === natural ? operator : operator + STAND_IN);
      if (alignment !== natural) write(ALIGNMENTS, alignment);
      return operator;
    },
    peekOperator: () => module[behindInteger()]!,
    moveRecent(recent, stream, ends) {
      const place = recent.placeOf(integer());
      recent.use(place);
      let to = stream;
      writeInteger(place, (byte) => {
        write(to, byte);
        to = ends;
      });
    },
  };
  const functions = new Recent();
  for (let index = 0; index < count; index++) {
    integer();
    walkFunction(way, functions);
  }
  streams[REST] = [...module.subarray(0, begin), ...module.subarray(at)];
  const words = [MAGIC, module.length, begin, count, ...streams.map((stream) => stream.length)];
  const header = new DataView(new ArrayBuffer(4 * words.length));
  words.forEach((word, index) => header.setUint32(4 * index, word, true));
  return new Uint8Array([...new Uint8Array(header.buffer), ...streams.flat()]);
}
