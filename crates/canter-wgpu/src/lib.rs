//! Canter on the GPU, for renderers of yours ([a page of the guide](../guide/start/wgpu.html) shows it step by step):
//! they bring device, queue and pipelines; this brings
//!
//! - [`PaletteBuffer`], the palettes of all characters of a frame in one piece of memory and one write, in a
//!   uniform buffer, a storage buffer or a texture ([`PaletteLayout::choose`] decides by what a character has
//!   and what the device can);
//! - [`SkinningShader`], the text of the functions that morph and skin a vertex, in WGSL and in GLSL ES 3.00;
//! - [`MorphTexture`], the morph targets of a mesh.
//!
//! And for those who have no renderer, a small one: [`Renderer`] draws a [`canter_scene::Scene`], or other
//! [`Figure`](canter_scene::Figure)s, into any texture view.
//!
//! The same calculation on the CPU is `canter_scene::PosedVertices`: the specification, the fallback, and
//! what the tests compare the GPU with, on Vulkan and on GL under the limits of WebGL2.
//!
//! In a browser it runs on WebGPU, and on WebGL2 where a program turns on wgpu's feature `webgl`; the example
//! `browser` does both.
//!
//! The text of the shaders needs neither a GPU nor wgpu: with `default-features = false` this crate depends
//! on the core alone, and with the feature `glsl` on naga, which translates.
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
//!
//! | feature | gives |
//! |---|---|
//! | `renderer` (default) | whole scenes drawn |
//! | `wgpu` | buffers and textures on a device of yours |
//! | `glsl` | the shaders in GLSL ES 3.00 as well |
#![forbid(unsafe_code)]

#[cfg(feature = "wgpu")]
mod choose;
#[cfg(feature = "wgpu")]
mod morph_texture;
#[cfg(feature = "wgpu")]
mod palette_buffer;
mod palette_layout;
#[cfg(feature = "renderer")]
mod renderer;
mod shader;

#[cfg(feature = "wgpu")]
pub use morph_texture::{MorphTexture, MorphsTooLarge};
#[cfg(feature = "wgpu")]
pub use palette_buffer::{Block, BlockPlace, PaletteBuffer, PaletteError};
pub use palette_layout::{BlockSize, PaletteFormat, PaletteLayout, PaletteLocation};
#[cfg(feature = "renderer")]
pub use renderer::{
    DeviceLost, FrameStats, Headless, HeadlessError, Offscreen, Renderer, RendererOptions, Shadows, Target,
};
pub use shader::{Binding, JointsPerVertex, SkinningShader};
#[cfg(feature = "glsl")]
pub use shader::{GlslError, GlslText};
