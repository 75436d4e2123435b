//! What a mixer plays, as plain data: to store it and to put it back.

use std::fmt;
use std::sync::Arc;

use super::action::is_weight;
use super::actions::{Actions, Slot};
use super::fade::{Easing, FadeKind, Fader, Tween};
use super::layer::Ramp;
use super::over::Relation;
use super::transition::{JointEntry, MorphEntry, Transition};
use super::{Action, JointMask, Layer, LayerId, LayerMode, Mixer, SyncGroup};
use crate::clip::Clip;
use crate::clip::root_motion::Travel;
use crate::clock::{Clock, LoopMode, Moment};
use crate::skeleton::Skeleton;
use crate::transform::LARGEST_F64;

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
    base: ActionsState,
    layers: Vec<LayerState>,
    last_layer: u32,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct ActionsState {
    rest: FaderState,
    rest_sides: Vec<u8>,
    slots: Vec<SlotState>,
    /// `None` unless it is under way.
    transition: Option<TransitionState>,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct LayerState {
    id: LayerId,
    mode: LayerMode,
    mask: Option<JointMask>,
    weight: (Single, Single),
    weight_tween: Option<TweenState>,
    actions: ActionsState,
    relations: Vec<Single>,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct TransitionState {
    kind: FadeKind,
    tween: TweenState,
    is_aimed: bool,
    joints: Vec<Single>,
    morphs: Vec<Single>,
    /// How the root moved: along x, y and z, and about the vertical.
    root: [Double; 4],
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
    is_fresh: bool,
    sync: Option<SyncGroup>,
    is_leader: bool,
    open_windows: u64,
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
        MixerState {
            speed: self.speed.into(),
            fades_follow_speed: self.fades_follow_speed,
            base: ActionsState::of(&self.base, &mut clips),
            layers: self.layers.iter().map(|layer| LayerState::of(layer, &mut clips)).collect(),
            last_layer: self.last_layer,
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
        mixer.set_speed(state.speed.get());
        mixer.fades_follow_speed = state.fades_follow_speed;
        state.base.restore(&mut mixer.base, LayerMode::Over, skeleton, &clips)?;
        for stored in &state.layers {
            let is_known = stored.id == LayerId::BASE || mixer.layer(stored.id).is_some();
            let layer = stored.layer(skeleton, &clips)?;
            mixer.layers.push(layer.filter(|_| !is_known).ok_or(StateError::Invalid { clip: None })?);
        }
        mixer.last_layer = state.last_layer;
        if mixer.actions().any(|(_, action)| action.sync.is_some() || action.clip.tells()) {
            mixer.start_telling();
            state.base.restore_traces(&mut mixer.base);
            for (layer, stored) in mixer.layers.iter_mut().zip(&state.layers) {
                stored.actions.restore_traces(&mut layer.actions);
            }
        }
        mixer.reserve();
        Ok(mixer)
    }
}

impl ActionsState {
    fn of<'m>(actions: &'m Actions, clips: &mut Vec<&'m Arc<Clip>>) -> Self {
        let mut sides = actions.sides.chunks_exact(actions.sides_stride());
        let rest_sides = sides.next().unwrap_or_default().to_vec();
        let slots = actions.slots.iter().zip(sides).enumerate().map(|(index, (slot, sides))| SlotState {
            generation: slot.generation,
            action: slot.action.as_ref().map(|action| {
                if !clips.iter().any(|clip| Arc::ptr_eq(clip, &action.clip)) {
                    clips.push(&action.clip);
                }
                let trace = actions.traces.get(index).copied().unwrap_or_default();
                let (is_leader, open_windows) = (trace.is_leader, trace.open);
                ActionState { is_leader, open_windows, ..ActionState::of(action, clips, sides) }
            }),
        });
        let slots = slots.collect();
        let transition = actions.transition.as_ref().and_then(|transition| TransitionState::of(transition));
        Self { rest: FaderState::of(&actions.rest), rest_sides, slots, transition }
    }

    /// Puts back what is told of actions.
    fn restore_traces(&self, actions: &mut Actions) {
        for ((trace, slot), stored) in actions.traces.iter_mut().zip(&actions.slots).zip(&self.slots) {
            trace.forget_place();
            if let (Some(action), Some(stored)) = (&slot.action, &stored.action) {
                trace.is_leader = stored.is_leader;
                // Those that the clip has: it may have been found by its name alone.
                let windows = action.clip.markers().iter().filter(|marker| marker.is_window()).count();
                let known =
                    1_u64.checked_shl(windows.try_into().unwrap_or(u32::MAX)).map_or(u64::MAX, |bit| bit - 1);
                trace.open = stored.open_windows & known;
            }
        }
    }

    /// Puts everything back into actions that are new.
    fn restore(
        &self,
        actions: &mut Actions,
        mode: LayerMode,
        skeleton: &Skeleton,
        clips: &[&Arc<Clip>],
    ) -> Result<(), StateError> {
        let invalid = || StateError::Invalid { clip: None };
        let stride = actions.sides_stride();
        actions.rest = self.rest.fader().ok_or_else(invalid)?;
        for slot in &self.slots {
            let action = match &slot.action {
                Some(stored) => Some(stored.action(mode, skeleton, clips)?),
                None => None,
            };
            actions.slots.push(Slot { generation: slot.generation, action });
        }
        actions.is_settled =
            actions.rest.tween.is_none() && !actions.iter().any(|(_, action)| action.fader.tween.is_some());
        actions.reserve_sides(stride);
        let stored = self.slots.iter().map(|slot| slot.action.as_ref().map(|action| &action.sides));
        let stored = std::iter::once(Some(&self.rest_sides)).chain(stored);
        for (sides, stored) in actions.sides.chunks_exact_mut(stride).zip(stored) {
            if let Some(stored) = stored.filter(|stored| stored.len() == stride) {
                sides.copy_from_slice(stored);
            }
        }
        if let Some(stored) = &self.transition {
            actions.transition = Some(Box::new(stored.transition(skeleton).ok_or_else(invalid)?));
        }
        Ok(())
    }
}

impl LayerState {
    fn of<'m>(layer: &'m Layer, clips: &mut Vec<&'m Arc<Clip>>) -> Self {
        let Layer { mode, mask, weight, actions, relations } = layer;
        let relations = relations.iter().flat_map(|relation| relation.0).flat_map(|lanes| lanes.0);
        Self {
            id: layer.id(),
            mode: *mode,
            mask: mask.as_deref().cloned(),
            weight: (weight.from.into(), weight.to.into()),
            weight_tween: weight.tween.as_ref().map(TweenState::of),
            actions: ActionsState::of(actions, clips),
            relations: relations.map(Single::from).collect(),
        }
    }

    /// The layer, or `None` if the numbers were tampered with.
    fn layer(&self, skeleton: &Skeleton, clips: &[&Arc<Clip>]) -> Result<Option<Layer>, StateError> {
        let mut layer = Layer::new(self.mode);
        layer.enter(self.id, skeleton);
        layer.mask = self.mask.clone().map(Arc::new);
        let (from, to) = (self.weight.0.get(), self.weight.1.get());
        let tween = self.weight_tween.as_ref().map(TweenState::tween);
        layer.weight = Ramp { from, to, tween };
        self.actions.restore(&mut layer.actions, self.mode, skeleton, clips)?;
        let mut numbers = self.relations.iter().map(|number| number.get());
        for lanes in layer.relations.iter_mut().flat_map(|Relation(lanes)| lanes) {
            for lane in &mut lanes.0 {
                // What is not there is found anew.
                *lane = numbers.next().filter(|number| number.is_finite()).unwrap_or(0.0);
            }
        }
        let is_sane = layer.mask.as_ref().is_none_or(|mask| mask.fits(skeleton))
            && is_weight(from)
            && is_weight(to)
            && tween.is_none_or(|tween| tween.is_sane());
        Ok(is_sane.then_some(layer))
    }
}

