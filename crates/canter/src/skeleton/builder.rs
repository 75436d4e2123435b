//! Puts joints in order, and refuses what is no tree.

use std::fmt;
use std::sync::Arc;

use super::{JointId, MorphId, Skeleton};
use crate::fingerprint::Fingerprint as _;
use crate::pose::{JointGroup, LANES, RestPose};
use crate::transform::{Transform, in_range, normalized};

/// Collects joints in any order and makes a [`Skeleton`] of them.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SkeletonBuilder {
    joints: Vec<Joint>,
    morphs: Vec<Morph>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Joint {
    name: String,
    parent: Option<usize>,
    rest: Transform,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Morph {
    name: String,
    rest: Vec<f32>,
}

impl SkeletonBuilder {
    /// Adds a joint and returns its place in the list.
    ///
    /// `parent` is a place in the same list, and may be one that is added later. The rest rotation need
    /// not be of unit length.
    pub fn joint(&mut self, name: impl Into<String>, parent: Option<usize>, rest: Transform) -> usize {
        self.joints.push(Joint { name: name.into(), parent, rest });
        self.joints.len() - 1
    }

    /// Adds a set of morph weights with their rest values.
    ///
    /// # Panics
    /// If there are more than 2³² sets.
    pub fn morph_set(&mut self, name: impl Into<String>, rest: Vec<f32>) -> MorphId {
        self.morphs.push(Morph { name: name.into(), rest });
        MorphId(u32::try_from(self.morphs.len() - 1).expect("more than 2³² morph sets"))
    }

    /// Sorts parents before children.
    ///
    /// # Errors
    /// If a parent is not in the list, joints form a cycle, or a number is not finite.
    pub fn build(self) -> Result<Skeleton, SkeletonError> {
        self.check()?;
        let order = self.parents_first()?;

        let mut joint_of_source = vec![JointId(0); order.len()];
        for (joint, &source) in (0..).map(JointId).zip(&order) {
            joint_of_source[source as usize] = joint;
        }
        let mut by_name = joint_of_source.clone();
        by_name.sort_unstable_by_key(|joint| {
            let source = order[joint.0 as usize];
            (self.joints[source as usize].name.as_str(), source)
        });
        let in_order = || order.iter().map(|&source| &self.joints[source as usize]);
        let rest: Vec<Transform> = in_order().map(|joint| unit_rotation(joint.rest)).collect();

        let mut rest_pose = RestPose::new(JointGroup::from_transforms(&rest), rest.len());
        for morph in &self.morphs {
            rest_pose.morph_weights.extend_from_slice(&morph.rest);
            rest_pose.morph_ends.push(rest_pose.morph_weights.len());
        }
        let mut skeleton = Skeleton {
            names: in_order().map(|joint| joint.name.clone()).collect(),
            parent_slots: in_groups(
                in_order().map(|joint| joint.parent.map_or(0, |parent| joint_of_source[parent].0 + 1)),
            ),
            rest_pose: Arc::new(rest_pose),
            rest,
            by_name,
            source_of_joint: order,
            joint_of_source,
            morph_names: self.morphs.into_iter().map(|morph| morph.name).collect(),
            fingerprint: 0,
        };
        skeleton.fingerprint = skeleton.compute_fingerprint();
        Ok(skeleton)
    }

    fn check(&self) -> Result<(), SkeletonError> {
        if u32::try_from(self.joints.len()).is_err() {
            return Err(SkeletonError::TooManyJoints { count: self.joints.len() });
        }
        for (index, joint) in self.joints.iter().enumerate() {
            if let Some(parent) = joint.parent.filter(|&parent| parent >= self.joints.len()) {
                return Err(SkeletonError::NoSuchParent {
                    joint: joint.name.clone(),
                    index,
                    parent,
                    joints: self.joints.len(),
                });
            }
            if let Err(reason) = joint.rest.check() {
                return Err(SkeletonError::BadRest { joint: joint.name.clone(), index, reason });
            }
        }
        match self.morphs.iter().find(|morph| !in_range(&morph.rest)) {
            Some(morph) => Err(SkeletonError::BadMorphRest { morph: morph.name.clone() }),
            None => Ok(()),
        }
    }

    /// Generation by generation, and otherwise in the order given. Neighbours in this order hardly ever
    /// depend on each other, so a CPU composes several at once: down one limb after the other takes half as
    /// long again. Roots on which nothing hangs come last: they are nodes of meshes, cameras and lights, which hardly
    /// any clip moves, so that whole groups of joints at the end need not be calculated.
    fn parents_first(&self) -> Result<Vec<u32>, SkeletonError> {
        // First child and next sibling of each joint; one place more for the roots.
        const NONE: u32 = u32::MAX;
        let count = self.joints.len();
        let mut first_child = vec![NONE; count + 1];
        let mut next_sibling = vec![NONE; count];
        for (index, joint) in self.joints.iter().enumerate().rev() {
            let parent = joint.parent.unwrap_or(count);
            next_sibling[index] = first_child[parent];
            first_child[parent] = index_u32(index);
        }
        let (mut order, mut lone_roots) = (Vec::with_capacity(count), Vec::new());
        let mut parent = count;
        for done in 0..=count {
            let mut child = first_child[parent];
            while child != NONE {
                let is_lone = parent == count && first_child[child as usize] == NONE;
                if is_lone { &mut lone_roots } else { &mut order }.push(child);
                child = next_sibling[child as usize];
            }
            match order.get(done) {
                Some(&next) => parent = next as usize,
                None => break,
            }
        }
        order.extend(lone_roots);
        if order.len() == count { Ok(order) } else { Err(self.cycle(&order)) }
    }

    /// Names the joints of one cycle, given those that hang on a root.
    fn cycle(&self, reached: &[u32]) -> SkeletonError {
        let mut is_reached = vec![false; self.joints.len()];
        for &joint in reached {
            is_reached[joint as usize] = true;
        }
        let lost = is_reached.iter().position(|reached| !reached).unwrap_or_default();
        // As many steps up as there are joints lead into the cycle from wherever it is entered.
        let up = |joint: usize| self.joints[joint].parent.unwrap_or(joint);
        let start = (0..self.joints.len()).fold(lost, |joint, _| up(joint));
        let mut joints = vec![self.joints[start].name.clone()];
        let mut joint = up(start);
        while joint != start {
            joints.push(self.joints[joint].name.clone());
            joint = up(joint);
        }
        SkeletonError::Cycle { joints }
    }
}

fn in_groups(slots: impl Iterator<Item = u32>) -> Vec<[u32; LANES]> {
    let mut groups = Vec::new();
    for (index, slot) in slots.enumerate() {
        if index % LANES == 0 {
            groups.push([0; LANES]);
        }
        groups[index / LANES][index % LANES] = slot;
    }
    groups
}

#[expect(clippy::cast_possible_truncation, reason = "the count was checked")]
fn index_u32(index: usize) -> u32 {
    index as u32
}

fn unit_rotation(rest: Transform) -> Transform {
    let rotation = normalized(rest.rotation.to_array()).map(glam::Quat::from_array);
    Transform { rotation: rotation.unwrap_or_default(), ..rest }
}

impl TryFrom<SkeletonBuilder> for Skeleton {
    type Error = SkeletonError;

    fn try_from(builder: SkeletonBuilder) -> Result<Self, SkeletonError> {
        builder.build()
    }
}

impl From<Skeleton> for SkeletonBuilder {
    /// The list that the skeleton was built from, in its order.
    fn from(skeleton: Skeleton) -> Self {
        let joint = |&id: &JointId| Joint {
            name: skeleton.name(id).to_owned(),
            parent: skeleton.parent(id).map(|parent| skeleton.source_index(parent)),
            rest: skeleton.rest(id),
        };
        let morph =
            |id| Morph { name: skeleton.morph_name(id).to_owned(), rest: skeleton.morph_rest(id).to_vec() };
        Self {
            joints: skeleton.joint_of_source.iter().map(joint).collect(),
            morphs: skeleton.morphs().map(morph).collect(),
        }
    }
}

/// Why joints make no skeleton.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkeletonError {
    /// A joint names a parent that is not in the list.
    NoSuchParent {
        /// The joint's name.
        joint: String,
        /// The joint's place in the list.
        index: usize,
        /// The parent that it names.
        parent: usize,
        /// How many joints there are.
        joints: usize,
    },
    /// Joints hang on each other in a ring.
    Cycle {
        /// The names of the joints in the ring, each hanging on the next.
        joints: Vec<String>,
    },
    /// A rest transform cannot be used.
    BadRest {
        /// The joint's name.
        joint: String,
        /// The joint's place in the list.
        index: usize,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A rest weight of a morph set is not a finite number.
    BadMorphRest {
        /// The set's name.
        morph: String,
    },
    /// There are more joints than can be numbered.
    TooManyJoints {
        /// How many there are.
        count: usize,
    },
}

impl fmt::Display for SkeletonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchParent { joint, index, parent, joints } => {
                write!(f, "joint {index} \"{joint}\" has parent {parent}, but there are only {joints} joints")
            }
            Self::Cycle { joints } => {
                write!(f, "the joints \"{}\" hang on each other in a ring", joints.join("\", \""))
            }
            Self::BadRest { joint, index, reason } => {
                write!(f, "joint {index} \"{joint}\": the rest {reason}")
            }
            Self::BadMorphRest { morph } => {
                write!(f, "morph set \"{morph}\": a rest weight is not a finite number of ordinary size")
            }
            Self::TooManyJoints { count } => {
                write!(f, "{count} joints are too many; expected fewer than 2³²")
            }
        }
    }
}

impl std::error::Error for SkeletonError {}
