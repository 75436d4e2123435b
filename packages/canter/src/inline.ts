/**
 * The same as `canter`, with the WebAssembly module inside the scripts: for bundlers that leave files behind (esbuild, Rollup), and for
 * hosts that cannot fetch any. Where it is imported once, `canter` and `canter/three` use it, too. It needs WebAssembly with SIMD.
 *
 * @module
 */
import { useInlined } from './wasm-file.js';

useInlined({
  0: () => import('../dist/canter.simd.wasm.gz'),
  1: () => import('../dist/canter-three.simd.wasm.gz'),
  2: () => import('../dist/canter-meshes.simd.wasm.gz'),
  3: () => import('../dist/canter-motion.simd.wasm.gz'),
});

export * from './index.js';
