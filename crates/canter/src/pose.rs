//! Where every joint stands relative to its parent, at one instant.

mod group;
pub(crate) mod lanes;
mod rest;
#[cfg(test)]
mod tests;

use std::ops::{Deref, DerefMut};

use glam::Quat;

use crate::skeleton::{JointId, MorphId, Skeleton};
use crate::transform::Transform;

pub(crate) use group::{JointGroup, LANES, Lanes};
pub(crate) use rest::RestPose;

/// The transform of every joint relative to its parent, and all morph weights, at one instant.
///
/// A structure of arrays inside, so that eight joints are calculated at once; joints are read and edited
/// one by one all the same.
///
/// ```
/// # use canter::{Pose, Skeleton, Transform, glam::{Quat, Vec3}};
/// # let mut builder = Skeleton::builder();
/// # builder.joint("hand", None, Transform::IDENTITY);
/// # let skeleton = builder.build()?;
/// # let hand = skeleton.joint("hand").unwrap();
/// let mut pose = Pose::rest(&skeleton);
/// pose.joint_mut(hand).translation += Vec3::Y;
/// assert_eq!(pose.joint(hand).translation, Vec3::Y);
/// # Ok::<(), canter::SkeletonError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    pub(crate) groups: Vec<JointGroup>,
    joint_count: usize,
    /// The weights of all morph sets, one after another.
    pub(crate) morph_weights: Vec<f32>,
    morph_ends: Vec<usize>,
}

impl Pose {
    /// The pose in which nothing is animated.
    #[must_use]
    pub fn rest(skeleton: &Skeleton) -> Self {
        skeleton.rest_pose().to_pose()
    }

    /// Puts every joint and every morph weight back to rest.
    ///
    /// # Panics
    /// If the pose was made for a skeleton of another size.
    pub fn reset(&mut self, skeleton: &Skeleton) {
        self.assert_fits(skeleton);
        self.groups.copy_from_slice(&skeleton.rest_pose().groups);
        self.morph_weights.copy_from_slice(&skeleton.rest_pose().morph_weights);
    }

    /// Makes it a difference of nothing: what is added to a pose without changing it.
    pub(crate) fn clear(&mut self) {
        self.groups.fill(JointGroup::IDENTITY);
        self.morph_weights.fill(0.0);
    }

    /// From a pose at a part of a step, which may be negative, to what it would be at the whole of it.
    pub(crate) fn extrapolate(&mut self, from: &Self, part: f64) {
        // Without room there is no telling.
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
        let times = if part.abs() > 1e-3 { (1.0 / part) as f32 } else { 0.0 };
        if part >= 1.0 {
            return;
        }
        let follow =
            |number: &mut f32, from: f32, side: f32| *number = from + (*number * side - from) * times;
        for (group, from) in self.groups.iter_mut().zip(&from.groups) {
            for lane in 0..LANES {
                let dot: f32 = (0..4).map(|i| group.rotation[i].0[lane] * from.rotation[i].0[lane]).sum();
                let side = if dot < 0.0 { -1.0 } else { 1.0 };
                for i in 0..3 {
                    follow(&mut group.translation[i].0[lane], from.translation[i].0[lane], 1.0);
                    follow(&mut group.scale[i].0[lane], from.scale[i].0[lane], 1.0);
                }
                for i in 0..4 {
                    follow(&mut group.rotation[i].0[lane], from.rotation[i].0[lane], side);
                }
            }
        }
        for (weight, from) in self.morph_weights.iter_mut().zip(&from.morph_weights) {
            follow(weight, *from, 1.0);
        }
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.groups.capacity() * size_of::<JointGroup>()
            + self.morph_weights.capacity() * size_of::<f32>()
            + self.morph_ends.capacity() * size_of::<usize>()
    }

    /// How many joints it has.
    #[must_use]
    pub fn joint_count(&self) -> usize {
        self.joint_count
    }

