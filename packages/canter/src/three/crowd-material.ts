import type { DataTexture, IUniform, Material, WebGLProgramParametersWithUniforms } from 'three';

/** @internal Where a part of a crowd finds its matrices: three texels each, rows of four numbers. */
export interface CrowdLayout {
  readonly texture: DataTexture;
  /** How many matrices a figure has, and which is the first of this part. */
  readonly matrices: number;
  readonly firstMatrix: number;
  /** The texel at which the matrices of the figures themselves begin. */
  readonly firstFigure: number;
  readonly isSkinned: boolean;
}

const DECLARATIONS = `
uniform highp sampler2D crowdTexture;
uniform ivec3 crowdLayout;
#ifdef CROWD_SKINNED
attribute vec4 skinIndex;
attribute vec4 skinWeight;
#endif
mat4 crowdRows(int texel) {
  int width = textureSize(crowdTexture, 0).x;
  mat4 rows = mat4(1.0);
  for (int row = 0; row < 3; row++) rows[row] = texelFetch(crowdTexture, ivec2((texel + row) % width, (texel + row) / width), 0);
  return rows;
}
mat4 crowdMatrix() {
  int first = 3 * (gl_InstanceID * crowdLayout.x + crowdLayout.y);
#ifdef CROWD_SKINNED
  mat4 rows = mat4(0.0);
  for (int bone = 0; bone < 4; bone++) rows += skinWeight[bone] * crowdRows(first + 3 * int(skinIndex[bone]));
#else
  mat4 rows = crowdRows(first);
#endif
  return transpose(rows);
}
mat4 crowdFigure() {
  return transpose(crowdRows(crowdLayout.z + 3 * gl_InstanceID)) * crowdMatrix();
}
`;

/** @internal Makes a material of WebGLRenderer draw a part of a crowd. */
export function useCrowd<M extends Material>(material: M, { texture, matrices, firstMatrix, firstFigure, isSkinned }: CrowdLayout): M {
  const uniforms: Record<string, IUniform> = {
    crowdTexture: { value: texture },
    crowdLayout: { value: new Int32Array([matrices, firstMatrix, firstFigure]) },
  };
  const before = material.onBeforeCompile.bind(material);
  const key = material.customProgramCacheKey();
  material.onBeforeCompile = (shader: WebGLProgramParametersWithUniforms, renderer) => {
    before(shader, renderer);
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = (isSkinned ? '#define CROWD_SKINNED\n' : '') + shader.vertexShader
      .replace('#include <common>', `#include <common>\n${DECLARATIONS}`)
      .replace('#include <skinnormal_vertex>', 'objectNormal = mat3(crowdFigure()) * objectNormal;\n#ifdef USE_TANGENT\nobjectTangent = mat3(crowdFigure()) * objectTangent;\n#endif')
      .replace('#include <skinning_vertex>', 'transformed = (crowdFigure() * vec4(transformed, 1.0)).xyz;');
  };
  material.customProgramCacheKey = () => `${key} crowd ${isSkinned}`;
  return material;
}
