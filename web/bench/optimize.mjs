// `canter optimize` beside gltfpack and glTF-Transform, at equal error: the table of docs/optimize.md.
//
//     node web/bench/optimize.mjs CANTER TOOLS FILE...
//
// CANTER is the program, TOOLS a folder where `npm install gltfpack @gltf-transform/cli` was run. Each tool makes a file
// smaller; `canter compare` measures what the same did to the clips of a copy whose nodes all have names; and `canter optimize` gets that error as its bound. Sizes are
// without pictures, which some tools put into the file and others leave beside it.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const [canter, tools, ...files] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'canter-optimize-'));
const tool = (name) => join(tools, 'node_modules/.bin', name);

const run = (program, args) => {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 });
  } catch {
    return undefined;
  }
};

/** A file with the buffers beside it, without pictures. */
function size(file) {
  const bytes = readFileSync(file);
  const isBinary = bytes.toString('latin1', 0, 4) === 'glTF';
  const json = JSON.parse(isBinary ? bytes.toString('utf8', 20, 20 + bytes.readUInt32LE(12)) : bytes.toString('utf8'));
  let sum = bytes.length;
  for (const { uri } of json.buffers ?? []) {
    const beside = uri === undefined || uri.startsWith('data:') ? undefined : join(dirname(file), decodeURIComponent(uri));
    if (beside !== undefined && existsSync(beside)) sum += statSync(beside).size;
  }
  for (const { uri, bufferView } of json.images ?? []) {
    if (uri?.startsWith('data:')) sum -= uri.length;
    if (bufferView !== undefined) sum -= json.bufferViews[bufferView].byteLength;
  }
  return sum;
}

/** Writes a copy for measuring: every node and clip has a name of its own, by which it is found again, and there are no pictures. */
function writeNamed(file, to) {
  const bytes = readFileSync(file);
  const isBinary = bytes.toString('latin1', 0, 4) === 'glTF';
  const end = isBinary ? 20 + bytes.readUInt32LE(12) : bytes.length;
  const json = JSON.parse(bytes.toString('utf8', isBinary ? 20 : 0, end));
  for (const list of ['images', 'textures', 'samplers']) delete json[list];
  json.materials = json.materials?.map(() => ({}));
  json.nodes?.forEach((node, index) => (node.name = `node ${index}`));
  json.animations?.forEach((animation, index) => (animation.name = `clip ${index}`));
  const data = (uri) => `data:application/octet-stream;base64,${readFileSync(join(dirname(file), decodeURIComponent(uri))).toString('base64')}`;
  for (const buffer of json.buffers ?? []) {
    if (buffer.uri !== undefined && !buffer.uri.startsWith('data:')) buffer.uri = data(buffer.uri);
  }
  const text = Buffer.from(JSON.stringify(json));
  if (!isBinary) return writeFileSync(to, text);
  const head = Buffer.alloc(20);
  const padding = Buffer.alloc((4 - (text.length % 4)) % 4, ' ');
  const rest = bytes.subarray(end);
  [0x46546c67, 2, 20 + text.length + padding.length + rest.length, text.length + padding.length, 0x4e4f534a].forEach((number, index) =>
    head.writeUInt32LE(number, 4 * index),
  );
  return writeFileSync(to, Buffer.concat([head, text, padding, rest]));
}

const PEERS = [
  { name: 'gltfpack -si 1 -noq', program: 'gltfpack', args: (from, to) => ['-i', from, '-o', to, '-si', '1', '-noq'], named: ['-kn'], ours: [] },
  { name: 'gltfpack', program: 'gltfpack', args: (from, to) => ['-i', from, '-o', to], named: ['-kn'], ours: ['--quantize'] },
  { name: 'gltf-transform resample', program: 'gltf-transform', args: (from, to) => ['resample', from, to], named: [], ours: [] },
];

/** What a tool and we make of a file: bytes, error in mm, bytes; nothing if the tool fails. */
function compare(file, { program, args, named, ours }) {
  const [theirs, measured, our] = ['theirs', 'measured', 'ours'].map((name) => join(folder, `${name}.glb`));
  for (const old of [theirs, measured, our]) rmSync(old, { force: true });
  const source = join(folder, `source${file.endsWith('.gltf') ? '.gltf' : '.glb'}`);
  writeNamed(file, source);
  run(tool(program), args(file, theirs));
  run(tool(program), [...args(source, measured), ...named]);
  const text = existsSync(theirs) ? run(canter, ['compare', source, measured, '--json']) : undefined;
  if (text === undefined) return undefined;
  const { clips, error_mm: error } = JSON.parse(text);
  const isWhole = clips.every((clip) => clip.error_mm !== null);
  run(canter, ['optimize', file, '-o', our, '--error', String(error), ...ours]);
  return { theirs: size(theirs), error, isWhole, ours: size(our) };
}

const rows = new Map();
for (const file of files) {
  const name = file.includes('AssetGenerator') ? 'all of AssetGenerator' : basename(file).replace(/\.\w+$/, '');
  const row = rows.get(name) ?? { size: 0, own: [0, 0], cells: PEERS.map(() => undefined) };
  rows.set(name, row);
  row.size += size(file);
  for (const [index, args] of [[], ['--quantize']].entries()) {
    run(canter, ['optimize', file, '-o', join(folder, 'own.glb'), ...args]);
    row.own[index] += size(join(folder, 'own.glb'));
  }
  for (const [index, peer] of PEERS.entries()) {
    const found = compare(file, peer);
    console.error(file, peer.name, found);
    if (found === undefined) continue;
    const sum = row.cells[index] ?? { theirs: 0, ours: 0, error: 0 };
    row.cells[index] = { theirs: sum.theirs + found.theirs, ours: sum.ours + found.ours, error: Math.max(sum.error, found.error), isWhole: found.isWhole && (sum.isWhole ?? true) };
  }
}
console.log(`| | bytes | canter, 0.1 mm | --quantize |${PEERS.map(({ name }) => ` ${name} | error in mm | canter |`).join('')}`);
console.log(`|---|---:|---:|---:|${PEERS.map(() => '---:|---:|---:|').join('')}`);
const sums = PEERS.map(() => ({ before: 0, theirs: 0, ours: 0 }));
for (const [name, row] of rows) {
  const cells = row.cells.map((cell, index) => {
    if (cell === undefined) return ' fails | | |';
    sums[index].before += row.size;
    sums[index].theirs += cell.theirs;
    sums[index].ours += cell.ours;
    const error = cell.error < 10 ? Number(cell.error.toPrecision(2)) : Math.round(cell.error);
    return ` ${cell.theirs} | ${error}${cell.isWhole ? '' : ', clips lost'} | ${cell.ours} |`;
  });
  console.log(`| ${name} | ${row.size} | ${row.own.join(' | ')} |${cells.join('')}`);
}
const total = [...rows.values()].reduce(([all, plain, small], { size, own }) => [all + size, plain + own[0], small + own[1]], [0, 0, 0]);
console.log(`| **all that the tool reads** | ${total.join(' | ')} |${sums.map(({ theirs, ours }) => ` ${theirs} | | **${ours}** |`).join('')}`);
rmSync(folder, { recursive: true });