impl TransitionState {
    fn of(transition: &Transition) -> Option<Self> {
        let tween = TweenState::of(transition.tween.as_ref()?);
        let joints = transition.joints.iter().flat_map(JointEntry::numbers);
        let morphs = transition.morphs.iter().flat_map(MorphEntry::numbers);
        Some(Self {
            kind: transition.kind,
            tween,
            is_aimed: transition.is_aimed,
            joints: joints.map(Single::from).collect(),
            morphs: morphs.map(Single::from).collect(),
            root: {
                let Travel { shift, yaw } = transition.root;
                [shift.x, shift.y, shift.z, yaw].map(Double::from)
            },
        })
    }

    fn transition(&self, skeleton: &Skeleton) -> Option<Transition> {
        let mut transition = Transition::new(skeleton);
        let mut joints = self.joints.iter().map(|number| number.get());
        for number in transition.joints.iter_mut().flat_map(JointEntry::numbers_mut) {
            *number = joints.next().filter(|number| number.is_finite())?;
        }
        let mut morphs = self.morphs.iter().map(|number| number.get());
        for number in transition.morphs.iter_mut().flat_map(MorphEntry::numbers_mut) {
            *number = morphs.next().filter(|number| number.is_finite())?;
        }
        let [x, y, z, yaw] = self.root.map(Double::get);
        transition.root = Travel { shift: glam::DVec3::new(x, y, z), yaw };
        let is_root = [x, y, z, yaw].iter().all(|number| number.abs() <= LARGEST_F64);
        let tween = self.tween.tween();
        (transition.kind, transition.is_aimed, transition.tween) = (self.kind, self.is_aimed, Some(tween));
        (tween.is_sane() && is_root && self.kind != FadeKind::Cross).then_some(transition)
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
            is_fresh: action.is_fresh,
            sync: action.sync,
            is_leader: false,
            open_windows: 0,
        }
    }

    fn action(
        &self,
        mode: LayerMode,
        skeleton: &Skeleton,
        clips: &[&Arc<Clip>],
    ) -> Result<Action, StateError> {
        let name = || self.clip.name.clone();
        let is_additive = mode == LayerMode::Additive;
        let found = self.clip.find(clips, is_additive);
        let clip = found.ok_or_else(|| StateError::ClipNotFound { clip: name() })?;
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
            is_fresh: self.is_fresh,
            sync: self.sync,
        })
    }
}

