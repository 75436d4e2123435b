//! Layers above the base: actions that are laid over what is below, or added to it.

use std::sync::Arc;

use super::action::is_weight;
use super::actions::{Actions, Floor, Step};
use super::fade::{Fade, Tween};
use super::over::Relation;
use super::{Action, ActionId, JointMask, Mixer};
use crate::skeleton::{JointId, Skeleton};
use crate::warn::warn_once;

/// A [`Layer`] of a [`Mixer`]. The id of a layer that is gone is stale, and never means another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LayerId(pub(super) u32);

impl LayerId {
    /// The layer that is always there, and that [`Mixer::play`] plays on.
    pub const BASE: Self = Self(0);
}

/// What a layer does with what is below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LayerMode {
    /// It covers it, as far as its weight, its mask and the weights of its actions say.
    Over,
    /// It adds to it: its clips are [additive](crate::Clip::additive).
    Additive,
}

/// Actions that play above others: an attack over a run, breathing on top of everything.
///
/// Within a layer, actions blend and fade as those of a mixer without layers do. A layer that covers what is
/// below (`over`) does so, at each joint, by its weight times its mask times the sum of the weights of its
/// actions, up to one. So fading its only action in and out fades the layer. An additive layer adds each of
/// its clips with weight times mask times the action's weight and fade.
///
/// ```
/// # use canter::{Clip, Fade, JointMask, Layer, Mixer, Play, Skeleton, Track, Transform, glam::Vec3};
/// # use std::sync::Arc;
/// # let mut joints = Skeleton::builder();
/// # joints.joint("hips", None, Transform::IDENTITY);
/// # joints.joint("chest", Some(0), Transform::IDENTITY);
/// # let skeleton = Arc::new(joints.build()?);
/// # let chest = skeleton.joint("chest").unwrap();
/// # let clip = |name| Clip::builder(name, &skeleton).build().map(Arc::new);
/// # let (run, attack) = (clip("Run")?, clip("Attack")?);
/// let mut mixer = Mixer::new(&skeleton);
/// mixer.play(&run, Play::default());
/// let upper_body = mixer.add_layer(Layer::over(JointMask::subtree(&skeleton, chest)));
/// if let Some(mut layer) = mixer.layer_mut(upper_body) {
///     layer.play(&attack, Play { fade: Fade::dead(0.1), ..Play::once() })?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Layer {
    pub(super) mode: LayerMode,
    pub(super) mask: Option<Arc<JointMask>>,
    pub(super) weight: Ramp,
    pub(super) actions: Actions,
    /// How the rotations of joints stood to those below in the last pose.
    pub(super) relations: Vec<Relation>,
}

impl Layer {
    /// A layer that covers the joints, and the morph weights, of a mask. Masks of joints have no morph
    /// weights; see [`JointMask::with_morphs`].
    #[must_use]
    pub fn over(mask: impl Into<Arc<JointMask>>) -> Self {
        Self { mask: Some(mask.into()), ..Self::new(LayerMode::Over) }
    }

    /// A layer that adds to all joints.
    #[must_use]
    pub fn additive() -> Self {
        Self::new(LayerMode::Additive)
    }

    /// A layer for all joints.
    #[must_use]
    pub fn new(mode: LayerMode) -> Self {
        Self {
            mode,
            mask: None,
            weight: Ramp::FULL,
            actions: Actions::new(LayerId::BASE, Floor::Below),
            relations: Vec::new(),
        }
    }

    /// The same layer for the joints of a mask.
    #[must_use]
    pub fn with_mask(mut self, mask: impl Into<Arc<JointMask>>) -> Self {
        self.mask = Some(mask.into());
        self
    }

    /// The same layer with another weight, from 0 to 10¹⁸. One that is negative, larger or NaN is refused
    /// with a warning.
    #[must_use]
    pub fn with_weight(mut self, weight: f32) -> Self {
        if is_weight(weight) {
            self.weight = Ramp::at(weight);
        } else {
            warn_once!("a layer's weight of {weight} refused; expected a number from 0 to 1e18");
        }
        self
    }

    /// What it does with what is below it.
    #[must_use]
    pub fn mode(&self) -> LayerMode {
        self.mode
    }

    /// Which joints it moves; `None` for all.
    #[must_use]
    pub fn mask(&self) -> Option<&Arc<JointMask>> {
        self.mask.as_ref()
    }

    /// How strong it is, in the midst of a fade, too.
    #[must_use]
    pub fn weight(&self) -> f32 {
        self.weight.value()
    }

    /// Its id in its mixer; [`LayerId::BASE`] if it was never in one.
    #[must_use]
    pub fn id(&self) -> LayerId {
        self.actions.layer
    }

    /// Its actions.
    pub fn actions(&self) -> impl Iterator<Item = (ActionId, &Action)> {
        self.actions.iter()
    }

