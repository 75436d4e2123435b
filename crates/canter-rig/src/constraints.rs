//! Joints that follow other joints: the node constraints of VRM 1.0, and copies with an offset and a limit.
//!
//! ```
//! # use canter::glam::{Quat, Vec3};
//! # use canter::{ModelPose, Pose, Skeleton, Transform};
//! # let mut joints = Skeleton::builder();
//! # joints.joint("arm", None, Transform::IDENTITY);
//! # joints.joint("sleeve", None, Transform::IDENTITY);
//! # let skeleton = joints.build()?;
//! # let [arm, sleeve] = ["arm", "sleeve"].map(|name| skeleton.joint(name).unwrap());
//! # let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
//! use canter_rig::{Constraint, ConstraintKind, Constraints};
//!
//! // The sleeve takes over half of the arm's roll about y.
//! let kind = ConstraintKind::Roll { axis: Vec3::Y };
//! let roll = Constraint { weight: 0.5, ..Constraint::new(sleeve, arm, kind) };
//! let constraints = Constraints::new(&skeleton, &[roll])?;
//! pose.joint_mut(arm).rotation = Quat::from_rotation_y(1.0);
//! model.compose(&skeleton, &pose);
//! constraints.apply(&mut pose, &mut model);
//! assert!(pose.joint(sleeve).rotation.abs_diff_eq(Quat::from_rotation_y(0.5), 1e-6));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! They are evaluated so that what a constraint reads is finished before it is: its source, and for [`Aim`]
//! all that moves the source or the joint. Circles are refused.
//!
//! | case | answer |
//! |---|---|
//! | aim: source where the joint is, or flat parents | the rest rotation |
//! | aim: source opposite to the axis | half a turn about an axis that is always the same |
//! | weight 0 | the rest rotation |
//!
//! [`Aim`]: ConstraintKind::Aim

use canter::glam::{Quat, Vec3};
use canter::{JointId, ModelPose, Pose, Skeleton, Subtree};

use crate::error::{RigError, check_direction, check_range};
use crate::space::{Space, position};
use crate::turn::{Limit, Turn};

/// A joint that follows another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constraint {
    /// The joint that is turned.
    pub joint: JointId,
    /// What it follows.
    pub source: JointId,
    /// How.
    pub kind: ConstraintKind,
    /// From 0, the rest rotation, to 1.
    pub weight: f32,
}

/// How a joint follows another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ConstraintKind {
    /// Turned from rest as its source is.
    Rotation,
    /// Only what its source turns about an axis, which is given in the space of the joint.
    Roll {
        /// Need not be of length one.
        axis: Vec3,
    },
    /// An axis of the joint points at its source.
    Aim {
        /// Need not be of length one.
        axis: Vec3,
    },
    /// As `Rotation`, by no more than a limit, and turned further.
    Copy {
        /// A further turn, in the space of the joint.
        offset: Quat,
        /// In radians, from 0 to π.
        limit: f32,
    },
}

impl Constraint {
    /// In full.
    #[must_use]
    pub const fn new(joint: JointId, source: JointId, kind: ConstraintKind) -> Self {
        Self { joint, source, kind, weight: 1.0 }
    }
}

/// Constraints in the order in which they are evaluated; see the [module](self).
#[derive(Clone, Debug)]
pub struct Constraints {
    constraints: Vec<Ordered>,
    subtree: Subtree,
    reads_places: bool,
}

#[derive(Clone, Debug)]
struct Ordered {
    constraint: Constraint,
    parent: Option<JointId>,
    rest: Turn,
    source_rest: Turn,
    subtree: Subtree,
}

