import { glslSkinningTextureMat3x4Morphs } from 'canter/shaders';

import {
  INSTANCE_FLOATS, PALETTE_WIDTH, rangesOf, UNIFORM_FLOATS, uniforms, VERTEX_FLOATS, VERTEX_SIZES, type Frame, type Part, type Renderer,
} from './renderer.js';
import { glslFigure, GLSL_GROUND, GLSL_PRINT, GLSL_SKY } from './shading.js';

type Pass = 'figure' | 'shadow' | 'ground' | 'print' | 'sky';

interface Mesh extends Part {
  array: WebGLVertexArrayObject;
  buffers: WebGLBuffer[];
  texture: WebGLTexture;
  targetTexture: WebGLTexture;
}

/** Draws with WebGL2: the matrices are in a float texture. */
export class WebGl2Renderer implements Renderer {
  readonly api = 'WebGL2';
  readonly isZeroToOne = false;
  readonly #gl: WebGL2RenderingContext;
  readonly #programs: Partial<Record<Pass, WebGLProgram>>;
  /** Of programs that are in use. */
  readonly #materials = new Map<Pass, WebGLUniformLocation | null>();
  readonly #camera: WebGLBuffer;
  readonly #palette: WebGLTexture;
  readonly #instances: WebGLBuffer;
  readonly #prints: { array: WebGLVertexArrayObject; buffer: WebGLBuffer };
  readonly #white: WebGLTexture;
  readonly #noTargets: WebGLTexture;
  #lines = 0;
  #meshes: Mesh[] = [];

