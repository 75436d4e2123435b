// Deno, where it is there.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { ALL_TESTS, ROOT } from './common.js';

export const DENO = process.env['CANTER_DENO'] ?? join(ROOT, 'node_modules/@deno/linux-x64-glibc/deno');

/** Why tests that need it are skipped; false if they are not. */
export const isDenoMissing = existsSync(DENO) ? false : `there is no Deno at ${DENO}`;
if (isDenoMissing && ALL_TESTS) throw new Error(`${isDenoMissing}; set CANTER_DENO`);
