import { wgslSkinningStorageMat3x4Morphs } from 'canter/shaders';

import {
  INSTANCE_FLOATS, PALETTE_WIDTH, rangesOf, UNIFORM_FLOATS, uniforms, VERTEX_FLOATS, VERTEX_SIZES, type Frame, type Part, type Renderer,
} from './renderer.js';
import { WGSL_FIGURE, WGSL_GROUND } from './shading.js';

type Pass = 'figure' | 'shadow' | 'ground' | 'print' | 'sky';

const SAMPLES = 4;
const DEPTH_FORMAT = 'depth24plus-stencil8';

interface Mesh extends Part {
  vertexBuffer: GPUBuffer;
  indexBuffer: GPUBuffer;
  /** What of it has to be given back besides. */
  owned: { destroy(): void }[];
  group: GPUBindGroup;
}

/** Draws with WebGPU: the matrices are in a storage buffer. */
export class WebGpuRenderer implements Renderer {
  readonly api = 'WebGPU';
  readonly isZeroToOne = true;
  readonly #device: GPUDevice;
  readonly #canvas: HTMLCanvasElement;
  readonly #context: GPUCanvasContext;
  readonly #format: GPUTextureFormat;
  readonly #layouts: [GPUBindGroupLayout, GPUBindGroupLayout, GPUBindGroupLayout];
  readonly #pipelines: Record<Pass, GPURenderPipeline>;
  readonly #sampler: GPUSampler;
  readonly #camera: { buffer: GPUBuffer; group: GPUBindGroup };
  readonly #white: GPUTexture;
  readonly #noTargets: GPUTexture;
  #palette: { buffer: GPUBuffer; group: GPUBindGroup } | undefined;
  #instances: GPUBuffer | undefined;
  #prints: GPUBuffer | undefined;
  #targets: { color: GPUTexture; depth: GPUTexture } | undefined;
  #meshes: Mesh[] = [];

  /** Undefined where there is no WebGPU. */
  static async create(canvas: HTMLCanvasElement, onLost: (message: string) => void): Promise<WebGpuRenderer | undefined> {
    const adapter = await navigator.gpu?.requestAdapter().catch(() => null);
    const device = await adapter?.requestDevice();
    if (!device) return undefined;
    void device.lost.then(({ message, reason }) => reason === 'destroyed' || onLost(message));
    device.onuncapturederror = ({ error }) => onLost(error.message);
    return new WebGpuRenderer(device, canvas);
  }

