//! Makes the figures that the project ships, bit for bit the same everywhere; `cargo xtask assets` writes
//! them.
//!
//! Distance fields (`hero`, `sword`) are meshed (`mesher`, `decimate`), bound to a skeleton (`rig`,
//! `weights`), animated (`controls`, `gait`, `clips`) and written (`glb`).
#![allow(
    clippy::cast_possible_truncation,
    reason = "counts are small, and values are in range before they are rounded to what files hold"
)]

mod character;
mod clips;
mod coarser;
mod colour;
mod controls;
mod decimate;
mod fingers;
mod footfall;
mod frame;
mod gait;
mod glb;
mod gltf;
mod hero;
mod ik;
mod influences;
mod landmarks;
mod math;
mod mesh;
mod mesher;
mod part;
mod pose;
mod rig;
mod sdf;
mod secondary;
mod side;
mod springs;
mod surface;
mod sword;
mod weights;

/// A file of the folder `assets`.
#[derive(Clone, Debug)]
pub struct File {
    /// Its name.
    pub name: &'static str,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Makes all files.
///
/// # Errors
/// If a document cannot be written as JSON, which would be a fault of this crate.
pub fn build() -> anyhow::Result<[File; 2]> {
    Ok([
        File { name: "hero.glb", bytes: character::build()? },
        File { name: "sword.glb", bytes: sword::build()? },
    ])
}
