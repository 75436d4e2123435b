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

use canter::glam::{DAffine3, DVec3, Vec3};
use canter::{JointId, ModelPose, Pose, Skeleton, Subtree, math};

use crate::end::turn_in_model;
use crate::error::{RigError, check_direction, check_line, check_range};
use crate::reach::Reach;
use crate::space::{invert, linear_of, point_in_model, position};
use crate::turn::{Limit, Turn, perpendicular, smooth_step};
use crate::vector::{Matrix3, Vector3};

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
    forward: Vector3,
    up: Vector3,
    eye: Vector3,
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

    /// At a place in the world. Nothing is looked at by a character that is scaled to nothing.
    #[must_use]
    pub fn in_world(world_from_model: &DAffine3, place: DVec3) -> Self {
        Self::at(point_in_model(world_from_model, place))
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
        let forward = check_direction("forward", forward)?.into();
        let rest = linear_of(&ModelPose::rest(skeleton), last);
        let inverse = invert(&rest).map_or(Matrix3::IDENTITY, |(inverse, _)| inverse);
        let up = perpendicular(Vector3::Y, forward);
        Ok(Self {
            joints: joints
                .iter()
                .map(|&joint| (joint, skeleton.parent(joint.joint), Limit::new(joint.limit)))
                .collect(),
            forward: inverse * forward,
            up: inverse * up,
            eye: Vector3::ZERO,
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
            Ok(Self { eye: offset.into(), ..self })
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

    /// What is composed again after the joints have turned: what hangs on the first of them.
    #[must_use]
    pub fn subtree(&self) -> &Subtree {
        &self.subtree
    }

    /// Turns the joints towards the target, and composes again what hangs on them. What remains is an angle.
    ///
    /// # Panics
    /// If pose or model were made for another skeleton; `model` has to be composed of `pose`.
    pub fn apply(&self, pose: &mut Pose, model: &mut ModelPose, goal: &AimGoal) -> Reach {
        if self.solve(pose, model, goal) {
            model.recompose(&self.subtree, pose);
        }
        self.reach(model, goal)
    }

    /// Turns the joints as [`apply`](Self::apply) does, and leaves it to the caller to compose what hangs on
    /// them. Returns whether anything was turned.
    ///
    /// # Panics
    /// If pose or model were made for another skeleton; `model` has to be composed of `pose`.
    pub fn solve(&self, pose: &mut Pose, model: &ModelPose, goal: &AimGoal) -> bool {
        let ray = self.ray(model);
        let Some(forward) = ray.forward.try_normalize().filter(|_| goal.target.is_finite()) else {
            return false;
        };
        let ray = Ray { forward, ..ray };
        let way = Vector3::from(goal.target) - ray.eye;
        let distance = way.length();
        if !(distance > 0.0 && distance < f32::MAX && goal.weight > 0.0) {
            return false;
        }
        let (from, to) = self.fades;
        let behind = smooth_step((ray.forward.dot(way) / distance - to) / (from - to));
        let weight = goal.weight.min(1.0) * behind;
        if weight > 0.0 {
            self.turn(pose, model, goal, ray, weight);
        }
        weight > 0.0
    }

    /// Everything is seen from the joint, as the animated pose has it: what joints above it are turned by, the
    /// target is turned back by.
    fn turn(&self, pose: &mut Pose, model: &ModelPose, goal: &AimGoal, ray: Ray, weight: f32) {
        let last = self.joints.len() - 1;
        let mut left = 1.0;
        let (mut here, mut target) = (Vector3::ZERO, Vector3::from(goal.target));
        let mut up = goal.up.map(Vector3::from);
        for (index, &(AimJoint { joint, share, .. }, parent, limit)) in self.joints.iter().enumerate() {
            let share = (weight * share).min(left);
            let part = if left > 1e-6 { share / left } else { 0.0 };
            left -= share;
            let above = here;
            here = position(model, joint);
            target = target - (here - above);
            let Some(turn) = ray.turn_to(here, target, part) else { continue };
            let turn = match up {
                Some(up) if index == last => ray.roll(turn, up, target, weight) * turn,
                _ => turn,
            };
            let turn = turn.at_most(limit);
            target = turn.inverse().rotate(target);
            up = up.map(|up| turn.inverse().rotate(up));
            turn_in_model(pose, model, (joint, parent), turn);
        }
    }

    /// What the last joint looks along.
    #[inline]
    fn ray(&self, model: &ModelPose) -> Ray {
        let joint = self.joints[self.joints.len() - 1].0.joint;
        let linear = linear_of(model, joint);
        Ray {
            eye: position(model, joint) + linear * self.eye,
            forward: linear * self.forward,
            up: linear * self.up,
        }
    }

    /// The angle between where the last joint looks and its target, in a model pose that is composed.
    ///
    /// # Panics
    /// If the model pose was made for a smaller skeleton.
    #[must_use]
    pub fn reach(&self, model: &ModelPose, goal: &AimGoal) -> Reach {
        let ray = self.ray(model);
        let remaining = angle(ray.forward, Vector3::from(goal.target) - ray.eye);
        if remaining.is_finite() {
            Reach { is_reached: remaining <= REACHED, remaining }
        } else {
            Reach::NOTHING
        }
    }
}

/// Between two directions of any length; not a number if one has none.
#[inline]
fn angle(a: Vector3, b: Vector3) -> f32 {
    let (sin, cos) = (a.cross(b).length(), a.dot(b));
    if sin < 0.01 * cos {
        // The series of the arc tangent, which is exact to the last place here.
        let tangent = sin / cos;
        return tangent - tangent * tangent * tangent * (1.0 / 3.0);
    }
    if sin == 0.0 && cos == 0.0 { f32::NAN } else { math::atan2(sin, cos) }
}

/// What is looked along.
#[derive(Clone, Copy)]
struct Ray {
    eye: Vector3,
    /// Of any length, and at length one where joints are turned.
    forward: Vector3,
    /// Of any length.
    up: Vector3,
}

impl Ray {
    /// A part of the turn about a joint that makes the ray meet a target, which is seen from the joint.
    /// `None` if nothing does: the target is nearer to the joint than the ray passes it, or at the joint.
    #[inline]
    fn turn_to(&self, joint: Vector3, target: Vector3, part: f32) -> Option<Turn> {
        let eye = self.eye - joint;
        // The point of the ray that is as far from the joint as the target.
        let (along, size) = (eye.dot(self.forward), target.length_squared());
        let squared = along * along - eye.length_squared() + size;
        if squared.is_nan() || squared < 0.0 || !(size > 1e-30 && size < 1e30) {
            return None;
        }
        let seen = eye + self.forward * (squared.sqrt() - along);
        Some(Turn::part_of_arc(seen, target, size, self.up, part))
    }

    /// The roll about the line from the joint to the target, after a turn, that brings the top up.
    fn roll(&self, turn: Turn, up: Vector3, target: Vector3, weight: f32) -> Turn {
        let (Some(wanted), Some(way)) = (up.try_normalize(), target.try_normalize()) else {
            return Turn::IDENTITY;
        };
        let Some(now) = turn.rotate(self.up).try_normalize() else { return Turn::IDENTITY };
        let beside = |up: Vector3| up - way * up.dot(way);
        let size = beside(wanted).length().min(beside(now).length());
        let (now, wanted) = (perpendicular(now, way), perpendicular(wanted, way));
        // Half a turn has two ways, between which it would jump.
        let has_way = smooth_step((1.0 + now.dot(wanted)) / HALF_TURN);
        Turn::arc_about(way, now, wanted).part(weight * smooth_step(size / UP_IN_LINE) * has_way)
    }
}

fn cos_degrees(degrees: f32) -> f32 {
    math::cos(degrees.to_radians())
}
