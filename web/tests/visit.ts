// A visit to the pages in a real browser, on WebGL2 or on WebGPU, both in software.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite } from 'node:test';
import { pathToFileURL } from 'node:url';

import type { BrowserContext, Page } from 'playwright-core';

import { isBrowserMissing, openBrowser } from './browser.js';
import { ROOT } from './common.js';

export type Api = 'webgl2' | 'webgpu';

const SHOTS = join(ROOT, 'target/web/screenshots');
mkdirSync(SHOTS, { recursive: true });

/** A browser, and a server of the pages, for the tests of a suite. */
export interface Host {
  api: Api;
  /** Opens a page of the site; if it is driven, its time passes by `step` alone. */
  open(path: string, name: string, isDriven?: boolean): Promise<Visit>;
}

/** Tests in a browser of their own; skipped where there is none. */
export function inBrowser(title: string, api: Api, tests: (host: Host) => void): void {
  suite(title, { skip: isBrowserMissing }, () => {
    let browser: Awaited<ReturnType<typeof openBrowser>> | undefined;
    let server: { url: string; close(): void } | undefined;
    before(async () => {
      const { serve } = (await import(pathToFileURL(join(ROOT, 'web/serve.mjs')).href)) as { serve(): Promise<{ url: string; close(): void }> };
      server = await serve();
      // Small: software draws every pixel.
      browser = await openBrowser({ webgpu: api === 'webgpu', viewport: { width: 640, height: 400 } });
    });
    after(async () => {
      await browser?.close();
      server?.close();
    });
    tests({ api, open: (path, name, isDriven) => Visit.open(browser!.context, server!.url + path, name, isDriven) });
  });
}

interface Driven {
  stepClock(secs: number): void;
}

/** Runs in a page before its own scripts: software draws a few frames a second, and films want sixty. */
function takeClock(): void {
  let now = performance.now();
  let waiting: FrameRequestCallback[] = [];
  performance.now = () => now;
  window.requestAnimationFrame = (callback) => waiting.push(callback);
  (window as unknown as Driven).stepClock = (secs) => {
    now += 1000 * secs;
    const callbacks = waiting;
    waiting = [];
    for (const callback of callbacks) callback(now);
  };
}

/** A page of its own, and everything that it complained about. */
export class Visit {
  readonly complaints: string[] = [];
  readonly hosts = new Set<string>();
  private constructor(readonly page: Page, readonly name: string) {}

  static async open(context: BrowserContext, url: string, name: string, isDriven = false): Promise<Visit> {
    const visit = new Visit(await context.newPage(), name);
    if (isDriven) await visit.page.addInitScript(takeClock);
    visit.page.on('console', (message) => message.type() === 'error' && visit.complaints.push(message.text()));
    visit.page.on('pageerror', (error) => visit.complaints.push(error.message));
    visit.page.on('request', (request) => visit.hosts.add(new URL(request.url()).hostname));
    // Where software draws ten thousand figures on a busy machine, a page answers late.
    visit.page.setDefaultTimeout(180_000);
    await visit.page.goto(url);
    return visit;
  }

  async ready(): Promise<this> {
    await this.page.waitForSelector('body[data-ready=true]', { timeout: 90_000 });
    return this;
  }

  /** Draws that many frames of a page that is driven, each of which takes the same time on its clock. */
  async step(frames: number, secs: number): Promise<void> {
    await this.page.evaluate(async ([frames, secs]) => {
      for (let frame = 0; frame < frames!; frame++) {
        (window as unknown as Driven).stepClock(secs!);
        // What the page has to do beside its frames.
        await new Promise((resolve) => setTimeout(resolve));
      }
    }, [frames, secs]);
  }

  /** Waits until that many more frames were drawn. */
  async frames(count: number): Promise<void> {
    const now = Number(await this.page.evaluate(() => document.body.dataset['frames'] ?? 0));
    await this.page.waitForFunction((wanted) => Number(document.body.dataset['frames'] ?? 0) >= wanted, now + count, { timeout: 90_000 });
  }

  /** Waits until what was changed is drawn, also while nothing moves. */
  async drawn(): Promise<void> {
    await this.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  }

  /** By script: a click that waits for the page to be still takes many frames here. */
  click(selector: string, text?: string): Promise<void> {
    return this.page.evaluate(([selector, text]) => {
      const all = [...document.querySelectorAll<HTMLElement>(selector!)];
      all.find(({ textContent }) => text === undefined || textContent === text)!.click();
    }, [selector, text]);
  }

  picture(what: string): Promise<Buffer> {
    const path = join(SHOTS, `${this.name}-${what}.png`);
    return this.page.screenshot({ path, timeout: 120_000 });
  }

  /** The middle of the picture, where the figure stands, as pixels of four numbers. */
  async pixels(what: string): Promise<Uint8ClampedArray> {
    const png = await this.picture(what);
    const numbers = await this.page.evaluate(async (data) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d')!;
      context.drawImage(image, 0, 0);
      const [x, y] = [Math.round(image.width * 0.34), Math.round(image.height * 0.16)];
      return [...context.getImageData(x, y, Math.round(image.width * 0.32), Math.round(image.height * 0.66)).data];
    }, png.toString('base64'));
    return Uint8ClampedArray.from(numbers);
  }

  /** Drops a file on the page. */
  async drop(name: string, bytes: Uint8Array): Promise<void> {
    const transfer = await this.page.evaluateHandle(async ([data, name]) => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(data!), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], name!));
      return transfer;
    }, [Buffer.from(bytes).toString('base64'), name]);
    await this.page.dispatchEvent('canvas', 'drop', { dataTransfer: transfer });
  }

  /** Waits until a file that was dropped is shown. */
  async shows(name: string): Promise<void> {
    await this.page.waitForFunction((name) => document.getElementById('title')?.textContent === name, name, { timeout: 60_000 });
  }

  text(id: string): Promise<string | null> {
    return this.page.textContent(`#${id}`);
  }

  async close(): Promise<void> {
    assert.deepEqual(this.complaints, []);
    assert.deepEqual([...this.hosts].filter((host) => host !== '127.0.0.1' && host !== ''), []);
    await this.page.close();
  }
}

/** How many pixels differ clearly. */
export function difference(a: Uint8ClampedArray, b: Uint8ClampedArray): number {
  let count = 0;
  for (let at = 0; at < a.length; at += 4) {
    const [red, green, blue] = [0, 1, 2].map((channel) => Math.abs(a[at + channel]! - b[at + channel]!));
    if (red! + green! + blue! > 40) count++;
  }
  return count;
}

/** How bright pixels are on the mean, from 0 to 255. */
export function brightness(pixels: Uint8ClampedArray): number {
  let sum = 0;
  for (let at = 0; at < pixels.length; at += 4) sum += pixels[at]! + pixels[at + 1]! + pixels[at + 2]!;
  return (4 * sum) / (3 * pixels.length);
}
