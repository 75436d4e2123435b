/// <reference lib="esnext.disposable" preserve="true" />
/**
 * Canter under three.js: drives loaded models with three's own mixer names, and writes bone matrices
 * directly.
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
import type {
  AnimationBlendMode,
  AnimationClip,
  Bone as ThreeBone,
  Mesh,
  Object3D,
  Skeleton as ThreeSkeleton,
  SkinnedMesh,
} from 'three';

import type { AnimationAction } from './action.js';
import type { Asset } from './asset.js';
import type { AnimationClip as Clip } from './clip.js';
import { CanterError } from './error.js';
import type { AnimationEventMap, AnimationListener } from './events.js';
import type { AnimationLayer } from './layer.js';
import { loadGltfSync } from './load.js';
import type { MarkerEvent, MarkerFilter } from './marker.js';
import { missingName } from './missing-name.js';
import { AnimationMixer as Mixer } from './mixer.js';
import type { RootMotionOption } from './root-motion.js';
import { init, type Runtime } from './runtime.js';
import { isAdditive, restOf, type BlendedClip, type Rest } from './three-additive.js';
import { encode, type Encoded } from './three-encode.js';

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

/** A mesh of three.js that gets the weights of its morph targets from a node. */
interface Morphed {
  mesh: Mesh;
  morph: number;
}

/** How a mixer is made. */
export interface MixerOptions {
  /**
   * Whether the way over the ground is taken out of clips, for `applyRootMotion`: `true` for the bone that is
   * found, its name, or `{ joint, axes, yaw }`.
   */
  rootMotion?: RootMotionOption;
}

/**
 * Plays clips of three.js on an object and everything below it. What no clip moves is left alone.
 *
 * Clips that three.js made additive (`AnimationUtils.makeClipAdditive`) are added to the others, on a layer of
 * their own. Translations and morph weights are those of three.js, and so are rotations at weights of 0 and 1;
 * in between three.js turns evenly, and this is behind or ahead by less than a thousandth of a radian for a
 * difference of 30 degrees, and by 0.14 at most for half a turn. Differences of scale are taken as factors of
 * the scale at rest.
 *
 * Clips have the markers in their `userData.markers`, where GLTFLoader puts those of the file: a list of
 * `{ name, time, duration? }`.
 */
export class AnimationMixer {
  readonly #root: Object3D;
  readonly #nodes: Object3D[] = [];
  /** As the nodes were when this was made: what differences are added to. */
  readonly #rests: readonly Rest[];
  readonly #driven: Driven[] = [];
  readonly #asset: Asset;
  readonly #mixer: Mixer;
  /** By the clip itself: names need not be unique (all of Mixamo's are "mixamo.com"). */
  readonly #clips = new Map<AnimationClip, Clip>();
  /** Those that are added to others. */
  readonly #additive = new Map<AnimationClip, Clip>();
  #adding: AnimationLayer | undefined;
  readonly #moved = new Set<number>();
  readonly #morphing = new Set<number>();
  #which: 'needed' | 'all' = 'needed';
  #followers: Follower[] = [];
  #morphed: Morphed[] = [];
  readonly #rootMotion: RootMotionOption;

  /** Waits for the module, then makes a mixer. Clips can also come later, with `clipAction`. */
  static async create(root: Object3D, clips: readonly AnimationClip[] = [], options: MixerOptions = {}): Promise<AnimationMixer> {
    return new AnimationMixer(await init(), root, clips, options);
  }

