import { AnimationMixer, CanterError, Crowd, loadGltf, type Asset, type CrowdMember } from 'canter';

import { OrbitCamera } from './camera.js';
import { Footprints } from './footprints.js';
import { makeFigure, makeSword, writeMatrices, writeRows, type Figure } from './figure.js';
import { makeExtras, type Extra } from './layers.js';
import type { Frame, Renderer } from './renderer.js';
import { Panel } from './panel.js';
import { Walker } from './walker.js';
import { inStep, Wander } from './wander.js';
import { WebGl2Renderer } from './webgl2.js';
import { WebGpuRenderer } from './webgpu.js';

const LARGEST_CROWD = 1000;
/** A page in the background stands still; it must not run to catch up. */
const LONGEST_SECS = 0.25;
/** Lines of the ground repeat after so many metres. */
const GROUND_CELL = 4;

/** The character on the page, and what is around it. */
interface Show {
  figure: Figure;
  mixer: AnimationMixer;
  crowd: Crowd;
  walker: Walker;
  footprints: Footprints;
  wander: Wander;
  sword: { matrix: Float32Array } | undefined;
  heroMatrices: Float32Array<ArrayBuffer>;
  places: Float32Array<ArrayBuffer>;
}

const canvas = document.querySelector('canvas')!;
const panel = new Panel();

async function start(): Promise<void> {
  const renderer = await makeRenderer();
  if (!renderer) return;
  document.body.dataset['api'] = renderer.api;
  panel.showApi(renderer.api);
  const camera = new OrbitCamera(canvas);
  const hero = await loadGltf('hero.glb', { meshes: true, matrices: 'mat3x4', rootMotion: true, onProgress: panel.progress });
  let show = await makeShow(hero, renderer, camera);
  panel.onDrop = async (file, files) => {
    const asset = await loadGltf(file, { meshes: true, matrices: 'mat3x4', files });
    const next = await makeShow(asset, renderer, camera);
    dispose(show);
    show = next;
  };
  let secs = performance.now() / 1000;
  const tick = () => {
    requestAnimationFrame(tick);
    const now = performance.now() / 1000;
    // Half a frame of the screen early is nearer than half a frame late.
    if (now - secs < panel.leastFrameSecs - 0.008) return;
    const dt = Math.min(now - secs, LONGEST_SECS) * panel.speed;
    secs = now;
    const updateMs = update(show, dt);
    renderer.render(makeFrame(show, camera, renderer));
    panel.count(updateMs, show.crowd.members.length + 1);
    panel.showWay(show.walker.way, show.footprints.count, show.footprints.slide);
  };
  document.body.dataset['ready'] = 'true';
  requestAnimationFrame(tick);
}

/** Moves everything on; returns how long the animation took, in milliseconds. */
function update({ mixer, crowd, places, walker, footprints, wander }: Show, dt: number): number {
  wander.update(dt);
  const started = performance.now();
  mixer.update(dt);
  crowd.update(dt);
  const updateMs = performance.now() - started;
  walker.follow(mixer, dt);
  footprints.update(dt);
  // The others turn as their clips do; the ground runs under all as fast as under him.
  const ways = crowd.rootMotions;
  for (let member = 0; member < crowd.members.length; member++) {
    places[3 * member + 2]! += Math.atan2(ways[16 * member + 8]!, ways[16 * member]!);
  }
  return updateMs;
}

/** The way that was asked for (`?gpu=webgl2`, `?gpu=webgpu`), or the best there is. */
async function makeRenderer(): Promise<Renderer | undefined> {
  const wish = new URLSearchParams(location.search).get('gpu');
  const reasons: string[] = [];
  if (wish !== 'webgl2') {
    const renderer = await WebGpuRenderer.create(canvas, panel.showError).catch((error: unknown) => void reasons.push(String(error)));
    if (renderer) return renderer;
    reasons.push('WebGPU: the browser has no adapter for it.');
  }
  if (wish !== 'webgpu') {
    try {
      return new WebGl2Renderer(canvas);
    } catch (error) {
      reasons.push(`WebGL2: ${error instanceof Error ? error.message : String(error)}.`);
    }
  }
  panel.showNoGpu(reasons);
  return undefined;
}

