//! Pictures of a [`canter_scene`] scene without any graphics driver; see [the guide](../guide/start/scene.html#draw-it).
//!
//! Figures are morphed and skinned on the CPU, drawn with many samples per pixel, lit by a sun with a shadow
//! and by the sky, and set on a ground with a grid that fades. The same scene gives the same bytes, on one
//! thread or on many.
//!
//! ```
//! use canter::glam::DAffine3;
//! use canter_scene::{Character, Framing, Look, Model, Parent, Scene};
//! use canter_soft::SoftRenderer;
//!
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
//! let hero = Model::load("assets/hero.glb")?;
//! let mut scene = Scene::new();
//! scene.spawn(Character::new(&hero), Parent::World, DAffine3::IDENTITY)?;
//! scene.update(0.0);
//!
//! let mut framing = Framing::new(0.5, 0.2, 1.0);
//! framing.include_scene(&scene);
//! let picture = SoftRenderer::new().render(&scene, &framing.camera(), &Look::default(), 64, 64);
//! assert_eq!(picture.pixels.len(), 64 * 64 * 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The way of the data:
//!
//! ```text
//! Scene --surface--> posed triangles --shadow--> what the sun does not reach
//!                          |                           |
//!                          +--raster--> samples <--shade (textures, light)
//!                                          |
//!                    ground --> backdrop --+--> Picture <-- bones
//! ```
#![forbid(unsafe_code)]

mod bones;
mod color;
mod footprint;
mod ground;
mod light;
mod material;
mod picture;
mod projection;
mod raster;
mod renderer;
mod shade;
mod shadow;
mod surface;
mod texture;
mod varying;

pub use footprint::Footprint;
pub use picture::Picture;
pub use renderer::SoftRenderer;
