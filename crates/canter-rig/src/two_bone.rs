//! Arms and legs: two bones that bring a hand or a foot to a target.
//!
//! ```
//! # use canter::glam::Vec3;
//! # use canter::{ModelPose, Pose, Skeleton, Transform};
//! # let mut joints = Skeleton::builder();
//! # joints.joint("hips", None, Transform::from_translation(Vec3::Y));
//! # joints.joint("thigh", Some(0), Transform::IDENTITY);
//! # joints.joint("shin", Some(1), Transform::from_translation(Vec3::new(0.0, -0.5, 0.05)));
//! # joints.joint("foot", Some(2), Transform::from_translation(Vec3::new(0.0, -0.5, -0.05)));
//! # let skeleton = joints.build()?;
//! # let [thigh, shin, foot] = ["thigh", "shin", "foot"].map(|name| skeleton.joint(name).unwrap());
//! # let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
//! use canter_rig::{LimbGoal, TwoBone};
//!
//! let leg = TwoBone::new(&skeleton, [thigh, shin, foot])?;
//! // After sampling and composing: the foot onto a step, the knee forwards.
//! let step = Vec3::new(0.0, 0.3, 0.2);
//! let reach = leg.apply(&mut pose, &mut model, &LimbGoal::at(step).pole(Vec3::Z * 5.0));
//! assert!(reach.is_reached && model.joint(foot).transform_point3(Vec3::ZERO).abs_diff_eq(step, 1e-5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The middle joint bends to one side only, about its *hinge*: the axis about which it is bent at rest, or
//! one that is given. Where the limb is bent in the animated pose, the plane in which it is bent counts
//! instead; only a limb that is straight, or bent the wrong way, is bent about its hinge.
//!
//! Degenerate cases, all finite:
//!
//! | case | answer |
//! |---|---|
//! | target or weight not a number, weight 0 | nothing changes |
//! | target at the start | the limb folds as far as it can, in the direction that it has |
//! | target out of reach | the limb points there, nearly straight |
//! | a bone without length | the other one points at the target |
//! | both without length, or flat: scaled to nothing above | nothing changes |
//! | straight at rest, and no hinge given | bent towards the pole, or else always in the same plane |
//! | pole in line with the target | the plane of the animated pose, and a smooth change to it nearby |
//! | target opposite to where the limb points | turned about the hinge, within the plane of the limb |
//! | uneven scale within the limb | lengths change as bones turn: several rounds; what is left is told |

mod bend;
mod seen;
mod solve;

use canter::glam::{DAffine3, DQuat, DVec3, Vec3};
use canter::{JointId, ModelPose, Pose, Skeleton, Subtree, Transform};

use crate::end::LimbEnd;
use crate::error::{RigError, check_direction, check_line, check_range};
use crate::reach::Reach;
use crate::space::{Space, invert, linear_of, orientation, point_in_model, position};
use crate::turn::{TINY, Turn, perpendicular};
use crate::vector::Matrix3;

/// Two bones that bring an end to a target; see the [module](self).
#[derive(Clone, Debug)]
pub struct TwoBone {
    joints: [JointId; 3],
    parents: [Option<JointId>; 3],
    /// The axis of the middle joint in the space of the first, if it is known.
    hinge: Option<Vec3>,
    /// What to bend about if nothing is known.
    some_hinge: Vec3,
    soften: f32,
    max_stretch: f32,
    /// All joints between the first, which does not count, and the last, which does.
    path: Vec<JointId>,
    subtree: Subtree,
}

/// Where a limb should get to. All of it is in the space of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimbGoal {
    /// Where its end should be.
    pub position: Vec3,
    /// A point towards which the middle joint bends; `None` for the plane of the animated pose.
    pub pole: Option<Vec3>,
    /// Turns the middle joint about the line from start to end, in radians.
    pub twist: f32,
    /// How the end is turned.
    pub end: LimbEnd,
    /// 0 leaves the pose as it is, 1 gets there.
    pub weight: f32,
}

impl LimbGoal {
    /// At a point, with full weight.
    #[must_use]
    pub const fn at(position: Vec3) -> Self {
        Self { position, pole: None, twist: 0.0, end: LimbEnd::Follow, weight: 1.0 }
    }

