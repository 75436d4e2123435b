//! Where every joint stands relative to the character.

pub(crate) mod compose;
mod recompose;
#[cfg(test)]
mod tests;

use fearless_simd::Level;
use glam::Mat4;

use crate::mat3x4::Mat3x4;
use crate::pose::Pose;
use crate::skeleton::{JointId, Skeleton};

pub use recompose::Subtree;

/// One `model_from_joint` matrix per joint, in skeleton order.
///
/// Matrices, not [`Transform`](crate::Transform)s: a rotated child of an unevenly scaled parent is sheared,
/// and translation, rotation and scale cannot express shear.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelPose {
    /// The identity, which roots hang on; then the joints, filled up to whole groups.
    matrices: Vec<Mat3x4>,
    joint_count: usize,
}

impl ModelPose {
    /// The matrices of the rest pose.
    #[must_use]
    pub fn rest(skeleton: &Skeleton) -> Self {
        let slots = skeleton.parent_slots().as_flattened().len() + 1;
        let mut model = Self { matrices: vec![Mat3x4::IDENTITY; slots], joint_count: skeleton.joint_count() };
        model.compose(skeleton, &Pose::rest(skeleton));
        model
    }

    /// Composes joint-local transforms down the tree.
    ///
    /// Numbers that no longer fit into `f32`, because scales multiply along a limb, are cut off at 10¹⁸, and
    /// what is no number in a pose that was edited becomes 0: no matrix ever holds an infinity or NaN.
    ///
    /// # Panics
    /// If `pose` or this was made for another number of joints than `skeleton` has.
    pub fn compose(&mut self, skeleton: &Skeleton, pose: &Pose) {
        self.compose_at(Level::new(), skeleton, pose);
    }

    pub(crate) fn compose_at(&mut self, level: Level, skeleton: &Skeleton, pose: &Pose) {
        pose.assert_fits(skeleton);
        assert!(
            self.joint_count == skeleton.joint_count(),
            "a model pose of {} joints for a skeleton of {}",
            self.joint_count,
            skeleton.joint_count()
        );
        compose::compose(level, skeleton.parent_slots(), &pose.groups, self.joint_count, &mut self.matrices);
    }

    /// How many joints it has.
    #[must_use]
    pub fn joint_count(&self) -> usize {
        self.joint_count
    }

    /// `model_from_joint`.
    ///
    /// # Panics
    /// If the joint belongs to a larger skeleton.
    #[must_use]
    pub fn joint(&self, joint: JointId) -> Mat4 {
        self.joints()[joint.index()].to_mat4()
    }

    /// All `model_from_joint` matrices in skeleton order.
    #[must_use]
    #[inline]
    pub fn joints(&self) -> &[Mat3x4] {
        &self.matrices[1..=self.joint_count]
    }
}
