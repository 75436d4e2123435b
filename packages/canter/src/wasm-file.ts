import { CanterError } from './error.js';
import { read } from './read.js';
import { joinStreams } from './wasm-streams.js';

/** What a build of the WebAssembly module can do: 1 serves `canter/three`, too, 2 reads meshes, and 3 has graphs and solvers beside all that. */
export type Extent = 0 | 1 | 2 | 3;

/** Which build of the WebAssembly module. */
export interface Build {
  readonly simd: boolean;
  readonly extent: Extent;
}

/** A compressed file as base64. */
export type InlinedFile = () => Promise<{ default: string }>;

let inlinedFiles: Record<Extent, InlinedFile> | undefined;

/** From now on the builds with SIMD come from these instead of from files. */
export function useInlined(files: NonNullable<typeof inlinedFiles>): void {
  inlinedFiles = files;
}

/** The bytes of a build that comes with the package. */
export async function readWasm(build: Build): Promise<Uint8Array> {
  if (inlinedFiles) {
    if (!build.simd) throw new CanterError("'canter/inline' has only modules with SIMD; import from 'canter' where there is none");
    const file = await inlinedFiles[build.extent]();
    return unpack(Uint8Array.from(atob(file.default), (letter) => letter.charCodeAt(0)));
  }
  let url: URL | undefined;
  try {
    url = beside(build);
    const bytes = await unpack(await read(url));
    if (isWasm(bytes)) return bytes;
  } catch (cause) {
    throw new CanterError(notFound(url), { cause });
  }
  // Some servers answer with a page where there is no file.
  throw new CanterError(notFound(url));
}

/**
 * The file beside this script. Written out: bundlers find files by these very expressions, and take them along. Compressed, and
 * rearranged before that (`wasm-streams.ts`): few servers compress WebAssembly, and some bundlers warn of files larger than 244 KiB.
 */
function beside({ simd, extent }: Build): URL {
  // One build for all: browsers from before 2023 are few.
  if (!simd) return new URL('./canter.plain.wasm.gz', import.meta.url);
  if (extent === 3) return new URL('./canter-motion.simd.wasm.gz', import.meta.url);
  if (extent === 2) return new URL('./canter-meshes.simd.wasm.gz', import.meta.url);
  if (extent === 1) return new URL('./canter-three.simd.wasm.gz', import.meta.url);
  return new URL('./canter.simd.wasm.gz', import.meta.url);
}

function notFound(url: URL | undefined): string {
  return `Canter's WebAssembly module is not beside the script${url ? `: there is none at ${url.href}` : ''}. Where a bundler leaves it behind, import from `
    + "'canter/inline' instead of 'canter', or copy the files *.wasm.gz of the package to that place";
}

function isWasm(bytes: Uint8Array): boolean {
  return bytes[0] === 0 && bytes[1] === 0x61 && bytes[2] === 0x73 && bytes[3] === 0x6d;
}

/** The module that is in bytes, whether they are compressed or not (some servers send them uncompressed), and rearranged or not. */
export async function unpack(bytes: Uint8Array): Promise<Uint8Array> {
  return joinStreams(await inflate(bytes));
}

async function inflate(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  if (typeof DecompressionStream === 'undefined') {
    const { gunzipSync } = await import('./inflate.js');
    return gunzipSync(bytes);
  }
  // Not by a `Blob`: browsers keep those in another process, from which the bytes would come back.
  const stream = new Response(bytes as Uint8Array<ArrayBuffer>).body!.pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
