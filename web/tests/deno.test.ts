// The package in Deno: the same matrices as in Node.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { AnimationMixer, loadGltf } from 'canter';

import { HERO, ROOT } from './common.js';
import { DENO, isDenoMissing } from './deno.js';

test('runs in Deno', { skip: isDenoMissing }, async () => {
  const code = `
    import { AnimationMixer, loadGltf } from ${JSON.stringify(pathToFileURL(join(ROOT, 'packages/canter/dist/index.js')).href)};
    const hero = await loadGltf(${JSON.stringify(HERO)});
    const mixer = new AnimationMixer(hero);
    mixer.play('Run');
    for (let frame = 0; frame < 30; frame++) mixer.update(1 / 60);
    console.log(JSON.stringify([...hero.skeleton.boneMatrices]));
  `;
  const printed = execFileSync(DENO, ['run', '--quiet', '--no-config', '--no-lock', '--allow-read', '-'], { input: code, encoding: 'utf8', maxBuffer: 1 << 24 });
  const hero = await loadGltf(HERO);
  const mixer = new AnimationMixer(hero);
  mixer.play('Run');
  for (let frame = 0; frame < 30; frame++) mixer.update(1 / 60);
  assert.deepEqual(JSON.parse(printed), [...hero.skeleton.boneMatrices]);
});