    /// How much of a joint it is, from 0 to 1; if it is additive, how much of its clips is added.
    ///
    /// # Panics
    /// If the joint belongs to a larger skeleton.
    #[must_use]
    pub fn coverage(&self, joint: JointId) -> f32 {
        let mask = |mask: Option<&Arc<JointMask>>| mask.map_or(1.0, |mask| mask.weight(joint));
        let weight = self.weight() * mask(self.mask.as_ref());
        let playing = || self.actions.by_content();
        let strength = |action: &Action| action.weight * action.fade_level() * mask(action.mask.as_ref());
        let sum: f32 = playing().map(strength).sum();
        match self.mode {
            LayerMode::Additive => weight * sum,
            LayerMode::Over if playing().any(|action| action.mask.is_some()) => {
                (sum.min(1.0) * self.actions.shares().cover * weight).min(1.0)
            }
            LayerMode::Over => ((1.0 - self.actions.shares().rest) * weight).min(1.0),
        }
    }

    pub(super) fn advance_transition(&mut self, step: &Step) {
        self.actions.advance_transition(step);
        if self.mode == LayerMode::Over && self.actions.iter().next().is_none() {
            // What comes next comes from what is below.
            self.actions.end_transition();
        }
    }

    /// What it adds has changed at once: a fade leads from what it added before no longer.
    pub(super) fn cut(&mut self) {
        if self.mode == LayerMode::Additive {
            self.actions.end_transition();
        }
    }

    /// Makes it a layer of a mixer.
    pub(super) fn enter(&mut self, id: LayerId, skeleton: &Skeleton) {
        self.actions = Actions::new(id, Floor::Below);
        let groups = skeleton.rest_pose().groups.len();
        self.actions.reserve_sides(1 + groups);
        self.relations = vec![Relation::UNKNOWN; if self.mode == LayerMode::Over { groups } else { 0 }];
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.actions.memory_bytes() + self.relations.capacity() * size_of::<Relation>()
    }
}

impl Clone for Layer {
    fn clone(&self) -> Self {
        Self {
            mode: self.mode,
            mask: self.mask.clone(),
            weight: self.weight,
            actions: self.actions.clone(),
            relations: self.relations.clone(),
        }
    }

    /// Without allocating, if there was room for as many actions before.
    fn clone_from(&mut self, source: &Self) {
        let Self { mode, mask, weight, actions, relations } = source;
        (self.mode, self.weight) = (*mode, *weight);
        self.mask.clone_from(mask);
        self.actions.clone_from(actions);
        self.relations.clone_from(relations);
    }
}

/// A number that may be on its way to another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ramp {
    pub(super) from: f32,
    pub(super) to: f32,
    pub(super) tween: Option<Tween>,
}

impl Ramp {
    const FULL: Self = Self::at(1.0);

    pub(super) const fn at(value: f32) -> Self {
        Self { from: value, to: value, tween: None }
    }

    pub(super) fn value(&self) -> f32 {
        self.tween.map_or(self.to, |tween| tween.mix(self.from, self.to))
    }

    /// As it is in the middle of the cell of its fade.
    pub(super) fn value_in_cell(&self) -> f32 {
        self.tween.map_or(self.to, |tween| tween.in_cell().mix(self.from, self.to))
    }

    /// Goes from where it is.
    pub(super) fn start(&mut self, to: f32, fade: Fade) {
        *self = Self { from: self.value(), to, tween: Some(Tween::new(fade)) };
        self.advance(0.0);
    }

    pub(super) fn advance(&mut self, dt_secs: f64) {
        if let Some(tween) = &mut self.tween {
            tween.passed_secs += dt_secs;
            if tween.is_over() {
                self.tween = None;
            }
        }
    }
}

impl Mixer {
    /// Puts a layer on top of those there are. It plays nothing yet.
    ///
    /// # Panics
    /// If its mask was made for another skeleton.
    pub fn add_layer(&mut self, mut layer: Layer) -> LayerId {
        self.assert_mask_fits(layer.mask.as_deref());
        // Not those that were used lately: the id of a layer that is gone must not mean a new one.
        let mut id = self.layers.last().map_or(LayerId::BASE, Layer::id);
        id = LayerId(self.last_layer.max(id.0));
        loop {
            id = LayerId(id.0.wrapping_add(1));
            if id != LayerId::BASE && self.layer(id).is_none() {
                break;
            }
        }
        self.last_layer = id.0;
        layer.enter(id, &self.skeleton);
        self.layers.push(layer);
        self.reserve();
        id
    }

    /// Removes a layer and its actions at once. `None` if its id is stale, or that of the base.
    pub fn remove_layer(&mut self, id: LayerId) -> Option<()> {
        let index = self.layers.iter().position(|layer| layer.id() == id)?;
        self.leave_windows(|layer, _| layer == id);
        self.layers.remove(index);
        Some(())
    }

    /// The layers above the base, from below.
    pub fn layers(&self) -> impl DoubleEndedIterator<Item = &Layer> + ExactSizeIterator {
        self.layers.iter()
    }

    /// The layer of an id, or `None` if it is stale, or that of the base.
    #[must_use]
    pub fn layer(&self, id: LayerId) -> Option<&Layer> {
        self.layers.iter().find(|layer| layer.id() == id)
    }
}
