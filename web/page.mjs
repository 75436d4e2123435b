// The scripts of the demo page: one file each, since a visitor waits for every request; with maps that lead back to the sources.
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const root = fileURLToPath(new URL('../', import.meta.url));
await build({
  absWorkingDir: root,
  entryPoints: ['web/src/main.ts', 'web/src/three-page.ts', 'web/src/graph-page.ts'],
  outdir: 'target/web/site',
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  sourcemap: true,
  external: ['three', 'three/addons/*'],
  logLevel: 'warning',
});
