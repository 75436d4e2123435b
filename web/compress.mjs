// `node web/compress.mjs FILE.wasm` writes FILE.wasm.gz: a module taken apart into streams, and these compressed. The module itself is
// written anew with its functions in an order that compresses well.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { gzipAsync } from '@gfx/zopfli';
import { build } from 'esbuild';

import { orderFunctions } from './order-functions.mjs';

const options = {
  absWorkingDir: fileURLToPath(new URL('../packages/canter/', import.meta.url)),
  entryPoints: ['src/wasm-streams.ts'],
  bundle: true,
  format: 'esm',
  write: false,
};
const [{ contents }] = (await build(options)).outputFiles;
const wasmStreams = await import(`data:text/javascript;base64,${Buffer.from(contents).toString('base64')}`);

const [file] = process.argv.slice(2);
const module = orderFunctions(readFileSync(file), wasmStreams);
const streams = wasmStreams.splitIntoStreams(module);
if (!module.equals(wasmStreams.joinStreams(streams))) throw new Error(`${file} has an operator that wasm-streams.ts does not know`);
writeFileSync(file, module);
// By a slow way to the same format: a twentieth less than the best that Node's own finds. Streams differ, so that it may tell more of
// them apart than the 15 that it would.
writeFileSync(`${file}.gz`, await gzipAsync(streams, { blocksplittingmax: 60 }));
