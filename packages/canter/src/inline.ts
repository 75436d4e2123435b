/**
 * The same as `canter`, with the WebAssembly module inside the scripts: for bundlers that leave files behind (esbuild, Rollup), and for
 * hosts that cannot fetch any. Where it is imported once, `canter` and `canter/three` use it, too. It needs WebAssembly with SIMD.
 *
 * @module
 */
import { useInlined } from './wasm-file.js';

useInlined({
  base: () => import('../dist/canter.simd.wasm.gz'),
  three: () => import('../dist/canter-three.simd.wasm.gz'),
  meshes: () => import('../dist/canter-meshes.simd.wasm.gz'),
});

export * from './index.js';
