// canter/three and canter/react in a real browser: crowds by both renderers of three.js, and a program of react-three-fiber.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { build } from 'esbuild';
import type { BrowserContext, Page } from 'playwright-core';

import { isBrowserMissing, openBrowser } from './browser.js';
import { HERO, ROOT } from './common.js';

const SITE = join(ROOT, 'target/web/three-pages');
const PICTURES = join(ROOT, 'target/web/pictures');
interface CrowdResult {
  error?: string;
  different: number;
  drawn: number;
  calls: number;
  backend: string;
  pictures: [string, string];
}

async function visit(context: BrowserContext, url: string): Promise<{ page: Page; errors: string[] }> {
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(url);
  return { page, errors };
}

suite('three.js in the browser', { skip: isBrowserMissing }, () => {
  let server: { url: string; close(): void };

  before(async () => {
    rmSync(SITE, { recursive: true, force: true });
    mkdirSync(SITE, { recursive: true });
    mkdirSync(PICTURES, { recursive: true });
    await build({
      absWorkingDir: ROOT,
      entryPoints: ['crowd', 'react'].map((name) => `web/tests/pages/${name}.mjs`),
      outdir: SITE,
      bundle: true,
      splitting: true,
      format: 'esm',
      target: 'es2022',
      define: { 'process.env.NODE_ENV': '"development"' },
      logLevel: 'error',
    });
    copyFileSync(HERO, join(SITE, 'hero.glb'));
    const dist = join(ROOT, 'packages/canter/dist');
    for (const name of readdirSync(dist).filter((name) => /\.wasm(\.gz)?$/.test(name))) copyFileSync(join(dist, name), join(SITE, name));
    for (const name of ['crowd', 'react']) {
      writeFileSync(join(SITE, `${name}.html`), `<!doctype html><html lang="en"><link rel="icon" href="data:," /><body><div id="root" style="width:320px;height:240px"></div><script type="module" src="${name}.js"></script></body></html>`);
    }
    const { serve } = (await import(pathToFileURL(join(ROOT, 'web/serve.mjs')).href)) as { serve(port: number, host: string, folder: string): Promise<typeof server> };
    server = await serve(0, '127.0.0.1', `${SITE}/`);
  });
  after(() => server?.close());

  for (const renderer of ['webgl2', 'webgpu'] as const) {
    test(`a crowd is drawn as clones are, with their shadows, by ${renderer}`, { timeout: 240_000 }, async () => {
      const { context, close } = await openBrowser({ webgpu: renderer === 'webgpu' });
      try {
        const { page, errors } = await visit(context, `${server.url}crowd.html?${renderer}`);
        await page.waitForFunction('window.result', undefined, { timeout: 200_000 });
        const result = (await page.evaluate('window.result')) as CrowdResult;
        assert.equal(result.error, undefined);
        assert.deepEqual(errors, []);
        for (const [index, url] of result.pictures.entries()) writeFileSync(join(PICTURES, `crowd-${renderer}-${index}.png`), Buffer.from(url.split(',')[1]!, 'base64'));
        assert.equal(result.backend, renderer);
        // A few pixels on edges differ in a bit of the depth.
        assert.ok(result.drawn > 3000 && result.different < 0.01 * result.drawn, JSON.stringify({ ...result, pictures: [] }));
      } finally {
        await close();
      }
    });
  }

  test('useAnimations plays as drei’s does, and a crowd stands beside', { timeout: 240_000 }, async () => {
    const { context, close } = await openBrowser();
    try {
      const { page, errors } = await visit(context, `${server.url}react.html`);
      await page.waitForFunction('window.isReady && window.seen.crowd?.figures.length === 3 && window.seen.mixer?.time > 0.3', undefined, { timeout: 200_000 });
      const seen = () => page.evaluate(`({ ...['errors', 'names', 'isNull', 'isSame', 'playing', 'given', 'unmounted'].reduce((all, name) => ({ ...all, [name]: window.seen[name] }), {}), weight: window.seen.mixer.stats.actions.inUse })`) as Promise<Record<string, unknown>>;
      const first = await seen();
      assert.deepEqual([first['errors'], first['isNull'], first['isSame'], first['playing'], first['given'], first['unmounted']], [[], true, true, 'Walk', true, false]);
      assert.ok((first['names'] as string[]).includes('Run'));
      const hand = () => page.evaluate('window.seen.hand.quaternion.toArray()') as Promise<number[]>;
      const before = await hand();
      await page.waitForFunction(`window.seen.hand.quaternion.angleTo({ x: ${before[0]}, y: ${before[1]}, z: ${before[2]}, w: ${before[3]}, _x: ${before[0]}, _y: ${before[1]}, _z: ${before[2]}, _w: ${before[3]} }) > 0.01`, undefined, { timeout: 60_000 });
      await page.evaluate('window.setState({ clip: "Run", count: 5 })');
      await page.waitForFunction('window.seen.playing === "Run" && window.seen.crowd?.figures.length === 5', undefined, { timeout: 60_000 });
      await page.locator('canvas').screenshot({ path: join(PICTURES, 'react.png') });
      await page.evaluate('window.setState({ isHere: false })');
      await page.waitForFunction('window.seen.unmounted', undefined, { timeout: 60_000 });
      assert.deepEqual((await seen())['errors'], []);
      assert.deepEqual(errors, []);
    } finally {
      await close();
    }
  });
});
