// The package as a user would write it: markers.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import { AnimationMixer, CanterError, createRuntime, Crowd, loadGltf, type MarkerEvent } from 'canter';

import { HERO } from './common.js';
import { DT, hero, steps } from './hero.js';

const named = ({ name, kind, loops }: MarkerEvent) => `${kind} ${name} ${loops}`;

/** Cuts a time into parts, some of which take none. */
function cut(secs: number, parts: number): number[] {
  return Array.from({ length: parts }, () => [0, secs / parts]).flat();
}

suite('markers', () => {
  test('clips have those of the file', async () => {
    const { asset } = await hero();
    const walk = asset.getClipByName('Walk')!;
    assert.deepEqual(walk.markers, [{ name: 'foot_L', time: 0, duration: 0 }, { name: 'foot_R', time: 0.5, duration: 0 }]);
    assert.ok(Math.abs(walk.groundSpeed! - 1.02) < 0.02);
    assert.deepEqual([walk.hasRootMotion, asset.getClipByName('Idle')!.markers, asset.rootBone], [false, [], undefined]);
    assert.equal(asset.getClipByName('Idle')!.groundSpeed, undefined);
  });

  test('each comes exactly once, however a time is cut', async () => {
    const told: string[][] = [];
    for (const parts of [1, 2, 540]) {
      const { mixer } = await hero();
      const heard: string[] = [];
      mixer.addEventListener('marker', (event) => heard.push(named(event)));
      mixer.play('Run', { speed: 1.3, startTime: 0.1 });
      mixer.play('Attack', { speed: -0.7 });
      for (const dt of cut(9, parts)) mixer.update(dt);
      told.push(heard);
    }
    const [whole, ...others] = told;
    // 9 s of 1.3 times a clip of 0.7 s, from 0.1 s on: up to second 11.8, and 6.3 s back of one of 1 s.
    assert.deepEqual([whole!.filter((line) => line.includes('foot_R')).length, whole!.length], [17, 17 + 16 + 13]);
    for (const other of others) assert.deepEqual(other, whole);
  });

  test('they are told in the order of time, before what happens at once, with all that is known', async () => {
    const { asset, mixer } = await hero();
    asset.setMarkers('Jump', [{ name: 'flies', time: 0.25, duration: 0.5 }, { name: 'lands', time: 0.75 }]);
    const heard: unknown[] = [];
    const jump = mixer.play('Jump', { loop: 'once', startTime: 0.125 });
    mixer.addEventListener('finished', ({ type, secondsAgo }) => heard.push([type, secondsAgo]));
    mixer.addEventListener('marker', ({ action, clip, layer, type, backward, name, kind, secondsAgo }) => {
      assert.deepEqual([action, clip, layer, type, backward], [jump, asset.getClipByName('Jump'), undefined, 'marker', false]);
      heard.push([name, kind, secondsAgo]);
    });
    mixer.update(1.25);
    assert.deepEqual(heard, [
      ['flies', 'enter', 1.125], ['flies', 'leave', 0.625], ['lands', 'at', 0.625], ['finished', 0.125],
    ]);
  });

  test('windows are left when their action ends', async () => {
    const { asset, mixer } = await hero();
    asset.setMarkers('Attack', [{ name: 'blade', time: 0.25, duration: 0.5 }]);
    const attack = mixer.play('Attack');
    mixer.update(0.5);
    assert.deepEqual(mixer.markers().map(named), ['enter blade 0']);
    attack.stop();
    mixer.update(0);
    assert.deepEqual(mixer.markers().map(named), ['leave blade 0']);
    mixer.update(DT);
    assert.deepEqual(mixer.markers(), []);
  });

  test('those of actions that hardly show can be left out', async () => {
    const { mixer } = await hero();
    const heard: string[] = [];
    mixer.addEventListener('marker', ({ clip }) => heard.push(clip.name), { minWeight: 0.5 });
    mixer.play('Walk', { weight: 0.9 });
    mixer.play('Run', { weight: 0.1 });
    mixer.update(0.1);
    assert.deepEqual(heard, ['Walk']);
    assert.deepEqual(mixer.markers().map(({ clip, weight }) => [clip.name, weight.toFixed(2)]), [['Walk', '0.90'], ['Run', '0.10']]);
    assert.deepEqual(mixer.markers({ minWeight: 0.5 }).map(({ clip }) => clip.name), ['Walk']);
  });

  test('seeking is silent, scrubbing is not', async () => {
    const { mixer } = await hero();
    const walk = mixer.play('Walk', { startTime: 0.1 });
    mixer.update(0.1);
    walk.time = 0.9;
    mixer.update(0);
    assert.deepEqual(mixer.markers(), []);
    assert.equal(walk.scrub(0.25), walk);
    assert.equal(walk.time, 0.25);
    mixer.update(0);
    assert.deepEqual(mixer.markers().map(({ name, backward }) => [name, backward]), [['foot_R', true]]);
    assert.throws(() => walk.scrub(NaN), CanterError);
  });

  test('nobody listens: nothing is asked', async () => {
    const runtime = await createRuntime();
    const asset = await loadGltf(HERO, { runtime });
    const mixer = new AnimationMixer(asset);
    const exports = (runtime as unknown as { _exports: Record<string, (...words: number[]) => number> })._exports;
    let calls = 0;
    const counted = (...words: number[]) => (calls++, exports['mixers_markers']!(...words));
    (runtime as unknown as { _exports: unknown })._exports = { ...exports, mixers_markers: counted };
    mixer.play('Walk');
    mixer.addEventListener('loop', () => {});
    steps(mixer, 90);
    assert.equal(calls, 0);
    const listener = () => {};
    mixer.addEventListener('marker', listener);
    steps(mixer, 10);
    mixer.removeEventListener('marker', listener);
    steps(mixer, 10);
    assert.equal(calls, 10);
  });

  test('a step of an hour tells of 4096, and a warning of the rest', async (context) => {
    const { mixer } = await hero();
    const warnings: string[] = [];
    context.mock.method(console, 'warn', (text: string) => warnings.push(text));
    mixer.play('Walk');
    mixer.update(3600);
    assert.equal(mixer.markers().length, 4096);
    mixer.update(3600);
    assert.equal(mixer.markers().length, 4096);
    assert.deepEqual(warnings.map((text) => /; 3105 or more are left out/.test(text)), [true]);
  });

  test('names are the same strings each time, and updates keep memory flat', async () => {
    const runtime = await createRuntime();
    const mixer = new AnimationMixer(await loadGltf(HERO, { runtime, rootMotion: true }));
    let heard = 0;
    mixer.addEventListener('marker', () => heard++);
    for (const clip of ['WalkRoot', 'RunRoot']) mixer.crossFadeTo(clip, 0.3, { sync: 'locomotion' });
    const update = (round: number) => {
      if (round % 50 === 0) mixer.crossFadeTo(round % 100 === 0 ? 'RunRoot' : 'WalkRoot', 0.3, { sync: 'locomotion' });
      mixer.update(DT);
      mixer.markers();
      void mixer.rootMotion;
    };
    for (let round = 0; round < 200; round++) update(round);
    const size = runtime.memoryBytes;
    for (let round = 0; round < 20_000; round++) update(round);
    assert.equal(runtime.memoryBytes, size);
    assert.ok(heard > 500, String(heard));
  });

  test('members of a crowd have them, and each is told of its own', async () => {
    const crowd = new Crowd(await loadGltf(HERO));
    const [first, second] = [crowd.spawn(), crowd.spawn()];
    const [heard, own]: [string[], string[]] = [[], []];
    crowd.addEventListener('marker', ({ action, name }) => heard.push(`${(action.mixer as typeof first).index} ${name}`));
    second.addEventListener('marker', ({ name }) => own.push(name));
    first.play('Walk');
    second.play('Walk', { startTime: 0.25 });
    crowd.update(0.5);
    assert.deepEqual(heard, ['0 foot_L', '1 foot_R', '0 foot_R']);
    assert.deepEqual([own, second.markers().map(({ name }) => name), first.markers().length], [['foot_R'], ['foot_R'], 2]);
  });

  test('all of a large crowd are told of when all feet come down at once', async () => {
    const crowd = new Crowd(await loadGltf(HERO));
    for (let member = 0; member < 5000; member++) crowd.spawn().play('Walk');
    let heard = 0;
    crowd.addEventListener('marker', () => heard++);
    crowd.update(DT);
    assert.equal(heard, 5000);
  });

  test('a file of markers is written, read, and refused as a whole', async () => {
    const { asset } = await hero();
    const json = asset.markersJson();
    assert.match(json, /"name": "Attack",\n {6}"markers": \[\n {8}\{ "name": "foot_L", "time": 0\.45 \},/);
    const other = await loadGltf(HERO);
    for (const clip of other.clips) other.setMarkers(clip, []);
    assert.deepEqual(other.readMarkers(json), []);
    assert.equal(other.markersJson(), json);
    const blade = { name: 'blade', time: 1.0005, duration: 0.25 };
    const clips = [{ name: 'Walk', markers: [blade] }, { name: 'Fly', markers: [] }];
    assert.deepEqual(other.readMarkers({ clips }), ['Fly']);
    // A tool's rounding is no fault; what leads beyond the end is cut off.
    assert.deepEqual(other.getClipByName('Walk')!.markers, [{ name: 'blade', time: 1, duration: 0 }]);
    const faults: [unknown, RegExp][] = [
      ['{', /no JSON/],
      [{}, /clips is no list/],
      [{ clips: [{ name: 'Run' }] }, /clips\[0\]\.markers is no list/],
      [{ clips: [{ name: 'Walk', markers: [] }, { name: 'Run', markers: [{ name: 'late', time: 7 }] }] }, /"late"/],
      [{ clips: [{ name: 'Run', markers: [{ time: 0 }] }] }, /marker 0 is none; give \{ name, time, duration\? \}/],
    ];
    for (const [json, message] of faults) {
      assert.throws(() => other.readMarkers(json as object), (error) => error instanceof CanterError && message.test(error.message), String(message));
    }
    assert.equal(other.getClipByName('Walk')!.markers.length, 1);
  });

  test('feet are found in clips, by the larger module', async () => {
    const { asset: small } = await hero();
    const asset = await loadGltf(HERO, { runtime: await createRuntime({ meshes: true }), meshes: true });
    for (const [given, found] of [[undefined, ['foot_L', 'foot_R']], [['toes_L', 'toes_R'], ['toes_L', 'toes_R']]] as const) {
      const { contacts, markers, groundSpeed } = asset.detectContacts('Walk', given);
      assert.deepEqual(contacts.map(({ foot }) => foot).sort(), found);
      assert.ok(groundSpeed! > 0.8 && groundSpeed! < 1.1, String(groundSpeed));
      asset.setMarkers('Walk', markers);
      assert.equal(asset.getClipByName('Walk')!.markers.length, 2);
    }
    assert.throws(() => asset.detectContacts('Walk', ['toe']), /no bone "toe"/);
    assert.throws(() => small.detectContacts('Walk'), /load with `\{ meshes: true \}`/);
  });
});