  /** The same when the module is there already (`await init()`). */
  constructor(runtime: Runtime, root: Object3D, clips: readonly AnimationClip[] = [], options: MixerOptions = {}) {
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
    this.#rests = this.#nodes.map(restOf);
    const encoded = this.#encode(clips.map((clip) => ({ clip, isAdditive: isAdditive(clip) })));
    this.#rootMotion = this.#numbered(options.rootMotion ?? false);
    this.#asset = loadGltfSync(runtime, encoded.file, { images: false, rootMotion: this.#rootMotion });
    this.#mixer = new Mixer(this.#asset);
    this.#mixer.fadesFollowTimeScale = true;
    this.#take(encoded, [...this.#asset.clips]);
    for (const driven of this.#driven) take(driven, root);
    this.rebind();
  }

  /** Bones are called by their numbers in the files that are made of them. */
  #numbered(option: RootMotionOption): RootMotionOption {
    const { joint, ...rest } = typeof option === 'string' ? { joint: option } : typeof option === 'object' ? option : {};
    if (joint === undefined) return option;
    const place = this.#nodes.findIndex(({ name }) => name === joint);
    if (place < 0) throw new CanterError(missingName('bone', joint, this.#nodes.map(({ name }) => name)));
    return { ...rest, joint: String(place) };
  }

  #encode(clips: readonly BlendedClip[]): Encoded {
    const skeletons = this.#driven.map(({ skeleton }) => skeleton);
    return encode(this.#nodes, this.#rests, skeletons, clips);
  }

  /** Remembers clips that were loaded, and what they move. */
  #take({ clips, moved, morphed }: Encoded, loaded: readonly Clip[]): void {
    for (const [index, { clip, isAdditive }] of clips.entries()) {
      const full = loaded[index] as Clip;
      if (isAdditive) this.#additive.set(clip, this.#asset.additive(full, { reference: 'rest' }));
      else this.#clips.set(clip, full);
    }
    for (const node of moved) this.#moved.add(node);
    for (const node of morphed) this.#morphing.add(node);
  }

  /**
   * The action of a clip of three.js, or of a clip's name; always the same one for the same clip. An additive
   * clip, or one that is asked for with three's `AdditiveAnimationBlendMode`, is added to the others.
   */
  clipAction(clip: AnimationClip | string, root?: Object3D | null, blendMode?: AnimationBlendMode): AnimationAction {
    if (root && root !== this.#root) {
      throw new CanterError('a mixer of canter/three moves one object; make another one for that root');
    }
    if (typeof clip === 'string') {
      const named = [...this.#clips.keys(), ...this.#additive.keys()].find(({ name }) => name === clip);
      return named ? this.clipAction(named, root, blendMode) : this.#mixer.clipAction(clip);
    }
    const adds = isAdditive(clip, blendMode);
    const known = (adds ? this.#additive : this.#clips).get(clip);
    if (known && !adds) return this.#mixer.clipAction(known);
    if (known) return (this.#adding ??= this.#mixer.addLayer({ mode: 'additive' })).clipAction(known);
    this.#load({ clip, isAdditive: adds });
    return this.clipAction(clip, root, blendMode);
  }

  /** Takes in a clip that comes later. */
  #load(blended: BlendedClip): void {
    const encoded = this.#encode([blended]);
    if (encoded.clips.length === 0) {
      const what = `clip "${blended.clip.name}" moves nothing below the object that the mixer was made for`;
      throw new CanterError(`${what}; are the names of its tracks those of the bones?`);
    }
    const { rootBone } = this.#asset;
    const found = typeof this.#rootMotion === 'boolean' && this.#rootMotion ? (rootBone ?? true) : this.#rootMotion;
    const other = loadGltfSync(this.#asset._runtime, encoded.file, { images: false, rootMotion: found });
    this.#take(encoded, this.#asset.addClips(other));
    other.dispose();
    this.rebind(this.#which);
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
      _runtime._exports.skeleton_joint(_id, bone);
      const [x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, qw = 1, sx = 1, sy = 1, sz = 1] = _runtime._floats;
      object.position.set(x, y, z);
      object.quaternion.set(qx, qy, qz, qw);
      object.scale.set(sx, sy, sz);
    }
    for (const { mesh, morph } of this.#morphed) {
      const influences = mesh.morphTargetInfluences ?? [];
      for (const [target, weight] of skeleton.morphWeights(morph).entries()) influences[target] = weight;
    }
    return this;
  }

  /** The way of the last `update`; see `rootMotion` of the mixer of `canter`. */
  get rootMotion(): Float32Array {
    return this.#mixer.rootMotion;
  }

  /** Moves an object by the way of the last `update`: the mixer's own unless another is given. */
  applyRootMotion(object: Object3D = this.#root): this {
    const [[m = 1, , n = 0], { position, quaternion, scale }] = [this.#mixer.rootMotion.subarray(0, 3), object];
    const [x = 0, y = 0, z = 0] = this.#mixer.rootMotion.subarray(12, 15);
    const half = Math.atan2(-n, m) / 2;
    position.add(position.clone().set(x, y, z).multiply(scale).applyQuaternion(quaternion));
    quaternion.multiply(quaternion.clone().set(0, Math.sin(half), 0, Math.cos(half)));
    return this;
  }

  /** The markers that the last `update` crossed; see `markers` of the mixer of `canter`. */
  markers(filter?: MarkerFilter): MarkerEvent[] {
    return this.#mixer.markers(filter);
  }

  /**
   * Looks again at what hangs on bones. Bones with nothing but bones below them cost nothing here, since
   * matrices go straight to the skin; after adding a sword to a hand, call this. `'all'` keeps every bone's
   * position, quaternion and scale up to date.
   */
  rebind(which: 'needed' | 'all' = 'needed'): this {
    const isNeeded = (object: Object3D): boolean =>
      !(object as ThreeBone).isBone || object.children.some(isNeeded);
    this.#which = which;
    this.#followers = [];
    this.#morphed = [];
    for (const [index, { bone, morph }] of this.#asset.nodes.entries()) {
      const object = this.#nodes[index] as Object3D;
      const isFollower = this.#moved.has(index) && (which === 'all' || isNeeded(object));
      if (isFollower) this.#followers.push({ object, bone });
      const isMorphed = this.#morphing.has(index) && morph !== undefined;
      if (isMorphed) this.#morphed.push({ mesh: object as Mesh, morph });
    }
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

  /**
   * How fast the time of all actions runs, and of their fades unless `fadesFollowTimeScale` is set to false.
   */
  get timeScale(): number {
    return this.#mixer.timeScale;
  }
  set timeScale(scale: number) {
    this.#mixer.timeScale = scale;
  }

  /** Whether fades run with `timeScale`, too; true at first, as in three.js. */
  get fadesFollowTimeScale(): boolean {
    return this.#mixer.fadesFollowTimeScale;
  }
  set fadesFollowTimeScale(follow: boolean) {
    this.#mixer.fadesFollowTimeScale = follow;
  }

  addEventListener<T extends keyof AnimationEventMap>(type: T, listener: AnimationListener<T>, filter?: MarkerFilter): void {
    this.#mixer.addEventListener(type, listener, filter);
  }

  removeEventListener<T extends keyof AnimationEventMap>(type: T, listener: AnimationListener<T>): void {
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
 * Ours are relative to the root. The matrix that three.js puts in front of them leads from the world to the
 * mesh; from the root to the mesh it is right for ours.
 */
function take({ skeleton, meshes }: Driven, root: Object3D): void {
  if (Object.hasOwn(skeleton, 'update')) {
    throw new CanterError('this model has a mixer of canter/three already; dispose of that first');
  }
  skeleton.update = () => {
    for (const { bindMatrixInverse, matrixWorld } of meshes) {
      bindMatrixInverse.copy(matrixWorld).invert().multiply(root.matrixWorld);
    }
    if (skeleton.boneTexture) skeleton.boneTexture.needsUpdate = true;
  };
}
