// Graphs as a web developer would write them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';

import { AnimationMixer, CanterError, createRuntime, loadGltf, type Asset } from 'canter';
import { AnimationGraph, GraphError, type GraphData, type GraphEvent } from 'canter/graph';

import { HERO, ROOT } from './common.js';
import { distance, DT, posed, steps } from './hero.js';

const HERO_GRAPH = join(ROOT, 'assets/hero.graph.json');
const json = readFileSync(HERO_GRAPH, 'utf8');

interface Schema {
  properties: Record<string, unknown>;
  $defs: Record<string, Schema>;
}

async function hero(): Promise<Asset> {
  return loadGltf(HERO, { motion: true });
}

/** A small graph of the hero's clips, to be changed. */
function small(): GraphData {
  return {
    version: 1,
    parameters: [
      { name: 'speed', kind: 'float' }, { name: 'lives', kind: 'int', default: 3 }, { name: 'grounded', kind: 'bool', default: true },
      { name: 'jump', kind: 'trigger' },
    ],
    layers: [{
      name: 'body',
      machine: {
        entry: 'Move',
        states: [
          {
            name: 'Move',
            motion: { blend1d: { parameter: 'speed', points: [{ at: 0, motion: { clip: 'Idle' } }, { at: 1.4, motion: { clip: 'Walk' } }] } },
          },
          { name: 'Jump', motion: { clip: 'Jump' }, loop: 'once', on_enter: 'jumped', on_leave: 'landed' },
          { name: 'Dead', motion: 'hold' },
        ],
        transitions: [
          { from: 'Move', to: 'Jump', when: [{ parameter: 'jump' }, { parameter: 'grounded' }], duration: 0.1 },
          { from: 'Jump', to: 'Move', exit_time: 0.9 },
          { from: 'any', to: 'Dead', when: [{ parameter: 'lives', op: '<=', value: 0 }] },
        ],
      },
    }],
  };
}

