//! The pose of a skeleton when nothing moves it.

use std::ops::Range;

use super::{JointGroup, Pose};
use crate::fingerprint::{Fingerprint, Fnv};

/// The rest pose in the layout of a pose; clips share it with their skeleton.
#[derive(Clone, Debug)]
pub(crate) struct RestPose {
    pub(crate) groups: Vec<JointGroup>,
    /// Tells its groups from others'.
    fingerprint: u64,
    pub(crate) joint_count: usize,
    /// The weights of all morph sets, one after another, and where each set ends.
    pub(crate) morph_weights: Vec<f32>,
    pub(crate) morph_ends: Vec<usize>,
}

impl Fingerprint for Vec<JointGroup> {
    fn write(&self, hasher: &mut Fnv) {
        for JointGroup { translation, rotation, scale } in self {
            let lanes = translation.iter().chain(rotation).chain(scale);
            lanes.for_each(|lanes| hasher.write_floats(&lanes.0));
        }
    }
}

impl RestPose {
    pub(crate) fn new(groups: Vec<JointGroup>, joint_count: usize) -> Self {
        let fingerprint = groups.compute_fingerprint();
        Self { groups, fingerprint, joint_count, morph_weights: Vec::new(), morph_ends: Vec::new() }
    }

    /// Whether its joints are where those of the other are, to the bit.
    pub(crate) fn has_joints_of(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
    }

    /// Where the weights of each morph set lie.
    pub(crate) fn morph_ranges(&self) -> impl Iterator<Item = Range<usize>> {
        (0..self.morph_ends.len()).map(|set| self.morph_range(set))
    }

    /// Of the same size, but nothing is moved, turned or scaled: what an additive clip's deltas lie over.
    pub(crate) fn identity(&self) -> Self {
        Self {
            morph_weights: vec![0.0; self.morph_weights.len()],
            morph_ends: self.morph_ends.clone(),
            ..Self::new(vec![JointGroup::IDENTITY; self.groups.len()], self.joint_count)
        }
    }

    pub(crate) fn to_pose(&self) -> Pose {
        Pose {
            groups: self.groups.clone(),
            joint_count: self.joint_count,
            morph_weights: self.morph_weights.clone(),
            morph_ends: self.morph_ends.clone(),
        }
    }

    /// Where the weights of a morph set lie among those of all.
    pub(crate) fn morph_range(&self, set: usize) -> Range<usize> {
        let start = set.checked_sub(1).map_or(0, |before| self.morph_ends[before]);
        start..self.morph_ends[set]
    }
}
