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

/// More vertices are posed less often: about so many in all.
const POSED_VERTICES: usize = 500_000;

/// The rest pose and some instants of every clip, or of some clips if there are many.
pub(super) fn instants(model: &Model) -> Vec<Instant> {
    let asset = &model.asset;
    let vertices: usize = model.parts.iter().map(|part| model.primitive(part).positions.len()).sum();
    let count = (POSED_VERTICES / vertices.max(1)).clamp(16, 400);
    let clips = asset.clips.len().min(count);
    let mut instants = vec![instant(model, &[])];
    for index in 0..clips {
        let clip_at = |index: usize| &asset.clips[index % clips * asset.clips.len() / clips];
        let per_clip = (count / clips).clamp(6, 16);
        for number in 0..per_clip {
            let phase = number as f32 / per_clip as f32;
            instants.push(instant(model, &[(clip_at(index), phase)]));
            if clips > 1 && number % 4 == 1 {
                instants.push(instant(model, &[(clip_at(index), phase), (clip_at(index + 1), 1.0 - phase)]));
            }
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
    let mut palette = vec![Mat3x4::IDENTITY; model.palette_len];
    model.write_palette(&model_pose, &mut palette);
    Instant { pose, model_pose, palette }
}
