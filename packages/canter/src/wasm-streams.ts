/**
 * How modules are shipped: what functions are made of lies apart by kind, operators in one stream, numbers of locals in another, offsets
 * into memory in a third. Each repeats itself in its own way, so that gzip makes a fifth less of them than of a module as it is.
 *
 *     magic, length of the module, where its functions begin, how many they are     32 bits each
 *     the length of each stream                                                    32 bits each
 *     stream 0: what is before and after the functions; streams 1 and on: the functions
 */
const MAGIC = 0x6d776363;
const HEADER_WORDS = 4;

/** What is beside functions, and then what is in them. */
const [REST, LOCAL_TYPES, OPERATORS, LOCALS, LABELS, CALLS, ALIGNMENTS, LOADS, STORES, INTEGERS, LONG_INTEGERS, FLOATS, VECTORS, OTHERS]
  = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] as const;
/** How many streams there are. */
export const STREAMS = 14;

/**
 * Walks over a function, from the types of its locals to its end. `move` copies the next byte of a stream and returns it: whoever has
 * streams takes it from there, and whoever has a module sorts it into them.
 */
export function walkFunction(move: (stream: number) => number): void {
  const integer = (stream: number): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = move(stream);
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const bytes = (stream: number, count: number): void => {
    while (count--) move(stream);
  };
  const memory = (stream: number): void => {
    integer(ALIGNMENTS);
    integer(stream);
  };
  const vector = (operator: number): void => {
    const isLane = operator > 83 && operator < 92;
    if (operator < 12 || isLane || operator === 92 || operator === 93) memory(operator === 11 || operator > 87 && isLane ? STORES : LOADS);
    else if (operator < 14) bytes(VECTORS, 16);
    if (isLane || operator > 20 && operator < 35) move(OTHERS);
  };

  for (let groups = integer(LOCAL_TYPES); groups; groups--) {
    integer(LOCAL_TYPES);
    move(LOCAL_TYPES);
  }
  for (let depth = 1; depth;) {
    const operator = move(OPERATORS);
    if (operator >= 0x28 && operator < 0x3f) memory(operator < 0x36 ? LOADS : STORES);
    else if (operator >= 0x20 && operator < 0x23) integer(LOCALS);
    else if (operator === 0xfd) vector(integer(OPERATORS));
    // Copies and fills of memory: 10 names two memories, 11 one.
    else if (operator === 0xfc) bytes(OTHERS, [2, 1][integer(OPERATORS) - 10] ?? 0);
    else if (operator === 0x41) integer(INTEGERS);
    else if (operator === 0x42) integer(LONG_INTEGERS);
    else if (operator === 0x43 || operator === 0x44) bytes(FLOATS, operator === 0x43 ? 4 : 8);
    else if (operator === 0x10) integer(CALLS);
    else if (operator === 0x11) {
      integer(CALLS);
      integer(CALLS);
    } else if (operator === 0x0b) depth--;
    else if (operator > 1 && operator < 5) {
      integer(OPERATORS);
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
  const move = (stream: number): number => {
    // Broken bytes might have no end.
    if (at >= module.length) throw new RangeError('streams of a module go on behind its end');
    return (module[at++] = bytes[places[stream]!++]!);
  };
  for (let count = word(3); count; count--) {
    // Its length is before the function, and known behind it.
    const begin = at;
    walkFunction(move);
    const size: number[] = [];
    let rest = at - begin;
    do size.push(rest > 127 ? rest & 127 | 128 : rest); while (rest >>= 7);
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
  const integer = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = module[at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  // The section of functions is the tenth kind.
  for (let size = 0; module[at++] !== 10; at += size) size = integer();
  integer();
  const count = integer();
  const [begin, streams] = [at, Array.from({ length: STREAMS }, (): number[] => [])];
  for (let index = 0; index < count; index++) {
    integer();
    walkFunction((stream) => {
      streams[stream]!.push(module[at]!);
      return module[at++]!;
    });
  }
  streams[REST] = [...module.subarray(0, begin), ...module.subarray(at)];
  const words = [MAGIC, module.length, begin, count, ...streams.map((stream) => stream.length)];
  const header = new DataView(new ArrayBuffer(4 * words.length));
  words.forEach((word, index) => header.setUint32(4 * index, word, true));
  return new Uint8Array([...new Uint8Array(header.buffer), ...streams.flat()]);
}
