//! Canter on the GPU, for renderers of yours: the text of shaders that morph and skin, in WGSL and in GLSL ES 3.00.
//!
//! The text needs neither a GPU nor wgpu: with `default-features = false` this crate depends on the core alone, and with
//! the feature `glsl` on naga, which translates.
//!
//! ```
//! use canter_wgpu::{PaletteLayout, PaletteLocation, SkinningShader};
//!
//! let layout = PaletteLayout { location: PaletteLocation::Texture, ..PaletteLayout::default() };
//! let shader = SkinningShader { layout, morphs: true, ..SkinningShader::default() };
//! let wgsl: String = shader.wgsl();
//! # #[cfg(feature = "glsl")] {
//! let glsl: String = shader.glsl()?.text; // with the feature `glsl`
//! # }
//! # assert!(wgsl.contains("fn canter_skin("));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod palette_layout;
mod shader;

pub use palette_layout::{PaletteFormat, PaletteLayout, PaletteLocation};
pub use shader::{Binding, JointsPerVertex, SkinningShader};
#[cfg(feature = "glsl")]
pub use shader::{GlslError, GlslText};
