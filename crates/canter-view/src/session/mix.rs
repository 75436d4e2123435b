//! Several clips at once, each as strong as its slider says.

use std::sync::Arc;

use canter::{ActionId, Clip, Fade, LayerId, Mixer, SyncGroup};

use super::Session;
use super::playback::{move_ahead, on_base, playing};

/// A clip that plays.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixed {
    /// Which of the file's clips.
    pub clip: usize,
    /// What it is called.
    pub name: String,
    /// How strong it was made.
    pub weight: f32,
    /// Its share in the pose, fades included: the shares of all clips add up to one.
    pub effective_weight: f32,
    /// Whether it is on its way out.
    pub is_leaving: bool,
}

impl Session {
    /// All clips that play, in the order of the file.
    #[must_use]
    pub fn mix(&self) -> Vec<Mixed> {
        let mixer = &self.figure().mixer;
        let mut mix: Vec<Mixed> = on_base(mixer)
            .filter(|(_, action)| action.is_started())
            .map(|(id, action)| Mixed {
                clip: self.index_of(action.clip()).unwrap_or(0),
                name: self.clip_name(self.index_of(action.clip()).unwrap_or(0)),
                weight: action.weight(),
                effective_weight: mixer.effective_weight(id).unwrap_or(0.0),
                is_leaving: action.is_fading_out(),
            })
            .collect();
        mix.sort_by_key(|mixed| mixed.clip);
        mix
    }

    /// Fades a clip in beside what plays already; `false` if there is none of that index.
    pub fn add_to_mix(&mut self, clip: usize) -> bool {
        let Some(clip) = self.clips.get(clip).cloned() else { return false };
        self.leave_graph();
        let play = self.play();
        self.each_mixer(|mixer, phase| {
            if let Some(id) = playing(mixer, &clip) {
                mixer.fade_in(id, play.fade);
                return;
            }
            let follows = play.sync.is_some() && on_base(mixer).next().is_some();
            let id = mixer.play(&clip, play.clone());
            if let Some(mut action) = mixer.get_mut(id).filter(|_| !follows) {
                move_ahead(&mut action, phase);
            }
        });
        self.is_playing = true;
        true
    }

    /// Fades a clip out.
    pub fn take_from_mix(&mut self, clip: usize) {
        let Some(clip) = self.clips.get(clip).cloned() else { return };
        let fade = self.fade();
        self.each_mixer(|mixer, _| {
            for id in staying(mixer, &clip) {
                mixer.fade_out(id, fade);
            }
        });
    }

    /// Makes a clip of the mix stronger or weaker, from 0 to 1.
    pub fn set_weight(&mut self, clip: usize, weight: f32) {
        let Some(clip) = self.clips.get(clip).cloned() else { return };
        if !weight.is_finite() {
            return;
        }
        self.each_mixer(|mixer, _| {
            for id in staying(mixer, &clip) {
                mixer.get_mut(id).map(|mut action| action.set_weight(weight.clamp(0.0, 1.0)));
            }
        });
        self.update(0.0);
    }

    /// Whether the clips of the mix stay in step.
    #[must_use]
    pub fn is_in_step(&self) -> bool {
        self.is_in_step
    }

    /// Keeps the clips of the mix in step by the markers that they have in common, or by how much of them has
    /// passed; or lets each go its own pace.
    pub fn set_in_step(&mut self, is_in_step: bool) {
        self.is_in_step = is_in_step;
        let sync = self.sync();
        let is_by_hand = !self.runs_graph();
        self.each_action(|mut action| {
            if is_by_hand && action.id().layer() == LayerId::BASE {
                action.set_sync(sync);
            }
        });
        self.update(0.0);
    }

    /// What clips of the mix stay in step with.
    pub(super) fn sync(&self) -> Option<SyncGroup> {
        self.is_in_step.then_some(SyncGroup::by_markers(0))
    }

    pub(super) fn fade(&self) -> Fade {
        Fade { secs: self.fade_secs, easing: self.easing, kind: self.fade_kind }
    }
}

/// The actions of a clip that are not on their way out.
fn staying(mixer: &Mixer, clip: &Arc<Clip>) -> Vec<ActionId> {
    let actions = on_base(mixer).filter(|(_, action)| Arc::ptr_eq(action.clip(), clip));
    actions.filter(|(_, action)| !action.is_fading_out()).map(|(id, _)| id).collect()
}
