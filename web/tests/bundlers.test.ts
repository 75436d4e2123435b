// The packed package in every bundler, without configuration: each builds the same program (web/bundlers), which then really runs.
// A warning that a bundler prints is a failure. Nothing is fetched from anywhere but this machine.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { isBrowserMissing, openBrowser } from './browser.js';
import { HERO, ROOT } from './common.js';
import { DENO, isDenoMissing } from './deno.js';
import { hero, steps } from './hero.js';
import { installPacked } from './packed.js';

/** Where the bundlers are; see `cargo xtask web`. */
const HOME = join(ROOT, 'target/web/bundlers');

const ENVIRONMENT = {
  ...process.env,
  NEXT_TELEMETRY_DISABLED: '1',
  // The versions are fixed, and so grow old.
  BROWSERSLIST_IGNORE_OLD_DATA: '1',
  BASELINE_BROWSER_MAPPING_IGNORE_OLD_DATA: '1',
  NODE_NO_WARNINGS: '1',
  NO_COLOR: '1',
  // Whoever wants to leave this machine gets nowhere.
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
};

const PAGE = '<!doctype html><html lang="en"><head><link rel="icon" href="data:," /><script type="module" src="main.js"></script></head><body></body></html>';

/** What bundlers write in front of what they do not like. */
const COMPLAINT = /warn|\(!\)|deprecat/i;

/** Runs a bundler in the folder of the projects, or in one below it. */
function run(program: string, words: string[], folder = HOME): void {
  const { status, stdout, stderr, error } = spawnSync(join(HOME, 'node_modules/.bin', program), words, {
    cwd: folder,
    env: ENVIRONMENT,
    encoding: 'utf8',
  });
  assert.equal(error, undefined);
  const said = `${stdout}${stderr}`;
  assert.equal(status, 0, said);
  assert.doesNotMatch(said, COMPLAINT);
}

/** Does something while a server of a bundler runs, which must not warn either. */
async function withServer(program: string, words: string[], folder: string, use: (url: string) => Promise<void>): Promise<void> {
  const server = spawn(join(HOME, 'node_modules/.bin', program), words, { cwd: folder, env: ENVIRONMENT });
  let said = '';
  try {
    await use(await new Promise<string>((resolve, reject) => {
      const listen = (part: Buffer) => {
        said += part.toString();
        const [url] = /http:\/\/localhost:\d+\/?/.exec(said) ?? [];
        if (url !== undefined && /ready/i.test(said)) resolve(url.replace(/\/?$/, '/'));
      };
      server.stdout.on('data', listen);
      server.stderr.on('data', listen);
      server.once('exit', () => reject(new Error(said)));
    }));
  } finally {
    server.kill();
  }
  assert.doesNotMatch(said, COMPLAINT);
}

/** The matrices of half a second of `Walk`, as Node has them. */
async function expected(): Promise<number[]> {
  const { asset, mixer } = await hero();
  mixer.play('Walk');
  steps(mixer, 30);
  return [...asset.skeleton.boneMatrices];
}

/** A folder for what a bundler writes, with the hero in it. */
function output(name: string): string {
  const folder = join(HOME, 'out', name);
  mkdirSync(folder, { recursive: true });
  copyFileSync(HERO, join(folder, 'hero.glb'));
  return folder;
}

before(() => {
  // Not the lock: it would be newer than what is installed, and all be installed again.
  cpSync(join(ROOT, 'web/bundlers'), HOME, { recursive: true, filter: (path) => !/package(-lock)?\.json$/.test(path) });
  rmSync(join(HOME, 'out'), { recursive: true, force: true });
  installPacked(HOME);
});

