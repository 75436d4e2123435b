import type { AnimationClip } from './clip.js';
import { DescriptionReader, readBones, type BoneDescription } from './description.js';
import { CanterError } from './error.js';
import { Handle } from './handle.js';
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
  /** The animations. Those of other files come behind them with `addClips`. */
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
  readonly warnings: readonly string[];
  /** @internal */
  readonly _bones: readonly BoneDescription[];
  /** @internal */
  readonly _runtime: Runtime;
  readonly #handle: Handle;
  readonly #format: MatrixFormat;
  #skeleton: Skeleton | undefined;

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
    this.warnings = reader.list(() => reader.text());
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
    return clips;
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

  /** @internal A clip of this asset; an error that says which there are, if it is none. */
  _findClip(clip: AnimationClip | string): AnimationClip {
    if (typeof clip === 'string') {
      const found = this.getClipByName(clip);
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
  return reader.list((index) => ({ name: reader.text(), duration: reader.float(), index }));
}
