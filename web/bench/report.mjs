// The JavaScript half of `cargo xtask bench`: prints `[{ tracks, characters, nanos: [{ name, nanos }] }]`.
//
// All compute the same poses, or it ends; progress goes to the terminal. Build with `cargo xtask web` first.
import { babylonJob } from './babylon.mjs';
import { canterJob } from './canter.mjs';
import { character } from './character.mjs';
import { flatJob } from './flat.mjs';
import { check, measure } from './job.mjs';
import { threeJob } from './three.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 12);
/** How many character-frames a measurement has at least: the clock of the CPU counts in milliseconds. */
const MIN_FRAMES = { 'three.js': 1_000, 'Babylon Lite': 1_000, 'flat JavaScript': 5_000 };

const rows = [];
for (const tracks of ['full', 'typical']) {
  const bytes = character(tracks);
  for (const characters of [1, 1000]) {
    console.error(`JavaScript: ${tracks}, ${characters}`);
    const jobs = {
      'canter, SIMD': await canterJob(bytes, characters, true),
      'canter, plain': await canterJob(bytes, characters, false),
      'flat JavaScript': flatJob(bytes, characters),
      'three.js': threeJob(bytes, characters),
      'Babylon Lite': babylonJob(bytes, characters),
    };
    for (let frame = 0; frame < 90; frame++) {
      const results = Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, job()]));
      check(results['flat JavaScript'], results);
    }
    const best = measure(jobs, ROUNDS, (name) => Math.ceil((MIN_FRAMES[name] ?? 20_000) / characters));
    const nanos = Object.entries(best).map(([name, ms]) => ({ name, nanos: Math.round((1e6 * ms) / characters) }));
    rows.push({ tracks, characters, nanos });
  }
}
console.log(JSON.stringify(rows));
