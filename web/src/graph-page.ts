// The hero moves by his graph, drawn by three.js: a stick tells the graph what is wanted, solvers put his feet on hills.
import { loadGltf, type Bone } from 'canter';
import { AnimationGraph, type LayerExplanation } from 'canter/graph';
import { Feet, LookAt, Springs } from 'canter/rig';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

import { Meter, micros } from './meter.js';
import { find, Shell } from './shell.js';
import { Stick } from './stick.js';

const LONGEST_SECS = 0.1;
/** Metres per second at the edge of the stick; the hero's graph has clips for these. */
const FASTEST = { forward: 2.9, back: 0.8, left: 0.9 };
const TURN_RATE = 1.8;
const TRIGGERS = [['jump', 'Jump', ' '], ['attack', 'Attack', 'f'], ['wave', 'Wave', 'g']] as const;

/** The ground: gentle hills, level where he begins. */
function heightAt(x: number, z: number): number {
  const far = Math.min(1, Math.max(0, Math.hypot(x, z) - 1) / 3);
  return far * (0.16 * Math.sin(1.1 * x) * Math.cos(0.9 * z) + 0.1 * Math.sin(0.5 * z + 1));
}

function groundAt(x: number, _y: number, z: number): { height: number; normal: [number, number, number] } {
  const step = 0.05;
  const slope = (dx: number, dz: number) => (heightAt(x - dx, z - dz) - heightAt(x + dx, z + dz)) / (2 * step);
  return { height: heightAt(x, z), normal: [slope(step, 0), 1, slope(0, step)] };
}

/** Sky, hills and sun. */
function makeScene(): { scene: THREE.Scene; sun: THREE.DirectionalLight; dress: (isLight: boolean) => void } {
  const scene = new THREE.Scene();
  const sun = new THREE.DirectionalLight(0xfff1dd, 2.6);
  sun.castShadow = true;
  sun.shadow.mapSize.set(1024, 1024);
  sun.shadow.normalBias = 0.02;
  Object.assign(sun.shadow.camera, { left: -3, right: 3, top: 3, bottom: -3, near: 0.1, far: 20 });
  const geometry = new THREE.PlaneGeometry(80, 80, 200, 200).rotateX(-Math.PI / 2);
  const places = geometry.getAttribute('position');
  for (let index = 0; index < places.count; index++) places.setY(index, heightAt(places.getX(index), places.getZ(index)));
  geometry.computeVertexNormals();
  const material = new THREE.MeshStandardMaterial({ roughness: 1 });
  const ground = new THREE.Mesh(geometry, material);
  ground.receiveShadow = true;
  const sky = new THREE.HemisphereLight(0xb9ccff, 0x40352c, 1.5);
  scene.add(sun, sun.target, sky, ground);
  const dress = (isLight: boolean) => {
    const far = isLight ? 0xe2e7ef : 0x131926;
    scene.background = new THREE.Color(far);
    scene.fog = new THREE.Fog(far, 8, 22);
    material.color.set(isLight ? 0xd3d6d8 : 0x39414f);
    sky.color.set(isLight ? 0xdfe6f2 : 0xb9ccff);
    sky.intensity = isLight ? 2 : 1.5;
  };
  return { scene, sun, dress };
}

/** Shows Canter's pose in a model of three.js: each bone has the transform of its namesake. */
function makeCopy(bones: readonly Bone[], model: THREE.Object3D): () => void {
  const pairs = bones.flatMap((bone) => {
    const object = model.getObjectByName(THREE.PropertyBinding.sanitizeNodeName(bone.name));
    return object ? [{ bone, object }] : [];
  });
  return () => {
    for (const { bone, object } of pairs) {
      object.position.fromArray(bone.position.toArray());
      object.quaternion.fromArray(bone.quaternion.toArray());
      object.scale.fromArray(bone.scale.toArray());
    }
  };
}

