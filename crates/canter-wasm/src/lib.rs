//! Canter for the web. The npm package in `packages/canter` wraps these exports in TypeScript; nobody else
//! calls them. [The guide](../guide/start/web.html) shows the package, which begins so:
//!
//! ```ts
//! import { AnimationMixer, loadGltf } from 'canter';
//!
//! const hero = await loadGltf('hero.glb');
//! const mixer = new AnimationMixer(hero);
//! mixer.play('Walk');
//! mixer.update(1 / 60);
//! ```
//!
//! The module imports nothing, so that it runs in every host, and it needs no generated glue: numbers go in
//! and out as they are, and everything else through memory that belongs to this side.
//!
//! ```text
//! JavaScript  --numbers-->  exports  -->  Host { assets, skeletons, mixers }  -->  canter, canter-gltf
//!             <--numbers--
//!   texts, files, masks  --input-->  a buffer that was asked for first
//!   texts, lists         <--answer-- where they are: address and length
//!   palettes, vertices               views straight on the module's memory
//! ```
//!
//! - `exports`: the functions that JavaScript sees; each is one call of the host.
//! - `host`: everything that JavaScript holds a number for, in `slab`s; the buffers for texts and lists.
//! - `asset`: a loaded file; `describe` tells JavaScript what is in it.
//! - `posed_skeleton`: what JavaScript calls a skeleton, with its pose and palettes.
//! - `mixers`: one mixer, or those of a crowd; `action` and `layer`: what is done to their
//!   actions and layers.
//! - `marker`: the markers of clips, and those that a step crossed; `root`: root motion.
//! - `property_mix` and `node_tree`: blending and matrices of nodes that JavaScript keeps, for three.js
//!   (feature `three`).
//! - `graph`: graphs that drive mixers; `rig`: solvers that correct poses; `reader`: what JavaScript wrote for both
//!   (feature `motion`).
// The same bits everywhere: nothing whose rounding depends on the system. Tests may use it.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(canter_web, feature(optimize_attribute))]

mod action;
mod asset;
mod describe;
mod exports;
#[cfg(feature = "motion")]
mod graph;
mod host;
mod layer;
mod marker;
mod mixers;
#[cfg(feature = "three")]
mod node_tree;
mod posed_skeleton;
#[cfg(feature = "three")]
mod property_mix;
#[cfg(feature = "motion")]
mod reader;
#[cfg(feature = "motion")]
mod rig;
mod root;
mod slab;
