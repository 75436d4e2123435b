//! Time to load every model of `../shared/assets`, against the `gltf` crate in the same run: `cargo bench -p canter-gltf`.
//!
//! Both read the file and its buffers, without images. The `gltf` crate stops there; Canter also decodes the meshes,
//! checks every number, and compiles the clips.
#![allow(clippy::print_stdout, reason = "a benchmark")]

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use canter_gltf::LoadOptions;

const ROUNDS: u32 = 25;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/assets");
    let Ok(manifest) = std::fs::read_to_string(root.join("manifest.json")) else {
        println!("{} is missing: nothing to measure", root.display());
        return;
    };
    let manifest: serde_json::Value = serde_json::from_str(&manifest).expect("the manifest is JSON");
    let mut ratios = Vec::new();
    println!("{:>10} {:>10} {:>7}  model (microseconds, best of {ROUNDS} rounds)", "canter", "gltf", "ratio");
    for model in manifest["models"].as_array().expect("a list of models") {
        let path = root.join(model["file"].as_str().expect("a path"));
        let (mut ours, mut theirs) = (Duration::MAX, Duration::MAX);
        // In turns, so that both meet the same noise.
        for _ in 0..ROUNDS {
            ours = ours.min(time(|| load(&path)));
            theirs = theirs.min(time(|| import(&path)));
        }
        let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
        ratios.push(ratio);
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        let name = model["name"].as_str().unwrap_or("?");
        println!("{:>10.0} {:>10.0} {ratio:>7.2}  {name}", micros(ours), micros(theirs));
    }
    #[expect(clippy::cast_precision_loss, reason = "a few dozen models")]
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    let worst = ratios.iter().copied().fold(0.0, f64::max);
    println!("ratio: geometric mean {mean:.2}, worst {worst:.2} over {} models", ratios.len());
}

fn load(path: &Path) {
    let asset = canter_gltf::load_with(path, &LoadOptions::default().without_images());
    black_box(asset.expect("the model loads"));
}

/// What `gltf::import` does, without its images. Models that it refuses are read without its validation.
fn import(path: &Path) {
    let gltf = gltf::Gltf::open(path).or_else(|_| {
        let file = std::fs::File::open(path).map_err(gltf::Error::Io)?;
        gltf::Gltf::from_reader_without_validation(file)
    });
    let gltf = gltf.expect("the model parses");
    let buffers = gltf::import_buffers(&gltf.document, path.parent(), gltf.blob.clone());
    black_box((gltf.document, buffers.expect("the buffers are there")));
}

fn time(work: impl Fn()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}
