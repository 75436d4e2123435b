// The Rust renderer as WebAssembly in a real browser, on both of wgpu's back ends for pages, beside the pictures that the same
// program draws natively.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import type { Page } from 'playwright-core';

import { isBrowserMissing, openBrowser } from './browser.js';
import { ALL_TESTS, HERO, ROOT, SWORD, runNative, sharedFile } from './common.js';

/** Where pictures are put, to be looked at. */
const SHOTS = join(ROOT, 'target/web/screenshots');
const NATIVE_SHOTS = join(SHOTS, 'native');
mkdirSync(NATIVE_SHOTS, { recursive: true });

/** Models, and what of the renderer they need. */
const MODELS: { name: string; file: string | undefined }[] = [
  { name: 'hero', file: HERO }, // four joints a vertex
  { name: 'sword', file: SWORD }, // no joints
  { name: 'fox', file: sharedFile('assets/Fox/Fox.glb') }, // a texture
  { name: 'robot', file: sharedFile('assets/RobotExpressive/RobotExpressive.glb') }, // morph targets, rigid parts
  { name: 'godette', file: sharedFile('assets/GodetteVRM/Godette_vrm_v4.vrm') }, // masks, what is seen through
  { name: 'rigify', file: sharedFile('assets/RigifyHumanFull/RigifyHumanFull.glb') }, // 706 joints, eight a vertex
];

/** Where palettes can be, besides where the renderer puts them. */
const PALETTES: Record<'webgl2' | 'webgpu', { renderer: string; others: string[] }> = {
  webgl2: { renderer: 'texture', others: ['texture', 'uniform'] },
  webgpu: { renderer: 'storage', others: ['storage', 'uniform', 'texture'] },
};

/** The native picture; `undefined` where there is no driver for it. */
function native(name: string, file: string, palettes: string[]): Buffer | undefined {
  const picture = join(NATIVE_SHOTS, `${[name, ...palettes].join('-')}.png`);
  try {
    runNative('browser', [picture, file, ...palettes]);
  } catch (error) {
    if (ALL_TESTS) throw error;
    console.log(`skipped: there is no native picture of ${name}: ${String(error)}`);
    return undefined;
  }
  return readFileSync(picture);
}

/** How many of the pixels differ by more than `step` of 255 in a channel, and by how much at most. */
async function difference(page: Page, pictures: Buffer[], step: number) {
  return page.evaluate(async ([pictures, step]) => {
    const [a, b] = await Promise.all((pictures as string[]).map(async (data) => {
      const blob = await (await fetch(`data:image/png;base64,${data}`)).blob();
      const image = await createImageBitmap(blob, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height);
    }));
    if (a!.width !== b!.width || a!.height !== b!.height) throw new Error(`${a!.width}x${a!.height} and ${b!.width}x${b!.height}`);
    const all = a!.width * a!.height;
    let [off, most] = [0, 0];
    const colors = new Set<number>();
    for (let at = 0; at < 4 * all; at += 4) {
      const channels = [0, 1, 2].map((channel) => Math.abs(a!.data[at + channel]! - b!.data[at + channel]!));
      const largest = Math.max(...channels);
      if (largest > (step as number)) off++;
      most = Math.max(most, largest);
      colors.add((a!.data[at]! << 16) | (a!.data[at + 1]! << 8) | a!.data[at + 2]!);
    }
    return { off, all, most, colors: colors.size };
  }, [pictures.map((picture) => picture.toString('base64')), step] as const);
}

for (const api of ['webgl2', 'webgpu'] as const) {
  suite(`the Rust renderer on ${api}`, { skip: isBrowserMissing }, () => {
    let browser: Awaited<ReturnType<typeof openBrowser>>;
    let server: { url: string; close(): void };
    before(async () => {
      const { serve } = (await import(pathToFileURL(join(ROOT, 'web/serve.mjs')).href)) as { serve(): Promise<typeof server> };
      server = await serve();
      browser = await openBrowser({ webgpu: api === 'webgpu', viewport: { width: 640, height: 480 } });
      await browser.context.route('**/models/*', (route) => {
        const name = new URL(route.request().url()).pathname.split('/').pop();
        return route.fulfill({ path: MODELS.find((model) => model.name === name)!.file! });
      });
    });
    after(async () => {
      await browser?.close();
      server?.close();
    });

    /** Draws a model, natively and in the page; gives the page. */
    async function compare(name: string, file: string, palettes: string[]): Promise<void> {
      const expected = native(name, file, palettes);
      const page = await browser.context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      const wanted = new URLSearchParams({ model: `../models/${name}` });
      if (palettes[0] !== undefined) wanted.set('palettes', palettes[0]);
      await page.goto(`${server.url}rust/?${wanted}`);
      await page.waitForSelector('body[data-ready], body[data-error]', { timeout: 120_000 });
      assert.equal(await page.getAttribute('body', 'data-error'), null);
      assert.equal(await page.getAttribute('body', 'data-backend'), api === 'webgpu' ? 'webgpu' : 'gl');
      assert.equal(await page.getAttribute('body', 'data-palettes'), palettes[0] ?? PALETTES[api].renderer);
      const path = join(SHOTS, `rust-${[api, name, ...palettes].join('-')}.png`);
      const drawn = await page.screenshot({ path, timeout: 120_000 });
      if (expected !== undefined) {
        const { off, all, most, colors } = await difference(page, [drawn, expected], 2);
        assert.ok(colors > 100, `${colors} colours: nothing is drawn`);
        // Edges: drivers do not agree on where in a pixel they look.
        assert.ok(off * 200 <= all, `${off} of ${all} pixels differ from the native picture by more than 2 of 255, by ${most} at most: ${path}`);
      }
      // A lost device says so late.
      assert.equal(await page.getAttribute('body', 'data-error'), null);
      assert.deepEqual(complaints, []);
      await page.close();
    }

    for (const { name, file } of MODELS) {
      if (file !== undefined) test(`draws ${name} as natively, with palettes in ${PALETTES[api].renderer}`, () => compare(name, file, []));
    }
    for (const palettes of PALETTES[api].others) {
      test(`skins two heroes by a pipeline of one's own, with palettes in ${palettes}`, () => compare('hero', HERO, [palettes]));
    }
  });
}
