// The package's scripts: small, since every visitor waits for them, with maps that lead back to the sources.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { gzipAsync } from '@gfx/zopfli';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../packages/canter/', import.meta.url));
// What several scripts share has a hash for a name: the last build's would stay.
for (const name of readdirSync(`${root}dist`)) {
  if (/\.js(\.map)?$/.test(name)) rmSync(`${root}dist/${name}`);
}
// By a slow way to the same format: a twentieth less than the best that Node's own finds.
for (const name of readdirSync(`${root}dist`).filter((name) => name.endsWith('.wasm'))) {
  writeFileSync(`${root}dist/${name}.gz`, await gzipAsync(readFileSync(`${root}dist/${name}`), {}));
}
await build({
  absWorkingDir: root,
  entryPoints: ['index', 'inline', 'three', 'react', 'shaders'].map((name) => `src/${name}.ts`),
  outdir: 'dist',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  sourcemap: true,
  loader: { '.gz': 'base64' },
  external: ['three', 'react', '@react-three/fiber'],
  logLevel: 'warning',
});
// What an entry imports for nothing but to run it, as esbuild writes where scripts share another one, runs by the imports of
// those scripts anyway. Bundlers of users would warn of it, since nothing but `inline` has effects of its own.
for (const name of ['index', 'three', 'react', 'shaders']) {
  const path = `${root}dist/${name}.js`;
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/import"\.\/chunk-[^"]+\.js";/g, ''));
}