    /// On something that another joint carries, such as the second hand on a weapon in the first: where on
    /// it, in the space of that joint, and how the end is turned there. Its scale is not used.
    ///
    /// # Panics
    /// If the joint belongs to a larger skeleton.
    #[must_use]
    pub fn on(model: &ModelPose, joint: JointId, place: Transform) -> Self {
        let linear = linear_of(model, joint);
        let goal = Self::at((position(model, joint) + linear * place.translation).into());
        let turned = |axes| Turn::between(Matrix3::IDENTITY, axes) * Turn::from_quat(place.rotation);
        goal.end(orientation(&linear).map_or(LimbEnd::Follow, |axes| LimbEnd::Turn(turned(axes).to_quat())))
    }

    /// At a place in the world, such as the handle of a door while the character walks by; turned there as
    /// `rotation` says, if it says something. Nothing is reached by a character that is scaled to nothing.
    #[must_use]
    pub fn in_world(world_from_model: &DAffine3, place: DVec3, rotation: Option<DQuat>) -> Self {
        let linear = Matrix3::from_double(&world_from_model.matrix3);
        let turned = rotation.zip(orientation(&linear)).map(|(rotation, axes)| {
            let model = Turn::between(Matrix3::IDENTITY, axes).inverse();
            LimbEnd::Turn((model * Turn::from_quat(rotation.as_quat())).to_quat())
        });
        Self::at(point_in_model(world_from_model, place)).end(turned.unwrap_or(LimbEnd::Follow))
    }

    /// Bent towards a point.
    #[must_use]
    pub const fn pole(self, pole: Vec3) -> Self {
        Self { pole: Some(pole), ..self }
    }

    /// With the end turned so.
    #[must_use]
    pub const fn end(self, end: LimbEnd) -> Self {
        Self { end, ..self }
    }

    /// Only so much of it.
    #[must_use]
    pub const fn weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    /// From 0 to 1; 0 if it is not a number.
    pub(crate) fn weight_in_range(&self) -> f32 {
        if self.weight > 0.0 { self.weight.min(1.0) } else { 0.0 }
    }
}

impl TwoBone {
    /// For a thigh, a shin and a foot, or an upper arm, a forearm and a hand. Other joints may lie between
    /// them.
    ///
    /// # Errors
    /// If they do not hang on each other.
    pub fn new(skeleton: &Skeleton, joints: [JointId; 3]) -> Result<Self, RigError> {
        check_line(skeleton, &joints)?;
        let [start, _, end] = joints;
        let mut path = Vec::new();
        let mut joint = end;
        while joint != start {
            path.push(joint);
            joint = skeleton.parent(joint).expect("they hang on each other");
        }
        let rest = ModelPose::rest(skeleton);
        let (hinge, some_hinge) = rest_hinge(&rest, joints);
        Ok(Self {
            joints,
            parents: joints.map(|joint| skeleton.parent(joint)),
            hinge,
            some_hinge,
            soften: 0.97,
            max_stretch: 1.0,
            path,
            subtree: Subtree::new(skeleton, &[start]),
        })
    }

    /// Bends the middle joint about this axis, given in the space of the first joint: counterclockwise, if it
    /// points at you, from the first bone to the second.
    ///
    /// # Errors
    /// If it has no length.
    pub fn hinge(self, axis: Vec3) -> Result<Self, RigError> {
        Ok(Self { hinge: Some(check_direction("hinge", axis)?), ..self })
    }

    /// A limb that is straight at rest bends towards this direction of the model there: knees forwards,
    /// elbows backwards. One that is bent at rest, or has a hinge already, is left as it is.
    ///
    /// # Errors
    /// If the direction has no length.
    pub fn bends_towards(self, skeleton: &Skeleton, direction: Vec3) -> Result<Self, RigError> {
        let direction = check_direction("direction", direction)?;
        if self.hinge.is_some() {
            return Ok(self);
        }
        let rest = ModelPose::rest(skeleton);
        let [start, _, end] = self.joints.map(|joint| position(&rest, joint));
        let line = (end - start).try_normalize();
        let hinge = line.zip(invert(&linear_of(&rest, self.joints[0]))).and_then(|(line, (inverse, _))| {
            (inverse * perpendicular(direction.into(), line).cross(line)).try_normalize().map(Vec3::from)
        });
        Ok(Self { hinge, ..self })
    }

