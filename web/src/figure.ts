import { loadGltf, type Asset, type Primitive } from 'canter';

import { invertAffine, type Vec3 } from './math.js';
import { VERTEX_FLOATS, type Part } from './renderer.js';

/** A loaded file as the renderers want it. */
export interface Figure {
  asset: Asset;
  parts: Part[];
  /** Where the skins' matrices begin among the hero's, and the bones whose matrices come behind them. */
  matrixCount: number;
  rigidBones: number[];
  /** The middle and the size of it. */
  center: Vec3;
  size: number;
}

/** Makes parts of all meshes. Those that no skin moves follow a matrix of their own, behind those of the skins. */
export async function makeFigure(asset: Asset): Promise<Figure> {
  const starts: number[] = [];
  let matrixCount = 0;
  for (const skin of asset.skins) {
    starts.push(matrixCount);
    matrixCount += skin.bones.length;
  }
  const images = await Promise.all(
    asset.images.map(({ bytes, mime }) => createImageBitmap(new Blob([bytes as BlobPart], { type: mime })).catch(() => undefined)),
  );
  const rigidBones: number[] = [];
  const parts: Part[] = [];
  for (const node of asset.nodes) {
    for (const primitive of node.mesh === undefined ? [] : asset.meshes[node.mesh]!.primitives) {
      if (primitive.topology !== 'triangles' || primitive.vertexCount === 0) continue;
      const isSkinned = node.skin !== undefined && primitive.influenceSets > 0;
      let joint = isSkinned ? starts[node.skin!]! : matrixCount + rigidBones.length;
      if (!isSkinned) rigidBones.push(node.bone);
      parts.push(makePart(asset, primitive, joint, isSkinned, images));
    }
  }
  return { asset, parts, matrixCount, rigidBones, ...measure(parts, asset, matrixCount, rigidBones) };
}

function makePart(asset: Asset, primitive: Primitive, joint: number, isSkinned: boolean, images: (ImageBitmap | undefined)[]): Part {
  const material = primitive.material === undefined ? undefined : asset.materials[primitive.material];
  const { positions, normals, colors } = primitive;
  const uvs = primitive.texCoords(material?.texCoord ?? 0);
  const [joints, weights] = isSkinned ? [primitive.joints(), primitive.weights()] : [new Uint16Array(0), new Float32Array(0)];
  const vertices = new Float32Array(VERTEX_FLOATS * primitive.vertexCount);
  for (let vertex = 0; vertex < primitive.vertexCount; vertex++) {
    const at = VERTEX_FLOATS * vertex;
    vertices.set(positions.subarray(3 * vertex, 3 * vertex + 3), at);
    vertices.set(normals.subarray(3 * vertex, 3 * vertex + 3), at + 3);
    for (let channel = 0; channel < 4; channel++) {
      vertices[at + 6 + channel] = (colors[4 * vertex + channel] ?? 1) * (material?.baseColor[channel] ?? 0.8);
      vertices[at + 12 + channel] = isSkinned ? weights[4 * vertex + channel]! : channel === 0 ? 1 : 0;
      vertices[at + 16 + channel] = joint + (isSkinned ? joints[4 * vertex + channel]! : 0);
    }
    vertices.set(uvs.subarray(2 * vertex, 2 * vertex + 2), at + 10);
  }
  const image = material?.baseColorImage === undefined ? undefined : images[material.baseColorImage];
  const alphaCutoff = material?.alphaMode === 'opaque' || !material ? -1 : material.alphaMode === 'mask' ? material.alphaCutoff : 0.1;
  return { vertices, indices: primitive.indices as Uint32Array<ArrayBuffer>, image, alphaCutoff, hero: true, crowd: isSkinned };
}

/** The box around the figure as it stands at rest. */
function measure(parts: Part[], asset: Asset, matrixCount: number, rigidBones: number[]): { center: Vec3; size: number } {
  const matrices = new Float32Array(12 * (matrixCount + rigidBones.length));
  writeMatrices(asset, rigidBones, matrices);
  const [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  for (const { vertices } of parts) {
    for (let at = 0; at < vertices.length; at += VERTEX_FLOATS) {
      const row = 12 * vertices[at + 16]!;
      for (let axis = 0; axis < 3; axis++) {
        const m = row + 4 * axis;
        const value = matrices[m]! * vertices[at]! + matrices[m + 1]! * vertices[at + 1]! + matrices[m + 2]! * vertices[at + 2]! + matrices[m + 3]!;
        low[axis] = Math.min(low[axis]!, value);
        high[axis] = Math.max(high[axis]!, value);
      }
    }
  }
  if (!(low[0]! <= high[0]!)) return { center: [0, 1, 0], size: 2 };
  const center: Vec3 = [(low[0]! + high[0]!) / 2, (low[1]! + high[1]!) / 2, (low[2]! + high[2]!) / 2];
  return { center, size: Math.max(high[0]! - low[0]!, high[1]! - low[1]!, high[2]! - low[2]!, 1e-3) };
}

/** The matrices of all skins, then those of bones that carry rigid meshes; three rows of four each. */
export function writeMatrices(asset: Asset, rigidBones: readonly number[], out: Float32Array): void {
  const { skeleton } = asset;
  let at = 0;
  for (const skin of asset.skins) {
    const matrices = skeleton.boneMatricesOf(skin);
    out.set(matrices, at);
    at += matrices.length;
  }
  for (const index of rigidBones) {
    writeRows(skeleton.bones[index]!.worldMatrix, out, at);
    at += 12;
  }
}

export function writeRows(matrix: ArrayLike<number>, out: Float32Array, at: number): void {
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 4; column++) out[at + 4 * row + column] = matrix[4 * column + row]!;
  }
}

/**
 * The sword, twice: for the hero it follows a matrix that an attachment writes; for the crowd, whose bones nobody looks at, it is bound to
 * the hand as if it were part of the skin.
 */
export async function makeSword(url: string, hero: Figure, hand: string): Promise<Part[]> {
  const { asset } = hero;
  const sword = await makeFigure(await loadGltf(url, { meshes: true }));
  const bone = asset.skeleton.getBoneByName(hand);
  const place = bone ? (asset.skins[0]?.bones.indexOf(bone.index) ?? -1) : -1;
  if (place < 0) return [];
  const meshFromHand = invertAffine(asset.skins[0]!.inverseBindMatrices.subarray(16 * place, 16 * place + 16));
  const slot = hero.matrixCount + hero.rigidBones.length;
  return sword.parts.flatMap((part) => {
    const [attached, bound] = [part.vertices.slice(), part.vertices.slice()];
    for (let at = 0; at < part.vertices.length; at += VERTEX_FLOATS) {
      attached.fill(slot, at + 16, at + 20);
      bound.fill(place, at + 16, at + 20);
      for (let axis = 0; axis < 3; axis++) {
        const turned = (first: number) => {
          const [x, y, z] = part.vertices.subarray(at + first, at + first + 3);
          return meshFromHand[axis]! * x! + meshFromHand[4 + axis]! * y! + meshFromHand[8 + axis]! * z!;
        };
        bound[at + axis] = turned(0) + meshFromHand[12 + axis]!;
        bound[at + 3 + axis] = turned(3);
      }
    }
    return [
      { ...part, vertices: attached, hero: true, crowd: false },
      { ...part, vertices: bound, hero: false, crowd: true },
    ];
  });
}
