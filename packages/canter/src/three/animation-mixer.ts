/// <reference lib="esnext.disposable" preserve="true" />
import {
  AnimationMixer as ThreeMixer,
  PropertyBinding,
  type AnimationAction,
  type AnimationClip,
  type AnimationMixerEventMap,
  type AnimationObjectGroup,
  type BaseEvent,
  type KeyframeTrack,
  type Object3D,
} from 'three';

import { ClipSampler } from './clip-sampler.js';
import { MarkerWatch } from './markers.js';
import { loadedModule, loadModule } from './module.js';
import { NodeTree } from './node-tree.js';
import { PoseBinding, type FindNode } from './pose-binding.js';
import { PropertyMix } from './property-mix.js';

/** The insides of three's actions and mixers that this stands on; the same since version 73. */
interface ActionInsides {
  _clip: AnimationClip;
  _localRoot: Object3D | null;
  _interpolants: unknown[];
  _propertyBindings: unknown[];
}

interface MixerInsides {
  _listeners?: Record<string, unknown[]>;
  _root: Object3D | AnimationObjectGroup;
  _actions: AnimationAction[];
  _nActiveActions: number;
  _bindAction(action: unknown, prototype?: unknown): void;
  _addInactiveBinding(binding: unknown, rootUuid: string, name: string): void;
  _activateAction(action: AnimationAction): void;
  _deactivateAction(action: AnimationAction): void;
  _removeInactiveBindingsForAction(action: AnimationAction): void;
  _removeInactiveBinding(binding: { _cacheIndex: number | null }): void;
}

const three = ThreeMixer.prototype as unknown as MixerInsides;

/** What an action has before and after its tracks are split. */
interface Split {
  interpolants: unknown[];
  pose: PoseBinding;
  rest: { _clip: { tracks: KeyframeTrack[] }; _localRoot: Object3D | null; _interpolants: unknown[]; _propertyBindings: unknown[] };
}

/**
 * three's `AnimationMixer`, whose clips are sampled and blended by WebAssembly, and whose model gets its matrices from there.
 *
 * It is three's own class: actions, times, weights, fades, loops and events are three's own code. Until the module is there, and for
 * whatever it does not play (materials, `visible`, morph targets, single components, smooth curves), so are the values.
 */
export class AnimationMixer extends ThreeMixer {
  readonly #mixes = new Map<Object3D, PropertyMix>();
  readonly #trees = new Map<Object3D, NodeTree>();
  readonly #splits = new WeakMap<object, Split>();
  readonly #markers = new MarkerWatch();
  #hasModule = false;

  /** Waits for the module, then makes a mixer: the first frame is already the module's. Clips that are given are prepared. */
  static async create(root: Object3D | AnimationObjectGroup, clips: readonly AnimationClip[] = []): Promise<AnimationMixer> {
    const runtime = await loadModule();
    for (const clip of clips) ClipSampler.of(runtime, clip);
    return new AnimationMixer(root);
  }

  constructor(root: Object3D | AnimationObjectGroup) {
    super(root);
    this.#hasModule = loadedModule() !== undefined;
  }

