import {
  Box3,
  DataTexture,
  FloatType,
  Group,
  InstancedBufferGeometry,
  Matrix4,
  Mesh,
  MeshDepthMaterial,
  MeshDistanceMaterial,
  RGBADepthPacking,
  RGBAFormat,
  Sphere,
  type AnimationClip,
  type BufferGeometry,
  type Intersection,
  type Material,
  type Object3D,
  type Raycaster,
} from 'three';

import type { CrowdMember } from '../crowd-member.js';
import { Crowd } from '../crowd.js';
import { CanterError } from '../error.js';
import { loadGltfSync } from '../load.js';
import type { PlayOptions } from '../player.js';
import type { Runtime } from '../runtime.js';
import { useCrowd, type CrowdLayout } from './crowd-material.js';
import { useCrowdNodes, type ShadingLanguage } from './crowd-nodes.js';
import { CrowdShape } from './crowd-shape.js';
import { modelFile } from './model-file.js';
import { loadModule } from './module.js';

/** How a crowd is made. */
export interface CrowdMeshOptions {
  /** How many figures it can have; 100 unless said otherwise. */
  capacity?: number;
  /** For WebGPURenderer: `import * as tsl from 'three/tsl'`. */
  tsl?: ShadingLanguage;
}

/** How a figure of a crowd begins. */
export interface FigureOptions extends PlayOptions {
  /** What it plays; nothing unless said otherwise. */
  clip?: string;
  /** Where in the clip it begins, from 0 to 1; `startTime` says it in seconds. */
  phase?: number;
  /** Where it stands, relative to the crowd. */
  matrix?: Matrix4;
}

/** A figure of a `CrowdMesh`: plays clips as a member of a `Crowd` does (`play`, `crossFadeTo`, `clipAction`, events). */
export type Figure = CrowdMember;

/** Texels in a row of the texture. */
const WIDTH = 1024;

/**
 * Many figures of one model, each with clips and a place of its own: one call updates them all, one texture has all matrices, and each mesh
 * of the model is drawn once for all of them. For WebGLRenderer, and with `tsl` for WebGPURenderer. Shadows are thrown, rays hit.
 *
 * ```ts
 * const crowd = await CrowdMesh.create(gltf.scene, gltf.animations, { capacity: 1000 });
 * crowd.spawn({ clip: 'Walk', phase: Math.random(), matrix: new Matrix4().makeTranslation(3, 0, 0) });
 * scene.add(crowd);
 * crowd.update(dt);
 * ```
 *
 * Clips are those of the package's own mixer: weights share a whole, fades are even. Morph targets are not played.
 */
export class CrowdMesh extends Group {
  readonly isCrowdMesh = true;
  readonly crowd: Crowd;
  readonly capacity: number;
  readonly #texture: DataTexture;
  readonly #data: Float32Array;
  readonly #firstFigure: number;
  readonly #shape: CrowdShape;

  /** Waits for the module, then makes a crowd. */
  static async create(model: Object3D, clips: readonly AnimationClip[], options: CrowdMeshOptions = {}): Promise<CrowdMesh> {
    return new CrowdMesh(await loadModule(), model, clips, options);
  }

