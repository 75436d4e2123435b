//! A head that looks at something.

use canter::glam::{DVec3, Vec3};
use canter::{JointId, ModelPose, Pose, Skeleton};
use canter_rig::{Aim, AimGoal, AimJoint, DampedPoint};

use super::joints;
use crate::session::Session;

/// What of the way the head takes, and the two joints above it.
const SHARES: [f32; 3] = [0.6, 0.25, 0.15];
/// How far each of them turns at most.
const LIMITS: [f32; 3] = [1.0, 0.5, 0.4];
/// In this time half the way to a new target is made.
const HALF_LIFE_SECS: f32 = 0.06;
/// In this time the head turns to the target that it has not looked at, or back.
const TURN_SECS: f32 = 0.35;

#[derive(Debug)]
pub(super) struct Look {
    aim: Aim,
    head: JointId,
    /// In the space of the figure.
    target: Option<Vec3>,
    seen: DampedPoint,
    weight: f32,
}

impl Look {
    pub(super) fn find(skeleton: &Skeleton) -> Option<Self> {
        let head = joints::named(skeleton, "head").into_iter().next()?;
        let line = joints::line(skeleton, head, SHARES.len());
        let parts = SHARES.into_iter().zip(LIMITS);
        let mut joints: Vec<AimJoint> = (line.iter().rev().zip(parts))
            .map(|(&joint, (share, limit))| AimJoint::new(joint, share).limit(limit))
            .collect();
        joints.reverse();
        let aim = Aim::new(skeleton, &joints, Vec3::Z).ok()?;
        Some(Self { aim, head, target: None, seen: DampedPoint::default(), weight: 0.0 })
    }

    pub(super) fn is_at_rest(&self) -> bool {
        self.target.is_none() && self.weight <= 0.0
    }

    pub(super) fn apply(&mut self, pose: &mut Pose, model: &mut ModelPose, dt_secs: f32) {
        let step = if dt_secs.is_finite() { dt_secs.max(0.0) / TURN_SECS } else { 0.0 };
        match self.target {
            Some(target) => {
                // What was not looked at before is not looked at on the way from somewhere else.
                if self.weight <= 0.0 {
                    self.seen = DampedPoint::new(target);
                }
                self.seen.follow(target, HALF_LIFE_SECS, dt_secs);
                self.weight = (self.weight + step).min(1.0);
            }
            None => self.weight = (self.weight - step).max(0.0),
        }
        let weight = self.weight * self.weight * (3.0 - 2.0 * self.weight);
        self.aim.apply(pose, model, &AimGoal::at(self.seen.position).up(Vec3::Y).weight(weight));
    }
}

impl Session {
    /// Whether the figure has a head that can look at something.
    #[must_use]
    pub fn can_look(&self) -> bool {
        self.rig.look.is_some()
    }

    /// The joint that looks.
    #[must_use]
    pub fn head(&self) -> Option<JointId> {
        self.rig.look.as_ref().map(|look| look.head)
    }

    /// What the figure looks at, in the world.
    #[must_use]
    pub fn look_target(&self) -> Option<DVec3> {
        let target = self.rig.look.as_ref()?.target?;
        Some(self.world_from_figure().transform_point3(target.as_dvec3()))
    }

    /// Lets the figure look at a place in the world, or where its clips look. A place that is not finite is
    /// refused.
    pub fn look_towards(&mut self, place: Option<DVec3>) {
        let figure_from_world = self.world_from_figure().inverse();
        let Some(look) = &mut self.rig.look else { return };
        let target = place.map(|place| figure_from_world.transform_point3(place).as_vec3());
        if target.is_none_or(Vec3::is_finite) && look.target != target {
            look.target = target;
            if !self.is_playing {
                // The head turns at once where no time passes.
                if let Some(look) = &mut self.rig.look {
                    look.weight = if target.is_some() { 1.0 } else { 0.0 };
                    look.seen = DampedPoint::new(target.unwrap_or(look.seen.position));
                }
                self.update(0.0);
            }
        }
    }
}
