// The package's own mixer moves the objects of three.js, and their root: as the README says it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { AnimationMixer, loadGltf } from 'canter';
import * as THREE from 'three';

import { HERO } from './common.js';
import { loadHero } from './three-sides.js';

test('a hero of three.js walks by the root motion of the package’s own mixer', async () => {
  const gltf = await loadHero();
  const hero = await loadGltf(readFileSync(HERO), { rootMotion: true });
  const mixer = new AnimationMixer(hero);
  const pairs = hero.skeleton.bones
    .map((bone) => [bone, gltf.scene.getObjectByName(THREE.PropertyBinding.sanitizeNodeName(bone.name))!] as const)
    .filter(([, object]) => object); // three.js has no objects for coarser meshes of the file
  assert.ok(pairs.length > 60, `${pairs.length} bones`);
  mixer.play('WalkRoot');
  for (let frame = 0; frame < 90; frame++) {
    mixer.update(1 / 60).applyRootMotion(hero.skeleton.matrix);
    for (const [bone, object] of pairs) {
      object.position.copy(bone.position);
      object.quaternion.copy(bone.quaternion);
      object.scale.copy(bone.scale);
    }
    gltf.scene.matrix.fromArray(hero.skeleton.matrix).decompose(gltf.scene.position, gltf.scene.quaternion, gltf.scene.scale);
    gltf.scene.updateMatrixWorld(true);
  }
  assert.ok(Math.hypot(gltf.scene.position.x, gltf.scene.position.z) > 0.5, 'it has not walked');
  let mesh: THREE.SkinnedMesh | undefined;
  gltf.scene.traverse((object) => { if ((object as THREE.SkinnedMesh).isSkinnedMesh) mesh ??= object as THREE.SkinnedMesh; });
  mesh!.skeleton.update();
  // What the GPU gets is what the package has, where the hero stands.
  const [point, world] = [new THREE.Vector3(), new THREE.Matrix4().fromArray(hero.skeleton.matrix)];
  for (const [index] of mesh!.skeleton.bones.entries()) {
    const theirs = point.set(0.1, 0.2, 0.3).applyMatrix4(new THREE.Matrix4().fromArray(mesh!.skeleton.boneMatrices!, 16 * index)).clone();
    const ours = point.set(0.1, 0.2, 0.3).applyMatrix4(new THREE.Matrix4().fromArray(hero.skeleton.boneMatrices, 16 * index)).applyMatrix4(world);
    assert.ok(theirs.distanceTo(ours) < 1e-3, `bone ${index}: ${theirs.toArray()} ${ours.toArray()}`);
  }
});
