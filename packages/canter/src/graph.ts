/// <reference lib="esnext.disposable" preserve="true" />
/**
 * Graphs: what decides what plays. State machines and blend spaces as JSON, exact for any step of time.
 *
 * ```ts
 * import { loadGltf } from 'canter';
 * import { AnimationGraph } from 'canter/graph';
 *
 * const hero = await loadGltf('hero.glb', { motion: true });
 * const graph = await AnimationGraph.load('hero.graph.json', hero);
 * graph.parameters.set('forward', 1.4);
 * graph.update(1 / 60);
 * console.log(String(graph.explain()));
 * ```
 *
 * @module
 */
export { AnimationGraph, type GraphTarget } from './graph/animation-graph.js';
export type {
  AmountData, Blend1dData, Blend2dData, ConditionData, GraphData, LayerData, MachineData, MaskData, MotionData, ParameterData, ParameterKind,
  StateData, SyncGroupData, TransitionData,
} from './graph/data.js';
export { GraphError, type GraphFault, type GraphPlace } from './graph/error.js';
export {
  GraphEmitter, type GraphChainLimitEvent, type GraphEvent, type GraphEventMap, type GraphFinishedEvent, type GraphListener, type GraphMarkerEvent,
  type GraphStateEvent,
} from './graph/events.js';
export type {
  GraphExplanation, LayerExplanation, PlayedClip, RunningTransition, TakenTransition, WaitingTransition,
} from './graph/explanation.js';
export { GraphLayer } from './graph/layer.js';
export { GraphParameters, type GraphParameter } from './graph/parameters.js';
export { GraphSnapshot } from './graph/snapshot.js';
