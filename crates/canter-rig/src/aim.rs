//! Looking at something: a joint, or eyes, head, neck and chest together.
//!
//! ```
//! # use canter::glam::Vec3;
//! # use canter::{ModelPose, Pose, Skeleton, Transform};
//! # let mut joints = Skeleton::builder();
//! # joints.joint("chest", None, Transform::from_translation(Vec3::Y));
//! # joints.joint("neck", Some(0), Transform::from_translation(Vec3::Y * 0.4));
//! # joints.joint("head", Some(1), Transform::from_translation(Vec3::Y * 0.1));
//! # let skeleton = joints.build()?;
//! # let [chest, neck, head] = ["chest", "neck", "head"].map(|name| skeleton.joint(name).unwrap());
//! # let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
//! use canter_rig::{Aim, AimGoal, AimJoint};
//!
//! // The chest takes a fifth of the way, the neck three tenths, the head the rest. It looks along z at rest.
//! let shares = [AimJoint::new(chest, 0.2).limit(0.4), AimJoint::new(neck, 0.3), AimJoint::new(head, 0.5)];
//! let look = Aim::new(&skeleton, &shares, Vec3::Z)?;
//! let reach = look.apply(&mut pose, &mut model, &AimGoal::at(Vec3::new(1.0, 1.5, 1.0)));
//! assert!(reach.is_reached);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! From the first joint to the last, each turns the ray that the last one looks along towards the target, by
//! its share of what is left of the way and no further than its limit; what it leaves, the next ones take
//! over. The ray may start beside the last joint (eyes in front of a head): it meets the target all the same.
//!
//! Degenerate cases, all finite:
//!
//! | case | answer |
//! |---|---|
//! | target or weight not a number, weight 0 | nothing changes |
//! | target at the eye, or nearer to a joint than the ray passes it | joints that cannot help stay |
//! | target behind | the weight goes smoothly to 0, before the shortest way becomes ambiguous |
//! | up along the ray, or half a turn to roll | no roll, and a smooth change to it nearby |
//! | flat joints: scaled to nothing above | they stay as they are |

use canter::glam::{Mat3, Vec3};
use canter::{JointId, ModelPose, Pose, Skeleton, Subtree, math};

use crate::end::turn_joint;
use crate::error::{RigError, check_direction, check_line, check_range};
use crate::reach::Reach;
use crate::space::{invert, linear_of, position};
use crate::turn::{Limit, Turn, perpendicular, smooth_step};

/// As many joints as a line of them has at most.
const MAX_JOINTS: usize = 16;
/// A direction counts as reached within so many radians.
const REACHED: f32 = 1e-3;
/// Where up is nearer to the line to the target than this sine, it says less and less about the roll.
const UP_IN_LINE: f32 = 0.35;
/// Rolls whose cosine is less than this above that of half a turn fade: those of more than 90 degrees.
const HALF_TURN: f32 = 1.0;

/// Joints that look at a target together; see the [module](self).
#[derive(Clone, Debug)]
pub struct Aim {
    joints: Vec<(AimJoint, Option<JointId>, Limit)>,
    /// In the space of the last joint.
    forward: Vec3,
    up: Vec3,
    eye: Vec3,
    /// Cosines of the angles between which the weight goes from one to zero.
    fades: (f32, f32),
    subtree: Subtree,
}

/// One of the joints that look at something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AimJoint {
    /// Which.
    pub joint: JointId,
    /// Its part of the way. Parts of one that all shares together leave are not turned.
    pub share: f32,
    /// How far it turns at most from the animated pose, in radians.
    pub limit: f32,
}

impl AimJoint {
    /// A joint that takes a share of the way, without a limit.
    #[must_use]
    pub const fn new(joint: JointId, share: f32) -> Self {
        Self { joint, share, limit: std::f32::consts::PI }
    }

    /// That turns by so many radians at most.
    #[must_use]
    pub const fn limit(self, radians: f32) -> Self {
        Self { limit: radians, ..self }
    }
}

/// What to look at. All of it is in the space of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AimGoal {
    /// The point to look at.
    pub target: Vec3,
    /// Where the top of the last joint turns to; `None` leaves its roll as the animated pose has it.
    pub up: Option<Vec3>,
    /// 0 leaves the pose as it is, 1 looks there.
    pub weight: f32,
}

