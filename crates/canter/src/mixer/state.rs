//! What a mixer plays, as plain data: to store it and to put it back.

use std::fmt;
use std::sync::Arc;

use super::action::is_weight;
use super::fade::{Easing, Fader, Tween};
use super::{Action, JointMask, Mixer, Slot};
use crate::clip::Clip;
use crate::clock::{Clock, LoopMode, Moment};
use crate::skeleton::Skeleton;

/// Everything that a [`Mixer`] plays, apart from clips and skeleton, which are named.
///
/// With the feature `serde` it can be stored and read back, bit for bit; [`Mixer::from_state`] makes a mixer
/// of it. Ids of actions stay valid. (To return to a state in the same program, cloning the mixer is all that
/// is needed.)
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MixerState {
    speed: Single,
    fades_follow_speed: bool,
    rest: FaderState,
    rest_sides: Vec<u8>,
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
    clip: ClipKey,
    weight: Single,
    speed: Single,
    /// `None` for the whole clip.
    range_secs: Option<(Single, Single)>,
    loop_mode: LoopMode,
    loops: i64,
    secs: Double,
    is_started: bool,
    is_paused: bool,
    is_finished: bool,
    fader: FaderState,
    mask: Option<JointMask>,
    sides: Vec<u8>,
}

/// What a clip is found by.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct ClipKey {
    name: String,
    /// Of what is in it.
    fingerprint: u64,
    /// How many other clips with the same content the actions before it play.
    copy: usize,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct FaderState {
    is_wanted: bool,
    from_level: Single,
    from_share: Single,
    tween: Option<TweenState>,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct TweenState {
    passed_secs: Double,
    secs: Single,
    easing: Easing,
}

/// A float whose bits survive formats that round: in double precision, in which a digit is to spare.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
struct Single(f64);

impl PartialEq for Single {
    fn eq(&self, other: &Self) -> bool {
        self.get().to_bits() == other.get().to_bits()
    }
}

impl Single {
    fn get(self) -> f32 {
        #[expect(clippy::cast_possible_truncation, reason = "it was an f32")]
        let single = self.0 as f32;
        single
    }
}

impl From<f32> for Single {
    fn from(number: f32) -> Self {
        Self(number.into())
    }
}

/// A double as its bits: texts of it are not read back exactly by all formats.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
struct Double(u64);

impl Double {
    fn get(self) -> f64 {
        f64::from_bits(self.0)
    }
}

impl From<f64> for Double {
    fn from(number: f64) -> Self {
        Self(number.to_bits())
    }
}

impl Mixer {
    /// Everything that it plays, to store.
    #[must_use]
    pub fn state(&self) -> MixerState {
        let mut clips: Vec<&Arc<Clip>> = Vec::new();
        let mut sides = self.sides.chunks_exact(self.sides_stride());
        let rest_sides = sides.next().unwrap_or_default().to_vec();
        let slots = self.slots.iter().zip(sides).map(|(slot, sides)| SlotState {
            generation: slot.generation,
            action: slot.action.as_ref().map(|action| {
                if !clips.iter().any(|clip| Arc::ptr_eq(clip, &action.clip)) {
                    clips.push(&action.clip);
                }
                ActionState::of(action, &clips, sides)
            }),
        });
        MixerState {
            speed: self.speed.into(),
            fades_follow_speed: self.fades_follow_speed,
            rest: FaderState::of(&self.rest),
            rest_sides,
            slots: slots.collect(),
        }
    }

    /// A mixer that plays what was stored. Clips are found among `clips` by what is in them, else by their
    /// names.
    ///
    /// # Errors
    /// If a clip is not there or was built for another skeleton, or if the numbers are not what a mixer can
    /// have stored.
    pub fn from_state<'c>(
        skeleton: &Arc<Skeleton>,
        state: &MixerState,
        clips: impl IntoIterator<Item = &'c Arc<Clip>>,
    ) -> Result<Self, StateError> {
        let clips: Vec<&Arc<Clip>> = clips.into_iter().filter(|clip| clip.fits(skeleton)).collect();
        let mut mixer = Self::new(skeleton);
        let rest = state.rest.fader().ok_or(StateError::Invalid { clip: None })?;
        mixer.set_speed(state.speed.get());
        (mixer.fades_follow_speed, mixer.rest) = (state.fades_follow_speed, rest);
        for slot in &state.slots {
            let action = match &slot.action {
                Some(stored) => Some(stored.action(skeleton, &clips)?),
                None => None,
            };
            mixer.slots.push(Slot { generation: slot.generation, action });
        }
        mixer.is_settled =
            rest.tween.is_none() && !mixer.actions().any(|(_, action)| action.fader.tween.is_some());
        mixer.reserve();
        let stored = state.slots.iter().map(|slot| slot.action.as_ref().map(|action| &action.sides));
        let stored = std::iter::once(Some(&state.rest_sides)).chain(stored);
        let stride = mixer.sides_stride();
        for (sides, stored) in mixer.sides.chunks_exact_mut(stride).zip(stored) {
            if let Some(stored) = stored.filter(|stored| stored.len() == stride) {
                sides.copy_from_slice(stored);
            }
        }
        Ok(mixer)
    }
}

