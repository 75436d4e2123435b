//! What the loader promises, on real models, broken ones, and ones that are made here.

mod add_clips;
#[cfg(feature = "draco")]
mod draco;
mod expected;
mod extensions;
#[cfg(feature = "extras")]
mod extras;
mod hostile;
#[cfg(feature = "ktx2")]
mod ktx2;
mod malformed;
#[cfg(feature = "meshes")]
mod meshopt;
mod motion;
mod mutation;
#[cfg(feature = "write")]
mod optimize;
mod packing;
mod promises;
mod resolver;
mod verdicts;
#[cfg(feature = "write")]
mod write;
