//! The mirror: all clips left for right.

use std::sync::Arc;

use canter::{Clip, Mixer, Play};
use canter_rig::mirror;

use super::Session;
use super::playback::on_base;

impl Session {
    /// Whether clips are played left for right.
    #[must_use]
    pub fn is_mirrored(&self) -> bool {
        self.is_mirrored
    }

    /// Plays all clips left for right, or as they are in the file. What plays fades to its counterpart. If the
    /// figure has no sides, [`error`](Self::error) says so.
    pub fn set_mirrored(&mut self, is_mirrored: bool) -> bool {
        if self.is_mirrored == is_mirrored {
            return true;
        }
        let mirrored = match self.mirrored_clips() {
            Ok(clips) => clips,
            Err(error) => {
                self.error = Some(format!("{} cannot be mirrored: {error}", self.name));
                return false;
            }
        };
        self.is_mirrored = is_mirrored;
        let old = std::mem::replace(&mut self.clips, mirrored);
        self.choose_marker(None);
        if self.runs_graph() {
            self.rebuild_graph();
            return true;
        }
        let (new, play) = (self.clips.clone(), self.play());
        self.each_mixer(|mixer, _| exchange(mixer, &old, &new, &play));
        self.layers.iter_mut().for_each(super::SessionLayer::forget_clips);
        for index in 0..self.layers.len() {
            if let Some(clip) = self.layers[index].clip() {
                let is_playing = self.is_playing;
                self.play_on_layer(index, clip);
                self.is_playing = is_playing;
            }
        }
        self.update(0.0);
        true
    }

    fn mirrored_clips(&self) -> Result<Vec<Arc<Clip>>, canter::MirrorError> {
        let mirror = mirror::find(self.skeleton())?;
        self.clips.iter().map(|clip| mirror::clip(&mirror, clip).map(Arc::new)).collect()
    }
}

/// Fades from each clip that plays on the base to its counterpart, at the same time of it.
fn exchange(mixer: &mut Mixer, old: &[Arc<Clip>], new: &[Arc<Clip>], play: &Play) {
    let staying = on_base(mixer).filter(|(_, action)| !action.is_fading_out());
    let playing: Vec<_> = staying
        .filter_map(|(id, action)| {
            let index = old.iter().position(|clip| Arc::ptr_eq(clip, action.clip()))?;
            Some((id, index, action.time_secs(), action.weight()))
        })
        .collect();
    for (id, index, secs, weight) in playing {
        let counterpart = mixer.play(&new[index], play.clone());
        if let Some(mut action) = mixer.get_mut(counterpart) {
            // Both were finite where they came from.
            action.seek(secs).ok();
            action.set_weight(weight).ok();
        }
        mixer.fade_out(id, play.fade);
    }
}
