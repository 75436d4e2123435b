//! The tree of joints that clips move and skins follow.

mod builder;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::fingerprint::{Fingerprint, Fnv};
use crate::pose::{LANES, RestPose};
use crate::transform::Transform;

pub use builder::{SkeletonBuilder, SkeletonError};

/// A joint of a [`Skeleton`]: its place in the order "parents before children".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JointId(pub(crate) u32);

impl JointId {
    /// The joint's place in the skeleton's order.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of morph weights of a [`Skeleton`]: those of one mesh that it carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MorphId(pub(crate) u32);

impl MorphId {
    /// The set's place among the skeleton's sets.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A tree of named joints with their rest transforms, parents before children; and the sets of
/// morph weights that are animated with them.
///
/// Immutable; characters share one behind an [`Arc`](std::sync::Arc). There is no limit to the
/// number of joints.
///
/// ```
/// use canter::{Skeleton, Transform, glam::Vec3};
///
/// let mut builder = Skeleton::builder();
/// // Children may come before their parents: 1 is the place of "hips" in this list.
/// builder.joint("spine", Some(1), Transform::from_translation(Vec3::Y));
/// builder.joint("hips", None, Transform::IDENTITY);
/// let skeleton = builder.build()?;
///
/// let spine = skeleton.joint("spine").unwrap();
/// assert_eq!(spine.index(), 1); // after its parent
/// assert_eq!(skeleton.source_index(spine), 0); // where it was in the list
/// # Ok::<(), canter::SkeletonError>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "SkeletonBuilder", try_from = "SkeletonBuilder"))]
pub struct Skeleton {
    names: Vec<String>,
    /// One more than the place of each joint's parent; 0 for roots, which hang on the character itself. In
    /// groups as poses are, filled up with roots.
    parent_slots: Vec<[u32; LANES]>,
    rest: Vec<Transform>,
    /// The rest transforms once more, in the layout of a pose.
    rest_pose: Arc<RestPose>,
    /// All joints sorted by name; of one name, in the order in which they were added.
    by_name: Vec<JointId>,
    source_of_joint: Vec<u32>,
    joint_of_source: Vec<JointId>,
    morph_names: Vec<String>,
    fingerprint: u64,
}

impl Skeleton {
    /// Starts an empty one.
    #[must_use]
    pub fn builder() -> SkeletonBuilder {
        SkeletonBuilder::default()
    }

    /// How many joints there are.
    #[must_use]
    pub fn joint_count(&self) -> usize {
        self.names.len()
    }

    /// All joints, parents before children.
    pub fn joints(&self) -> impl ExactSizeIterator<Item = JointId> + DoubleEndedIterator + use<> {
        (0..u32_from(self.joint_count())).map(JointId)
    }

    /// The joint of that name. Of several with one name, the one that was added first.
    #[must_use]
    pub fn joint(&self, name: &str) -> Option<JointId> {
        self.namesake(name, 0)
    }

    /// One of the joints of that name, which are counted in the order in which they were added.
    pub(crate) fn namesake(&self, name: &str, index: usize) -> Option<JointId> {
        let place = self.first_of_name(name).checked_add(index)?;
        self.by_name.get(place).copied().filter(|&joint| self.name(joint) == name)
    }

    /// How many joints of the same name were added before this one.
    pub(crate) fn place_among_namesakes(&self, joint: JointId) -> usize {
        let order = |joint: JointId| (self.name(joint), self.source_index(joint));
        let place = self.by_name.partition_point(|&other| order(other) < order(joint));
        place - self.first_of_name(self.name(joint))
    }

    /// Where the joints of that name begin in `by_name`.
    fn first_of_name(&self, name: &str) -> usize {
        self.by_name.partition_point(|&joint| self.name(joint) < name)
    }

    /// The joint at a place in the skeleton's order.
    #[must_use]
    pub fn joint_at(&self, index: usize) -> Option<JointId> {
        (index < self.joint_count()).then(|| JointId(u32_from(index)))
    }

