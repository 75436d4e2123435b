//! The same bits everywhere: a minute of the hero, one number per frame.
//!
//! `tests/hero-minute.txt` has the numbers, one line for each frame; debug and release builds, any number of
//! threads, other CPUs and WebAssembly must all give them. What is played is simple enough to write down in
//! any language:
//!
//! 1. Load `assets/hero.glb`; take its clips in the file's order and its first skin.
//! 2. In each of 3,600 frames, counted from 0: if the count is a multiple of 90, `crossfade_to` clip number
//!    (count / 90) modulo the number of clips, in 0.3 s; `advance` by 1/60 (as `f32`); `sample`; `compose`;
//!    `write_palette` as `Mat4`.
//! 3. The number of a frame is the 32-bit FNV-1a hash of the bytes of the palette, floats in little-endian
//!    order: start with 0x811c9dc5; for each byte: exclusive or, then times 0x01000193. Written in eight
//!    hexadecimal digits.

use std::fmt::Write as _;
use std::path::Path;

use canter::glam::Mat4;
use canter::{Crowd, Mixer, ModelPose, Pose};
use canter_gltf::Asset;

const FRAMES: usize = 3_600;
const FRAMES_PER_CLIP: usize = 90;
const DT_SECS: f32 = 1.0 / 60.0;

fn hero() -> Asset {
    canter_gltf::load_bytes(include_bytes!("../assets/hero.glb")).expect("the project's own file")
}

fn direct(asset: &Asset, mixer: &mut Mixer, frame: usize) {
    if frame.is_multiple_of(FRAMES_PER_CLIP) {
        let clip = &asset.clips[frame / FRAMES_PER_CLIP % asset.clips.len()];
        mixer.crossfade_to(clip, 0.3);
    }
}

fn hash(palette: &[Mat4]) -> u32 {
    let bytes = palette.iter().flat_map(Mat4::to_cols_array).flat_map(f32::to_le_bytes);
    bytes.fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Of every frame.
fn minute(asset: &Asset) -> Vec<u32> {
    let (skeleton, skin) = (&asset.skeleton, &asset.skins[0]);
    let mut mixer = Mixer::new(skeleton);
    let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::rest(skeleton));
    let mut palette = vec![Mat4::ZERO; skin.len()];
    let frame = |frame| {
        direct(asset, &mut mixer, frame);
        mixer.advance(DT_SECS);
        mixer.sample(&mut pose);
        model.compose(skeleton, &pose);
        skin.write_palette(&model, &mut palette);
        hash(&palette)
    };
    (0..FRAMES).map(frame).collect()
}

/// With the variable `CANTER_BLESS` set, the file is written anew; say in the changelog why results have
/// changed.
#[test]
fn a_minute_of_the_hero_has_the_bits_that_it_always_had() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hero-minute.txt");
    let found = minute(&hero());
    if std::env::var_os("CANTER_BLESS").is_some() {
        let text = found.iter().fold(String::new(), |mut text, hash| {
            let _ = writeln!(text, "{hash:08x}");
            text
        });
        std::fs::write(&path, text).expect("a folder that can be written to");
    }
    let text = std::fs::read_to_string(&path).expect("it is part of the project");
    let expected: Vec<u32> = text.lines().map(|line| u32::from_str_radix(line, 16).unwrap()).collect();
    assert_eq!(expected.len(), FRAMES);
    if let Some(frame) = (0..FRAMES).find(|frame| found[*frame] != expected[*frame]) {
        panic!(
            "frame {frame} of the hero has other bits: {:08x}, expected {:08x}",
            found[frame], expected[frame]
        );
    }
}

/// Characters that started one after another go through the same frames. With the feature `rayon` all cores
/// take part.
#[test]
fn a_crowd_has_the_bits_of_its_characters() {
    const CHARACTERS: usize = 23;
    const LATER: usize = 7;
    let asset = hero();
    let expected = minute(&asset);
    let mut crowd: Crowd<Mat4> = Crowd::new(&asset.skeleton, vec![asset.skins[0].clone()]);
    let stride = asset.skins[0].len();
    for frame in 0..300 {
        if frame % LATER == 0 && crowd.len() < CHARACTERS {
            crowd.spawn();
        }
        for (character, mixer) in crowd.mixers_mut().iter_mut().enumerate() {
            direct(&asset, mixer, frame - character * LATER);
        }
        crowd.update(DT_SECS);
        for (character, palette) in crowd.palette().chunks_exact(stride).enumerate() {
            let own = frame - character * LATER;
            assert_eq!(hash(palette), expected[own], "character {character} in its frame {own}");
        }
    }
}
