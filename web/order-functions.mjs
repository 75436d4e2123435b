// The same module with its functions in another order: those that are alike lie side by side, so that gzip, which looks back 32 KiB,
// finds in the last one what repeats in the next.

/** Sections by their number, as the specification of WebAssembly has them. */
const [FUNCTIONS, EXPORTS, START, ELEMENTS, CODE] = [3, 7, 8, 9, 10];
/** How many operators in a row are compared. */
const RUN = 4;

/** Takes what `wasm-streams.ts` exports. */
export function orderFunctions(module, { CALLS, NATURAL_ALIGNMENTS, OPERATORS, readInteger, walkFunction, writeInteger }) {
  let at = 8;
  const next = () => module[at++];
  const integer = () => readInteger(next);
  const bytesOf = (value) => {
    const bytes = [];
    writeInteger(value, (byte) => bytes.push(byte));
    return bytes;
  };

  /** What is at `at`: its bytes with other numbers of functions, and its operators. */
  function copyFunction(numberOf) {
    const [bytes, operators] = [[], []];
    const move = (stream) => {
      const byte = next();
      bytes.push(byte);
      if (stream === OPERATORS) operators.push(byte);
      return byte;
    };
    walkFunction({
      move,
      moveOperator() {
        const operator = move(OPERATORS);
        if (NATURAL_ALIGNMENTS[operator] >= 0) move();
        return operator;
      },
      peekOperator: () => 0,
      moveRecent(_, stream) {
        const number = integer();
        bytes.push(...bytesOf(stream === CALLS ? numberOf(number) : number));
      },
    });
    return { bytes, operators };
  }

  const sections = [];
  while (at < module.length) {
    const kind = next();
    const size = integer();
    sections.push({ kind, begin: at, end: (at += size) });
  }
  /** The functions of the module, copied one after the other. */
  const copyFunctions = (numberOf) => {
    at = sections.find(({ kind }) => kind === CODE).begin;
    return Array.from({ length: integer() }, () => {
      integer();
      return copyFunction(numberOf);
    });
  };
  if (sections.some(({ kind }) => kind === 2)) throw new Error('a module that imports has other numbers of functions');
  const order = inOrder(copyFunctions((number) => number).map(({ operators }) => runsOf(operators)));
  const numbers = new Map(order.map((was, is) => [was, is]));
  const functions = copyFunctions((number) => numbers.get(number));

  const written = {
    [FUNCTIONS]() {
      const types = Array.from({ length: integer() }, integer);
      return [...bytesOf(types.length), ...order.flatMap((was) => bytesOf(types[was]))];
    },
    [EXPORTS]() {
      const count = integer();
      const bytes = bytesOf(count);
      for (let index = 0; index < count; index++) {
        const length = integer();
        const name = module.subarray(at, (at += length));
        const kind = next();
        const number = integer();
        bytes.push(...bytesOf(length), ...name, kind, ...bytesOf(kind ? number : numbers.get(number)));
      }
      return bytes;
    },
    [START]: () => bytesOf(numbers.get(integer())),
    [ELEMENTS]() {
      // One list for the one table: flags, `i32.const` where it begins, `end`, and the functions.
      const head = [next(), next(), next(), ...bytesOf(integer()), next()];
      if (head[0] !== 1 || head[1] || head[2] !== 0x41 || head.at(-1) !== 0x0b) throw new Error('a list of functions in another way than usual');
      const list = Array.from({ length: integer() }, integer);
      return [...head, ...bytesOf(list.length), ...list.flatMap((was) => bytesOf(numbers.get(was)))];
    },
    [CODE]: () => [
      ...bytesOf(functions.length),
      ...order.flatMap((was) => [...bytesOf(functions[was].bytes.length), ...functions[was].bytes]),
    ],
  };
  const bytes = [...module.subarray(0, 8)];
  for (const { kind, begin, end } of sections) {
    at = begin;
    const section = written[kind]?.() ?? [...module.subarray(begin, end)];
    bytes.push(kind, ...bytesOf(section.length));
    for (const byte of section) bytes.push(byte);
  }
  return Buffer.from(bytes);
}

/** Which operators follow each other. */
function runsOf(operators) {
  const runs = new Set();
  for (let from = 0; from + RUN <= operators.length; from++) runs.add(operators.slice(from, from + RUN).join());
  return runs;
}

/** Beginning with the first, always the one that is most like the one before. */
function inOrder(functions) {
  const left = new Set(functions.keys());
  const order = [];
  for (let last = 0; left.size;) {
    order.push(last);
    left.delete(last);
    let best = -1;
    for (const other of left) {
      const likeness = likenessOf(functions[order.at(-1)], functions[other]);
      if (likeness > best) [best, last] = [likeness, other];
    }
  }
  return order;
}

/** How many runs two have in common, as a share of what either has. */
function likenessOf(one, other) {
  const [less, more] = one.size < other.size ? [one, other] : [other, one];
  let common = 0;
  for (const run of less) if (more.has(run)) common++;
  return common / (one.size + other.size - common + 1);
}
