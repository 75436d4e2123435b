// `canter optimize` beside gltfpack and glTF-Transform, at equal error: the table of docs/optimize.md.
//
//     node web/bench/optimize.mjs CANTER TOOLS FILE...
//
// CANTER is the program, TOOLS a folder where `npm install gltfpack @gltf-transform/cli` was run. Each tool makes a file
// smaller; `canter compare` measures what that did to its clips; and `canter optimize` gets the same error, but no less than
// 0.01 mm, as its bound.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const [canter, tools, ...files] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'canter-optimize-'));
const LEAST_MM = 0.01;

const run = (program, args) => {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 });
  } catch {
    return undefined;
  }
};

/** A file with the buffers beside it. */
function size(file) {
  let bytes = statSync(file).size;
  if (!file.endsWith('.gltf')) return bytes;
  for (const { uri } of JSON.parse(readFileSync(file, 'utf8')).buffers ?? []) {
    const beside = uri?.startsWith('data:') ? undefined : join(dirname(file), decodeURIComponent(uri));
    if (beside !== undefined && existsSync(beside)) bytes += statSync(beside).size;
  }
  return bytes;
}

// With and without names of nodes: the smaller one counts, the one with names is measured.
const PEERS = [
  { name: 'gltfpack -si 1 -noq', ours: [], make: (from, to) => run(join(tools, 'node_modules/.bin/gltfpack'), ['-i', from, '-o', to, '-si', '1', '-noq']),
    measure: (from, to) => run(join(tools, 'node_modules/.bin/gltfpack'), ['-i', from, '-o', to, '-si', '1', '-noq', '-kn']) },
  { name: 'gltfpack', ours: ['--quantize'], make: (from, to) => run(join(tools, 'node_modules/.bin/gltfpack'), ['-i', from, '-o', to]),
    measure: (from, to) => run(join(tools, 'node_modules/.bin/gltfpack'), ['-i', from, '-o', to, '-kn']) },
  { name: 'gltf-transform resample', ours: [], make: (from, to) => run(join(tools, 'node_modules/.bin/gltf-transform'), ['resample', from, to]) },
];

const sums = PEERS.map(() => [0, 0, 0]);
console.log(`| | bytes |${PEERS.map(({ name }) => ` ${name} | error | canter |`).join('')}`);
console.log(`|---|---:|${PEERS.map(() => '---:|---:|---:|').join('')}`);
for (const file of files) {
  const cells = PEERS.map((peer, index) => {
    const [theirs, measured, ours] = ['theirs', 'measured', 'ours'].map((name) => join(folder, `${name}.glb`));
    for (const old of [theirs, measured, ours]) rmSync(old, { force: true });
    peer.make(file, theirs);
    if (!existsSync(theirs)) return ' fails | | |';
    (peer.measure ?? peer.make)(file, measured);
    const error = JSON.parse(run(canter, ['compare', file, measured, '--json']) ?? '{"error_mm":null}').error_mm;
    if (error === null) return ` ${size(theirs)} | ? | |`;
    run(canter, ['optimize', file, '-o', ours, '--error', String(Math.max(error, LEAST_MM)), ...peer.ours]);
    sums[index] = [sums[index][0] + size(file), sums[index][1] + size(theirs), sums[index][2] + size(ours)];
    return ` ${size(theirs)} | ${error.toFixed(3)} mm | ${size(ours)} |`;
  });
  console.log(`| ${basename(file).replace(/\.\w+$/, '')} | ${size(file)} |${cells.join('')}`);
}
console.log(`| **all that each tool reads** | |${sums.map(([, theirs, ours]) => ` ${theirs} | | **${ours}** |`).join('')}`);
rmSync(folder, { recursive: true });
