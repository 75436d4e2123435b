//! The job as it is usually written: an array of structs, one track after another, interpolation by glam.
//!
//! It interpolates as any of the others do, so that each can be compared with it.

use canter::Transform;
use glam::{Mat4, Quat, Vec3};

use crate::job::{DT_SECS, Job, Weight, start_secs};
use crate::rig::{Keys, Rig};

/// How rotations are interpolated.
#[derive(Clone, Copy)]
pub(crate) struct Mix {
    /// Between two keys: slerp, or else numbers one by one, normalised.
    pub(crate) keys_by_slerp: bool,
    /// Between the two clips.
    pub(crate) clips_by_slerp: bool,
}

impl Mix {
    pub(crate) const LIKE_CANTER: Self = Self { keys_by_slerp: true, clips_by_slerp: false };
    pub(crate) const LIKE_BEVY: Self = Self { keys_by_slerp: true, clips_by_slerp: true };
    pub(crate) const LIKE_FYROX: Self = Self { keys_by_slerp: false, clips_by_slerp: false };
}

pub(crate) struct Characters<'a> {
    rig: &'a Rig,
    mix: Mix,
    weight: Weight,
    characters: Vec<Character>,
}

struct Character {
    secs: [f32; 2],
    poses: [Vec<Transform>; 2],
    model: Vec<Mat4>,
    palette: Vec<Mat4>,
}

impl<'a> Characters<'a> {
    pub(crate) fn new(rig: &'a Rig, count: usize, mix: Mix) -> Self {
        let character = |index| Character {
            secs: [0, 1].map(|clip| start_secs(index) % rig.keys[clip].length_secs()),
            poses: [rig.rest.clone(), rig.rest.clone()],
            model: vec![Mat4::IDENTITY; rig.joints()],
            palette: vec![Mat4::IDENTITY; rig.joints()],
        };
        Self { rig, mix, weight: Weight::default(), characters: (0..count).map(character).collect() }
    }
}

impl Job for Characters<'_> {
    fn name(&self) -> &'static str {
        "plain"
    }

    fn frame(&mut self) {
        let weight = self.weight.next();
        for character in &mut self.characters {
            for clip in 0..2 {
                let keys = &self.rig.keys[clip];
                character.secs[clip] = (character.secs[clip] + DT_SECS) % keys.length_secs();
                sample(keys, character.secs[clip], self.mix, &mut character.poses[clip]);
            }
            character.compose(self.rig, self.mix, weight);
        }
    }

    fn palette(&self, character: usize) -> Vec<Mat4> {
        self.characters[character].palette.clone()
    }
}

impl Character {
    fn compose(&mut self, rig: &Rig, mix: Mix, weight: f32) {
        let [a, b] = &self.poses;
        for joint in 0..self.model.len() {
            let (a, b) = (a[joint], b[joint]);
            let rotation = if mix.clips_by_slerp {
                a.rotation.slerp(b.rotation, 1.0 - weight)
            } else {
                let side = if a.rotation.dot(b.rotation) < 0.0 { -1.0 } else { 1.0 };
                (a.rotation * weight + b.rotation * ((1.0 - weight) * side)).normalize()
            };
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

fn sample(keys: &Keys, secs: f32, mix: Mix, pose: &mut [Transform]) {
    for (joint, transform) in pose.iter_mut().enumerate() {
        // One search per track, as each track has its times.
        let vector = |values: &[Vec3], otherwise: Vec3| match between(&keys.secs, secs, values.len()) {
            Some((key, alpha)) => values[key].lerp(values[key + 1], alpha),
            None => otherwise,
        };
        transform.translation = vector(&keys.translations[joint], transform.translation);
        transform.scale = vector(&keys.scales[joint], transform.scale);
        let turns: &[Quat] = &keys.rotations[joint];
        if let Some((key, alpha)) = between(&keys.secs, secs, turns.len()) {
            let (a, b) = (turns[key], turns[key + 1]);
            transform.rotation = if mix.keys_by_slerp { a.slerp(b, alpha) } else { a.lerp(b, alpha) };
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
