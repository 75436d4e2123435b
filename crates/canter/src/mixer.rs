//! Plays clips: clocks, fades and weights; and blends them to one pose.

mod action;
mod blend;
mod event;
mod fade;
mod mask;
mod state;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::clip::Clip;
use crate::clip::rows::Segment;
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::transform::LARGEST;

pub use action::{Action, LoopMode};
pub use event::{Event, EventKind};
pub use fade::{Easing, Fade};
pub use mask::JointMask;
pub use state::{MissingClip, MixerState};

use fade::Fader;

/// An [`Action`] of a [`Mixer`]. It carries a generation: the id of an action that is gone answers `None`,
/// and never means another action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ActionId {
    slot: u32,
    generation: u32,
}

/// How a clip is played; see [`Mixer::play`].
#[derive(Clone, Debug)]
pub struct Play {
    /// What happens at the end.
    pub loop_mode: LoopMode,
    /// Seconds of the clip per second; 0 stands still, negative runs backwards.
    pub speed: f32,
    /// How strong it is beside other actions; 0 or more.
    pub weight: f32,
    /// Where it begins. `None`: at the start, or at the end if it has one and runs backwards.
    pub start_secs: Option<f32>,
    /// Which joints it moves; `None` for all.
    pub mask: Option<Arc<JointMask>>,
}

impl Default for Play {
    /// Endlessly, at normal speed and full weight, from the start, all joints.
    fn default() -> Self {
        Self { loop_mode: LoopMode::Repeat, speed: 1.0, weight: 1.0, start_secs: None, mask: None }
    }
}

/// Plays the clips of one character and blends them to one pose.
///
/// All that plays is a plain value here: clone a mixer to keep a state, put the clone back to return to it.
/// [`advance`](Self::advance) moves time, fades and weights; [`sample`](Self::sample) writes the pose. Neither allocates.
///
/// # Blending
/// A clip is a full pose: a joint that it has no track for is at rest in it, unless the action has a
/// [`JointMask`]. For every joint the weights of all actions are divided by their sum. Where the sum is below
/// [`rest_threshold`](Self::rest_threshold), the rest pose fills up to it, so that nothing pops when the last action fades out.
/// Rotations are blended as quaternions on the shortest path. The result does not depend on the order
/// in which actions were started, and one action alone is the clip, bit for bit.
///
/// ```
/// # use canter::{Clip, Mixer, Pose, Skeleton, Track, Transform, glam::Vec3};
/// # use std::sync::Arc;
/// # let mut builder = Skeleton::builder();
/// # builder.joint("hips", None, Transform::IDENTITY);
/// # let skeleton = Arc::new(builder.build()?);
/// # let hips = skeleton.joint("hips").unwrap();
/// # let clip = |name, height| {
/// #     let mut clip = Clip::builder(name, &skeleton);
/// #     clip.translation(hips, Track::linear(vec![0.0, 1.0], vec![Vec3::ZERO, Vec3::Y * height]));
/// #     clip.build().map(Arc::new)
/// # };
/// # let (idle, run) = (clip("Idle", 1.0)?, clip("Run", 2.0)?);
/// use canter::Play;
///
/// let mut mixer = Mixer::new(&skeleton);
/// let mut pose = Pose::rest(&skeleton);
/// mixer.play(&idle, Play::default());
/// mixer.crossfade_to(&run, 0.3);
/// for _ in 0..60 {
///     for event in mixer.advance(1.0 / 60.0) {
///         println!("{event:?}");
///     }
///     mixer.sample(&mut pose);
/// }
/// # assert_eq!(mixer.actions().count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Mixer {
    skeleton: Arc<Skeleton>,
    slots: Vec<Slot>,
    rest_threshold: f32,
    events: Vec<Event>,
    scratch: Scratch,
    /// Bad steps of time are told of once.
    has_warned: bool,
}

#[derive(Clone, Debug)]
struct Slot {
    generation: u32,
    action: Option<Action>,
}

impl Slot {
    fn is_free(&self) -> bool {
        self.action.is_none() && self.generation < u32::MAX
    }
}

/// Working memory, kept so that a frame does not allocate. Says nothing from one frame to the next.
#[derive(Debug, Default)]
struct Scratch {
    inputs: Vec<blend::Input>,
    /// Only grown for clips whose tracks have many different key times.
    segments: Vec<Segment>,
}

/// Whether an action can have this weight: larger ones would add up to infinity.
fn is_weight(weight: f32) -> bool {
    (0.0..=LARGEST).contains(&weight)
}