  /** The same when the module is there already (`await init()`). The model is left as it is; its geometries are shared. */
  constructor(runtime: Runtime, model: Object3D, clips: readonly AnimationClip[], options: CrowdMeshOptions = {}) {
    super();
    const { capacity = 100, tsl } = options;
    if (!(Number.isInteger(capacity) && capacity > 0)) throw new CanterError(`the capacity is ${String(capacity)}; give a whole number from 1`);
    this.capacity = capacity;
    this.name = model.name;
    const { file, parts, matrices, left } = modelFile(model, clips);
    if (parts.length === 0) throw new CanterError('there is no mesh in this model: nothing to draw');
    if (left.length > 0) console.warn(`CrowdMesh: these tracks are not played: ${left.join(', ')}`);
    const asset = loadGltfSync(runtime, file, { images: false });
    this.crowd = new Crowd(asset, { matrices: 'mat3x4' });
    this.#firstFigure = 3 * matrices * capacity;
    const rows = Math.ceil((this.#firstFigure + 3 * capacity) / WIDTH);
    this.#data = new Float32Array(4 * WIDTH * rows);
    this.#texture = new DataTexture(this.#data, WIDTH, rows, RGBAFormat, FloatType);
    this.#shape = new CrowdShape(parts, matrices);
    for (const { mesh, firstMatrix, isSkinned } of parts) {
      const layout = { texture: this.#texture, matrices, firstMatrix, firstFigure: this.#firstFigure, isSkinned };
      this.add(partOf(mesh, layout, tsl));
    }
  }

  /** The figures, in the order of their numbers. */
  get figures(): readonly Figure[] {
    return this.crowd.members;
  }

  /** Adds a figure. */
  spawn({ clip, phase, matrix, ...play }: FigureOptions = {}): Figure {
    if (this.figures.length >= this.capacity) throw new CanterError(`this crowd has room for ${this.capacity} figures; make it with a larger \`capacity\``);
    const figure = this.crowd.spawn();
    this.setMatrixAt(figure.index, matrix ?? new Matrix4());
    if (clip !== undefined) {
      const startTime = phase === undefined ? play.startTime : phase * figure.clipAction(clip).clip.duration;
      figure.play(clip, { ...play, ...(startTime !== undefined && { startTime }) });
    }
    this.#show();
    return figure;
  }

  /** Takes a figure out. The last one gets its number. */
  despawn(figure: Figure): void {
    const { index } = figure;
    if (figure.crowd !== this.crowd || index < 0) return;
    this.setMatrixAt(index, this.getMatrixAt(this.figures.length - 1, new Matrix4()));
    figure.remove();
    this.#show();
  }

  /** Places a figure, relative to the crowd. */
  setMatrixAt(index: number, { elements }: Matrix4): void {
    const at = 4 * (this.#firstFigure + 3 * this.#checked(index));
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 4; column++) this.#data[at + 4 * row + column] = elements[4 * column + row] as number;
    }
    this.#texture.needsUpdate = true;
  }

  getMatrixAt(index: number, target: Matrix4): Matrix4 {
    const at = 4 * (this.#firstFigure + 3 * this.#checked(index));
    return target.set(...([...this.#data.subarray(at, at + 12), 0, 0, 0, 1] as Parameters<Matrix4['set']>));
  }

  #checked(index: number): number {
    if (!(Number.isInteger(index) && index >= 0 && index < this.figures.length)) throw new CanterError(`there is no figure ${String(index)}; there are ${this.figures.length}`);
    return index;
  }

  #show(): void {
    for (const child of this.children) {
      const { geometry } = child as Mesh<InstancedBufferGeometry>;
      if (geometry?.isInstancedBufferGeometry) geometry.instanceCount = this.figures.length;
    }
  }

  /** Moves time on for all, and hands their matrices to the texture. */
  update(dt: number): this {
    this.crowd.update(dt);
    this.#data.set(this.crowd.boneMatrices);
    this.#texture.needsUpdate = true;
    return this;
  }

  /** Around a figure, or around all, in the crowd's own space: no vertex is outside. As of the last update. */
  computeBoundingBox(target = new Box3(), index?: number): Box3 {
    target.makeEmpty();
    const matrix = new Matrix4();
    const [from, to] = index === undefined ? [0, this.figures.length] : [this.#checked(index), index + 1];
    for (let figure = from; figure < to; figure++) this.#shape.expand(target, this.#data, figure, this.getMatrixAt(figure, matrix));
    return target;
  }

  computeBoundingSphere(target = new Sphere(), index?: number): Sphere {
    return this.computeBoundingBox(new Box3(), index).getBoundingSphere(target);
  }

  /** Hits have `instanceId`, the number of the figure. */
  override raycast(raycaster: Raycaster, intersects: Intersection[]): void {
    const [matrix, box] = [new Matrix4(), new Box3()];
    for (let figure = 0; figure < this.figures.length; figure++) {
      this.computeBoundingBox(box, figure).applyMatrix4(this.matrixWorld);
      if (!raycaster.ray.intersectsBox(box)) continue;
      matrix.multiplyMatrices(this.matrixWorld, this.getMatrixAt(figure, matrix.identity()));
      this.#shape.raycast(raycaster, intersects, this.#data, figure, matrix, this);
    }
  }

  /** Gives memory back: the module's, the texture, the materials that were made for it. Geometries of the model stay. */
  override dispose(): void {
    this.#texture.dispose();
    for (const child of this.children) {
      const { geometry, material } = child as Partial<Mesh<BufferGeometry, Material | Material[]>>;
      geometry?.dispose();
      for (const one of [material ?? []].flat()) one.dispose();
    }
    this.crowd.dispose();
    this.crowd.asset.dispose();
  }
}

/** A mesh of the model, drawn for all figures at once. */
function partOf(source: Mesh, layout: CrowdLayout, nodes: ShadingLanguage | undefined): Mesh {
  const geometry = new InstancedBufferGeometry();
  geometry.index = source.geometry.index;
  geometry.attributes = source.geometry.attributes;
  geometry.groups = source.geometry.groups;
  geometry.drawRange = source.geometry.drawRange;
  geometry.instanceCount = 0;
  const use = (from: Material): Material => {
    const material = useCrowd(from.clone(), layout);
    if (nodes) useCrowdNodes(nodes, material, layout);
    return material;
  };
  const material = Array.isArray(source.material) ? source.material.map(use) : use(source.material);
  const mesh = new Mesh(geometry, material);
  mesh.name = source.name;
  [mesh.castShadow, mesh.receiveShadow, mesh.visible] = [source.castShadow, source.receiveShadow, source.visible];
  mesh.customDepthMaterial = useCrowd(new MeshDepthMaterial({ depthPacking: RGBADepthPacking }), layout);
  mesh.customDistanceMaterial = useCrowd(new MeshDistanceMaterial(), layout);
  // Figures stand anywhere, and the geometry's own sphere is that of one at rest.
  mesh.frustumCulled = false;
  // The crowd answers for all of its parts.
  mesh.raycast = () => {};
  return mesh;
}
