// Solvers as a web developer would write them.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import { AnimationMixer, CanterError, createRuntime, loadGltf, type Asset } from 'canter';
import { AnimationGraph } from 'canter/graph';
import { ChainIK, Constraints, Feet, heightField, LookAt, Mirror, Springs, Twist, TwoBoneIK, type Reach } from 'canter/rig';

import { HERO } from './common.js';
import { distance, DT, posed } from './hero.js';

const ARM = ['upper_arm_R', 'forearm_R', 'hand_R'] as const;
const LEGS = [['thigh_L', 'shin_L', 'foot_L'], ['thigh_R', 'shin_R', 'foot_R']] as const;

async function walking(): Promise<{ asset: Asset; mixer: AnimationMixer }> {
  const asset = await loadGltf(HERO, { motion: true });
  const mixer = new AnimationMixer(asset);
  mixer.play('Walk');
  mixer.update(0.3);
  return { asset, mixer };
}

/** Where a bone is in the world. */
function place(asset: Asset, bone: string): [number, number, number] {
  const matrix = asset.skeleton.getBoneByName(bone)!.worldMatrix;
  return [matrix[12]!, matrix[13]!, matrix[14]!];
}

function apart(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((number, index) => number - b[index]!));
}

suite('solvers', () => {
  test('a hand gets where it can, and says what remains where it cannot', async () => {
    const { asset, mixer } = await walking();
    const arm = new TwoBoneIK(asset.skeleton, { bones: ARM });
    const shoulder = place(asset, 'upper_arm_R');
    const target = [shoulder[0] - 0.1, shoulder[1] - 0.15, shoulder[2] + 0.25] as const;
    const palettes = [...asset.skeleton.boneMatrices];
    const { reached, remaining } = arm.apply({ target });
    assert.ok(reached && remaining < 1e-4, String(remaining));
    assert.ok(apart(place(asset, 'hand_R'), target) < 1e-4);
    assert.notDeepEqual([...asset.skeleton.boneMatrices], palettes);
    const far = arm.apply({ target: [shoulder[0], shoulder[1], shoulder[2] + 5] });
    assert.ok(!far.reached && far.remaining > 4 && far.remaining < 5, String(far.remaining));
    mixer.update(0);
    assert.deepEqual([...asset.skeleton.boneMatrices], palettes, 'the next pose knows nothing of it');
    asset.dispose();
  });

  test('targets may be in the world', async () => {
    const { asset } = await walking();
    const { skeleton } = asset;
    // Turned by a quarter, twice as large, and elsewhere.
    skeleton.matrix.set([0, 0, -2, 0, 0, 2, 0, 0, 2, 0, 0, 0, 10, -3, 5, 1]);
    skeleton.update();
    const arm = new TwoBoneIK(skeleton, { bones: ARM });
    const [x, y, z] = place(asset, 'upper_arm_R');
    const target = { x: x + 0.4, y: y - 0.3, z: z + 0.1 };
    const { reached } = arm.apply({ target, space: 'world' });
    assert.ok(reached);
    assert.ok(apart(place(asset, 'hand_R'), [target.x, target.y, target.z]) < 2e-4);
    skeleton.matrix.fill(0);
    const before = posed(asset);
    assert.equal(arm.apply({ target, space: 'world' }).reached, false);
    assert.equal(distance(posed(asset), before), 0, 'a flat world changes nothing');
    asset.dispose();
  });

  test('a head looks, within limits', async () => {
    const { asset } = await walking();
    const free = new LookAt(asset.skeleton, { bones: ['head'] });
    assert.ok(free.apply({ target: [2, 1.6, 2] }).reached);
    const limited = new LookAt(asset.skeleton, { bones: [{ bone: 'head', share: 1, limit: 0.1 }] });
    const { reached, remaining } = limited.apply({ target: [-5, 1.6, 3] });
    assert.ok(!reached && remaining > 0.5, String(remaining));
    asset.dispose();
  });

  test('a chain reaches around', async () => {
    const { asset } = await walking();
    const chain = new ChainIK(asset.skeleton, { bones: ['spine', 'chest', 'neck', 'head'] });
    const [x, y, z] = place(asset, 'head');
    const { reached, remaining } = chain.apply({ target: [x + 0.1, y - 0.1, z + 0.05] });
    assert.ok(reached && remaining < 1e-3, String(remaining));
    asset.dispose();
  });

  test('feet stand on the ground that they are told of', async () => {
    const { asset, mixer } = await walking();
    const feet = new Feet(asset.skeleton, { pelvis: 'hips', legs: LEGS });
    mixer.stopAll();
    mixer.update(0);
    const heights = LEGS.map(([, , foot]) => place(asset, foot)[1]);
    const asked: number[][] = [];
    const { remaining } = feet.update(DT, (x, y, z) => {
      asked.push([x, y, z]);
      // Anything may be done meanwhile.
      asset.skeleton.getBoneByName('head')!.worldMatrix;
      return x > 0 ? 0.1 : { height: -0.05, normal: [0, 1, 0] };
    });
    assert.equal(asked.length, 2);
    // The lower one is drawn out gently.
    assert.ok(remaining < 1e-3, String(remaining));
    const after = LEGS.map(([, , foot]) => place(asset, foot)[1]);
    const lifts = after.map((height, leg) => height - heights[leg]!);
    for (const [leg, lift] of lifts.entries()) assert.ok(Math.abs(lift - (asked[leg]![0]! > 0 ? 0.1 : -0.05)) < 1e-3, String(lifts));
    for (const nothing of [undefined, NaN, Infinity]) {
      mixer.update(0);
      using others = new Feet(asset.skeleton, { pelvis: 'hips', legs: LEGS });
      others.update(DT, () => nothing);
      assert.ok(apart(LEGS.map(([, , foot]) => place(asset, foot)[1]), heights) < 1e-5, 'without ground they are as animated');
    }
    asset.dispose();
  });

  test('a field of heights is straight between them, with normals, and ends at its edges', () => {
    const ground = heightField({ heights: new Float32Array([0, 1, 2, 0, 1, 2]), width: 3, spacing: 2, origin: [-2, 4] });
    assert.deepEqual(ground(-1, 0, 5), { height: 0.5, normal: [-0.5, 1, -0] });
    assert.deepEqual(ground(2, 0, 6), { height: 2, normal: [-0.5, 1, -0] });
    for (const [x, z] of [[-2.1, 5], [2.1, 5], [0, 3.9], [0, 6.1], [NaN, 5]] as const) assert.equal(ground(x, 0, z), undefined);
    assert.throws(() => heightField({ heights: [1], width: 1 }), CanterError);
  });

  test('springs hang, whatever the frame rate, and begin anew', async () => {
    const asset = await loadGltf(HERO, { motion: true });
    const bones = ['scarf_long_1', 'scarf_long_2', 'scarf_long_3', 'scarf_long_4'];
    const end = (rate: number): number[] => {
      const springs = new Springs(asset.skeleton, { chains: [{ bones, stiffness: 0.2, gravity: [0, -1, 0] }] });
      for (let frame = 0; frame < rate; frame++) {
        asset.skeleton.pose();
        springs.update(1 / rate, { wind: [0.5, 0, 0] });
      }
      return place(asset, 'scarf_long_4');
    };
    asset.skeleton.pose();
    const rest = place(asset, 'scarf_long_4');
    const [slow, fast] = [end(30), end(144)];
    assert.ok(apart(slow, rest) > 0.02, String(apart(slow, rest)));
    assert.ok(apart(slow, fast) < 1e-3, String(apart(slow, fast)));
    asset.dispose();
  });

  test('the mirror shows poses and clips left for right', async () => {
    const { asset, mixer } = await walking();
    const mirror = new Mirror(asset.skeleton);
    assert.equal(mirror.partner('hand_L')?.name, 'hand_R');
    assert.equal(mirror.partner('hips')?.name, 'hips');
    const before = posed(asset);
    mirror.apply();
    assert.ok(distance(posed(asset), before) > 0.05);
    mirror.apply();
    assert.ok(distance(posed(asset), before) < 1e-5);
    const clip = mirror.clip('Walk');
    assert.equal(clip, mirror.clip('Walk'));
    assert.deepEqual([clip.name, clip.markers.map(({ name }) => name).sort()], ['Walk.mirrored', ['foot_L', 'foot_R']]);
    assert.equal(clip.markers[0]!.name, { foot_L: 'foot_R', foot_R: 'foot_L' }[asset.getClipByName('Walk')!.markers[0]!.name]);
    mixer.stopAll();
    mixer.play(clip, { startTime: 0.3 });
    mixer.update(0);
    mirror.apply();
    assert.ok(distance(posed(asset), before) < 1e-4, String(distance(posed(asset), before)));
    using graph = new AnimationGraph(
      { version: 1, layers: [{ name: 'body', machine: { entry: 'Walk', states: [{ name: 'Walk', motion: { clip: 'Walk.mirrored' } }] } }] },
      asset.skeleton.clone(),
    );
    assert.deepEqual(graph.warnings, []);
    asset.dispose();
  });

  test('bones follow others, and twists are spread', async () => {
    const { asset } = await walking();
    const follow = new Constraints(asset.skeleton, [{ bone: 'scarf_long_1', source: 'thigh_L', kind: 'rotation' }]);
    const before = posed(asset);
    follow.apply();
    const changed = [...posed(asset)].filter(([name, numbers]) => String(numbers) !== String(before.get(name))).map(([name]) => name);
    assert.deepEqual(changed, ['scarf_long_1']);
    new Twist(asset.skeleton, { source: 'thigh_L', axis: [0, 1, 0], bones: [{ bone: 'shin_L', share: 0.5 }] }).apply();
    assert.notDeepEqual(posed(asset).get('shin_L'), before.get('shin_L'));
    asset.dispose();
  });

  test('numbers that are none change nothing, and weight 0 neither', async () => {
    const { asset } = await walking();
    const { skeleton } = asset;
    const arm = new TwoBoneIK(skeleton, { bones: ARM });
    const look = new LookAt(skeleton, { bones: ['neck', 'head'] });
    const chain = new ChainIK(skeleton, { bones: ['spine', 'chest', 'neck', 'head'] });
    const feet = new Feet(skeleton, { pelvis: 'hips', legs: LEGS });
    const springs = new Springs(skeleton, { chains: [{ bones: ['scarf_long_1', 'scarf_long_2'] }] });
    const before = posed(asset);
    const odd: (() => Reach | unknown)[] = [];
    for (const target of [[NaN, 1, 1], [Infinity, 1, 1], [1, 1]] as unknown as [number, number, number][]) {
      for (const solver of [arm, look, chain]) odd.push(() => solver.apply({ target }));
    }
    for (const weight of [0, NaN]) {
      for (const solver of [arm, look, chain]) odd.push(() => solver.apply({ target: [0, 1, 1], weight }));
      odd.push(() => feet.update(DT, () => 0.2, { weight }), () => springs.update(DT, { wind: [9, 9, 9], weight }));
    }
    odd.push(() => springs.reset().update(0), () => feet.update(0, () => 0, { weight: 0 }));
    for (const [index, call] of odd.entries()) {
      call();
      assert.equal(distance(posed(asset), before), 0, `case ${index}: ${String(call)}`);
    }
    for (const target of [place(asset, 'upper_arm_R'), [1e18, 0, 0]] as [number, number, number][]) {
      for (const solver of [arm, look, chain]) solver.apply({ target, pole: target } as never);
      assert.ok([...skeleton.boneMatrices].every(Number.isFinite));
    }
    asset.dispose();
  });

  test('wrong calls say what to do', async () => {
    const { asset } = await walking();
    const { skeleton } = asset;
    const arm = new TwoBoneIK(skeleton, { bones: ARM });
    const wrong: [call: () => unknown, message: RegExp][] = [
      [() => new TwoBoneIK(skeleton, { bones: ['upper_arm_R', 'forearm_R', 'hnd_R'] }), /no bone "hnd_R"; did you mean "hand_R"/],
      [() => new TwoBoneIK(skeleton, { bones: ['forearm_R', 'upper_arm_R', 'hand_R'] }), /TwoBoneIK: bone "upper_arm_R" does not hang on "forearm_R"/],
      [() => new TwoBoneIK(skeleton, { bones: ['hand_R'] as never }), /1 bones; give 3/],
      [() => new TwoBoneIK(skeleton, { bones: ARM, hinge: [0, 0, 0] }), /hinge/],
      [() => new TwoBoneIK(skeleton, { bones: ARM, soften: 7 }), /soft/],
      [() => new LookAt(skeleton, { bones: [] }), /LookAt: 0 bones where 1 to 16 are needed/],
      [() => new Springs(skeleton, { chains: [{ bones: ['head'], colliders: [3] }] }), /Springs: 1 bones/],
      [() => new Springs(skeleton, { chains: [], colliders: [{ bone: 'head', shape: 'cube' } as never] }), /no collider 'cube'; give one of 'sphere'/],
      [() => new Constraints(skeleton, [{ bone: 'head', source: 'head', kind: 'rotation' }]), /constrained by itself/],
      [() => arm.apply({ target: [0, 0, 0], end: 'loose' as never }), /no end 'loose'/],
      [() => arm.apply({ target: [0, 0, 0], space: 'moon' as never }), /no space 'moon'; give 'model' or 'world'/],
    ];
    for (const [call, message] of wrong) {
      assert.throws(call, (error) => {
        assert.ok(error instanceof CanterError, String(error));
        assert.match(error.message, message);
        return true;
      });
    }
    arm.dispose();
    assert.throws(() => arm.apply({ target: [0, 0, 0] }), /TwoBoneIK was disposed/);
    const bare = await loadGltf(HERO, { runtime: await createRuntime() });
    assert.throws(() => new TwoBoneIK(bare.skeleton, { bones: ARM }), /give `motion: true` to `loadGltf`/);
    asset.dispose();
  });

  test('what hangs on a bone follows what solvers do to it', async () => {
    const { asset } = await walking();
    const sword = { matrix: new Float32Array(16) };
    asset.skeleton.getBoneByName('hand_R')!.attach(sword);
    const [x, y, z] = place(asset, 'upper_arm_R');
    new TwoBoneIK(asset.skeleton, { bones: ARM }).apply({ target: [x - 0.1, y - 0.1, z + 0.2] });
    asset.skeleton.update();
    assert.deepEqual([...sword.matrix], [...asset.skeleton.getBoneByName('hand_R')!.worldMatrix]);
    asset.dispose();
  });

  test('solvers that come and go keep memory flat', async () => {
    const runtime = await createRuntime({ motion: true });
    using asset = await loadGltf(HERO, { runtime });
    const once = () => {
      using skeleton = asset.skeleton.clone();
      using arm = new TwoBoneIK(skeleton, { bones: ARM });
      using look = new LookAt(skeleton, { bones: ['head'] });
      using chain = new ChainIK(skeleton, { bones: ['spine', 'chest', 'neck', 'head'] });
      using feet = new Feet(skeleton, { pelvis: 'hips', legs: LEGS });
      using springs = new Springs(skeleton, { chains: [{ bones: ['scarf_long_1', 'scarf_long_2'] }] });
      using mirror = new Mirror(skeleton);
      for (const solver of [arm, look, chain]) solver.apply({ target: [0, 1, 1] });
      feet.update(DT, () => 0);
      springs.update(DT);
      mirror.apply();
      assert.throws(() => new LookAt(skeleton, { bones: [] }), CanterError);
    };
    for (let round = 0; round < 20; round++) once();
    const size = runtime.memoryBytes;
    for (let round = 0; round < 1000; round++) once();
    assert.equal(runtime.memoryBytes, size);
  });
});
