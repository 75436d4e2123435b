// Two groups of the same figures under three.js: the left one moved by three's mixer, the right one by Canter's.
import { AnimationMixer, init } from 'canter/three';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { clone } from 'three/addons/utils/SkeletonUtils.js';

import { listenToKeys } from './keys.js';
import { Meter, micros } from './meter.js';
import { find, Shell, showValue } from './shell.js';

const FADE_SECS = 0.3;
const LONGEST_SECS = 0.1;
/** Members of a side stand so far apart. */
const APART = { x: 0.95, z: 1.15 };

/** As far as both mixers are used here. */
interface Mixer {
  update(dt: number): unknown;
  clipAction(clip: THREE.AnimationClip): Action;
}
interface Action {
  time: number;
  reset(): Action;
  play(): Action;
  crossFadeTo(next: never, secs: number, warp?: never): unknown;
}

/** The figures of one side; what is done with them is the same for both. */
class Side {
  readonly group = new THREE.Group();
  readonly meter = new Meter(performance.now());
  readonly #make: (root: THREE.Object3D) => Mixer;
  readonly #direction: 1 | -1;
  readonly #figures: { root: THREE.Object3D; mixer: Mixer; skeletons: THREE.Skeleton[] }[] = [];
  #playing: THREE.AnimationClip | undefined;

  constructor(direction: 1 | -1, make: (root: THREE.Object3D) => Mixer) {
    this.#direction = direction;
    this.#make = make;
  }

