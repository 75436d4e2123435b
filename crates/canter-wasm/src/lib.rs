//! Canter for the web. The npm package in `packages/canter` wraps these exports in TypeScript; nobody else calls them.
//!
//! The module imports nothing, so that it runs in every host, and it needs no generated glue: numbers go in and out as they are,
//! and all else through memory that belongs to this side.
//!
//! ```text
//! JavaScript  --numbers-->  exports  -->  Host { models, rigs, bands }  -->  canter, canter-gltf
//!             <--numbers--
//!   texts, files  --input-->  a buffer that was asked for first
//!   texts, lists  <--answer-- where they lie: address and length
//!   palettes, vertices        views straight on the module's memory
//! ```
//!
//! - `exports`: the functions that JavaScript sees; each is one call of the host.
//! - `host`: everything that JavaScript holds a number for, in `slab`s; the buffers for what is no number.
//! - `model`: a loaded file; `describe` tells JavaScript what is in it.
//! - `rig`: a posed skeleton with its palettes.
//! - `band`: mixers, one or a crowd of them; `action`: what is done to their actions.
// The same bits everywhere: nothing whose rounding depends on the system. Tests may use it.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod action;
mod band;
mod describe;
mod exports;
mod host;
mod model;
mod rig;
mod slab;
