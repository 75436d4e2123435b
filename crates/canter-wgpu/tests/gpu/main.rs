//! What the GPU does, on software Vulkan and on GL under the limits of WebGL2. (One program: devices are slow
//! to start.)
#![allow(clippy::print_stderr, reason = "a test that cannot run says so")]

mod animated;
mod crowd;
mod device;
mod file;
#[cfg(feature = "glsl")]
mod glsl;
mod materials;
mod meshes;
mod own_pipeline;
mod palettes;
mod pictures;
mod points;
mod skinning;
mod soft;
mod studio;
mod targets;
