//! Writing: the original file, patched.
//!
//! - [`json`]: the tree of the text, which keeps what nobody looks at as it was written.
//! - [`document`]: a file, and how it becomes bytes again, and a file ([`save`]); [`buffer`] and [`pool`] are its data.
//! - [`animation`]: what is put into it: clips and markers.
//! - [`mesh`]: vertices that are equal become one; [`quantize`]: fewer bits for them.
//! - [`prune`]: taking away what nobody needs any more, which renumbers; [`extensions`] may forbid it. [`refs`] and
//!   [`view`] know where indices are, [`pack`] writes buffers anew, [`compress`] makes them smaller.

mod animation;
mod buffer;
mod compress;
mod document;
mod error;
mod extensions;
mod json;
mod mesh;
mod pack;
mod pool;
mod prune;
mod quantize;
mod refs;
mod save;
mod view;

pub(crate) use animation::{NewChannel, Values, ascending, target};
pub use document::{Document, GltfFiles};
pub use error::WriteError;
