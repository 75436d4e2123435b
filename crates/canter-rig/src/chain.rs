//! Tails, tentacles, spines and cranes: any number of bones that bring an end to a target.
//!
//! ```
//! # use canter::glam::Vec3;
//! # use canter::{ModelPose, Pose, Skeleton, Transform};
//! # let mut joints = Skeleton::builder();
//! # for joint in 0..6 {
//! #     let rest = Transform::from_translation(Vec3::new(0.1 * (joint % 2) as f32, 0.5, 0.0));
//! #     joints.joint(format!("tail {joint}"), usize::checked_sub(joint, 1), rest);
//! # }
//! # let skeleton = joints.build()?;
//! # let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
//! use canter_rig::{Chain, ChainGoal, JointLimit};
//!
//! let joints: Vec<_> = skeleton.joints().map(|joint| (joint, JointLimit::Free)).collect();
//! let tail = Chain::new(&skeleton, &joints)?;
//! let reach = tail.apply(&mut pose, &mut model, &ChainGoal::at(Vec3::new(1.0, 1.0, 0.5)));
//! assert!(reach.is_reached);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Chains without hinges are solved by FABRIK: a few rounds in which positions are drawn to the target and
//! back to the root, always from the animated pose. Where no joint has a limit, two parts of the chain are
//! then turned against each other so that its end is exactly at the target. Chains with hinges are solved by
//! CCD: joint by joint, from the tip to the root, each turns as far as it helps.
//!
//! Degenerate cases, all finite:
//!
//! | case | answer |
//! |---|---|
//! | target or weight not a number, weight 0 | nothing changes |
//! | target at the root | the chain folds |
//! | target out of reach | the chain points there, nearly straight |
//! | straight chain and a target on it | bent towards the pole, or else always to the same side |
//! | bones without length | they are not turned |
//! | no length at all, or flat: scaled to nothing above | nothing changes |
//! | pole in line with the target | no turn towards it, and a smooth change nearby |
//! | joints caught between limits, which would lead the end away | they turn the less |
//! | uneven scale within the chain | lengths change as bones turn; what is left is told |

mod ccd;
mod fabrik;

use canter::glam::Vec3;
use canter::{JointId, ModelPose, Pose, Skeleton, Subtree};

use crate::end::{LimbEnd, turn_end};
use crate::error::{RigError, check_direction, check_line, check_range};
use crate::reach::Reach;
use crate::soft::softened;
use crate::space::{Space, linear_of, position};
use crate::turn::{Limit, Turn, perpendicular};
use crate::turn_batch::PoseTurns;
use crate::vector::Vector3;

/// As many joints as a chain has at most, its end included.
pub(crate) const MAX_JOINTS: usize = 32;

/// By this part of its length the end of a chain stays short of its full length. Nearer to it, how far joints
/// are beside the line is the root of what rounding leaves, and differs by millimetres from one orientation of
/// the model to the next.
const STRAIGHT: f32 = 5e-5;

/// Joints that are caught between their limits may lead the end away from its target: the further they would,
/// the less they turn, so that it gets off by little more than the way divided by this.
const CAUGHT: f32 = 50.0;

/// A chain of bones that brings its end to a target; see the [module](self).
#[derive(Clone, Debug)]
pub struct Chain {
    joints: Vec<Link>,
    /// Some direction across the chain, in the space of its first joint: where it bends if it is straight.
    side: Vector3,
    soften: f32,
    has_hinges: bool,
    is_free: bool,
    subtree: Subtree,
    end_subtree: Subtree,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    joint: JointId,
    parent: Option<JointId>,
    limit: JointLimit,
    /// How far it turns, if it is a cone.
    cone: Limit,
    /// The inverse of its rest rotation.
    from_rest: Turn,
}

/// How a joint of a chain may turn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum JointLimit {
    /// Any way.
    #[default]
    Free,
    /// By so many radians, from 0 to π, from the animated pose.
    Cone(f32),
    /// About an axis only.
    Hinge {
        /// In the space of the joint.
        axis: Vec3,
        /// The smallest angle about it, from rest, in radians.
        min: f32,
        /// The largest.
        max: f32,
    },
}

