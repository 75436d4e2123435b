//! Lays a pose over another one, as far as it covers each joint.

use fearless_simd::{Simd, f32x8, prelude::*};

use super::JointMask;
use super::blend::mask_weights;
use crate::clip::interpolate::Visitor;
use crate::pose::lanes::{TransformLanes, dot, load_all, normalize, product, store};
use crate::pose::{JointGroup, Lanes};

/// The rotation that leads from what is below to what is laid over it, in the last pose.
///
/// A quaternion and its opposite are the same rotation, but half of one is not half of the other. While a
/// layer fades, the way between both must stay the same one, though each of them may change its sign at any
/// time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Relation(pub(super) [Lanes; 4]);

impl Relation {
    /// Of no length: the next pose takes the shorter way.
    pub(super) const UNKNOWN: Self = Self([Lanes([0.0; 8]); 4]);
}

/// When nothing fades, what has become longer than 240 degrees gives way to the other way round: the cosine
/// of half of that.
const CHANGES_SIDES: f32 = -0.5;

/// How much of each joint there is.
#[derive(Clone, Copy)]
pub(super) struct Cover<'a> {
    /// Of all joints alike.
    pub(super) whole: f32,
    /// The layer's.
    pub(super) mask: Option<&'a JointMask>,
    /// What the masks of actions leave of each joint; empty if they have none.
    pub(super) of_actions: &'a [Lanes],
}

impl Cover<'_> {
    #[inline(always)]
    fn of<S: Simd>(&self, simd: S, group: usize) -> f32x8<S> {
        let one = f32x8::splat(simd, 1.0);
        let mut cover = mask_weights(simd, self.mask, group) * self.whole;
        if let Some(lanes) = self.of_actions.get(group) {
            cover *= f32x8::simd_from(simd, lanes.0);
        }
        cover.simd_gt(one).select(one, cover)
    }
}

/// Lays what is visited over the pose that is there.
pub(super) struct Over<'a> {
    pub(super) cover: Cover<'a>,
    /// Whether rotations stay on the side on which they are.
    pub(super) is_fading: bool,
    pub(super) relations: &'a mut [Relation],
    pub(super) groups: &'a mut [JointGroup],
}

impl<S: Simd> Visitor<S> for Over<'_> {
    const IS_COMMON: bool = false;

    #[inline(always)]
    fn skips(&mut self, simd: S, group: usize) -> bool {
        let is_covered = self.cover.of(simd, group).simd_gt(f32x8::splat(simd, 0.0)).any_true();
        if !is_covered {
            self.relations[group] = Relation::UNKNOWN;
        }
        !is_covered
    }

    #[inline(always)]
    fn visit(&mut self, group: usize, over: TransformLanes<S>) {
        let simd = over.rotation[0].token();
        let (zero, one) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0));
        let cover = self.cover.of(simd, group);
        let out = &mut self.groups[group];
        let below = TransformLanes::load(simd, out);
        let is_opposite = self.relations[group].follow(&below, &over, self.is_fading);
        let signed = is_opposite.select(-cover, cover);
        let left = one - cover;
        let mut mixed = below;
        for i in 0..3 {
            mixed.translation[i] += (over.translation[i] - below.translation[i]) * cover;
            mixed.scale[i] += (over.scale[i] - below.scale[i]) * cover;
        }
        for i in 0..4 {
            mixed.rotation[i] = below.rotation[i] * left + over.rotation[i] * signed;
        }
        normalize(simd, &mut mixed.rotation);
        // What is covered fully, or not at all, comes through as it is.
        let is_full = cover.simd_ge(one);
        let is_touched = cover.simd_gt(zero);
        let mut laid = below;
        for (mixed, over, laid) in [
            (&mixed.translation[..], &over.translation[..], &mut laid.translation[..]),
            (&mixed.rotation[..], &over.rotation[..], &mut laid.rotation[..]),
            (&mixed.scale[..], &over.scale[..], &mut laid.scale[..]),
        ] {
            for i in 0..laid.len() {
                laid[i] = is_touched.select(is_full.select(over[i], mixed[i]), laid[i]);
            }
        }
        laid.store(out);
    }
}

impl Relation {
    /// Moves on to the next pose; returns for which joints the opposite quaternion is to be taken.
    #[inline(always)]
    fn follow<S: Simd>(
        &mut self,
        below: &TransformLanes<S>,
        over: &TransformLanes<S>,
        is_fading: bool,
    ) -> fearless_simd::mask32x8<S> {
        let simd = over.rotation[0].token();
        let zero = f32x8::splat(simd, 0.0);
        let [x, y, z, w] = below.rotation;
        let mut relation = product([-x, -y, -z, w], over.rotation);
        let last = load_all(simd, &self.0);
        let is_known = dot(last, last).simd_gt(zero);
        let lean = is_known.select(dot(last, relation), relation[3]);
        let mut is_opposite = lean.simd_lt(zero);
        if !is_fading {
            let height = is_opposite.select(-relation[3], relation[3]);
            is_opposite ^= height.simd_lt(f32x8::splat(simd, CHANGES_SIDES));
        }
        for part in &mut relation {
            *part = is_opposite.select(-*part, *part);
        }
        store(relation, &mut self.0);
        is_opposite
    }
}
