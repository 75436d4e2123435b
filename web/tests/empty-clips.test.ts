// Clips without tracks, and clips without length: files have them, and nothing may go wrong.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import { AnimationMixer, BoneMask, Crowd, loadGltf, type Asset, type LoopOption, type Player } from 'canter';

import { gltf } from './gltf.js';

const [EMPTY, ONE_POSE, NO_NODE, MOVE] = [0, 1, 2, 3];

/** One clip without channels, one with a single key, one whose only channel has no node, and one that moves a node by 2. */
function load(): Promise<Asset> {
  const move = (times: number[], values: number[][], node: number | undefined = 0) => ({ node, path: 'translation', times, values });
  return loadGltf(gltf({
    nodes: [{ name: 'a', children: [1] }, { name: 'b' }],
    animations: [[], [move([0], [[1, 0, 0]])], [{ ...move([0, 1], [[0, 0, 0], [9, 0, 0]]), node: undefined }], [move([0, 1], [[0, 0, 0], [2, 0, 0]])]],
  }));
}

function* settings(): Generator<{ loop: LoopOption; speed: number; fadeIn: number }> {
  for (const loop of ['repeat', 'once', 'pingpong', 3] as const) {
    for (const speed of [1, 0, -1, 1000]) for (const fadeIn of [0, 0.2]) yield { loop, speed, fadeIn };
  }
}

/** Counts events of actions of a clip. */
function count(player: Player, clip: number): Record<string, number> {
  const counts: Record<string, number> = { loop: 0, finished: 0, fadedOut: 0, marker: 0 };
  for (const type of ['loop', 'finished', 'fadedOut', 'marker'] as const) {
    player.addEventListener(type, (event) => {
      if (event.action.clip.index === clip) counts[type]!++;
    });
  }
  return counts;
}

suite('empty clips', () => {
  test('load, with a word for each', async () => {
    const asset = await load();
    assert.deepEqual(asset.clips.map(({ duration }) => duration), [0, 0, 0, 1]);
    assert.deepEqual(asset.warnings.filter((warning) => /moves nothing|no length/.test(warning)).length, 3);
  });

  for (const clip of [EMPTY, ONE_POSE, NO_NODE]) {
    test(`clip ${clip} plays at any speed, in any loop, for any time, and is its only pose`, async () => {
      const asset = await load();
      for (const options of settings()) {
        const mixer = new AnimationMixer(asset);
        const counts = count(mixer, clip);
        const action = mixer.play(asset.clips[clip]!, options);
        for (const step of [0, 1 / 60, 1, 3600]) mixer.update(step);
        const said = JSON.stringify(options);
        assert.deepEqual(asset.skeleton.bones[0]!.position.toArray(), [clip === ONE_POSE ? 1 : 0, 0, 0], said);
        assert.deepEqual(asset.skeleton.bones[1]!.position.toArray(), [0, 0, 0], said);
        const ends = options.loop !== 'repeat' && options.loop !== 'pingpong' && options.speed !== 0;
        assert.deepEqual([counts['loop'], counts['marker']], [0, 0], said);
        assert.equal(counts['finished'], ends ? 1 : 0, said);
        assert.equal(action.time, 0, said);
        mixer.dispose();
      }
    });

    test(`clip ${clip} fades to and from others, and is sought, scrubbed, stopped and played in step`, async () => {
      const asset = await load();
      const crowd = new Crowd(asset);
      const mixer = new AnimationMixer(asset);
      const member = crowd.spawn();
      const x = () => asset.skeleton.bones[0]!.position.x;
      for (const player of [mixer, member]) {
        const step = (secs: number) => (player === mixer ? mixer : crowd).update(secs);
        for (const fade of [0, 0.2, { duration: 0.2, kind: 'inertial' }, { duration: 0.2, kind: 'dead' }] as const) {
          player.play(asset.clips[MOVE]!, { sync: 'together' });
          step(0.25);
          const action = player.crossFadeTo(asset.clips[clip]!, fade, { sync: 'together' });
          step(0.1);
          action.setTime(5).setTime(-5).scrub(7).setSpeed(-2);
          step(0.1);
          player.crossFadeTo(asset.clips[MOVE]!, fade);
          step(0.1);
          action.pause().stop().play();
          step(0.5);
          if (player === mixer) assert.ok(x() >= 0 && x() <= 2, String(x()));
          player.stopAll();
          step(0);
        }
      }
    });
  }

  test('are differences of nothing, masks of nothing, and have no markers, ways or contacts', async () => {
    const asset = await load();
    const { skeleton } = asset;
    const mixer = new AnimationMixer(asset);
    mixer.play(asset.clips[MOVE]!);
    const layer = mixer.addLayer({ mode: 'additive' });
    for (const clip of [EMPTY, ONE_POSE, NO_NODE]) {
      layer.play(asset.additive(asset.clips[clip]!));
      layer.play(asset.additive(asset.clips[clip]!, { reference: { clip: asset.clips[clip]!, time: 3 } }));
    }
    mixer.update(0.5);
    assert.equal(skeleton.bones[0]!.position.x, 1);
    // By its tracks, a clip that has none leaves all to others.
    const mask = BoneMask.tracks(skeleton, asset.clips[EMPTY]!);
    assert.deepEqual(skeleton.bones.map((bone) => mask.weight(bone)), [0, 0]);
    mixer.play(asset.clips[EMPTY]!, { mask });
    mixer.update(0);
    assert.equal(skeleton.bones[0]!.position.x, 1);
    assert.deepEqual(mixer.markers(), []);
  });

  test('have no way over the ground', async () => {
    const bytes = gltf({ nodes: [{ name: 'a' }], animations: [[], [{ node: 0, path: 'translation', times: [0], values: [[5, 0, 0]] }]] });
    const asset = await loadGltf(bytes, { rootMotion: 'a' });
    const mixer = new AnimationMixer(asset);
    for (const clip of asset.clips) {
      mixer.play(clip);
      mixer.update(100);
      assert.deepEqual([...mixer.rootMotion], [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
      assert.ok(Number.isFinite(asset.skeleton.bones[0]!.position.x));
      mixer.stopAll();
    }
  });
});
