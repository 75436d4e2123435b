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

/** Opens the browser with a profile of its own, which goes with it. */
export async function openBrowser(): Promise<{ context: BrowserContext; close(): Promise<void> }> {
  const profile = mkdtempSync(join(tmpdir(), 'canter-'));
  const context = await chromium.launchPersistentContext(profile, { executablePath: BROWSER, headless: true, args: FLAGS });
  return {
    context,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