  constructor(canvas: HTMLCanvasElement, onLost: (message: string) => void) {
    const gl = canvas.getContext('webgl2', { antialias: true, stencil: true, alpha: false });
    if (!gl) throw new Error('this browser has no WebGL2');
    canvas.addEventListener('webglcontextlost', () => onLost('the browser took the graphics away; reload the page to get them back'));
    this.#gl = gl;
    // All at once, and nobody asks how it went before the first frame: drivers compile them side by side meanwhile.
    this.#programs = {
      figure: this.#program(glslFigure(glslSkinningTextureMat3x4Morphs, false)),
      shadow: this.#program(glslFigure(glslSkinningTextureMat3x4Morphs, true)),
      ground: this.#program(GLSL_GROUND),
      sky: this.#program(GLSL_SKY),
    };
    this.#camera = gl.createBuffer();
    this.#palette = gl.createTexture();
    this.#instances = gl.createBuffer();
    this.#white = this.#texture(undefined);
    this.#noTargets = this.#floatTexture(new Float32Array(4));
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
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    return program;
  }

  /** Draws with a program from now on. Its first use waits until it is compiled, and tells it where things are. */
  #use(pass: Pass): void {
    const gl = this.#gl;
    const program = this.#programs[pass]!;
    if (this.#materials.has(pass)) return gl.useProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
      const logs = gl.getAttachedShaders(program)!.map((shader) => gl.getShaderInfoLog(shader));
      throw new Error([gl.getProgramInfoLog(program), ...logs].filter(Boolean).join(' ') || 'a program does not link');
    }
    gl.useProgram(program);
    gl.uniformBlockBinding(program, gl.getUniformBlockIndex(program, 'Camera'), 0);
    for (const [unit, sampler] of ['canter_palette', 'color_texture', 'canter_targets'].entries()) {
      gl.uniform1i(gl.getUniformLocation(program, sampler), unit);
    }
    this.#materials.set(pass, gl.getUniformLocation(program, 'material'));
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

  /** Texels one after another; whole lines, if there are more than one. */
  #floatTexture(texels: Float32Array): WebGLTexture {
    const gl = this.#gl;
    const count = texels.length / 4;
    const width = Math.min(count, PALETTE_WIDTH);
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, width, count / width, 0, gl.RGBA, gl.FLOAT, texels);
    this.#exactly();
    return texture;
  }

  /** Texels of the texture that is bound are never mixed. */
  #exactly(): void {
    const gl = this.#gl;
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  }

  setParts(parts: Part[]): void {
    const gl = this.#gl;
    for (const { array, buffers, texture, targetTexture } of this.#meshes) {
      gl.deleteVertexArray(array);
      for (const buffer of buffers) gl.deleteBuffer(buffer);
      if (texture !== this.#white) gl.deleteTexture(texture);
      if (targetTexture !== this.#noTargets) gl.deleteTexture(targetTexture);
    }
    this.#meshes = parts.map((part) => {
      const array = gl.createVertexArray();
      const buffers = [gl.createBuffer(), gl.createBuffer()];
      gl.bindVertexArray(array);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers[0]!);
      gl.bufferData(gl.ARRAY_BUFFER, part.vertices, gl.STATIC_DRAW);
      let offset = 0;
      for (const [location, size] of VERTEX_SIZES.entries()) {
        gl.enableVertexAttribArray(location);
        gl.vertexAttribPointer(location, size, gl.FLOAT, false, 4 * VERTEX_FLOATS, offset);
        offset += 4 * size;
      }
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers[1]!);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, part.indices, gl.STATIC_DRAW);
      for (const location of [6, 7]) {
        gl.enableVertexAttribArray(location);
        gl.vertexAttribDivisor(location, 1);
      }
      const texture = part.image ? this.#texture(part.image) : this.#white;
      const targetTexture = part.targets ? this.#floatTexture(part.targets) : this.#noTargets;
      return { ...part, array, buffers, texture, targetTexture };
    });
    gl.bindVertexArray(null);
  }

  render(frame: Frame): void {
    const gl = this.#gl;
    if (gl.isContextLost()) return;
    this.#upload(frame);
    gl.viewport(0, 0, frame.width, frame.height);
    gl.clear(gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    gl.bindVertexArray(null);
    gl.disable(gl.DEPTH_TEST);
    this.#use('sky');
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.enable(gl.DEPTH_TEST);
    this.#use('ground');
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    if (frame.printCount > 0 && this.#programs.print) this.#footprints(frame);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.#palette);
    this.#shadows(frame);
    this.#draw('figure', frame);
    // Nobody has left a print before the first frame: that one does not wait for these.
    this.#programs.print ??= this.#program(GLSL_PRINT);
  }

  /** On the ground, so without depth: nothing else is drawn yet. */
  #footprints(frame: Frame): void {
    const gl = this.#gl;
    this.#use('print');
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
    this.#draw('shadow', frame);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
    gl.disable(gl.STENCIL_TEST);
  }

  #draw(pass: 'figure' | 'shadow', frame: Frame): void {
    const gl = this.#gl;
    this.#use(pass);
    for (const mesh of this.#meshes) {
      const ranges = rangesOf(mesh, frame);
      if (ranges.length === 0) continue;
      gl.uniform4f(this.#materials.get(pass)!, mesh.alphaCutoff, mesh.morphRow, 0, 0);
      gl.activeTexture(gl.TEXTURE1);
      gl.bindTexture(gl.TEXTURE_2D, mesh.texture);
      gl.activeTexture(gl.TEXTURE2);
      gl.bindTexture(gl.TEXTURE_2D, mesh.targetTexture);
      gl.bindVertexArray(mesh.array);
      gl.bindBuffer(gl.ARRAY_BUFFER, this.#instances);
      for (const { first, count } of ranges) {
        const stride = 4 * INSTANCE_FLOATS;
        gl.vertexAttribPointer(6, 4, gl.FLOAT, false, stride, stride * first);
        gl.vertexAttribPointer(7, 4, gl.FLOAT, false, stride, stride * first + 16);
        gl.drawElementsInstanced(gl.TRIANGLES, mesh.indices.length, gl.UNSIGNED_INT, 0, count);
      }
    }
    gl.bindVertexArray(null);
  }

  /** Writes what has changed; matrices straight from WebAssembly memory. */
  #upload(frame: Frame): void {
    const gl = this.#gl;
    gl.bindBuffer(gl.UNIFORM_BUFFER, this.#camera);
    gl.bufferData(gl.UNIFORM_BUFFER, uniforms(frame), gl.DYNAMIC_DRAW);
    gl.bindBufferRange(gl.UNIFORM_BUFFER, 0, this.#camera, 0, 4 * UNIFORM_FLOATS);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#instances);
    gl.bufferData(gl.ARRAY_BUFFER, frame.instances, gl.DYNAMIC_DRAW);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.#palette);
    const line = 4 * PALETTE_WIDTH;
    const lines = frame.palettes.reduce((most, { row, numbers }) => Math.max(most, row / PALETTE_WIDTH + Math.ceil(numbers.length / line)), 1);
    if (lines > this.#lines) {
      this.#lines = Math.min(Math.ceil(1.25 * lines) + 2, Math.max(lines, gl.getParameter(gl.MAX_TEXTURE_SIZE) as number));
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, PALETTE_WIDTH, this.#lines, 0, gl.RGBA, gl.FLOAT, null);
      this.#exactly();
    }
    for (const { row, numbers } of frame.palettes) {
      const [first, whole] = [row / PALETTE_WIDTH, Math.floor(numbers.length / line)];
      const rest = numbers.length / 4 - whole * PALETTE_WIDTH;
      if (whole > 0) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, first, PALETTE_WIDTH, whole, gl.RGBA, gl.FLOAT, numbers, 0);
      if (rest > 0) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, first + whole, rest, 1, gl.RGBA, gl.FLOAT, numbers, whole * line);
    }
  }
}
