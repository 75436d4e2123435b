import type { DescriptionReader } from './description.js';
import type { Runtime } from './runtime.js';

/** A skin: which bones move a mesh, in the order in which its vertices count them. */
export interface Skin {
  /** Its place in the file. */
  readonly index: number;
  /** The file's name for it, or an empty one. */
  readonly name: string;
  /** The bones' places in the skeleton. */
  readonly bones: readonly number[];
  /** From the mesh to each bone in the bind pose: 16 numbers each, column by column. */
  readonly inverseBindMatrices: Float32Array;
}

/** A node of the file that a mesh may hang on. */
export interface AssetNode {
  /** The place of its bone in the skeleton: every node is a bone. */
  readonly bone: number;
  /** Which mesh is drawn here. */
  readonly mesh: number | undefined;
  /** Which meshes to draw instead of it where it is small in the picture, finer ones first (`MSFT_lod`). Known with `meshes`. */
  readonly coarser: readonly number[];
  /** Which skin moves the mesh; the node's own transform does not count then. */
  readonly skin: number | undefined;
  /** Which set of morph weights the mesh has; see `skeleton.morphWeights`. */
  readonly morph: number | undefined;
}

/** How a surface looks, as far as most renderers care. */
export interface Material {
  readonly name: string;
  /** Linear red, green, blue, alpha. */
  readonly baseColor: readonly number[];
  readonly metallic: number;
  readonly roughness: number;
  /** Linear red, green, blue. */
  readonly emissive: readonly number[];
  /** Which image multiplies the colour. */
  readonly baseColorImage: number | undefined;
  /** Which set of texture coordinates the image uses. */
  readonly texCoord: number;
  readonly alphaMode: 'opaque' | 'mask' | 'blend';
  readonly alphaCutoff: number;
  readonly doubleSided: boolean;
  readonly unlit: boolean;
}

/** Where a list lies in the module's memory. */
interface Place {
  address: number;
  len: number;
  buffer: ArrayBuffer;
}

/** A part of a mesh: vertices, indices, one material. Lists are copies, made when they are asked for. */
export class Primitive {
  readonly topology: 'triangles' | 'lines' | 'points';
  /** Its material; undefined is glTF's default. */
  readonly material: number | undefined;
  readonly vertexCount: number;
  /** How many sets of four bones and weights a vertex has. */
  readonly influenceSets: number;
  readonly #list: (kind: number, set: number) => Place;

  /** @internal */
  constructor(reader: DescriptionReader, list: (kind: number, set: number) => Place) {
    this.topology = (['triangles', 'lines', 'points'] as const)[reader.number()] ?? 'triangles';
    this.material = reader.index();
    this.vertexCount = reader.number();
    this.influenceSets = reader.number();
    this.#list = list;
  }

  #floats(kind: number, set = 0): Float32Array {
    const { address, len, buffer } = this.#list(kind, set);
    return new Float32Array(buffer, address, len).slice();
  }

  /** Three to a triangle, two to a line. */
  get indices(): Uint32Array {
    const { address, len, buffer } = this.#list(0, 0);
    return new Uint32Array(buffer, address, len).slice();
  }

  /** Three numbers to a vertex. */
  get positions(): Float32Array {
    return this.#floats(1);
  }

  /** Three numbers to a vertex; computed where the file has none. */
  get normals(): Float32Array {
    return this.#floats(2);
  }

  /** Four numbers to a vertex; empty if there are none. */
  get tangents(): Float32Array {
    return this.#floats(3);
  }

  /** Linear red, green, blue, alpha; empty if there are none. */
  get colors(): Float32Array {
    return this.#floats(4);
  }

  /** Two numbers to a vertex; empty if there are none. */
  texCoords(set = 0): Float32Array {
    return this.#floats(5, set);
  }

  /** Four places in the skin's list of bones to a vertex. */
  joints(set = 0): Uint16Array {
    const { address, len, buffer } = this.#list(6, set);
    return new Uint16Array(buffer, address, len).slice();
  }

  /** Four weights to a vertex, which add up to 1 over all sets. */
  weights(set = 0): Float32Array {
    return this.#floats(7, set);
  }

  /** What a morph target at full weight adds to the positions. */
  targetPositions(target: number): Float32Array {
    return this.#floats(8, target);
  }

  /** What a morph target at full weight adds to the normals. */
  targetNormals(target: number): Float32Array {
    return this.#floats(9, target);
  }
}

/** A mesh: primitives that are placed together. */
export interface Mesh {
  readonly name: string;
  readonly targetCount: number;
  readonly primitives: readonly Primitive[];
}

/** A picture, not decoded. */
export interface AssetImage {
  readonly name: string;
  /** Such as `image/png`. */
  readonly mime: string;
  /** The bytes of the picture file, copied. */
  readonly bytes: Uint8Array;
}

/** @internal */
export function readSkin(reader: DescriptionReader, index: number): Skin {
  const name = reader.text();
  const matrices: number[] = [];
  const bones = reader.list(() => {
    const bone = reader.number();
    matrices.push(...reader.floats(16));
    return bone;
  });
  return { index, name, bones, inverseBindMatrices: new Float32Array(matrices) };
}

/** @internal */
export function readNode(reader: DescriptionReader): AssetNode {
  const [bone, mesh, skin, morph] = [reader.number(), reader.index(), reader.index(), reader.index()] as const;
  return { bone, mesh, coarser: reader.list(() => reader.number()), skin, morph };
}

/** @internal */
export function readMesh(
  reader: DescriptionReader,
  mesh: number,
  runtime: Runtime,
  asset: () => number,
): Mesh {
  const name = reader.text();
  const targetCount = reader.number();
  const primitives = reader.list((primitive) => {
    return new Primitive(reader, (kind, set) => {
      runtime._exports.asset_vertices(asset(), mesh, primitive, kind, set);
      const [address = 0, len = 0] = runtime._words;
      return { address, len, buffer: runtime._buffer };
    });
  });
  return { name, targetCount, primitives };
}

/** @internal */
export function readMaterial(reader: DescriptionReader): Material {
  const material = {
    name: reader.text(),
    baseColor: reader.floats(4),
    metallic: reader.float(),
    roughness: reader.float(),
    emissive: reader.floats(3),
    baseColorImage: reader.index(),
    texCoord: reader.number(),
    alphaMode: (['opaque', 'mask', 'blend'] as const)[reader.number()] ?? 'opaque',
    alphaCutoff: reader.float(),
  };
  const flags = reader.number();
  return { ...material, doubleSided: (flags & 1) !== 0, unlit: (flags & 2) !== 0 };
}

/** @internal */
export function readImage(
  reader: DescriptionReader,
  image: number,
  runtime: Runtime,
  asset: () => number,
): AssetImage {
  return {
    name: reader.text(),
    mime: reader.text(),
    get bytes() {
      runtime._exports.asset_image(asset(), image);
      return runtime._outputBytes().slice();
    },
  };
}
