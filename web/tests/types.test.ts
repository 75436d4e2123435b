// The types of the packed package, as programs of others compile them: no more libraries than they have, and every declaration checked.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';

import { ROOT } from './common.js';
import { installPacked } from './packed.js';

/** Everything that a program touches; it need not run. */
const PROGRAM = `
import { AnimationMixer, Asset, BoneMask, CanterError, Crowd, createRuntime, init, loadGltf, loadGltfSync, type LoadOptions } from 'canter';
import { AnimationGraph, GraphError, type GraphData } from 'canter/graph';
import { loadGltf as loadInlined } from 'canter/inline';
import { Feet, LookAt, Mirror, Springs, TwoBoneIK, type Reach } from 'canter/rig';
import { wgslSkinningStorageMat4 } from 'canter/shaders';

const options: LoadOptions = { matrices: 'mat3x4', rootMotion: true, onProgress: (loaded, total) => void (loaded / total) };
const hero: Asset = await loadGltf(new Uint8Array(8), options);
const same: Asset = await loadInlined('hero.glb');
const mixer = new AnimationMixer(hero);
const mask: BoneMask = BoneMask.tracks(hero.skeleton, 'Walk').min(hero.skeleton.mask('spine', { feather: 2 }));
mixer.play('Walk', { loop: 'once', mask }).crossFadeTo(mixer.clipAction('Run'), { duration: 0.2, kind: 'inertial' });
mixer.addEventListener('marker', ({ name, weight }) => void (name.length + weight));
const head = hero.skeleton.getBoneByName('head');
head?.euler.set(0, 1, 0);
head?.quaternion.copy({ x: 0, y: 0, z: 0, w: 1 });
const crowd = new Crowd(same);
crowd.spawn().play('Walk');
const matrices: Float32Array = hero.skeleton.boneMatrices;
const runtime = await createRuntime({ simd: false });
loadGltfSync(runtime, new Uint8Array(8)).dispose();
await init({ motion: true });
const data: GraphData = { version: 1, layers: [{ name: 'body', machine: { entry: 'Rest', states: [{ name: 'Rest', motion: 'rest' }] } }] };
const graph = new AnimationGraph(data, hero);
graph.addEventListener('enter', ({ state, event }) => void (state.length + (event?.length ?? 0)));
graph.addEventListener('marker', ({ name, layer }) => void (name.length + (layer?.length ?? 0)));
graph.parameters.set('speed', 1).trigger('jump');
graph.update(1 / 60).restore(graph.save());
const why: string = String(graph.explain()) + graph.layers[0]?.transition?.progress + graph.history[0]?.cause?.parameter;
const reach: Reach = new TwoBoneIK(hero.skeleton, { bones: ['a', 'b', 'c'] }).apply({ target: [0, 1, 2], end: 'keep', space: 'world' });
new LookAt(hero.skeleton, { bones: [{ bone: 'head', share: 1 }] }).apply({ target: { x: 0, y: 1, z: 2 } });
new Feet(hero.skeleton, { pelvis: 'hips', legs: [['a', 'b', 'c']] }).update(1 / 60, (x, _, z) => x + z);
new Springs(hero.skeleton, { chains: [{ bones: ['a', 'b'], gravity: [0, -1, 0] }] }).update(1 / 60);
mixer.play(new Mirror(hero.skeleton).clip('Walk'));
if (!reach.reached && !((why as unknown) instanceof GraphError)) throw new CanterError(why);
mixer.dispose();
if (matrices.length === 0) throw new CanterError(wgslSkinningStorageMat4);
export {};
`;

/** The same where there are URLs, blobs and compiled modules. */
const WEB_PROGRAM = `${PROGRAM}
await loadGltf(new URL('https://example.com/hero.glb'), { signal: new AbortController().signal });
await loadGltf(new Blob([]));
await loadGltf(await fetch('hero.glb'));
// @ts-expect-error: a number is nothing that can be loaded.
await loadGltf(7);
// @ts-expect-error: nor is an event a signal.
await loadGltf('hero.glb', { signal: new Event('abort') });
`;

/** The same in a browser, or a worker of it. */
const BROWSER_PROGRAM = `${WEB_PROGRAM}
await createRuntime({ wasm: await WebAssembly.compile(new Uint8Array(8)) });
`;

/** Under three.js: the mixer is one of three's, and tells of markers. */
const THREE_PROGRAM = `
import { AnimationMixer, CrowdMesh } from 'canter/three';
import { AnimationClip, Group, type AnimationMixer as ThreeMixer } from 'three';

const mixer = new AnimationMixer(new Group());
const same: ThreeMixer = mixer;
same.clipAction(new AnimationClip('Walk')).play();
mixer.addEventListener('marker', ({ name, kind, secondsAgo }) => void (name.length + kind.length + secondsAgo));
const crowd: CrowdMesh = await CrowdMesh.create(new Group(), [], { capacity: 3 });
crowd.spawn({ clip: 'Walk', phase: 0.5 }).crossFadeTo('Run', 0.3);
export {};
`;

const STRICT = { noEmit: true, strict: true, skipLibCheck: false, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };

suite('types', () => {
  const folder = mkdtempSync(join(tmpdir(), 'canter-types-'));
  before(() => {
    writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
    installPacked(folder);
    mkdirSync(join(folder, 'node_modules/@types'));
    for (const name of ['three', '@types/node', '@types/three']) {
      symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
    }
    writeFileSync(join(folder, 'program.ts'), PROGRAM);
    writeFileSync(join(folder, 'web.ts'), WEB_PROGRAM);
    writeFileSync(join(folder, 'browser.ts'), BROWSER_PROGRAM);
    writeFileSync(join(folder, 'three.ts'), THREE_PROGRAM);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [module, moduleResolution] of [['ES2022', 'bundler'], ['NodeNext', 'NodeNext']] as const) {
    const compile = (compiler: string, file: string, lib: string[], types: string[] = []) => {
      const options = { ...STRICT, target: 'ES2022', module, moduleResolution, lib, types };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: [file] }));
      const { stdout } = spawnSync(process.execPath, [join(ROOT, compiler), '-p', '.'], { cwd: folder, encoding: 'utf8' });
      assert.equal(stdout, '', `lib ${lib.join()}, types ${types.join()}`);
    };

    test(`compile in every host, modules as ${moduleResolution} finds them`, () => {
      const compiler = 'node_modules/typescript/bin/tsc';
      compile(compiler, 'program.ts', ['ES2022']);
      compile(compiler, 'browser.ts', ['ES2022', 'DOM']);
      compile(compiler, 'browser.ts', ['ESNext', 'DOM']);
      compile(compiler, 'browser.ts', ['ES2022', 'WebWorker']);
      compile(compiler, 'web.ts', ['ES2022'], ['node']);
      compile(compiler, 'three.ts', ['ES2022', 'DOM']);
    });

    test(`compile with an older compiler, modules as ${moduleResolution} finds them`, () => {
      compile('target/web/bundlers/node_modules/typescript-5.4/bin/tsc', 'browser.ts', ['ES2022', 'DOM']);
    });
  }
});
