//! The viewer in a program of one's own: `cargo run --release -p canter-view --example viewer [FILE]`.

use std::path::{Path, PathBuf};

use canter_scene::Model;
use canter_view::{Session, ViewOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    let file = std::env::args_os().nth(1).map_or_else(|| assets.join("hero.glb"), PathBuf::from);
    let session = Session::load(&file)?;
    let sword = Model::load(assets.join("sword.glb"))?;
    canter_view::run(session, ViewOptions { sword, screenshots: PathBuf::new(), software: false })?;
    Ok(())
}
