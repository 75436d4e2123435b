// The package as a user would write it.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

import {
  AnimationMixer,
  BoneMask,
  CanterError,
  Crowd,
  createRuntime,
  init,
  loadGltf,
  type AnimationEvent,
  type Asset,
} from 'canter';

import { HERO, ROOT, sharedFile } from './common.js';

const DT = 1 / 60;

async function hero(): Promise<{ asset: Asset; mixer: AnimationMixer }> {
  const asset = await loadGltf(HERO);
  return { asset, mixer: new AnimationMixer(asset) };
}

function steps(mixer: { update(dt: number): unknown }, count: number): void {
  for (let step = 0; step < count; step++) mixer.update(DT);
}

suite('loading', () => {
  test('without meshes there is all that moves, and a smaller module', async () => {
    const runtime = await createRuntime();
    const asset = await loadGltf(HERO, { runtime });
    assert.deepEqual([runtime.meshes, asset.clips.length, asset.skins[0]?.bones.length], [false, 6, 66]);
    assert.deepEqual([asset.meshes.length, asset.meshes[0]?.primitives.length, asset.materials.length], [1, 0, 0]);
    await assert.rejects(loadGltf(HERO, { runtime, meshes: true }), /createRuntime\(\{ meshes: true \}\)/);
  });

  test('whoever needs meshes first has a module made that all share from then on', async () => {
    const before = await loadGltf(HERO);
    const [first, second, third] = [await loadGltf(HERO, { meshes: true }), await loadGltf(HERO), await loadGltf(HERO)];
    assert.equal(second.addClips(first).length, 6);
    assert.equal(third.addClips(second).length, 12);
    assert.ok((await init()).meshes);
    assert.equal(before.clips.length, 6);
  });

  test('the hero has clips, bones, a skin and meshes', async () => {
    const asset = await loadGltf(HERO, { meshes: true });
    assert.deepEqual(asset.clips.map((clip) => clip.name), ['Idle', 'Walk', 'Run', 'Wave', 'Attack', 'Jump']);
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
      assert.equal((await loadGltf(source)).clips.length, 6);
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

  test('a worker loads it, too', async () => {
    const code = `
      const { parentPort } = require('node:worker_threads');
      import(${JSON.stringify(`file://${ROOT}packages/canter/dist/index.js`)})
        .then(({ loadGltf }) => loadGltf(${JSON.stringify(HERO)}))
        .then((asset) => parentPort.postMessage(asset.clips.length));`;
    const worker = new Worker(code, { eval: true });
    const count = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    await worker.terminate();
    assert.equal(count, 6);
  });

  test('progress ends with all bytes', async () => {
    const bytes = readFileSync(HERO);
    let last: [number, number] = [0, 0];
    await loadGltf(new Response(bytes), { onProgress: (loaded, total) => (last = [loaded, total]) });
    assert.deepEqual(last, [bytes.length, bytes.length]);
  });
});

suite('playing', () => {
  test('a clip has one action unless more are started, and setters chain', async () => {
    const { asset, mixer } = await hero();
    const walk = mixer.clipAction('Walk');
    assert.equal(mixer.clipAction(asset.clips[1]!), walk);
    assert.equal(walk.setLoop('repeat').setSpeed(1.5).setWeight(0.5).play(), walk);
    steps(mixer, 20);
    assert.ok(Math.abs(walk.time - 0.5) < 1e-5);
    assert.deepEqual([walk.timeScale, walk.weight, walk.isRunning, walk.paused], [1.5, 0.5, true, false]);
    walk.pause();
    steps(mixer, 20);
    assert.ok(Math.abs(walk.time - 0.5) < 1e-5 && walk.paused && !walk.isRunning);
    walk.play().time = 0.25;
    assert.equal(walk.time, 0.25);
    walk.reset();
    assert.equal(walk.time, 0);
  });

  test('settings outlive stopping', async () => {
    const { mixer } = await hero();
    const walk = mixer.clipAction('Walk').setSpeed(2).play();
    steps(mixer, 1);
    walk.stop();
    assert.deepEqual([walk.isRunning, walk.time, walk.effectiveWeight], [false, 0, 0]);
    walk.time = 0.5;
    walk.play();
    steps(mixer, 6);
    assert.ok(Math.abs(walk.time - 0.7) < 1e-5, String(walk.time));
  });

  test('options of play', async () => {
    const { mixer } = await hero();
    const walk = mixer.play('Walk', { loop: 'once', speed: 0.5, weight: 0.25, startTime: 0.75 });
    assert.deepEqual([walk.loop, walk.timeScale, walk.weight, walk.time], ['once', 0.5, 0.25, 0.75]);
    steps(mixer, 60);
    assert.ok(walk.isFinished);
    assert.equal(walk.time, 1);
    walk.play();
    assert.equal(walk.time, 0);
  });

  test('crossfades lead from one to the other, and the first leaves', async () => {
    const { mixer } = await hero();
    const idle = mixer.play('Idle');
    const run = mixer.crossFadeTo('Run', 0.5, 'quadraticInOut');
    steps(mixer, 15);
    assert.ok(Math.abs(run.effectiveWeight - 0.5) < 0.02, String(run.effectiveWeight));
    assert.ok(run.isFading && idle.isFading);
    steps(mixer, 16);
    assert.deepEqual([idle.effectiveWeight, run.effectiveWeight, idle.isRunning], [0, 1, false]);
    assert.equal(mixer.crossFade('Run', 'Walk', 0.1), mixer.clipAction('Walk'));
    run.crossFadeTo(mixer.clipAction('Idle'), 0.1);
    idle.fadeOut(0.1).fadeIn(0.1).crossFadeFrom(run, 0.2);
    mixer.stopAll().update(DT);
    assert.equal(idle.isRunning, false);
  });

  test('events come after the pose, and may be answered with any call', async () => {
    const { asset, mixer } = await hero();
    const heard: string[] = [];
    const sword = { matrix: new Float32Array(16) };
    asset.skeleton.getBoneByName('hand_R')!.attach(sword);
    const note = ({ type, action, loopDelta }: AnimationEvent) => heard.push(`${type} ${action.clip.name} ${loopDelta}`);
    mixer.addEventListener('loop', note);
    mixer.addEventListener('loop', note);
    mixer.addEventListener('finished', note);
    mixer.addEventListener('fadedOut', note);
    mixer.addEventListener('finished', ({ action }) => {
      assert.deepEqual([...sword.matrix], [...asset.skeleton.getBoneByName('hand_R')!.worldMatrix]);
      action.stop();
      mixer.crossFadeTo('Idle', 0).mixer.stopAll();
      mixer.update(0);
      mixer.dispose();
      asset.dispose();
    });
    const walk = mixer.play('Walk', { loop: 3 });
    mixer.play('Run').fadeOut(0.1);
    mixer.update(1.5);
    assert.deepEqual(heard, ['loop Walk 1', 'loop Run 2', 'fadedOut Run 1']);
    assert.equal(walk.loops, 1);
    mixer.update(9);
    assert.deepEqual(heard.slice(3), ['loop Walk 1', 'finished Walk 1']);
    assert.throws(() => mixer.update(DT), /disposed of/);
  });

  test('events say which clip, and how long ago within the step', async () => {
    const { mixer } = await hero();
    const heard: [string, string, number][] = [];
    for (const type of ['loop', 'finished', 'fadedOut'] as const) {
      mixer.addEventListener(type, ({ type, clip, secondsAgo }) => heard.push([type, clip.name, secondsAgo]));
    }
    mixer.play('Walk', { loop: 'once', speed: 2 });
    mixer.play('Idle', { startTime: 2.75 }).fadeOut(0.5);
    mixer.update(0.75);
    assert.deepEqual(heard, [['finished', 'Walk', 0.25], ['loop', 'Idle', 0.5], ['fadedOut', 'Idle', 0.25]]);
  });

  test('a clip plays as often at once as it is started', async () => {
    const { mixer } = await hero();
    const first = mixer.play('Attack', { loop: 'once' });
    mixer.update(0.25);
    const second = mixer.play('Attack', { loop: 'once', fadeIn: 0.5 });
    assert.notEqual(second, first);
    assert.equal(mixer.clipAction('Attack'), first);
    mixer.update(0.25);
    assert.deepEqual([first.time, second.time, second.isFading], [0.5, 0.25, true]);
    assert.ok(Math.abs(second.effectiveWeight - 0.25) < 1e-6, String(second.effectiveWeight));
    // When one is gone, its number is given to others; the object knows that it is no longer meant.
    first.stop();
    assert.equal(mixer.clipAction('Attack'), second);
    const walk = mixer.play('Walk');
    first.setSpeed(3).pause().fadeOut(0);
    assert.deepEqual([walk.timeScale, walk.paused, walk.isRunning, first.isRunning], [1, false, true, false]);
    first.play();
    mixer.update(0.1);
    assert.ok(Math.abs(first.time - 0.3) < 1e-6 && Math.abs(walk.time - 0.1) < 1e-6);
  });

  test('a finished action is the same object when it begins anew, with its settings', async () => {
    const { mixer } = await hero();
    const faded: string[] = [];
    mixer.addEventListener('fadedOut', ({ clip }) => faded.push(clip.name));
    const walk = mixer.play('Walk', { loop: 'once', speed: 2 });
    for (const again of [
      () => walk.fadeIn(0.2),
      () => mixer.crossFadeTo('Walk', 0.2),
      () => walk.crossFadeFrom(mixer.clipAction('Idle'), 0.2),
    ]) {
      mixer.update(1);
      assert.ok(walk.isFinished);
      assert.equal(again(), walk);
      assert.ok(walk.isRunning && walk.isFading && walk.time === 0);
      // It begins while its last pose fades out.
      mixer.update(0.1);
      assert.ok(Math.abs(walk.effectiveWeight - 0.5) < 0.01, String(walk.effectiveWeight));
      assert.ok(Math.abs(walk.time - 0.2) < 1e-6);
      mixer.update(0.2);
      assert.deepEqual([walk.effectiveWeight, walk.loop, walk.timeScale], [1, 'once', 2]);
    }
    assert.deepEqual(faded, []);
  });

  test('a crossfade in every frame goes on with the clip that plays', async () => {
    const { mixer } = await hero();
    mixer.play('Idle');
    const run = mixer.crossFadeTo('Run', 0.25);
    for (let step = 0; step < 30; step++) {
      mixer.update(DT);
      assert.equal(mixer.crossFadeTo('Run', 0.25), run);
    }
    assert.ok(run.effectiveWeight === 1 && Math.abs(run.time + run.loops * run.clip.duration - 0.5) < 1e-5);
  });

  test('the time of a mixer can be scaled, and fades follow if they are told to', async () => {
    const { mixer } = await hero();
    const walk = mixer.play('Walk', { fadeIn: 1 });
    mixer.timeScale = 0;
    mixer.update(0.25);
    assert.deepEqual([walk.time, walk.effectiveWeight, mixer.timeScale], [0, 0.25, 0]);
    mixer.fadesFollowTimeScale = true;
    mixer.update(0.25);
    assert.deepEqual([walk.time, walk.effectiveWeight], [0, 0.25]);
    mixer.timeScale = 0.5;
    mixer.update(0.5);
    assert.deepEqual([walk.time, walk.effectiveWeight], [0.25, 0.5]);
    const crowd = new Crowd(mixer.asset);
    const [slow, usual] = [crowd.spawn(), crowd.spawn()];
    slow.timeScale = 0.5;
    const times = [slow, usual].map((member) => member.play('Walk'));
    crowd.update(0.5);
    assert.deepEqual(times.map(({ time }) => time), [0.25, 0.5]);
  });

  test('clips of another file play by the names of bones', async () => {
    const { asset, mixer } = await hero();
    const other = await loadGltf(HERO);
    const [, walk] = asset.addClips(other);
    assert.equal(asset.clips.length, 12);
    mixer.play(walk!, { startTime: 0.3 }).mixer.stopAll();
    mixer.play(walk!, { startTime: 0.3 });
    mixer.update(0);
    const added = [...asset.skeleton.boneMatrices];
    mixer.stopAll().play('Walk', { startTime: 0.3 });
    mixer.update(0);
    assert.deepEqual(added, [...asset.skeleton.boneMatrices]);
  });
});

suite('bones', () => {
  test('are found by name and index, parents first', async () => {
    const { asset } = await hero();
    const { skeleton } = asset;
    const hand = skeleton.getBoneByName('hand_R')!;
    assert.equal(hand.parent?.name, 'forearm_R');
    assert.equal(skeleton.getBoneByIndex(hand.index), hand);
    assert.deepEqual([skeleton.getBoneByName('tail'), skeleton.getBoneByIndex(999)], [undefined, undefined]);
    assert.ok(skeleton.bones.every(({ parent, index }) => (parent?.index ?? -1) < index));
  });

  test('edits move what hangs on them, until the next update', async () => {
    const { asset, mixer } = await hero();
    mixer.play('Idle');
    mixer.update(0.2);
    const { skeleton } = asset;
    const [head, hips] = [skeleton.getBoneByName('head')!, skeleton.getBoneByName('hips')!];
    const before = head.worldMatrix[13]!;
    const matrices = [...skeleton.boneMatrices];
    hips.position.y += 1;
    assert.ok(Math.abs(head.worldMatrix[13]! - before - 1) < 1e-5);
    assert.notDeepEqual([...skeleton.boneMatrices], matrices);
    head.rotation.set(0, Math.PI / 2, 0);
    assert.ok(Math.abs(head.rotation.w - Math.SQRT1_2) < 1e-6);
    head.rotation.set(0, 0, 0, 2);
    assert.deepEqual(head.rotation.toQuaternion(), [0, 0, 0, 1]);
    head.rotation.multiply([0, 0, 0.1]).copy({ x: 0, y: 0, z: 0, w: 1 });
    head.scale.copy([2, 2, 2]);
    assert.deepEqual(head.scale.toArray(), [2, 2, 2]);
    mixer.update(0);
    assert.deepEqual([...skeleton.boneMatrices], matrices);
  });

  test('attachments follow in the same frame, with an offset', async () => {
    const { asset, mixer } = await hero();
    const { skeleton } = asset;
    const hand = skeleton.getBoneByName('hand_R')!;
    const plain = { matrix: new Float32Array(16) };
    const offset = { matrix: { elements: new Array<number>(16).fill(0) }, matrixAutoUpdate: true, matrixWorldNeedsUpdate: false };
    hand.attach(plain);
    const attachment = hand.attach(offset, { position: [0, 0.1, 0], rotation: [0, 0, Math.PI / 2], scale: 2 });
    mixer.play('Run');
    skeleton.matrix.set([10, 20, 30], 12);
    mixer.update(0.1);
    assert.deepEqual([...plain.matrix], [...hand.worldMatrix]);
    assert.ok(plain.matrix[12]! > 8);
    assert.deepEqual([offset.matrixAutoUpdate, offset.matrixWorldNeedsUpdate], [false, true]);
    // A tenth along the hand's own y axis; x of the object along y of the hand, twice as long.
    for (const row of [0, 1, 2]) {
      const { elements } = offset.matrix;
      assert.ok(Math.abs(elements[12 + row]! - hand.worldMatrix[12 + row]! - 0.1 * hand.worldMatrix[4 + row]!) < 1e-5);
      assert.ok(Math.abs(elements[row]! - 2 * hand.worldMatrix[4 + row]!) < 1e-5);
    }
    attachment.detach();
    const still = [...offset.matrix.elements];
    mixer.update(0.1);
    assert.deepEqual(offset.matrix.elements, still);
    assert.throws(() => hand.attach({ matrix: new Float32Array(9) }), /16 numbers/);
  });

  test('packed matrices are the rows of the others', async () => {
    const { asset, mixer } = await hero();
    const packed = asset.skeleton.clone('mat3x4');
    const second = new AnimationMixer(packed);
    for (const each of [mixer, second]) each.play('Run').mixer.play('Wave');
    steps(mixer, 10);
    steps(second, 10);
    const [mat4, rows] = [asset.skeleton.boneMatrices, packed.boneMatrices];
    assert.equal(mat4.length / 16, rows.length / 12);
    for (let bone = 0; bone < 66; bone++) {
      for (let row = 0; row < 3; row++) {
        for (let column = 0; column < 4; column++) assert.equal(mat4[16 * bone + 4 * column + row], rows[12 * bone + 4 * row + column]);
      }
    }
  });
});

suite('masks', () => {
  /** Every bone as it is: translation, rotation, scale. */
  const posed = ({ skeleton }: Asset) =>
    new Map(skeleton.bones.map((bone) => {
      const { position, rotation, scale } = bone;
      return [bone.name, [...position.toArray(), ...rotation.toQuaternion(), ...scale.toArray()]];
    }));

  test('an action moves the bones of its mask alone', async () => {
    const { asset, mixer } = await hero();
    const pose = (play: () => void) => {
      mixer.stopAll();
      play();
      mixer.update(0.4);
      return posed(asset);
    };
    const walk = pose(() => mixer.play('Walk'));
    const wave = pose(() => mixer.play('Wave'));
    const arm = BoneMask.subtree(asset.skeleton, 'upper_arm_R');
    const names = asset.skeleton.bones.filter((bone) => arm.weight(bone) === 1).map(({ name }) => name);
    assert.ok(names.includes('hand_R') && !names.includes('hand_L') && !names.includes('chest'), names.join());
    // Where the masks do not meet, each bone is that of its clip alone, bit for bit.
    const others = BoneMask.bones(asset.skeleton, ...asset.skeleton.bones.filter((bone) => !arm.weight(bone)));
    const both = pose(() => {
      mixer.play('Walk', { mask: others });
      mixer.play('Wave').setMask(arm);
    });
    for (const [name, transform] of both) {
      assert.deepEqual(transform, (names.includes(name) ? wave : walk).get(name), name);
    }
    // Taking it away is what it would have been without.
    const plain = pose(() => mixer.play('Wave', { mask: arm }).setMask(undefined));
    assert.deepEqual([...plain], [...wave]);
  });

  test('a faint mask is all there is where nothing else plays, and a mask outlives stopping', async () => {
    const { asset, mixer } = await hero();
    const hips = asset.skeleton.getBoneByName('hips')!;
    mixer.play('Walk', { mask: BoneMask.bones(asset.skeleton, 'hips').set('hips', 0.5) });
    mixer.update(0.4);
    const half = hips.position.toArray();
    mixer.stopAll().update(0);
    const rest = hips.position.toArray();
    const action = mixer.play('Walk', { mask: BoneMask.bones(asset.skeleton, 0, hips) });
    mixer.update(0.4);
    const full = hips.position.toArray();
    // By itself an action is all there is, however faint its mask.
    assert.deepEqual(half, full);
    assert.notDeepEqual(full, rest);
    action.stop().play();
    mixer.update(0.4);
    assert.deepEqual(hips.position.toArray(), full);
    assert.equal(action.mask?.weight('hips'), 1);
  });

  test('members of a crowd take them, too', async () => {
    const { asset, mixer } = await hero();
    const crowd = new Crowd(asset);
    const mask = BoneMask.subtree(asset.skeleton, 'chest');
    for (const player of [mixer, crowd.spawn()]) {
      player.play('Walk');
      player.play('Wave', { mask, fadeIn: 0.2 });
    }
    for (let step = 0; step < 20; step++) crowd.update(DT);
    steps(mixer, 20);
    assert.deepEqual([...crowd.boneMatrices], [...asset.skeleton.boneMatrices]);
  });

  test('bones that are not there are named, and masks of other files refused', async () => {
    const { asset, mixer } = await hero();
    const { skeleton } = await loadGltf(HERO);
    const calls: [() => unknown, RegExp][] = [
      [() => BoneMask.subtree(asset.skeleton, 'chst'), /^there is no bone "chst"; did you mean "chest"\? the bones are/],
      [() => BoneMask.bones(asset.skeleton, 'hips', 999), /no bone 999; the skeleton has \d+, counted from 0/],
      [() => BoneMask.bones(asset.skeleton, skeleton.bones[0]!), /bone ".*" is one of another asset; give its name/],
      [() => mixer.play('Walk', { mask: new BoneMask(skeleton) }), /mask was made for another asset/],
      [() => mixer.clipAction('Walk').setMask(new BoneMask(skeleton)), /mask was made for another asset/],
    ];
    for (const [call, message] of calls) {
      assert.throws(call, (error) => error instanceof CanterError && message.test(error.message), String(message));
    }
    assert.equal(mixer.clipAction('Walk').isRunning, false);
  });
});

suite('crowds', () => {
  test('write what mixers write, one behind another', async () => {
    const asset = await loadGltf(HERO);
    const crowd = new Crowd(asset);
    const members = ['Idle', 'Walk', 'Run'].map((clip) => crowd.spawn().play(clip).mixer);
    assert.equal(crowd.boneMatrices.length, 0);
    for (let step = 0; step < 30; step++) crowd.update(DT);
    assert.equal(crowd.boneMatrices.length, 3 * crowd.floatsPerMember);
    for (const [index, clip] of ['Idle', 'Walk', 'Run'].entries()) {
      const mixer = new AnimationMixer(asset);
      mixer.play(clip);
      steps(mixer, 30);
      const own = crowd.boneMatrices.slice(index * crowd.floatsPerMember, (index + 1) * crowd.floatsPerMember);
      assert.deepEqual([...own], [...asset.skeleton.boneMatrices]);
    }
    assert.equal(members.length, crowd.members.length);
  });

  test('members leave and events find the right one', async () => {
    const crowd = new Crowd(await loadGltf(HERO), { matrices: 'mat3x4' });
    const [first, second, third] = [crowd.spawn(), crowd.spawn(), crowd.spawn()];
    const heard: number[] = [];
    crowd.addEventListener('finished', ({ action }) => heard.push((action.mixer as typeof first).index));
    third.addEventListener('finished', () => heard.push(100));
    third.play('Run', { loop: 'once' });
    first.remove();
    first.remove();
    assert.deepEqual([first.index, second.index, third.index, crowd.members.length], [-1, 1, 0, 2]);
    crowd.update(1);
    assert.deepEqual(heard, [100, 0]);
    assert.equal(crowd.boneMatrices.length, 2 * crowd.floatsPerMember);
    assert.throws(() => first.play('Run'), /left its crowd/);
    crowd.dispose();
    assert.throws(() => crowd.update(DT), /Crowd was disposed of/);
  });
});

suite('wrong calls say what to do', () => {
  test('unknown clips are listed, and the nearest is suggested', async () => {
    const { mixer } = await hero();
    assert.throws(() => mixer.play('Wlak'), { name: 'CanterError', message: /no clip "Wlak"; did you mean "Walk"\?.*"Idle"/ });
    assert.throws(() => mixer.play('dance'), { message: /^there is no clip "dance"; the clips are "Idle", .*"Jump"$/ });
    assert.throws(() => mixer.play('tta'), { message: /did you mean "Attack"\?/ });
    const other = await loadGltf(HERO);
    assert.throws(() => mixer.play(other.clips[0]!), /addClips/);
  });

  test('numbers that are none are refused', async () => {
    const { asset, mixer } = await hero();
    const walk = mixer.clipAction('Walk');
    const hips = asset.skeleton.getBoneByName('hips')!;
    const calls: [() => unknown, RegExp][] = [
      [() => mixer.update(NaN), /step of time.*NaN.*from 0/],
      [() => mixer.update(-1), /negative `timeScale`/],
      [() => mixer.play('Walk', { speed: Infinity }), /speed is Infinity/],
      [() => mixer.play('Walk', { startTime: NaN }), /startTime is NaN/],
      // What 32 bits cannot hold would be infinite in the module.
      [() => mixer.update(1e39), /step of time.*1e\+39.*below 3\.4e38/],
      [() => mixer.play('Walk', { speed: -1e39 }), /speed is -1e\+39/],
      [() => mixer.play('Walk', { weight: 1e19 }), /weight is 10000000000000000000; give a number from 0 to 1e18/],
      [() => walk.setSpeed(1e39), /speed is 1e\+39/],
      [() => walk.fadeOut(1e39), /fade is 1e\+39/],
      [() => walk.setWeight(-1), /weight is -1/],
      [() => walk.setSpeed(NaN), /speed is NaN/],
      [() => walk.setTime(NaN), /time is NaN/],
      [() => walk.fadeIn(-1), /fade is -1/],
      [() => walk.fadeIn(1, 'bouncy' as never), /no easing 'bouncy'.*smoothStep/],
      [() => walk.setLoop(0), /whole number from 1/],
      [() => walk.setLoop('twice' as never), /no loop 'twice'/],
      [() => mixer.crossFadeTo('Walk', NaN), /crossfade is NaN/],
      [() => mixer.play('Walk', { fadeIn: -1 }), /fadeIn is -1/],
      [() => mixer.play('Walk', { fadeIn: 1, easing: 'bouncy' as never }), /no easing 'bouncy'/],
      [() => walk.setTime(Infinity), /time is Infinity/],
      [() => (mixer.timeScale = -1), /time scale.*-1.*from 0/],
      [() => (mixer.timeScale = NaN), /time scale.*NaN/],
      [() => BoneMask.bones(asset.skeleton, 'head').set('head', 2), /mask is 2; give a number from 0 to 1/],
      [() => BoneMask.bones(asset.skeleton, 'head').set(0, NaN), /mask is NaN/],
      [() => new BoneMask(asset.skeleton).setMorph(0, 1), /no morph set 0; the file has 0/],
      [() => (hips.position.x = NaN), /bone "hips" is NaN/],
      [() => hips.rotation.set(0, 0, 0, 0), /length zero/],
      [() => hips.scale.set(1e30, 1, 1), /too large/],
      [() => asset.skeleton.boneMatricesOf(3), /no skin 3; the file has 1/],
      [() => asset.skeleton.clone('mat2' as never), /'mat4' or 'mat3x4'/],
    ];

    for (const [call, message] of calls) {
      assert.throws(call, (error) => error instanceof CanterError && message.test(error.message), String(message));
    }
    assert.deepEqual([walk.timeScale, walk.weight, walk.isRunning, mixer.timeScale], [1, 1, false, 1]);
    mixer.update(DT);
    assert.ok(asset.skeleton.boneMatrices.every(Number.isFinite));
  });

  test('what was disposed of says so', async () => {
    const { asset, mixer } = await hero();
    const walk = mixer.play('Walk');
    const skeleton = asset.skeleton.clone();
    mixer.dispose();
    mixer.dispose();
    skeleton.dispose();
    assert.ok(mixer.isDisposed && skeleton.isDisposed && !asset.isDisposed);
    assert.throws(() => mixer.update(DT), /AnimationMixer was disposed of/);
    assert.throws(() => walk.play(), /disposed of/);
    assert.throws(() => mixer.clipAction('Walk'), /disposed of/);
    assert.throws(() => skeleton.boneMatrices, /Skeleton was disposed of/);
    asset.dispose();
    assert.throws(() => new AnimationMixer(asset), /disposed of/);
  });
});

suite('memory', () => {
  test('views are valid again after memory grows', async () => {
    const runtime = await createRuntime();
    const asset = await loadGltf(HERO, { runtime });
    const crowd = new Crowd(asset);
    crowd.spawn().play('Run');
    crowd.update(DT);
    const { skeleton } = asset;
    const old = skeleton.boneMatrices;
    const before = [...old];
    const size = runtime.memoryBytes;
    const more = [];
    while (runtime.memoryBytes === size) more.push(await loadGltf(HERO, { runtime }));
    assert.equal(old.length, 0);
    assert.deepEqual([...skeleton.boneMatrices], before);
    assert.equal(crowd.boneMatrices.length, crowd.floatsPerMember);
    assert.ok(skeleton.bones[3]!.worldMatrix.every(Number.isFinite));
  });

  test('a thousand loads and disposals keep it flat', async () => {
    const runtime = await createRuntime();
    const bytes = readFileSync(HERO);
    const once = async () => {
      using asset = await loadGltf(bytes, { runtime });
      using mixer = new AnimationMixer(asset);
      using crowd = new Crowd(asset);
      crowd.spawn().play('Walk');
      mixer.play('Run');
      mixer.update(DT);
      crowd.update(DT);
    };
    for (let round = 0; round < 20; round++) await once();
    const size = runtime.memoryBytes;
    for (let round = 0; round < 1000; round++) await once();
    assert.equal(runtime.memoryBytes, size);
  });
});
