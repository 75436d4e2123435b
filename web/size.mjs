// What a visitor downloads, compressed: the package's JavaScript and one of its modules. Fails where that is more than promised.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/**
 * Each with the script that loads it. `canter` animates: with its loader, masks, layers, additive clips, all kinds of fades, markers, root
 * motion, actions in step and crowds. `canter-three` is what the adapter for three.js asks for, `canter-meshes` what those do who draw,
 * `canter-motion` those who have graphs or solvers.
 * three.js takes 101 kB for its mixer and loader. The plain build has all of it and is for browsers from before 2023, which have no SIMD:
 * kernels are written for eight lanes, and there each lane is code of its own.
 */
const MOST_BYTES = {
  canter: { simd: 127_400 },
  'canter-three': { simd: 130_600 },
  'canter-meshes': { simd: 154_900 },
  'canter-motion': { simd: 247_400, plain: 265_800 },
};

const dist = new URL('../packages/canter/dist/', import.meta.url);
const file = (name) => readFileSync(new URL(name, dist));
const gzip = (name) => gzipSync(file(name), { level: 9 }).length;
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

/** A script and those that it imports. */
function withImports(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, other] of file(name).toString().matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) withImports(other, found);
  return found;
}

/** What those load beside the module who have it. */
const scripts = (name) => (name === 'canter-motion' ? ['index.js', 'graph.js', 'rig.js'] : ['index.js']);

for (const [name, builds] of Object.entries(MOST_BYTES)) {
  const found = new Set();
  for (const entry of scripts(name)) withImports(entry, found);
  const script = [...found].reduce((sum, name) => sum + gzip(name), 0);
  for (const [build, most] of Object.entries(builds)) {
    const module = file(build === 'plain' ? 'canter.plain.wasm.gz' : `${name}.${build}.wasm.gz`).length;
    console.log(`${name} (${build}): ${kilobytes(script + module)} gzip = module ${kilobytes(module)} + JavaScript ${kilobytes(script)}`);
    if (script + module > most) {
      console.error(`that is more than ${kilobytes(most)}`);
      process.exitCode = 1;
    }
  }
}
