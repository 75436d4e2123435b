// CrowdMesh: the same figures as clones with mixers, for rays and boxes; and what it refuses.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AnimationMixer, CrowdMesh } from 'canter/three';
import * as THREE from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';

import { sharedFile } from './common.js';
import { loadHero, loadModel, named } from './three-sides.js';

type Model = Awaited<ReturnType<typeof loadHero>>;

/** Figures in a crowd and as clones: what plays, where in it, where they stand. */
async function both(gltf: Model, figures: [clip: string, phase: number, x: number][]) {
  const crowd = await CrowdMesh.create(gltf.scene, gltf.animations, { capacity: 4 });
  const clones = figures.map(([name, phase, x]) => {
    const root = clone(gltf.scene);
    root.position.set(0, 0, 0);
    root.quaternion.identity();
    root.scale.setScalar(1);
    const place = new THREE.Group();
    place.position.x = x;
    place.rotation.y = x;
    place.add(root);
    place.updateMatrixWorld();
    const mixer = new AnimationMixer(root);
    const action = mixer.clipAction(named(gltf, name)).play();
    action.time = phase * action.getClip().duration;
    mixer.update(0);
    place.updateMatrixWorld();
    crowd.spawn({ clip: name, phase, matrix: place.matrixWorld });
    return place;
  });
  crowd.update(0).updateMatrixWorld();
  return { crowd, clones };
}

async function check(gltf: Model, clips: [string, string, string]): Promise<void> {
  const { crowd, clones } = await both(gltf, [[clips[0], 0.25, -2], [clips[1], 0.5, 0], [clips[2], 0.75, 2]]);
  assert.equal(crowd.figures.length, 3);
  let hits = 0;
  for (const [index, root] of clones.entries()) {
    const box = new THREE.Box3().setFromObject(root, true);
    const around = crowd.computeBoundingBox(new THREE.Box3(), index);
    assert.ok(around.clone().expandByScalar(1e-3).containsBox(box), `figure ${index}`);
    const size = box.getSize(new THREE.Vector3());
    const center = box.getCenter(new THREE.Vector3());
    for (let step = -4; step <= 4; step++) {
      const from = new THREE.Vector3(center.x, center.y + (0.11 * step * size.y), center.z + 10 * size.length());
      const ray = new THREE.Raycaster(from, new THREE.Vector3(0, 0, -1));
      const [theirs] = ray.intersectObject(root, true);
      const [ours] = ray.intersectObject(crowd, true);
      assert.equal(ours === undefined, theirs === undefined, `figure ${index}, step ${step}`);
      if (!ours || !theirs) continue;
      hits++;
      assert.equal(ours.instanceId, index);
      assert.equal(ours.object, crowd);
      assert.ok(ours.point.distanceTo(theirs.point) < 1e-3 * size.length(), `figure ${index}: ${ours.point.toArray()} ${theirs.point.toArray()}`);
    }
  }
  assert.ok(hits > 8, `${hits} hits`);
  assert.ok(crowd.computeBoundingSphere().radius > 2);
  crowd.dispose();
}

test('rays hit figures where clones stand, boxes are around them', async () => {
  await check(await loadHero(), ['Walk', 'Run', 'Attack']);
});

test('a robot of rigid parts is a crowd, too', async () => {
  const file = sharedFile('assets/RobotExpressive/RobotExpressive.glb');
  if (file === undefined) return;
  const gltf = await loadModel(file);
  const { warn } = console;
  const warnings: string[] = [];
  console.warn = (text: string) => warnings.push(text);
  try {
    await check(gltf, ['Walking', 'Dance', 'Punch']);
  } finally {
    console.warn = warn;
  }
});

test('figures come and go, and what cannot be is refused', async () => {
  const gltf = await loadHero();
  const { crowd } = await both(gltf, [['Walk', 0, 1], ['Run', 0, 2], ['Idle', 0, 3]]);
  const [first, , last] = crowd.figures;
  crowd.despawn(first!);
  crowd.update(0.1);
  assert.equal(crowd.figures.length, 2);
  assert.equal(last!.index, 0);
  assert.equal(new THREE.Vector3().setFromMatrixPosition(crowd.getMatrixAt(0, new THREE.Matrix4())).x, 3);
  assert.equal((crowd.children[0] as THREE.Mesh<THREE.InstancedBufferGeometry>).geometry.instanceCount, 2);
  crowd.despawn(first!);
  assert.equal(crowd.figures.length, 2);
  crowd.spawn();
  crowd.spawn();
  assert.throws(() => crowd.spawn(), /room for 4 figures/);
  assert.throws(() => crowd.setMatrixAt(4, new THREE.Matrix4()), /no figure 4; there are 4/);
  assert.throws(() => crowd.figures[0]!.play('Wak'), /did you mean "Walk"/);
  crowd.dispose();
  await assert.rejects(CrowdMesh.create(new THREE.Group(), []), /no mesh in this model/);
  await assert.rejects(CrowdMesh.create(gltf.scene, [], { capacity: 0 }), /the capacity is 0/);
});