    /// The transform of a joint relative to its parent.
    ///
    /// # Panics
    /// If the joint belongs to a larger skeleton.
    #[must_use]
    #[inline(always)]
    pub fn joint(&self, joint: JointId) -> Transform {
        self.assert_has(joint);
        self.groups[joint.index() / LANES].joint(joint.index() % LANES)
    }

    /// The rotation of a joint relative to its parent.
    ///
    /// # Panics
    /// If the joint belongs to a larger skeleton.
    #[must_use]
    #[inline]
    pub fn rotation(&self, joint: JointId) -> Quat {
        self.assert_has(joint);
        let [x, y, z, w] = &self.groups[joint.index() / LANES].rotation;
        let lane = joint.index() % LANES;
        Quat::from_xyzw(x.0[lane], y.0[lane], z.0[lane], w.0[lane])
    }

    /// Replaces the rotation of a joint.
    ///
    /// # Panics
    /// If the joint belongs to a larger skeleton.
    #[inline]
    pub fn set_rotation(&mut self, joint: JointId, rotation: Quat) {
        self.assert_has(joint);
        let [x, y, z, w] = &mut self.groups[joint.index() / LANES].rotation;
        let lane = joint.index() % LANES;
        [x.0[lane], y.0[lane], z.0[lane], w.0[lane]] = rotation.to_array();
    }

    /// Replaces the transform of a joint.
    ///
    /// # Panics
    /// If the joint belongs to a larger skeleton.
    pub fn set_joint(&mut self, joint: JointId, transform: Transform) {
        self.assert_has(joint);
        self.groups[joint.index() / LANES].set_joint(joint.index() % LANES, transform);
    }

    /// The transform of a joint to edit in place; the pose has it when the guard is dropped.
    ///
    /// # Panics
    /// If the joint belongs to a larger skeleton.
    pub fn joint_mut(&mut self, joint: JointId) -> JointMut<'_> {
        JointMut { transform: self.joint(joint), pose: self, joint }
    }

    /// The weights of a morph set.
    ///
    /// # Panics
    /// If the set belongs to a skeleton with more sets.
    #[must_use]
    pub fn morph_weights(&self, morph: MorphId) -> &[f32] {
        &self.morph_weights[self.morph_range(morph)]
    }

    /// The weights of a morph set, to edit.
    ///
    /// # Panics
    /// If the set belongs to a skeleton with more sets.
    pub fn morph_weights_mut(&mut self, morph: MorphId) -> &mut [f32] {
        let range = self.morph_range(morph);
        &mut self.morph_weights[range]
    }

    pub(crate) fn morph_range(&self, morph: MorphId) -> std::ops::Range<usize> {
        let start = morph.index().checked_sub(1).map_or(0, |before| self.morph_ends[before]);
        start..self.morph_ends[morph.index()]
    }

    #[inline(always)]
    fn assert_has(&self, joint: JointId) {
        assert!(joint.index() < self.joint_count, "a joint of a larger skeleton than the pose's");
    }

    pub(crate) fn fits(&self, rest: &RestPose) -> bool {
        self.joint_count == rest.joint_count && self.morph_weights.len() == rest.morph_weights.len()
    }

    pub(crate) fn assert_fits(&self, skeleton: &Skeleton) {
        let rest = skeleton.rest_pose();
        assert!(
            self.fits(rest),
            "a pose of {} joints and {} morph weights for a skeleton of {} and {}",
            self.joint_count,
            self.morph_weights.len(),
            rest.joint_count,
            rest.morph_weights.len(),
        );
    }
}

/// A joint's transform while it is edited; see [`Pose::joint_mut`].
#[derive(Debug)]
pub struct JointMut<'a> {
    pose: &'a mut Pose,
    joint: JointId,
    transform: Transform,
}

impl Deref for JointMut<'_> {
    type Target = Transform;

    fn deref(&self) -> &Transform {
        &self.transform
    }
}

impl DerefMut for JointMut<'_> {
    fn deref_mut(&mut self) -> &mut Transform {
        &mut self.transform
    }
}

impl Drop for JointMut<'_> {
    fn drop(&mut self) {
        self.pose.set_joint(self.joint, self.transform);
    }
}
