//! Turns the joints of a limb as its bones should stand.

use canter::glam::{Mat3, Vec3};
use canter::{JointId, ModelPose, Pose};

use super::bend::Bend;
use super::{LimbGoal, TwoBone};
use crate::end::{EndTurn, turn_end, turn_joint, turn_joint_partly};
use crate::space::{Axes, Space, invert, linear_of};
use crate::turn::{Turn, frame};

/// Rounds for limbs whose bones change their length as they turn.
const ROUNDS_UNEVEN: usize = 8;

impl TwoBone {
    /// Turns the joints; the end by `end_turn` from where it was in the model. Returns whether it did.
    pub(crate) fn solve_turned(
        &self,
        pose: &mut Pose,
        model: &mut ModelPose,
        goal: &LimbGoal,
        end_turn: EndTurn,
    ) -> bool {
        let weight = if goal.weight > 0.0 { goal.weight.min(1.0) } else { 0.0 };
        if weight == 0.0 || !goal.position.is_finite() {
            return false;
        }
        let Some(space) = Space::of(model, self.parents[0]) else { return false };
        // Turns of the end are told in the model, where those of the limb may be none.
        let is_even = self.is_even(pose) && (end_turn.is_none() || space.is_even());
        if !is_even {
            return self.solve_unevenly(pose, model, goal, end_turn, weight);
        }
        let Some(bend) = self.bend(&space, model, goal, weight) else { return false };
        let [start, middle, end] = self.joints;
        let (first, second) = (bend.first(), bend.second());
        turn_joint_partly(pose, start, first, weight);
        if let Some(turn) = self.seen_from_parent(1, &space, model, second) {
            turn_joint_partly(pose, middle, turn, weight);
        }
        if let Some(turn) = end_turn {
            let turn = Axes::new(&space.linear).map_or(turn, |axes| turn.seen_from(&axes));
            let left = (first * second).inverse() * turn;
            if let Some(turn) = self.seen_from_parent(2, &space, model, left.normalized()) {
                turn_joint_partly(pose, end, turn, weight);
            }
        }
        self.stretch_bones(pose, bend.stretch);
        true
    }

    /// Whether bones keep their lengths as they turn.
    #[inline]
    fn is_even(&self, pose: &Pose) -> bool {
        let is_even = |joint: JointId| {
            let scale = pose.joint(joint).scale;
            let even = scale.x.abs();
            (scale.abs() - Vec3::splat(even)).abs().max_element() <= 1e-4 * even
        };
        // The first of the path is the end, which has no bone.
        is_even(self.joints[0]) && self.path[1..].iter().all(|&joint| is_even(joint))
    }

    /// A turn in the space of the limb, as the parent of a joint sees it; `None` if that is flat.
    #[inline]
    fn seen_from_parent(&self, joint: usize, space: &Space, model: &ModelPose, turn: Turn) -> Option<Turn> {
        let axes = Axes::of(model, self.parents[joint])?;
        Some(turn.with_axis(axes.axis(space.axis_in_model(turn.vector()))))
    }

    fn stretch_bones(&self, pose: &mut Pose, stretch: f32) {
        if stretch > 1.0 {
            for &joint in &self.path {
                pose.joint_mut(joint).translation *= stretch;
            }
        }
    }

    /// In rounds, each of which is composed: lengths change as bones turn.
    #[cold]
    fn solve_unevenly(
        &self,
        pose: &mut Pose,
        model: &mut ModelPose,
        goal: &LimbGoal,
        end_turn: EndTurn,
        weight: f32,
    ) -> bool {
        let [start, middle, end] = self.joints;
        let before = self.joints.map(|joint| Turn::from_quat(pose.rotation(joint)));
        let end_before = linear_of(model, end);
        for round in 0..ROUNDS_UNEVEN {
            let bend = Space::of(model, self.parents[0]).and_then(|space| {
                let bend = self.bend(&space, model, goal, if round == 0 { weight } else { 0.0 })?;
                Some((space, bend))
            });
            let Some((space, bend)) = bend else {
                if round == 0 {
                    return false;
                }
                break;
            };
            turn_joint(pose, start, bend.first());
            if let Some(turn) = self.unevenly_seen_from_middle(&space, model, &bend) {
                turn_joint(pose, middle, turn);
            }
            self.stretch_bones(pose, bend.stretch);
            model.recompose(&self.subtree, pose);
        }
        if let Some(turn) = end_turn {
            turn_end(pose, model, (end, self.parents[2]), &end_before, turn);
        }
        if weight < 1.0 {
            for (joint, before) in self.joints.into_iter().zip(before) {
                let turned = Turn::from_quat(pose.rotation(joint));
                pose.set_rotation(joint, before.toward(turned, weight).to_quat());
            }
        }
        true
    }

    /// How the middle joint turns in the space of what it hangs on, which may be sheared.
    fn unevenly_seen_from_middle(&self, space: &Space, model: &ModelPose, bend: &Bend) -> Option<Turn> {
        let (inverse, _) = invert(&linear_of(model, self.parents[1]?))?;
        let seen: Mat3 = inverse * space.linear;
        let seen_frame = |[along, beside]: [Vec3; 2]| {
            (seen * along).try_normalize().map(|along| frame(along, seen * beside))
        };
        let [old, new] = bend.lower_frames()?;
        Some(Turn::between(seen_frame(old)?, seen_frame(new)?))
    }
}
