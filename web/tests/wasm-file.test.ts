// The modules as they are shipped: compressed, and rearranged before that.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { createRuntime, loadGltfSync } from 'canter';

import { HERO, ROOT } from './common.js';

const file = (name: string) => new Uint8Array(readFileSync(join(ROOT, 'packages/canter/dist', name)));
const streams = () => new Uint8Array(gunzipSync(file('canter.simd.wasm.gz')));
const hero = new Uint8Array(readFileSync(HERO));

suite('the file of a module', () => {
  test('is taken as it is shipped, inflated by a server, and as plain WebAssembly', async () => {
    for (const wasm of [file('canter.simd.wasm.gz'), streams(), file('canter.simd.wasm')]) {
      const runtime = await createRuntime({ wasm });
      assert.equal(loadGltfSync(runtime, hero).clips.length, 14);
    }
  });

  test('is a fifth smaller than the module would be', () => {
    const shipped = file('canter.simd.wasm.gz').length;
    // What is inside is not WebAssembly, and says so by its first bytes.
    assert.notDeepEqual([...streams().subarray(0, 4)], [0, 0x61, 0x73, 0x6d]);
    assert.ok(shipped < 0.4 * file('canter.simd.wasm').length, `${shipped}`);
  });

  test('is refused where it is cut off or changed, and never keeps anybody waiting', async () => {
    const whole = streams();
    for (const share of [0, 0.001, 0.1, 0.5, 0.9, 0.999]) {
      await assert.rejects(createRuntime({ wasm: whole.slice(0, Math.floor(share * whole.length)) }), Error, `${share} of it`);
    }
    // What is all the same byte has the longest numbers, or never ends a block.
    for (const byte of [0, 2, 0x20, 0x80, 0xfd, 0xff]) {
      await assert.rejects(createRuntime({ wasm: whole.map((was, at) => (at < 100 ? was : byte)) }), Error, `bytes of ${byte}`);
    }
    let seed = 1;
    for (let time = 0; time < 40; time++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      const changed = whole.slice();
      changed[seed % Math.floor(whole.length / 2)]! ^= 0x55;
      // A number in it may be another one without harm to the rest.
      await createRuntime({ wasm: changed }).catch((error: unknown) => assert.ok(error instanceof Error));
    }
  });
});
