/**
 * Canter under three.js: drives loaded models with three's own mixer names, and writes bone matrices directly.
 *
 * ```ts
 * import { AnimationMixer } from 'canter/three';
 *
 * const gltf = await new GLTFLoader().loadAsync('hero.glb');
 * const mixer = await AnimationMixer.create(gltf.scene, gltf.animations);
 * mixer.clipAction('Walk').play();
 * mixer.update(dt);
 * ```
 *
 * @module
 */
import type { AnimationClip, Bone as ThreeBone, Mesh, Object3D, Skeleton as ThreeSkeleton, SkinnedMesh } from 'three';

import type { AnimationAction } from './action.js';
import type { Asset } from './asset.js';
import { CanterError } from './error.js';
import type { AnimationEventType, AnimationListener } from './events.js';
import { loadGltfSync } from './load.js';
import { AnimationMixer as Mixer } from './mixer.js';
import { init, type Runtime } from './runtime.js';
import { encode } from './three-encode.js';

/** A skeleton of three.js whose matrices are written here. */
interface Driven {
  skeleton: ThreeSkeleton;
  meshes: SkinnedMesh[];
}

/** An object of three.js that gets its position, rotation and scale from a bone. */
interface Follower {
  object: Object3D;
  bone: number;
}

/** Plays clips of three.js on an object and everything below it. */
export class AnimationMixer {
  readonly #root: Object3D;
  readonly #nodes: Object3D[] = [];
  readonly #driven: Driven[] = [];
  readonly #asset: Asset;
  readonly #mixer: Mixer;
  readonly #clips = new Map<AnimationClip, string>();
  #followers: Follower[] = [];

  /** Waits for the module, then makes a mixer. Clips can also come later, with `clipAction`. */
  static async create(root: Object3D, clips: readonly AnimationClip[] = []): Promise<AnimationMixer> {
    return new AnimationMixer(await init(), root, clips);
  }

  /** The same when the module is there already (`await init()`). */
  constructor(runtime: Runtime, root: Object3D, clips: readonly AnimationClip[] = []) {
    this.#root = root;
    root.updateMatrixWorld(true);
    root.traverse((object) => {
      if (object !== root) this.#nodes.push(object);
      const mesh = object as SkinnedMesh;
      if (!mesh.isSkinnedMesh) return;
      const known = this.#driven.find(({ skeleton }) => skeleton === mesh.skeleton);
      if (known) known.meshes.push(mesh);
      else this.#driven.push({ skeleton: mesh.skeleton, meshes: [mesh] });
    });
    this.#asset = this.#load(runtime, clips);
    this.#mixer = new Mixer(this.#asset);
    for (const clip of clips) this.#clips.set(clip, clip.name);
    for (const driven of this.#driven) take(driven, root);
    this.rebind();
  }

  #load(runtime: Runtime, clips: readonly AnimationClip[]): Asset {
    const skeletons = this.#driven.map(({ skeleton }) => skeleton);
    return loadGltfSync(runtime, encode(this.#nodes, skeletons, clips), { images: false });
  }

  /** The action of a clip of three.js, or of a clip's name; always the same one for the same clip. */
  clipAction(clip: AnimationClip | string): AnimationAction {
    if (typeof clip === 'string') return this.#mixer.clipAction(clip);
    let name = this.#clips.get(clip);
    if (name === undefined) {
      const other = this.#load(this.#asset._runtime, [clip]);
      const [added] = this.#asset.addClips(other);
      other.dispose();
      name = added?.name ?? clip.name;
      this.#clips.set(clip, name);
    }
    return this.#mixer.clipAction(name);
  }

  /** Moves time on and poses the object. */
  update(dt: number): this {
    this.#mixer.update(dt);
    const { skeleton } = this.#mixer;
    for (const [index, driven] of this.#driven.entries()) {
      (driven.skeleton.boneMatrices as Float32Array).set(skeleton.boneMatricesOf(index));
    }
    const { _runtime, _id } = skeleton;
    for (const { object, bone } of this.#followers) {
      _runtime._exports.rig_joint(_id, bone);
      const [x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, qw = 1, sx = 1, sy = 1, sz = 1] = _runtime._floats;
      object.position.set(x, y, z);
      object.quaternion.set(qx, qy, qz, qw);
      object.scale.set(sx, sy, sz);
    }
    for (const [index, node] of this.#asset.nodes.entries()) {
      const influences = (this.#nodes[index] as Mesh).morphTargetInfluences;
      if (node.morph === undefined || !influences) continue;
      for (const [target, weight] of skeleton.morphWeights(node.morph).entries()) influences[target] = weight;
    }
    return this;
  }

  /**
   * Looks again at what hangs on bones. Bones with nothing but bones below them cost nothing here, since matrices go straight to the
   * skin; after adding a sword to a hand, call this. `'all'` keeps every bone's position, quaternion and scale up to date.
   */
  rebind(which: 'needed' | 'all' = 'needed'): this {
    const isNeeded = (object: Object3D): boolean => !(object as ThreeBone).isBone || object.children.some(isNeeded);
    const bones = this.#asset.nodes.map(({ bone }) => bone);
    this.#followers = this.#nodes
      .map((object, index) => ({ object, bone: bones[index] as number }))
      .filter(({ object }) => which === 'all' || isNeeded(object));
    return this;
  }

  /** Stops all actions at once. */
  stopAllAction(): this {
    this.#mixer.stopAll();
    return this;
  }

  getRoot(): Object3D {
    return this.#root;
  }

  get timeScale(): number {
    return this.#mixer.timeScale;
  }
  set timeScale(scale: number) {
    this.#mixer.timeScale = scale;
  }

  addEventListener(type: AnimationEventType, listener: AnimationListener): void {
    this.#mixer.addEventListener(type, listener);
  }

  removeEventListener(type: AnimationEventType, listener: AnimationListener): void {
    this.#mixer.removeEventListener(type, listener);
  }

  /** Gives the memory back, and the skeletons to three.js. */
  dispose(): void {
    for (const { skeleton } of this.#driven) delete (skeleton as { update?: unknown }).update;
    this.#mixer.dispose();
    this.#asset.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

/**
 * Takes a skeleton over from three.js, which would calculate its matrices from its bones before every draw.
 *
 * Ours are relative to the root. The matrix that three.js puts in front of them leads from the world to the mesh; from the root to the
 * mesh it is right for ours.
 */
function take({ skeleton, meshes }: Driven, root: Object3D): void {
  if (Object.hasOwn(skeleton, 'update')) throw new CanterError('this model has a mixer of canter/three already; dispose of that first');
  skeleton.update = () => {
    for (const mesh of meshes) mesh.bindMatrixInverse.copy(mesh.matrixWorld).invert().multiply(root.matrixWorld);
    if (skeleton.boneTexture) skeleton.boneTexture.needsUpdate = true;
  };
}