impl Constraints {
    /// Puts constraints into order.
    ///
    /// # Errors
    /// If joints follow each other in a circle, or a number is out of range.
    pub fn new(skeleton: &Skeleton, constraints: &[Constraint]) -> Result<Self, RigError> {
        let checked: Vec<Constraint> =
            constraints.iter().map(Constraint::checked).collect::<Result<_, _>>()?;
        let mut left: Vec<Constraint> = checked.clone();
        let mut ordered = Vec::with_capacity(left.len());
        while !left.is_empty() {
            let is_ready = |one: &Constraint| !left.iter().any(|other| one.reads(other, skeleton));
            let Some(next) = left.iter().position(is_ready) else {
                return Err(RigError::Cycle { joint: skeleton.name(left[0].joint).to_owned() });
            };
            let constraint = left.remove(next);
            let rest = |joint| Turn::from_quat(skeleton.rest(joint).rotation);
            ordered.push(Ordered {
                constraint,
                parent: skeleton.parent(constraint.joint),
                rest: rest(constraint.joint),
                source_rest: rest(constraint.source),
                subtree: Subtree::new(skeleton, &[constraint.joint]),
            });
        }
        let joints: Vec<JointId> = checked.iter().map(|constraint| constraint.joint).collect();
        let reads_places = checked.iter().any(|one| matches!(one.kind, ConstraintKind::Aim { .. }));
        Ok(Self { constraints: ordered, subtree: Subtree::new(skeleton, &joints), reads_places })
    }

    /// Turns all joints, and composes again what hangs on them.
    ///
    /// # Panics
    /// If pose or model were made for another skeleton; `model` has to be composed of `pose`.
    pub fn apply(&self, pose: &mut Pose, model: &mut ModelPose) {
        for ordered in &self.constraints {
            let turn = ordered.rest * ordered.turn(pose, model).share(ordered.constraint.weight);
            pose.joint_mut(ordered.constraint.joint).rotation = turn.normalized().to_quat();
            if self.reads_places {
                model.recompose(&ordered.subtree, pose);
            }
        }
        if !self.reads_places {
            model.recompose(&self.subtree, pose);
        }
    }
}

impl Ordered {
    /// How the joint is turned from rest, in its own space.
    fn turn(&self, pose: &Pose, model: &ModelPose) -> Turn {
        let Constraint { joint, source, kind, .. } = self.constraint;
        let of_source = || self.source_rest.inverse() * Turn::from_quat(pose.joint(source).rotation);
        match kind {
            ConstraintKind::Rotation => of_source(),
            ConstraintKind::Copy { offset, limit } => {
                of_source().at_most(Limit::new(limit)) * Turn::from_quat(offset)
            }
            ConstraintKind::Roll { axis } => {
                let into_own = self.rest.inverse() * self.source_rest;
                let turn = into_own * of_source() * into_own.inverse();
                let axis = axis.into();
                let swing = Turn::arc(axis, turn.rotate(axis), axis);
                swing.inverse() * turn
            }
            ConstraintKind::Aim { axis } => {
                let way = position(model, source) - position(model, joint);
                let seen =
                    Space::of(model, self.parent).and_then(|space| (space.inverse * way).try_normalize());
                let to = seen.map(|seen| self.rest.inverse().rotate(seen));
                to.map_or(Turn::IDENTITY, |to| Turn::arc(axis.into(), to, axis.into()))
            }
        }
    }
}

impl Constraint {
    fn checked(&self) -> Result<Self, RigError> {
        check_range("weight", self.weight, 0.0, 1.0)?;
        let kind = match self.kind {
            ConstraintKind::Rotation => self.kind,
            ConstraintKind::Roll { axis } => ConstraintKind::Roll { axis: check_direction("axis", axis)? },
            ConstraintKind::Aim { axis } => ConstraintKind::Aim { axis: check_direction("axis", axis)? },
            ConstraintKind::Copy { offset, limit } => {
                check_range("limit", limit, 0.0, std::f32::consts::PI)?;
                if !(offset.is_finite() && offset.length_squared() > 1e-6) {
                    return Err(RigError::Number { setting: "offset" });
                }
                self.kind
            }
        };
        Ok(Self { kind, ..*self })
    }

    /// Whether this one reads what another one writes.
    fn reads(&self, other: &Self, skeleton: &Skeleton) -> bool {
        let is_above = |joint: JointId| {
            let mut above = skeleton.parent(joint);
            while let Some(parent) = above.filter(|&parent| parent != other.joint) {
                above = skeleton.parent(parent);
            }
            above.is_some()
        };
        if self.source == other.joint {
            return true;
        }
        matches!(self.kind, ConstraintKind::Aim { .. }) && (is_above(self.source) || is_above(self.joint))
    }
}
