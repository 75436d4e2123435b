import { glslSkinningTextureMat3x4 } from 'canter/shaders';

import { SUN, VERTEX_FLOATS, type Frame, type Part, type Renderer } from './renderer.js';
import { glslFigure, GLSL_GROUND, GLSL_PRINT, GLSL_SKY } from './shading.js';
import { normalize } from './math.js';

/** Texels in a row of the palette's texture. */
const WIDTH = 1024;

interface Mesh extends Part {
  array: WebGLVertexArrayObject;
  texture: WebGLTexture;
}

/** Draws with WebGL2: the matrices are in a float texture. */
export class WebGl2Renderer implements Renderer {
  readonly api = 'WebGL2';
  readonly isZeroToOne = false;
  readonly #gl: WebGL2RenderingContext;
  readonly #programs: Record<'figure' | 'shadow' | 'ground' | 'print' | 'sky', WebGLProgram>;
  readonly #palette: WebGLTexture;
  readonly #instances: WebGLBuffer;
  readonly #prints: { array: WebGLVertexArrayObject; buffer: WebGLBuffer };
  readonly #white: WebGLTexture;
  #instanceData = new Float32Array(4);
  #rows = 0;
  #meshes: Mesh[] = [];

  constructor(canvas: HTMLCanvasElement) {
    const gl = canvas.getContext('webgl2', { antialias: true, stencil: true, alpha: false });
    if (!gl) throw new Error('this browser has no WebGL2');
    this.#gl = gl;
    this.#programs = {
      figure: this.#program(glslFigure(glslSkinningTextureMat3x4, false)),
      shadow: this.#program(glslFigure(glslSkinningTextureMat3x4, true)),
      ground: this.#program(GLSL_GROUND),
      print: this.#program(GLSL_PRINT),
      sky: this.#program(GLSL_SKY),
    };
    this.#palette = gl.createTexture();
    this.#instances = gl.createBuffer();
    this.#white = this.#texture(undefined);
    this.#prints = { array: gl.createVertexArray(), buffer: gl.createBuffer() };
    gl.bindVertexArray(this.#prints.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#prints.buffer);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 4, gl.FLOAT, false, 0, 0);
    gl.vertexAttribDivisor(0, 1);
    gl.bindVertexArray(null);
    gl.enable(gl.DEPTH_TEST);
  }

