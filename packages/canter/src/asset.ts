/// <reference lib="esnext.disposable" preserve="true" />
import { FIRST_KEY, OF_CLIP, REST, type AdditiveOptions, type AdditiveReference } from './additive.js';
import type { AnimationClip, MarkerOption } from './clip.js';
import { detectContacts, type Contacts } from './contacts.js';
import { DescriptionReader, readBones, type BoneDescription } from './description.js';
import { CanterError, checkFinite } from './error.js';
import { Handle } from './handle.js';
import { markerBytes, parseMarkers, writeMarkers } from './markers-file.js';
import { missingName } from './missing-name.js';
import {
  readImage,
  readMaterial,
  readMesh,
  readNode,
  readSkin,
  type AssetImage,
  type AssetNode,
  type Material,
  type Mesh,
  type Skin,
} from './asset-parts.js';
import type { Runtime } from './runtime.js';
import { Skeleton, type MatrixFormat } from './skeleton.js';

/** A loaded file: its clips, skins and meshes, and a skeleton to pose. */
export class Asset {
  /** The animations. Those of `addClips` and `additive` come behind them. */
  readonly clips: readonly AnimationClip[];
  readonly skins: readonly Skin[];
  /** Every node of the file; those with a mesh are to be drawn. */
  readonly nodes: readonly AssetNode[];
  /**
   * The meshes; their primitives, and the two lists below, are empty unless it was loaded with `meshes:
   * true`.
   */
  readonly meshes: readonly Mesh[];
  readonly materials: readonly Material[];
  readonly images: readonly AssetImage[];
  /** What is odd about the file, in words. */
  readonly warnings: readonly string[] = [];
  /** The bone whose way was taken out of the clips; see `rootMotion` of `loadGltf`. */
  readonly rootBone: string | undefined;
  /** @internal By their places in the module's table. */
  _markerNames: readonly string[] = [];
  /** @internal */
  readonly _bones: readonly BoneDescription[];
  /** @internal */
  readonly _runtime: Runtime;
  readonly #handle: Handle;
  readonly #format: MatrixFormat;
  #skeleton: Skeleton | undefined;
  /** By the clip and the reference that they were made of. */
  readonly #additive = new Map<string, AnimationClip>();

  /** @internal */
  constructor(runtime: Runtime, id: number, format: MatrixFormat) {
    this._runtime = runtime;
    this.#format = format;
    this.#handle = new Handle(this, 'Asset', runtime, id, (exports, id) => exports.asset_free(id));
    runtime._exports.asset_describe(id);
    const reader = new DescriptionReader(runtime._outputBytes().slice());
    const asset = () => this._id;
    this._bones = readBones(reader);
    this.clips = readClips(reader);
    this.skins = reader.list((index) => readSkin(reader, index));
    this.nodes = reader.list(() => readNode(reader));
    this.meshes = reader.list((index) => readMesh(reader, index, runtime, asset));
    this.materials = reader.list(() => readMaterial(reader));
    this.images = reader.list((index) => readImage(reader, index, runtime, asset));
    this._readClips();
  }

  /** @internal Looks again at what clips tell of, and at warnings: they were changed. */
  _readClips(): void {
    this._runtime._exports.asset_describe_clips(this._id);
    const reader = new DescriptionReader(this._runtime._outputBytes().slice());
    const root = reader.index();
    const markers = reader.list((index) => {
      const [groundSpeed, hasRootMotion] = [reader.float(), reader.number() !== 0];
      Object.assign(this.clips[index] ?? {}, { groundSpeed: Number.isNaN(groundSpeed) ? undefined : groundSpeed, hasRootMotion });
      return reader.list(() => [reader.number(), reader.float(), reader.float()] as const);
    });
    const names = reader.list(() => reader.text());
    for (const [index, list] of markers.entries()) {
      const named = list.map(([name, time, duration]) => ({ name: names[name] as string, time, duration }));
      Object.assign(this.clips[index] ?? {}, { markers: named });
    }
    const warnings = reader.list(() => reader.text());
    Object.assign(this, { rootBone: root === undefined ? undefined : this._bones[root]?.name, warnings });
    this._markerNames = names;
  }

