//! One asset, shared by characters on all cores.
//!
//! Under `ThreadSanitizer`, which needs a nightly compiler with `rust-src`:
//!
//! ```text
//! RUSTFLAGS=-Zsanitizer=thread cargo +nightly test -Zbuild-std --target x86_64-unknown-linux-gnu --test threads
//! ```

use std::sync::{Arc, Barrier};

use canter::{Mat3x4, Mixer, ModelPose, Play, Pose};
use canter_gltf::{Asset, LoadError, LoadOptions};

const fn is_shared<T: Send + Sync + 'static>() {}

/// Checked when this compiles.
const _: () = {
    is_shared::<Asset>();
    is_shared::<LoadError>();
    is_shared::<LoadOptions>();
};

const CHARACTERS: usize = 1_000;
const FRAMES: usize = 4;

/// Plays some characters for some frames; returns what the last frame of each looked like.
fn play(asset: &Asset, characters: std::ops::Range<usize>) -> Vec<Vec<Mat3x4>> {
    let (skeleton, skin) = (&asset.skeleton, &asset.skins[0]);
    let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::rest(skeleton));
    let mut palettes = Vec::new();
    for character in characters {
        let mut mixer = Mixer::new(skeleton);
        // The first use of a clip compiles it: here many threads want that at once.
        mixer.play(&asset.clips[character % asset.clips.len()], Play::default());
        mixer.crossfade_to(&asset.clips[(character + 1) % asset.clips.len()], 0.3);
        let mut palette = vec![Mat3x4::IDENTITY; skin.len()];
        for _ in 0..FRAMES {
            mixer.advance(1.0 / 60.0);
            mixer.sample(&mut pose);
            model.compose(skeleton, &pose);
            skin.write_palette(&model, &mut palette);
        }
        palettes.push(palette);
    }
    palettes
}

#[test]
fn a_thousand_characters_on_all_cores_share_one_asset() {
    let load = || canter_gltf::load_bytes(include_bytes!("../assets/hero.glb")).expect("the project's file");
    let alone = play(&load(), 0..CHARACTERS);
    let asset = Arc::new(load());
    let threads = std::thread::available_parallelism().map_or(1, usize::from).max(4);
    let (start, chunk) = (Barrier::new(threads), CHARACTERS.div_ceil(threads));
    let together: Vec<Vec<Mat3x4>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|thread| {
                let (asset, start) = (&asset, &start);
                scope.spawn(move || {
                    start.wait();
                    play(asset, thread * chunk..((thread + 1) * chunk).min(CHARACTERS))
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no thread panics")).collect()
    });
    assert_eq!(together, alone);
}