async function makeShow(asset: Asset, renderer: Renderer, camera: OrbitCamera): Promise<Show> {
  const mixer = new AnimationMixer(asset);
  const first = asset.getClipByName('Walk') ?? asset.clips[0];
  if (first) mixer.play(first, inStep(first));
  const figure = await makeFigure(asset);
  const { parts, matrixCount, rigidBones } = figure;
  const hand = asset.skeleton.getBoneByName('hand_R');
  const swordParts = hand && asset.getClipByName('Attack') ? await makeSword('sword.glb', figure, 'hand_R') : [];
  const sword = swordParts.length > 0 ? { matrix: new Float32Array(16) } : undefined;
  if (sword) hand!.attach(sword);
  const crowd = new Crowd(asset, { matrices: 'mat3x4' });
  const walker = new Walker();
  const wander = new Wander(mixer);
  const show: Show = {
    figure,
    mixer,
    crowd,
    walker,
    footprints: new Footprints(mixer, walker),
    wander,
    sword,
    heroMatrices: new Float32Array(12 * (matrixCount + rigidBones.length + 1)),
    places: makePlaces(figure.size),
  };
  renderer.setParts([...parts, ...swordParts]);
  camera.frame(figure.center, figure.size);
  // Without those that are made additive later.
  const clips = [...asset.clips];
  const playing = () => clips.find((clip) => mixer.clipAction(clip).effectiveWeight > 0.5) ?? first;
  panel.showClips(clips, first, (clip) => {
    panel.endWander();
    for (const player of [mixer, ...crowd.members]) player.crossFadeTo(clip, panel.fade, inStep(clip));
  });
  panel.showWander(Wander.suits(clips), (isOn) => {
    wander.isOn = isOn;
    if (isOn) wander.start();
    if (isOn) camera.lookDown();
  });
  const chosen = new Set<Extra>();
  const extras = makeExtras(asset).map((extra) => {
    const set = (isOn: boolean) => {
      if (isOn) chosen.add(extra);
      else chosen.delete(extra);
      for (const player of [mixer, ...crowd.members]) extra.set(player, isOn, panel.fadeSecs);
    };
    return { ...extra, set };
  });
  panel.showLayers(extras);
  panel.showCrowd(asset.skins.length > 0 ? LARGEST_CROWD : 1, (count) => {
    for (const member of resize(crowd, count - 1, playing()?.name)) {
      show.places[3 * member.index + 2] = walker.yaw;
      for (const extra of chosen) extra.set(member, true, 0);
    }
    camera.takeIn(count);
  });
  panel.showFigure(asset);
  return show;
}

function dispose({ figure, mixer, crowd }: Show): void {
  mixer.dispose();
  crowd.dispose();
  figure.asset.dispose();
}

/** Lets members leave or come; returns those that came. */
function resize(crowd: Crowd, count: number, clip: string | undefined): CrowdMember[] {
  while (crowd.members.length > count) crowd.members[crowd.members.length - 1]!.remove();
  const before = crowd.members.length;
  while (crowd.members.length < count) {
    const member = crowd.spawn();
    if (clip !== undefined) member.play(clip, { startTime: crowd.members.length * 0.37, speed: 0.92 + ((crowd.members.length * 7) % 17) / 100 });
  }
  return crowd.members.slice(before);
}

/** A field of places behind and beside the hero, nearest first. */
function makePlaces(size: number): Float32Array<ArrayBuffer> {
  const step = size * 0.72;
  const spots: [number, number][] = [];
  const half = Math.ceil(Math.sqrt(LARGEST_CROWD) / 2) + 1;
  for (let row = -half; row <= half; row++) {
    for (let column = -half; column <= half; column++) {
      if (row === 0 && column === 0) continue;
      spots.push([(column + (row & 1) * 0.5) * step, row * step]);
    }
  }
  spots.sort((a, b) => Math.hypot(...a) - Math.hypot(...b));
  return new Float32Array(spots.flatMap(([x, z]) => [x, z, 0]));
}

function makeFrame(show: Show, camera: OrbitCamera, renderer: Renderer): Frame {
  const { figure, crowd, sword, heroMatrices, places, walker, footprints } = show;
  const scale = Math.min(devicePixelRatio, 2);
  const [width, height] = [Math.max(1, Math.round(canvas.clientWidth * scale)), Math.max(1, Math.round(canvas.clientHeight * scale))];
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  writeMatrices(figure.asset, figure.rigidBones, heroMatrices);
  if (sword) writeRows(sword.matrix, heroMatrices, heroMatrices.length - 12);
  return {
    width,
    height,
    clipFromWorld: camera.clipFromWorld(width / height, renderer.isZeroToOne),
    eye: camera.eye,
    // The camera goes with him: he stays where he is, and the ground runs.
    groundOffset: [walker.x % GROUND_CELL, walker.z % GROUND_CELL],
    heroYaw: walker.yaw,
    prints: footprints.numbers,
    printCount: footprints.count,
    heroMatrices,
    crowdMatrices: crowd.boneMatrices,
    rowsPerMember: crowd.floatsPerMember / 4,
    places,
    memberCount: crowd.boneMatrices.length === 0 ? 0 : crowd.members.length,
  };
}

start().catch((error: unknown) => {
  panel.showError(error instanceof CanterError || error instanceof Error ? error.message : String(error));
});
