//! The same job as it is usually written: an array of structs, one track after another, slerp by glam.

use canter::glam::{Mat4, Quat, Vec3};
use canter::{Mixer, ModelPose, Play, Pose, Transform};

use super::DT_SECS;
use super::rig::{JOINTS, Rig, Tracks, next_phase, weight};
use super::set_weights;

pub(crate) struct Character {
    secs: [f32; 2],
    poses: [Vec<Transform>; 2],
    model: Vec<Mat4>,
    palette: Vec<Mat4>,
    phase: f32,
}

impl Character {
    pub(crate) fn new(rig: &Rig, index: usize) -> Self {
        let joints = (0..JOINTS).filter_map(|joint| rig.skeleton.joint_from_source(joint));
        let rest: Vec<Transform> = joints.map(|joint| rig.skeleton.rest(joint)).collect();
        #[expect(clippy::cast_precision_loss, reason = "a small index")]
        let start_secs = index as f32 * 0.037;
        Self {
            secs: [0, 1].map(|clip| start_secs % rig.clips[clip].duration_secs()),
            poses: [rest.clone(), rest],
            model: vec![Mat4::IDENTITY; JOINTS],
            palette: vec![Mat4::IDENTITY; JOINTS],
            phase: 0.0,
        }
    }

    pub(crate) fn frame(&mut self, rig: &Rig) {
        self.phase = next_phase(self.phase);
        for clip in 0..2 {
            self.secs[clip] = (self.secs[clip] + DT_SECS) % rig.clips[clip].duration_secs();
            sample(&rig.tracks[clip], self.secs[clip], &mut self.poses[clip]);
        }
        self.compose(rig, weight(self.phase));
    }

    fn compose(&mut self, rig: &Rig, weight: f32) {
        let [a, b] = &self.poses;
        for joint in 0..JOINTS {
            let (a, b) = (a[joint], b[joint]);
            let side = if a.rotation.dot(b.rotation) < 0.0 { -1.0 } else { 1.0 };
            let rotation = (a.rotation * weight + b.rotation * ((1.0 - weight) * side)).normalize();
            let translation = a.translation * weight + b.translation * (1.0 - weight);
            let scale = a.scale * weight + b.scale * (1.0 - weight);
            let local = Mat4::from_scale_rotation_translation(scale, rotation, translation);
            self.model[joint] = match rig.parents[joint] {
                Some(parent) => self.model[parent] * local,
                None => local,
            };
            self.palette[joint] = self.model[joint] * rig.joint_from_mesh[joint];
        }
    }
}

fn sample(tracks: &Tracks, secs: f32, pose: &mut [Transform]) {
    for (joint, transform) in pose.iter_mut().enumerate() {
        // One search per track, as each track has its times.
        let vector = |keys: &[Vec3], otherwise: Vec3| match between(&tracks.secs, secs, keys.len()) {
            Some((key, alpha)) => keys[key].lerp(keys[key + 1], alpha),
            None => otherwise,
        };
        transform.translation = vector(&tracks.translations[joint], transform.translation);
        transform.scale = vector(&tracks.scales[joint], transform.scale);
        let turns: &[Quat] = &tracks.rotations[joint];
        if let Some((key, alpha)) = between(&tracks.secs, secs, turns.len()) {
            transform.rotation = turns[key].slerp(turns[key + 1], alpha);
        }
    }
}

fn between(times: &[f32], secs: f32, keys: usize) -> Option<(usize, f32)> {
    if keys == 0 {
        return None;
    }
    let key = times.partition_point(|time| *time <= secs).clamp(1, times.len() - 1) - 1;
    Some((key, (secs - times[key]) / (times[key + 1] - times[key])))
}

/// Both must calculate the same before they are compared.
pub(crate) fn check_agreement(rig: &Rig) {
    let mut plain = Character::new(rig, 5);
    let mut mixer = Mixer::new(&rig.skeleton);
    let (mut pose, mut model) = (Pose::rest(&rig.skeleton), ModelPose::rest(&rig.skeleton));
    let actions = [0, 1].map(|clip| {
        mixer.play(&rig.clips[clip], Play { start_secs: Some(plain.secs[clip]), ..Play::default() })
    });
    let mut palette = vec![Mat4::IDENTITY; JOINTS];
    for _ in 0..200 {
        plain.frame(rig);
        set_weights(&mut mixer, actions, weight(plain.phase));
        mixer.advance(DT_SECS);
        mixer.sample(&mut pose);
        model.compose(&rig.skeleton, &pose);
        rig.skin.write_palette(&model, &mut palette);
        for (ours, theirs) in palette.iter().zip(&plain.palette) {
            assert!(ours.abs_diff_eq(*theirs, 1e-4), "the implementations differ:\n{ours}\n{theirs}");
        }
    }
}
