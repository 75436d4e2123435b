// What an update of ten thousand members costs, four fifths of which are far, as part of one of which all are near.
//
// `node web/bench/crowd-rates.mjs` prints a table; by the time on the CPU, the least of many rounds in turns. Build with
// `cargo xtask web` first.
import { cpus } from 'node:os';
import { readFileSync } from 'node:fs';

import { Crowd, loadGltf } from 'canter';

const MEMBERS = 10_000;
/** One of so many is near. */
const NEAR = 5;
const ROUNDS = 16;
const FRAMES = 8;

const hero = await loadGltf(readFileSync(new URL('../../assets/hero.glb', import.meta.url)), { matrices: 'mat3x4' });

function makeCrowd(rate, clips, options) {
  const crowd = new Crowd(hero, { matrices: 'mat3x4', ...options });
  for (let index = 0; index < MEMBERS; index++) {
    const member = crowd.spawn();
    for (const [place, clip] of clips.entries()) member.play(clip, { startTime: (0.137 * index) % 0.6, weight: 1 - 0.3 * place });
  }
  crowd.setUpdateRates(Uint8Array.from({ length: MEMBERS }, (_, index) => (index % NEAR ? rate : 1)));
  // Until samples are spread evenly over frames.
  for (let frame = 0; frame < 16; frame++) crowd.update(1 / 60);
  return crowd;
}

const KINDS = {
  'all at full rate': [1, {}],
  'every 8th frame, palettes moved on': [8, {}],
  'every 8th frame, `blendInShader`': [8, { blendInShader: true }],
  'the same with `stepWhenSampled`': [8, { blendInShader: true, stepWhenSampled: true }],
  'hidden': [0, {}],
  'hidden with `stepWhenSampled`': [0, { stepWhenSampled: true }],
};

console.log('| 10,000 members, four fifths far | one clip | part | two clips | part |');
console.log('|---|---|---|---|---|');
const columns = [['Run'], ['Run', 'Walk']].map((clips) => {
  const crowds = Object.values(KINDS).map(([rate, options]) => makeCrowd(rate, clips, options));
  const best = crowds.map(() => Infinity);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, crowd] of crowds.entries()) {
      const start = process.cpuUsage();
      for (let frame = 0; frame < FRAMES; frame++) crowd.update(1 / 60);
      const { user, system } = process.cpuUsage(start);
      best[index] = Math.min(best[index], (user + system) / FRAMES / 1000);
    }
  }
  for (const crowd of crowds) crowd.dispose();
  return best;
});
for (const [index, kind] of Object.keys(KINDS).entries()) {
  const cells = columns.flatMap((best) => [`${best[index].toFixed(1)} ms`, (best[index] / best[0]).toFixed(2)]);
  console.log(`| ${kind} | ${cells.join(' | ')} |`);
}
console.log(`\nMachine: ${cpus()[0].model.trim()}, ${cpus().length} cores, Node ${process.versions.node}.`);