/// Below this sum of weights the rest pose begins to show, unless said otherwise.
const DEFAULT_REST_THRESHOLD: f32 = 0.1;

impl Mixer {
    /// A mixer that plays nothing.
    #[must_use]
    pub fn new(skeleton: &Arc<Skeleton>) -> Self {
        Self {
            skeleton: Arc::clone(skeleton),
            slots: Vec::new(),
            rest_threshold: DEFAULT_REST_THRESHOLD,
            events: Vec::new(),
            scratch: Scratch::default(),
            has_warned: false,
        }
    }

    /// The skeleton that it moves.
    #[must_use]
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// The action of a clip: the one there is, or a new one that does not play yet.
    ///
    /// # Panics
    /// If the clip was built for another skeleton.
    pub fn action(&mut self, clip: &Arc<Clip>) -> ActionId {
        let known = self.actions().find(|(_, action)| Arc::ptr_eq(&action.clip, clip));
        if let Some((id, _)) = known {
            return id;
        }
        assert!(
            clip.skeleton == self.skeleton.fingerprint(),
            "clip \"{}\" was built for another skeleton; bind it to this one first",
            clip.name()
        );
        clip.compile();
        let action = Action::new(Arc::clone(clip));
        let slot = match self.slots.iter().position(Slot::is_free) {
            Some(free) => free,
            None => {
                self.slots.push(Slot { generation: 0, action: None });
                self.slots.len() - 1
            }
        };
        self.slots[slot].action = Some(action);
        self.reserve();
        #[expect(clippy::cast_possible_truncation, reason = "memory ends before 2³² actions")]
        ActionId { slot: slot as u32, generation: self.slots[slot].generation }
    }

    /// Makes room now, so that no frame has to.
    fn reserve(&mut self) {
        // Looped, finished and faded out in one step are the most that can happen to an action.
        self.events.reserve((3 * self.slots.len()).saturating_sub(self.events.len()));
        let room = self.slots.len().saturating_sub(self.scratch.inputs.len());
        self.scratch.inputs.reserve(room);
        let timelines: usize = self.actions().map(|(_, action)| action.clip.rows().timelines.len()).sum();
        if timelines > blend::SEGMENTS_ON_STACK && timelines > self.scratch.segments.len() {
            self.scratch.segments.resize(timelines, Segment::EMPTY);
        }
    }

    /// Plays a clip from its start at full strength, beside what plays already. An action that the clip has
    /// already is started over with these settings. A speed, weight or start that would be refused is replaced by the
    /// default, with a warning.
    ///
    /// # Panics
    /// If the clip or the mask was made for another skeleton.
    pub fn play(&mut self, clip: &Arc<Clip>, play: Play) -> ActionId {
        let id = self.action(clip);
        if let Some(action) = self.get_mut(id) {
            (action.speed, action.weight) = (1.0, 1.0);
        }
        self.set_loop_mode(id, play.loop_mode);
        self.set_speed(id, play.speed);
        self.set_weight(id, play.weight);
        self.set_mask(id, play.mask);
        if let Some(action) = self.get_mut(id) {
            action.is_started = true;
            action.is_paused = false;
            action.fader = Fader::FULL;
            action.rewind();
        }
        if let Some(secs) = play.start_secs {
            self.seek(id, secs);
        }
        id
    }

    /// Ends an action at once. Its id is stale from then on.
    pub fn stop(&mut self, id: ActionId) -> Option<()> {
        self.get(id)?;
        self.remove(id.slot as usize);
        Some(())
    }

    /// Ends all actions at once.
    pub fn stop_all(&mut self) {
        for slot in 0..self.slots.len() {
            self.remove(slot);
        }
    }

    fn remove(&mut self, slot: usize) {
        let slot = &mut self.slots[slot];
        if slot.action.take().is_some() {
            // At the last generation the slot is not used again: an id never means another action.
            slot.generation = slot.generation.saturating_add(1);
        }
    }

    /// Stops the clock of an action; its pose still counts.
    pub fn pause(&mut self, id: ActionId) -> Option<()> {
        self.get_mut(id)?.is_paused = true;
        Some(())
    }

    /// Lets the clock of an action run on; starts one that was never played, at full strength.
    pub fn resume(&mut self, id: ActionId) -> Option<()> {
        let action = self.get_mut(id)?;
        action.is_paused = false;
        if !action.is_started {
            action.is_started = true;
            action.fader = Fader::FULL;
            action.rewind();
        }
        Some(())
    }

    /// Puts an action back to where it begins, with no loops done. Pauses, fades and settings stay as they are.
    pub fn reset(&mut self, id: ActionId) -> Option<()> {
        self.get_mut(id)?.rewind();
        Some(())
    }

