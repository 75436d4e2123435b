import { Asset } from './asset.js';
import { CanterError } from './error.js';
import { filePath, fileUrl, read, type ReadOptions, type Source } from './read.js';
import { splitRootMotion, type RootMotionOption } from './root-motion.js';
import { forget, init, type Runtime } from './runtime.js';
import type { MatrixFormat } from './skeleton.js';

/** How a file is loaded. */
export interface LoadOptions extends ReadOptions {
  /** The format of the bone matrices; `mat4` unless said otherwise. */
  matrices?: MatrixFormat;
  /**
   * Whether vertices, materials and pictures are loaded, too. For those who draw the file themselves; it takes a module that is larger by a
   * fifth. An engine of yours that has loaded the model does not need it.
   */
  meshes?: boolean;
  /**
   * Whether graphs and solvers are loaded, too, for `canter/graph` and `canter/rig`: a module that has all, and is nearly twice as large as
   * the smallest one.
   */
  motion?: boolean;
  /** With `meshes`: whether pictures are kept. They are unless this is false. */
  images?: boolean;
  /**
   * Whether the way over the ground is taken out of clips, so that they play on the spot and `mixer.rootMotion`
   * says how far the character went: `true` for the bone that is found, its name, or `{ joint, axes, yaw }`.
   */
  rootMotion?: RootMotionOption;
  /**
   * Whether to load a file that requires extensions which Canter does not know, with a warning (`asset.warnings`). It may look wrong.
   * Extensions that concern only looks, or without `meshes` only vertices, are never in the way.
   */
  ignoreRequiredExtensions?: boolean;
  /** Files that a .gltf names, when it was not loaded from a URL: dropped files, for instance. */
  files?: Readonly<Record<string, Source>>;
  /** An instance of the module other than the shared one. */
  runtime?: Runtime;
}

/**
 * Loads a .glb or .gltf file.
 *
 * From a URL (in Node and Deno a path, too), the buffers and images of a .gltf are fetched from its own folder; nothing is ever
 * fetched from elsewhere. A file that cannot be loaded is refused with an error that names the place in it.
 */
export async function loadGltf(source: Source, options: LoadOptions = {}): Promise<Asset> {
  // Both at once: the module is small and usually there before the file is.
  const { meshes = false, motion = false } = options;
  const [runtime, bytes] = await Promise.all([options.runtime ?? init({ meshes, motion }), read(source, options)]);
  checkMeshes(runtime, meshes);
  const files = await namedFiles(bytes, source, options);
  return loadBytes(runtime, bytes, files, options);
}

/** Loads a file from memory into an instance that is there already, without waiting. */
export function loadGltfSync(runtime: Runtime, bytes: Uint8Array, options: Omit<LoadOptions, keyof ReadOptions | 'files' | 'runtime'> = {}): Asset {
  checkMeshes(runtime, options.meshes === true);
  return loadBytes(runtime, bytes, [], options);
}

function checkMeshes(runtime: Runtime, meshes: boolean): void {
  if (meshes && !runtime.meshes) {
    throw new CanterError('this runtime reads no meshes; make it with `createRuntime({ meshes: true })`');
  }
}

function loadBytes(runtime: Runtime, bytes: Uint8Array, files: [string, Uint8Array][], options: LoadOptions): Asset {
  const { ignoreRequiredExtensions = false, images = true, matrices = 'mat4', rootMotion = false, meshes = false } = options;
  try {
    for (const [name, content] of files) {
      const encoded = new TextEncoder().encode(name);
      runtime._input(encoded, content);
      runtime._exports.file_add(encoded.length);
    }
    runtime._input(bytes);
    const model = runtime._exports.asset_load(meshes ? 1 : 0, images ? 1 : 0, ignoreRequiredExtensions ? 1 : 0);
    // The option has the name that it has here.
    if (model === 0) throw new CanterError(runtime._outputText().replace('LoadOptions::ignore_required_extensions', 'ignoreRequiredExtensions'));
    const asset = new Asset(runtime, model, matrices);
    try {
      splitRootMotion(asset, rootMotion);
    } catch (error) {
      asset.dispose();
      throw error;
    }
    return asset;
  } catch (cause) {
    if (!(cause instanceof WebAssembly.RuntimeError || cause instanceof RangeError)) throw cause;
    void forget(runtime);
    throw new CanterError('there is not enough memory for this file; everything loaded before must be loaded again', { cause });
  }
}

/** The files that a .gltf names. Those that cannot be had are left out: the loader says where they are missed. */
async function namedFiles(bytes: Uint8Array, source: Source, options: LoadOptions): Promise<[string, Uint8Array][]> {
  const files = options.files ?? {};
  const given = Object.entries(files).map(async ([name, file]): Promise<[string, Uint8Array]> => [name, await read(file)]);
  const base = baseOf(source);
  const found: Promise<[string, Uint8Array] | undefined>[] = [];
  for (const uri of isGlb(bytes) ? [] : urisOf(bytes, options.meshes === true && options.images !== false)) {
    if (Object.hasOwn(files, uri)) continue;
    const name = fileName(uri);
    const file = Object.hasOwn(files, name) ? files[name] : undefined;
    if (file !== undefined) {
      given.push(read(file).then((content) => [uri, content]));
      continue;
    }
    const url = base && insideFolder(uri, base);
    if (url === undefined) continue;
    const content = read(url, options.signal ? { signal: options.signal } : {});
    found.push(content.then((content): [string, Uint8Array] => [uri, content]).catch(() => undefined));
  }
  return [...(await Promise.all(given)), ...(await Promise.all(found)).filter((file) => file !== undefined)];
}

/** The name that a file has on disk: URIs write "my model.bin" as "my%20model.bin". */
function fileName(uri: string): string {
  try {
    return decodeURIComponent(uri).replace(/^(\.\/)+/, '');
  } catch {
    return uri;
  }
}

function isGlb(bytes: Uint8Array): boolean {
  return bytes[0] === 0x67 && bytes[1] === 0x6c && bytes[2] === 0x54 && bytes[3] === 0x46;
}

/** The URIs of buffers and images, without those that carry their data. */
function urisOf(bytes: Uint8Array, images: boolean): Set<string> {
  let json: { buffers?: { uri?: unknown }[]; images?: { uri?: unknown }[] } | null;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes)) as typeof json;
  } catch {
    // The loader will say what is wrong with it.
    return new Set();
  }
  const named = [json?.buffers, images ? json?.images : []].flatMap((list) => (Array.isArray(list) ? list : []));
  const uris = named.map((entry: { uri?: unknown } | null) => entry?.uri);
  return new Set(uris.filter((uri): uri is string => typeof uri === 'string' && !uri.startsWith('data:')));
}

/** What URIs in the file are relative to. */
function baseOf(source: Source): URL | undefined {
  const url = typeof Response !== 'undefined' && source instanceof Response ? source.url : source;
  if (!(typeof url === 'string' || url instanceof URL) || url === '') return undefined;
  const path = filePath(url);
  return path === undefined ? new URL(url, (globalThis as { location?: { href: string } }).location?.href) : fileUrl(path);
}

/** The URL of a file in the folder of the .gltf, or below; undefined for all others, and for what is no URI at all. */
function insideFolder(uri: string, base: URL): URL | undefined {
  try {
    const url = new URL(uri, base);
    return url.href.startsWith(new URL('.', base).href) ? url : undefined;
  } catch {
    return undefined;
  }
}
