/** What to say when there is no clip or bone of a name: which was probably meant, and which there are. */
export function missingName(what: string, name: string, names: readonly string[], where = 'the file'): string {
  const shown = 20;
  const quoted = (name: string, index: number) => (name === '' ? `(unnamed, index ${index})` : `"${name}"`);
  const list = names.slice(0, shown).map(quoted);
  const more = names.length > shown ? ` and ${names.length - shown} more` : '';
  const found = suggestion(name.toLowerCase(), names);
  const start = `there is no ${what} "${name}"; ` + (found === undefined ? '' : `did you mean "${found}"? `);
  if (list.length === 0) return `${start}${where} has no ${what}s`;
  return `${start}the ${what}s are ${list.join(', ')}${more}`;
}

/**
 * A third of the letters may be wrong, or the name may be part of the longer one ("Walk", "Armature|Walk").
 */
function suggestion(wanted: string, names: readonly string[]): string | undefined {
  if (wanted === '') return undefined;
  let [best, nearest]: [string | undefined, number] = [undefined, Math.ceil(wanted.length / 3)];
  for (const name of names) {
    const distance = editDistance(wanted, name.toLowerCase());
    const isBetter = distance < nearest || (distance === nearest && best === undefined);
    if (name !== '' && isBetter) [best, nearest] = [name, distance];
  }
  return best ?? names.find((name) => name.toLowerCase().includes(wanted));
}

/**
 * How many letters must be changed, added or removed to make one word of the other. A long one is no
 * misspelling of anything.
 */
function editDistance(a: string, b: string): number {
  const [from, to] = [[...a].slice(0, 64), [...b].slice(0, 64)];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of from.entries()) {
    const next = [index + 1];
    to.forEach((other, at) => {
      const replaced = row[at]! + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, next[at]! + 1, row[at + 1]! + 1));
    });
    row = next;
  }
  return row[to.length]!;
}
