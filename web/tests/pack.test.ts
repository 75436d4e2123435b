// The package as it is published: packed, installed in a fresh folder, and used with the example of its README.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { HERO, ROOT } from './common.js';
import { pack } from './packed.js';

test('the tarball installs, type-checks strictly and runs the example of the README', () => {
  const folder = mkdtempSync(join(tmpdir(), 'canter-pack-'));
  const run = (program: string, ...words: string[]) => execFileSync(program, words, { cwd: folder, encoding: 'utf8' });
  try {
    const { filename, files } = pack(folder);
    for (const needed of ['README.md', 'LICENSE-MIT', 'LICENSE-APACHE', 'dist/index.js', 'dist/index.d.ts', 'dist/three.js', 'dist/react.js', 'dist/graph.js', 'dist/rig.js', 'dist/canter-motion.simd.wasm.gz', 'react/package.json', 'dist/shaders.js', 'dist/inline.js', 'dist/canter.simd.wasm.gz', 'dist/canter.plain.wasm.gz', 'dist/canter.simd.wasm']) {
      assert.ok(files.includes(needed), `${needed} is missing in the package`);
    }
    const others = files.filter((path) => !/^(dist\/|README|LICENSE|package\.json)/.test(path));
    // Tools that do not read `exports` look for folders instead.
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'packages/canter/package.json'), 'utf8')) as { exports: Record<string, object | string> };
    const names = Object.entries(exports).filter(([name, value]) => name !== '.' && typeof value === 'object').map(([name]) => name.slice(2));
    assert.deepEqual(others.sort(), names.map((name) => `${name}/package.json`).sort());
    for (const name of names) {
      const folder = join(ROOT, 'packages/canter', name);
      const { main, types } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { main: string; types: string };
      assert.deepEqual([main, types], [`../dist/${name}.js`, `../dist/${name}.d.ts`]);
    }
    writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
    run('npm', 'install', '--silent', '--no-audit', '--no-fund', '--offline', '--omit=peer', `./${filename}`);

    const readme = readFileSync(join(ROOT, 'packages/canter/README.md'), 'utf8');
    const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1];
    assert.ok(example);
    writeFileSync(join(folder, 'example.ts'), example);
    copyFileSync(HERO, join(folder, 'hero.glb'));
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    run(process.execPath, tsc, '--strict', '--noUncheckedIndexedAccess', '--target', 'ES2022', '--module', 'NodeNext', '--lib', 'ES2022,DOM', '--types', '', 'example.ts');
    assert.match(run(process.execPath, 'example.js'), /begins again/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
