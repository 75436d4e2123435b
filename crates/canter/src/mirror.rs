//! Left for right: a pose or a clip as a mirror shows it.

mod lanes;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use fearless_simd::Level;
use glam::Vec3;

use crate::model_pose::ModelPose;
use crate::pose::{Pose, RestPose};
use crate::skeleton::{JointId, Skeleton};
use crate::transform::Transform;

/// Which joints change places in a mirror at x = 0, and how their axes differ.
///
/// Everything is taken by its difference from rest: the mirrored rest pose is the rest pose, also of a figure
/// that is not quite symmetric, and whatever the axes of its joints are.
///
/// ```
/// use canter::{Mirror, Pose, Skeleton, Transform, glam::{Quat, Vec3}};
///
/// let mut joints = Skeleton::builder();
/// joints.joint("hips", None, Transform::IDENTITY);
/// joints.joint("arm.L", Some(0), Transform::from_translation(Vec3::X));
/// joints.joint("arm.R", Some(0), Transform::from_translation(-Vec3::X));
/// let skeleton = joints.build()?;
/// let [hips, left, right] = ["hips", "arm.L", "arm.R"].map(|name| skeleton.joint(name).unwrap());
///
/// let mirror = Mirror::new(&skeleton, &[Some(hips), Some(right), Some(left)])?;
/// let (mut pose, mut seen) = (Pose::rest(&skeleton), Pose::rest(&skeleton));
/// pose.joint_mut(left).rotation = Quat::from_rotation_z(0.5);
/// mirror.pose(&pose, &mut seen);
/// assert!(seen.joint(right).rotation.abs_diff_eq(Quat::from_rotation_z(-0.5), 1e-6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mirror {
    /// For every joint.
    sides: Vec<Option<Side>>,
    /// The same, eight joints side by side.
    groups: Vec<lanes::MirrorGroup>,
    rest: Arc<RestPose>,
    pub(crate) skeleton: u64,
}

/// How a joint gets what its partner has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    pub(crate) partner: JointId,
    /// What the axes of the parent, and of the joint, are turned by against those that the mirror shows: the
    /// joint is `parent · mirrored partner · own`.
    parent: [f32; 4],
    own: [f32; 4],
    /// Of the joint and of its partner.
    rest: Transform,
    partner_rest: Transform,
}

/// Why joints make no mirror.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MirrorError {
    /// The list is not as long as the skeleton.
    Length {
        /// How many partners were given.
        partners: usize,
        /// How many joints there are.
        joints: usize,
    },
    /// A clip is of another skeleton.
    OtherSkeleton {
        /// How many joints its skeleton has.
        joints: usize,
    },
    /// A joint is nowhere near to where the mirror shows its partner at rest.
    NotSymmetric {
        /// Which.
        joint: String,
        /// Its partner.
        partner: String,
    },
    /// A joint is not the partner of its partner.
    NotMutual {
        /// Which.
        joint: String,
    },
    /// The parent of a joint is not the partner of its partner's parent.
    OtherParent {
        /// Which.
        joint: String,
    },
}

impl fmt::Display for MirrorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { partners, joints } => write!(f, "{partners} partners for {joints} joints"),
            Self::OtherSkeleton { joints } => write!(f, "a clip of another skeleton, of {joints} joints"),
            Self::NotSymmetric { joint, partner } => {
                write!(f, "joint \"{joint}\" is not where a mirror at x = 0 shows \"{partner}\" at rest")
            }
            Self::NotMutual { joint } => write!(f, "joint \"{joint}\" is not the partner of its partner"),
            Self::OtherParent { joint } => {
                write!(f, "joint \"{joint}\" and its partner do not hang on partners")
            }
        }
    }
}

impl std::error::Error for MirrorError {}