suite('in a browser', { skip: isBrowserMissing }, () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser?.close());

  /** Opens a page, and compares what it made of the hero. */
  async function visit(url: string, hasWorker: boolean): Promise<void> {
    const page = await browser.context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      const { hostname, protocol } = new URL(request.url());
      if (!['127.0.0.1', 'localhost'].includes(hostname) && protocol.startsWith('http')) complaints.push(`it asks for ${request.url()}`);
    });
    await page.goto(url, { timeout: 120_000 });
    const failed = page.waitForEvent('pageerror', { timeout: 0 }).then((error) => assert.fail(error.message));
    failed.catch(() => undefined);
    for (const name of hasWorker ? ['matrices', 'matricesOfWorker'] : ['matrices']) {
      const isThere = (name: string) => (globalThis as Record<string, unknown>)[name];
      const found = page.waitForFunction(isThere, name, { timeout: 120_000 })
        .catch((error: Error) => assert.fail(`there are no ${name}: ${error.message}; ${complaints.join('; ')}`));
      found.catch(() => undefined);
      assert.deepEqual(await (await Promise.race([found, failed])).jsonValue(), await expected());
    }
    assert.deepEqual(complaints, []);
    await page.close();
  }

  async function visitFolder(folder: string, { page = '', hasWorker = false } = {}): Promise<void> {
    const { serve } = (await import(pathToFileURL(join(ROOT, 'web/serve.mjs')).href)) as {
      serve(port: number, host: string, folder: string): Promise<{ url: string; close(): void }>;
    };
    const server = await serve(0, '127.0.0.1', `${folder}/`);
    try {
      await visit(server.url + page, hasWorker);
    } finally {
      server.close();
    }
  }

  test('esbuild', async () => {
    const folder = output('esbuild');
    writeFileSync(join(folder, 'index.html'), PAGE);
    run('esbuild', ['inline.js', '--bundle', '--format=esm', '--minify', `--outfile=${folder}/main.js`]);
    await visitFolder(folder);
    // With parts that are loaded when they are needed.
    run('esbuild', ['main=inline.js', '--bundle', '--format=esm', '--splitting', '--allow-overwrite', `--outdir=${folder}`]);
    await visitFolder(folder);
    // Without modules: `import.meta` is empty there.
    run('esbuild', ['inline.js', '--bundle', `--outfile=${folder}/main.js`, '--allow-overwrite']);
    await visitFolder(folder);
  });

  test('esbuild with the module copied', async () => {
    const folder = output('esbuild-copied');
    writeFileSync(join(folder, 'index.html'), PAGE);
    run('esbuild', ['main.js', '--bundle', '--format=esm', `--outfile=${folder}/main.js`]);
    // Left behind, it is missed with a word.
    await assert.rejects(visitFolder(folder), /module is not beside the script: .*import from 'canter\/inline'/s);
    for (const name of ['canter.simd', 'canter-motion.simd']) {
      cpSync(join(HOME, `node_modules/canter/dist/${name}.wasm.gz`), join(folder, `${name}.wasm.gz`));
    }
    await visitFolder(folder);
  });

  test('Rollup', async () => {
    const folder = output('rollup');
    writeFileSync(join(folder, 'index.html'), PAGE);
    run('rollup', ['inline.js', '--format=es', '--plugin=@rollup/plugin-node-resolve', `--dir=${folder}`, '--entryFileNames=main.js']);
    await visitFolder(folder);
  });

  test('webpack', async () => {
    const folder = output('webpack');
    writeFileSync(join(folder, 'index.html'), PAGE);
    run('webpack', ['./with-worker.js', '--mode=production', `--output-path=${folder}`, '--output-filename=main.js']);
    await visitFolder(folder, { hasWorker: true });
  });

  test('Vite', async () => {
    run('vite', ['build', '--outDir=out/vite']);
    await visitFolder(output('vite'), { hasWorker: true });
  });

  test('Vite while developing', async () => {
    copyFileSync(HERO, join(HOME, 'hero.glb'));
    // It keeps what it made of a package of the same version.
    rmSync(join(HOME, 'node_modules/.vite'), { recursive: true, force: true });
    await withServer('vite', [], HOME, (url) => visit(url, true));
  });

  test('Parcel', async () => {
    run('parcel', ['build', 'index.html', '--dist-dir=out/parcel', '--no-cache']);
    await visitFolder(output('parcel'), { hasWorker: true });
  });

  test('Next', async () => {
    const folder = join(HOME, 'next');
    mkdirSync(join(folder, 'public'), { recursive: true });
    copyFileSync(HERO, join(folder, 'public/hero.glb'));
    run('next', ['build', '--webpack'], folder);
    await withServer('next', ['start', '--port=0'], folder, async (url) => {
      await visit(url, false);
      const html = await (await fetch(`${url}server`)).text();
      assert.deepEqual(JSON.parse(/<pre>(.*?)<\/pre>/.exec(html)?.[1] ?? ''), await expected());
    });
  });

  test('no bundler at all', async () => {
    const folder = output('plain');
    cpSync(join(HOME, 'node_modules/canter'), join(folder, 'canter'), { recursive: true });
    copyFileSync(join(HOME, 'plain.html'), join(folder, 'index.html'));
    for (const name of ['main.js', 'walk.js']) copyFileSync(join(HOME, name), join(folder, name));
    await visitFolder(folder);
  });
});

suite('without a browser', () => {
  const print = (program: string, words: string[]) =>
    JSON.parse(execFileSync(program, words, { cwd: HOME, env: ENVIRONMENT, encoding: 'utf8', maxBuffer: 1 << 24 })) as number[];

  test('Node, from the packages and bundled to one file', async () => {
    assert.deepEqual(print(process.execPath, ['node.js', HERO]), await expected());
    run('esbuild', ['node.js', '--bundle', '--platform=node', '--format=esm', '--outfile=out/node.mjs']);
    assert.deepEqual(print(process.execPath, ['out/node.mjs', HERO]), await expected());
  });

  test('Deno', { skip: isDenoMissing }, async () => {
    const flags = ['--quiet', '--no-config', '--no-lock', '--node-modules-dir=manual', '--allow-read'];
    assert.deepEqual(print(DENO, ['run', ...flags, 'node.js', HERO]), await expected());
  });
});
