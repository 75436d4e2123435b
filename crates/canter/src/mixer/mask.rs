//! Which joints an action moves.

mod combine;
mod pattern;
#[cfg(feature = "serde")]
mod stored;

use std::cmp::Ordering;
use std::fmt;

use crate::clip::{Clip, TrackTarget};
use crate::pose::{LANES, Lanes};
use crate::skeleton::{JointId, MorphId, Skeleton};
use pattern::matches;

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
#[cfg_attr(feature = "serde", serde(from = "stored::Stored", into = "stored::Stored"))]
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

    /// Moves everything, morph sets too.
    #[must_use]
    pub fn all(skeleton: &Skeleton) -> Self {
        Self::none(skeleton).inverse()
    }

    /// Moves a joint and everything that hangs on it; no morph weights.
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
        let missing = |name| MaskError::NoSuchJoint { joint: String::from(name) };
        let joint = |name| skeleton.joint(name).ok_or_else(|| missing(name));
        let joints: Result<Vec<_>, _> = names.into_iter().map(joint).collect();
        Ok(Self::joints(skeleton, joints?))
    }

    /// Moves the joints whose names match one of these patterns, in which `*` stands for any characters, also
    /// none, and `?` for exactly one. Upper and lower case count.
    ///
    /// ```
    /// # use canter::{JointMask, Skeleton, Transform};
    /// # let mut builder = Skeleton::builder();
    /// # for name in ["hand_L", "hand_R", "finger_1_R"] {
    /// #     builder.joint(name, None, Transform::IDENTITY);
    /// # }
    /// # let skeleton = builder.build()?;
    /// let mask = JointMask::matching(&skeleton, ["*_L", "finger_?_R"])?;
    /// assert_eq!(mask, JointMask::names(&skeleton, ["hand_L", "finger_1_R"])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If one of the patterns matches no joint.
    pub fn matching<'p>(
        skeleton: &Skeleton,
        patterns: impl IntoIterator<Item = &'p str>,
    ) -> Result<Self, MaskError> {
        let mut mask = Self::none(skeleton);
        for pattern in patterns {
            let mut is_found = false;
            for joint in skeleton.joints().filter(|joint| matches(pattern, skeleton.name(*joint))) {
                mask.set(joint, 1.0);
                is_found = true;
            }
            if !is_found {
                return Err(MaskError::no_match(skeleton, pattern));
            }
        }
        Ok(mask)
    }

    /// Moves what a clip has tracks for.
    ///
    /// # Panics
    /// If the clip was built for a larger skeleton.
    #[must_use]
    pub fn tracks(skeleton: &Skeleton, clip: &Clip) -> Self {
        let mut mask = Self::none(skeleton);
        for target in clip.targets() {
            match target {
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

    /// The same mask with this weight for all morph sets, which masks of joints leave alone.
    #[must_use]
    pub fn with_morphs(mut self, weight: f32) -> Self {
        self.morphs.fill(unit(weight));
        self
    }

    /// Sets the weight of a morph set, which is brought into 0 to 1; NaN counts as 0.
    ///
    /// # Panics
    /// If the set belongs to a skeleton with more sets.
    pub fn set_morph(&mut self, morph: MorphId, weight: f32) {
        self.morphs[morph.index()] = unit(weight);
    }

    /// The weight of a morph set.
    ///
    /// # Panics
    /// If the set belongs to a skeleton with more sets.
    #[must_use]
    pub fn morph_weight(&self, morph: MorphId) -> f32 {
        self.morphs[morph.index()]
    }

    /// An order of masks that depends on nothing but their weights.
    #[inline(never)]
    pub(crate) fn order(a: Option<&Self>, b: Option<&Self>) -> Ordering {
        let (Some(a), Some(b)) = (a, b) else { return a.is_some().cmp(&b.is_some()) };
        // Most are the same one, or look like it, which is found out quickly.
        if std::ptr::eq(a, b) || a == b { Ordering::Equal } else { a.weight_bits().cmp(b.weight_bits()) }
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

/// A mask was to have joints that the skeleton does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MaskError {
    /// No joint has the name.
    NoSuchJoint {
        /// The joint's name.
        joint: String,
    },
    /// No joint's name matches the pattern.
    NoMatch {
        /// The pattern.
        pattern: String,
        /// A joint that would match if upper and lower case did not count.
        similar: Option<String>,
    },
}

impl MaskError {
    fn no_match(skeleton: &Skeleton, pattern: &str) -> Self {
        let lower = pattern.to_lowercase();
        let mut names = skeleton.joints().map(|joint| skeleton.name(joint));
        let similar = names.find(|name| matches(&lower, &name.to_lowercase()));
        Self::NoMatch { pattern: String::from(pattern), similar: similar.map(String::from) }
    }
}

impl fmt::Display for MaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchJoint { joint } => {
                write!(f, "the skeleton has no joint \"{joint}\"; expected the names of its joints")
            }
            Self::NoMatch { pattern, similar: None } => write!(
                f,
                "no joint of the skeleton matches \"{pattern}\"; expected a name in which * stands for any \
                 characters and ? for one"
            ),
            Self::NoMatch { pattern, similar: Some(name) } => write!(
                f,
                "no joint of the skeleton matches \"{pattern}\"; expected the case of its names, such as \
                 \"{name}\""
            ),
        }
    }
}

impl std::error::Error for MaskError {}

fn unit(weight: f32) -> f32 {
    if weight.is_nan() { 0.0 } else { weight.clamp(0.0, 1.0) }
}