/// Where the end of a chain should get to. All of it is in the space of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainGoal {
    /// Where its end should be.
    pub position: Vec3,
    /// A point towards which the chain bends; `None` as in the animated pose. Chains whose first joint has a
    /// limit, and chains with hinges, bend as they can.
    pub pole: Option<Vec3>,
    /// How the end is turned.
    pub end: LimbEnd,
    /// 0 leaves the pose as it is, 1 gets there.
    pub weight: f32,
}

impl ChainGoal {
    /// At a point, with full weight.
    #[must_use]
    pub const fn at(position: Vec3) -> Self {
        Self { position, pole: None, end: LimbEnd::Follow, weight: 1.0 }
    }

    /// Bent towards a point.
    #[must_use]
    pub const fn pole(self, pole: Vec3) -> Self {
        Self { pole: Some(pole), ..self }
    }

    /// Only so much of it.
    #[must_use]
    pub const fn weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }
}

/// A chain while it is solved, in the space of what it hangs on.
pub(crate) struct Points {
    /// How many bones.
    bones: usize,
    places: [Vector3; MAX_JOINTS],
    lengths: [f32; MAX_JOINTS],
    /// Directions of the bones in the animated pose, of length one; zero for those without length.
    old: [Vector3; MAX_JOINTS],
    /// How each bone is turned from the animated pose.
    turns: [Turn; MAX_JOINTS],
    length: f32,
}

impl Chain {
    /// For joints that hang on each other, from the root to the end; others may lie between them. The limit
    /// of the last one is not used.
    ///
    /// # Errors
    /// If they do not hang on each other, there are fewer than 2 or more than 32, or a limit is out of range.
    pub fn new(skeleton: &Skeleton, joints: &[(JointId, JointLimit)]) -> Result<Self, RigError> {
        let count = joints.len();
        if !(2..=MAX_JOINTS).contains(&count) {
            return Err(RigError::JointCount { count, takes: (2, MAX_JOINTS) });
        }
        let ids: Vec<JointId> = joints.iter().map(|&(joint, _)| joint).collect();
        check_line(skeleton, &ids)?;
        let mut links = Vec::with_capacity(count);
        for &(joint, limit) in joints {
            links.push(Link {
                joint,
                parent: skeleton.parent(joint),
                limit: limit.checked()?,
                cone: if let JointLimit::Cone(radians) = limit { Limit::new(radians) } else { Limit::NONE },
                from_rest: Turn::from_quat(skeleton.rest(joint).rotation).inverse(),
            });
        }
        let bones = &joints[..count - 1];
        let rest = ModelPose::rest(skeleton);
        let side = Space::of(&rest, Some(ids[0])).and_then(|space| {
            let way = space.joint(&rest, ids[count - 1]).try_normalize()?;
            // To the side on which it is bent at rest, if it is.
            let places = ids.iter().map(|&joint| space.joint(&rest, joint));
            let sum = places.fold(Vector3::ZERO, |sum, place| sum + place);
            Some(perpendicular(sum, way))
        });
        Ok(Self {
            joints: links,
            side: side.unwrap_or(Vector3::X),
            soften: 0.98,
            has_hinges: bones.iter().any(|(_, limit)| matches!(limit, JointLimit::Hinge { .. })),
            is_free: bones.iter().all(|(_, limit)| *limit == JointLimit::Free),
            subtree: Subtree::new(skeleton, &ids[..1]),
            end_subtree: Subtree::new(skeleton, &ids[count - 1..]),
        })
    }

    /// From which part of its length on the chain falls behind a target that moves away; 0.98 unless set. 1
    /// lets it snap straight.
    ///
    /// # Errors
    /// If it is not from 0.5 to 1.
    pub fn soften(self, part: f32) -> Result<Self, RigError> {
        Ok(Self { soften: check_range("soften", part, 0.5, 1.0)?, ..self })
    }

    /// What is composed again after the chain has moved: what hangs on its first joint.
    #[must_use]
    pub fn subtree(&self) -> &Subtree {
        &self.subtree
    }

