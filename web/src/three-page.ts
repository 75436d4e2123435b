// Two groups of the same figures under three.js: the left one moved by three's mixer, the right one by Canter's.
import { AnimationMixer } from 'canter/three';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { clone } from 'three/addons/utils/SkeletonUtils.js';

const PER_SIDE = Number(new URLSearchParams(location.search).get('count') ?? 12);

async function start(): Promise<void> {
  const canvas = document.querySelector('canvas')!;
  const renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0x131926);
  scene.fog = new THREE.Fog(0x131926, 9, 24);
  const camera = new THREE.PerspectiveCamera(38, 1, 0.1, 60);
  camera.position.set(0, 2.6, 7.4);
  camera.lookAt(0, 0.9, 0);
  const sun = new THREE.DirectionalLight(0xfff1dd, 2.6);
  sun.position.set(2, 5, 3);
  const ground = new THREE.Mesh(new THREE.CircleGeometry(30, 64).rotateX(-Math.PI / 2), new THREE.MeshStandardMaterial({ color: 0x39414f, roughness: 1 }));
  scene.add(sun, new THREE.HemisphereLight(0xb9ccff, 0x40352c, 1.5), ground);

  const gltf = await new GLTFLoader().loadAsync('hero.glb');
  const theirs: THREE.AnimationMixer[] = [];
  const ours: AnimationMixer[] = [];
  for (let index = 0; index < PER_SIDE; index++) {
    const [x, z] = [0.75 + (index % 3) * 0.95, 1 - Math.floor(index / 3) * 1.15];
    const [left, right] = [clone(gltf.scene), clone(gltf.scene)];
    left.position.set(-x, 0, z);
    right.position.set(x, 0, z);
    scene.add(left, right);
    theirs.push(new THREE.AnimationMixer(left));
    ours.push(await AnimationMixer.create(right, gltf.animations));
  }
  let playing: string | undefined;
  const play = (name: string) => {
    const clip = THREE.AnimationClip.findByName(gltf.animations, name)!;
    for (const [index, mixer] of theirs.entries()) {
      const next = mixer.clipAction(clip);
      next.reset().play();
      next.time = (index * 0.137) % clip.duration;
      if (playing !== undefined && playing !== name) mixer.clipAction(THREE.AnimationClip.findByName(gltf.animations, playing)!).crossFadeTo(next, 0.3, false);
    }
    for (const [index, mixer] of ours.entries()) {
      const next = mixer.clipAction(name);
      if (playing === undefined) next.play();
      else if (playing !== name) mixer.clipAction(playing).crossFadeTo(next, 0.3);
      next.time = (index * 0.137) % clip.duration;
    }
    playing = name;
  };
  play('Walk');
  document.getElementById('clips')!.replaceChildren(
    ...gltf.animations.map(({ name }) => {
      const button = document.createElement('button');
      button.textContent = name;
      button.addEventListener('click', () => play(name));
      return button;
    }),
  );

  let before = performance.now();
  const spent = { theirs: 0, ours: 0, frames: 0 };
  renderer.setAnimationLoop(() => {
    const now = performance.now();
    const dt = Math.min((now - before) / 1000, 0.1);
    before = now;
    const { clientWidth, clientHeight } = canvas;
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    renderer.setSize(clientWidth, clientHeight, false);
    camera.aspect = clientWidth / clientHeight;
    camera.updateProjectionMatrix();
    const begin = performance.now();
    for (const mixer of theirs) mixer.update(dt);
    const middle = performance.now();
    for (const mixer of ours) mixer.update(dt);
    spent.theirs += middle - begin;
    spent.ours += performance.now() - middle;
    if (++spent.frames % 30 === 0) {
      const each = (ms: number) => `${((1000 * ms) / spent.frames / PER_SIDE).toFixed(1)} µs`;
      document.getElementById('facts')!.textContent = `mixer.update per figure: three ${each(spent.theirs)}, Canter ${each(spent.ours)}`;
    }
    renderer.render(scene, camera);
    document.body.dataset['frames'] = String(spent.frames);
  });
  document.body.dataset['ready'] = 'true';
}

start().catch((error: unknown) => {
  document.getElementById('error')!.hidden = false;
  document.getElementById('error-text')!.textContent = error instanceof Error ? error.message : String(error);
});