    /// What the joint is called.
    ///
    /// # Panics
    /// If the joint belongs to a larger skeleton.
    #[must_use]
    pub fn name(&self, joint: JointId) -> &str {
        &self.names[joint.index()]
    }

    /// The joint that this one hangs on; `None` for a root.
    ///
    /// # Panics
    /// If the joint belongs to a larger skeleton.
    #[must_use]
    pub fn parent(&self, joint: JointId) -> Option<JointId> {
        self.parent_slots.as_flattened()[joint.index()].checked_sub(1).map(JointId)
    }

    /// The joint's transform, relative to its parent, when nothing animates it.
    ///
    /// # Panics
    /// If the joint belongs to a larger skeleton.
    #[must_use]
    pub fn rest(&self, joint: JointId) -> Transform {
        self.rest[joint.index()]
    }

    /// The joint and everything that hangs on it, parents before children.
    #[must_use]
    pub fn subtree(&self, top: JointId) -> Vec<JointId> {
        let mut inside = vec![false; self.joint_count()];
        let mut subtree = Vec::new();
        for joint in self.joints() {
            inside[joint.index()] =
                joint == top || self.parent(joint).is_some_and(|parent| inside[parent.index()]);
            if inside[joint.index()] {
                subtree.push(joint);
            }
        }
        subtree
    }

    /// Where the joint was in the list that was given to the builder.
    ///
    /// # Panics
    /// If the joint belongs to a larger skeleton.
    #[must_use]
    pub fn source_index(&self, joint: JointId) -> usize {
        self.source_of_joint[joint.index()] as usize
    }

    /// The joint that was at this place in the list given to the builder.
    #[must_use]
    pub fn joint_from_source(&self, index: usize) -> Option<JointId> {
        self.joint_of_source.get(index).copied()
    }

    /// How many sets of morph weights there are.
    #[must_use]
    pub fn morph_count(&self) -> usize {
        self.morph_names.len()
    }

    /// All sets of morph weights.
    pub fn morphs(&self) -> impl ExactSizeIterator<Item = MorphId> + use<> {
        (0..u32_from(self.morph_count())).map(MorphId)
    }

    /// The set of morph weights of that name.
    #[must_use]
    pub fn morph(&self, name: &str) -> Option<MorphId> {
        self.morphs().find(|&morph| self.morph_name(morph) == name)
    }

    /// What the set is called.
    ///
    /// # Panics
    /// If the set belongs to another skeleton with more sets.
    #[must_use]
    pub fn morph_name(&self, morph: MorphId) -> &str {
        &self.morph_names[morph.index()]
    }

    /// The weights of the set when nothing animates them.
    ///
    /// # Panics
    /// If the set belongs to another skeleton with more sets.
    #[must_use]
    pub fn morph_rest(&self, morph: MorphId) -> &[f32] {
        &self.rest_pose.morph_weights[self.rest_pose.morph_range(morph.index())]
    }

    pub(crate) fn parent_slots(&self) -> &[[u32; LANES]] {
        &self.parent_slots
    }

    pub(crate) fn rest_pose(&self) -> &Arc<RestPose> {
        &self.rest_pose
    }

    /// A number that tells skeletons apart: by names, parents, rest transforms and morph sets.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.fingerprint
    }
}

/// Joint counts are checked against `u32` when a skeleton is built.
#[expect(clippy::cast_possible_truncation, reason = "the builder refuses larger counts")]
fn u32_from(count: usize) -> u32 {
    count as u32
}

impl Fingerprint for Skeleton {
    fn write(&self, hasher: &mut Fnv) {
        let parent_slots = self.parent_slots.as_flattened();
        for ((name, parent_slot), rest) in self.names.iter().zip(parent_slots).zip(&self.rest) {
            hasher.write_name(name);
            hasher.write(&parent_slot.to_le_bytes());
            hasher.write_floats(&rest.translation.to_array());
            hasher.write_floats(&rest.rotation.to_array());
            hasher.write_floats(&rest.scale.to_array());
        }
        for morph in self.morphs() {
            hasher.write_name(self.morph_name(morph));
            hasher.write_floats(self.morph_rest(morph));
        }
    }
}
