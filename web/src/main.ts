import { AnimationMixer, init, loadGltf, type Asset, type Player } from 'canter';

import { OrbitCamera, type Free } from './camera.js';
import { withCoarser } from './coarser.js';
import { Drops, listen, type Delivery } from './drops.js';
import { Field } from './field.js';
import { makeFigure, writeMatrices, writeRows, type Figure } from './figure.js';
import { Footprints } from './footprints.js';
import { listenToKeys } from './keys.js';
import { Overlay, upperBody } from './layers.js';
import { currentLook } from './look.js';
import { cellFor, groundUnder, measure, sizeOf, type Extent } from './measure.js';
import { weightsIn, writeMorphs } from './morphs.js';
import { Panel } from './panel.js';
import { INSTANCE_FLOATS, PALETTE_WIDTH, type Frame, type Renderer } from './renderer.js';
import { find } from './shell.js';
import { makeSword, type Sword } from './sword.js';
import { Walker } from './walker.js';
import { inStep, Wander } from './wander.js';
import { WebGl2Renderer } from './webgl2.js';
import { WebGpuRenderer } from './webgpu.js';

/** A page in the background stands still; it must not run to catch up. */
const LONGEST_SECS = 0.25;
/** Lines of the ground repeat after so many cells. */
const GROUND_CELLS = 4;
/** The ground is lit so many cells far. */
const GROUND_REACH = 18;

const canvas = document.querySelector('canvas')!;
const panel = new Panel();

/** A loaded file, ready to be shown. */
interface Loaded {
  name: string;
  figure: Figure;
  sword: Sword | undefined;
}

/** The character on the page, and what is around it. */
interface Show {
  figure: Figure;
  extent: Extent;
  mixer: AnimationMixer;
  field: Field;
  walker: Walker;
  footprints: Footprints;
  wander: Wander;
  sword: { matrix: Float32Array } | undefined;
  /** The hero's matrices, then his morph weights. */
  heroRows: Float32Array<ArrayBuffer>;
  morphStart: number;
  instances: Float32Array<ArrayBuffer>;
}

async function start(): Promise<void> {
  // Everything at once: the module, both files and the graphics.
  void init({ meshes: true });
  const options = { meshes: true, matrices: 'mat3x4', rootMotion: true } as const;
  const [renderer, loaded] = await Promise.all([
    makeRenderer(),
    Promise.all([loadGltf('hero.glb', { ...options, onProgress: panel.report }), loadGltf('sword.glb', { meshes: true })]).then(
      ([hero, sword]) => load('The hero', hero, sword),
    ),
  ]);
  if (!renderer) return;
  document.body.dataset['api'] = renderer.api;
  panel.showApi(renderer.api);
  const camera = new OrbitCamera(canvas);
  const stage = new Stage(renderer, camera, makeShow(loaded, renderer, camera));
  panel.end();
  stage.run();
  document.body.dataset['ready'] = 'true';

  const drops = new Drops(panel, async ({ name, bytes, files, signal }: Delivery) => {
    // Once round, so that the page can say that it is at work.
    await new Promise((resolve) => setTimeout(resolve, 30));
    signal.throwIfAborted();
    const asset = await loadGltf(bytes, { meshes: true, matrices: 'mat3x4', files });
    const next = await load(name, asset).catch((error: unknown) => {
      asset.dispose();
      throw error;
    });
    if (signal.aborted) asset.dispose();
    else stage.change(makeShow(next, renderer, camera));
  });
  listen(find('open'), find<HTMLInputElement>('file'), (files) => void drops.take(files));
  listenToKeys({ camera, pause: () => panel.pause(), clip: panel.clip, open: () => find('open').click(), close: () => panel.close() });
}

/** Makes of a file what the renderers draw. */
async function load(name: string, asset: Asset, sword?: Asset): Promise<Loaded> {
  const figure = await makeFigure(asset);
  return { name, figure, sword: sword && (await makeSword(sword, figure, 'hand_R')) };
}

/** What is on show, frame by frame. */
class Stage {
  #show: Show;
  #secs = performance.now() / 1000;
  #isChanged = true;
  #seen = '';
  #free: Free | undefined;

  constructor(readonly renderer: Renderer, readonly camera: OrbitCamera, show: Show) {
    this.#show = show;
    panel.onChange = () => {
      this.#isChanged = true;
      this.#free = undefined;
    };
    addEventListener('resize', panel.onChange);
    // Fonts come, panels grow: what is free changes.
    new ResizeObserver(panel.onChange).observe(find('free'));
  }

