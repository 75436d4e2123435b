//! Prints a number for every frame of fifteen seconds, for each file given: crossfades and masked actions,
//! then also layers, additive clips and the other kinds of fades; then for every frame of ten seconds in which
//! it goes by root motion, with clips in step and their markers. The tests of the npm package compare its
//! builds with this one, bit for bit.
#![allow(clippy::print_stdout, reason = "a program that prints")]

use std::sync::Arc;

use canter::{
    AdditiveReference, Clip, Fade, JointMask, Layer, LayerId, Mat3x4, Mixer, ModelPose, Play, Pose, SyncGroup,
};
use canter_gltf::{Asset, LoadOptions};

const FRAMES: usize = 900;
/// Longer than a fade, shorter than most clips.
const FRAMES_PER_CLIP: usize = 45;
/// In between, the clip is played once more, on a part of the skeleton.
const FRAMES_TO_MASKED: usize = 20;
/// When layers join in; clips are taken in turns from then on, too, but with the other kinds of fades.
const LAYERS_FROM: usize = 450;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args().skip(1) {
        let mut hashes = hashes(&canter_gltf::load(&path)?);
        let options = LoadOptions::default().with_root_motion();
        hashes.extend(travelling_hashes(&canter_gltf::load_with(&path, &options)?));
        let hashes: Vec<_> = hashes.iter().map(|hash| format!("{hash:08x}")).collect();
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
    let mut layers = None;
    let mut frames = Vec::with_capacity(FRAMES);
    for frame in 0..FRAMES {
        let clip = asset.clips.get(frame / FRAMES_PER_CLIP % asset.clips.len().max(1));
        if frame == LAYERS_FROM {
            layers = Some(Layers::new(asset, &mut mixer, mask.as_deref()));
        }
        if let Some(layers) = &layers {
            layers.direct(asset, &mut mixer, frame);
        }
        let kind = [Fade::cross(0.3), Fade::inertial(0.3), Fade::dead(0.3)];
        let fade = kind[if layers.is_some() { frame / FRAMES_PER_CLIP % 3 } else { 0 }];
        match (clip, frame % FRAMES_PER_CLIP) {
            (Some(clip), 0) => drop(mixer.crossfade_to(clip, fade)),
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

const TRAVELLING_FRAMES: usize = 600;

/// Clips whose way was taken out of them, in turns, in step by markers or in a cycle or not at all; some by
/// their speed over the ground; in short steps, long ones, and some that take no time.
fn travelling_hashes(asset: &Asset) -> Vec<u32> {
    let skeleton = &asset.skeleton;
    let mut mixer = Mixer::new(skeleton);
    let mut pose = Pose::rest(skeleton);
    let mut model = ModelPose::rest(skeleton);
    let mut frames = Vec::with_capacity(TRAVELLING_FRAMES);
    for frame in 0..TRAVELLING_FRAMES {
        let turn = frame / FRAMES_PER_CLIP;
        // A clip has the same settings whenever it comes: JavaScript's actions keep theirs.
        let index = turn % asset.clips.len().max(1);
        if let Some(clip) = asset.clips.get(index).filter(|_| frame % FRAMES_PER_CLIP == 0) {
            let sync = [Some(SyncGroup::by_markers(0)), Some(SyncGroup::cyclic(1)), None][index % 7 % 3];
            let ground_speed = Some(1.5).filter(|_| index % 2 == 1 && clip.speed_over_ground(1.5).is_some());
            let fade = [Fade::cross(0.4), Fade::inertial(0.3), Fade::dead(0.3)][turn / 4 % 3];
            mixer.crossfade_to(clip, Play { sync, ground_speed, fade, ..Play::default() });
        }
        mixer.advance(match frame % 50 {
            7 => 0.0,
            20 => 0.4,
            _ => 1.0 / 60.0,
        });
        mixer.sample(&mut pose);
        model.compose(skeleton, &pose);
        let mut hash = Hash(0x811c_9dc5);
        hash.matrices(model.joints());
        let step = mixer.root_motion();
        hash.numbers(&step.transform.to_mat4().to_cols_array());
        hash.numbers(&step.velocity.extend(step.yaw_rate).to_array());
        for event in mixer.markers() {
            event.name.bytes().for_each(|byte| hash.word(byte.into()));
            hash.word(event.kind as u32);
            hash.word(u32::from(event.is_backward));
            hash.word(i32::try_from(event.loops).unwrap_or(i32::MAX).cast_unsigned());
            hash.numbers(&[event.weight, event.secs_ago]);
        }
        frames.push(hash.0);
    }
    frames
}

/// Layers above: one over a part of the skeleton, and one that adds.
struct Layers {
    upper: LayerId,
    adding: LayerId,
    /// Of each clip, if there is one.
    additive: Vec<Option<Arc<Clip>>>,
}

impl Layers {
    fn new(asset: &Asset, mixer: &mut Mixer, mask: Option<&JointMask>) -> Self {
        let mask = mask.map_or_else(|| JointMask::all(&asset.skeleton), JointMask::clone);
        let upper = mixer.add_layer(Layer::over(mask.feathered(&asset.skeleton, 2)).with_weight(0.75));
        let adding = mixer.add_layer(Layer::additive());
        let additive = asset.clips.iter().enumerate().map(|(index, clip)| {
            let of_first = AdditiveReference::Clip { clip: &asset.clips[0], secs: 0.25 };
            let reference = [AdditiveReference::Rest, AdditiveReference::FirstKey, of_first][index % 3];
            clip.additive(reference).ok().map(Arc::new)
        });
        Self { upper, adding, additive: additive.collect() }
    }

    /// What they play, with fades of all kinds that interrupt each other.
    fn direct(&self, asset: &Asset, mixer: &mut Mixer, frame: usize) {
        let (turn, clips) = (frame / FRAMES_PER_CLIP, asset.clips.len().max(1));
        let fade = [Fade::dead(0.4), Fade::cross(0.2), Fade::inertial(0.25)][turn % 3];
        let clip = |after: usize| asset.clips.get((turn + after) % clips);
        if let Some(mut upper) = mixer.layer_mut(self.upper) {
            match (frame % FRAMES_PER_CLIP, clip(1), clip(2)) {
                (5, Some(clip), _) | (15, _, Some(clip)) => drop(upper.crossfade_to(clip, fade)),
                (35, ..) => upper.fade_out(fade),
                (25, ..) => _ = upper.fade_weight(if turn % 2 == 0 { 0.5 } else { 1.0 }, 0.3),
                _ => {}
            }
        }
        let additive = self.additive.get(turn % clips).and_then(Option::as_ref);
        if let (10, Some(clip), Some(mut adding)) =
            (frame % FRAMES_PER_CLIP, additive, mixer.layer_mut(self.adding))
        {
            drop(adding.crossfade_to(clip, fade));
        }
    }
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
            self.word(number.to_bits());
        }
    }

    fn word(&mut self, word: u32) {
        self.0 = (self.0 ^ word).wrapping_mul(16_777_619);
    }
}
