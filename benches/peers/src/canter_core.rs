//! The job with the crate `canter`: every character with stages of its own, and all of them as a crowd.

use std::sync::Arc;

use canter::{ActionId, Crowd, Mat3x4, Mixer, ModelPose, Play, Pose};
use glam::Mat4;

use crate::job::{DT_SECS, Job, Weight, start_secs};
use crate::rig::Rig;

/// Plays all clips of a rig, from where the character starts.
pub(crate) fn start(mixer: &mut Mixer, rig: &Rig, character: usize) -> Vec<ActionId> {
    let start_secs = Some(start_secs(character));
    rig.clips.iter().map(|clip| mixer.play(clip, Play { start_secs, ..Play::default() })).collect()
}

/// The first clip has the weight, the others share the rest.
pub(crate) fn set_weights(mixer: &mut Mixer, actions: &[ActionId], weight: f32) {
    let others = (1.0 - weight) / (actions.len().max(2) - 1) as f32;
    for (index, action) in actions.iter().enumerate() {
        let weight = if index == 0 { weight } else { others };
        mixer.get_mut(*action).map(|mut action| action.set_weight(weight));
    }
}

pub(crate) struct Characters<'a> {
    rig: &'a Rig,
    weight: Weight,
    characters: Vec<Character>,
}

struct Character {
    mixer: Mixer,
    actions: Vec<ActionId>,
    pose: Pose,
    model: ModelPose,
    palette: Vec<Mat3x4>,
}

impl<'a> Characters<'a> {
    pub(crate) fn new(rig: &'a Rig, count: usize) -> Self {
        let character = |index| {
            let mut mixer = Mixer::new(&rig.skeleton);
            Character {
                actions: start(&mut mixer, rig, index),
                mixer,
                pose: Pose::rest(&rig.skeleton),
                model: ModelPose::rest(&rig.skeleton),
                palette: vec![Mat3x4::IDENTITY; rig.skin.len()],
            }
        };
        Self { rig, weight: Weight::default(), characters: (0..count).map(character).collect() }
    }
}

impl Job for Characters<'_> {
    fn name(&self) -> &'static str {
        "canter"
    }

    fn frame(&mut self) {
        let weight = self.weight.next();
        for character in &mut self.characters {
            set_weights(&mut character.mixer, &character.actions, weight);
            character.mixer.advance(DT_SECS);
            character.mixer.sample(&mut character.pose);
            character.model.compose(&self.rig.skeleton, &character.pose);
            self.rig.skin.write_palette(&character.model, &mut character.palette);
        }
    }

    fn palette(&self, character: usize) -> Vec<Mat4> {
        matrices(&self.characters[character].palette)
    }
}

pub(crate) struct OneCrowd {
    weight: Weight,
    crowd: Crowd,
    actions: Vec<Vec<ActionId>>,
}

impl OneCrowd {
    pub(crate) fn new(rig: &Rig, count: usize) -> Self {
        let mut crowd = Crowd::new(&rig.skeleton, vec![Arc::clone(&rig.skin)]);
        let actions = (0..count).map(|index| start(crowd.spawn(), rig, index)).collect();
        Self { weight: Weight::default(), crowd, actions }
    }
}

impl Job for OneCrowd {
    fn name(&self) -> &'static str {
        "canter, crowd"
    }

    fn frame(&mut self) {
        let weight = self.weight.next();
        for (mixer, actions) in self.crowd.mixers_mut().iter_mut().zip(&self.actions) {
            set_weights(mixer, actions, weight);
        }
        self.crowd.update(DT_SECS);
    }

    fn palette(&self, character: usize) -> Vec<Mat4> {
        let len = self.crowd.matrices_per_member();
        matrices(&self.crowd.palette()[character * len..(character + 1) * len])
    }
}

pub(crate) fn matrices(palette: &[Mat3x4]) -> Vec<Mat4> {
    palette.iter().map(|matrix| matrix.to_mat4()).collect()
}
