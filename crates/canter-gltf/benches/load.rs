//! Time to load every model of `../shared/assets`, against the `gltf` crate in the same run: `cargo bench -p
//! canter-gltf`.
//!
//! None decodes images. `import` is what `gltf::import` does: it reads the file and its buffers, and checks
//! the JSON, but no number of a mesh or clip is looked at. `read` then copies these out with the crate's
//! readers, which is what a program that draws and plays them must do next. Canter does all of that at once,
//! checks every number, and mends what can be mended.
#![allow(clippy::print_stdout, reason = "a benchmark")]

use std::any::Any;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use canter_gltf::LoadOptions;
use gltf::animation::util::ReadOutputs;

const ROUNDS: u32 = 25;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/assets");
    let Ok(manifest) = std::fs::read_to_string(root.join("manifest.json")) else {
        println!("{} is missing: nothing to measure", root.display());
        return;
    };
    let manifest: serde_json::Value = serde_json::from_str(&manifest).expect("the manifest is JSON");
    let mut ratios: [Vec<f64>; 2] = Default::default();
    let mut sums = [Duration::ZERO; 3];
    println!("microseconds, best of {ROUNDS} rounds; ratios of Canter to either\n");
    println!("{:>10} {:>10} {:>7} {:>10} {:>7}  model", "canter", "import", "ratio", "read", "ratio");
    for model in manifest["models"].as_array().expect("a list of models") {
        let path = root.join(model["file"].as_str().expect("a path"));
        let name = model["name"].as_str().unwrap_or("?");
        let mut times = [Duration::MAX; 3];
        // In turns, so that all meet the same noise.
        for _ in 0..ROUNDS {
            times[0] = times[0].min(time(|| load(&path)));
            times[1] = times[1].min(time(|| drop(black_box(import(&path)))));
            times[2] = times[2].min(time(|| drop(black_box(read(&path)))));
        }
        let micros = times.map(|time| time.as_secs_f64() * 1e6);
        if let Err(error) = import(&path) {
            println!("{:>10.0} {:>10} {:>26}  {name} ({error})", micros[0], "refused", "");
            continue;
        }
        let ratio = [micros[0] / micros[1], micros[0] / micros[2]];
        for (which, ratio) in ratio.into_iter().enumerate() {
            ratios[which].push(ratio);
        }
        for (sum, time) in sums.iter_mut().zip(times) {
            *sum += time;
        }
        println!(
            "{:>10.0} {:>10.0} {:>7.2} {:>10.0} {:>7.2}  {name}",
            micros[0], micros[1], ratio[0], micros[2], ratio[1]
        );
    }
    println!();
    for (which, name) in ["import", "read"].into_iter().enumerate() {
        let ratios = &ratios[which];
        #[expect(clippy::cast_precision_loss, reason = "a few dozen models")]
        let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
        let worst = ratios.iter().copied().fold(0.0, f64::max);
        let sum = sums[0].as_secs_f64() / sums[1 + which].as_secs_f64();
        println!(
            "ratio to {name}: {sum:.2} of all times, {mean:.2} on average, {worst:.2} at worst, over {} models",
            ratios.len()
        );
    }
}

fn load(path: &Path) {
    let asset = canter_gltf::load_with(path, &LoadOptions::default().without_images());
    black_box(asset.expect("the model loads"));
}

/// What `gltf::import` does, without its images.
fn import(path: &Path) -> gltf::Result<(gltf::Document, Vec<gltf::buffer::Data>)> {
    let gltf = gltf::Gltf::open(path)?;
    let buffers = gltf::import_buffers(&gltf.document, path.parent(), gltf.blob)?;
    Ok((gltf.document, buffers))
}

/// The same, and everything that Canter has in memory then, as lists: those of vertices, skins and clips.
fn read(path: &Path) -> gltf::Result<Vec<Box<dyn Any>>> {
    let (document, buffers) = import(path)?;
    let bytes = |buffer: gltf::Buffer<'_>| buffers.get(buffer.index()).map(|data| &data.0[..]);
    let mut lists = Lists::default();
    for primitive in document.meshes().flat_map(|mesh| mesh.primitives()) {
        let reader = primitive.reader(bytes);
        lists.keep(reader.read_positions());
        lists.keep(reader.read_normals());
        lists.keep(reader.read_tangents());
        lists.keep(reader.read_colors(0).map(|colors| colors.into_rgba_f32()));
        lists.keep(reader.read_indices().map(|indices| indices.into_u32()));
        for set in 0..8 {
            lists.keep(reader.read_tex_coords(set).map(|coords| coords.into_f32()));
        }
        for set in 0..4 {
            lists.keep(reader.read_joints(set).map(|joints| joints.into_u16()));
            lists.keep(reader.read_weights(set).map(|weights| weights.into_f32()));
        }
        for (positions, normals, tangents) in reader.read_morph_targets() {
            lists.keep(positions);
            lists.keep(normals);
            lists.keep(tangents);
        }
    }
    for skin in document.skins() {
        lists.keep(skin.reader(bytes).read_inverse_bind_matrices());
    }
    for channel in document.animations().flat_map(|animation| animation.channels()) {
        let reader = channel.reader(bytes);
        lists.keep(reader.read_inputs());
        match reader.read_outputs() {
            Some(ReadOutputs::Translations(values) | ReadOutputs::Scales(values)) => lists.keep(Some(values)),
            Some(ReadOutputs::Rotations(values)) => lists.keep(Some(values.into_f32())),
            Some(ReadOutputs::MorphTargetWeights(values)) => lists.keep(Some(values.into_f32())),
            None => {}
        }
    }
    Ok(lists.0)
}

#[derive(Default)]
struct Lists(Vec<Box<dyn Any>>);

impl Lists {
    fn keep<T: 'static>(&mut self, values: Option<impl Iterator<Item = T>>) {
        if let Some(values) = values {
            self.0.push(Box::new(values.collect::<Vec<_>>()));
        }
    }
}

fn time(work: impl Fn()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}
