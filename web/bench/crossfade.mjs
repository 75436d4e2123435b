// The crossfade job in Node: Canter beside three.js and hand-written flat JavaScript, in one run.
//
// `node --expose-gc web/bench/crossfade.mjs FILE.glb…`; build with `cargo xtask web` first.
import { readFileSync } from 'node:fs';

import { canterJob } from './canter.mjs';
import { flatJob } from './flat.mjs';
import { check, measure } from './job.mjs';
import { threeJob } from './three.mjs';

const COUNT = Number(process.env.COUNT ?? 1000);
const ROUNDS = Number(process.env.ROUNDS ?? 12);

/** What a frame leaves to the garbage collector, once the engine has compiled the loop. */
function reportGarbage(job) {
  if (!globalThis.gc) return;
  for (let frame = 0; frame < 200; frame++) job();
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  for (let frame = 0; frame < 100; frame++) job();
  console.log(`garbage of Canter: ${Math.round((process.memoryUsage().heapUsed - before) / 100)} bytes a frame of ${COUNT} characters`);
}

for (const file of process.argv.slice(2)) {
  const bytes = readFileSync(file);
  const first = await canterJob(bytes, COUNT, true);
  const expected = first().slice(0, 64 * 16);
  // Of the first file only: once several instances of the module were called, the engine boxes what it passes to any of them.
  if (file === process.argv[2]) reportGarbage(first);
  const jobs = {
    'canter, SIMD': first,
    'canter, plain': await canterJob(bytes, COUNT, false),
    'flat JavaScript': flatJob(bytes, COUNT),
    'three.js': threeJob(bytes, COUNT),
  };
  const [, ...others] = Object.entries(jobs);
  check(expected, Object.fromEntries(others.map(([name, job]) => [name, job()])));
  const best = measure(jobs, ROUNDS, (name) => ({ 'three.js': 1, 'flat JavaScript': 5 })[name] ?? 30);
  const own = best['canter, SIMD'];
  console.log(`\n${file}: ${COUNT} characters, microseconds of CPU time per character-frame, min of ${ROUNDS} rounds`);
  for (const [name, ms] of Object.entries(best)) {
    console.log(`${name.padEnd(16)} ${((1000 * ms) / COUNT).toFixed(2).padStart(8)}  ${(ms / own).toFixed(1).padStart(6)} times`);
  }
}
