//! `cargo xtask assets`: builds the figures that the project ships, bit for bit the same everywhere.
//!
//! Distance fields ([`hero`], [`sword`]) are meshed ([`mesher`], [`decimate`]), bound to a skeleton
//! ([`rig`], [`weights`]), animated ([`controls`], [`gait`], [`clips`]) and written ([`glb`]).
#![allow(
    clippy::cast_possible_truncation,
    reason = "counts are small, and values are in range before they are rounded to what files hold"
)]

mod character;
mod clips;
mod colour;
mod controls;
mod decimate;
mod fingers;
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
mod surface;
mod sword;
mod weights;

use std::path::Path;

use anyhow::{Context as _, Result, bail};

/// Everyone who clones the repository downloads these files.
const LARGEST_FILE: usize = 1_000_000;

/// `--check` compares with the committed files and writes nothing.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let check = match arguments {
        [] => false,
        [flag] if flag == "--check" => true,
        _ => bail!("usage: cargo xtask assets [--check]"),
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets");
    for (name, bytes) in [("hero.glb", character::build()?), ("sword.glb", sword::build()?)] {
        let path = folder.join(name);
        if check {
            let committed = std::fs::read(&path).with_context(|| format!("assets/{name} cannot be read"))?;
            if bytes.len() >= LARGEST_FILE {
                bail!("assets/{name} has {} bytes; {LARGEST_FILE} are too many", bytes.len());
            }
            if committed != bytes {
                bail!(
                    "assets/{name} is not what the code builds; run `cargo xtask assets` and commit the result"
                );
            }
            println!("assets/{name}: as built, {} bytes", bytes.len());
        } else {
            std::fs::write(&path, &bytes).with_context(|| format!("assets/{name} cannot be written"))?;
            println!("assets/{name}: {} bytes", bytes.len());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn committed_files_are_what_the_code_builds() {
        run(&["--check".into()]).unwrap();
    }
}