    /// Puts an action to a time from the start of its first loop. Times beyond the clip wrap as its loop mode
    /// says. What is no finite number is refused with a warning.
    pub fn seek(&mut self, id: ActionId, secs: f32) -> Option<()> {
        let action = self.get_mut(id)?;
        if secs.is_finite() {
            action.seek(f64::from(secs));
        } else {
            log::warn!("clip \"{}\": seek to {secs} s refused", action.clip.name());
        }
        Some(())
    }

    /// Sets the speed: seconds of the clip per second. What is no finite number is refused with a warning.
    pub fn set_speed(&mut self, id: ActionId, speed: f32) -> Option<()> {
        let action = self.get_mut(id)?;
        if speed.is_finite() {
            action.speed = speed;
        } else {
            log::warn!("clip \"{}\": speed {speed} refused", action.clip.name());
        }
        Some(())
    }

    /// Sets the weight, from 0 to 10¹⁸. Another is refused with a warning.
    pub fn set_weight(&mut self, id: ActionId, weight: f32) -> Option<()> {
        let action = self.get_mut(id)?;
        if is_weight(weight) {
            action.weight = weight;
        } else {
            log::warn!("clip \"{}\": weight {weight} refused", action.clip.name());
        }
        Some(())
    }

    /// Sets what happens at the end of the clip. The pose stays; if the mode is another one, loops are counted anew
    /// from the present one.
    pub fn set_loop_mode(&mut self, id: ActionId, loop_mode: LoopMode) -> Option<()> {
        self.get_mut(id)?.set_loop_mode(loop_mode);
        Some(())
    }

    /// Sets which joints an action moves; `None` for all.
    ///
    /// # Panics
    /// If the mask was made for another skeleton.
    pub fn set_mask(&mut self, id: ActionId, mask: Option<Arc<JointMask>>) -> Option<()> {
        if let Some(mask) = &mask {
            assert!(mask.fits(&self.skeleton), "the mask was made for another skeleton");
        }
        self.get_mut(id)?.mask = mask;
        Some(())
    }

    /// Fades an action in from where its weight is, and lets it run if it was paused. One that does not play or has
    /// finished starts from its beginning.
    pub fn fade_in(&mut self, id: ActionId, fade: impl Into<Fade>) -> Option<()> {
        let fade = fade.into();
        let action = self.get_mut(id)?;
        if !action.is_started || action.is_finished {
            action.rewind();
        }
        action.is_started = true;
        action.is_paused = false;
        // Asking again for what is under way must not put it off: a call per frame is common.
        let is_on_its_way = action.fader.target() >= 1.0 && action.fader.is_sooner_than(fade);
        if !is_on_its_way {
            action.fader.fade(1.0, fade);
        }
        Some(())
    }

    /// Fades an action out from where its weight is. At the end of the fade it leaves the mixer.
    pub fn fade_out(&mut self, id: ActionId, fade: impl Into<Fade>) -> Option<()> {
        let fade = fade.into();
        let action = self.get_mut(id)?;
        let is_on_its_way = action.is_fading_out() && action.fader.is_sooner_than(fade);
        if !is_on_its_way {
            action.fader.fade(0.0, fade);
        }
        Some(())
    }

    /// Fades one action out and another in, which is started if it does not play, and turned round if it is
    /// fading out itself. `None` if `to` is gone; a `from` that is gone needs no fading.
    pub fn crossfade(&mut self, from: ActionId, to: ActionId, fade: impl Into<Fade>) -> Option<()> {
        let fade = fade.into();
        self.fade_in(to, fade)?;
        if from != to {
            self.fade_out(from, fade);
        }
        Some(())
    }

    /// Fades a clip in and everything else out.
    ///
    /// # Panics
    /// If the clip was built for another skeleton.
    pub fn crossfade_to(&mut self, clip: &Arc<Clip>, fade: impl Into<Fade>) -> ActionId {
        let fade = fade.into();
        let to = self.action(clip);
        for slot in 0..self.slots.len() {
            let id = self.id(slot);
            if id != to && self.get(id).is_some_and(|action| action.is_started) {
                self.fade_out(id, fade);
            }
        }
        self.fade_in(to, fade);
        to
    }

