// A real browser, where there is one.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { chromium, type BrowserContext } from 'playwright-core';

import { ALL_TESTS } from './common.js';

export const BROWSER = process.env['CANTER_CHROMIUM'] ?? '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

/** Why tests that need the browser are skipped; false if they are not. */
export const isBrowserMissing = existsSync(BROWSER) ? false : `there is no browser at ${BROWSER}`;
if (isBrowserMissing && ALL_TESTS) throw new Error(`${isBrowserMissing}; set CANTER_CHROMIUM`);

/** With these WebGPU works without a graphics card. */
const WEBGPU_FLAGS = [
  '--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--enable-features=Vulkan', '--use-vulkan=swiftshader',
  '--use-angle=swiftshader', '--ignore-gpu-blocklist',
];

/** How a browser is opened. */
export interface BrowserOptions {
  webgpu?: boolean;
  viewport?: { width: number; height: number };
}

/** Opens the browser with a profile of its own, which goes with it. */
export async function openBrowser({ webgpu = false, viewport }: BrowserOptions = {}): Promise<{ context: BrowserContext; close(): Promise<void> }> {
  const profile = mkdtempSync(join(tmpdir(), 'canter-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: BROWSER,
    headless: true,
    args: [...FLAGS, ...(webgpu ? WEBGPU_FLAGS : [])],
    colorScheme: 'dark',
    ...(viewport ? { viewport } : {}),
  });
  return {
    context,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
