//! What the loader promises, on real models, broken ones, and ones that are made here.

mod add_clips;
mod expected;
#[cfg(feature = "extras")]
mod extras;
mod hostile;
mod malformed;
mod motion;
mod mutation;
#[cfg(feature = "write")]
mod optimize;
mod promises;
mod resolver;
#[cfg(feature = "write")]
mod write;