impl AimGoal {
    /// At a point, with full weight.
    #[must_use]
    pub const fn at(target: Vec3) -> Self {
        Self { target, up: None, weight: 1.0 }
    }

    /// With the top of the head towards this direction.
    #[must_use]
    pub const fn up(self, up: Vec3) -> Self {
        Self { up: Some(up), ..self }
    }

    /// Only so much of it.
    #[must_use]
    pub const fn weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }
}

impl Aim {
    /// For joints that hang on each other, of which the last one looks along `forward` at rest, in the space
    /// of the model.
    ///
    /// # Errors
    /// If they do not hang on each other, there are none or more than 16, or a share, a limit or `forward` is
    /// out of range: shares are from 0 to 1, limits from 0 to π.
    pub fn new(skeleton: &Skeleton, joints: &[AimJoint], forward: Vec3) -> Result<Self, RigError> {
        let ids: Vec<JointId> = joints.iter().map(|joint| joint.joint).collect();
        let (Some(&first), Some(&last), true) = (ids.first(), ids.last(), ids.len() <= MAX_JOINTS) else {
            return Err(RigError::JointCount { count: ids.len(), takes: (1, MAX_JOINTS) });
        };
        check_line(skeleton, &ids)?;
        for joint in joints {
            check_range("share", joint.share, 0.0, 1.0)?;
            check_range("limit", joint.limit, 0.0, std::f32::consts::PI)?;
        }
        let forward = check_direction("forward", forward)?;
        let inverse = invert(&linear_of(&ModelPose::rest(skeleton), last)).map_or(Mat3::IDENTITY, |(m, _)| m);
        let up = perpendicular(Vec3::Y, forward);
        Ok(Self {
            joints: joints
                .iter()
                .map(|&joint| (joint, skeleton.parent(joint.joint), Limit::new(joint.limit)))
                .collect(),
            forward: inverse * forward,
            up: inverse * up,
            eye: Vec3::ZERO,
            fades: (cos_degrees(120.0), cos_degrees(170.0)),
            subtree: Subtree::new(skeleton, &[first]),
        })
    }

    /// Where the ray starts, in the space of the last joint.
    ///
    /// # Errors
    /// If it is not finite.
    pub fn eye(self, offset: Vec3) -> Result<Self, RigError> {
        if offset.is_finite() {
            Ok(Self { eye: offset, ..self })
        } else {
            Err(RigError::Number { setting: "eye" })
        }
    }

    /// Between which angles, seen from the animated pose, the weight goes from one to zero; from 120 to 170
    /// degrees unless set, here in radians.
    ///
    /// # Errors
    /// If they are not from 0 to π, the first below the second.
    pub fn fade_behind(self, from: f32, to: f32) -> Result<Self, RigError> {
        check_range("fade_behind", to, 0.0, std::f32::consts::PI)?;
        check_range("fade_behind", from, 0.0, to - 1e-3)?;
        Ok(Self { fades: (math::cos(from), math::cos(to)), ..self })
    }

    /// Turns the joints towards the target, and composes again what hangs on them. What remains is an angle.
    ///
    /// # Panics
    /// If pose or model were made for another skeleton; `model` has to be composed of `pose`.
    pub fn apply(&self, pose: &mut Pose, model: &mut ModelPose, goal: &AimGoal) -> Reach {
        let Some(ray) = self.ray(model).filter(|_| goal.target.is_finite()) else { return Reach::NOTHING };
        let Some(direction) = (goal.target - ray.eye).try_normalize() else { return Reach::NOTHING };
        let (from, to) = self.fades;
        let behind = smooth_step((ray.forward.dot(direction) - to) / (from - to));
        let weight = if goal.weight > 0.0 { goal.weight.min(1.0) * behind } else { 0.0 };
        if weight > 0.0 {
            self.turn(pose, model, goal, ray, weight);
            model.recompose(&self.subtree, pose);
        }
        self.remaining(model, goal.target)
    }

