//! The program, run as people and scripts run it.

mod bench;
mod check;
mod inspect;
mod program;
mod render;
mod sample;

/// Files that are made in memory.
#[allow(dead_code, reason = "the tests of the loader use all of it")]
#[path = "../../../canter-gltf/tests/suite/glb.rs"]
mod glb;
/// The real models beside the project.
#[allow(dead_code, reason = "the tests of the loader use all of it")]
#[path = "../../../canter-gltf/tests/suite/shared.rs"]
mod shared;
