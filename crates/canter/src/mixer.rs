//! Plays clips: clocks, fades and weights; and blends them to one pose.

mod action;
mod actions;
mod add;
pub(crate) mod ahead;
mod blend;
mod event;
mod fade;
mod fading;
mod lay;
mod layer;
mod layer_mut;
mod mask;
mod motion;
mod over;
mod passage;
mod play;
mod replace;
mod sample;
mod shares;
mod state;
mod sync;
#[cfg(test)]
mod tests;
mod transition;

use std::sync::Arc;

use crate::clip::Clip;
use crate::prefetch;
use crate::skeleton::Skeleton;
use crate::warn::warn_once;

pub use action::{Action, ActionError, ActionMut, Setting};
pub use event::{Event, EventKind, Events};
pub use fade::{Easing, Fade, FadeKind};
pub use layer::{Layer, LayerId, LayerMode};
pub use layer_mut::{LayerError, LayerMut, PlayError};
pub use mask::{JointMask, MaskError};
pub use motion::RootStep;
pub use passage::{MarkerEvent, MarkerEvents, MarkerKind};
pub use play::Play;
pub use state::{MixerState, StateError};
pub use sync::{Pace, SyncGroup, SyncKind};

use actions::{Actions, Floor, Step};
use event::EventList;
use motion::Motion;
use sample::Scratch;

/// An [`Action`] of a [`Mixer`]. It carries a generation: the id of an action that is gone is stale, and
/// never means another action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ActionId {
    layer: LayerId,
    slot: u32,
    generation: u32,
}

impl ActionId {
    /// The layer that it plays on; [`LayerId::BASE`] unless it was started on another one.
    #[must_use]
    pub fn layer(self) -> LayerId {
        self.layer
    }
}

/// Plays the clips of one character and blends them to one pose.
///
/// All that plays is a plain value here: clone a mixer to keep a state, put the clone back to return to it.
/// [`advance`](Self::advance) moves time, fades and weights; [`sample`](Self::sample) writes the pose.
/// Neither allocates.
///
/// # Blending
/// A clip is a full pose: a joint that it has no track for is at rest in it, unless the action has a
/// [`JointMask`]. For every joint the weights of all actions are divided by their sum. The rest pose takes
/// part like an action that plays when nothing else does: it fades out as the first action fades in, and in
/// as the last one fades out. Rotations are blended as quaternions on the shortest path, and stay on their
/// side while they fade. The result does not depend on the order in which actions were started, and one
/// action alone is the clip, bit for bit.
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
    base: Actions,
    /// Those above the base, from below.
    layers: Vec<Layer>,
    /// The number of the layer that was added last.
    last_layer: u32,
    speed: f32,
    fades_follow_speed: bool,
    events: EventList,
    scratch: Scratch,
    /// If any of its clips has markers or root motion, or actions are in step.
    motion: Option<Box<Motion>>,
    /// Whether it has none of all that: nothing but actions that play and crossfade.
    is_bare: bool,
}

impl Mixer {
    /// A mixer that plays nothing: the rest pose.
    #[must_use]
    pub fn new(skeleton: &Arc<Skeleton>) -> Self {
        let mut mixer = Self {
            skeleton: Arc::clone(skeleton),
            base: Actions::new(LayerId::BASE, Floor::Rest),
            layers: Vec::new(),
            last_layer: LayerId::BASE.0,
            speed: 1.0,
            fades_follow_speed: false,
            events: EventList::default(),
            scratch: Scratch::default(),
            motion: None,
            is_bare: true,
        };
        mixer.base.reserve_sides(1 + skeleton.rest_pose().groups.len());
        mixer
    }