    fn turn(&self, pose: &mut Pose, model: &ModelPose, goal: &AimGoal, mut ray: Ray, weight: f32) {
        let last = self.joints.len() - 1;
        let (mut turned, mut left) = (Turn::IDENTITY, 1.0);
        let mut places = [Vec3::ZERO; MAX_JOINTS];
        for (place, (joint, ..)) in places.iter_mut().zip(&self.joints) {
            *place = position(model, joint.joint);
        }
        for (index, &(AimJoint { joint, share, .. }, parent, limit)) in self.joints.iter().enumerate() {
            let share = (weight * share).min(left);
            let part = if left > 1e-6 { share / left } else { 0.0 };
            left -= share;
            let place = places[index];
            let inverse = match parent {
                Some(parent) => invert(&linear_of(model, parent)),
                None => Some((Mat3::IDENTITY, false)),
            };
            let (Some((inverse, mirrors)), Some(turn)) = (inverse, ray.turn_to(place, goal.target)) else {
                continue;
            };
            let mut turn = turn.part(part);
            if index == last {
                turn = ray.roll(turn, goal, place, weight) * turn;
            }
            turn = turn.at_most(limit);
            // The joint's parent has turned with those before it: back to where the matrix has it.
            let own = turned.inverse() * turn * turned;
            turn_joint(pose, joint, own.seen_from(&inverse, mirrors));
            turned = turn * turned;
            ray.turn(place, turn);
            for place_below in &mut places[index + 1..=last] {
                *place_below = place + turn.rotate(*place_below - place);
            }
        }
    }

    /// What the last joint looks along; `None` if it is flat.
    fn ray(&self, model: &ModelPose) -> Option<Ray> {
        let joint = self.joints[self.joints.len() - 1].0.joint;
        let linear = linear_of(model, joint);
        Some(Ray {
            eye: position(model, joint) + linear * self.eye,
            forward: (linear * self.forward).try_normalize()?,
            up: (linear * self.up).try_normalize()?,
        })
    }

    fn remaining(&self, model: &ModelPose, target: Vec3) -> Reach {
        let Some(ray) = self.ray(model) else { return Reach::NOTHING };
        let way = target - ray.eye;
        let remaining = math::atan2(ray.forward.cross(way).length(), ray.forward.dot(way));
        if remaining.is_finite() {
            Reach { is_reached: remaining <= REACHED, remaining }
        } else {
            Reach::NOTHING
        }
    }
}

/// What is looked along.
#[derive(Clone, Copy)]
struct Ray {
    eye: Vec3,
    forward: Vec3,
    up: Vec3,
}

impl Ray {
    /// The turn about a joint that makes the ray meet the target. `None` if nothing does: the target is
    /// nearer to the joint than the ray passes it, or at the joint.
    fn turn_to(&self, joint: Vec3, target: Vec3) -> Option<Turn> {
        let (eye, way) = (self.eye - joint, target - joint);
        // The point of the ray that is as far from the joint as the target.
        let along = eye.dot(self.forward);
        let squared = along * along - eye.length_squared() + way.length_squared();
        if squared.is_nan() || squared < 0.0 {
            return None;
        }
        let seen = eye + self.forward * (squared.sqrt() - along);
        Some(Turn::arc(seen.try_normalize()?, way.try_normalize()?, self.up))
    }

    /// The roll about the line from the joint to the target, after a turn, that brings the top up.
    fn roll(&self, turn: Turn, goal: &AimGoal, joint: Vec3, weight: f32) -> Turn {
        let wanted = goal.up.and_then(Vec3::try_normalize);
        let (Some(wanted), Some(way)) = (wanted, (goal.target - joint).try_normalize()) else {
            return Turn::IDENTITY;
        };
        let now = turn.rotate(self.up);
        let beside = |up: Vec3| up - way * up.dot(way);
        let size = beside(wanted).length().min(beside(now).length());
        let (now, wanted) = (perpendicular(now, way), perpendicular(wanted, way));
        // Half a turn has two ways, between which it would jump.
        let has_way = smooth_step((1.0 + now.dot(wanted)) / HALF_TURN);
        Turn::arc(now, wanted, way).part(weight * smooth_step(size / UP_IN_LINE) * has_way)
    }

    /// Turns it about a joint.
    fn turn(&mut self, joint: Vec3, turn: Turn) {
        self.eye = joint + turn.rotate(self.eye - joint);
        self.forward = turn.rotate(self.forward);
        self.up = turn.rotate(self.up);
    }
}

fn cos_degrees(degrees: f32) -> f32 {
    math::cos(degrees.to_radians())
}
