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
    let (mut ratios, mut sums) = (Vec::new(), [Duration::ZERO; 2]);
    println!("{:>10} {:>10} {:>7}  model (microseconds, best of {ROUNDS} rounds)", "canter", "gltf", "ratio");
    for model in manifest["models"].as_array().expect("a list of models") {
        let path = root.join(model["file"].as_str().expect("a path"));
        let name = model["name"].as_str().unwrap_or("?");
        let (mut ours, mut theirs) = (Duration::MAX, Duration::MAX);
        // In turns, so that both meet the same noise.
        for _ in 0..ROUNDS {
            ours = ours.min(time(|| load(&path)));
            theirs = theirs.min(time(|| {
                black_box(import(&path).is_ok());
            }));
        }
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        if let Err(error) = import(&path) {
            println!("{:>10.0} {:>10} {:>7}  {name} ({error})", micros(ours), "refused", "-");
            continue;
        }
        let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
        ratios.push(ratio);
        sums = [sums[0] + ours, sums[1] + theirs];
        println!("{:>10.0} {:>10.0} {ratio:>7.2}  {name}", micros(ours), micros(theirs));
    }
    #[expect(clippy::cast_precision_loss, reason = "a few dozen models")]
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    let worst = ratios.iter().copied().fold(0.0, f64::max);
    let sum = sums[0].as_secs_f64() / sums[1].as_secs_f64();
    println!(
        "ratio: {sum:.2} of all times, {mean:.2} on average, {worst:.2} at worst, over {} models",
        ratios.len()
    );
}

fn load(path: &Path) {
    let asset = canter_gltf::load_with(path, &LoadOptions::default().without_images());
    black_box(asset.expect("the model loads"));
}

/// What `gltf::import` does, without its images.
fn import(path: &Path) -> gltf::Result<()> {
    let gltf = gltf::Gltf::open(path)?;
    let buffers = gltf::import_buffers(&gltf.document, path.parent(), gltf.blob)?;
    black_box((gltf.document, buffers));
    Ok(())
}

fn time(work: impl Fn()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}