    /// Lets the CPU fetch what it will need of those that come next: what the first one has on the heap, which is
    /// found by way of the mixer itself, and the second one.
    #[inline]
    pub(crate) fn prefetch(coming: &[Self]) {
        if let Some(next) = coming.first() {
            prefetch::for_writing(&next.base.slots);
            prefetch::for_writing(&next.base.sides);
            next.events.prefetch();
        }
        prefetch::for_writing(coming.get(1..2).unwrap_or_default());
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
    /// If the clip or the mask was made for another skeleton, or the clip is additive: such a clip is played
    /// on an additive [`Layer`].
    pub fn play(&mut self, clip: &Arc<Clip>, play: Play) -> ActionId {
        self.assert_clip(clip);
        self.assert_mask_fits(play.mask.as_deref());
        self.play_on(LayerId::BASE, clip, play)
    }

    /// Starts a clip on a layer. Clip and mask were checked.
    fn play_on(&mut self, layer: LayerId, clip: &Arc<Clip>, play: Play) -> ActionId {
        let slot = self.insert_clip(layer, clip);
        let fade = play.fade;
        if let Some(actions) = self.actions_of_mut(layer) {
            actions.prepare(slot);
        }
        self.set_up(layer, slot, play);
        self.fade_in_and_finished_out(layer, slot, true, fade);
        self.reserve();
        self.id(layer, slot)
    }

    /// Puts settings into an action that was just started.
    fn set_up(&mut self, layer: LayerId, slot: usize, play: Play) {
        let (sync, joins) = (play.sync, play.start_secs.is_none());
        let action = self.actions_of_mut(layer).and_then(|actions| actions.slots[slot].action.as_mut());
        if let Some(action) = action {
            play.apply_to(action);
        }
        if sync.is_some() {
            self.set_sync(self.id(layer, slot), sync, joins);
        }
    }

    /// The action of a clip: the first there is, or a new one that does not play yet.
    ///
    /// # Panics
    /// If the clip was built for another skeleton, or is additive.
    pub fn action(&mut self, clip: &Arc<Clip>) -> ActionId {
        self.assert_clip(clip);
        self.action_on(LayerId::BASE, clip)
    }

    /// The action of a clip on a layer. The clip was checked.
    fn action_on(&mut self, layer: LayerId, clip: &Arc<Clip>) -> ActionId {
        let known = self.actions_of(layer).and_then(|actions| {
            let mut of_clip = actions.iter().filter(|(_, action)| Arc::ptr_eq(&action.clip, clip));
            of_clip.next().map(|(id, _)| id)
        });
        known.unwrap_or_else(|| {
            let slot = self.insert_clip(layer, clip);
            self.id(layer, slot)
        })
    }

    /// Makes an action that does not play yet.
    fn insert_clip(&mut self, layer: LayerId, clip: &Arc<Clip>) -> usize {
        clip.compile();
        let slot = self.insert(layer, Action::new(Arc::clone(clip)));
        if clip.tells() {
            self.start_telling();
        }
        slot
    }

    fn insert(&mut self, layer: LayerId, action: Action) -> usize {
        let actions = self.actions_of_mut(layer).expect("the layer was looked up");
        let slot = actions.insert(action);
        self.reserve();
        slot
    }

    /// Ends an action at once. Its id is stale from then on. `None` if it is so already.
    pub fn stop(&mut self, id: ActionId) -> Option<()> {
        self.get(id)?;
        self.leave_windows(|actions, slot| (actions, slot) == (id.layer, id.slot as usize));
        self.actions_of_mut(id.layer)?.stop(id.slot as usize);
        Some(())
    }

    /// Lets actions that are about to end leave their windows.
    fn leave_windows(&mut self, ends: impl Fn(LayerId, usize) -> bool) {
        let Some(mut motion) = self.motion.take() else { return };
        for actions in self.all_actions_mut() {
            for slot in 0..actions.slots.len() {
                if ends(actions.layer, slot) {
                    actions.leave_windows(slot, &mut motion.passages);
                }
            }
        }
        self.motion = Some(motion);
    }

    /// Ends all actions at once.
    pub fn stop_all(&mut self) {
        self.leave_windows(|_, _| true);
        self.base.stop_all();
        for layer in &mut self.layers {
            layer.actions.stop_all();
        }
    }

    /// Moves time on by `dt_secs`: clocks, fades, ends. Returns what happened; the body of a loop over that
    /// may use the mixer.
    ///
    /// A step that is negative or not finite is refused with a warning and changes nothing. A step over any
    /// number of loops is as exact and as quick as a short one.
    pub fn advance(&mut self, dt_secs: f32) -> Events {
        self.advance_exactly(dt_secs.into())
    }

    /// The same by a step in double precision: the pieces of a step that was cut add up to the whole.
    pub fn advance_exactly(&mut self, dt_secs: f64) -> Events {
        self.events.clear();
        if !is_step(dt_secs) {
            self.tell_nothing();
            return Events::default();
        }
        if self.is_bare {
            let step = self.step(dt_secs);
            self.base.advance(&step, &mut self.events);
        } else if self.motion.is_some() {
            self.advance_and_tell(dt_secs);
        } else {
            self.advance_all(&self.step(dt_secs));
        }
        self.events.events()
    }

    /// Moves time on by steps that were checked and added up, in full precision.
    pub(crate) fn advance_by(&mut self, dt_secs: f64) {
        self.events.clear();
        if self.motion.is_some() {
            self.advance_and_tell(dt_secs);
        } else {
            self.advance_all(&self.step(dt_secs));
        }
    }

    /// Whether it has neither layers nor fades that start from what is on screen.
    #[inline]
    fn is_plain(&self) -> bool {
        self.base.transition.is_none() && self.layers.is_empty()
    }

    #[inline(never)]
    fn advance_all(&mut self, step: &Step) {
        // A fade starts from the pose of the instant at which it was asked for.
        self.aim_transitions();
        self.base.advance(step, &mut self.events);
        self.base.advance_transition(step);
        for layer in &mut self.layers {
            layer.weight.advance(step.fade_secs);
            layer.actions.advance(step, &mut self.events);
            layer.advance_transition(step);
        }
    }

    /// How far a step leads.
    #[inline]
    fn step(&self, dt_secs: f64) -> Step {
        let speed = f64::from(self.speed);
        let secs = dt_secs * speed;
        let (fade_secs, fade_speed) = if self.fades_follow_speed { (secs, speed) } else { (dt_secs, 1.0) };
        Step { secs, speed, fade_secs, fade_speed }
    }

    /// What happened in the last [`advance`](Self::advance).
    #[must_use]
    pub fn events(&self) -> &[Event] {
        self.events.as_slice()
    }

    /// Whether any fade is under way: shares change with time, also of actions that are fully there.
    #[must_use]
    pub fn is_fading(&self) -> bool {
        let is_fading = |layer: &Layer| layer.actions.is_fading() || layer.weight.tween.is_some();
        self.base.is_fading() || self.layers.iter().any(is_fading)
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
        self.actions_of(id.layer)?.get(id)
    }

    /// The action of an id, to change, or `None` if it is stale.
    #[must_use]
    #[inline]
    pub fn get_mut(&mut self, id: ActionId) -> Option<ActionMut<'_>> {
        self.get(id)?;
        Some(ActionMut { mixer: self, id })
    }

