//! Masks made of masks.

use super::JointMask;
use crate::pose::LANES;
use crate::skeleton::Skeleton;

impl JointMask {
    /// Moves what either moves: of each joint and morph set the larger weight.
    ///
    /// # Panics
    /// If the masks were made for skeletons of different sizes.
    #[must_use]
    pub fn max(&self, other: &Self) -> Self {
        // Not `f32::max`, which may choose either of 0 and -0.
        self.combined(other, |a, b| if a < b { b } else { a })
    }

    /// Moves what both move: of each joint and morph set the smaller weight.
    ///
    /// # Panics
    /// If the masks were made for skeletons of different sizes.
    #[must_use]
    pub fn min(&self, other: &Self) -> Self {
        self.combined(other, |a, b| if b < a { b } else { a })
    }

    /// One mask through the other: of each joint and morph set the product of both weights.
    ///
    /// # Panics
    /// If the masks were made for skeletons of different sizes.
    #[must_use]
    pub fn product(&self, other: &Self) -> Self {
        self.combined(other, |a, b| a * b)
    }

    /// Moves what this one leaves alone: 1 minus each weight, of morph sets too. Twice it is the same mask
    /// again but for rounding.
    ///
    /// ```
    /// # use canter::{JointMask, Skeleton, Transform};
    /// # let mut builder = Skeleton::builder();
    /// # builder.joint("hips", None, Transform::IDENTITY);
    /// # builder.joint("chest", Some(0), Transform::IDENTITY);
    /// # builder.joint("hand_R", Some(1), Transform::IDENTITY);
    /// # let skeleton = builder.build()?;
    /// let upper_body = JointMask::subtree(&skeleton, skeleton.joint("chest").unwrap());
    /// let hand = JointMask::subtree(&skeleton, skeleton.joint("hand_R").unwrap());
    /// let but_hand = upper_body.min(&hand.inverse());
    /// assert_eq!(but_hand, JointMask::names(&skeleton, ["chest"])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn inverse(&self) -> Self {
        self.combined(self, |weight, _| 1.0 - weight)
    }

    /// Lets the mask come in gradually from its top, over so many joints.
    ///
    /// A top is a joint with a weight whose parent has none, or a root. It keeps a part 1 / (joints + 1) of
    /// its weight, its children 2 / (joints + 1), and so on down each branch; after `joints` joints the
    /// weights are as they were. Morph sets stay as they are. 0 changes nothing.
    ///
    /// ```
    /// # use canter::{JointMask, Skeleton, Transform};
    /// # let mut builder = Skeleton::builder();
    /// # for (index, name) in ["hips", "spine", "chest", "neck"].into_iter().enumerate() {
    /// #     builder.joint(name, index.checked_sub(1), Transform::IDENTITY);
    /// # }
    /// # let skeleton = builder.build()?;
    /// let spine = skeleton.joint("spine").unwrap();
    /// let upper_body = JointMask::subtree(&skeleton, spine).feathered(&skeleton, 1);
    /// let weights: Vec<f32> = skeleton.joints().map(|joint| upper_body.weight(joint)).collect();
    /// assert_eq!(weights, [0.0, 0.5, 1.0, 1.0]);
    /// # Ok::<(), canter::SkeletonError>(())
    /// ```
    ///
    /// # Panics
    /// If the mask was made for a skeleton of another size.
    #[must_use]
    pub fn feathered(mut self, skeleton: &Skeleton, joints: usize) -> Self {
        assert!(self.fits(skeleton), "the mask was made for another skeleton");
        // How many joints with a weight lead down to each joint, itself included.
        let mut run = vec![0_usize; self.joint_count];
        for joint in skeleton.joints() {
            let weight = self.weight(joint);
            if weight <= 0.0 {
                continue;
            }
            let above = skeleton.parent(joint).map_or(0, |parent| run[parent.index()]);
            run[joint.index()] = above + 1;
            if above < joints {
                #[expect(clippy::cast_precision_loss, reason = "a rough part of a very long feather will do")]
                let part = (above as f64 + 1.0) / (joints as f64 + 1.0);
                #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
                let weight = (f64::from(weight) * part) as f32;
                self.set(joint, weight);
            }
        }
        self
    }

    /// Weights made of those of two masks, which may be the same.
    fn combined(&self, other: &Self, weight: impl Fn(f32, f32) -> f32) -> Self {
        let sizes = |mask: &Self| (mask.joint_count, mask.morphs.len());
        assert!(sizes(self) == sizes(other), "the masks were made for different skeletons");
        let mut combined = self.clone();
        for (index, (lanes, other)) in combined.groups.iter_mut().zip(&other.groups).enumerate() {
            // Lanes behind the last joint stay 0.
            let used = self.joint_count - index * LANES;
            for (mine, other) in lanes.0.iter_mut().zip(other.0).take(used) {
                *mine = weight(*mine, other);
            }
        }
        for (mine, other) in combined.morphs.iter_mut().zip(&other.morphs) {
            *mine = weight(*mine, *other);
        }
        combined
    }
}