    /// Turns the joints so that the end gets to its goal, as far as it can, and composes again what hangs on
    /// them.
    ///
    /// # Panics
    /// If pose or model were made for another skeleton; `model` has to be composed of `pose`.
    pub fn apply(&self, pose: &mut Pose, model: &mut ModelPose, goal: &ChainGoal) -> Reach {
        let end = self.joints[self.joints.len() - 1];
        let before = linear_of(model, end.joint);
        if self.solve(pose, model, goal) {
            model.recompose(&self.subtree, pose);
            if let Some(turn) = goal.end.turn(&before) {
                let rotation_before = Turn::from_quat(pose.rotation(end.joint));
                turn_end(pose, model, (end.joint, end.parent), &before, turn);
                if goal.weight < 1.0 {
                    let full = Turn::from_quat(pose.rotation(end.joint));
                    pose.set_rotation(end.joint, rotation_before.toward(full, goal.weight).to_quat());
                }
                model.recompose(&self.end_subtree, pose);
            }
        }
        self.reach(model, goal)
    }

    /// Turns the joints as [`apply`](Self::apply) does, all but the last one, and leaves it to the caller to
    /// compose what hangs on them. Returns whether anything was turned.
    ///
    /// # Panics
    /// If pose or model were made for another skeleton; `model` has to be composed of `pose`.
    pub fn solve(&self, pose: &mut Pose, model: &ModelPose, goal: &ChainGoal) -> bool {
        let weight = if goal.weight > 0.0 { goal.weight.min(1.0) } else { 0.0 };
        goal.position.is_finite() && weight > 0.0 && self.turn(pose, model, goal, weight).is_some()
    }

    /// Whether the end of the chain is where it should be, in a model pose that is composed.
    ///
    /// # Panics
    /// If the model pose was made for a smaller skeleton.
    #[must_use]
    pub fn reach(&self, model: &ModelPose, goal: &ChainGoal) -> Reach {
        let mut place = position(model, self.joints[0].joint);
        let mut length = 0.0;
        for link in &self.joints[1..] {
            let next = position(model, link.joint);
            length += place.distance(next);
            place = next;
        }
        if goal.position.is_finite() {
            Reach::within(place.distance(goal.position.into()), length)
        } else {
            Reach::NOTHING
        }
    }

    fn turn(&self, pose: &mut Pose, model: &ModelPose, goal: &ChainGoal, weight: f32) -> Option<()> {
        let space = Space::of(model, self.joints[0].parent)?;
        let mut points = Points::new(&space, model, &self.joints)?;
        let start = points.places[0];
        let way = space.point(goal.position.into()) - start;
        let (distance, before) = (way.length(), points.off(start + way));
        if !distance.is_finite() {
            return None;
        }
        let line = if distance > 1e-6 * points.length {
            way * (1.0 / distance)
        } else {
            points.direction().unwrap_or(Vector3::X)
        };
        let soft = softened(distance, points.least(), points.length, self.soften);
        let soft = soft.min((1.0 - STRAIGHT) * points.length);
        let target = start + line * soft;
        let side = space.inverse * (linear_of(model, self.joints[0].joint) * self.side);
        let pole = goal.pole.map(|pole| space.point(pole.into()) - start).filter(|pole| pole.is_finite());
        if self.has_hinges {
            ccd::solve(&mut points, &self.hinges(pose, model, &space), target);
        } else {
            let cones = self.joints.iter().map(|link| link.cone);
            let cones = (!self.is_free).then_some(cones);
            fabrik::solve(&mut points, target, pole.unwrap_or(side), pole, cones);
        }
        let worse = if self.is_free { 0.0 } else { points.off(start + way) - before };
        let part = if worse > 0.0 { before / (before + CAUGHT * worse) } else { 1.0 };
        self.write(pose, model, &space, &points, weight * part);
        Some(())
    }

