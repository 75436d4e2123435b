// The package as a user would write it: loading.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

import { AnimationMixer, createRuntime, init, loadGltf, loadGltfSync, type RuntimeOptions } from 'canter';

import { HERO, HERO_CLIPS, ROOT, sharedFile } from './common.js';
import { gltf } from './gltf.js';

suite('loading', () => {
  test('without meshes there is all that moves, and a smaller module', async () => {
    const runtime = await createRuntime();
    const asset = await loadGltf(HERO, { runtime });
    assert.deepEqual([runtime.meshes, asset.clips.length, asset.skins[0]?.bones.length], [false, 14, 66]);
    assert.deepEqual([asset.meshes.length, asset.meshes[0]?.primitives.length, asset.materials.length], [3, 0, 0]);
    await assert.rejects(loadGltf(HERO, { runtime, meshes: true }), /createRuntime\(\{ meshes: true \}\)/);
  });

  test('each module has all that the smaller ones have', async () => {
    const names = async (options: RuntimeOptions) => {
      const runtime = await createRuntime(options);
      return new Set(Object.keys((runtime as unknown as { _exports: object })._exports));
    };
    const options: RuntimeOptions[] = [{}, { three: true }, { meshes: true }, { motion: true }];
    const modules = await Promise.all(options.map((more) => names({ simd: true, ...more })));
    assert.deepEqual(modules.map((names) => names.has('tree_compose')), [false, true, true, true]);
    assert.deepEqual(modules.map((names) => names.has('asset_vertices')), [false, false, true, true]);
    assert.deepEqual(modules.map((names) => names.has('graph_new') && names.has('solver_new')), [false, false, false, true]);
    for (const [index, names] of modules.slice(1).entries()) {
      assert.deepEqual([...modules[index]!].filter((name) => !names.has(name)), []);
    }
    // Without SIMD there is one.
    assert.deepEqual([...await names({ simd: false })].sort(), [...modules[3]!].sort());
  });

  test('whoever needs meshes first has a module made that all share from then on', async () => {
    const before = await loadGltf(HERO);
    const base = await init();
    const forThree = await init({ three: true });
    assert.notEqual(forThree, base);
    assert.equal(await init(), forThree);
    const [first, second, third] = [await loadGltf(HERO, { meshes: true }), await loadGltf(HERO), await loadGltf(HERO)];
    assert.equal(second.addClips(first).length, 14);
    assert.equal(third.addClips(second).length, 28);
    assert.ok((await init()).meshes);
    assert.equal(await init({ three: true }), await init());
    const all = await init({ motion: true });
    assert.ok(all.meshes);
    assert.equal(await init({ meshes: true }), all);
    assert.equal(before.clips.length, 14);
  });

  test('the hero has clips, bones, a skin and meshes', async () => {
    const asset = await loadGltf(HERO, { meshes: true });
    assert.deepEqual(asset.clips.map((clip) => clip.name), HERO_CLIPS);
    assert.equal(asset.clips[0]?.duration, 3);
    assert.equal(asset.skins[0]?.bones.length, 66);
    assert.equal(asset.skins[0]?.inverseBindMatrices.length, 66 * 16);
    const primitives = asset.meshes[0]!.primitives;
    assert.equal(primitives.length, 6);
    for (const primitive of primitives) {
      assert.equal(primitive.positions.length, 3 * primitive.vertexCount);
      assert.equal(primitive.joints().length, 4 * primitive.vertexCount);
      assert.ok(primitive.indices.every((index) => index < primitive.vertexCount));
      const weights = primitive.weights();
      assert.ok(Math.abs(weights[0]! + weights[1]! + weights[2]! + weights[3]! - 1) < 1e-4);
    }
  });

  test('bytes, buffers, blobs, responses and URLs all will do', async () => {
    const bytes = readFileSync(HERO);
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    for (const source of [bytes, buffer, new Blob([bytes]), new Response(bytes), new URL(`file://${HERO}`)]) {
      assert.equal((await loadGltf(source)).clips.length, 14);
    }
  });

  test('a .gltf finds its buffers beside it, or among files that are given', async () => {
    const path = sharedFile('assets/SimpleSkin/SimpleSkin.gltf');
    if (path === undefined) return;
    assert.ok((await loadGltf(path)).clips.length > 0);
    const json = { asset: { version: '2.0' }, buffers: [{ uri: 'a.bin', byteLength: 4 }], nodes: [{ name: 'only' }] };
    const text = new TextEncoder().encode(JSON.stringify(json));
    assert.equal((await loadGltf(text, { files: { 'a.bin': new Uint8Array(4) } })).skeleton.bones[0]?.name, 'only');
    await assert.rejects(loadGltf(text), /buffers\[0\].*"a\.bin" is missing/);
    // Files that are dropped on a page have the names of the disk.
    for (const uri of ['my%20hero.bin', './my hero.bin', 'my hero.bin']) {
      const text = new TextEncoder().encode(JSON.stringify({ ...json, buffers: [{ uri, byteLength: 4 }] }));
      assert.equal((await loadGltf(text, { files: { 'my hero.bin': new Uint8Array(4) } })).skeleton.bones.length, 1, uri);
    }
  });

  test('a .gltf finds its buffers in folders of any name', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'canter-'));
    const json = { asset: { version: '2.0' }, buffers: [{ uri: 'a%20b.bin', byteLength: 4 }], nodes: [{ name: 'only' }] };
    const before = process.cwd();
    try {
      for (const name of ['plain', 'no. #1', 'what?', '100%', 'a%20b', 'grün']) {
        const inner = join(folder, name);
        mkdirSync(inner);
        writeFileSync(join(inner, 'model.gltf'), JSON.stringify(json));
        writeFileSync(join(inner, 'a b.bin'), new Uint8Array(4));
        process.chdir(inner);
        for (const path of [join(inner, 'model.gltf'), 'model.gltf', join('..', name, 'model.gltf'), pathToFileURL('model.gltf')]) {
          assert.equal((await loadGltf(path)).skeleton.bones[0]?.name, 'only', String(path));
        }
      }
    } finally {
      process.chdir(before);
      rmSync(folder, { recursive: true });
    }
  });

  test('a URI that is none is the loader\'s to refuse, with its place', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'canter-'));
    try {
      for (const uri of ['http://[', 'https://', '//[']) {
        const json = { asset: { version: '2.0' }, buffers: [{ uri, byteLength: 4 }] };
        writeFileSync(join(folder, 'model.gltf'), JSON.stringify(json));
        await assert.rejects(loadGltf(join(folder, 'model.gltf')), { name: 'CanterError', message: /buffers\[0\]/ });
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('broken files are refused with the place', async () => {
    await assert.rejects(loadGltf(new Uint8Array([1, 2, 3])), { name: 'CanterError', message: /no glTF file/ });
    const negative = new TextEncoder().encode('{"asset":{"version":"2.0"},"nodes":[{"mesh":-1}]}');
    await assert.rejects(loadGltf(negative), /nodes\[0\]\.mesh/);
    await assert.rejects(loadGltf('no/such/file.glb'), /no\/such\/file\.glb cannot be read/);
    await assert.rejects(loadGltf(7 as never), /give a URL/);
  });

  test('the module is unpacked where the engine cannot, too', () => {
    const code = `
      delete globalThis.DecompressionStream;
      const { createRuntime, loadGltf } = await import(${JSON.stringify(`file://${ROOT}packages/canter/dist/index.js`)});
      const runtime = await createRuntime({ simd: false });
      console.log((await loadGltf(${JSON.stringify(HERO)}, { runtime })).clips.length);`;
    assert.equal(execFileSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' }), '14\n');
  });

  test('the module comes as a file, as bytes, packed or not, or compiled', async () => {
    const file = join(ROOT, 'packages/canter/dist/canter.simd.wasm');
    const bytes = readFileSync(file);
    for (const wasm of [file, `${file}.gz`, bytes, new Response(readFileSync(`${file}.gz`)), await WebAssembly.compile(bytes)]) {
      const runtime = await createRuntime({ wasm });
      assert.equal((await loadGltf(HERO, { runtime })).clips.length, 14);
    }
    await assert.rejects(createRuntime({ wasm: 'no/such/file.wasm' }), /no\/such\/file\.wasm cannot be read/);
  });

  test('a file that requires unknown extensions is refused, unless they are ignored', async () => {
    const file = gltf({ nodes: [{ name: 'a' }], animations: [], extensionsRequired: ['EXT_unheard_of'] });
    await assert.rejects(loadGltf(file), { name: 'CanterError', message: /EXT_unheard_of.*`ignoreRequiredExtensions`/ });
    const asset = await loadGltf(file, { ignoreRequiredExtensions: true });
    assert.equal(asset.skeleton.bones[0]?.name, 'a');
    assert.match(asset.warnings.join(), /EXT_unheard_of/);
    const runtime = await init();
    assert.throws(() => loadGltfSync(runtime, file), /ignoreRequiredExtensions/);
    assert.equal(loadGltfSync(runtime, file, { ignoreRequiredExtensions: true }).skeleton.bones.length, 1);
  });

  test('extensions of meshes and textures alone are not in the way of those who ask for neither', async () => {
    const extensions = { KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0 } } };
    const file = (required: string) => gltf({
      nodes: [{ name: 'a', mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 }, extensions }] }],
      animations: [[{ node: 0, path: 'translation', times: [0, 1], values: [[0, 0, 0], [2, 0, 0]] }]],
      extensionsRequired: [required],
    });
    // Also in a module that could read meshes.
    for (const runtime of [await createRuntime(), await createRuntime({ meshes: true })]) {
      for (const name of ['KHR_draco_mesh_compression', 'EXT_mesh_unheard_of', 'KHR_texture_basisu', 'EXT_texture_avif', 'KHR_materials_variants']) {
        const asset = await loadGltf(file(name), { runtime });
        assert.deepEqual([asset.meshes.length, asset.meshes[0]?.primitives.length], [1, 0], name);
        const mixer = new AnimationMixer(asset);
        mixer.play('clip 0');
        mixer.update(0.5);
        assert.equal(asset.skeleton.bones[0]?.position.x, 1, name);
      }
      await assert.rejects(loadGltf(file('EXT_joints_unheard_of'), { runtime }), /EXT_joints_unheard_of.*`ignoreRequiredExtensions`/);
    }
    const runtime = await createRuntime({ meshes: true });
    await assert.rejects(loadGltf(file('EXT_mesh_unheard_of'), { runtime, meshes: true }), /EXT_mesh_unheard_of.*`ignoreRequiredExtensions`/);
  });

  test('a worker loads it, too', async () => {
    const code = `
      const { parentPort } = require('node:worker_threads');
      import(${JSON.stringify(`file://${ROOT}packages/canter/dist/index.js`)})
        .then(({ loadGltf }) => loadGltf(${JSON.stringify(HERO)}))
        .then((asset) => parentPort.postMessage(asset.clips.length));`;
    const worker = new Worker(code, { eval: true });
    const count = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    await worker.terminate();
    assert.equal(count, 14);
  });

  test('progress ends with all bytes', async () => {
    const bytes = readFileSync(HERO);
    let last: [number, number] = [0, 0];
    await loadGltf(new Response(bytes), { onProgress: (loaded, total) => (last = [loaded, total]) });
    assert.deepEqual(last, [bytes.length, bytes.length]);
  });
});
