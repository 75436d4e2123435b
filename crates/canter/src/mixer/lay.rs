//! How a layer meets what is below it.

use fearless_simd::{Level, Simd};

use super::actions::Actions;
use super::add::Add;
use super::blend::{self, SEGMENTS_ON_STACK};
use super::over::{Cover, Over, Relation};
use super::sample::{LayerScratch, Scratch};
use super::shares::Shares;
use super::{Action, JointMask, Layer, LayerMode};
use crate::clip::Clip;
use crate::clip::interpolate::{Visitor, walk};
use crate::clip::rows::{Rows, Segment};
use crate::kernel::dispatch;
use crate::pose::{JointGroup, Lanes, Pose};
use crate::skeleton::Skeleton;
use crate::transform::LARGEST;

impl Layer {
    /// Lays its pose over the one of the layers below, or adds its clips to it.
    pub(super) fn lay(&mut self, level: Level, skeleton: &Skeleton, scratch: &mut Scratch, pose: &mut Pose) {
        // Taken out, so that the rest of the memory can be used beside it.
        let mut layers = scratch.layers.take().expect("it is there since the layer was added");
        match self.mode {
            LayerMode::Over => self.lay_over(level, skeleton, scratch, &mut layers, pose),
            LayerMode::Additive if self.weight() <= 0.0 => {}
            LayerMode::Additive if self.actions.has_transition() => {
                self.write_own(level, skeleton, scratch, &mut layers.own);
                self.actions.follow_transition(level, None, &mut layers.own);
                let own = Located::stored(&layers.own.groups);
                own.add(level, Add { weight: 1.0, masks: [None; 2], groups: &mut pose.groups });
                for (out, own) in pose.morph_weights.iter_mut().zip(&layers.own.morph_weights) {
                    *out = (*out + own).clamp(-LARGEST, LARGEST);
                }
            }
            LayerMode::Additive => self.add_to(level, skeleton, scratch, pose),
        }
        scratch.layers = Some(layers);
    }

    /// What it is by itself: its blend, or all that it adds. Without a transition.
    pub(super) fn write_own(
        &mut self,
        level: Level,
        skeleton: &Skeleton,
        scratch: &mut Scratch,
        own: &mut Pose,
    ) {
        match self.mode {
            LayerMode::Over => self.actions.blend(level, skeleton, scratch, own),
            LayerMode::Additive => {
                own.clear();
                self.add_to(level, skeleton, scratch, own);
            }
        }
    }

    fn lay_over(
        &mut self,
        level: Level,
        skeleton: &Skeleton,
        scratch: &mut Scratch,
        layers: &mut LayerScratch,
        pose: &mut Pose,
    ) {
        let (shares, weight) = (self.actions.shares(), self.weight());
        if shares.rest >= 1.0 || weight <= 0.0 {
            self.relations.fill(Relation::UNKNOWN);
            self.actions.forget_all_sides();
            return;
        }
        let is_alone = self.actions.alone(&shares).is_some() && !self.actions.has_transition();
        if !is_alone {
            self.actions.blend(level, skeleton, scratch, &mut layers.own);
            self.actions.follow_transition(level, None, &mut layers.own);
        }
        let Self { mask, actions, relations, weight: ramp, .. } = self;
        let is_masked = actions.iter().any(|(_, action)| action.is_started && action.mask.is_some());
        let whole = (if is_masked { shares.cover } else { 1.0 - shares.rest }) * weight;
        let mask = mask.as_deref();
        actions.write_covers(is_masked, &mut layers.covers);
        let of_actions = if is_masked { &layers.covers[..] } else { &[] };
        let is_fading = actions.is_fading() || ramp.tween.is_some();
        let cover = Cover { whole, mask, of_actions };
        let over = Over { cover, is_fading, relations, groups: &mut pose.groups };
        let source = if is_alone { actions.alone(&shares) } else { None };
        let mut few = [Segment::EMPTY; SEGMENTS_ON_STACK];
        let blend = &mut scratch.blend;
        let located = match source {
            Some(action) => Located::new(&action.clip, action.time_secs(), skeleton, blend, &mut few),
            None => Located::stored(&layers.own.groups),
        };
        located.lay_over(level, over);
        for (set, weights) in skeleton.rest_pose().morph_ranges().enumerate() {
            let of_set = |mask: Option<&JointMask>| mask.map_or(1.0, |mask| mask.morphs[set]);
            let strength = |action: &Action| action.strength() * of_set(action.mask.as_deref());
            let of_actions =
                if is_masked { actions.by_content().map(strength).sum::<f32>().min(1.0) } else { 1.0 };
            let cover = (whole * of_set(mask) * of_actions).min(1.0);
            let out = &mut pose.morph_weights[weights.clone()];
            if cover <= 0.0 {
                continue;
            }
            // Full coverage leaves nothing of what is below, not even the sign of a zero.
            out.iter_mut().for_each(|out| *out = if cover < 1.0 { *out * (1.0 - cover) } else { -0.0 });
            match source {
                Some(action) => action.clip.rows().morphs[set].accumulate(action.time_secs(), cover, out),
                None => {
                    let own = &layers.own.morph_weights[weights];
                    out.iter_mut().zip(own).for_each(|(out, own)| *out += own * cover);
                }
            }
        }
    }

