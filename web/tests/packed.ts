// The package as it is published.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './common.js';

/** Packs the package into a folder, and returns the name of the tarball and what is in it. */
export function pack(folder: string): { filename: string; files: string[] } {
  const words = ['pack', '--json', '--pack-destination', folder, join(ROOT, 'packages/canter')];
  const [packed] = JSON.parse(execFileSync('npm', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })) as [
    { filename: string; files: { path: string }[] },
  ];
  return { filename: packed.filename, files: packed.files.map(({ path }) => path) };
}

/** Packs the package and unpacks it to where programs below a folder find it, as `npm install` does. */
export function installPacked(folder: string): void {
  const { filename } = pack(folder);
  const home = join(folder, 'node_modules/canter');
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', home, '--strip-components=1']);
}
