//! Plays clips: clocks, fades and weights; and blends them to one pose.

mod action;
mod blend;
mod event;
mod fade;
mod fading;
mod mask;
mod play;
mod sample;
mod shares;
mod state;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::clip::Clip;
use crate::skeleton::Skeleton;
use crate::warn::warn_once;

pub use action::{Action, ActionError, ActionMut, Setting};
pub use event::{Event, EventKind, Events};
pub use fade::{Easing, Fade};
pub use mask::{JointMask, MaskError};
pub use play::Play;
pub use state::{MixerState, StateError};

use fade::Fader;
use sample::Scratch;

/// An [`Action`] of a [`Mixer`]. It carries a generation: the id of an action that is gone is stale, and
/// never means another action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ActionId {
    slot: u32,
    generation: u32,
}

/// Plays the clips of one character and blends them to one pose.
///
/// All that plays is a plain value here: clone a mixer to keep a state, put the clone back to return to it.
/// [`advance`](Self::advance) moves time, fades and weights; [`sample`](Self::sample) writes the pose. Neither allocates.
///
/// # Blending
/// A clip is a full pose: a joint that it has no track for is at rest in it, unless the action has a
/// [`JointMask`]. For every joint the weights of all actions are divided by their sum. The rest pose takes part like an
/// action that plays when nothing else does: it fades out as the first action fades in, and in as the last
/// one fades out. Rotations are blended as quaternions on the shortest path, and stay on their side while
/// they fade. The result does not depend on the order in which actions were started, and one action alone is
/// the clip, bit for bit.
///
/// # Fades
/// A fade moves what part of the pose an action is, evenly, from what it is to what it will be, also when it
/// interrupts another one: no joint jumps, from nothing, to nothing, or across. An action that is faded out
/// leaves the mixer; one that has finished holds its last pose until something else starts.
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
/// use canter::{EventKind, Play};
///
/// let mut mixer = Mixer::new(&skeleton);
/// let mut pose = Pose::rest(&skeleton);
/// mixer.play(&idle, Play::default());
/// mixer.crossfade_to(&run, 0.3);
/// for _ in 0..60 {
///     for event in mixer.advance(1.0 / 60.0) {
///         if event.kind == EventKind::Finished {
///             mixer.crossfade_to(&idle, 0.2);
///         }
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
    rest: Fader,
    /// Whether no fade is under way.
    is_settled: bool,
    speed: f32,
    fades_follow_speed: bool,
    /// Shared with the [`Events`] that the last step returned.
    events: Arc<Vec<Event>>,
    /// On which side rotations were added in the last pose: a part for the rest pose, then one for each slot.
    sides: Vec<u8>,
    scratch: Scratch,
}

#[derive(Clone, Debug)]
struct Slot {
    generation: u32,
    action: Option<Action>,
}

impl Slot {
    /// Its action, if it was started.
    fn playing(&self) -> Option<&Action> {
        self.action.as_ref().filter(|action| action.is_started)
    }

    fn is_free(&self) -> bool {
        self.action.is_none() && self.generation < u32::MAX
    }
}

impl Mixer {
    /// A mixer that plays nothing: the rest pose.
    #[must_use]
    pub fn new(skeleton: &Arc<Skeleton>) -> Self {
        let mut mixer = Self {
            skeleton: Arc::clone(skeleton),
            slots: Vec::new(),
            rest: Fader::FULL,
            is_settled: true,
            speed: 1.0,
            fades_follow_speed: false,
            events: Arc::default(),
            sides: Vec::new(),
            scratch: Scratch::default(),
        };
        mixer.reserve();
        mixer
    }

    /// The skeleton that it moves.
    #[must_use]
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// Starts a clip as a new action, beside what plays already, also if the clip plays already. Actions that
    /// have finished make room for it. A speed, weight or start that cannot be is left at its default, with a
    /// warning.
    ///
    /// For a clip that should go on if it plays already, see [`crossfade_to`](Self::crossfade_to).
    ///
    /// # Panics
    /// If the clip or the mask was made for another skeleton.
    pub fn play(&mut self, clip: &Arc<Clip>, play: Play) -> ActionId {
        self.assert_mask_fits(play.mask.as_deref());
        let slot = self.insert_clip(clip);
        let fade = play.fade;
        self.prepare(slot);
        if let Some(action) = &mut self.slots[slot].action {
            play.apply_to(action);
        }
        self.fade_in_and_finished_out(slot, true, fade);
        self.reserve();
        self.id(slot)
    }

    /// The action of a clip: the first there is, or a new one that does not play yet.
    ///
    /// # Panics
    /// If the clip was built for another skeleton.
    pub fn action(&mut self, clip: &Arc<Clip>) -> ActionId {
        let known = self.actions().find(|(_, action)| Arc::ptr_eq(&action.clip, clip));
        if let Some((id, _)) = known {
            return id;
        }
        let slot = self.insert_clip(clip);
        self.id(slot)
    }