  /** A skeleton of the file. For more characters than one, `skeleton.clone()` makes others. */
  get skeleton(): Skeleton {
    return (this.#skeleton ??= new Skeleton(this, this.#format));
  }

  /** The clip of that name, or undefined. */
  getClipByName(name: string): AnimationClip | undefined {
    return this.clips.find((clip) => clip.name === name);
  }

  /**
   * Takes over the clips of another file, matching bones by name: a character in one file, its motions in
   * others. Gives them back as clips of this asset.
   */
  addClips(other: Asset): AnimationClip[] {
    if (other._runtime !== this._runtime) {
      throw new CanterError(
        'both assets must be loaded into the same runtime; `await init({ meshes: true })` first if only one has meshes',
      );
    }
    if (this._runtime._exports.asset_add_clips(this._id, other._id) === 0) {
      throw new CanterError(this._runtime._outputText());
    }
    const clips = other.clips.map((clip, index) => ({ ...clip, index: this.clips.length + index }));
    (this.clips as AnimationClip[]).push(...clips);
    this._readClips();
    return clips;
  }

  /**
   * Gives a clip other markers than those that it has. What plays it already keeps those; so set them first.
   *
   * ```ts
   * hero.setMarkers('Walk', [{ name: 'foot_L', time: 0 }, { name: 'foot_R', time: 0.5 }]);
   * hero.setMarkers('Attack', [{ name: 'blade', time: 0.4, duration: 0.2 }]);
   * ```
   */
  setMarkers(clip: AnimationClip | string, markers: readonly MarkerOption[]): this {
    const found = this._findClip(clip);
    this._runtime._input(markerBytes(found, markers));
    if (this._runtime._exports.asset_set_markers(this._id, found.index) === 0) {
      throw new CanterError(this._runtime._outputText());
    }
    this._readClips();
    return this;
  }

  /**
   * Reads markers from JSON as `markersJson` writes it. The clips that it names get these instead of those that
   * they have. Returns the names of clips that are not there. If anything is wrong, nothing is changed.
   */
  readMarkers(json: string | object): string[] {
    const missing: string[] = [];
    const before: [AnimationClip, readonly MarkerOption[]][] = [];
    try {
      for (const { name, markers } of parseMarkers(json)) {
        const clip = this.getClipByName(name);
        if (!clip) {
          missing.push(name);
          continue;
        }
        before.unshift([clip, clip.markers]);
        this.setMarkers(clip, markers);
      }
    } catch (error) {
      for (const [clip, markers] of before) this.setMarkers(clip, markers);
      throw error;
    }
    return missing;
  }

  /** The markers of all clips that have some, as JSON: for a file beside the model, such as `hero.markers.json`. */
  markersJson(): string {
    return writeMarkers(this.clips);
  }

  /**
   * Finds out when feet come down in a clip, and how fast it walks. Feet are bones with all that hangs on them;
   * those that come near the ground unless they are named. For tools and for loading, since it looks at every
   * pose of the clip; needs the module with meshes (`loadGltf(…, { meshes: true })`).
   */
  detectContacts(clip: AnimationClip | string, feet: readonly string[] = []): Contacts {
    return detectContacts(this, this._findClip(clip), feet);
  }

  /**
   * A clip as differences from a reference pose, to be added to whatever else plays on a layer that adds:
   *
   * ```ts
   * const breathe = hero.additive('Idle', { reference: 'first-key' });
   * mixer.addLayer({ mode: 'additive' }).play(breathe);
   * ```
   *
   * Added in full to the reference pose it is the clip again, to any other pose the same change: translations
   * and morph weights are added, rotations turn further, scales multiply. It is a clip of the same name, and
   * the same one whenever it is asked for.
   */
  additive(clip: AnimationClip | string, options: AdditiveOptions = {}): AnimationClip {
    const { reference = 'first-key' } = options;
    const source = this._findClip(clip);
    const [kind, other, time] = this.#reference(source, reference);
    checkFinite(time, 'the time of the reference');
    const key = [source.index, kind, other.index, time].join();
    const known = this.#additive.get(key);
    if (known) return known;
    const { asset_additive: make } = this._runtime._exports;
    if (make(this._id, source.index, kind, other.index, time) === 0) {
      throw new CanterError(this._runtime._outputText());
    }
    const made = { ...source, index: this.clips.length, isAdditive: true };
    (this.clips as AnimationClip[]).push(made);
    this._readClips();
    this.#additive.set(key, made);
    return made;
  }

  /** The code of a reference, and the clip and the time that it means, if it is one of a clip. */
  #reference(clip: AnimationClip, reference: AdditiveReference): [number, AnimationClip, number] {
    if (reference === 'rest') return [REST, clip, 0];
    if (reference === 'first-key') return [FIRST_KEY, clip, 0];
    if (typeof reference === 'object' && reference !== null) {
      return [OF_CLIP, this._findClip(reference.clip), reference.time];
    }
    throw new CanterError(`there is no reference '${String(reference)}'; give 'rest', 'first-key' or { clip, time }`);
  }

  /** Whether its memory was given back. */
  get isDisposed(): boolean {
    return this.#handle.isDisposed;
  }

  /**
   * Gives its memory back, and that of its own skeleton. Mixers, clones and crowds made of it keep what they
   * need.
   */
  dispose(): void {
    this.#skeleton?.dispose();
    this.#handle.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** @internal */
  get _id(): number {
    return this.#handle.id;
  }

  /**
   * @internal A clip of this asset; an error that says which there are, if it is none. Of those of a name an
   * additive one comes first, or one that is not.
   */
  _findClip(clip: AnimationClip | string, isAdditive = false): AnimationClip {
    if (typeof clip === 'string') {
      const isMeant = (other: AnimationClip) => other.name === clip && other.isAdditive === isAdditive;
      const found = this.clips.find(isMeant) ?? this.getClipByName(clip);
      if (found) return found;
      throw new CanterError(missingName('clip', clip, this.clips.map(({ name }) => name)));
    }
    if (this.clips[clip.index] !== clip) {
      throw new CanterError(
        `clip "${clip.name}" is not one of this asset; take it over with \`addClips\`, or give its name`,
      );
    }
    return clip;
  }
}

function readClips(reader: DescriptionReader): AnimationClip[] {
  return reader.list((index) => ({
    name: reader.text(),
    duration: reader.float(),
    index,
    isAdditive: false,
    markers: [],
    groundSpeed: undefined,
    hasRootMotion: false,
  }));
}
