// The server of the page: what it hands out, and what it does not.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { ROOT } from './common.js';

const SCRIPT = join(ROOT, 'web/serve.mjs');
const { serve } = (await import(pathToFileURL(SCRIPT).href)) as {
  serve(port: number, host: string, folder: string): Promise<{ url: string; port: number; close(): void }>;
};

/** The answer to a path as it is, which `fetch` would tidy up. */
function ask(port: number, path: string): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  return new Promise((resolve, reject) => {
    request({ port, path, host: '127.0.0.1' }, (response) => {
      let body = '';
      response.on('data', (part) => (body += part));
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body }));
    }).on('error', reject).end();
  });
}

test('files of the folder are served with their types, and nothing else is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'canter-site-'));
  mkdirSync(join(folder, 'site'));
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'site/index.html'), '<p>page');
  writeFileSync(join(folder, 'site/a.wasm'), 'wasm');
  const { port, close } = await serve(0, '127.0.0.1', join(folder, 'site'));
  const page = await ask(port, '/');
  assert.deepEqual([page.status, page.body], [200, '<p>page']);
  // Both are needed for a fine clock.
  assert.equal(page.headers['cross-origin-opener-policy'], 'same-origin');
  assert.equal(page.headers['cross-origin-embedder-policy'], 'require-corp');
  assert.equal((await ask(port, '/a.wasm')).headers['content-type'], 'application/wasm');
  for (const path of ['/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/missing', '/%00', '/%E0%A4%A', '//', '/site']) {
    const { status, body } = await ask(port, path);
    assert.ok(status === 404 || body === '<p>page', `${path}: ${status}`);
  }
  close();
});

test('a port in use and a foreign address are said, with what to do', async () => {
  const { port, close } = await serve(0, '127.0.0.1', tmpdir());
  const run = (...args: string[]) =>
    new Promise<[number | null, string]>((resolve) => {
      const child = execFile(process.execPath, [SCRIPT, ...args], (_error, _stdout, stderr) => resolve([child.exitCode, stderr]));
    });
  assert.deepEqual(await run(String(port)), [1, `error: the page cannot be served: port ${port} is in use; choose another one with --port\n`]);
  const [code, text] = await run('0', '203.0.113.7');
  assert.equal(code, 1);
  assert.match(text, /203\.0\.113\.7 is no address of this machine; --host 0\.0\.0\.0 is all of them/);
  close();
});