/** What a layer does, and why. */
function makeLayer(): (layer: LayerExplanation) => void {
  const [block, heading, bar, reason] = ['div', 'h2', 'progress', 'p'].map((name) => document.createElement(name));
  block!.append(heading!, bar!, reason!);
  find('layers').append(block!);
  return ({ layer, states, transitions, clips, because }) => {
    const state = document.createElement('strong');
    state.textContent = states.at(-1) ?? '';
    heading!.replaceChildren(`${layer}: `, state);
    const progress = transitions.at(-1)?.progress;
    (bar as HTMLProgressElement).value = progress ?? 0;
    bar!.dataset['off'] = String(progress === undefined);
    const playing = clips.filter(({ weight }) => weight > 0.005).map(({ clip, weight }) => `${clip} ${Math.round(100 * weight)} %`);
    reason!.textContent = [playing.join(', '), because?.replace(/^.*because /, 'because ')].filter(Boolean).join(' · ');
  };
}

async function start(): Promise<void> {
  const shell = new Shell();
  const canvas = document.querySelector('canvas')!;
  const [gltf, hero] = await Promise.all([
    new GLTFLoader().loadAsync('hero.glb', ({ loaded, total }) => shell.report(loaded, total)),
    loadGltf('hero.glb', { motion: true }),
  ]);
  const graph = await AnimationGraph.load('hero.graph.json', hero);
  const { skeleton, parameters } = graph;
  gltf.scene.traverse((object) => {
    object.castShadow = true;
    object.frustumCulled = false;
  });
  const copy = makeCopy(skeleton.bones, gltf.scene);
  const feet = new Feet(skeleton, { pelvis: 'hips', legs: [['thigh_L', 'shin_L', 'foot_L'], ['thigh_R', 'shin_R', 'foot_R']] });
  const look = new LookAt(skeleton, { bones: [{ bone: 'neck', share: 0.35, limit: 0.6 }, { bone: 'head', share: 1, limit: 0.9 }] });
  const long = ['scarf_long_1', 'scarf_long_2', 'scarf_long_3', 'scarf_long_4'];
  const short = ['scarf_short_1', 'scarf_short_2', 'scarf_short_3'];
  const springs = new Springs(skeleton, {
    chains: [long, short].map((bones) => ({ bones, stiffness: 0.4, drag: 0.35, gravity: [0, -0.4, 0] as const, hitRadius: 0.02 })),
    colliders: [{ bone: 'spine', shape: 'sphere', offset: [0, 0.08, 0], radius: 0.12 }],
  });

  const renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
  renderer.shadowMap.enabled = true;
  const { scene, sun, dress } = makeScene();
  scene.add(gltf.scene);
  const light = matchMedia('(prefers-color-scheme: light)');
  light.addEventListener('change', () => dress(light.matches));
  dress(light.matches);
  const camera = new THREE.PerspectiveCamera(38, 1, 0.1, 100);

  const stick = new Stick();
  const trigger = (name: string) => graph.trigger(name);
  find('clips').replaceChildren(...TRIGGERS.map(([name, label, key]) => {
    const button = document.createElement('button');
    button.textContent = label;
    button.title = key === ' ' ? 'Space' : key.toUpperCase();
    button.addEventListener('click', () => trigger(name));
    return button;
  }));
  addEventListener('keydown', (event) => {
    const { key, target, repeat } = event;
    if (repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === 'Escape') return shell.close();
    const found = TRIGGERS.find(([, , own]) => own === key.toLowerCase());
    if (key === ' ' && (target as HTMLElement).matches('button, a, input')) return;
    if (found) event.preventDefault();
    if (found) trigger(found[0]);
    if (key.toLowerCase() === 'p') shell.pause();
  });
  let footsteps = 0;
  graph.addEventListener('marker', ({ name, weight }) => {
    if (name.startsWith('foot') && weight > 0.5) find('facts').textContent = `${++footsteps} steps`;
  });

  const layers = graph.layers.map(() => makeLayer());
  const isOn = (id: string) => find<HTMLInputElement>(id).checked;
  const place = { x: 0, z: 0, yaw: 0 };
  const world = new THREE.Matrix4();
  const eye = new THREE.Vector3();
  const [meter, rate] = [new Meter(performance.now()), new Meter(performance.now())];

  const move = (dt: number) => {
    const { left, forward, turn } = stick.read();
    const speed = { forward: forward * (forward > 0 ? FASTEST.forward : FASTEST.back), left: left * FASTEST.left };
    parameters.set('forward', speed.forward).set('left', speed.left).set('turn', turn);
    const begin = performance.now();
    graph.update(dt);
    if (Math.abs(speed.forward) >= 0.1 || Math.abs(left) > 0.1) place.yaw += turn * TURN_RATE * dt;
    else if (graph.state.startsWith('Turn')) place.yaw += Math.sign(turn) * 0.9 * TURN_RATE * dt;
    if (graph.state !== 'Jump' || forward > 0.5) {
      place.x += (Math.sin(place.yaw) * speed.forward + Math.cos(place.yaw) * speed.left) * dt;
      place.z += (Math.cos(place.yaw) * speed.forward - Math.sin(place.yaw) * speed.left) * dt;
    }
    world.makeRotationY(place.yaw).setPosition(place.x, heightAt(place.x, place.z), place.z);
    skeleton.matrix.set(world.elements);
    const grounded = graph.state === 'Jump' ? 0 : 1;
    if (isOn('feet')) feet.update(dt, groundAt, { weight: grounded });
    if (isOn('look')) look.apply({ target: eye, space: 'world', weight: 0.9 });
    if (isOn('swing')) springs.update(dt);
    const reading = meter.count(performance.now(), performance.now() - begin, 1);
    if (reading?.microsPerFigure !== undefined) find('cost').textContent = micros(reading);
  };

  const draw = () => {
    copy();
    gltf.scene.matrixAutoUpdate = false;
    gltf.scene.matrix.copy(world);
    const focus = new THREE.Vector3(place.x, heightAt(place.x, place.z) + 0.75, place.z);
    camera.position.copy(focus).add(new THREE.Vector3(1.4, 1.1, 3.6));
    camera.lookAt(focus);
    eye.copy(camera.position);
    sun.target.position.copy(focus);
    sun.position.copy(focus).add(new THREE.Vector3(2.1, 3.9, 2.3));
    renderer.render(scene, camera);
  };

  // The first frame says what it does at once.
  let [before, explained] = [performance.now(), -Infinity];
  renderer.setAnimationLoop(() => {
    const now = performance.now();
    const dt = Math.min((now - before) / 1000, LONGEST_SECS);
    before = now;
    fit(renderer, camera, canvas);
    if (!shell.isPaused) move(dt);
    draw();
    if (now - explained > 100) {
      explained = now;
      graph.explain().layers.forEach((layer, index) => layers[index]!(layer));
      find('history').textContent = graph.history.slice(0, 3).map(({ from, to = 'exit' }) => `${from} to ${to}`).join('\n');
    }
    const reading = rate.count(performance.now(), 0, 1);
    if (reading && !shell.isPaused) find('rate').textContent = reading.framesPerSec.toFixed(0);
    shell.countFrame();
  });
  shell.end();
  document.body.dataset['ready'] = 'true';
}

/** What is seen fits what no panel covers. */
function fit(renderer: THREE.WebGLRenderer, camera: THREE.PerspectiveCamera, canvas: HTMLCanvasElement): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const free = find('free').getBoundingClientRect();
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setSize(width, height, false);
  camera.aspect = width / height;
  const wide = (0.55 * height) / Math.max(free.width, 1);
  const high = Math.min(2.5, height / Math.max(1.2 * free.height, 1));
  camera.fov = Math.min(120, (2 * 180 * Math.atan(0.344 * Math.max(1, wide, high))) / Math.PI);
  camera.setViewOffset(width, height, width / 2 - (free.left + free.right) / 2, height / 2 - (free.top + free.bottom) / 2, width, height);
}

start().catch((error: unknown) => {
  find('task').hidden = true;
  find('error').hidden = false;
  find('error-text').textContent = error instanceof Error ? error.message : String(error);
});
