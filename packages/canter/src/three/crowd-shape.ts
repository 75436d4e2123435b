import { Box3, DoubleSide, BackSide, Matrix4, Ray, Vector3, type BufferAttribute, type Intersection, type Material, type Object3D, type Raycaster } from 'three';

import type { ModelPart } from './model-file.js';

/** The vertices that a matrix moves, at rest: no vertex is outside of the box around what it moves. */
interface Moved {
  readonly matrix: number;
  readonly box: Box3;
}

const CORNER = new Vector3();

/** @internal The vertices of a model, for boxes around figures and for rays. */
export class CrowdShape {
  readonly #parts: readonly ModelPart[];
  readonly #matrices: number;
  readonly #moved: readonly Moved[];

  constructor(parts: readonly ModelPart[], matrices: number) {
    this.#parts = parts;
    this.#matrices = matrices;
    this.#moved = parts.flatMap(movedBy);
  }

  /** Makes a box large enough for a figure: weights are parts of a whole, so a vertex lies between the places that its bones give it. */
  expand(box: Box3, data: Float32Array, figure: number, placed: Matrix4): void {
    const matrix = new Matrix4();
    for (const { matrix: index, box: moved } of this.#moved) {
      this.#read(data, figure, index, matrix).premultiply(placed);
      for (let corner = 0; corner < 8; corner++) {
        const { min, max } = moved;
        CORNER.set(corner & 1 ? max.x : min.x, corner & 2 ? max.y : min.y, corner & 4 ? max.z : min.z);
        box.expandByPoint(CORNER.applyMatrix4(matrix));
      }
    }
  }

  #read(data: Float32Array, figure: number, index: number, target: Matrix4): Matrix4 {
    const at = 12 * (figure * this.#matrices + index);
    const [a, b, c, d, e, f, g, h, i, j, k, l] = data.subarray(at, at + 12) as unknown as number[] as [number, number, number, number, number, number, number, number, number, number, number, number];
    return target.set(a, b, c, d, e, f, g, h, i, j, k, l, 0, 0, 0, 1);
  }

  /** Finds what a ray hits of a figure. `placed` leads from the figure to the world. */
  raycast(raycaster: Raycaster, intersects: Intersection[], data: Float32Array, figure: number, placed: Matrix4, object: Object3D): void {
    const ray = new Ray().copy(raycaster.ray).applyMatrix4(placed.clone().invert());
    for (const part of this.#parts) {
      const { mesh } = part;
      const vertices = this.#skin(part, data, figure);
      const { index, drawRange } = mesh.geometry;
      const count = index?.count ?? vertices.length / 3;
      const end = Math.min(count, drawRange.start + drawRange.count);
      const [a, b, c, point] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
      for (let at = drawRange.start; at + 2 < end; at += 3) {
        const [i, j, k] = [0, 1, 2].map((corner) => index?.getX(at + corner) ?? at + corner) as [number, number, number];
        const material = materialOf(mesh.material, mesh.geometry.groups, at);
        a.fromArray(vertices, 3 * i);
        b.fromArray(vertices, 3 * j);
        c.fromArray(vertices, 3 * k);
        const isHit = material.side === BackSide ? ray.intersectTriangle(c, b, a, true, point) : ray.intersectTriangle(a, b, c, material.side !== DoubleSide, point);
        if (!isHit) continue;
        const normal = c.clone().sub(b).cross(a.clone().sub(b)).normalize();
        point.applyMatrix4(placed);
        const distance = raycaster.ray.origin.distanceTo(point);
        if (distance < raycaster.near || distance > raycaster.far) continue;
        const face = { a: i, b: j, c: k, normal, materialIndex: 0 };
        intersects.push({ distance, point: point.clone(), face, faceIndex: Math.floor(at / 3), object, instanceId: figure });
      }
    }
  }

  /** The vertices of a part, relative to the figure. */
  #skin({ mesh, firstMatrix, isSkinned }: ModelPart, data: Float32Array, figure: number): Float64Array {
    const { position, skinIndex, skinWeight } = mesh.geometry.attributes as Record<string, BufferAttribute>;
    const count = position?.count ?? 0;
    const vertices = new Float64Array(3 * count);
    const base = 12 * (figure * this.#matrices + firstMatrix);
    for (let vertex = 0; vertex < count; vertex++) {
      const [x, y, z] = [position!.getX(vertex), position!.getY(vertex), position!.getZ(vertex)];
      for (let influence = 0; influence < (isSkinned ? 4 : 1); influence++) {
        const weight = isSkinned ? skinWeight!.getComponent(vertex, influence) : 1;
        if (weight === 0) continue;
        const at = base + 12 * (isSkinned ? skinIndex!.getComponent(vertex, influence) : 0);
        for (let row = 0; row < 3; row++) {
          const from = at + 4 * row;
          vertices[3 * vertex + row]! += weight * (data[from]! * x + data[from + 1]! * y + data[from + 2]! * z + data[from + 3]!);
        }
      }
    }
    return vertices;
  }
}

function movedBy({ mesh, firstMatrix, isSkinned }: ModelPart): Moved[] {
  const { position, skinIndex, skinWeight } = mesh.geometry.attributes as Record<string, BufferAttribute>;
  const boxes = new Map<number, Box3>();
  const vector = new Vector3();
  for (let vertex = 0; vertex < (position?.count ?? 0); vertex++) {
    vector.fromBufferAttribute(position!, vertex);
    for (let influence = 0; influence < (isSkinned ? 4 : 1); influence++) {
      if (isSkinned && skinWeight!.getComponent(vertex, influence) === 0) continue;
      const matrix = firstMatrix + (isSkinned ? skinIndex!.getComponent(vertex, influence) : 0);
      let box = boxes.get(matrix);
      if (!box) boxes.set(matrix, (box = new Box3()));
      box.expandByPoint(vector);
    }
  }
  return [...boxes].map(([matrix, box]) => ({ matrix, box }));
}

function materialOf(material: Material | Material[], groups: readonly { start: number; count: number; materialIndex?: number | undefined }[], at: number): Material {
  if (!Array.isArray(material)) return material;
  const group = groups.find(({ start, count }) => at >= start && at < start + count);
  return material[group?.materialIndex ?? 0] as Material;
}
