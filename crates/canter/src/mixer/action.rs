//! One clip that plays: its clock, its weight, and the handle that changes them.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use super::fade::Fader;
use super::mask::JointMask;
use super::{ActionId, Mixer, SyncGroup};
use crate::clip::Clip;
use crate::clock::{Clock, LoopMode};
use crate::float_text::FloatText;
use crate::transform::LARGEST;

/// A clip in a mixer: what plays, where it is, how fast and how strong.
///
/// [`Mixer::get`] shows it, [`Mixer::get_mut`] gives an [`ActionMut`] that changes it.
#[derive(Clone, Debug)]
pub struct Action {
    pub(crate) clip: Arc<Clip>,
    pub(crate) clock: Clock,
    pub(crate) weight: f32,
    pub(crate) is_started: bool,
    pub(crate) is_paused: bool,
    pub(crate) fader: Fader,
    pub(crate) mask: Option<Arc<JointMask>>,
    /// Whether the instant at which it stands was not shown yet.
    pub(crate) is_fresh: bool,
    pub(crate) sync: Option<SyncGroup>,
}

impl Action {
    pub(crate) fn new(clip: Arc<Clip>) -> Self {
        Self {
            clock: Clock::new(clip.duration_secs()),
            clip,
            weight: 1.0,
            is_started: false,
            is_paused: false,
            fader: Fader::SILENT,
            mask: None,
            is_fresh: true,
            sync: None,
        }
    }

    /// What it plays.
    #[must_use]
    pub fn clip(&self) -> &Arc<Clip> {
        &self.clip
    }

    /// Its time: where it is, with loops; its speed, its loop mode, and the part of the clip that it plays.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The instant of the clip that it shows, from 0 to the clip's length.
    #[must_use]
    pub fn time_secs(&self) -> f32 {
        self.clock.time_secs()
    }

    /// How many loops it has completed; negative when it went back beyond its start.
    #[must_use]
    pub fn loops(&self) -> i64 {
        self.clock.moment().loops
    }

    /// The time played since its start, loops included.
    #[must_use]
    pub fn unwrapped_secs(&self) -> f64 {
        self.clock.unwrapped_secs()
    }

    /// Seconds of the clip per second; negative runs backwards.
    #[must_use]
    pub fn speed(&self) -> f32 {
        self.clock.speed()
    }

    /// The weight that it was given, without fades and other actions.
    #[must_use]
    pub fn weight(&self) -> f32 {
        self.weight
    }

    /// How far it is faded in, from 0 to 1.
    #[must_use]
    pub fn fade_level(&self) -> f32 {
        if self.is_started { self.fader.level() } else { 0.0 }
    }

    /// What it does at the end of the clip.
    #[must_use]
    pub fn loop_mode(&self) -> LoopMode {
        self.clock.loop_mode()
    }

    /// Which joints it moves; `None` for all.
    #[must_use]
    pub fn mask(&self) -> Option<&Arc<JointMask>> {
        self.mask.as_ref()
    }

    /// Whether it was played or faded in since it was made.
    #[must_use]
    pub fn is_started(&self) -> bool {
        self.is_started
    }

    /// Whether its clock stands still; its pose still counts.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Whether it has reached its end and holds its last pose.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.clock.is_finished()
    }

    /// Whether a fade of its own is under way.
    #[must_use]
    pub fn is_fading(&self) -> bool {
        self.is_started && self.fader.is_running()
    }

    /// Whether it is on its way out.
    #[must_use]
    pub fn is_fading_out(&self) -> bool {
        self.is_started && !self.fader.is_wanted
    }
}

/// Whether an action can have this weight: larger ones would add up to infinity.
#[inline]
pub(super) fn is_weight(weight: f32) -> bool {
    (0.0..=LARGEST).contains(&weight)
}