    /// The hinges as they stand in the animated pose.
    fn hinges(&self, pose: &Pose, model: &ModelPose, space: &Space) -> [ccd::Joint; MAX_JOINTS] {
        let mut joints = [ccd::Joint::Free; MAX_JOINTS];
        for (out, link) in joints.iter_mut().zip(&self.joints) {
            *out = match link.limit {
                JointLimit::Free => ccd::Joint::Free,
                JointLimit::Cone(_) => ccd::Joint::Cone(link.cone),
                JointLimit::Hinge { axis, min, max } => {
                    let now = link.from_rest * Turn::from_quat(pose.joint(link.joint).rotation);
                    let angle = now.radians_about(axis.into());
                    let seen = space.inverse * (linear_of(model, link.joint) * axis);
                    // What mirrors turns the other way about the axis that it shows.
                    let flips = linear_of(model, link.joint).determinant() < 0.0;
                    let sign = if flips == space.mirrors { 1.0 } else { -1.0 };
                    match (seen * sign).try_normalize() {
                        // A pose that is out of range may stay there, but not go further.
                        Some(axis) => ccd::Joint::Hinge {
                            axis,
                            min: (min - angle).min(0.0),
                            max: (max - angle).max(0.0),
                        },
                        None => ccd::Joint::Cone(Limit::new(0.0)),
                    }
                }
            };
        }
        joints
    }

    /// Writes the turns of all bones into the pose. Bones of flat joints stay as they are.
    fn write(&self, pose: &mut Pose, model: &ModelPose, space: &Space, points: &Points, weight: f32) {
        let mut turns = PoseTurns::new(space.axis_rows(), weight, self.joints[0].joint);
        let mut above = Turn::IDENTITY;
        for (link, &turn) in self.joints.iter().zip(&points.turns[..points.bones]) {
            turns.push(pose, model, (link.joint, link.parent), above.inverse() * turn);
            above = turn;
        }
        turns.write(pose, model);
    }
}

impl JointLimit {
    fn checked(self) -> Result<Self, RigError> {
        const PI: f32 = std::f32::consts::PI;
        match self {
            Self::Free => Ok(self),
            Self::Cone(radians) => Ok(Self::Cone(check_range("cone", radians, 0.0, PI)?)),
            Self::Hinge { axis, min, max } => Ok(Self::Hinge {
                axis: check_direction("hinge", axis)?,
                min: check_range("min", min, -PI, PI)?,
                max: check_range("max", max, min, PI)?,
            }),
        }
    }
}

impl Points {
    fn new(space: &Space, model: &ModelPose, joints: &[Link]) -> Option<Self> {
        let bones = joints.len() - 1;
        let mut points = Self {
            bones,
            places: [Vector3::ZERO; MAX_JOINTS],
            lengths: [0.0; MAX_JOINTS],
            old: [Vector3::ZERO; MAX_JOINTS],
            turns: [Turn::IDENTITY; MAX_JOINTS],
            length: 0.0,
        };
        for (place, link) in points.places.iter_mut().zip(joints) {
            *place = space.joint(model, link.joint);
        }
        for bone in 0..bones {
            let way = points.places[bone + 1] - points.places[bone];
            points.lengths[bone] = way.length();
            points.length += points.lengths[bone];
        }
        if !(points.length > 1e-12 && points.length.is_finite()) {
            return None;
        }
        for bone in 0..bones {
            if points.lengths[bone] > 1e-6 * points.length {
                points.old[bone] =
                    (points.places[bone + 1] - points.places[bone]) * (1.0 / points.lengths[bone]);
            } else {
                points.lengths[bone] = 0.0;
            }
        }
        Some(points)
    }

    /// How far the end is from a point.
    fn off(&self, point: Vector3) -> f32 {
        self.places[self.bones].distance(point)
    }

    /// From the root to the end.
    fn direction(&self) -> Option<Vector3> {
        (self.places[self.bones] - self.places[0]).try_normalize()
    }

    /// How near to its root its end can get: nowhere nearer than what one bone is longer than all others.
    fn least(&self) -> f32 {
        let longest = self.lengths[..self.bones].iter().fold(0.0_f32, |longest, &length| longest.max(length));
        (2.0 * longest - self.length).max(0.0)
    }
}