suite('graphs', () => {
  test('the hero stands, walks and jumps by his graph', async () => {
    using asset = await hero();
    using graph = await AnimationGraph.load(HERO_GRAPH, asset);
    assert.deepEqual(graph.warnings, []);
    assert.equal(graph.state, 'Move');
    assert.deepEqual(graph.layers.map(({ name }) => name).slice(0, 1), ['body']);
    const standing = posed(asset);
    steps(graph, 10);
    graph.parameters.set('forward', 1.4);
    steps(graph, 60);
    assert.ok(distance(posed(asset), standing) > 0.1);
    graph.trigger('jump');
    graph.update(DT);
    assert.equal(graph.state, 'Jump');
    assert.ok(Math.abs(graph.time - 71 / 60) < 1e-6);
  });

  test('parameters are got and set by name, each as what it is', async () => {
    using asset = await hero();
    using graph = new AnimationGraph(small(), asset);
    const { parameters } = graph;
    assert.deepEqual([...parameters], [['speed', 0], ['lives', 3], ['grounded', true], ['jump', false]]);
    parameters.set('speed', 1.5).set('lives', -2).set('grounded', false).trigger('jump');
    assert.deepEqual([...parameters], [['speed', 1.5], ['lives', -2], ['grounded', false], ['jump', true]]);
    parameters.reset('jump').set('speed', NaN);
    assert.deepEqual([parameters.get('jump'), parameters.get('speed'), parameters.has('speed'), parameters.has('sped')], [false, NaN, true, false]);
    const wrong: [call: () => unknown, message: RegExp][] = [
      [() => parameters.set('sped', 1), /no parameter "sped"; did you mean "speed"/],
      [() => parameters.set('speed', true), /"speed" is a float and was given true; give a number/],
      [() => parameters.set('lives', 0.5), /"lives" is a int and was given 0.5; give a whole number/],
      [() => parameters.set('grounded', 1), /"grounded" is a bool and was given 1; give true or false/],
      [() => parameters.set('jump', true), /call `trigger\('jump'\)`/],
      [() => parameters.trigger('speed'), /"speed" is a float, no trigger/],
      [() => graph.update(NaN), /the step of time is NaN/],
      [() => graph.update(-1), /the step of time is -1/],
    ];
    for (const [call, message] of wrong) assert.throws(call, (error) => error instanceof CanterError && message.test(error.message));
    assert.equal(parameters.get('grounded'), false);
  });

  test('what is wrong with a graph is said with its place', async () => {
    using asset = await hero();
    type Machine = GraphData['layers'][0]['machine'];
    const cases: [change: (machine: Machine, data: GraphData) => void, message: RegExp, place: Partial<GraphError>][] = [
      [(machine) => (machine.transitions![0]!.to = 'Fly'), /Fly/, { layer: 'body', fault: 'unknown' }],
      [(machine) => (machine.transitions![1]!.duration = 'fast' as never), /"fast" refused; expected a number of seconds/,
        { layer: 'body', transition: { index: 1, from: 'Jump', to: 'Move' }, field: 'duration', fault: 'json' }],
      [(machine) => (machine.transitions![1]!.duration = -1), /-1/, { layer: 'body', field: 'duration', fault: 'number' }],
      [(machine) => (machine.transitions![0]!.when![0]!.parameter = 'jmp'), /jmp/, { layer: 'body', fault: 'unknown' }],
      [(machine) => ((machine.states[1] as unknown as Record<string, unknown>)['lop'] = 1), /a state has no field "lop"; it has "name"/, { layer: 'body', field: 'lop' }],
      [(machine) => (machine.states[1]!.loop = 'twice' as never), /expected "once", "repeat"/, { layer: 'body', state: 'Jump', field: 'loop' }],
      [(machine) => (machine.states[1]!.motion = { clips: 'Jump' } as never), /expected "hold", "rest" or an object with one of/,
        { layer: 'body', state: 'Jump', field: 'motion' }],
      [(machine) => (machine.states[1]!.name = 'Move'), /"Move" is taken/, { layer: 'body', fault: 'taken' }],
      [(machine) => delete (machine as Partial<Machine>).entry, /a machine without "entry"/, { layer: 'body', field: 'entry' }],
      [(_, data) => (data.version = 2 as never), /version 2 is not known/, { fault: 'version' }],
      [(_, data) => (data.parameters = {} as never), /\{\} refused; expected a list/, { field: 'parameters' }],
      [(machine) => (machine.transitions![1]!.exit_time = 5), /never reached/, { fault: 'neverReached' }],
    ];
    for (const [change, message, place] of cases) {
      const data = small();
      change(data.layers[0]!.machine, data);
      assert.throws(() => new AnimationGraph(data, asset), (error) => {
        assert.ok(error instanceof GraphError && error instanceof CanterError, String(error));
        assert.match(error.message, message);
        for (const [field, value] of Object.entries(place)) assert.deepEqual(error[field as keyof GraphError], value, `${field}: ${error.message}`);
        return true;
      });
    }
    assert.throws(() => new AnimationGraph('{ "version": 1,', asset), (error) => error instanceof GraphError && /this is no JSON/.test(error.message));
    for (const odd of ['null', '[]', '3', '"graph"', '{}']) assert.throws(() => new AnimationGraph(odd, asset), GraphError);
    let deep: unknown = { clip: 'Walk' };
    for (let depth = 0; depth < 5000; depth++) deep = { direct: { items: [{ weight: 1, motion: deep }] } };
    const data = small();
    data.layers[0]!.machine.states[0]!.motion = deep as never;
    assert.throws(() => new AnimationGraph(data, asset), /nested deeper/);
  });

  test('states play left for right if they say so', async () => {
    using asset = await hero();
    const pose = (mirror: boolean) => {
      const data = small();
      data.layers[0]!.machine.states[0] = { name: 'Move', motion: { clip: 'Attack' }, mirror };
      using graph = new AnimationGraph(data, asset);
      graph.update(0.4);
      return posed(asset);
    };
    const plain = pose(false);
    const mirrored = pose(true);
    assert.ok(distance(plain, mirrored) > 0.2);
    const [hand, other] = [plain.get('forearm_R')!, mirrored.get('forearm_L')!];
    assert.ok([3, 4, 5, 6].every((index) => Math.abs(Math.abs(hand[index]!) - Math.abs(other[index]!)) < 1e-4), `${hand} ${other}`);
  });

  test('clips that are not there are warned of', async () => {
    using asset = await hero();
    const data = small();
    data.layers[0]!.machine.states[1]!.motion = { clip: 'Jmp' };
    using graph = new AnimationGraph(data, asset);
    assert.match(graph.warnings.join(), /layer "body", state "Jump".*no clip "Jmp"/);
  });

  test('it says that a module without graphs has none, and assets of another one are refused', async () => {
    const runtime = await createRuntime();
    using asset = await loadGltf(HERO, { runtime });
    assert.throws(() => new AnimationGraph(small(), asset), /give `motion: true` to `loadGltf`/);
    using other = await hero();
    using graph = new AnimationGraph(small(), other);
    using third = await hero();
    assert.throws(() => graph.clone(third), /another asset/);
  });

  test('states, transitions and markers are told in the order of time, once, however time is cut', async () => {
    using asset = await hero();
    const run = (dt: number, count: number) => {
      using graph = new AnimationGraph(small(), asset.skeleton.clone());
      const told: string[] = [];
      let now = 0;
      const tell = (event: GraphEvent) => {
        const what = event.type === 'marker' ? event.name : event.type === 'chainLimit' ? '' : event.state;
        const named = event.type === 'enter' || event.type === 'leave' ? event.event ?? '' : '';
        told.push(`${(now - event.secondsAgo).toFixed(3)} ${event.type} ${event.layer} ${what} ${named}`);
      };
      for (const type of ['enter', 'leave', 'finished', 'marker'] as const) graph.addEventListener(type, tell);
      graph.parameters.set('speed', 1.4).trigger('jump');
      for (let step = 0; step < count; step++) {
        now += dt;
        graph.update(dt);
      }
      return told;
    };
    const [fine, coarse] = [run(1 / 128, 512), run(4, 1)];
    assert.deepEqual(coarse, fine);
    assert.ok(fine.some((line) => /enter body Jump jumped/.test(line)) && fine.some((line) => /leave body Jump landed/.test(line)), fine.join('\n'));
    assert.ok(fine.some((line) => /marker body foot_/.test(line)), fine.join('\n'));
  });

  test('listeners may do anything, and can be taken away', async () => {
    using asset = await hero();
    const graph = new AnimationGraph(small(), asset);
    const entered: string[] = [];
    const listener = ({ state }: { state: string }) => {
      entered.push(state);
      graph.dispose();
    };
    graph.addEventListener('enter', listener);
    graph.addEventListener('enter', listener);
    assert.ok(graph.hasEventListener('enter', listener));
    graph.trigger('jump').update(DT);
    assert.deepEqual([entered, graph.isDisposed], [['Jump'], true]);
    graph.removeEventListener('enter', listener);
    assert.ok(!graph.hasEventListener('enter', listener));
    assert.throws(() => graph.update(DT), /disposed/);
  });

  test('it explains itself as data and in words, and remembers what it did', async () => {
    using asset = await hero();
    using graph = new AnimationGraph(small(), asset);
    assert.equal(graph.history.length, 0);
    graph.parameters.set('speed', 0.7).trigger('jump');
    graph.update(DT);
    const explanation = graph.explain();
    const [body] = explanation.layers;
    assert.ok(body);
    assert.ok(Math.abs(explanation.time - DT) < 1e-6);
    assert.deepEqual([body.layer, body.weight, body.states, body.because], ['body', 1, ['Jump'], 'Move to Jump, 0.02 s ago, because jump was set']);
    assert.deepEqual(body.waiting, [{ to: 'Move', lacks: ['exit time 0.9'] }, { to: 'Dead', lacks: ['lives <= 0'] }]);
    assert.equal(String(explanation), 'body: Move -> Jump, 17 % (Jump 1.00); Move to Jump, 0.02 s ago, because jump was set');
    const { transition } = graph.layers[0]!;
    assert.ok(transition && Math.abs(transition.progress - DT / 0.1) < 1e-5);
    assert.deepEqual([transition.from, transition.to], ['Move', 'Jump']);
    assert.deepEqual(graph.history.map((taken) => ({ ...taken, time: 0 })), [{
      time: 0,
      layer: 'body', from: 'Move', to: 'Jump', interrupts: false, travels: false, atExitTime: false, cause: { parameter: 'jump', value: true },
    }]);
    graph.update(0.2);
    assert.equal(graph.layers[0]!.transition, undefined);
  });

  test('it travels to states over the shortest way', async () => {
    using asset = await hero();
    using graph = new AnimationGraph(small(), asset);
    assert.equal(graph.travel('Jump'), 1);
    graph.update(DT);
    assert.deepEqual([graph.state, graph.history[0]!.travels], ['Jump', true]);
    assert.throws(() => graph.travel('Jmp'), /no state "Jmp"; did you mean "Jump"/);
    assert.equal(graph.layers[0]!.travel('Dead'), 1);
    graph.update(2);
    assert.equal(graph.state, 'Dead');
    assert.throws(() => graph.travel('Move'), (error) => error instanceof GraphError && /no transitions lead/.test(error.message) && error.state === 'Move');
    graph.layers[0]!.stopTravelling();
  });

  test('what was saved is put back bit for bit', async () => {
    using asset = await hero();
    using graph = new AnimationGraph(json, asset);
    const play = () => {
      const frames: number[][] = [];
      for (let frame = 0; frame < 90; frame++) {
        if (frame === 10) graph.trigger('jump');
        if (frame === 40) graph.trigger('attack');
        graph.parameters.set('forward', frame / 30);
        graph.update(DT);
        frames.push([...asset.skeleton.boneMatrices]);
      }
      return frames;
    };
    steps(graph, 30);
    graph.parameters.set('forward', 0.5);
    using snapshot = graph.save();
    const before = [...asset.skeleton.boneMatrices];
    const [first, time] = [play(), graph.time];
    graph.restore(snapshot);
    assert.deepEqual([...asset.skeleton.boneMatrices], before);
    assert.deepEqual([graph.parameters.get('forward'), play(), graph.time], [0.5, first, time]);
    using other = new AnimationGraph(json, asset.skeleton.clone());
    assert.throws(() => other.restore(snapshot), /saved of another graph/);
    using clone = graph.clone(asset.skeleton.clone());
    clone.restore(snapshot);
    assert.deepEqual([...clone.skeleton.boneMatrices], before);
  });

  test('it drives a mixer that has layers above', async () => {
    using asset = await hero();
    using mixer = new AnimationMixer(asset);
    const graph = new AnimationGraph(json, mixer);
    assert.equal(graph.mixer, mixer);
    steps(graph, 5);
    const below = posed(asset);
    const upper = mixer.addLayer({ mask: asset.skeleton.mask('spine') });
    upper.play('Wave');
    steps(graph, 30);
    assert.ok(distance(posed(asset), below) > 0.1);
    graph.dispose();
    assert.equal(mixer.isDisposed, false);
  });

  test('root motion leads over the ground', async () => {
    using asset = await loadGltf(HERO, { motion: true, rootMotion: true });
    const data = small();
    data.layers[0]!.machine.states[0]!.motion = { clip: 'WalkRoot' };
    using graph = new AnimationGraph(data, asset);
    steps({ update: (dt) => graph.update(dt).applyRootMotion(asset.skeleton.matrix) }, 120);
    assert.ok(asset.skeleton.matrix[14]! > 1, String(asset.skeleton.matrix[14]));
    assert.ok(graph.rootVelocity[2] > 0.5 && Math.abs(graph.rootYawRate) < 1e-3);
  });

  test('graphs and snapshots that come and go keep memory flat, and so do refused ones', async () => {
    const runtime = await createRuntime({ motion: true });
    using asset = await loadGltf(HERO, { runtime });
    using first = new AnimationGraph(json, asset);
    const wrong = small();
    wrong.layers[0]!.machine.entry = 'Nowhere';
    const once = () => {
      using skeleton = asset.skeleton.clone();
      using graph = new AnimationGraph(json, skeleton);
      using clone = first.clone(skeleton);
      using snapshot = graph.save();
      graph.addEventListener('marker', () => undefined);
      graph.parameters.set('forward', 1);
      graph.trigger('attack').update(0.5);
      graph.explain();
      graph.restore(snapshot);
      clone.update(DT);
      assert.throws(() => new AnimationGraph(wrong, skeleton), GraphError);
    };
    for (let round = 0; round < 20; round++) once();
    const size = runtime.memoryBytes;
    for (let round = 0; round < 300; round++) once();
    assert.equal(runtime.memoryBytes, size);
  });

  test('every field of the schema is read, and no other', async () => {
    using asset = await hero();
    const schema = JSON.parse(readFileSync(join(ROOT, 'crates/canter-graph/graph.schema.json'), 'utf8')) as Schema;
    const { state, transition, layer, machine, parameter, sync_group: group } = schema.$defs;
    const places: [def: Schema | undefined, (data: GraphData) => object][] = [
      [schema, (data) => data], [layer, (data) => data.layers[0]!], [machine, (data) => data.layers[0]!.machine],
      [state, (data) => data.layers[0]!.machine.states[0]!], [transition, (data) => data.layers[0]!.machine.transitions![0]!],
      [parameter, (data) => data.parameters![0]!], [group, (data) => (data.sync_groups = [{ name: 'feet' }])[0]!],
    ];
    for (const [def, find] of places) {
      assert.ok(def);
      const data = small();
      Object.assign(find(data), { nonsense: 1 });
      assert.throws(() => new AnimationGraph(data, asset), (error) => {
        assert.ok(error instanceof GraphError);
        const known = [...error.message.slice(error.message.indexOf('it has')).matchAll(/"([^"]+)"/g)].map(([, name]) => name);
        assert.deepEqual(known.sort(), Object.keys(def.properties).sort());
        return true;
      });
    }
  });
});
