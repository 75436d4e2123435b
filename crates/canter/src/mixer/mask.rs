//! Which joints an action moves.

use std::cmp::Ordering;
use std::fmt;

use crate::clip::{Clip, TrackTarget};
use crate::pose::{LANES, Lanes};
use crate::skeleton::{JointId, MorphId, Skeleton};

/// A weight from 0 to 1 for every joint and morph set: what an action moves, and what it leaves alone.
///
/// ```
/// # use canter::{JointMask, Skeleton, Transform};
/// # let mut builder = Skeleton::builder();
/// # builder.joint("hips", None, Transform::IDENTITY);
/// # builder.joint("chest", Some(0), Transform::IDENTITY);
/// # builder.joint("hand_R", Some(1), Transform::IDENTITY);
/// # let skeleton = builder.build()?;
/// let chest = skeleton.joint("chest").unwrap();
/// let mut upper_body = JointMask::subtree(&skeleton, chest);
/// upper_body.set(chest, 0.5);
/// assert_eq!(upper_body.weight(skeleton.joint("hand_R").unwrap()), 1.0);
/// assert_eq!(upper_body.weight(skeleton.joint("hips").unwrap()), 0.0);
/// # Ok::<(), canter::SkeletonError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Stored", into = "Stored"))]
pub struct JointMask {
    pub(crate) groups: Vec<Lanes>,
    joint_count: usize,
    pub(crate) morphs: Vec<f32>,
}

impl JointMask {
    /// Leaves everything alone.
    #[must_use]
    pub fn none(skeleton: &Skeleton) -> Self {
        Self {
            groups: vec![Lanes::default(); skeleton.joint_count().div_ceil(LANES)],
            joint_count: skeleton.joint_count(),
            morphs: vec![0.0; skeleton.morph_count()],
        }
    }

    /// Moves a joint and everything that hangs on it.
    #[must_use]
    pub fn subtree(skeleton: &Skeleton, top: JointId) -> Self {
        Self::joints(skeleton, skeleton.subtree(top))
    }

    /// Moves these joints.
    ///
    /// # Panics
    /// If a joint belongs to a larger skeleton.
    #[must_use]
    pub fn joints(skeleton: &Skeleton, joints: impl IntoIterator<Item = JointId>) -> Self {
        let mut mask = Self::none(skeleton);
        for joint in joints {
            mask.set(joint, 1.0);
        }
        mask
    }

    /// Moves the joints of these names.
    ///
    /// # Errors
    /// If the skeleton has no joint of one of the names.
    pub fn names<'n>(
        skeleton: &Skeleton,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Result<Self, MaskError> {
        let joint = |name| skeleton.joint(name).ok_or_else(|| MaskError { joint: String::from(name) });
        let joints: Result<Vec<_>, _> = names.into_iter().map(joint).collect();
        Ok(Self::joints(skeleton, joints?))
    }

    /// Moves what a clip has tracks for.
    ///
    /// # Panics
    /// If the clip was built for a larger skeleton.
    #[must_use]
    pub fn tracks(skeleton: &Skeleton, clip: &Clip) -> Self {
        let mut mask = Self::none(skeleton);
        for track in clip.tracks() {
            match track.target {
                TrackTarget::Joint(joint, _) => mask.set(joint, 1.0),
                TrackTarget::Morph(morph) => mask.set_morph(morph, 1.0),
            }
        }
        mask
    }

    /// The weight of a joint.
    ///
    /// # Panics
    /// If the joint belongs to a larger skeleton.
    #[must_use]
    pub fn weight(&self, joint: JointId) -> f32 {
        assert!(joint.index() < self.joint_count, "a joint of a larger skeleton than the mask's");
        self.groups[joint.index() / LANES].0[joint.index() % LANES]
    }

    /// Sets the weight of a joint, which is brought into 0 to 1; NaN counts as 0.
    ///
    /// # Panics
    /// If the joint belongs to a larger skeleton.
    pub fn set(&mut self, joint: JointId, weight: f32) {
        assert!(joint.index() < self.joint_count, "a joint of a larger skeleton than the mask's");
        self.groups[joint.index() / LANES].0[joint.index() % LANES] = unit(weight);
    }

    /// Sets the weight of a morph set, which is brought into 0 to 1; NaN counts as 0.
    ///
    /// # Panics
    /// If the set belongs to a skeleton with more sets.
    pub fn set_morph(&mut self, morph: MorphId, weight: f32) {
        self.morphs[morph.index()] = unit(weight);
    }

    /// An order of masks that depends on nothing but their weights.
    pub(crate) fn order(a: Option<&Self>, b: Option<&Self>) -> Ordering {
        let (Some(a), Some(b)) = (a, b) else { return a.is_some().cmp(&b.is_some()) };
        a.weight_bits().cmp(b.weight_bits())
    }

    fn weight_bits(&self) -> impl Iterator<Item = u32> {
        let joints = self.groups.iter().flat_map(|group| group.0);
        joints.chain(self.morphs.iter().copied()).map(f32::to_bits)
    }

    /// Whether it was made for a skeleton with as many joints and morph sets.
    #[must_use]
    pub fn fits(&self, skeleton: &Skeleton) -> bool {
        self.joint_count == skeleton.joint_count() && self.morphs.len() == skeleton.morph_count()
    }
}

/// A mask was to have a joint that the skeleton does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaskError {
    /// The joint's name.
    pub joint: String,
}

impl fmt::Display for MaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the skeleton has no joint \"{}\"; expected the names of its joints", self.joint)
    }
}

impl std::error::Error for MaskError {}

fn unit(weight: f32) -> f32 {
    if weight.is_nan() { 0.0 } else { weight.clamp(0.0, 1.0) }
}

/// How a mask is stored: a plain list of weights.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Stored {
    joints: Vec<f32>,
    morphs: Vec<f32>,
}

#[cfg(feature = "serde")]
impl From<JointMask> for Stored {
    fn from(mask: JointMask) -> Self {
        let joints = mask.groups.iter().flat_map(|group| group.0).take(mask.joint_count).collect();
        Self { joints, morphs: mask.morphs }
    }
}

#[cfg(feature = "serde")]
impl From<Stored> for JointMask {
    fn from(stored: Stored) -> Self {
        let group = |eight: &[f32]| {
            let mut lanes = Lanes::default();
            for (lane, &weight) in lanes.0.iter_mut().zip(eight) {
                *lane = unit(weight);
            }
            lanes
        };
        Self {
            groups: stored.joints.chunks(LANES).map(group).collect(),
            joint_count: stored.joints.len(),
            morphs: stored.morphs.into_iter().map(unit).collect(),
        }
    }
}