  private constructor(device: GPUDevice, canvas: HTMLCanvasElement) {
    this.#device = device;
    this.#canvas = canvas;
    this.#context = canvas.getContext('webgpu') as unknown as GPUCanvasContext;
    this.#format = navigator.gpu.getPreferredCanvasFormat();
    this.#context.configure({ device, format: this.#format, alphaMode: 'opaque' });
    const [both, inVertex, inFragment] = [GPUShaderStage.VERTEX | GPUShaderStage.FRAGMENT, GPUShaderStage.VERTEX, GPUShaderStage.FRAGMENT];
    this.#layouts = [
      device.createBindGroupLayout({ entries: [{ binding: 0, visibility: both, buffer: {} }] }),
      device.createBindGroupLayout({ entries: [{ binding: 0, visibility: inVertex, buffer: { type: 'read-only-storage' } }] }),
      device.createBindGroupLayout({
        entries: [
          { binding: 0, visibility: inVertex, texture: { sampleType: 'unfilterable-float' } },
          { binding: 1, visibility: inFragment, texture: {} },
          { binding: 2, visibility: inFragment, sampler: {} },
          { binding: 3, visibility: both, buffer: {} },
        ],
      }),
    ];
    this.#sampler = device.createSampler({ magFilter: 'linear', minFilter: 'linear', addressModeU: 'repeat', addressModeV: 'repeat' });
    const figure = device.createShaderModule({ code: wgslSkinningStorageMat3x4Morphs + WGSL_FIGURE });
    const ground = device.createShaderModule({ code: WGSL_GROUND });
    this.#pipelines = {
      figure: this.#pipeline(figure, 'figure'),
      shadow: this.#pipeline(figure, 'shadow'),
      ground: this.#pipeline(ground, 'ground'),
      print: this.#pipeline(ground, 'print'),
      sky: this.#pipeline(ground, 'sky'),
    };
    const buffer = this.#buffer(new Float32Array(UNIFORM_FLOATS), GPUBufferUsage.UNIFORM);
    this.#camera = { buffer, group: device.createBindGroup({ layout: this.#layouts[0], entries: [{ binding: 0, resource: { buffer } }] }) };
    this.#white = this.#texture(undefined);
    this.#noTargets = this.#floatTexture(new Float32Array(4));
  }

  #pipeline(module: GPUShaderModule, name: Pass): GPURenderPipeline {
    const isShadow = name === 'shadow';
    const isMesh = name === 'figure' || isShadow;
    const stencil: GPUStencilFaceState = isShadow ? { compare: 'equal', passOp: 'increment-clamp' } : {};
    const color: GPUColorTargetState = { format: this.#format };
    if (isShadow || name === 'print') {
      const component: GPUBlendComponent = { srcFactor: 'src-alpha', dstFactor: 'one-minus-src-alpha' };
      color.blend = { color: component, alpha: component };
    }
    let offset = 0;
    const attributes = VERTEX_SIZES.map((size, shaderLocation): GPUVertexAttribute => {
      const attribute = { shaderLocation, offset, format: `float32x${size}` as GPUVertexFormat };
      offset += 4 * size;
      return attribute;
    });
    const perInstance = (floats: number, first: number): GPUVertexBufferLayout => ({
      arrayStride: 4 * floats,
      stepMode: 'instance',
      attributes: Array.from({ length: floats / 4 }, (_, index) => ({ shaderLocation: first + index, offset: 16 * index, format: 'float32x4' })),
    });
    const buffers = isMesh ? [{ arrayStride: 4 * VERTEX_FLOATS, attributes }, perInstance(INSTANCE_FLOATS, 6)] : [];
    return this.#device.createRenderPipeline({
      layout: this.#device.createPipelineLayout({ bindGroupLayouts: isMesh ? this.#layouts : [this.#layouts[0]] }),
      vertex: { module, entryPoint: name, buffers: name === 'print' ? [perInstance(4, 0)] : buffers },
      fragment: { module, entryPoint: `${name}_color`, targets: [color] },
      primitive: { topology: name === 'ground' || name === 'print' ? 'triangle-strip' : 'triangle-list' },
      depthStencil: {
        format: DEPTH_FORMAT,
        depthWriteEnabled: name === 'figure' || name === 'ground',
        depthCompare: name === 'sky' || name === 'print' ? 'always' : 'less',
        stencilFront: stencil,
        stencilBack: stencil,
      },
      multisample: { count: SAMPLES },
    });
  }

  #buffer(data: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>, usage: number): GPUBuffer {
    const buffer = this.#device.createBuffer({ size: Math.max(data.byteLength, 16), usage: usage | GPUBufferUsage.COPY_DST });
    this.#device.queue.writeBuffer(buffer, 0, data);
    return buffer;
  }

  #texture(image: ImageBitmap | undefined): GPUTexture {
    const size = image ? [image.width, image.height] : [1, 1];
    const usage = GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST | GPUTextureUsage.RENDER_ATTACHMENT;
    const texture = this.#device.createTexture({ size, format: image ? 'rgba8unorm-srgb' : 'rgba8unorm', usage });
    if (image) this.#device.queue.copyExternalImageToTexture({ source: image }, { texture }, size);
    else this.#device.queue.writeTexture({ texture }, new Uint8Array([255, 255, 255, 255]), {}, [1, 1]);
    return texture;
  }

  /** Texels one after another; whole lines, if there are more than one. */
  #floatTexture(texels: Float32Array<ArrayBuffer>): GPUTexture {
    const count = texels.length / 4;
    const width = Math.min(count, PALETTE_WIDTH);
    const size = [width, count / width];
    const texture = this.#device.createTexture({
      size, format: 'rgba32float', usage: GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST,
    });
    this.#device.queue.writeTexture({ texture }, texels, { bytesPerRow: 16 * width }, size);
    return texture;
  }

  setParts(parts: Part[]): void {
    for (const { vertexBuffer, indexBuffer, owned } of this.#meshes) {
      for (const resource of [vertexBuffer, indexBuffer, ...owned]) resource.destroy();
    }
    this.#meshes = parts.map((part) => {
      const targets = part.targets ? this.#floatTexture(part.targets) : this.#noTargets;
      const texture = part.image ? this.#texture(part.image) : this.#white;
      const material = this.#buffer(new Float32Array([part.alphaCutoff, part.morphRow, 0, 0]), GPUBufferUsage.UNIFORM);
      const resources = [targets.createView(), texture.createView(), this.#sampler, { buffer: material }];
      return {
        ...part,
        vertexBuffer: this.#buffer(part.vertices, GPUBufferUsage.VERTEX),
        indexBuffer: this.#buffer(part.indices, GPUBufferUsage.INDEX),
        owned: [targets, texture, material].filter((resource) => resource !== this.#noTargets && resource !== this.#white),
        group: this.#device.createBindGroup({
          layout: this.#layouts[2], entries: resources.map((resource, binding) => ({ binding, resource })),
        }),
      };
    });
  }

  render(frame: Frame): void {
    const palette = this.#upload(frame);
    const { color, depth } = this.#resize(frame.width, frame.height);
    const encoder = this.#device.createCommandEncoder();
    const pass = encoder.beginRenderPass({
      colorAttachments: [
        { view: color.createView(), resolveTarget: this.#context.getCurrentTexture().createView(), loadOp: 'clear', storeOp: 'discard' },
      ],
      depthStencilAttachment: {
        view: depth.createView(),
        depthClearValue: 1,
        depthLoadOp: 'clear',
        depthStoreOp: 'discard',
        stencilLoadOp: 'clear',
        stencilStoreOp: 'discard',
      },
    });
    pass.setBindGroup(0, this.#camera.group);
    pass.setPipeline(this.#pipelines.sky);
    pass.draw(3);
    pass.setPipeline(this.#pipelines.ground);
    pass.draw(4);
    if (frame.printCount > 0) {
      this.#prints ??= this.#buffer(frame.prints, GPUBufferUsage.VERTEX);
      this.#device.queue.writeBuffer(this.#prints, 0, frame.prints);
      pass.setPipeline(this.#pipelines.print);
      pass.setVertexBuffer(0, this.#prints);
      pass.draw(4, frame.printCount);
    }
    pass.setBindGroup(1, palette);
    for (const name of ['shadow', 'figure'] as const) {
      pass.setPipeline(this.#pipelines[name]);
      for (const mesh of this.#meshes) this.#draw(pass, mesh, frame);
    }
    pass.end();
    this.#device.queue.submit([encoder.finish()]);
  }

  #draw(pass: GPURenderPassEncoder, mesh: Mesh, frame: Frame): void {
    const ranges = rangesOf(mesh, frame);
    if (ranges.length === 0) return;
    pass.setBindGroup(2, mesh.group);
    pass.setVertexBuffer(0, mesh.vertexBuffer);
    pass.setVertexBuffer(1, this.#instances!);
    pass.setIndexBuffer(mesh.indexBuffer, 'uint32');
    for (const { first, count } of ranges) pass.drawIndexed(mesh.indices.length, count, 0, 0, first);
  }

  /** Writes what has changed; matrices straight from WebAssembly memory. */
  #upload(frame: Frame): GPUBindGroup {
    const { queue } = this.#device;
    queue.writeBuffer(this.#camera.buffer, 0, uniforms(frame));
    const bytes = frame.palettes.reduce((most, { row, numbers }) => Math.max(most, 16 * row + numbers.byteLength), 16);
    if (!this.#palette || this.#palette.buffer.size < bytes) {
      this.#palette?.buffer.destroy();
      const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
      const most = this.#device.limits.maxStorageBufferBindingSize;
      const buffer = this.#device.createBuffer({ size: Math.max(bytes, Math.min(Math.ceil((1.25 * bytes) / 256) * 256, most)), usage });
      const group = this.#device.createBindGroup({ layout: this.#layouts[1], entries: [{ binding: 0, resource: { buffer } }] });
      this.#palette = { buffer, group };
    }
    for (const { row, numbers } of frame.palettes) {
      if (numbers.length > 0) queue.writeBuffer(this.#palette.buffer, 16 * row, numbers as Float32Array<ArrayBuffer>);
    }
    if (!this.#instances || this.#instances.size < frame.instances.byteLength) {
      this.#instances?.destroy();
      this.#instances = this.#device.createBuffer({
        size: 2 * frame.instances.byteLength, usage: GPUBufferUsage.VERTEX | GPUBufferUsage.COPY_DST,
      });
    }
    queue.writeBuffer(this.#instances, 0, frame.instances);
    return this.#palette.group;
  }

  #resize(width: number, height: number): { color: GPUTexture; depth: GPUTexture } {
    if (this.#targets?.color.width !== width || this.#targets.color.height !== height) {
      this.#targets?.color.destroy();
      this.#targets?.depth.destroy();
      const make = (format: GPUTextureFormat) =>
        this.#device.createTexture({ size: [width, height], format, sampleCount: SAMPLES, usage: GPUTextureUsage.RENDER_ATTACHMENT });
      this.#targets = { color: make(this.#format), depth: make(DEPTH_FORMAT) };
      [this.#canvas.width, this.#canvas.height] = [width, height];
    }
    return this.#targets;
  }
}