/// An action of a mixer, to change; see [`Mixer::get_mut`]. It reads as an [`Action`].
///
/// ```
/// # use canter::{Clip, Mixer, Play, Skeleton, Transform};
/// # let mut joints = Skeleton::builder();
/// # joints.joint("hips", None, Transform::IDENTITY);
/// # let skeleton = std::sync::Arc::new(joints.build()?);
/// # let clip = std::sync::Arc::new(Clip::builder("Idle", &skeleton).build()?);
/// # let mut mixer = Mixer::new(&skeleton);
/// let id = mixer.play(&clip, Play::default());
/// if let Some(mut action) = mixer.get_mut(id) {
///     action.set_speed(0.5)?;
///     assert!(action.set_speed(f32::NAN).is_err()); // refused, and still 0.5
///     assert_eq!(action.speed(), 0.5);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ActionMut<'a> {
    pub(super) mixer: &'a mut Mixer,
    pub(super) id: ActionId,
}

impl ActionMut<'_> {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> ActionId {
        self.id
    }

    #[inline]
    fn action_mut(&mut self) -> &mut Action {
        let actions = self.mixer.actions_of_mut(self.id.layer).expect("a handle is made of a live action");
        let slot = &mut actions.slots[self.id.slot as usize];
        slot.action.as_mut().expect("a handle is made of a live action")
    }

    /// Stops its clock; its pose still counts.
    pub fn pause(&mut self) {
        self.action_mut().is_paused = true;
    }

    /// Lets its clock run on; starts it, at full strength, if it was never played.
    pub fn resume(&mut self) {
        self.action_mut().is_paused = false;
        if !self.is_started {
            self.mixer.bring_in(self.id.layer, self.id.slot as usize, super::Fade::default());
        }
    }

    /// Puts it back to where it begins, with no loops done. Pauses, fades and settings stay as they are.
    pub fn reset(&mut self) {
        self.forget_sides();
        let action = self.action_mut();
        action.clock.rewind();
        action.is_fresh = true;
    }

    /// Puts it to a time of its clip, in its first loop. A time beyond the clip wraps as its loop mode says.
    /// Markers on the way are not told, a marker at that time is, with the next step.
    ///
    /// # Errors
    /// If the time is not finite.
    pub fn seek(&mut self, secs: f32) -> Result<(), ActionError> {
        if !self.action_mut().clock.seek(secs) {
            return self.refuse(Setting::Time, secs);
        }
        self.action_mut().is_fresh = true;
        self.forget_sides();
        Ok(())
    }

    /// Puts it to a time of its clip, in the loop that it is in. Markers on the way there are told with the
    /// next step: for a hand on a timeline. A time beyond the part that is played is cut off.
    ///
    /// # Errors
    /// If the time is not finite.
    pub fn scrub(&mut self, secs: f32) -> Result<(), ActionError> {
        if !secs.is_finite() {
            return self.refuse(Setting::Time, secs);
        }
        self.forget_sides();
        let (layer, slot) = (self.id.layer, self.id.slot as usize);
        match self.mixer.motion.take() {
            Some(mut motion) => {
                self.mixer.weigh_traces();
                if let Some(actions) = self.mixer.actions_of_mut(layer) {
                    actions.scrub(slot, secs, &mut motion.passages);
                }
                self.mixer.motion = Some(motion);
            }
            None => self.action_mut().clock.scrub(secs),
        }
        Ok(())
    }

    /// Sets which actions it stays in step with; `None` for none. It goes to where they are at once.
    pub fn set_sync(&mut self, sync: Option<SyncGroup>) {
        self.mixer.set_sync(self.id, sync, true);
    }

    /// Sets the speed so that it covers so many metres per second, by its clip's
    /// [ground speed](Clip::ground_speed).
    ///
    /// # Errors
    /// If the clip does not walk, or its ground speed is not known, or the speed is not finite.
    pub fn set_ground_speed(&mut self, metres_per_sec: f32) -> Result<(), ActionError> {
        let speed = self.clip.speed_over_ground(metres_per_sec);
        match speed {
            Some(speed) => self.set_speed(speed),
            None => self.refuse(Setting::GroundSpeed, metres_per_sec),
        }
    }

    fn forget_places(&mut self) {
        if let Some(actions) = self.mixer.actions_of_mut(self.id.layer) {
            actions.forget_places(self.id.slot as usize);
        }
    }

    fn forget_sides(&mut self) {
        if let Some(actions) = self.mixer.actions_of_mut(self.id.layer) {
            actions.forget_sides(self.id.slot as usize);
        }
    }

    /// Sets the speed: seconds of the clip per second; 0 stands still, negative runs backwards.
    ///
    /// # Errors
    /// If the speed is not finite.
    pub fn set_speed(&mut self, speed: f32) -> Result<(), ActionError> {
        if self.action_mut().clock.set_speed(speed) { Ok(()) } else { self.refuse(Setting::Speed, speed) }
    }

    /// Sets the weight, from 0 to 10¹⁸. Others and the rest pose make room at once.
    ///
    /// # Errors
    /// If the weight is negative, larger, or NaN.
    #[inline]
    pub fn set_weight(&mut self, weight: f32) -> Result<(), ActionError> {
        if !is_weight(weight) {
            return self.refuse(Setting::Weight, weight);
        }
        self.action_mut().weight = weight;
        Ok(())
    }

    /// Sets what happens at the end of the clip. The pose stays; if the mode is another one, loops are
    /// counted anew.
    pub fn set_loop_mode(&mut self, loop_mode: LoopMode) {
        self.action_mut().clock.set_loop_mode(loop_mode);
        self.forget_places();
    }

    /// Plays only a part of the clip, from a start to an end in seconds. The pose stays if it lies in that
    /// part.
    ///
    /// # Errors
    /// If the start is after the end, or one of them lies outside of the clip.
    pub fn set_range_secs(&mut self, start: f32, end: f32) -> Result<(), ActionError> {
        let clip_secs = 0.0..=self.clip.duration_secs();
        if !clip_secs.contains(&start) {
            return self.refuse(Setting::Range, start);
        }
        let is_range = clip_secs.contains(&end) && self.action_mut().clock.set_range_secs(start, end);
        self.forget_places();
        if is_range { Ok(()) } else { self.refuse(Setting::Range, end) }
    }

    /// Sets which joints it moves; `None` for all.
    ///
    /// # Panics
    /// If the mask was made for another skeleton.
    pub fn set_mask(&mut self, mask: Option<Arc<JointMask>>) {
        self.mixer.assert_mask_fits(mask.as_deref());
        self.action_mut().mask = mask;
        self.mixer.reserve();
    }

    #[cold]
    fn refuse(&self, setting: Setting, value: f32) -> Result<(), ActionError> {
        Err(ActionError { clip: self.clip.name().to_owned(), setting, value })
    }
}