    /// Makes an action that does not play yet.
    fn insert_clip(&mut self, clip: &Arc<Clip>) -> usize {
        assert!(
            clip.fits(&self.skeleton),
            "clip \"{}\" was built for another skeleton; bind it to this one first",
            clip.name()
        );
        clip.compile();
        self.insert(Action::new(Arc::clone(clip)))
    }

    fn insert(&mut self, action: Action) -> usize {
        let slot = match self.slots.iter().position(Slot::is_free) {
            Some(free) => free,
            None => {
                self.slots.push(Slot { generation: 0, action: None });
                self.slots.len() - 1
            }
        };
        self.slots[slot].action = Some(action);
        self.reserve();
        self.forget_sides(slot);
        slot
    }

    /// Ends an action at once. Its id is stale from then on. `None` if it is so already.
    pub fn stop(&mut self, id: ActionId) -> Option<()> {
        self.get(id)?;
        let shares = self.shares();
        let was_at_rest = self.is_at_rest();
        self.remove(id.slot as usize);
        if self.is_at_rest() && !was_at_rest {
            self.rest_with_the_last(shares.rest);
        }
        self.rebase();
        Some(())
    }

    /// Ends all actions at once.
    pub fn stop_all(&mut self) {
        for slot in 0..self.slots.len() {
            self.remove(slot);
        }
        self.rest = Fader::FULL;
    }

    fn remove(&mut self, slot: usize) {
        let slot = &mut self.slots[slot];
        if slot.action.take().is_some() {
            // At the last generation the slot is not used again: an id never means another action.
            slot.generation = slot.generation.saturating_add(1);
        }
    }

    /// Moves time on by `dt_secs`: clocks, fades, ends. Returns what happened; the body of a loop over that
    /// may use the mixer.
    ///
    /// A step that is negative or not finite is refused with a warning and changes nothing. A step over any
    /// number of loops is as exact and as quick as a short one.
    pub fn advance(&mut self, dt_secs: f32) -> Events {
        if !self.events.is_empty() {
            self.events_mut().clear();
        }
        if !is_step(dt_secs) {
            return Events::default();
        }
        let speed = f64::from(self.speed);
        let step_secs = f64::from(dt_secs) * speed;
        let (fade_secs, fade_speed) =
            if self.fades_follow_speed { (step_secs, speed) } else { (f64::from(dt_secs), 1.0) };
        self.rest.advance(fade_secs);
        let mut is_settled = self.rest.tween.is_none();
        for slot in 0..self.slots.len() {
            let Some(action) = &mut self.slots[slot].action else { continue };
            if !action.is_started {
                continue;
            }
            let faded_out = action.fader.advance(fade_secs);
            is_settled &= action.fader.tween.is_none();
            if !action.is_paused && !action.clock.advance_within_loop(step_secs) {
                let span = action.clock.advance(step_secs);
                if span.looped > 0 {
                    let is_odd = span.looped % 2 == 1;
                    self.tell(slot, EventKind::Looped { times: span.looped }, span.secs_since_loop / speed);
                    self.follow_loop(slot, is_odd);
                }
                if span.finished {
                    self.tell(slot, EventKind::Finished, span.secs_since_end / speed);
                }
            }
            if let Some(secs_since) = faded_out {
                self.tell(slot, EventKind::FadedOut, secs_since / fade_speed);
                self.remove(slot);
            }
        }
        self.is_settled = is_settled;
        Events::new(&self.events)
    }

    /// A clip that starts again may do so with the opposites of the quaternions that it ended with.
    fn follow_loop(&mut self, slot: usize, is_odd: bool) {
        let action = self.slots[slot].action.as_ref();
        let wraps = action.filter(|action| is_odd && action.loop_mode() != crate::LoopMode::PingPong);
        if let Some(clip) = wraps.map(|action| Arc::clone(&action.clip)) {
            self.turn_sides(slot, &clip);
        }
    }

    fn tell(&mut self, slot: usize, kind: EventKind, secs_ago: f64) {
        let id = self.id(slot);
        if let Some(action) = &self.slots[slot].action {
            let clip = Arc::clone(&action.clip);
            // A step without length may be divided by a speed of 0.
            #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
            let secs_ago = if secs_ago.is_finite() { secs_ago as f32 } else { 0.0 };
            self.events_mut().push(Event { action: id, clip, kind, secs_ago });
        }
    }

    fn events_mut(&mut self) -> &mut Vec<Event> {
        if Arc::get_mut(&mut self.events).is_none() {
            // Somebody keeps the last ones.
            self.events = Arc::new(Vec::with_capacity(3 * self.slots.len()));
        }
        Arc::get_mut(&mut self.events).expect("nobody else has it")
    }

