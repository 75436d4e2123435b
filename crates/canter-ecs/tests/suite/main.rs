//! The promises of the crate, on a small rig.

mod allocations;
mod attachments;
mod changes;
mod crowd;
mod frame_palettes;
#[cfg(feature = "renderer")]
mod gpu_palettes;
mod graph;
mod layers;
mod markers;
mod player;
mod rig;
mod root_motion;
mod solvers;
mod stages;
mod warnings;