  get #inside(): MixerInsides {
    return this as unknown as MixerInsides;
  }

  override update(deltaTime: number): this {
    if (!this.#hasModule && loadedModule()) this.#takeOver();
    for (const mix of this.#mixes.values()) mix.begin();
    if (this.#inside._listeners?.['marker']?.length) this.#updateWithMarkers(deltaTime);
    else super.update(deltaTime);
    return this;
  }

  #updateWithMarkers(deltaTime: number): void {
    const { _actions } = this.#inside;
    this.#markers.begin(_actions, this.#inside._nActiveActions, deltaTime);
    super.update(deltaTime);
    for (const marker of this.#markers.end(_actions, this.#inside._nActiveActions)) super.dispatchEvent({ type: 'marker', ...marker });
  }

  /** @internal three.js tells here when an action begins again or ends. */
  override dispatchEvent<T extends Extract<keyof AnimationMixerEventMap, string>>(event: BaseEvent<T> & AnimationMixerEventMap[T]): void {
    if (event.type === 'loop' || event.type === 'finished') {
      const { action, loopDelta } = event as unknown as { action: AnimationAction; loopDelta?: number };
      this.#markers.told(action, loopDelta);
    }
    super.dispatchEvent(event);
  }

  /** Gives the memory back that the module has for it, and the model's matrices to three.js. Actions are forgotten. */
  dispose(): void {
    this.stopAllAction();
    for (const action of [...this.#inside._actions]) this.uncacheAction(action.getClip(), action.getRoot());
    for (const mix of this.#mixes.values()) mix.dispose();
    for (const tree of this.#trees.values()) tree.release();
    this.#mixes.clear();
    this.#trees.clear();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #takeOver(): void {
    this.#hasModule = true;
    this.#rebind();
  }

  /** Gives all actions their tracks anew; they go on where they are. */
  #rebind(): void {
    const { _actions, _nActiveActions } = this.#inside;
    const actions = [..._actions];
    const active = actions.slice(0, _nActiveActions);
    // In the opposite order, so that each property is put back to what it was at first.
    for (const action of [...active].reverse()) this.#inside._deactivateAction(action);
    for (const action of actions) {
      this.#inside._removeInactiveBindingsForAction(action);
      const inside = action as unknown as ActionInsides;
      inside._interpolants = this.#splits.get(action)?.interpolants ?? inside._interpolants;
      inside._propertyBindings = [];
      this.#splits.delete(action);
      this._bindAction(action);
    }
    for (const action of active) this.#inside._activateAction(action);
  }

  /** @internal three's mixer calls it for new actions, and for those that it had forgotten. */
  _bindAction(action: AnimationAction, prototype?: AnimationAction | null): void {
    const inside = action as unknown as ActionInsides;
    const root = (inside._localRoot ?? this.#inside._root) as Object3D;
    const split = this.#splits.get(action) ?? this.#split(action, root);
    if (!split) {
      // Another action of the clip may be split, and has its bindings in another order.
      three._bindAction.call(this, action, prototype && this.#splits.has(prototype) ? undefined : prototype);
      return;
    }
    this.#splits.set(action, split);
    const { pose, rest } = split;
    three._bindAction.call(this, rest);
    if (pose._cacheIndex === null) {
      pose.referenceCount++;
      this.#inside._addInactiveBinding(pose, root.uuid, pose.binding.path);
    }
    inside._interpolants = [pose, ...rest._interpolants];
    inside._propertyBindings = [pose, ...rest._propertyBindings];
  }

  /** @internal three.js leaves the old place in what it forgets, and fails when such an action plays again. */
  _removeInactiveBinding(binding: { _cacheIndex: number | null }): void {
    three._removeInactiveBinding.call(this, binding);
    binding._cacheIndex = null;
  }

  #split(action: AnimationAction, root: Object3D): Split | undefined {
    const runtime = loadedModule();
    if (!runtime || !root.isObject3D) return undefined;
    const clip = action.getClip();
    const sampler = ClipSampler.of(runtime, clip);
    let mix = this.#mixes.get(root);
    if (!mix) this.#mixes.set(root, (mix = new PropertyMix(runtime)));
    if (sampler.id !== 0 && !this.#trees.has(root)) {
      const tree = NodeTree.of(runtime, root);
      if (tree) this.#trees.set(root, tree);
      mix.useTree(tree);
    }
    const find = finder(root, this.#trees.get(root));
    let isTaken = false;
    for (const { nodeName, property } of sampler.left) {
      const node = find(nodeName);
      if (node?.isObject3D && mix.leave(node, property)) isTaken = true;
    }
    if (isTaken) this.#rebind();
    if (sampler.id === 0) return undefined;
    const pose = new PoseBinding(root, clip, mix, sampler, find);
    const interpolants = (action as unknown as ActionInsides)._interpolants;
    const isRest = (_: unknown, index: number) => !pose.isPlayed[index];
    const rest = {
      _clip: { tracks: clip.tracks.filter(isRest) },
      _localRoot: (action as unknown as ActionInsides)._localRoot,
      _interpolants: interpolants.filter(isRest),
      _propertyBindings: [],
    };
    return { interpolants, pose, rest };
  }
}

/** Finds nodes as three.js does, and most of them without searching. */
function finder(root: Object3D, tree: NodeTree | undefined): FindNode {
  return (name) => {
    const node = name === undefined || name === root.name || 'skeleton' in root ? undefined : tree?.named(name);
    return node ?? (PropertyBinding.findNode(root, name as string) as Object3D | null);
  };
}