    /// What happened in the last [`advance`](Self::advance).
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Whether any fade is under way: shares change with time, also of actions that are fully there.
    #[must_use]
    pub fn is_fading(&self) -> bool {
        !self.is_settled
    }

    /// How fast all of its time runs; 1 unless set.
    #[must_use]
    pub fn speed(&self) -> f32 {
        self.speed
    }

    /// Sets how fast the time of all actions runs: 0 for a hit-stop, less than 1 for slow motion. Fades take
    /// their own time unless [`set_fades_follow_speed`](Self::set_fades_follow_speed) says otherwise. What is
    /// negative or not finite is refused with a warning.
    pub fn set_speed(&mut self, speed: f32) {
        if speed.is_finite() && speed >= 0.0 {
            self.speed = speed;
        } else {
            warn_once!("a mixer's speed of {speed} refused; expected a finite number from 0");
        }
    }

    /// Whether fades run with the mixer's [`speed`](Self::speed).
    #[must_use]
    pub fn fades_follow_speed(&self) -> bool {
        self.fades_follow_speed
    }

    /// Sets whether fades run with the mixer's [`speed`](Self::speed), too: then a hit-stop stops them as
    /// well.
    pub fn set_fades_follow_speed(&mut self, follow: bool) {
        self.fades_follow_speed = follow;
    }

    /// The action of an id, or `None` if it is stale.
    #[must_use]
    #[inline]
    pub fn get(&self, id: ActionId) -> Option<&Action> {
        let slot = self.slots.get(id.slot as usize)?;
        slot.action.as_ref().filter(|_| slot.generation == id.generation)
    }

    /// The action of an id, to change, or `None` if it is stale.
    #[must_use]
    #[inline]
    pub fn get_mut(&mut self, id: ActionId) -> Option<ActionMut<'_>> {
        self.get(id)?;
        Some(ActionMut { mixer: self, id })
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

    /// What part of the pose an action is, from 0 to 1, after fades and beside the others; `None` if its id
    /// is stale. The parts of all actions and [`rest_weight`](Self::rest_weight) add up to one. Masks come on
    /// top, joint by joint.
    #[must_use]
    pub fn effective_weight(&self, id: ActionId) -> Option<f32> {
        let action = self.get(id)?;
        Some(self.shares().of(action))
    }

    /// What part of the pose the rest pose is, from 0 to 1.
    #[must_use]
    pub fn rest_weight(&self) -> f32 {
        self.shares().rest
    }

    fn assert_mask_fits(&self, mask: Option<&JointMask>) {
        if let Some(mask) = mask {
            assert!(mask.fits(&self.skeleton), "the mask was made for another skeleton");
        }
    }

    /// How much memory the mixer takes in bytes, without the clips and the skeleton that it shares.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.slots.capacity() * size_of::<Slot>()
            + self.events.capacity() * size_of::<Event>()
            + self.sides.capacity()
            + self.scratch.memory_bytes()
    }
}

/// Whether time can move on by this; tells of each cause once if it cannot.
fn is_step(dt_secs: f32) -> bool {
    if dt_secs.is_finite() && dt_secs >= 0.0 {
        return true;
    }
    if dt_secs.is_nan() {
        warn_once!("a step of NaN refused; expected a finite number of seconds from 0");
    } else if dt_secs < 0.0 {
        warn_once!(
            "a step of {dt_secs} s refused; expected one from 0: set a negative speed to play backwards"
        );
    } else {
        warn_once!("a step of {dt_secs} s refused; expected a finite number");
    }
    false
}

impl Clone for Mixer {
    /// A mixer in the same state, with room for its frames: a clone does not allocate later, either.
    fn clone(&self) -> Self {
        let mut clone = Self {
            skeleton: Arc::clone(&self.skeleton),
            slots: self.slots.clone(),
            rest: self.rest,
            is_settled: self.is_settled,
            speed: self.speed,
            fades_follow_speed: self.fades_follow_speed,
            events: Arc::new(self.events.to_vec()),
            sides: self.sides.clone(),
            scratch: Scratch::default(),
        };
        clone.reserve();
        clone
    }

    /// Takes over a state without allocating, if there was room for as many actions before.
    fn clone_from(&mut self, source: &Self) {
        self.skeleton.clone_from(&source.skeleton);
        self.slots.clone_from(&source.slots);
        (self.rest, self.is_settled) = (source.rest, source.is_settled);
        self.speed = source.speed;
        self.fades_follow_speed = source.fades_follow_speed;
        self.events_mut().clone_from(&source.events);
        self.sides.clone_from(&source.sides);
        self.reserve();
    }
}
