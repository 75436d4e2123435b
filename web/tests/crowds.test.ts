// The package as a user would write it: crowds.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import { AnimationMixer, Crowd, loadGltf, type CrowdMember } from 'canter';

import { HERO, sharedModels } from './common.js';
import { DT, steps } from './hero.js';

suite('crowds', () => {
  test('write what mixers write, one behind another', async () => {
    const asset = await loadGltf(HERO);
    const crowd = new Crowd(asset);
    const members = ['Idle', 'Walk', 'Run'].map((clip) => crowd.spawn().play(clip).mixer);
    assert.equal(crowd.boneMatrices.length, 3 * crowd.floatsPerMember);
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

  test('attachments follow the bones of their members, and where these stand', async () => {
    for (const matrices of ['mat4', 'mat3x4'] as const) {
      const asset = await loadGltf(HERO);
      const crowd = new Crowd(asset, { matrices });
      const clips = ['Idle', 'Walk', 'Run', 'Attack'];
      const members = clips.map((clip) => crowd.spawn().play(clip).mixer as CrowdMember);
      const swords = members.map((member, index) => {
        member.matrix[12] = 10 * index;
        const sword = { matrix: new Float32Array(16) };
        member.bone('hand_R').attach(sword, { position: [0, 0.1, 0] });
        return sword;
      });
      members[0]!.remove();
      const late = crowd.spawn();
      late.bone('hand_L');
      assert.deepEqual(crowd.keptBones.map((bone) => asset.skeleton.bones[bone]!.name), ['hand_R', 'hand_L']);
      const before = [...swords[0]!.matrix];
      for (let step = 0; step < 20; step++) crowd.update(DT);
      assert.deepEqual([...swords[0]!.matrix], before, 'who has left is not followed');
      for (const [index, clip] of clips.entries()) {
        if (index === 0) continue;
        const mixer = new AnimationMixer(asset.skeleton.clone());
        mixer.skeleton.matrix[12] = 10 * index;
        const sword = { matrix: new Float32Array(16) };
        mixer.skeleton.getBoneByName('hand_R')!.attach(sword, { position: [0, 0.1, 0] });
        mixer.play(clip);
        steps(mixer, 20);
        assert.deepEqual([...swords[index]!.matrix], [...sword.matrix], clip);
        const hand = mixer.skeleton.getBoneByName('hand_L')!.worldMatrix;
        assert.deepEqual([...members[index]!.bone('hand_L').worldMatrix], [...hand]);
      }
      assert.equal(crowd.keptMatrices.length, 4 * 2 * (matrices === 'mat4' ? 16 : 12));
      const attachment = late.bone('hand_R').attach({ matrix: new Float32Array(16) });
      attachment.detach();
      assert.throws(() => late.bone('hnd_R'), /hand_R/);
    }
  });

  test('rows of a texture hold whole members', async () => {
    const asset = await loadGltf(HERO);
    for (const [matrices, texels, width] of [['mat4', 4, 1024], ['mat3x4', 3, 768], ['mat3x4', 3, 96], ['mat4', 4, 4]] as const) {
      const [plain, crowd] = [new Crowd(asset, { matrices }), new Crowd(asset, { matrices, textureWidth: width })];
      for (let index = 0; index < 11; index++) {
        for (const each of [plain, crowd]) each.spawn().play('Run', { startTime: 0.05 * index });
      }
      for (const each of [plain, crowd]) each.update(DT);
      const [all, bones] = [crowd.boneMatrices, crowd.floatsPerMember / 4 / texels];
      assert.equal(all.length, 4 * width * crowd.textureHeight);
      for (const member of crowd.members) {
        for (let bone = 0; bone < bones; bone++) {
          for (let row = 0; row < texels; row++) {
            const texel = member.firstTexel + texels * bone + row;
            const [x, y] = [texel % width, Math.floor(texel / width)];
            const at = 4 * (y * width + x);
            const expected = 4 * (plain.members[member.index]!.firstTexel + texels * bone + row);
            assert.deepEqual([...all.subarray(at, at + 4)], [...plain.boneMatrices.subarray(expected, expected + 4)]);
            assert.ok(y < crowd.textureHeight);
            // A matrix is in one row, and so is a member that fits into one.
            const isOne = row > 0 || (bone > 0 && texels * bones <= width);
            if (isOne) assert.equal(y, Math.floor((texel - 1) / width));
          }
        }
      }
    }
    assert.equal(new Crowd(asset).textureHeight, 0);
    for (const textureWidth of [0, -4, 6, 1024.5, Number.NaN, Infinity, 1e6]) {
      assert.throws(() => new Crowd(asset, { textureWidth }), /texture width of .* give a multiple of 4, such as \d+/);
    }
  });

  test('members have morph weights of their own', async () => {
    let seen = 0;
    for (const { file } of sharedModels()) {
      const asset = await loadGltf(file).catch(() => undefined);
      const sets = asset?.nodes.flatMap(({ morph }) => morph ?? []) ?? [];
      if (!asset || sets.length === 0 || asset.clips.length === 0) continue;
      const crowd = new Crowd(asset);
      const starts = [0, 0.1, 0.35];
      const members = starts.map((startTime) => crowd.spawn().play(asset.clips[0]!, { startTime }).mixer as CrowdMember);
      for (let step = 0; step < 5; step++) crowd.update(DT);
      for (const [index, startTime] of starts.entries()) {
        const mixer = new AnimationMixer(asset);
        mixer.play(asset.clips[0]!, { startTime });
        steps(mixer, 5);
        for (const set of sets) {
          assert.deepEqual([...members[index]!.morphWeights(set)], [...asset.skeleton.morphWeights(set)]);
        }
      }
      assert.equal(crowd.morphWeights.length, 3 * crowd.morphWeightsPerMember);
      assert.throws(() => members[0]!.morphWeights(sets.length), /no morph set/);
      seen++;
    }
    const asset = await loadGltf(HERO);
    assert.equal(new Crowd(asset).morphWeightsPerMember, 0);
    if (sharedModels().length > 0) assert.ok(seen > 0, 'some models have morph targets');
  });

  test('who is far is sampled rarely, and never jumps', async () => {
    const asset = await loadGltf(HERO, { rootMotion: true });
    const options = { matrices: 'mat3x4' } as const;
    const crowds = [new Crowd(asset, options), new Crowd(asset, options), new Crowd(asset, { ...options, blendInShader: true })];
    const [exact, far, shaded] = crowds as [Crowd, Crowd, Crowd];
    const heard: string[][] = [[], [], []];
    for (const [index, crowd] of crowds.entries()) {
      for (let member = 0; member < 8; member++) crowd.spawn().play('RunRoot', { startTime: 0.03 * member });
      crowd.addEventListener('marker', ({ name, secondsAgo }) => heard[index]!.push(`${name} ${secondsAgo}`));
    }
    const mixed = () => {
      const [first, second, blends, floats] = [shaded.boneMatrices, shaded.secondBoneMatrices, shaded.blends, shaded.floatsPerMember];
      return first.map((number, at) => number + ((second[at] ?? number) - number) * blends[Math.floor(at / floats)]!);
    };
    const farthest = (a: Float32Array, b: Float32Array) => a.reduce((most, number, at) => Math.max(most, Math.abs(number - b[at]!)), 0);
    for (const crowd of crowds) crowd.update(DT);
    let [fastest, fastestFar, fastestShaded] = [0, 0, 0];
    let [before, beforeFar, beforeShaded] = [exact.boneMatrices.slice(), far.boneMatrices.slice(), mixed()];
    for (let step = 0; step < 240; step++) {
      const every = 1 + ((step * 7) % 8);
      for (const crowd of [far, shaded]) crowd.members[step % 8]!.updateEvery = every;
      assert.equal(far.members[step % 8]!.updateEvery, every);
      for (const crowd of crowds) crowd.update(DT);
      fastest = Math.max(fastest, farthest(exact.boneMatrices, before));
      fastestFar = Math.max(fastestFar, farthest(far.boneMatrices, beforeFar));
      fastestShaded = Math.max(fastestShaded, farthest(mixed(), beforeShaded));
      [before, beforeFar, beforeShaded] = [exact.boneMatrices.slice(), far.boneMatrices.slice(), mixed()];
      assert.deepEqual([...far.rootMotions], [...exact.rootMotions]);
    }
    assert.ok(fastestFar <= 1.01 * fastest && fastestShaded <= 1.01 * fastest, `${fastestFar}, ${fastestShaded}, ${fastest}`);
    assert.ok(heard[0]!.length > 20);
    assert.deepEqual(heard[1], heard[0]);
    assert.deepEqual(heard[2], heard[0]);
    // Near again, they are where they should be; who is hidden stays, and is right as soon as it is seen.
    far.setUpdateRates(new Uint8Array([1, 1, 1, 1, 1, 1, 1, 0]));
    for (let step = 0; step < 8; step++) for (const crowd of crowds) crowd.update(DT);
    const seen = 7 * far.floatsPerMember;
    assert.deepEqual([...far.boneMatrices.subarray(0, seen)], [...exact.boneMatrices.subarray(0, seen)]);
    assert.ok(far.members[7]!.isHidden);
    assert.notDeepEqual([...far.boneMatrices.subarray(seen)], [...exact.boneMatrices.subarray(seen)]);
    far.members[7]!.isHidden = false;
    for (const crowd of crowds) crowd.update(DT);
    assert.deepEqual([...far.boneMatrices], [...exact.boneMatrices]);
    assert.equal(far.members[0]!.setDistance(25, 10).updateEvery, 4);
    assert.equal(far.members[0]!.resample(), far.members[0]);
    assert.throws(() => (far.members[0]!.updateEvery = 9), /every eighth \(8\), not every 9/);
    assert.throws(() => far.setUpdateRates(new Uint8Array(3)), /3 rates for 8 members/);
  });

  test('members may rest between samples, and are as they should be for whoever asks', async () => {
    const asset = await loadGltf(HERO, { rootMotion: true });
    const crowds = [{}, { blendInShader: true, stepWhenSampled: true }].map((options) => new Crowd(asset, { matrices: 'mat3x4', ...options }));
    const [exact, resting] = crowds as [Crowd, Crowd];
    const heard: string[][] = [[], []];
    const ways = (crowd: Crowd) => [...crowd.rootMotions];
    const actions = crowds.map((crowd) => Array.from({ length: 8 }, (_, member) => crowd.spawn().play('RunRoot', { startTime: 0.03 * member })));
    for (const crowd of crowds) {
      crowd.update(DT);
      crowd.setUpdateRates(Uint8Array.from({ length: 8 }, (_, member) => member));
    }
    const near = (a: number[], b: number[]) => a.every((number, at) => Math.abs(number - b[at]!) < 1e-5);
    // Nobody asks for a while: then one step leads where many did.
    for (let step = 0; step < 21; step++) for (const crowd of crowds) crowd.update(DT);
    const [times, restingTimes] = actions.map((list) => list.map(({ time }) => time)) as [number[], number[]];
    assert.ok(near(restingTimes, times), `${restingTimes}, not ${times}`);
    // Those who ask in every frame are told the same as of others, each thing once.
    for (const [index, crowd] of crowds.entries()) {
      crowd.addEventListener('marker', ({ name, loops }) => heard[index]!.push(`${name} ${loops}`));
      crowd.addEventListener('loop', ({ loopDelta }) => heard[index]!.push(`loop ${loopDelta}`));
    }
    for (let step = 0; step < 120; step++) {
      for (const crowd of crowds) crowd.update(DT);
      assert.ok(near(ways(resting), ways(exact)), `the ways of step ${step}`);
    }
    assert.ok(heard[0]!.length > 20);
    assert.deepEqual(heard[1], heard[0]);
  });
});
