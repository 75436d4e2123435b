// Serves the demo page, or another folder. `node web/serve.mjs [PORT] [HOST] [FOLDER PAGE]`; the tests use `serve` with a port of the system's choice.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { extname, join, normalize, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream';
import { fileURLToPath } from 'node:url';

const SITE = fileURLToPath(new URL('../target/web/site/', import.meta.url));
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.map': 'application/json',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.wasm': 'application/wasm',
  '.glb': 'model/gltf-binary',
};
/** With the last two, browsers let the page measure time in steps of 5 µs instead of 100. */
const HEADERS = {
  'cache-control': 'no-cache',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** Where a request leads, or undefined for what is outside of the folder or no path at all. */
function fileOf(url, folder) {
  let path;
  try {
    path = decodeURIComponent(new URL(url ?? '/', 'http://localhost').pathname);
  } catch {
    return undefined;
  }
  const file = normalize(join(folder, path.endsWith('/') ? `${path}index.html` : path));
  return file.startsWith(normalize(folder + sep)) && !file.includes('\0') ? file : undefined;
}

export async function serve(port = 0, host = '127.0.0.1', folder = SITE) {
  const server = createServer(async (request, response) => {
    const file = fileOf(request.url, folder);
    const info = file === undefined ? undefined : await stat(file).catch(() => undefined);
    if (!info?.isFile()) {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('there is no such file');
      return;
    }
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    response.writeHead(200, { ...HEADERS, 'content-type': type, 'content-length': info.size });
    // Visitors may leave in the middle of a file.
    pipeline(createReadStream(file), response, () => {});
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const { port: chosen } = server.address();
  const name = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${name}:${chosen}/`, port: chosen, close: () => server.close() };
}

/** Under which addresses others find a server that listens everywhere. */
function addresses(host, port) {
  if (host !== '0.0.0.0' && host !== '::') return [];
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return all.filter(({ family }) => family === 'IPv4').map(({ address }) => `http://${address}:${port}/`);
}

function reason({ code, message }, port, host) {
  if (code === 'EADDRINUSE') return `port ${port} is in use; choose another one with --port`;
  if (code === 'EACCES') return `port ${port} is not allowed here; choose one above 1023 with --port`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `${host} is no address of this machine; --host 0.0.0.0 is all of them`;
  return message;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [port, host] = [Number(process.argv[2] ?? 8080), process.argv[3] ?? '127.0.0.1'];
  const [folder, page] = [process.argv[4], process.argv[5] ?? ''];
  try {
    const { url, port: chosen } = await serve(port, host, folder === undefined ? SITE : resolve(folder));
    for (const address of addresses(host, chosen).length > 0 ? addresses(host, chosen) : [url]) {
      console.log(folder === undefined ? `Canter's page is at ${address} and ${address}three.html` : `It is at ${address}${page}`);
    }
    console.log('Ctrl+C ends it.');
  } catch (error) {
    console.error(`error: the page cannot be served: ${reason(error, port, host)}`);
    process.exitCode = 1;
  }
}