  /** Lets figures come; those that are too many are hidden, and cost nothing. */
  resize(count: number, model: THREE.Object3D): void {
    while (this.#figures.length < count) {
      const root = clone(model);
      const skeletons = new Set<THREE.Skeleton>();
      root.traverse((object) => (object as THREE.SkinnedMesh).isSkinnedMesh && skeletons.add((object as THREE.SkinnedMesh).skeleton));
      this.group.add(root);
      this.#figures.push({ root, mixer: this.#make(root), skeletons: [...skeletons] });
      if (this.#playing) this.#start(this.#figures.length - 1, this.#playing);
    }
    for (const { root } of this.#figures.splice(count)) this.group.remove(root);
    const columns = Math.ceil(Math.sqrt(0.75 * count));
    for (const [index, { root }] of this.#figures.entries()) {
      root.position.set(this.#direction * (0.75 + (index % columns) * APART.x), 0, 1 - Math.floor(index / columns) * APART.z);
    }
    this.meter.restart(performance.now());
  }

  play(clip: THREE.AnimationClip): void {
    const before = this.#playing;
    if (clip === before) return;
    this.#playing = clip;
    for (const [index, { mixer }] of this.#figures.entries()) {
      const next = this.#start(index, clip);
      if (before) mixer.clipAction(before).crossFadeTo(next as never, FADE_SECS);
    }
  }

  #start(index: number, clip: THREE.AnimationClip): Action {
    const action = this.#figures[index]!.mixer.clipAction(clip);
    action.reset().play();
    action.time = (index * 0.137) % clip.duration;
    return action;
  }

  /** Moves time on until all matrices are ready; returns how long that took, in milliseconds. */
  update(dt: number): number {
    const begin = performance.now();
    for (const { mixer } of this.#figures) mixer.update(dt);
    this.group.updateMatrixWorld();
    for (const { skeletons } of this.#figures) for (const skeleton of skeletons) skeleton.update();
    return performance.now() - begin;
  }

  get count(): number {
    return this.#figures.length;
  }
}

/** Sky, ground and sun, as both sides have them. */
function makeScene(): { scene: THREE.Scene; sun: THREE.DirectionalLight; dress: (isLight: boolean) => void } {
  const scene = new THREE.Scene();
  const sun = new THREE.DirectionalLight(0xfff1dd, 2.6);
  sun.castShadow = true;
  sun.shadow.mapSize.set(1024, 1024);
  sun.shadow.normalBias = 0.02;
  const material = new THREE.MeshStandardMaterial({ roughness: 1 });
  const ground = new THREE.Mesh(new THREE.CircleGeometry(120, 64).rotateX(-Math.PI / 2), material);
  ground.receiveShadow = true;
  const sky = new THREE.HemisphereLight(0xb9ccff, 0x40352c, 1.5);
  scene.add(sun, sun.target, sky, ground);
  const dress = (isLight: boolean) => {
    const far = isLight ? 0xe2e7ef : 0x131926;
    scene.background = new THREE.Color(far);
    scene.fog = new THREE.Fog(far, 9, 24);
    material.color.set(isLight ? 0xd3d6d8 : 0x39414f);
    sky.color.set(isLight ? 0xdfe6f2 : 0xb9ccff);
    sky.intensity = isLight ? 2 : 1.5;
  };
  return { scene, sun, dress };
}

async function start(): Promise<void> {
  const shell = new Shell();
  const canvas = document.querySelector('canvas')!;
  const loader = new GLTFLoader();
  const [gltf, sword] = await Promise.all([
    loader.loadAsync('hero.glb', ({ loaded, total }) => shell.report(loaded, total)),
    loader.loadAsync('sword.glb'),
    init(),
  ]);
  gltf.scene.getObjectByName('hand_R')!.add(sword.scene);
  gltf.scene.traverse((object) => (object.castShadow = true));

  const renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
  renderer.shadowMap.enabled = true;
  const { scene, sun, dress } = makeScene();
  // Each side does this for itself, where it is measured.
  scene.matrixWorldAutoUpdate = false;
  const light = matchMedia('(prefers-color-scheme: light)');
  light.addEventListener('change', () => {
    dress(light.matches);
    shell.onChange();
  });
  dress(light.matches);
  const camera = new THREE.PerspectiveCamera(38, 1, 0.1, 300);

  const theirs = new Side(-1, (root) => new THREE.AnimationMixer(root) as unknown as Mixer);
  const ours = new Side(1, (root) => new AnimationMixer(root) as unknown as Mixer);
  const sides = [theirs, ours];
  scene.add(theirs.group, ours.group);

  const resize = (count: number) => {
    for (const side of sides) side.resize(count, gltf.scene);
    const columns = Math.ceil(Math.sqrt(0.75 * count));
    const rows = Math.ceil(count / columns);
    const [wide, deep] = [0.75 + columns * APART.x, rows * APART.z];
    camera.position.set(0, 1.6 + 0.35 * wide, 3 + 1.45 * wide);
    camera.lookAt(0, 0.7, -0.2 * deep);
    (scene.fog as THREE.Fog).far = 24 + 2 * deep;
    // The light shines along the same line for all; its picture of shadows covers both sides.
    const reach = Math.max(wide, deep) + 1.5;
    sun.target.position.set(0, 0, 1 - deep / 2);
    sun.position.copy(sun.target.position).add(new THREE.Vector3(0.42, 0.78, 0.46).multiplyScalar(3 * reach));
    Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1, far: 6 * reach });
    sun.shadow.camera.updateProjectionMatrix();
    find('facts').textContent = `${count} on each side, in the same light`;
    shell.onChange();
  };
  const slider = find<HTMLInputElement>('crowd');
  slider.value = new URLSearchParams(location.search).get('count') ?? slider.value;
  showValue('crowd', String, (value) => `${value} figures on each side`, resize);
  resize(Number(slider.value));
  const walk = THREE.AnimationClip.findByName(gltf.animations, 'Walk')!;
  const play = (clip: THREE.AnimationClip) => {
    for (const side of sides) side.play(clip);
  };
  play(walk);
  shell.showClips(gltf.animations, walk, play);
  listenToKeys({ camera: undefined, pause: () => shell.pause(), clip: shell.clip, open: () => {}, close: () => shell.close() });
  const rate = new Meter(performance.now());

  let [before, frames, isChanged] = [performance.now(), 0, true];
  shell.onChange = () => (isChanged = true);
  addEventListener('resize', shell.onChange);
  renderer.setAnimationLoop(() => {
    const now = performance.now();
    const dt = Math.min((now - before) / 1000, LONGEST_SECS);
    before = now;
    if (shell.isPaused && !isChanged) return;
    isChanged = false;
    fit(renderer, camera, canvas);
    // In turns: who comes second finds the caches as the first one left them.
    for (const side of frames++ % 2 === 0 ? sides : [ours, theirs]) {
      show(side, side === ours ? 'ours' : 'theirs', side.update(shell.isPaused ? 0 : dt));
    }
    scene.updateMatrixWorld();
    renderer.render(scene, camera);
    const reading = rate.count(performance.now(), 0, 1);
    if (reading && !shell.isPaused) find('rate').textContent = reading.framesPerSec.toFixed(0);
    shell.countFrame();
  });
  shell.end();
  document.body.dataset['ready'] = 'true';
}

const mean = { ours: 0, theirs: 0 };

/** Adds a frame to what a side took, and shows it now and then. */
function show(side: Side, id: 'ours' | 'theirs', ms: number): void {
  const reading = side.meter.count(performance.now(), ms, side.count);
  if (reading?.microsPerFigure === undefined) return;
  find(id).textContent = micros(reading);
  mean[id] = reading.microsPerFigure;
  find('ratio').textContent = mean.ours > 0 && mean.theirs > 0 ? `${(mean.theirs / mean.ours).toFixed(1)}×` : '–';
}

/** What is seen fits what no panel covers. */
function fit(renderer: THREE.WebGLRenderer, camera: THREE.PerspectiveCamera, canvas: HTMLCanvasElement): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const free = find('free').getBoundingClientRect();
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setSize(width, height, false);
  camera.aspect = width / height;
  // Both sides are as wide on every screen.
  camera.fov = (2 * 180 * Math.atan(0.344 * Math.max(1, (1.3 * height) / Math.max(free.width, 1)))) / Math.PI;
  camera.setViewOffset(width, height, width / 2 - (free.left + free.right) / 2, height / 2 - (free.top + free.bottom) / 2, width, height);
}

start().catch((error: unknown) => {
  find('task').hidden = true;
  find('error').hidden = false;
  find('error-text').textContent = error instanceof Error ? error.message : String(error);
});
