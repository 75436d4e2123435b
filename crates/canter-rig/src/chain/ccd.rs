//! Cyclic coordinate descent: joint by joint, from the tip to the root, each turns as far as it helps.

use std::f32::consts::TAU;

use canter::math;

use super::{MAX_JOINTS, Points};
use crate::turn::{Limit, Turn};
use crate::vector::Vector3;

/// As many as it takes, mostly a few; chains that are caught between their limits take all.
const SWEEPS: usize = 48;
/// By how many radians hinges are turned out of a straight line, along which no hinge would help.
const NUDGE: f32 = 0.05;

/// A whole turn, within what rounding leaves of it.
const WHOLE: f32 = TAU - 1e-3;

/// The angle within limits that is nearest to another; the other way round may be nearer than this one.
fn nearest_within(wanted: f32, min: f32, max: f32) -> f32 {
    let near = wanted.clamp(min, max);
    let other = (if wanted > near { wanted - TAU } else { wanted + TAU }).clamp(min, max);
    let off = |angle: f32| {
        let off = (wanted - angle).abs();
        off.min(TAU - off).abs()
    };
    if off(other) < off(near) { other } else { near }
}

/// How a joint may turn, from the animated pose.
#[derive(Clone, Copy, Debug)]
pub(super) enum Joint {
    Free,
    Cone(Limit),
    Hinge {
        /// In the space of the points.
        axis: Vector3,
        min: f32,
        max: f32,
    },
}

/// Brings the end as near to a target as the joints allow.
pub(super) fn solve(points: &mut Points, joints: &[Joint; MAX_JOINTS], target: Vector3) {
    let mut angles = [0.0; MAX_JOINTS];
    let near = 1e-6 * points.length;
    let start = points.places[points.bones];
    for sweep in 0..SWEEPS {
        for joint in (0..points.bones).rev() {
            points.turn_joint(joint, joints[joint], &mut angles[joint], target);
        }
        let end = points.places[points.bones];
        let is_stuck = sweep == 0 && end.distance(start) <= near;
        if end.distance(target) <= near {
            break;
        }
        if is_stuck {
            points.nudge(joints, &mut angles);
        }
    }
    for turn in &mut points.turns[..points.bones] {
        *turn = turn.normalized();
    }
}

impl Points {
    fn turn_joint(&mut self, joint: usize, kind: Joint, angle: &mut f32, target: Vector3) {
        let pivot = self.places[joint];
        let (end, way) = (self.places[self.bones] - pivot, target - pivot);
        let above = joint.checked_sub(1).map_or(Turn::IDENTITY, |above| self.turns[above]);
        let turn = match kind {
            Joint::Hinge { axis, min, max } => {
                let axis = above.rotate(axis);
                let beside = |vector: Vector3| vector - axis * vector.dot(axis);
                let (end, way) = (beside(end), beside(way));
                let wanted = *angle + math::atan2(axis.dot(end.cross(way)), end.dot(way));
                // What turns all the way round has no ends at which it would be caught.
                let new = if max - min >= WHOLE { wanted } else { nearest_within(wanted, min, max) };
                let by = new - *angle;
                *angle = new;
                if by == 0.0 {
                    return;
                }
                Turn::about(axis, by)
            }
            Joint::Free | Joint::Cone(_) => {
                let (Some(end), Some(way)) = (end.try_normalize(), way.try_normalize()) else { return };
                let turn = Turn::arc(end, way, end);
                let Joint::Cone(limit) = kind else { return self.carry_below(joint, turn) };
                let own = above.inverse() * self.turns[joint];
                let limited = (above.inverse() * turn * self.turns[joint]).normalized().at_most(limit);
                above * limited * own.inverse() * above.inverse()
            }
        };
        self.carry_below(joint, turn.normalized());
    }

    /// Turns a joint and all below it.
    fn carry_below(&mut self, joint: usize, turn: Turn) {
        let pivot = self.places[joint];
        for place in &mut self.places[joint + 1..=self.bones] {
            *place = pivot + turn.rotate(*place - pivot);
        }
        for below in &mut self.turns[joint..self.bones] {
            *below = turn * *below;
        }
    }

    /// Turns all hinges a little, to the side where they have more room.
    fn nudge(&mut self, joints: &[Joint; MAX_JOINTS], angles: &mut [f32; MAX_JOINTS]) {
        for (joint, kind) in joints.iter().enumerate().take(self.bones) {
            let Joint::Hinge { axis, min, max } = *kind else { continue };
            let above = joint.checked_sub(1).map_or(Turn::IDENTITY, |above| self.turns[above]);
            let by = if max >= -min { NUDGE.min(max) } else { -NUDGE.min(-min) };
            angles[joint] += by;
            self.carry_below(joint, Turn::about(above.rotate(axis), by));
        }
    }
}