impl Mirror {
    /// For the partner of every joint, in the skeleton's order: itself for joints in the middle, `None` for
    /// joints that are left as they are, such as a sheath on one side.
    ///
    /// # Errors
    /// If a joint is not the partner of its partner, or partners do not hang on partners.
    pub fn new(skeleton: &Skeleton, partners: &[Option<JointId>]) -> Result<Self, MirrorError> {
        let joints = skeleton.joint_count();
        if partners.len() != joints || partners.iter().flatten().any(|partner| partner.index() >= joints) {
            return Err(MirrorError::Length { partners: partners.len(), joints });
        }
        let rest = ModelPose::rest(skeleton);
        let turns: Vec<[f32; 4]> = skeleton
            .joints()
            .map(|joint| Transform::from_mat4(rest.joint(joint)).rotation.to_array())
            .collect();
        let mut sides = Vec::with_capacity(joints);
        for joint in skeleton.joints() {
            let Some(partner) = partners[joint.index()] else {
                sides.push(None);
                continue;
            };
            let name = || skeleton.name(joint).to_owned();
            if partners[partner.index()] != Some(joint) {
                return Err(MirrorError::NotMutual { joint: name() });
            }
            let (above, above_partner) = (skeleton.parent(joint), skeleton.parent(partner));
            if above.map(|above| partners[above.index()]) != above_partner.map(Some) {
                return Err(MirrorError::OtherParent { joint: name() });
            }
            let difference = |joint: JointId, partner: JointId| {
                product(inverse(mirrored(turns[partner.index()])), turns[joint.index()])
            };
            let parent = match (above, above_partner) {
                (Some(above), Some(above_partner)) => inverse(difference(above, above_partner)),
                _ => [0.0, 0.0, 0.0, 1.0],
            };
            sides.push(Some(Side {
                partner,
                parent,
                own: difference(joint, partner),
                rest: skeleton.rest(joint),
                partner_rest: skeleton.rest(partner),
            }));
        }
        Ok(Self {
            groups: lanes::MirrorGroup::all(&sides),
            sides,
            rest: Arc::clone(skeleton.rest_pose()),
            skeleton: skeleton.fingerprint(),
        })
    }

    /// What changes places with a joint; `None` if it is left as it is.
    ///
    /// # Panics
    /// If the joint belongs to a larger skeleton.
    #[must_use]
    pub fn partner(&self, joint: JointId) -> Option<JointId> {
        self.sides[joint.index()].map(|side| side.partner)
    }

    pub(crate) fn side(&self, joint: JointId) -> Option<&Side> {
        self.sides[joint.index()].as_ref()
    }

    /// Writes the pose that a mirror shows of another. Morph weights are taken over as they are.
    ///
    /// # Panics
    /// If a pose was made for another number of joints.
    pub fn pose(&self, from: &Pose, to: &mut Pose) {
        self.pose_at(Level::new(), from, to);
    }

    fn pose_at(&self, level: Level, from: &Pose, to: &mut Pose) {
        let joints = [from.joint_count(), to.joint_count()];
        assert!(
            joints == [self.sides.len(); 2],
            "poses of {joints:?} joints in the mirror of another skeleton"
        );
        lanes::mirror(level, &self.groups, &self.rest.groups, &from.groups, &mut to.groups);
        to.morph_weights.copy_from_slice(&from.morph_weights);
    }
}

impl Side {
    pub(crate) fn translation(&self, partner: Vec3) -> Vec3 {
        self.rest.translation + self.way(partner - self.partner_rest.translation)
    }

    pub(crate) fn scale(&self, partner: Vec3) -> Vec3 {
        self.rest.scale + self.stretch(partner - self.partner_rest.scale)
    }

    /// A difference of translations.
    pub(crate) fn way(&self, partner: Vec3) -> Vec3 {
        rotate(self.parent, Vec3::new(-partner.x, partner.y, partner.z))
    }

    /// A rotation, or a difference of rotations from a reference, which does not know of the parent.
    pub(crate) fn rotation(&self, partner: [f32; 4], is_delta: bool) -> [f32; 4] {
        let first = if is_delta { inverse(self.own) } else { self.parent };
        product(product(first, mirrored(partner)), self.own)
    }

    /// A difference of scales: along axes of the joint that lie between those of its partner, a mean of them.
    pub(crate) fn stretch(&self, partner: Vec3) -> Vec3 {
        if partner.x == partner.y && partner.y == partner.z {
            return partner;
        }
        let along = |axis: Vec3| {
            let axis = rotate(self.own, axis);
            (axis * axis).dot(partner)
        };
        Vec3::new(along(Vec3::X), along(Vec3::Y), along(Vec3::Z))
    }
}

/// A rotation in the mirror.
fn mirrored([x, y, z, w]: [f32; 4]) -> [f32; 4] {
    [x, -y, -z, w]
}

fn inverse([x, y, z, w]: [f32; 4]) -> [f32; 4] {
    [-x, -y, -z, w]
}

/// The second rotation, then the first; in plain numbers, which have the same bits everywhere.
fn product(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    [
        (aw * bx + ax * bw) + (ay * bz - az * by),
        (aw * by + ay * bw) + (az * bx - ax * bz),
        (aw * bz + az * bw) + (ax * by - ay * bx),
        (aw * bw - ax * bx) - (ay * by + az * bz),
    ]
}

fn rotate([x, y, z, w]: [f32; 4], vector: Vec3) -> Vec3 {
    let axis = Vec3::new(x, y, z);
    let twice = axis.cross(vector) * 2.0;
    vector + twice * w + axis.cross(twice)
}