    /// Moves time on by `dt_secs`: clocks, fades, ends. Answers what happened, valid until the next call.
    ///
    /// A step that is negative or no finite number is refused with a warning and changes nothing. A
    /// step over any number of loops is as exact and as quick as a short one.
    pub fn advance(&mut self, dt_secs: f32) -> &[Event] {
        self.events.clear();
        if !(dt_secs.is_finite() && dt_secs >= 0.0) {
            if !self.has_warned {
                log::warn!("a step of {dt_secs} s refused: expected a finite number from 0");
                self.has_warned = true;
            }
            return &self.events;
        }
        for index in 0..self.slots.len() {
            let id = self.id(index);
            let Some(action) = &mut self.slots[index].action else { continue };
            let progress = action.advance(f64::from(dt_secs));
            let faded_out = action.fader.advance(dt_secs) && action.is_started;
            let mut happened = |kind| self.events.push(Event { action: id, kind });
            if progress.looped > 0 {
                happened(EventKind::Looped { times: progress.looped });
            }
            if progress.finished {
                happened(EventKind::Finished);
            }
            if faded_out {
                happened(EventKind::FadedOut);
                self.remove(index);
            }
        }
        &self.events
    }

    /// What happened in the last [`advance`](Self::advance).
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Writes the blended pose of all actions.
    ///
    /// # Panics
    /// If the pose was made for a skeleton of another size.
    pub fn sample(&mut self, pose: &mut Pose) {
        pose.assert_fits(&self.skeleton);
        blend::sample(self, fearless_simd::Level::new(), pose);
    }

    /// The action of an id, or `None` if it is gone.
    #[must_use]
    pub fn get(&self, id: ActionId) -> Option<&Action> {
        let slot = self.slots.get(id.slot as usize)?;
        slot.action.as_ref().filter(|_| slot.generation == id.generation)
    }

    fn get_mut(&mut self, id: ActionId) -> Option<&mut Action> {
        let slot = self.slots.get_mut(id.slot as usize)?;
        slot.action.as_mut().filter(|_| slot.generation == id.generation)
    }

    fn id(&self, slot: usize) -> ActionId {
        #[expect(clippy::cast_possible_truncation, reason = "memory ends before 2³² actions")]
        ActionId { slot: slot as u32, generation: self.slots[slot].generation }
    }

    /// All actions.
    pub fn actions(&self) -> impl Iterator<Item = (ActionId, &Action)> {
        let slots = self.slots.iter().enumerate();
        slots.filter_map(|(slot, entry)| Some((self.id(slot), entry.action.as_ref()?)))
    }

    /// What an action's weight comes to beside the others: after fades, and divided by the sum of all or by the rest
    /// threshold. Masks come on top, joint by joint.
    #[must_use]
    pub fn effective_weight(&self, id: ActionId) -> Option<f32> {
        let weight = self.get(id)?.present_weight();
        let sum = self.actions().map(|(_, action)| action.present_weight()).sum::<f32>();
        let whole = sum.max(self.rest_threshold);
        Some(if whole > 0.0 { weight / whole } else { 0.0 })
    }

    /// The sum of weights below which the rest pose begins to show; 0.1 unless set.
    #[must_use]
    pub fn rest_threshold(&self) -> f32 {
        self.rest_threshold
    }

    /// Sets the sum of weights below which the rest pose begins to show. With 0 it shows only when nothing
    /// plays; with 1 it fills up to full weight, as three.js does. Brought into 0 to 1; what is no
    /// number is refused with a warning.
    pub fn set_rest_threshold(&mut self, threshold: f32) {
        if threshold.is_nan() {
            log::warn!("a rest threshold that is no number was refused");
        } else {
            self.rest_threshold = threshold.clamp(0.0, 1.0);
        }
    }

    /// How much memory the mixer takes in bytes, without the clips and the skeleton that it shares.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.slots.capacity() * size_of::<Slot>()
            + self.events.capacity() * size_of::<Event>()
            + self.scratch.inputs.capacity() * size_of::<blend::Input>()
            + self.scratch.segments.capacity() * size_of::<Segment>()
    }
}

impl Clone for Mixer {
    /// A mixer in the same state, with room for its frames: a clone does not allocate later, either.
    fn clone(&self) -> Self {
        let mut clone = Self {
            skeleton: Arc::clone(&self.skeleton),
            slots: self.slots.clone(),
            rest_threshold: self.rest_threshold,
            events: self.events.clone(),
            scratch: Scratch::default(),
            has_warned: self.has_warned,
        };
        clone.reserve();
        clone
    }

    /// Takes over a state without allocating, if there was room for as many actions before.
    fn clone_from(&mut self, source: &Self) {
        self.skeleton.clone_from(&source.skeleton);
        self.slots.clone_from(&source.slots);
        self.rest_threshold = source.rest_threshold;
        self.events.clone_from(&source.events);
        self.has_warned = source.has_warned;
        self.reserve();
    }
}