  #program([vertex, fragment]: [string, string]): WebGLProgram {
    const gl = this.#gl;
    const program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]] as const) {
      const shader = gl.createShader(kind)!;
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader) ?? 'a shader does not compile');
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? 'a program does not link');
    return program;
  }

  #texture(image: ImageBitmap | undefined): WebGLTexture {
    const gl = this.#gl;
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    if (image) gl.texImage2D(gl.TEXTURE_2D, 0, gl.SRGB8_ALPHA8, gl.RGBA, gl.UNSIGNED_BYTE, image);
    else gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array([255, 255, 255, 255]));
    gl.generateMipmap(gl.TEXTURE_2D);
    return texture;
  }

  setParts(parts: Part[]): void {
    const gl = this.#gl;
    for (const { array, texture } of this.#meshes) {
      gl.deleteVertexArray(array);
      if (texture !== this.#white) gl.deleteTexture(texture);
    }
    this.#meshes = parts.map((part) => {
      const array = gl.createVertexArray();
      gl.bindVertexArray(array);
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, part.vertices, gl.STATIC_DRAW);
      let offset = 0;
      for (const [location, size] of [3, 3, 4, 2, 4, 4].entries()) {
        gl.enableVertexAttribArray(location);
        gl.vertexAttribPointer(location, size, gl.FLOAT, false, 4 * VERTEX_FLOATS, offset);
        offset += 4 * size;
      }
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, part.indices, gl.STATIC_DRAW);
      gl.bindBuffer(gl.ARRAY_BUFFER, this.#instances);
      gl.enableVertexAttribArray(6);
      gl.vertexAttribDivisor(6, 1);
      return { ...part, array, texture: part.image ? this.#texture(part.image) : this.#white };
    });
    gl.bindVertexArray(null);
  }

  render(frame: Frame): void {
    const gl = this.#gl;
    const crowdStart = this.#upload(frame);
    this.#place(frame, crowdStart);
    gl.viewport(0, 0, frame.width, frame.height);
    gl.clear(gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    gl.bindVertexArray(null);
    gl.disable(gl.DEPTH_TEST);
    gl.useProgram(this.#programs.sky);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.enable(gl.DEPTH_TEST);
    this.#use('ground', frame, 0);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    if (frame.printCount > 0) this.#footprints(frame);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.#palette);
    this.#shadows(frame);
    for (const mesh of this.#meshes) {
      this.#use('figure', frame, mesh.alphaCutoff);
      this.#draw(mesh, frame);
    }
  }

  /** On the ground, so without depth: nothing else is drawn yet. */
  #footprints(frame: Frame): void {
    const gl = this.#gl;
    this.#use('print', frame, 0);
    gl.bindVertexArray(this.#prints.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#prints.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, frame.prints, gl.DYNAMIC_DRAW);
    gl.enable(gl.BLEND);
    gl.disable(gl.DEPTH_TEST);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, frame.printCount);
    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    gl.bindVertexArray(null);
  }

  #shadows(frame: Frame): void {
    const gl = this.#gl;
    gl.enable(gl.BLEND);
    gl.enable(gl.STENCIL_TEST);
    gl.depthMask(false);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.stencilFunc(gl.EQUAL, 0, 255);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
    this.#use('shadow', frame, 0);
    for (const mesh of this.#meshes) this.#draw(mesh, frame);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
    gl.disable(gl.STENCIL_TEST);
  }

  #use(name: 'figure' | 'shadow' | 'ground' | 'print', frame: Frame, cutoff: number): void {
    const gl = this.#gl;
    const program = this.#programs[name];
    gl.useProgram(program);
    const at = (uniform: string) => gl.getUniformLocation(program, uniform);
    gl.uniformMatrix4fv(at('clip_from_world'), false, frame.clipFromWorld);
    gl.uniform4f(at('eye'), ...frame.eye, cutoff);
    gl.uniform4f(at('sun'), ...normalize(SUN), 0);
    gl.uniform4f(at('ground'), frame.groundOffset[0], 0.012, frame.groundOffset[1], 0);
    gl.uniform1i(at('canter_palette'), 0);
    gl.uniform1i(at('color_texture'), 1);
  }

  #draw(mesh: Mesh, frame: Frame): void {
    const gl = this.#gl;
    const first = mesh.hero ? 0 : 1;
    const count = (mesh.hero ? 1 : 0) + (mesh.crowd ? frame.memberCount : 0);
    if (count === 0) return;
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, mesh.texture);
    gl.bindVertexArray(mesh.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#instances);
    gl.vertexAttribPointer(6, 4, gl.FLOAT, false, 16, 16 * first);
    gl.drawElementsInstanced(gl.TRIANGLES, mesh.indices.length, gl.UNSIGNED_INT, 0, count);
    gl.bindVertexArray(null);
  }

  /** Writes the matrices, straight from WebAssembly memory; returns where the crowd's begin. */
  #upload(frame: Frame): number {
    const gl = this.#gl;
    const rowsOf = (floats: number) => Math.ceil(floats / (4 * WIDTH));
    const heroRows = rowsOf(frame.heroMatrices.length);
    const rows = heroRows + rowsOf(frame.crowdMatrices.length);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.#palette);
    if (rows > this.#rows) {
      this.#rows = rows + 8;
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, WIDTH, this.#rows, 0, gl.RGBA, gl.FLOAT, null);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    }
    for (const [matrices, row] of [[frame.heroMatrices, 0], [frame.crowdMatrices, heroRows]] as const) {
      const whole = Math.floor(matrices.length / (4 * WIDTH));
      const rest = matrices.length / 4 - whole * WIDTH;
      if (whole > 0) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, row, WIDTH, whole, gl.RGBA, gl.FLOAT, matrices, 0);
      if (rest > 0) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, row + whole, rest, 1, gl.RGBA, gl.FLOAT, matrices, whole * WIDTH * 4);
    }
    return heroRows * WIDTH;
  }

  #place(frame: Frame, crowdStart: number): void {
    const gl = this.#gl;
    const floats = 4 * (frame.memberCount + 1);
    if (this.#instanceData.length < floats) this.#instanceData = new Float32Array(2 * floats);
    this.#instanceData.set([0, 0, frame.heroYaw, 0]);
    for (let member = 0; member < frame.memberCount; member++) {
      for (let axis = 0; axis < 3; axis++) this.#instanceData[4 * member + 4 + axis] = frame.places[3 * member + axis]!;
      this.#instanceData[4 * member + 7] = crowdStart + member * frame.rowsPerMember;
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#instances);
    gl.bufferData(gl.ARRAY_BUFFER, this.#instanceData.subarray(0, floats), gl.DYNAMIC_DRAW);
  }
}
