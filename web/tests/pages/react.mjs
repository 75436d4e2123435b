// A program of react-three-fiber: a hero by useAnimations, and a crowd.
import { Crowd, useAnimations } from 'canter/react';
import { Canvas, useThree } from '@react-three/fiber';
import { createElement as h, useEffect, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { clone } from 'three/addons/utils/SkeletonUtils.js';

const seen = (window.seen = { errors: [], names: [], isNull: undefined, playing: '', heights: [], figures: 0, unmounted: false });
window.addEventListener('error', ({ message }) => seen.errors.push(message));
const { error } = console;
console.error = (...words) => { seen.errors.push(words.join(' ')); error(...words); };

function Hero({ model, animations, clip }) {
  const root = useMemo(() => clone(model), [model]);
  const { ref, actions, names, mixer, clips } = useAnimations(animations);
  seen.isNull ??= actions[clip] === null;
  useEffect(() => {
    seen.names = names;
    seen.isSame = clips === animations && mixer.getRoot() === root && mixer instanceof THREE.AnimationMixer;
    const action = actions[clip].reset().fadeIn(0.1).play();
    seen.playing = action.getClip().name;
    seen.mixer = mixer;
    seen.hand = root.getObjectByName('hand_R');
    return () => action.fadeOut(0.1);
  }, [actions, animations, clip, clips, mixer, names, root]);
  useEffect(() => () => { seen.unmounted = mixer.stats.actions.inUse === 0; }, [mixer]);
  return h('primitive', { object: root, ref });
}

/** The other way: the object is given. */
function Given({ model, animations }) {
  const root = useMemo(() => clone(model), [model]);
  const { actions, mixer } = useAnimations(animations, root);
  useEffect(() => { actions['Walk'].play(); seen.given = mixer.getRoot() === root; }, [actions, mixer, root]);
  return h('primitive', { object: root, position: [-1, 0, 0] });
}

function Watch() {
  const { scene } = useThree();
  seen.scene = scene;
  return null;
}

function App({ model, animations }) {
  const [state, setState] = useState({ clip: 'Walk', isHere: true, count: 3 });
  window.setState = (change) => setState((before) => ({ ...before, ...change }));
  const figures = useMemo(() => Array.from({ length: state.count }, (_, index) => ({ clip: 'Run', phase: index / 3, position: [index, 0, -1], rotation: [0, 0.3, 0], scale: 0.8 })), [state.count]);
  return h(Canvas, { camera: { position: [0, 1.5, 5] } },
    h('ambientLight', { intensity: 2 }), h('directionalLight', { position: [1, 2, 3] }), h(Watch),
    state.isHere && h(Hero, { model, animations, clip: state.clip }), h(Given, { model, animations }),
    h(Crowd, { model, clips: animations, figures, capacity: 8, ref: (crowd) => { seen.crowd = crowd; } }));
}

const { scene: model, animations } = await new GLTFLoader().loadAsync('hero.glb');
createRoot(document.getElementById('root')).render(h(App, { model, animations }));
window.isReady = true;
