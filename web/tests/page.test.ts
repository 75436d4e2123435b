// The demo page and the three.js page in a real browser, on WebGL2 and on WebGPU, both in software.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { chromium, type BrowserContext, type Page } from 'playwright-core';

import { AnimationMixer, loadGltf } from 'canter';

import { ALL_TESTS, HERO, HERO_CLIPS, ROOT, SWORD } from './common.js';

const BROWSER = process.env['CANTER_CHROMIUM'] ?? '/usr/bin/chromium';
const SHOTS = join(ROOT, 'target/web/screenshots');
const ALWAYS = [
  '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
];
const FLAGS: Record<string, string[]> = {
  webgl2: [],
  webgpu: [
    '--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--enable-features=Vulkan', '--use-vulkan=swiftshader',
    '--use-angle=swiftshader', '--ignore-gpu-blocklist',
  ],
};

const isThere = existsSync(BROWSER);
if (!isThere && ALL_TESTS) throw new Error(`there is no browser at ${BROWSER}; set CANTER_CHROMIUM`);
mkdirSync(SHOTS, { recursive: true });

/** A page of its own, and everything that it complained about. */
class Visit {
  readonly complaints: string[] = [];
  readonly hosts = new Set<string>();
  private constructor(readonly page: Page, readonly name: string) {}

  static async open(context: BrowserContext, url: string, name: string): Promise<Visit> {
    const visit = new Visit(await context.newPage(), name);
    visit.page.on('console', (message) => message.type() === 'error' && visit.complaints.push(message.text()));
    visit.page.on('pageerror', (error) => visit.complaints.push(error.message));
    visit.page.on('request', (request) => visit.hosts.add(new URL(request.url()).hostname));
    await visit.page.goto(url);
    return visit;
  }

  async ready(): Promise<this> {
    await this.page.waitForSelector('body[data-ready=true]', { timeout: 90_000 });
    await this.frames(3);
    return this;
  }

  /** Waits until that many more frames were drawn. */
  async frames(count: number): Promise<void> {
    const now = Number(await this.page.evaluate(() => document.body.dataset['frames'] ?? 0));
    await this.page.waitForFunction((wanted) => Number(document.body.dataset['frames'] ?? 0) >= wanted, now + count, { timeout: 90_000 });
  }

  /** The picture without the panels, as pixels of four numbers. */
  async picture(what: string): Promise<Buffer> {
    const path = join(SHOTS, `${this.name}-${what}.png`);
    return this.page.screenshot({ path, timeout: 120_000 });
  }

  async pixels(png: Buffer): Promise<Uint8ClampedArray> {
    const numbers = await this.page.evaluate(async (data) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d')!;
      context.drawImage(image, 0, 0);
      // The middle of the page, where the figure stands.
      const [x, y] = [Math.round(image.width * 0.34), Math.round(image.height * 0.12)];
      return [...context.getImageData(x, y, Math.round(image.width * 0.32), Math.round(image.height * 0.72)).data];
    }, png.toString('base64'));
    return Uint8ClampedArray.from(numbers);
  }

  async close(): Promise<void> {
    assert.deepEqual(this.complaints, []);
    assert.deepEqual([...this.hosts].filter((host) => host !== '127.0.0.1' && host !== ''), []);
    await this.page.close();
  }
}

/** How many pixels differ clearly. */
function difference(a: Uint8ClampedArray, b: Uint8ClampedArray): number {
  let count = 0;
  for (let at = 0; at < a.length; at += 4) {
    const [red, green, blue] = [0, 1, 2].map((channel) => Math.abs(a[at + channel]! - b[at + channel]!));
    if (red! + green! + blue! > 40) count++;
  }
  return count;
}

async function drop(page: Page, path: string, name: string): Promise<void> {
  const data = readFileSync(path).toString('base64');
  const transfer = await page.evaluateHandle(async ([data, name]) => {
    const transfer = new DataTransfer();
    const bytes = Uint8Array.from(atob(data!), (letter) => letter.charCodeAt(0));
    transfer.items.add(new File([bytes], name!));
    return transfer;
  }, [data, name]);
  await page.dispatchEvent('canvas', 'drop', { dataTransfer: transfer });
}