impl ClipKey {
    fn find<'c>(&self, clips: &[&'c Arc<Clip>], is_additive: bool) -> Option<&'c Arc<Clip>> {
        let clips = || clips.iter().filter(|clip| clip.is_additive() == is_additive);
        let same = || clips().filter(|clip| clip.fingerprint() == self.fingerprint).copied();
        let of_name = || clips().filter(|clip| clip.name() == self.name).copied();
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
        let tween = fader.tween.as_ref().map(TweenState::of);
        Self {
            is_wanted: fader.is_wanted,
            from_level: fader.from_level.into(),
            from_share: fader.from_share.into(),
            tween,
        }
    }

    fn fader(&self) -> Option<Fader> {
        let tween = self.tween.as_ref().map(TweenState::tween);
        Fader::restored(self.is_wanted, self.from_level.get(), self.from_share.get(), tween)
    }
}

impl TweenState {
    fn of(tween: &Tween) -> Self {
        let Tween { passed_secs, secs, easing } = *tween;
        Self { passed_secs: passed_secs.into(), secs: secs.into(), easing }
    }

    fn tween(&self) -> Tween {
        Tween { passed_secs: self.passed_secs.get(), secs: self.secs.get(), easing: self.easing }
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
        /// The name of the clip whose action has them; `None` for the rest pose, a layer or a fade.
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
                clip.as_ref().map_or("rest pose, layer or fade".to_owned(), |clip| format!(
                    "action of clip \"{clip}\""
                ))
            ),
        }
    }
}

impl std::error::Error for StateError {}
