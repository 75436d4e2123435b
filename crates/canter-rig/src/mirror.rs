//! Which joints change places in a mirror, by their names.
//!
//! ```
//! # use canter::glam::{Quat, Vec3};
//! # use canter::{Pose, Skeleton, Transform};
//! # let mut joints = Skeleton::builder();
//! # joints.joint("Hips", None, Transform::IDENTITY);
//! # joints.joint("LeftLeg", Some(0), Transform::from_translation(Vec3::X * 0.1));
//! # joints.joint("RightLeg", Some(0), Transform::from_translation(Vec3::X * -0.1));
//! # let skeleton = joints.build()?;
//! # let [left, right] = ["LeftLeg", "RightLeg"].map(|name| skeleton.joint(name).unwrap());
//! # let (mut pose, mut seen) = (Pose::rest(&skeleton), Pose::rest(&skeleton));
//! use canter_rig::mirror;
//!
//! let mirror = mirror::find(&skeleton)?;
//! assert_eq!(mirror.partner(left), Some(right));
//! pose.joint_mut(left).rotation = Quat::from_rotation_x(0.5); // steps forward with the left
//! mirror.pose(&pose, &mut seen); // and here with the right
//! assert_eq!(seen.joint(right), pose.joint(left).with_mirrored_place());
//! # trait MirroredPlace { fn with_mirrored_place(self) -> Self; }
//! # impl MirroredPlace for Transform {
//! #     fn with_mirrored_place(mut self) -> Self { self.translation.x *= -1.0; self }
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A name has a side if one of its words is `l`, `r`, `left`, `right`, 左 or 右, however it is spelled:
//! `arm.L`, `LeftArm`, `upperarm_l`, `mixamorig:RightHand`, `Bip01 R Foot`, `lThigh`. Words end at a dot, a
//! line, a space or a colon, at digits, and where capitals begin. Numbers that a converter put at the end of
//! every name do not count.
//!
//! [`clip`] gives a clip as the mirror shows it, with its root motion, and with `foot_R` where it had
//! `foot_L`.

mod names;

use canter::glam::Vec3;
use canter::{Clip, JointId, Mirror, MirrorError, ModelPose, Skeleton};

use crate::space::position;
pub use names::swapped;

/// How far from where the mirror shows its partner a joint may be at rest, as a part of the figure's size.
/// Rigs are not quite symmetric, and some rest with a raised arm; joints that were paired by mistake are
/// further off.
const SLACK: f32 = 0.3;

/// The mirror at x = 0 of a figure whose joints have names with sides. Joints without a counterpart are left
/// as they are.
///
/// # Errors
/// If joints that change places by their names are nowhere near to where the mirror shows them at rest: the
/// figure does not face along z, or the names mean something else.
pub fn find(skeleton: &Skeleton) -> Result<Mirror, MirrorError> {
    let partners = partners(skeleton);
    let rest = ModelPose::rest(skeleton);
    let places: Vec<_> = skeleton.joints().map(|joint| Vec3::from(position(&rest, joint))).collect();
    let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
    for place in &places {
        low = low.min(place.min_element());
        high = high.max(place.max_element());
    }
    for joint in skeleton.joints() {
        let Some(partner) = partners[joint.index()].filter(|&partner| partner != joint) else { continue };
        let mut shown = places[partner.index()];
        shown.x = -shown.x;
        if shown.distance(places[joint.index()]) > SLACK * (high - low) {
            let name = |joint| skeleton.name(joint).to_owned();
            return Err(MirrorError::NotSymmetric { joint: name(joint), partner: name(partner) });
        }
    }
    Mirror::new(skeleton, &partners)
}

/// A clip as the mirror shows it; its markers change sides by their names.
///
/// # Errors
/// If the mirror was made for another skeleton.
pub fn clip(mirror: &Mirror, clip: &Clip) -> Result<Clip, MirrorError> {
    clip.mirrored(mirror, swapped)
}

/// The partner of every joint, parents first, so that partners hang on partners.
fn partners(skeleton: &Skeleton) -> Vec<Option<JointId>> {
    let bare_names = names::bare(skeleton);
    let mut partners: Vec<Option<JointId>> = vec![None; skeleton.joint_count()];
    for joint in skeleton.joints() {
        let parent = skeleton.parent(joint);
        let above = match parent.map(|parent| partners[parent.index()]) {
            // Nothing below a joint without a counterpart has one.
            Some(None) => continue,
            Some(above) => above,
            None => None,
        };
        let name = &bare_names[joint.index()];
        let other = names::candidates(name).find_map(|other| {
            let mut others = skeleton.joints().filter(|&candidate| bare_names[candidate.index()] == other);
            others.find(|&candidate| skeleton.parent(candidate) == above)
        });
        let has_side = names::candidates(name).next().is_some();
        let same = || {
            // Without a side of its own: itself in the middle, its namesake below a joint that has one.
            if above == parent {
                return Some(joint);
            }
            let mut below = skeleton.joints().filter(|&candidate| skeleton.parent(candidate) == above);
            below.find(|&candidate| bare_names[candidate.index()] == *name)
        };
        partners[joint.index()] = if has_side { other } else { same() };
    }
    // Both ways, or not at all; and nothing below what is not.
    for joint in skeleton.joints() {
        let mutual = partners[joint.index()].filter(|partner| partners[partner.index()] == Some(joint));
        let parent_is_paired = skeleton.parent(joint).is_none_or(|parent| partners[parent.index()].is_some());
        partners[joint.index()] = mutual.filter(|_| parent_is_paired);
    }
    for joint in skeleton.joints() {
        let is_mutual =
            partners[joint.index()].is_some_and(|partner| partners[partner.index()] == Some(joint));
        if !is_mutual {
            partners[joint.index()] = None;
        }
    }
    partners
}