for (const api of ['webgl2', 'webgpu'] as const) {
  suite(`the page on ${api}`, { skip: isThere ? false : `there is no browser at ${BROWSER}` }, () => {
    let context: BrowserContext;
    let server: { url: string; close(): void };
    const profile = mkdtempSync(join(tmpdir(), 'canter-'));
    before(async () => {
      const { serve } = (await import(pathToFileURL(join(ROOT, 'web/serve.mjs')).href)) as { serve(): Promise<typeof server> };
      server = await serve();
      context = await chromium.launchPersistentContext(profile, {
        executablePath: BROWSER,
        headless: true,
        args: [...ALWAYS, ...FLAGS[api]!],
        viewport: { width: 800, height: 500 },
      });
    });
    after(async () => {
      await context?.close();
      server?.close();
      rmSync(profile, { recursive: true, force: true });
    });

    test('shows the hero, who moves, crossfades and is joined by a crowd', async () => {
      const visit = await (await Visit.open(context, `${server.url}?gpu=${api}`, api)).ready();
      const { page } = visit;
      assert.equal(await page.getAttribute('body', 'data-api'), api === 'webgpu' ? 'WebGPU' : 'WebGL2');
      assert.deepEqual(await page.locator('#clips button').allTextContents(), HERO_CLIPS);
      const first = await visit.pixels(await visit.picture('walk'));
      const colors = new Set<number>();
      for (let at = 0; at < first.length; at += 4) colors.add((first[at]! << 16) | (first[at + 1]! << 8) | first[at + 2]!);
      assert.ok(colors.size > 500, `${colors.size} colours: nothing is drawn`);
      await visit.frames(4);
      const second = await visit.pixels(await visit.picture('later'));
      assert.ok(difference(first, second) > 300, 'the figure does not move');

      await page.click('#clips button:has-text("Attack")');
      assert.equal(await page.getAttribute('#clips button:has-text("Attack")', 'aria-pressed'), 'true');
      await visit.frames(8);
      assert.ok(difference(second, await visit.pixels(await visit.picture('attack'))) > 300);

      await page.locator('#crowd').fill('300');
      assert.equal(await page.textContent('#crowd-value'), '8');
      await visit.frames(3);
      await visit.picture('crowd');
      await visit.close();
    });

    test('lets the hero walk about, and prints lie where his feet stand', async () => {
      const visit = await (await Visit.open(context, `${server.url}?gpu=${api}`, api)).ready();
      const { page } = visit;
      const state = () => page.evaluate(() => {
        const { way, prints, slide } = document.body.dataset;
        return { way: Number(way), prints: Number(prints), slide: Number(slide) };
      });
      for (const box of ['wander', 'slow']) {
        await page.evaluate((id) => document.getElementById(id)!.click(), box);
        const before = await state();
        await page.waitForFunction((way) => Number(document.body.dataset['way']) > way + 3, before.way, { timeout: 90_000 });
        const after = await state();
        assert.ok(after.prints >= 3, `${after.prints} prints`);
        // Less than a hand, in the midst of fades and with few frames a second; feet that stray make it metres.
        assert.ok(after.slide < 0.15, `a foot strays from its print by ${after.slide} m`);
        await visit.picture(box);
      }
      // A clip that is chosen ends it.
      await page.evaluate(() => document.querySelector<HTMLElement>('#clips button')!.click());
      assert.equal(await page.isChecked('#wander'), false);
      await visit.close();
    });

    test('loads a dropped file, and says what is wrong with a broken one', async () => {
      const visit = await (await Visit.open(context, `${server.url}?gpu=${api}`, api)).ready();
      const { page } = visit;
      await drop(page, join(ROOT, 'Cargo.toml'), 'broken.glb');
      await page.waitForSelector('#error:not([hidden])');
      assert.match((await page.textContent('#error-text'))!, /^broken\.glb: this is no glTF file/);
      await visit.frames(2);
      await visit.picture('broken');
      const before = await visit.pixels(await visit.picture('before-drop'));
      await drop(page, SWORD, 'sword.glb');
      await page.waitForFunction(() => document.getElementById('title')?.textContent === 'sword.glb');
      await visit.frames(3);
      assert.ok(difference(before, await visit.pixels(await visit.picture('dropped'))) > 300);
      await visit.close();
    });

    if (api === 'webgl2') {
      test('falls back to WebGL2 by itself, and says when neither works', async () => {
        const visit = await (await Visit.open(context, server.url, 'fallback')).ready();
        assert.equal(await visit.page.getAttribute('body', 'data-api'), 'WebGL2');
        await visit.close();
        const none = await Visit.open(context, `${server.url}?gpu=webgpu`, 'none');
        await none.page.waitForSelector('#no-gpu:not([hidden])');
        await none.picture('message');
        await none.close();
      });

      test('plays an attack over what he does, adds a wave, and takes clips as fast as they are chosen', async () => {
        const visit = await (await Visit.open(context, `${server.url}?gpu=${api}`, 'layers')).ready();
        const { page } = visit;
        // By script: a click that waits for the page to be still takes many frames here.
        const click = (selector: string, text: string) =>
          page.evaluate(([selector, text]) => {
            const found = [...document.querySelectorAll<HTMLElement>(selector!)].find(({ textContent }) => textContent === text);
            found!.click();
          }, [selector, text]);
        assert.deepEqual(await page.locator('#layers label').allTextContents(), ['Attack over it', 'Add a wave']);
        await click('#clips button', 'Idle');
        await visit.frames(3);
        const idle = await visit.pixels(await visit.picture('idle'));
        // He stands: what moves is the layer.
        for (const [box, what] of [['Attack over it', 'attack'], ['Add a wave', 'wave']] as const) {
          await click('#layers label', box);
          assert.ok(await page.isChecked(`#layers label:has-text("${box}") input`));
          await visit.frames(4);
          assert.ok(difference(idle, await visit.pixels(await visit.picture(what))) > 300, `${box} changes nothing`);
        }
        for (const kind of ['Inertial', 'Dead']) {
          await click('#kinds label', kind);
          assert.equal(await page.locator('#kinds input:checked').inputValue(), kind.toLowerCase());
          for (const clip of ['Run', 'Attack', 'Jump']) {
            await click('#clips button', clip);
            await visit.frames(1);
          }
          await visit.picture(kind.toLowerCase());
        }
        // Those who join do what he does, and layers are taken from all.
        await page.locator('#crowd').fill('300');
        await click('#layers label', 'Attack over it');
        await visit.frames(1);
        await drop(page, SWORD, 'sword.glb');
        await page.waitForFunction(() => document.getElementById('title')?.textContent === 'sword.glb');
        assert.equal(await page.locator('#layers label').count(), 0);
        await visit.close();
      });

      test('the package runs in a worker', async () => {
        const visit = await (await Visit.open(context, `${server.url}?gpu=${api}`, 'worker')).ready();
        const matrices = await visit.page.evaluate(async () => {
          const source = `
            import { AnimationMixer, loadGltf } from '${new URL('canter/index.js', location.href).href}';
            const hero = await loadGltf('${new URL('hero.glb', location.href).href}');
            const mixer = new AnimationMixer(hero);
            mixer.play('Walk');
            for (let frame = 0; frame < 30; frame++) mixer.update(1 / 60);
            postMessage([...hero.skeleton.boneMatrices]);
          `;
          const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })), { type: 'module' });
          return new Promise<number[]>((resolve, reject) => {
            worker.onmessage = ({ data }) => resolve(data as number[]);
            worker.onerror = (event) => reject(new Error(event.message));
          });
        });
        const hero = await loadGltf(HERO);
        const mixer = new AnimationMixer(hero);
        mixer.play('Walk');
        for (let frame = 0; frame < 30; frame++) mixer.update(1 / 60);
        assert.deepEqual(matrices, [...hero.skeleton.boneMatrices]);
        await visit.close();
      });

      test('the page of three.js shows both sides alike', async () => {
        const visit = await (await Visit.open(context, `${server.url}three.html?count=3`, 'three')).ready();
        await visit.frames(3);
        await visit.picture('walk');
        await visit.page.click('#clips button:has-text("Run")');
        await visit.frames(4);
        await visit.picture('run');
        await visit.close();
      });
    }
  });
}