  change(show: Show): void {
    dispose(this.#show);
    this.#show = show;
    panel.onChange();
  }

  run(): void {
    this.#frame(0);
    performance.mark('first-frame');
    const tick = () => {
      requestAnimationFrame(tick);
      const now = performance.now() / 1000;
      // Half a frame of the screen early is nearer than half a frame late.
      if (now - this.#secs < panel.leastFrameSecs - 0.008) return;
      const dt = panel.isPaused ? 0 : Math.min(now - this.#secs, LONGEST_SECS) * panel.speed;
      this.#secs = now;
      this.#frame(dt);
    };
    requestAnimationFrame(tick);
  }

  #frame(dt: number): void {
    const show = this.#show;
    this.camera.free = this.#free ??= freePart();
    // What stands still is not drawn again: a phone's battery is worth more.
    const seen = [canvas.clientWidth, canvas.clientHeight, ...this.camera.eye, currentLook().grid].join();
    if (panel.isPaused && !this.#isChanged && seen === this.#seen) return;
    this.#seen = seen;
    const updateMs = panel.isPaused && !this.#isChanged ? 0 : update(show, dt);
    this.renderer.render(makeFrame(show, this.camera, this.renderer));
    this.#isChanged = show.field.hasNewcomers;
    panel.count(updateMs, show.field.crowd.members.length + 1);
    panel.showWay(show.walker.way, show.footprints.count, show.footprints.slide);
  }
}

/** The part of the picture that no panel covers. */
function freePart(): Free {
  const { left, top, right, bottom } = find('free').getBoundingClientRect();
  const [width, height] = [Math.max(canvas.clientWidth, 1), Math.max(canvas.clientHeight, 1)];
  // Where next to nothing is free, the whole picture is.
  if (right - left < 0.12 * width || bottom - top < 0.12 * height) return { left: 0, top: 0, right: width, bottom: height, width, height };
  return { left, top, right, bottom, width, height };
}

/** Moves everything on; returns how long the animation took, in milliseconds. */
function update({ mixer, field, walker, footprints, wander }: Show, dt: number): number {
  let updateMs = 0;
  // In parts, so that he begins to run at the same instant at any frame rate.
  for (let left = dt, part: number; ; left -= part) {
    part = wander.begin(left);
    const started = performance.now();
    mixer.update(part);
    if (part >= left) field.crowd.update(dt);
    updateMs += performance.now() - started;
    walker.follow(mixer, part);
    footprints.update(part);
    if (part >= left) break;
  }
  field.turn();
  return updateMs;
}

/** The way that was asked for (`?gpu=webgl2`, `?gpu=webgpu`), or the best there is. */
async function makeRenderer(): Promise<Renderer | undefined> {
  const wish = new URLSearchParams(location.search).get('gpu');
  const reasons: string[] = [];
  if (wish !== 'webgl2') {
    const renderer = await WebGpuRenderer.create(canvas, panel.fail).catch((error: unknown) => void reasons.push(String(error)));
    if (renderer) return renderer;
    reasons.push('WebGPU: the browser has no adapter for it.');
  }
  if (wish !== 'webgpu') {
    try {
      return new WebGl2Renderer(canvas, panel.fail);
    } catch (error) {
      reasons.push(`WebGL2: ${error instanceof Error ? error.message : String(error)}.`);
    }
  }
  panel.showNoGpu(reasons);
  return undefined;
}

/** Puts a figure on the page: from here on nothing waits, so that nobody comes in between. */
function makeShow({ name, figure, sword: weapon }: Loaded, renderer: Renderer, camera: OrbitCamera): Show {
  const { asset, matrixCount, rigidBones, triangleCount } = figure;
  const first = asset.getClipByName('Walk') ?? asset.clips[0];
  const extent = measure(figure, first);
  const mixer = new AnimationMixer(asset);
  if (first) mixer.play(first, inStep(first));
  const sword = weapon && { matrix: new Float32Array(16) };
  if (sword) asset.skeleton.getBoneByName('hand_R')!.attach(sword);
  const field = new Field(figure, sizeOf(extent));
  const walker = new Walker();
  const wander = new Wander(mixer);
  const morphStart = 12 * (matrixCount + rigidBones.length + 1);
  const show: Show = {
    figure,
    extent,
    mixer,
    field,
    walker,
    footprints: new Footprints(mixer, walker),
    wander,
    sword,
    heroRows: new Float32Array(morphStart + 4 * figure.morphRows),
    morphStart,
    instances: new Float32Array(INSTANCE_FLOATS),
  };
  renderer.setParts([...figure.parts, ...(weapon?.parts ?? [])]);
  camera.frame(extent);
  // Made when there is a crowd: he who comes for one figure does not wait for it.
  let makeCoarser = () => {
    renderer.setParts([...withCoarser(figure, sizeOf(extent)), ...(weapon?.parts ?? []), ...(weapon?.crowdParts() ?? [])]);
    makeCoarser = () => {};
  };
  showControls(show, camera, () => makeCoarser());
  panel.showFigure(name, asset, triangleCount);
  return show;
}

function showControls({ figure: { asset }, mixer, field, walker, wander }: Show, camera: OrbitCamera, onCrowd: () => void): void {
  // Without those that are made additive later.
  const clips = [...asset.clips];
  const all = (): Player[] => [mixer, ...field.crowd.members];
  let playing = clips.find((clip) => mixer.clipAction(clip).effectiveWeight > 0.5) ?? clips[0];
  panel.showClips(clips, playing, (clip) => {
    panel.endWander();
    playing = clip;
    for (const player of all()) player.crossFadeTo(clip, panel.fade, inStep(clip));
  });
  panel.showWander(Wander.suits(clips), (isOn) => {
    wander.isOn = isOn;
    if (isOn) wander.start();
    if (isOn) camera.lookDown();
  });
  const overlay = new Overlay(asset);
  const bones = asset.skeleton.bones.map(({ name }) => name).filter((name) => name !== '');
  panel.showLayer(clips, bones, upperBody(asset), (choice) => overlay.choose(choice, all(), panel.fade));
  panel.showCrowd(field.most, (count) => {
    if (count > 1) onCrowd();
    for (const member of field.resize(count - 1, walker.yaw)) {
      const { index } = member;
      if (playing) member.play(playing, { startTime: index * 0.37, speed: 0.92 + ((index * 7) % 17) / 100 });
      overlay.join(member, 0);
    }
    camera.takeIn(count);
  });
}

function dispose({ figure, mixer, field }: Show): void {
  mixer.dispose();
  field.dispose();
  figure.asset.dispose();
}

function makeFrame(show: Show, camera: OrbitCamera, renderer: Renderer): Frame {
  const { figure, extent, field, sword, heroRows, morphStart, walker, footprints } = show;
  const scale = Math.min(devicePixelRatio, 2);
  const [width, height] = [Math.max(1, Math.round(canvas.clientWidth * scale)), Math.max(1, Math.round(canvas.clientHeight * scale))];
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  writeMatrices(figure, heroRows);
  if (sword) writeRows(sword.matrix, heroRows, morphStart - 12);
  writeMorphs(figure.morphs, weightsIn(figure.asset.skeleton), heroRows, morphStart);

  const view = {
    clipFromWorld: camera.clipFromWorld(renderer.isZeroToOne),
    eye: camera.eye,
    pixelsAtOne: scale * camera.pixelsAtOne,
    isStill: panel.isPaused,
  };
  const instances = field.crowd.members.length + 1;
  if (show.instances.length < INSTANCE_FLOATS * instances) show.instances = new Float32Array(2 * INSTANCE_FLOATS * instances);
  show.instances.set([0, 0, walker.yaw, 0, morphStart / 4]);
  // The crowd's matrices begin with a line of their own.
  const crowdRow = Math.ceil(heroRows.length / (4 * PALETTE_WIDTH)) * PALETTE_WIDTH;
  const morphRow = crowdRow + Math.ceil(field.rows / PALETTE_WIDTH) * PALETTE_WIDTH;
  const crowd = field.select(view, { instances: show.instances, matrices: crowdRow, morphs: morphRow });
  const drawn = crowd.reduce((most, { first, count }) => Math.max(most, first + count), 1);

  const cell = cellFor(sizeOf(extent));
  const lap = GROUND_CELLS * cell;
  return {
    width,
    height,
    ...view,
    horizon: camera.horizon,
    look: currentLook(),
    // The camera goes with him: he stays where he is, and the ground runs.
    ground: {
      x: walker.x % lap,
      z: walker.z % lap,
      height: groundUnder(extent),
      cell,
      reach: Math.max(GROUND_REACH * cell, 1.2 * field.radius),
    },
    prints: footprints.numbers,
    printCount: footprints.count,
    palettes: [
      { row: 0, numbers: heroRows },
      { row: crowdRow, numbers: field.rows > 0 ? field.crowd.boneMatrices : new Float32Array(0) },
      { row: morphRow, numbers: field.morphNumbers },
    ],
    instances: show.instances.subarray(0, INSTANCE_FLOATS * drawn),
    crowd,
  };
}

start().catch((error: unknown) => {
  panel.end();
  panel.fail(error instanceof Error ? error.message : String(error));
});