impl Deref for ActionMut<'_> {
    type Target = Action;

    fn deref(&self) -> &Action {
        self.mixer.get(self.id).expect("a handle is made of a live action")
    }
}

/// A setting of an action was refused; the action is as it was.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionError {
    /// The name of the action's clip.
    pub clip: String,
    /// What was to be set.
    pub setting: Setting,
    /// The value that was refused.
    pub value: f32,
}

/// What of an action can be refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Setting {
    /// Where it is.
    Time,
    /// How fast it runs.
    Speed,
    /// How strong it is.
    Weight,
    /// The part of the clip that it plays.
    Range,
    /// How fast it covers ground.
    GroundSpeed,
}

impl fmt::Display for ActionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, expected) = match self.setting {
            Setting::Time => ("time", "a finite number of seconds"),
            Setting::Speed => ("speed", "a finite number"),
            Setting::Weight => ("weight", "a number from 0 to 1e18"),
            Setting::Range => ("end of a range", "a start and, not before it, an end within the clip"),
            Setting::GroundSpeed => ("speed over ground", "a clip whose ground speed is known, and not 0"),
        };
        let value = FloatText(self.value.into());
        write!(f, "clip \"{}\": {what} {value} refused; expected {expected}", self.clip)
    }
}

impl std::error::Error for ActionError {}
