import { wgslSkinningStorageMat3x4 } from 'canter/shaders';

import { normalize } from './math.js';
import { SUN, VERTEX_FLOATS, type Frame, type Part, type Renderer } from './renderer.js';
import { WGSL_FIGURE, WGSL_GROUND, WGSL_LOOK } from './shading.js';

type Pass = 'figure' | 'shadow' | 'ground' | 'print' | 'sky';

const SAMPLES = 4;
const DEPTH_FORMAT = 'depth24plus-stencil8';
/** Numbers of the camera's uniforms. */
const CAMERA_FLOATS = 28;

interface Mesh extends Part {
  vertexBuffer: GPUBuffer;
  indexBuffer: GPUBuffer;
  texture: GPUBindGroup;
  camera: GPUBindGroup;
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
  readonly #cameras = new Map<number, { buffer: GPUBuffer; group: GPUBindGroup }>();
  #palette: { buffer: GPUBuffer; group: GPUBindGroup } | undefined;
  #instances: GPUBuffer | undefined;
  #prints: GPUBuffer | undefined;
  #instanceData = new Float32Array(4);
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
    const both = GPUShaderStage.VERTEX | GPUShaderStage.FRAGMENT;
    this.#layouts = [
      device.createBindGroupLayout({ entries: [{ binding: 0, visibility: both, buffer: {} }] }),
      device.createBindGroupLayout({ entries: [{ binding: 0, visibility: GPUShaderStage.VERTEX, buffer: { type: 'read-only-storage' } }] }),
      device.createBindGroupLayout({
        entries: [
          { binding: 0, visibility: GPUShaderStage.FRAGMENT, texture: {} },
          { binding: 1, visibility: GPUShaderStage.FRAGMENT, sampler: {} },
        ],
      }),
    ];
    this.#sampler = device.createSampler({ magFilter: 'linear', minFilter: 'linear', addressModeU: 'repeat', addressModeV: 'repeat' });
    const figure = device.createShaderModule({ code: wgslSkinningStorageMat3x4 + WGSL_LOOK + WGSL_FIGURE });
    const ground = device.createShaderModule({ code: WGSL_LOOK + WGSL_GROUND });
    this.#pipelines = {
      figure: this.#pipeline(figure, 'figure'),
      shadow: this.#pipeline(figure, 'shadow'),
      ground: this.#pipeline(ground, 'ground'),
      print: this.#pipeline(ground, 'print'),
      sky: this.#pipeline(ground, 'sky'),
    };
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
    const attributes = [3, 3, 4, 2, 4, 4].map((size, shaderLocation): GPUVertexAttribute => {
      const attribute = { shaderLocation, offset, format: `float32x${size}` as GPUVertexFormat };
      offset += 4 * size;
      return attribute;
    });
    const buffers: GPUVertexBufferLayout[] = [
      { arrayStride: 4 * VERTEX_FLOATS, attributes },
      { arrayStride: 16, stepMode: 'instance', attributes: [{ shaderLocation: 6, offset: 0, format: 'float32x4' }] },
    ];
    const printPlaces: GPUVertexBufferLayout = {
      arrayStride: 16, stepMode: 'instance', attributes: [{ shaderLocation: 0, offset: 0, format: 'float32x4' }],
    };
    return this.#device.createRenderPipeline({
      layout: this.#device.createPipelineLayout({ bindGroupLayouts: isMesh ? this.#layouts : [this.#layouts[0]] }),
      vertex: { module, entryPoint: name, buffers: isMesh ? buffers : name === 'print' ? [printPlaces] : [] },
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

  #texture(image: ImageBitmap | undefined): GPUBindGroup {
    const size = image ? [image.width, image.height] : [1, 1];
    const usage = GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST | GPUTextureUsage.RENDER_ATTACHMENT;
    const texture = this.#device.createTexture({ size, format: image ? 'rgba8unorm-srgb' : 'rgba8unorm', usage });
    if (image) this.#device.queue.copyExternalImageToTexture({ source: image }, { texture }, size);
    else this.#device.queue.writeTexture({ texture }, new Uint8Array([255, 255, 255, 255]), {}, [1, 1]);
    const entries = [{ binding: 0, resource: texture.createView() }, { binding: 1, resource: this.#sampler }];
    return this.#device.createBindGroup({ layout: this.#layouts[2], entries });
  }

  /** The camera's uniforms, with the alpha below which a material is not seen. */
  #camera(cutoff: number): { buffer: GPUBuffer; group: GPUBindGroup } {
    let camera = this.#cameras.get(cutoff);
    if (!camera) {
      const buffer = this.#buffer(new Float32Array(CAMERA_FLOATS), GPUBufferUsage.UNIFORM);
      const group = this.#device.createBindGroup({ layout: this.#layouts[0], entries: [{ binding: 0, resource: { buffer } }] });
      camera = { buffer, group };
      this.#cameras.set(cutoff, camera);
    }
    return camera;
  }

  setParts(parts: Part[]): void {
    for (const { vertexBuffer, indexBuffer } of this.#meshes) {
      vertexBuffer.destroy();
      indexBuffer.destroy();
    }
    const white = this.#texture(undefined);
    this.#meshes = parts.map((part) => ({
      ...part,
      vertexBuffer: this.#buffer(part.vertices, GPUBufferUsage.VERTEX),
      indexBuffer: this.#buffer(part.indices, GPUBufferUsage.INDEX),
      texture: part.image ? this.#texture(part.image) : white,
      camera: this.#camera(part.alphaCutoff).group,
    }));
  }

  render(frame: Frame): void {
    const palette = this.#upload(frame);
    const { color, depth } = this.#resize(frame.width, frame.height);
    const numbers = [...frame.clipFromWorld, ...frame.eye, 0, ...normalize(SUN), 0, frame.groundOffset[0], 0.012, frame.groundOffset[1], 0];
    const ground = this.#camera(0);
    for (const [cutoff, { buffer }] of this.#cameras) {
      numbers[19] = cutoff;
      this.#device.queue.writeBuffer(buffer, 0, new Float32Array(numbers));
    }
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
    pass.setBindGroup(0, ground.group);
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
    const first = mesh.hero ? 0 : 1;
    const count = (mesh.hero ? 1 : 0) + (mesh.crowd ? frame.memberCount : 0);
    if (count === 0) return;
    pass.setBindGroup(0, mesh.camera);
    pass.setBindGroup(2, mesh.texture);
    pass.setVertexBuffer(0, mesh.vertexBuffer);
    pass.setVertexBuffer(1, this.#instances!);
    pass.setIndexBuffer(mesh.indexBuffer, 'uint32');
    pass.drawIndexed(mesh.indices.length, count, 0, 0, first);
  }

  /** Writes the matrices, straight from WebAssembly memory, and where everybody stands. */
  #upload(frame: Frame): GPUBindGroup {
    const { queue } = this.#device;
    const bytes = frame.heroMatrices.byteLength + frame.crowdMatrices.byteLength;
    if (!this.#palette || this.#palette.buffer.size < bytes) {
      this.#palette?.buffer.destroy();
      const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
      const buffer = this.#device.createBuffer({ size: Math.ceil((1.5 * bytes) / 256) * 256, usage });
      const group = this.#device.createBindGroup({ layout: this.#layouts[1], entries: [{ binding: 0, resource: { buffer } }] });
      this.#palette = { buffer, group };
    }
    const { buffer, group } = this.#palette;
    queue.writeBuffer(buffer, 0, frame.heroMatrices);
    const crowd = frame.crowdMatrices as Float32Array<ArrayBuffer>;
    if (crowd.length > 0) queue.writeBuffer(buffer, frame.heroMatrices.byteLength, crowd);

    const floats = 4 * (frame.memberCount + 1);
    if (!this.#instances || this.#instanceData.length < floats) {
      this.#instanceData = new Float32Array(2 * floats);
      this.#instances?.destroy();
      this.#instances = this.#buffer(this.#instanceData, GPUBufferUsage.VERTEX);
    }
    const crowdStart = frame.heroMatrices.length / 4;
    this.#instanceData[2] = frame.heroYaw;
    for (let member = 0; member < frame.memberCount; member++) {
      for (let axis = 0; axis < 3; axis++) this.#instanceData[4 * member + 4 + axis] = frame.places[3 * member + axis]!;
      this.#instanceData[4 * member + 7] = crowdStart + member * frame.rowsPerMember;
    }
    queue.writeBuffer(this.#instances, 0, this.#instanceData, 0, floats);
    return group;
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