    /// Adds its clips to a pose, one after the other.
    fn add_to(&self, level: Level, skeleton: &Skeleton, scratch: &mut Scratch, pose: &mut Pose) {
        let weight = self.weight();
        for action in self.actions.by_content() {
            let weight = (weight * action.strength()).min(LARGEST);
            if weight <= 0.0 {
                continue;
            }
            let mut few = [Segment::EMPTY; SEGMENTS_ON_STACK];
            let (rows, secs) = (action.clip.rows(), action.time_secs());
            let clip = Located::new(&action.clip, secs, skeleton, &mut scratch.blend, &mut few);
            let masks = [self.mask.as_deref(), action.mask.as_deref()];
            let add = Add { weight, masks, groups: &mut pose.groups };
            clip.add(level, add);
            for (set, weights) in skeleton.rest_pose().morph_ranges().enumerate() {
                let mask: f32 = masks.iter().flatten().map(|mask| mask.morphs[set]).product();
                if mask > 0.0 {
                    let out = &mut pose.morph_weights[weights];
                    rows.morphs[set].accumulate(secs, weight * mask, out);
                    out.iter_mut().for_each(|out| *out = out.clamp(-LARGEST, LARGEST));
                }
            }
        }
    }
}

/// A clip at an instant, or a pose, ready to be walked through.
#[derive(Clone, Copy)]
pub(super) struct Located<'a> {
    rows: Option<&'a Rows>,
    segments: &'a [Segment],
    groups: &'a [JointGroup],
}

impl<'a> Located<'a> {
    pub(super) fn new(
        clip: &'a Clip,
        secs: f32,
        skeleton: &'a Skeleton,
        scratch: &'a mut Option<Box<blend::Scratch>>,
        few: &'a mut [Segment; SEGMENTS_ON_STACK],
    ) -> Self {
        let segments = blend::Scratch::segments(scratch, clip, few);
        clip.rows().locate(secs, segments);
        Self { rows: Some(clip.rows()), segments, groups: &skeleton.rest_pose().groups }
    }

    fn stored(groups: &'a [JointGroup]) -> Self {
        Self { rows: None, segments: &[], groups }
    }

    #[inline(always)]
    pub(super) fn walk<S: Simd>(self, simd: S, visitor: impl Visitor<S>) {
        walk(simd, self.rows, self.segments, self.groups, visitor);
    }

    // Each in one place, so that their kernels are compiled once.
    #[cfg_attr(canter_web, optimize(speed))]
    #[inline(never)]
    fn lay_over(self, level: Level, over: Over<'_>) {
        dispatch!(level, simd => self.walk(simd, over));
    }

    #[cfg_attr(canter_web, optimize(speed))]
    #[inline(never)]
    fn add(self, level: Level, add: Add<'_>) {
        dispatch!(level, simd => self.walk(simd, add));
    }
}

impl Actions {
    /// The only action that has a share, if there is just one.
    pub(super) fn alone(&self, shares: &Shares) -> Option<&Action> {
        let mut with_share = self.iter().filter(|(_, action)| shares.of(action) > 0.0);
        let (_, first) = with_share.next()?;
        with_share.next().is_none().then_some(first)
    }

    /// What the masks of the actions leave of each joint.
    fn write_covers(&self, is_masked: bool, covers: &mut [Lanes]) {
        if !is_masked {
            return;
        }
        covers.fill(Lanes::default());
        for action in self.by_content() {
            for (group, covers) in covers.iter_mut().enumerate() {
                let mask = action.mask.as_ref().map_or(Lanes([1.0; 8]), |mask| mask.groups[group]);
                for (cover, mask) in covers.0.iter_mut().zip(mask.0) {
                    *cover += action.strength() * mask;
                }
            }
        }
        covers.iter_mut().flat_map(|covers| &mut covers.0).for_each(|cover| *cover = cover.min(1.0));
    }
}

impl Action {
    /// Its weight, as far as it is faded in.
    fn strength(&self) -> f32 {
        self.weight * self.fade_level()
    }
}
