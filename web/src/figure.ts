import type { Asset, AssetNode, Primitive } from 'canter';

import { invertAffine, multiply } from './math.js';
import { makeTargets, type MorphList } from './morphs.js';
import { VERTEX_FLOATS, type Part } from './renderer.js';

/** A loaded file as the renderers want it. */
export interface Figure {
  asset: Asset;
  parts: Part[];
  /** How many matrices its skins have; those of the bones that carry rigid meshes come behind them. */
  matrixCount: number;
  rigidBones: number[];
  morphs: MorphList[];
  /** How many rows these have. */
  morphRows: number;
  triangleCount: number;
  /** The coarser parts that the file has, for members of the crowd that are farther away; made when they are asked for. */
  coarser: () => Part[];
}

/** Which joint of which skin moves something, counted through all skins, and the way there from the node that it hangs on. */
interface Binding {
  joint: number;
  meshFromNode: Float32Array;
}

/** Makes parts of all meshes. Those that no skin moves follow a matrix of their own, behind those of the skins. */
export async function makeFigure(asset: Asset): Promise<Figure> {
  const figure: Figure = { asset, parts: [], matrixCount: 0, rigidBones: [], morphs: [], morphRows: 0, triangleCount: 0, coarser: () => [] };
  const starts: number[] = [];
  for (const skin of asset.skins) {
    starts.push(figure.matrixCount);
    figure.matrixCount += skin.bones.length;
  }
  const images = await Promise.all(
    asset.images.map(({ bytes, mime }) => createImageBitmap(new Blob([bytes as BlobPart], { type: mime })).catch(() => undefined)),
  );
  for (const node of asset.nodes) {
    const mesh = node.mesh === undefined ? undefined : asset.meshes[node.mesh];
    const morphRow = figure.morphRows;
    if (mesh && mesh.targetCount > 0 && node.morph !== undefined) {
      figure.morphs.push({ morph: node.morph, row: morphRow, targetCount: mesh.targetCount });
      figure.morphRows += 1 + Math.ceil(mesh.targetCount / 2);
    }
    for (const primitive of mesh?.primitives ?? []) {
      if (primitive.topology !== 'triangles' || primitive.vertexCount === 0) continue;
      const isSkinned = node.skin !== undefined && primitive.influenceSets > 0;
      const joint = isSkinned ? starts[node.skin!]! : figure.matrixCount + figure.rigidBones.length;
      if (!isSkinned) figure.rigidBones.push(node.bone);
      const targets = node.morph === undefined ? undefined : makeTargets(primitive, mesh!.targetCount);
      const levels = isSkinned ? node.coarser.length : 0;
      const part: Part = { ...makePart(asset, primitive, joint, isSkinned, images), targets, morphRow, hero: true, crowd: isSkinned ? [0] : [], levels };
      figure.parts.push(part);
      figure.triangleCount += part.indices.length / 3;
      if (!isSkinned) figure.parts.push(...boundParts(part, bindingOf(asset, node, starts)));
    }
  }
  figure.coarser = () => asset.nodes.flatMap((node) => coarserParts(asset, node, starts, images));
  return figure;
}

/** The parts of a skinned node's coarser meshes. */
function coarserParts(asset: Asset, node: AssetNode, starts: readonly number[], images: (ImageBitmap | undefined)[]): Part[] {
  if (node.skin === undefined) return [];
  const joint = starts[node.skin]!;
  return node.coarser.flatMap((mesh, index) => {
    const primitives = asset.meshes[mesh]!.primitives.filter(({ topology, influenceSets, vertexCount }) => topology === 'triangles' && influenceSets > 0 && vertexCount > 0);
    return primitives.map((primitive): Part => {
      return { ...makePart(asset, primitive, joint, true, images), targets: undefined, morphRow: 0, hero: false, crowd: [index + 1] };
    });
  });
}