    /// The id of an action that there is.
    fn id(&self, layer: LayerId, slot: usize) -> ActionId {
        self.actions_of(layer).expect("the layer was looked up").id(slot)
    }

    #[inline]
    fn actions_of(&self, layer: LayerId) -> Option<&Actions> {
        if layer == LayerId::BASE {
            return Some(&self.base);
        }
        self.layers.iter().map(|layer| &layer.actions).find(|actions| actions.layer == layer)
    }

    #[inline]
    fn actions_of_mut(&mut self, layer: LayerId) -> Option<&mut Actions> {
        if layer == LayerId::BASE {
            return Some(&mut self.base);
        }
        self.layers.iter_mut().map(|layer| &mut layer.actions).find(|actions| actions.layer == layer)
    }

    /// All actions, those of layers above others after them.
    pub fn actions(&self) -> impl Iterator<Item = (ActionId, &Action)> {
        self.base.iter().chain(self.layers.iter().flat_map(|layer| layer.actions.iter()))
    }

    /// What part of the pose an action is, from 0 to 1, after fades and beside the others; `None` if its id
    /// is stale. The parts of all actions and [`rest_weight`](Self::rest_weight) add up to one. Masks come on
    /// top, joint by joint, and so do layers above. On a layer it is the part of what the layer is laid over,
    /// or, if it adds, how much of the clip is added.
    #[must_use]
    pub fn effective_weight(&self, id: ActionId) -> Option<f32> {
        let action = self.get(id)?;
        let Some(layer) = self.layer(id.layer) else { return Some(self.base.shares().of(action)) };
        Some(motion::effective_weight(layer.mode, layer.weight(), &layer.actions.shares(), action))
    }

    /// What part of the pose the rest pose is, from 0 to 1.
    #[must_use]
    pub fn rest_weight(&self) -> f32 {
        self.base.shares().rest
    }

    fn assert_clip(&self, clip: &Clip) {
        if let Err(error) = self.check_clip(LayerId::BASE, clip) {
            panic!("{error}");
        }
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
            + self.base.memory_bytes()
            + self.layers.iter().map(Layer::memory_bytes).sum::<usize>()
            + self.events.memory_bytes()
            + self.scratch.memory_bytes()
            + self.motion.as_ref().map_or(0, |motion| motion.memory_bytes())
    }
}

/// Whether time can move on by this; tells of each cause once if it cannot.
fn is_step(dt_secs: f64) -> bool {
    // Finite and from 0, in one comparison: positive numbers are ordered as their bits are. Beside them there is -0.
    if dt_secs.to_bits() < f64::INFINITY.to_bits() || dt_secs == 0.0 {
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
            base: self.base.clone(),
            layers: self.layers.clone(),
            events: self.events.clone(),
            scratch: Scratch::default(),
            motion: self.motion.clone(),
            ..*self
        };
        clone.reserve();
        clone.reserve_as_before();
        clone
    }

    /// Takes over a state without allocating, if there was room for as many actions before.
    fn clone_from(&mut self, source: &Self) {
        if !Arc::ptr_eq(&self.skeleton, &source.skeleton) {
            self.skeleton = Arc::clone(&source.skeleton);
            self.scratch = Scratch::default();
        }
        self.base.clone_from(&source.base);
        self.layers.clone_from(&source.layers);
        self.last_layer = source.last_layer;
        self.speed = source.speed;
        self.fades_follow_speed = source.fades_follow_speed;
        self.events.clone_from(&source.events);
        self.motion.clone_from(&source.motion);
        self.is_bare = source.is_bare;
        self.reserve();
    }
}
