//! Poses that a file's own clips lead through.

use std::sync::Arc;

use canter::{Clip, Mat3x4, Mixer, ModelPose, Play, Pose};

use super::Model;

/// A pose of the whole model.
pub(super) struct Instant {
    pub(super) pose: Pose,
    pub(super) model_pose: ModelPose,
    pub(super) palette: Vec<Mat3x4>,
}

/// About so many joints are posed in all, in no more poses than this.
const POSED_JOINTS: usize = 400_000;
const MOST_POSES: usize = 5000;
/// Of each clip, up to so many a second alone (of a short one no fewer than some), and so many mixed with others.
const PURE_PER_SEC: f32 = 30.0;
const FEWEST_PURE: usize = 16;
const MOST_MIXED: usize = 120;
/// Multiples of it leave no large gap between zero and one.
const GOLDEN: f32 = 0.618_034;

/// The rest pose, some instants of every clip, and clips mixed; of some clips if there are many.
pub(super) fn instants(model: &Model) -> Vec<Instant> {
    let asset = &model.asset;
    let count = (POSED_JOINTS / asset.skeleton.joint_count().max(1)).clamp(4, MOST_POSES);
    let clips = asset.clips.len().min(count);
    let mut instants = vec![instant(model, &[])];
    for index in 0..clips {
        let clip_at = |index: usize| &asset.clips[index % clips * asset.clips.len() / clips];
        let half = count / clips / 2;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "of a clip of any length, no more than can be counted"
        )]
        let dense = ((clip_at(index).duration_secs() * PURE_PER_SEC) as usize).max(FEWEST_PURE);
        let (pure, mixed) = (half.clamp(1, dense), if clips > 1 { half.min(MOST_MIXED) } else { 0 });
        for number in 0..pure {
            instants.push(instant(model, &[(clip_at(index), number as f32 / pure as f32)]));
        }
        for number in 0..mixed {
            let phase = number as f32 / mixed as f32;
            // With instants all over the next clips.
            let other_phase = (number as f32 * GOLDEN).fract();
            instants.push(instant(
                model,
                &[(clip_at(index), phase), (clip_at(index + 1 + number % 3), other_phase)],
            ));
        }
    }
    instants
}

/// Clips mixed, each at a part of its duration; the rest pose without any.
fn instant(model: &Model, clips: &[(&Arc<Clip>, f32)]) -> Instant {
    let skeleton = &model.asset.skeleton;
    let mut mixer = Mixer::new(skeleton);
    for (clip, phase) in clips {
        mixer.play(clip, Play { start_secs: Some(clip.duration_secs() * phase), ..Play::default() });
    }
    let mut pose = Pose::rest(skeleton);
    mixer.sample(&mut pose);
    let mut model_pose = ModelPose::rest(skeleton);
    model_pose.compose(skeleton, &pose);
    let mut palette = vec![Mat3x4::IDENTITY; model.palette_len()];
    model.write_palette(&model_pose, &mut palette);
    Instant { pose, model_pose, palette }
}
