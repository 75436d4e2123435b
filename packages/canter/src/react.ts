/**
 * Canter in react-three-fiber: `useAnimations` with the signature that drei has, and a crowd.
 *
 * ```tsx
 * const { scene, animations } = useGLTF('hero.glb');
 * const { ref, actions } = useAnimations(animations);
 * useEffect(() => void actions['Walk']?.reset().fadeIn(0.3).play(), [actions]);
 * return <primitive ref={ref} object={scene} />;
 * ```
 *
 * @module
 */
import { useFrame } from '@react-three/fiber';
import { createElement, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactElement, type Ref, type RefObject } from 'react';
import { Euler, Matrix4, Object3D, Quaternion, Vector3, type AnimationAction, type AnimationClip } from 'three';

import { AnimationMixer } from './three/animation-mixer.js';
import { CrowdMesh, type CrowdMeshOptions, type FigureOptions } from './three/crowd-mesh.js';

/** What `useAnimations` returns. */
export interface Animations<T extends AnimationClip = AnimationClip> {
  /** For the object that the clips move, if it was not given. */
  ref: RefObject<Object3D | null>;
  clips: T[];
  /** By the names of clips; null until the object is there. Made when they are asked for. */
  actions: { [name in T['name']]: AnimationAction | null };
  names: T['name'][];
  mixer: AnimationMixer;
}

/** Plays clips on an object, which is given or gets the `ref`. Updated in every frame; all ends when the component goes. */
export function useAnimations<T extends AnimationClip>(clips: T[], root?: RefObject<Object3D | null | undefined> | Object3D): Animations<T> {
  const own = useRef<Object3D | null>(null);
  const [ref] = useState<RefObject<Object3D | null>>(() => (root instanceof Object3D ? { current: root } : root ? (root as RefObject<Object3D | null>) : own));
  // The object is there after the first render; until then nothing plays.
  const [mixer] = useState(() => new AnimationMixer(undefined as unknown as Object3D));
  useLayoutEffect(() => {
    if (root) ref.current = root instanceof Object3D ? root : (root.current ?? null);
    (mixer as unknown as { _root: Object3D | null })._root = ref.current;
  });
  const api = useMemo(() => {
    const actions = {} as Animations<T>['actions'];
    for (const clip of clips) {
      Object.defineProperty(actions, clip.name, {
        enumerable: true,
        configurable: true,
        get: () => (ref.current ? mixer.clipAction(clip, ref.current) : null),
      });
    }
    return { ref, clips, actions, names: clips.map(({ name }) => name as T['name']), mixer };
  }, [clips, mixer, ref]);
  useFrame((_, delta) => void mixer.update(delta));
  useEffect(() => {
    const object = ref.current;
    return () => {
      mixer.stopAllAction();
      for (const clip of clips) if (object) mixer.uncacheAction(clip, object);
    };
  }, [clips, mixer, ref]);
  return api;
}

/** A figure of a crowd: what it plays, and where it stands. */
export interface CrowdFigure extends Omit<FigureOptions, 'matrix'> {
  position?: readonly [x: number, y: number, z: number];
  rotation?: readonly [x: number, y: number, z: number];
  scale?: number;
}

/** What a crowd is made of. */
export interface CrowdProps extends CrowdMeshOptions {
  model: Object3D;
  clips: AnimationClip[];
  figures: readonly CrowdFigure[];
  ref?: Ref<CrowdMesh>;
}

/** Many figures of a model: `<Crowd model={scene} clips={animations} figures={[{ clip: 'Walk', phase: 0.3, position: [1, 0, 0] }]} />`. */
export function Crowd({ model, clips, figures, capacity, tsl, ref }: CrowdProps): ReactElement | null {
  const [crowd, setCrowd] = useState<CrowdMesh | null>(null);
  const room = capacity ?? Math.max(figures.length, 1);
  useEffect(() => {
    let isGone = false;
    let made: CrowdMesh | undefined;
    CrowdMesh.create(model, clips, { capacity: room, ...(tsl && { tsl }) }).then(
      (one) => {
        if (isGone) return one.dispose();
        made = one;
        setCrowd(one);
      },
      (error: unknown) => console.error('Crowd:', error),
    );
    return () => {
      isGone = true;
      setCrowd(null);
      made?.dispose();
    };
  }, [model, clips, room, tsl]);
  useEffect(() => {
    if (!crowd) return;
    for (const figure of [...crowd.figures]) crowd.despawn(figure);
    for (const { position = [0, 0, 0], rotation = [0, 0, 0], scale = 1, ...how } of figures) {
      const turn = new Quaternion().setFromEuler(new Euler(...rotation));
      crowd.spawn({ ...how, matrix: new Matrix4().compose(new Vector3(...position), turn, new Vector3(scale, scale, scale)) });
    }
  }, [crowd, figures]);
  useFrame((_, delta) => void crowd?.update(delta));
  return crowd && createElement('primitive', { object: crowd, ref });
}
