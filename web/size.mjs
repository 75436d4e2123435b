// What a visitor downloads, compressed: the package's JavaScript and one of the two modules.
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const dist = new URL('../packages/canter/dist/', import.meta.url);
const gzip = (name) => gzipSync(readFileSync(new URL(name, dist)), { level: 9 }).length;
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

const scripts = readdirSync(dist).filter((name) => name.endsWith('.js') && !/^(three|shaders)/.test(name));
const script = scripts.reduce((sum, name) => sum + gzip(name), 0);
for (const build of ['simd', 'plain']) {
  const module = gzip(`canter.${build}.wasm`);
  console.log(`canter (${build}): ${kilobytes(script + module)} gzip = module ${kilobytes(module)} + JavaScript ${kilobytes(script)}`);
}
