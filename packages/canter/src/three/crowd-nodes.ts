import type { Material } from 'three';

import type { CrowdLayout } from './crowd-material.js';

/** A node of three's shading language, as far as it is used here. Its own types change with every version. */
interface Node {
  readonly x: Node;
  readonly y: Node;
  readonly z: Node;
  readonly w: Node;
  add(other: Node | number): Node;
  mul(other: Node | number): Node;
  mod(other: Node | number): Node;
  div(other: Node | number): Node;
  assign(other: Node): Node;
}

type NodeName = 'Fn' | 'attribute' | 'instanceIndex' | 'textureLoad' | 'ivec2' | 'int' | 'vec3' | 'vec4' | 'dot' | 'positionGeometry' | 'normalGeometry' | 'normalLocal';

/** What is needed of `three/tsl`: hand in the whole module. */
export type ShadingLanguage = Readonly<Record<NodeName, unknown>>;

type Make = (...parts: unknown[]) => Node;
type Rows = [Node, Node, Node];

/** @internal The same for WebGPURenderer: what `crowd-material.ts` writes in GLSL, in nodes. */
export function useCrowdNodes(language: ShadingLanguage, material: Material, { texture, matrices, firstMatrix, firstFigure, isSkinned }: CrowdLayout): void {
  const { attribute, textureLoad, ivec2, int, vec3, vec4, dot } = language as Record<NodeName, Make>;
  const { instanceIndex, positionGeometry, normalGeometry, normalLocal } = language as Record<NodeName, Node>;
  const { Fn } = language as { Fn: (body: () => Node) => () => Node };
  const { width } = texture.image as { width: number };
  const rowsAt = (texel: Node): Rows => {
    const row = (index: number) => {
      const place = texel.add(index);
      return textureLoad(texture, ivec2(place.mod(width), place.div(width)));
    };
    return [row(0), row(1), row(2)];
  };
  const sum = (a: Rows, b: Rows): Rows => [a[0].add(b[0]), a[1].add(b[1]), a[2].add(b[2])];
  const apply = (rows: Rows, vector: Node) => vec3(dot(rows[0], vector), dot(rows[1], vector), dot(rows[2], vector));
  const position = Fn(() => {
    const figure = int(instanceIndex);
    const first = figure.mul(matrices).add(firstMatrix).mul(3);
    const bone = (index: Node, weight: Node): Rows => {
      const [x, y, z] = rowsAt(first.add(int(index).mul(3)));
      return [x.mul(weight), y.mul(weight), z.mul(weight)];
    };
    const skinned = (): Rows => {
      const [bones, weights] = [attribute('skinIndex', 'uvec4'), attribute('skinWeight', 'vec4')];
      const parts = [bone(bones.x, weights.x), bone(bones.y, weights.y), bone(bones.z, weights.z), bone(bones.w, weights.w)];
      return parts.reduce(sum);
    };
    const rows = isSkinned ? skinned() : rowsAt(first);
    const own = rowsAt(figure.mul(3).add(firstFigure));
    normalLocal.assign(apply(own, vec4(apply(rows, vec4(normalGeometry, 0)), 0)));
    return apply(own, vec4(apply(rows, vec4(positionGeometry, 1)), 1));
  });
  (material as { positionNode?: unknown }).positionNode = position();
}
