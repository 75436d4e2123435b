//! What a mixer plays, as plain data: to store it and to put it back.

use std::fmt;
use std::sync::Arc;

use super::fade::Fader;
use super::{Action, JointMask, LoopMode, Mixer, Slot, is_weight};
use crate::clip::Clip;
use crate::skeleton::Skeleton;

/// Everything that a [`Mixer`] plays, apart from clips and skeleton, which are named.
///
/// With the feature `serde` it can be stored and read back; [`Mixer::from_state`] makes a mixer of it. Ids of actions
/// stay valid. (To return to a state in the same program, cloning the mixer is all that is needed.)
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MixerState {
    rest_threshold: f32,
    slots: Vec<SlotState>,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct SlotState {
    generation: u32,
    action: Option<ActionState>,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct ActionState {
    clip: String,
    speed: f32,
    weight: f32,
    loop_mode: LoopMode,
    loops: i64,
    local_secs: f64,
    is_started: bool,
    is_paused: bool,
    is_finished: bool,
    fader: Fader,
    mask: Option<JointMask>,
}

impl Mixer {
    /// Everything that it plays, to store.
    #[must_use]
    pub fn state(&self) -> MixerState {
        let slots = self.slots.iter().map(|slot| SlotState {
            generation: slot.generation,
            action: slot.action.as_ref().map(ActionState::of),
        });
        MixerState { rest_threshold: self.rest_threshold, slots: slots.collect() }
    }

    /// A mixer that plays what was stored. `clip` finds a clip by its name.
    ///
    /// # Errors
    /// If a clip is not found, was built for another skeleton, or its action's numbers are not what a mixer can have
    /// stored.
    pub fn from_state(
        skeleton: &Arc<Skeleton>,
        state: &MixerState,
        clip: impl Fn(&str) -> Option<Arc<Clip>>,
    ) -> Result<Self, MissingClip> {
        let mut mixer = Self::new(skeleton);
        mixer.set_rest_threshold(state.rest_threshold);
        for slot in &state.slots {
            let action = match &slot.action {
                Some(stored) => {
                    let fits = |clip: &Arc<Clip>| clip.skeleton == skeleton.fingerprint();
                    let found = clip(&stored.clip).filter(fits);
                    let action = found.and_then(|clip| stored.action(skeleton, clip));
                    Some(action.ok_or_else(|| MissingClip { clip: stored.clip.clone() })?)
                }
                None => None,
            };
            mixer.slots.push(Slot { generation: slot.generation, action });
        }
        mixer.reserve();
        Ok(mixer)
    }
}

impl ActionState {
    fn of(action: &Action) -> Self {
        Self {
            clip: action.clip.name().to_owned(),
            speed: action.speed,
            weight: action.weight,
            loop_mode: action.loop_mode,
            loops: action.loops,
            local_secs: action.local_secs,
            is_started: action.is_started,
            is_paused: action.is_paused,
            is_finished: action.is_finished,
            fader: action.fader,
            mask: action.mask.as_deref().cloned(),
        }
    }

    /// The action, unless the numbers were tampered with.
    fn action(&self, skeleton: &Skeleton, clip: Arc<Clip>) -> Option<Action> {
        let is_sane = self.speed.is_finite()
            && is_weight(self.weight)
            && self.fader.is_sane()
            && (0.0..=f64::from(clip.duration_secs())).contains(&self.local_secs)
            && self.mask.as_ref().is_none_or(|mask| mask.fits(skeleton));
        is_sane.then(|| Action {
            clip,
            speed: self.speed,
            weight: self.weight,
            loop_mode: self.loop_mode,
            loops: self.loops,
            local_secs: self.local_secs,
            is_started: self.is_started,
            is_paused: self.is_paused,
            is_finished: self.is_finished,
            fader: self.fader,
            mask: self.mask.clone().map(Arc::new),
        })
    }
}

/// A stored action cannot be put back: its clip is not there, or does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingClip {
    /// The clip's name.
    pub clip: String,
}

impl fmt::Display for MissingClip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the stored action of clip \"{}\" cannot be put back: expected a clip of that name, built for the same skeleton",
            self.clip
        )
    }
}

impl std::error::Error for MissingClip {}
