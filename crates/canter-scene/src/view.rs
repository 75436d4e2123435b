//! From where and how a scene is seen: the same words for every renderer.

mod camera;
mod framing;
mod look;

pub use camera::Camera;
pub use framing::Framing;
pub use look::{Background, Ground, Look};
