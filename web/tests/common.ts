import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository: tests run compiled, from target/web/tests. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const HERO = join(ROOT, 'assets/hero.glb');
/** Its clips, in order. */
export const HERO_CLIPS = [
  'Idle', 'Walk', 'Run', 'Wave', 'Attack', 'Jump', 'WalkRoot', 'RunRoot', 'WalkBack', 'StrafeLeft', 'StrafeRight', 'CrouchWalk', 'TurnLeft',
  'TurnRight',
];
export const SWORD = join(ROOT, 'assets/sword.glb');

const SHARED = join(ROOT, '../shared');

/** Whether every test has to run; otherwise those that lack something are skipped. */
export const ALL_TESTS = process.env['CANTER_TESTS'] === 'all';

/** A file outside the repository, which tests may do without. */
export function sharedFile(path: string): string | undefined {
  const file = join(SHARED, path);
  if (existsSync(file)) return file;
  if (ALL_TESTS) throw new Error(`${file} is missing`);
  console.log(`skipped: ${file} is missing`);
  return undefined;
}

/** What a native program prints; `cargo xtask test web` builds it. */
export function runNative(name: string, args: string[]): string {
  const program = join(ROOT, 'target/debug/examples', name);
  if (!existsSync(program)) throw new Error(`${program} is missing: cargo build --workspace --all-features --example ${name}`);
  return execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28 }).trim();
}

/** The real models, as far as they are there. */
export function sharedModels(): { name: string; file: string }[] {
  const manifest = sharedFile('assets/manifest.json');
  if (manifest === undefined) return [];
  const { models } = JSON.parse(readFileSync(manifest, 'utf8')) as { models: { name: string; file: string }[] };
  return models.map(({ name, file }) => ({ name, file: join(SHARED, 'assets', file) }));
}
