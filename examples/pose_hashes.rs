//! Prints a number for every frame of ten seconds of crossfades and masked actions, for each file given: the
//! tests of the npm package compare its builds with this one, bit for bit.
#![allow(clippy::print_stdout, reason = "a program that prints")]

use std::sync::Arc;

use canter::{JointMask, Mat3x4, Mixer, ModelPose, Play, Pose};
use canter_gltf::Asset;

const FRAMES: usize = 600;
/// Longer than a fade, shorter than most clips.
const FRAMES_PER_CLIP: usize = 45;
/// In between, the clip is played once more, on a part of the skeleton.
const FRAMES_TO_MASKED: usize = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args().skip(1) {
        let hashes: Vec<_> =
            hashes(&canter_gltf::load(path)?).iter().map(|hash| format!("{hash:08x}")).collect();
        println!("{}", hashes.join(" "));
    }
    Ok(())
}

fn hashes(asset: &Asset) -> Vec<u32> {
    let skeleton = &asset.skeleton;
    let mut mixer = Mixer::new(skeleton);
    let mut pose = Pose::rest(skeleton);
    let mut model = ModelPose::rest(skeleton);
    let mut palettes: Vec<_> = asset.skins.iter().map(|skin| vec![Mat3x4::IDENTITY; skin.len()]).collect();
    if let Some(clip) = asset.clips.first() {
        mixer.play(clip, Play::default());
    }
    let mask = skeleton.joint_at(skeleton.joint_count() / 2).zip(skeleton.joint_at(0)).map(|(top, root)| {
        let mut mask = JointMask::subtree(skeleton, top);
        mask.set(root, 0.25);
        Arc::new(mask)
    });
    let mut frames = Vec::with_capacity(FRAMES);
    for frame in 0..FRAMES {
        let clip = asset.clips.get(frame / FRAMES_PER_CLIP % asset.clips.len().max(1));
        match (clip, frame % FRAMES_PER_CLIP) {
            (Some(clip), 0) => drop(mixer.crossfade_to(clip, 0.3)),
            (Some(clip), FRAMES_TO_MASKED) => {
                let (mask, fade) = (mask.clone(), 0.1.into());
                mixer.play(clip, Play { speed: 1.5, weight: 0.5, fade, mask, ..Play::once() });
            }
            _ => {}
        }
        mixer.advance(1.0 / 60.0);
        mixer.sample(&mut pose);
        model.compose(skeleton, &pose);
        let mut hash = Hash(0x811c_9dc5);
        hash.matrices(model.joints());
        for (skin, palette) in asset.skins.iter().zip(&mut palettes) {
            skin.write_palette(&model, palette);
            hash.matrices(palette);
        }
        for morph in skeleton.morphs() {
            hash.numbers(pose.morph_weights(morph));
        }
        frames.push(hash.0);
    }
    frames
}

/// FNV-1a, a number at a time.
struct Hash(u32);

impl Hash {
    fn matrices(&mut self, matrices: &[Mat3x4]) {
        for matrix in matrices {
            self.numbers(matrix.rows.as_flattened());
        }
    }

    fn numbers(&mut self, numbers: &[f32]) {
        for number in numbers {
            self.0 = (self.0 ^ number.to_bits()).wrapping_mul(16_777_619);
        }
    }
}
