// Serves the demo page on localhost. `node web/serve.mjs [PORT]`; the tests use `serve` with a port of the system's choice.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const SITE = fileURLToPath(new URL('../target/web/site/', import.meta.url));
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
  '.glb': 'model/gltf-binary',
};

export async function serve(port = 0, folder = SITE) {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    const file = normalize(join(folder, path.endsWith('/') ? `${path}index.html` : path));
    const info = file.startsWith(normalize(folder + sep)) || file.startsWith(folder) ? await stat(file).catch(() => undefined) : undefined;
    if (!info?.isFile()) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end(`there is no ${path}`);
      return;
    }
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'content-length': info.size, 'cache-control': 'no-cache' });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const { port: chosen } = server.address();
  return { url: `http://127.0.0.1:${chosen}/`, close: () => server.close() };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await serve(Number(process.argv[2] ?? 8080));
  console.log(`Canter's page is at ${url} and ${url}three.html (Ctrl+C ends it)`);
}
