//! Layers above what plays: an attack over a run, breathing on top of everything.

use std::sync::Arc;

use canter::{
    Action, AdditiveReference, Clip, EventKind, JointId, JointMask, Layer, LayerId, LayerMode, LoopMode,
    Mixer, Play,
};
use canter_scene::NodeId;

use super::Session;
use super::playback::move_ahead;

/// A layer of the figure and its copies.
#[derive(Clone, Debug)]
pub struct SessionLayer {
    id: LayerId,
    mode: LayerMode,
    settings: LayerSettings,
    /// The clip that was played on it last.
    clip: Option<usize>,
    /// Additive clips that were made for it.
    additive: Vec<(usize, Reference, Arc<Clip>)>,
}

/// What can be changed about a layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerSettings {
    /// The joint that it moves, with all that hangs on it; `None` for all joints.
    pub top: Option<JointId>,
    /// Over how many joints below the top it comes in gradually.
    pub feather: usize,
    /// How strong it is, from 0 to 1.
    pub weight: f32,
    /// What happens at the end of its clips.
    pub loop_mode: LoopMode,
    /// The pose that its clips are differences from, if it is additive.
    pub reference: Reference,
}

/// The pose that an additive clip is the difference from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reference {
    /// Its own start.
    #[default]
    FirstKey,
    /// The rest pose.
    Rest,
    /// The start of another clip of the file.
    Clip(usize),
}

impl SessionLayer {
    /// Whether it covers what is below it, or adds to it.
    #[must_use]
    pub fn mode(&self) -> LayerMode {
        self.mode
    }

    /// What can be changed about it.
    #[must_use]
    pub fn settings(&self) -> LayerSettings {
        self.settings
    }

    /// Makes additive clips of a clip anew when they are next played.
    pub(super) fn forget_clip(&mut self, clip: usize) {
        self.additive.retain(|(index, reference, _)| *index != clip && *reference != Reference::Clip(clip));
    }

    /// The same of all clips.
    pub(super) fn forget_clips(&mut self) {
        self.additive.clear();
    }

    /// The clip that was played on it last.
    #[must_use]
    pub fn clip(&self) -> Option<usize> {
        self.clip
    }
}

impl Session {
    /// The longest feather that can be asked for.
    pub const LONGEST_FEATHER: usize = 12;

    /// The layers above what plays, from below.
    #[must_use]
    pub fn layers(&self) -> &[SessionLayer] {
        &self.layers
    }

    /// Adds a layer on top, for the picked joint and all that hangs on it, or else for all joints.
    pub fn add_layer(&mut self, mode: LayerMode) {
        let loop_mode = if mode == LayerMode::Over { LoopMode::Once } else { LoopMode::Repeat };
        let settings = LayerSettings {
            top: self.picked,
            feather: 0,
            weight: 1.0,
            loop_mode,
            reference: Reference::default(),
        };
        // The layers of a graph are its own.
        self.run_graph(false);
        let mut id = LayerId::BASE;
        for node in self.figures() {
            if let Some(character) = self.scene.character_mut(node) {
                // The copies are clones, and have the same layers: ids are the same.
                id = character.mixer.add_layer(Layer::new(mode));
            }
        }
        self.layers.push(SessionLayer { id, mode, settings, clip: None, additive: Vec::new() });
        self.apply_layer(self.layers.len() - 1);
    }

    /// Removes a layer at once.
    pub fn remove_layer(&mut self, index: usize) {
        if index < self.layers.len() {
            let id = self.layers.remove(index).id;
            self.each_mixer(|mixer, _| _ = mixer.remove_layer(id));
            self.update(0.0);
        }
    }

    /// Changes a layer. A weight that is not finite is refused; other numbers are brought into their range.
    pub fn set_layer(&mut self, index: usize, settings: LayerSettings) {
        let Some(layer) = self.layers.get_mut(index) else { return };
        let old = layer.settings;
        let weight = if settings.weight.is_finite() { settings.weight.clamp(0.0, 1.0) } else { old.weight };
        let feather = settings.feather.min(Self::LONGEST_FEATHER);
        layer.settings = LayerSettings { weight, feather, ..settings };
        self.apply_layer(index);
        if let (true, Some(clip)) = (old.reference != settings.reference, self.layers[index].clip) {
            self.play_on_layer(index, clip);
        }
    }

    fn apply_layer(&mut self, index: usize) {
        let SessionLayer { id, settings, .. } = self.layers[index];
        let skeleton = self.skeleton();
        let mask = settings
            .top
            .map(|top| Arc::new(JointMask::subtree(skeleton, top).feathered(skeleton, settings.feather)));
        self.each_mixer(|mixer, _| {
            if let Some(mut layer) = mixer.layer_mut(id) {
                layer.set_mask(mask.clone());
                layer.set_weight(settings.weight).ok();
            }
            for action in on_layer(mixer, id) {
                mixer.get_mut(action).into_iter().for_each(|mut it| it.set_loop_mode(settings.loop_mode));
            }
        });
        self.update(0.0);
    }

