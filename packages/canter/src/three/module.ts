import { init, type Runtime } from '../runtime.js';

let runtime: Runtime | undefined;
let isAsked = false;

/** @internal The module, as soon as it is there. Asking for it fetches it. */
export function loadedModule(): Runtime | undefined {
  if (!isAsked) {
    isAsked = true;
    loadModule().catch((error: unknown) => {
      console.warn(`canter/three: the WebAssembly module cannot be loaded, three.js plays all clips itself: ${String(error)}`);
    });
  }
  return runtime;
}

/** Waits for the WebAssembly module; mixers that are made afterwards use it from their first frame. */
export async function loadModule(): Promise<Runtime> {
  isAsked = true;
  return (runtime = await init({ three: true }));
}
