import { CanterError } from '../error.js';
import type { Exports, Runtime } from '../runtime.js';

/** @internal What the module with graphs and solvers exports beside the rest. */
export interface MotionExports extends Exports {
  graph_new(mixer: number): number;
  graph_clone(graph: number, mixer: number): number;
  graph_free(graph: number): void;
  graph_describe(graph: number): void;
  graph_update(graph: number, mixer: number, skeleton: number, dtSecs: number, wantsMarkers: number): number;
  graph_events(graph: number): void;
  graph_markers(graph: number): number;
  graph_root(graph: number): void;
  graph_time(graph: number): number;
  graph_set(graph: number, parameter: number, value: number): void;
  graph_get(graph: number, parameter: number): number;
  graph_state(graph: number, layer: number): number;
  graph_fade(graph: number, layer: number): number;
  graph_explain(graph: number, mixer: number): void;
  graph_history(graph: number): void;
  graph_travel(graph: number, state: number): number;
  graph_stop_travelling(graph: number, layer: number): void;
  graph_save(graph: number, mixer: number): number;
  graph_restore(graph: number, mixer: number, skeleton: number, snapshot: number): number;
  snapshot_free(snapshot: number): void;
  solver_new(asset: number, kind: number): number;
  solver_free(solver: number): void;
  solver_apply(solver: number, skeleton: number): number;
  solver_reset(solver: number, isJump: number): void;
  feet_ask(solver: number, skeleton: number): void;
  mirror_partner(solver: number, asset: number, bone: number): number;
  mirror_clip(solver: number, asset: number, clip: number): number;
  skeleton_place(skeleton: number): void;
}

/** @internal The exports of a runtime; an error if its module has neither graphs nor solvers. */
export function motionExports(runtime: Runtime): MotionExports {
  const exports = runtime._exports as MotionExports;
  if (typeof exports.graph_new !== 'function') {
    throw new CanterError(
      'this asset was loaded without graphs and solvers; give `motion: true` to `loadGltf`, or to `createRuntime`',
    );
  }
  return exports;
}
