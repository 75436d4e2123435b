//! glTF 2.0 characters for [`canter`]: the bytes of a .glb or .gltf file become an [`Asset`] of plain data. The
//! guide has pages on [using it](../guide/start/core.html) and on [files that are not in
//! order](../guide/howto/check-files.html); it is in `docs/guide` of the repository.
//!
//! ```no_run
//! use canter::{Mixer, Play};
//!
//! let asset = canter_gltf::load("hero.glb")?;
//! let mut mixer = Mixer::new(&asset.skeleton);
//! mixer.play(asset.clip("Walk")?, Play::default());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What it promises:
//! 1. **Foreign data is never trusted.** Every byte passes one checked reader. A broken file gets a
//!    [`LoadError`] with the JSON place, what was found and what was expected; one that can be mended loads
//!    with [`Warning`]s. No file makes it panic, hang, or ask for more memory than its size (or [`Limits`])
//!    justifies.
//! 2. **No file is opened but through a [`Resolver`].** The default one stays inside the folder of the .gltf.
//! 3. **The file's own order stays.** Node, skin, mesh and animation indices are indices of the asset's
//!    lists.
//!
//! The way of the data:
//!
//! ```text
//! bytes --glb--> JSON --schema--> Document --accessor--> numbers --> mesh, node, skin, clip, material --> Asset
//!                 BIN --buffers, meshopt--> views --^
//! ```
//!
//! # Features
//!
//! All are on unless said otherwise.
//!
//! | feature | gives |
//! |---|---|
//! | `files` | [`load`] opens files; without it everything comes from memory, as on the web |
//! | `meshes` | vertices, materials and images; without it a [`Mesh`] is a name and the weights of its morph targets |
//! | `draco` | meshes that are compressed by Draco (`KHR_draco_mesh_compression`), by draco-core, whose licence is Apache-2.0 alone; off |
//! | `ktx2` | [`decode_ktx2`]: pictures that are compressed by Basis Universal (`KHR_texture_basisu`), by ktx2 and basisu, whose licence is Apache-2.0 alone; off |
//! | `springs` | [`Asset::springs`]: the spring bones of VRM 1.0, as `canter-rig` takes them; off |
//! | `write` | [`Document`]: files that are changed and written again; off |
//! | `extras` | the `extras` of nodes, clips, scenes and the file; without it they are `None` |
// The same bits everywhere: nothing whose rounding depends on the system. Tests may use it.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(all(feature = "files", feature = "meshes")),
    allow(dead_code, reason = "what reads files and meshes has no callers then")
)]

mod accessor;
mod animated;
mod asset;
mod buffers;
mod clip;
mod count;
#[cfg(feature = "draco")]
mod draco;
mod error;
mod extensions;
mod glb;
mod info;
mod json;
mod ktx2;
mod limits;
mod load;
mod marker;
mod material;
mod mesh;
mod meshopt;
mod node;
#[cfg(feature = "write")]
mod optimize;
mod options;
mod place;
mod resolver;
mod root_motion;
mod schema;
mod skin;
mod source;
#[cfg(feature = "springs")]
mod springs;
mod texture;
mod transform;
mod uri;
mod warning;
#[cfg(feature = "write")]
mod write;

pub use animated::{AnimatedProperty, PropertyTarget, TextureSlot};
pub use asset::{AddClipsError, AddedClips, Asset, ClipKey, ClipNotFound, WantedClip, bind_clips};
pub use canter;
pub use error::LoadError;
pub use info::FileInfo;
pub use ktx2::{Ktx2Error, Picture, PictureLimits, decode_ktx2, is_ktx2};
pub use limits::Limits;
#[cfg(feature = "files")]
pub use load::{load, load_with, markers_path, read_model};
pub use load::{load_bytes, load_bytes_with};
pub use marker::MarkersError;
pub use material::{AlphaMode, Material, TextureRef};
pub use mesh::{Influences, Mesh, MorphTarget, Primitive, Topology};
pub use node::{Node, Scene};
#[cfg(feature = "write")]
pub use optimize::{ClipDistance, ClipReport, OptimizeOptions, Optimized, Unchanged, compare, optimize};
pub use options::LoadOptions;
#[cfg(feature = "files")]
pub use resolver::Folder;
pub use resolver::{NoFiles, Refusal, ResolveError, Resolver};
pub use root_motion::RootJoint;
#[cfg(feature = "springs")]
pub use springs::SpringBones;
pub use texture::{Filter, Image, Sampler, Texture, Wrap};
pub use warning::{Severity, Warning, WarningCode};
#[cfg(feature = "write")]
pub use write::{Document, GltfFiles, WriteError};