    /// Plays a clip of the file on a layer, from its start, and fades out what the layer played; `false` if
    /// that cannot be, which [`error`](Self::error) may explain.
    pub fn play_on_layer(&mut self, index: usize, clip: usize) -> bool {
        let Some(played) = self.clip_for_layer(index, clip) else { return false };
        let SessionLayer { id, settings, .. } = self.layers[index];
        let (fade, speed, loop_mode) = (self.fade(), self.speed, settings.loop_mode);
        self.each_mixer(|mixer, phase| {
            let old = on_layer(mixer, id);
            let play = Play { speed, loop_mode, fade, ..Play::default() };
            let action = mixer.layer_mut(id).and_then(|mut layer| layer.play(&played, play).ok());
            for id in old {
                mixer.fade_out(id, fade);
            }
            let action = action.filter(|_| loop_mode != LoopMode::Once).and_then(|id| mixer.get_mut(id));
            action.into_iter().for_each(|mut action| move_ahead(&mut action, phase));
        });
        self.layers[index].clip = Some(clip);
        self.is_playing = true;
        true
    }

    /// Fades out what a layer plays.
    pub fn fade_out_layer(&mut self, index: usize) {
        let fade = self.fade();
        let Some(layer) = self.layers.get_mut(index) else { return };
        layer.clip = None;
        let id = layer.id;
        self.each_mixer(|mixer, _| mixer.layer_mut(id).into_iter().for_each(|mut it| it.fade_out(fade)));
    }

    /// What a layer plays, unless that is on its way out.
    #[must_use]
    pub fn layer_action(&self, index: usize) -> Option<&Action> {
        let layer = self.figure().mixer.layer(self.layers.get(index)?.id)?;
        layer.actions().map(|(_, action)| action).find(|action| !action.is_fading_out())
    }

    /// How much of a joint a layer is, from 0 to 1.
    #[must_use]
    pub fn coverage(&self, index: usize, joint: JointId) -> f32 {
        let layer = self.layers.get(index).and_then(|layer| self.figure().mixer.layer(layer.id));
        layer.map_or(0.0, |layer| layer.coverage(joint)).clamp(0.0, 1.0)
    }

    /// The colour that shows how much of a joint a layer is, as bytes: from slate for nothing to red for all.
    #[must_use]
    pub fn coverage_color(&self, index: usize, joint: JointId) -> [u8; 3] {
        let linear = super::heat::color(self.coverage(index, joint));
        // Near enough to sRGB.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 255")]
        let byte = |channel: f32| (channel.clamp(0.0, 1.0).powf(1.0 / 2.2) * 255.0) as u8;
        linear.to_array().map(byte)
    }

    /// The clip as the layer needs it.
    fn clip_for_layer(&mut self, index: usize, clip: usize) -> Option<Arc<Clip>> {
        let clips = &self.clips;
        let (layer, found) = (self.layers.get_mut(index)?, clips.get(clip)?);
        if layer.mode == LayerMode::Over {
            return Some(Arc::clone(found));
        }
        let reference = layer.settings.reference;
        let known = layer.additive.iter().find(|(index, of, _)| (*index, *of) == (clip, reference));
        if let Some((.., additive)) = known {
            return Some(Arc::clone(additive));
        }
        let made = found.additive(match reference {
            Reference::FirstKey => AdditiveReference::FirstKey,
            Reference::Rest => AdditiveReference::Rest,
            Reference::Clip(other) => AdditiveReference::Clip { clip: clips.get(other)?, secs: 0.0 },
        });
        match made {
            Ok(additive) => {
                let additive = Arc::new(additive);
                layer.additive.push((clip, reference, Arc::clone(&additive)));
                Some(additive)
            }
            Err(error) => {
                self.error = Some(error.to_string());
                None
            }
        }
    }

    /// Lets clips that were played once fade out at their end: what is below comes back.
    pub(super) fn end_layers(&mut self) {
        if self.layers.is_empty() {
            return;
        }
        let ended: Vec<(NodeId, LayerId)> = (self.scene.events())
            .filter(|(_, event)| event.kind == EventKind::Finished)
            .map(|(node, event)| (node, event.action.layer()))
            .filter(|(_, layer)| *layer != LayerId::BASE)
            .collect();
        let fade = self.fade();
        for (node, id) in ended {
            if let Some(mut layer) = self.scene.character_mut(node).and_then(|it| it.mixer.layer_mut(id)) {
                layer.fade_out(fade);
            }
        }
    }

    /// The figure, then its copies.
    fn figures(&self) -> Vec<NodeId> {
        [self.figure].into_iter().chain(self.crowd.iter().copied()).collect()
    }
}

fn on_layer(mixer: &Mixer, id: LayerId) -> Vec<canter::ActionId> {
    mixer.actions().map(|(action, _)| action).filter(|action| action.layer() == id).collect()
}

#[cfg(test)]
mod tests;