impl ActionState {
    fn of(action: &Action, clips: &[&Arc<Clip>], sides: &[u8]) -> Self {
        let clip = &action.clip;
        let before = clips.iter().take_while(|other| !Arc::ptr_eq(other, clip));
        let (start, end) = action.clock.range_secs();
        let is_whole = (start, end) == (0.0, clip.duration_secs());
        let Moment { loops, secs } = action.clock.moment();
        Self {
            clip: ClipKey {
                name: clip.name().to_owned(),
                fingerprint: clip.fingerprint(),
                copy: before.filter(|other| is_same(other, clip)).count(),
            },
            weight: action.weight.into(),
            speed: action.speed().into(),
            range_secs: (!is_whole).then(|| (start.into(), end.into())),
            loop_mode: action.loop_mode(),
            loops,
            secs: secs.into(),
            is_started: action.is_started,
            is_paused: action.is_paused,
            is_finished: action.is_finished(),
            fader: FaderState::of(&action.fader),
            mask: action.mask.as_deref().cloned(),
            sides: sides.to_vec(),
        }
    }

    fn action(&self, skeleton: &Skeleton, clips: &[&Arc<Clip>]) -> Result<Action, StateError> {
        let name = || self.clip.name.clone();
        let clip = self.clip.find(clips).ok_or_else(|| StateError::ClipNotFound { clip: name() })?;
        clip.compile();
        self.action_of(skeleton, clip).ok_or_else(|| StateError::Invalid { clip: Some(name()) })
    }

    /// The action, unless the numbers were tampered with.
    fn action_of(&self, skeleton: &Skeleton, clip: &Arc<Clip>) -> Option<Action> {
        let mut clock = Clock::new(clip.duration_secs());
        let in_clip = 0.0..=clip.duration_secs();
        let is_range = self.range_secs.is_none_or(|(start, end)| {
            in_clip.contains(&start.get())
                && in_clip.contains(&end.get())
                && clock.set_range_secs(start.get(), end.get())
        });
        let is_clock = clock.set_speed(self.speed.get()) && is_range;
        clock.set_loop_mode(self.loop_mode);
        let moment = Moment { loops: self.loops, secs: self.secs.get() };
        let clock = clock.restored(moment, self.is_finished).filter(|_| is_clock)?;
        let fader = self.fader.fader()?;
        let is_sane = is_weight(self.weight.get())
            && self.mask.as_ref().is_none_or(|mask| mask.fits(skeleton))
            // What is started and not wanted is on its way out.
            && (fader.is_wanted || fader.tween.is_some() || !self.is_started);
        is_sane.then(|| Action {
            clip: Arc::clone(clip),
            clock,
            weight: self.weight.get(),
            is_started: self.is_started,
            is_paused: self.is_paused,
            fader,
            mask: self.mask.clone().map(Arc::new),
        })
    }
}

impl ClipKey {
    fn find<'c>(&self, clips: &[&'c Arc<Clip>]) -> Option<&'c Arc<Clip>> {
        let same = || clips.iter().filter(|clip| clip.fingerprint() == self.fingerprint).copied();
        let of_name = || clips.iter().filter(|clip| clip.name() == self.name).copied();
        let same_of_name = || same().filter(|clip| clip.name() == self.name);
        same_of_name()
            .nth(self.copy)
            .or_else(|| same().nth(self.copy))
            .or_else(|| same_of_name().next())
            .or_else(|| same().next())
            .or_else(|| of_name().next())
    }
}

/// Whether two clips cannot be told apart by what is in them and their names.
fn is_same(a: &Clip, b: &Clip) -> bool {
    a.fingerprint() == b.fingerprint() && a.name() == b.name()
}

impl FaderState {
    fn of(fader: &Fader) -> Self {
        let tween = fader.tween.map(|tween| TweenState {
            passed_secs: tween.passed_secs.into(),
            secs: tween.secs.into(),
            easing: tween.easing,
        });
        Self {
            is_wanted: fader.is_wanted,
            from_level: fader.from_level.into(),
            from_share: fader.from_share.into(),
            tween,
        }
    }

    fn fader(&self) -> Option<Fader> {
        let tween = self.tween.as_ref().map(|tween| Tween {
            passed_secs: tween.passed_secs.get(),
            secs: tween.secs.get(),
            easing: tween.easing,
        });
        Fader::restored(self.is_wanted, self.from_level.get(), self.from_share.get(), tween)
    }
}

/// A stored state cannot be put back.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StateError {
    /// The clip of an action is not there, or was built for another skeleton.
    ClipNotFound {
        /// The clip's name.
        clip: String,
    },
    /// The numbers are not what a mixer can have stored.
    Invalid {
        /// The name of the clip whose action has them; `None` for the rest pose.
        clip: Option<String>,
    },
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ClipNotFound { clip } => write!(
                f,
                "clip \"{clip}\" of a stored action is not there; expected one with the same keys or the same name, \
                 built for the same skeleton"
            ),
            Self::Invalid { clip } => write!(
                f,
                "the stored {} cannot be put back; expected numbers as a mixer stores them",
                clip.as_ref().map_or("rest pose".to_owned(), |clip| format!("action of clip \"{clip}\""))
            ),
        }
    }
}

impl std::error::Error for StateError {}