function makePart(
  asset: Asset, primitive: Primitive, joint: number, isSkinned: boolean, images: (ImageBitmap | undefined)[],
): Pick<Part, 'vertices' | 'indices' | 'image' | 'alphaCutoff'> {
  const material = primitive.material === undefined ? undefined : asset.materials[primitive.material];
  const { positions, normals, colors, vertexCount } = primitive;
  const uvs = primitive.texCoords(material?.texCoord ?? 0);
  const [joints, weights] = isSkinned ? strongestFour(primitive) : [[], []];
  const base = material?.baseColor ?? [0.8, 0.8, 0.8, 1];
  const vertices = new Float32Array(VERTEX_FLOATS * vertexCount);
  const [red, green, blue, alpha] = base as [number, number, number, number];
  const [hasColors, hasUvs] = [colors.length > 0, uvs.length > 0];
  // Written out, without inner loops: a visitor waits for it, and it runs before it is compiled.
  for (let vertex = 0, at = 0, three = 0, four = 0; vertex < vertexCount; vertex++, at += VERTEX_FLOATS, three += 3, four += 4) {
    vertices[at] = positions[three]!;
    vertices[at + 1] = positions[three + 1]!;
    vertices[at + 2] = positions[three + 2]!;
    vertices[at + 3] = normals[three]!;
    vertices[at + 4] = normals[three + 1]!;
    vertices[at + 5] = normals[three + 2]!;
    vertices[at + 6] = hasColors ? colors[four]! * red : red;
    vertices[at + 7] = hasColors ? colors[four + 1]! * green : green;
    vertices[at + 8] = hasColors ? colors[four + 2]! * blue : blue;
    vertices[at + 9] = hasColors ? colors[four + 3]! * alpha : alpha;
    if (hasUvs) {
      vertices[at + 10] = uvs[2 * vertex]!;
      vertices[at + 11] = uvs[2 * vertex + 1]!;
    }
    vertices[at + 12] = isSkinned ? weights[four]! : 1;
    if (isSkinned) {
      vertices[at + 13] = weights[four + 1]!;
      vertices[at + 14] = weights[four + 2]!;
      vertices[at + 15] = weights[four + 3]!;
    }
    vertices[at + 16] = isSkinned ? joint + joints[four]! : joint;
    vertices[at + 17] = isSkinned ? joint + joints[four + 1]! : joint;
    vertices[at + 18] = isSkinned ? joint + joints[four + 2]! : joint;
    vertices[at + 19] = isSkinned ? joint + joints[four + 3]! : joint;
  }
  const image = material?.baseColorImage === undefined ? undefined : images[material.baseColorImage];
  const alphaCutoff = material?.alphaMode === 'opaque' || !material ? -1 : material.alphaMode === 'mask' ? material.alphaCutoff : 0.1;
  return { vertices, indices: primitive.indices as Uint32Array<ArrayBuffer>, image, alphaCutoff };
}

/** Joints and weights, four to a vertex: of vertices that more joints move, the strongest. The shader makes their sum one. */
function strongestFour(primitive: Primitive): [ArrayLike<number>, ArrayLike<number>] {
  const sets = primitive.influenceSets;
  if (sets === 1) return [primitive.joints(), primitive.weights()];
  const all = Array.from({ length: sets }, (_, set) => ({ joints: primitive.joints(set), weights: primitive.weights(set) }));
  const [joints, weights] = [new Uint16Array(4 * primitive.vertexCount), new Float32Array(4 * primitive.vertexCount)];
  for (let at = 0; at < joints.length; at += 4) {
    const pairs = all.flatMap((set) => [0, 1, 2, 3].map((slot) => [set.joints[at + slot]!, set.weights[at + slot]!] as const));
    pairs.sort((a, b) => b[1] - a[1]);
    for (let slot = 0; slot < 4; slot++) [joints[at + slot], weights[at + slot]] = pairs[slot]!;
  }
  return [joints, weights];
}

/** The nearest bone above a node, or its own, that a skin has: the crowd has no other matrices than those of skins. */
function bindingOf(asset: Asset, node: AssetNode, starts: readonly number[]): Binding | undefined {
  const { bones } = asset.skeleton;
  const own = bones[node.bone]!;
  for (let bone: typeof own | undefined = own; bone; bone = bone.parent) {
    for (const skin of asset.skins) {
      const place = skin.bones.indexOf(bone.index);
      if (place < 0) continue;
      const boneFromNode = multiply(invertAffine(bone.worldMatrix), own.worldMatrix);
      const meshFromBone = invertAffine(skin.inverseBindMatrices.subarray(16 * place, 16 * place + 16));
      return { joint: starts[skin.index]! + place, meshFromNode: multiply(meshFromBone, boneFromNode) };
    }
  }
  return undefined;
}

/** A rigid part for the crowd, as if it were a part of the skin. */
function boundParts(part: Part, binding: Binding | undefined): Part[] {
  if (!binding || !binding.meshFromNode.every(Number.isFinite)) return [];
  return [{ ...part, vertices: bound(part.vertices, binding.meshFromNode, binding.joint), hero: false, crowd: [0] }];
}

/** Vertices that a matrix was put on, and that one joint moves. */
export function bound(vertices: Float32Array, matrix: ArrayLike<number>, joint: number): Float32Array<ArrayBuffer> {
  const out = new Float32Array(vertices);
  for (let at = 0; at < out.length; at += VERTEX_FLOATS) {
    for (let axis = 0; axis < 3; axis++) {
      for (const first of [at, at + 3]) {
        out[first + axis] =
          matrix[axis]! * vertices[first]! + matrix[4 + axis]! * vertices[first + 1]! + matrix[8 + axis]! * vertices[first + 2]!;
      }
      out[at + axis]! += matrix[12 + axis]!;
    }
    out.fill(joint, at + 16, at + 20);
  }
  return out;
}

/** The matrices of all skins, then those of bones that carry rigid meshes; three rows of four each. */
export function writeMatrices({ asset, rigidBones }: Figure, out: Float32Array): void {
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
