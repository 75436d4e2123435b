// The same three figures twice: as clones with a mixer each, and as a crowd. The pictures must be alike.
import { AnimationMixer, CrowdMesh } from 'canter/three';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { clone } from 'three/addons/utils/SkeletonUtils.js';

const SIZE = 256;
const FIGURES = [['Walk', 0.3, -0.8], ['Run', 0.6, 0], ['Wave', 0.4, 0.8]];

function stage() {
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0x203040);
  const sun = new THREE.DirectionalLight(0xffffff, 3);
  sun.position.set(2, 4, 3);
  sun.castShadow = true;
  sun.shadow.mapSize.set(512, 512);
  const ground = new THREE.Mesh(new THREE.PlaneGeometry(8, 8).rotateX(-Math.PI / 2), new THREE.MeshStandardMaterial({ color: 0x808080 }));
  ground.receiveShadow = true;
  scene.add(sun, new THREE.HemisphereLight(0xffffff, 0x444444, 1), ground);
  return scene;
}

async function pixels(renderer, scene, camera) {
  // The first frame compiles, and textures are there in the second.
  for (let frame = 0; frame < 3; frame++) {
    renderer.render(scene, camera);
    await new Promise(requestAnimationFrame);
  }
  renderer.render(scene, camera);
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [SIZE, SIZE];
  const context = canvas.getContext('2d');
  context.drawImage(renderer.domElement, 0, 0);
  return { data: context.getImageData(0, 0, SIZE, SIZE).data, url: canvas.toDataURL() };
}

async function start() {
  const isWebGpu = location.search.includes('webgpu');
  const [webgpu, tsl] = isWebGpu ? await Promise.all([import('three/webgpu'), import('three/tsl')]) : [];
  const renderer = isWebGpu ? new webgpu.WebGPURenderer() : new THREE.WebGLRenderer({ preserveDrawingBuffer: true });
  await renderer.init?.();
  renderer.setSize(SIZE, SIZE);
  renderer.shadowMap.enabled = true;
  document.body.append(renderer.domElement);
  const { scene: model, animations } = await new GLTFLoader().loadAsync('hero.glb');
  model.traverse((object) => { object.castShadow = true; });
  const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 20);
  camera.position.set(0, 1.6, 4.5);
  camera.lookAt(0, 0.8, 0);

  const [left, right] = [stage(), stage()];
  for (const [name, phase, x] of FIGURES) {
    const root = clone(model);
    root.position.x = x;
    root.rotation.y = x;
    const mixer = new AnimationMixer(root);
    const action = mixer.clipAction(THREE.AnimationClip.findByName(animations, name)).play();
    action.time = phase * action.getClip().duration;
    mixer.update(0);
    left.add(root);
  }
  const crowd = await CrowdMesh.create(model, animations, { capacity: 5, ...(tsl && { tsl }) });
  for (const [clip, phase, x] of FIGURES) crowd.spawn({ clip, phase, matrix: new THREE.Matrix4().makeRotationY(x).setPosition(x, 0, 0) });
  crowd.update(0);
  right.add(crowd);

  const [theirs, ours] = [await pixels(renderer, left, camera), await pixels(renderer, right, camera)];
  let [different, drawn] = [0, 0];
  for (let at = 0; at < ours.data.length; at += 4) {
    const [a, b] = [theirs, ours].map(({ data }) => data.subarray(at, at + 3));
    if (Math.max(...a.map((number, index) => Math.abs(number - b[index]))) > 24) different++;
    if (Math.abs(b[0] - ours.data[0]) + Math.abs(b[1] - ours.data[1]) + Math.abs(b[2] - ours.data[2]) > 20) drawn++;
  }
  const backend = isWebGpu ? (renderer.backend.isWebGPUBackend ? 'webgpu' : 'webgl2') : 'webgl2';
  return { different, drawn, calls: renderer.info.render.drawCalls ?? renderer.info.render.calls, backend, pictures: [theirs.url, ours.url] };
}

start().then((result) => { window.result = result; }, (error) => { window.result = { error: String(error?.stack ?? error) }; });
