// What TypeScript's own declarations of WebGPU leave out: the flags, as far as they are used here.
declare const GPUShaderStage: { readonly VERTEX: number; readonly FRAGMENT: number };
declare const GPUBufferUsage: Readonly<Record<'COPY_DST' | 'INDEX' | 'STORAGE' | 'UNIFORM' | 'VERTEX', number>>;
declare const GPUTextureUsage: Readonly<Record<'COPY_DST' | 'RENDER_ATTACHMENT' | 'TEXTURE_BINDING', number>>;
