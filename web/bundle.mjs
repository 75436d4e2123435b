// The package's scripts: small, since every visitor waits for them, with maps that lead back to the sources.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const root = fileURLToPath(new URL('../packages/canter/', import.meta.url));
// What several scripts share has a hash for a name: the last build's would stay.
for (const name of readdirSync(`${root}dist`)) {
  if (/\.js(\.map)?$/.test(name)) rmSync(`${root}dist/${name}`);
}
await build({
  absWorkingDir: root,
  entryPoints: ['index', 'inline', 'three', 'react', 'shaders', 'graph', 'rig'].map((name) => `src/${name}.ts`),
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
for (const name of ['index', 'three', 'react', 'shaders', 'graph', 'rig']) {
  const path = `${root}dist/${name}.js`;
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/import"\.\/chunk-[^"]+\.js";/g, ''));
}