    /// From which part of its length on the limb falls behind a target that moves away; 0.97 unless set. 1
    /// lets it snap straight.
    ///
    /// # Errors
    /// If it is not from 0.5 to 1.
    pub fn soften(self, part: f32) -> Result<Self, RigError> {
        Ok(Self { soften: check_range("soften", part, 0.5, 1.0)?, ..self })
    }

    /// Up to which factor bones become longer for targets that are too far away; 1 unless set.
    ///
    /// # Errors
    /// If it is not from 1 to 10.
    pub fn max_stretch(self, factor: f32) -> Result<Self, RigError> {
        Ok(Self { max_stretch: check_range("max_stretch", factor, 1.0, 10.0)?, ..self })
    }

    /// The joints: start, middle, end.
    #[must_use]
    pub fn joints(&self) -> [JointId; 3] {
        self.joints
    }

    /// What is composed again after the limb has moved: what hangs on its first joint.
    #[must_use]
    pub fn subtree(&self) -> &Subtree {
        &self.subtree
    }

    /// Turns the joints so that the end gets to its goal, as far as it can, and composes again what hangs on
    /// them.
    ///
    /// # Panics
    /// If pose or model were made for another skeleton; `model` has to be composed of `pose`.
    pub fn apply(&self, pose: &mut Pose, model: &mut ModelPose, goal: &LimbGoal) -> Reach {
        if self.solve(pose, model, goal) {
            model.recompose(&self.subtree, pose);
        }
        self.reach(model, goal)
    }

    /// Turns the joints as [`apply`](Self::apply) does, and leaves it to the caller to compose what hangs on
    /// them: several limbs that do not hang on each other need that only once. Returns whether anything was
    /// turned. (Limbs of uneven scale are composed all the same, since they are solved in rounds.)
    ///
    /// # Panics
    /// If pose or model were made for another skeleton; `model` has to be composed of `pose`.
    pub fn solve(&self, pose: &mut Pose, model: &mut ModelPose, goal: &LimbGoal) -> bool {
        let turn = match goal.end {
            LimbEnd::Follow => None,
            end => end.turn(&linear_of(model, self.joints[2])),
        };
        self.solve_turned(pose, model, goal, turn)
    }

    /// Whether the end of the limb is where it should be, in a model pose that is composed.
    ///
    /// # Panics
    /// If the model pose was made for a smaller skeleton.
    #[must_use]
    pub fn reach(&self, model: &ModelPose, goal: &LimbGoal) -> Reach {
        if !goal.position.is_finite() {
            return Reach::NOTHING;
        }
        let [a, b, c] = self.joints.map(|joint| position(model, joint));
        Reach::within(c.distance(goal.position.into()), a.distance(b) + b.distance(c))
    }
}

/// Where the middle joint is: along the line from start to end, and beside it.
#[inline]
pub(crate) fn knee(distance: f32, upper: f32, lower: f32) -> (f32, f32) {
    if distance <= TINY * (upper + lower) {
        return (0.0, upper);
    }
    let along = (distance * distance + (upper - lower) * (upper + lower)) / (2.0 * distance);
    let along = along.clamp(-upper, upper);
    (along, ((upper - along) * (upper + along)).max(0.0).sqrt())
}

/// The axis about which a limb is bent at rest, in the space of its first joint; and some axis across it.
fn rest_hinge(rest: &ModelPose, joints: [JointId; 3]) -> (Option<Vec3>, Vec3) {
    let some = (None, Vec3::X);
    let Some(space) = Space::of(rest, Some(joints[0])) else { return some };
    let [a, b, c] = joints.map(|joint| space.joint(rest, joint));
    let Some(upper) = (b - a).try_normalize() else { return some };
    let across = upper.any_orthonormal_vector().into();
    let Some(lower) = (c - b).try_normalize() else { return (None, across) };
    let bend = upper.cross(lower);
    // Half a degree: less is what exporters leave of a straight limb.
    (bend.try_normalize().filter(|_| bend.length() > 0.0087).map(Vec3::from), across)
}
