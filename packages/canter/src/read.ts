import { CanterError } from './error.js';
import type { Global } from './global.js';

/** Where bytes come from: a URL (in Node and Deno a path, too), bytes, a file that was dropped on the page, or an answer of `fetch`. */
export type Source = string | Global<'URL'> | ArrayBufferLike | ArrayBufferView | Global<'Blob'> | Global<'Response'>;

/** How bytes are fetched. */
export interface ReadOptions {
  /** Called while bytes arrive; `total` is 0 if it is not known. */
  onProgress?: (loaded: number, total: number) => void;
  /** Stops the download. */
  signal?: Global<'AbortSignal'>;
}

/** @internal */
export async function read(source: Source, options: ReadOptions = {}): Promise<Uint8Array> {
  if (ArrayBuffer.isView(source)) {
    return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  }
  if (typeof Blob !== 'undefined' && source instanceof Blob) {
    return new Uint8Array(await source.arrayBuffer());
  }
  if (typeof Response !== 'undefined' && source instanceof Response) {
    return download(source, source.url || 'the response', options);
  }
  if (typeof source === 'string' || source instanceof URL) {
    const path = filePath(source);
    return path === undefined ? fetchBytes(source, options) : readFile(path, options);
  }
  if (source !== null && typeof source === 'object' && 'byteLength' in source) {
    return new Uint8Array(source);
  }
  throw new CanterError('this is nothing that can be loaded; give a URL, an ArrayBuffer, a Uint8Array, a Blob or a Response');
}

/** @internal A path or file URL where files can be opened, or undefined where there is only `fetch`. */
export function filePath(source: string | URL): string | URL | undefined {
  const text = String(source);
  if (nodeModule('node:fs/promises') === undefined) return undefined;
  if (text.startsWith('file:')) return new URL(text);
  return /^[a-z][a-z0-9+.-]+:/i.test(text) ? undefined : text;
}

/** @internal The URL of a file. In a path, "#", "?" and "%" are letters like any other. */
export function fileUrl(path: string | URL): URL {
  if (typeof path !== 'string') return path;
  const urls = nodeModule('node:url') as { pathToFileURL(path: string): URL };
  return urls.pathToFileURL(path);
}

async function readFile(path: string | URL, options: ReadOptions): Promise<Uint8Array> {
  const files = nodeModule('node:fs/promises') as { readFile(path: string | URL): Promise<Uint8Array> };
  try {
    const bytes = await files.readFile(path);
    options.onProgress?.(bytes.length, bytes.length);
    return bytes;
  } catch (cause) {
    throw new CanterError(`${String(path)} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/**
 * A module of Node, which Deno and Bun have, too; undefined in browsers. Not by `import`: bundlers follow one of these, however it
 * is written, and fail where they build for browsers.
 */
function nodeModule(name: string): unknown {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  return process?.getBuiltinModule?.(name);
}

async function fetchBytes(url: string | URL, options: ReadOptions): Promise<Uint8Array> {
  let response: Response;
  try {
    response = await fetch(url, options.signal ? { signal: options.signal } : {});
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new CanterError(`${String(url)} cannot be fetched: ${messageOf(cause)}`, { cause });
  }
  return download(response, String(url), options);
}

async function download(response: Response, name: string, options: ReadOptions): Promise<Uint8Array> {
  if (!response.ok) {
    throw new CanterError(`${name} cannot be fetched: the server says ${response.status} ${response.statusText}`.trimEnd());
  }
  if (!options.onProgress || !response.body) {
    return new Uint8Array(await response.arrayBuffer());
  }
  const total = Number(response.headers.get('content-length') ?? 0);
  const parts: Uint8Array[] = [];
  let loaded = 0;
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    loaded += part.value.length;
    options.onProgress(loaded, Math.max(total, loaded));
  }
  const bytes = new Uint8Array(loaded);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
