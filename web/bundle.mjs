// The package's scripts: small, since every visitor waits for them, with maps that lead back to the sources.
import { readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const root = fileURLToPath(new URL('../packages/canter/', import.meta.url));
// What several scripts share has a hash for a name: the last build's would stay.
for (const name of readdirSync(`${root}dist`)) {
  if (/\.js(\.map)?$/.test(name)) rmSync(`${root}dist/${name}`);
}
await build({
  absWorkingDir: root,
  entryPoints: ['index', 'three', 'shaders'].map((name) => `src/${name}.ts`),
  outdir: 'dist',
  chunkNames: 'shared-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  sourcemap: true,
  external: ['three'],
  logLevel: 'warning',
});
