//! Composes a part of the tree again, after a few of its joints were edited.

use glam::Vec4;

use super::ModelPose;
use crate::mat3x4::Mat3x4;
use crate::pose::Pose;
use crate::skeleton::{JointId, Skeleton};
use crate::transform::{LARGEST, Transform};

/// Joints and all that hangs on them, in the order in which they are composed; see [`ModelPose::recompose`].
#[derive(Clone, Debug)]
pub struct Subtree {
    /// Each with one more than the place of its parent; 0 for roots.
    joints: Vec<(JointId, u32)>,
    joint_count: usize,
}

impl Subtree {
    /// Of one joint or several.
    ///
    /// # Panics
    /// If a joint belongs to a larger skeleton.
    #[must_use]
    pub fn new(skeleton: &Skeleton, tops: &[JointId]) -> Self {
        let mut inside = vec![false; skeleton.joint_count()];
        for top in tops {
            inside[top.index()] = true;
        }
        let slots = skeleton.parent_slots().as_flattened();
        let mut joints = Vec::new();
        for joint in skeleton.joints() {
            let slot = slots[joint.index()];
            inside[joint.index()] |= slot > 0 && inside[slot as usize - 1];
            if inside[joint.index()] {
                joints.push((joint, slot));
            }
        }
        Self { joints, joint_count: skeleton.joint_count() }
    }

    /// Its joints, parents before children.
    pub fn joints(&self) -> impl ExactSizeIterator<Item = JointId> + DoubleEndedIterator + '_ {
        self.joints.iter().map(|&(joint, _)| joint)
    }
}

impl ModelPose {
    /// Composes the joints of a subtree again: the same bits as [`compose`](Self::compose) gives, if nothing
    /// above the subtree has moved since.
    ///
    /// # Panics
    /// If `pose` or this was made for another number of joints than the subtree's skeleton has.
    pub fn recompose(&mut self, subtree: &Subtree, pose: &Pose) {
        let counts = [self.joint_count, pose.joint_count()];
        assert!(
            counts == [subtree.joint_count; 2],
            "poses of {counts:?} joints for a subtree of another skeleton"
        );
        for &(joint, parent_slot) in &subtree.joints {
            let matrix = multiply(&self.matrices[parent_slot as usize], local_rows(&pose.joint(joint)));
            self.matrices[joint.index() + 1] = matrix;
        }
    }
}

/// The operations of the kernel that composes all joints, in its order.
fn local_rows(local: &Transform) -> [Vec4; 3] {
    let [x, y, z, w] = local.rotation.to_array();
    let ([sx, sy, sz], [tx, ty, tz]) = (local.scale.to_array(), local.translation.to_array());
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, xy, xz) = (x * x2, x * y2, x * z2);
    let (yy, yz, zz) = (y * y2, y * z2, z * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    [
        Vec4::new((1.0 - (yy + zz)) * sx, (xy - wz) * sy, (xz + wy) * sz, tx),
        Vec4::new((xy + wz) * sx, (1.0 - (xx + zz)) * sy, (yz - wx) * sz, ty),
        Vec4::new((xz - wy) * sx, (yz + wx) * sy, (1.0 - (xx + yy)) * sz, tz),
    ]
}

fn multiply(parent: &Mat3x4, [x, y, z]: [Vec4; 3]) -> Mat3x4 {
    let row = |factors: [f32; 4]| {
        let translation = Vec4::new(0.0, 0.0, 0.0, factors[3]);
        let row = (x * factors[0] + y * factors[1]) + (z * factors[2] + translation);
        let is_small = row.abs().cmple(Vec4::splat(LARGEST)).all();
        if is_small { row.to_array() } else { row.to_array().map(cut) }
    };
    let [first, second, third] = parent.rows;
    Mat3x4 { rows: [row(first), row(second), row(third)] }
}

/// Into the range of what calculations can bear; NaN becomes zero.
fn cut(number: f32) -> f32 {
    if number.is_nan() { 0.0 } else { number.clamp(-LARGEST, LARGEST) }
}
