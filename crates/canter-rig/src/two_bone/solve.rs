//! Turns the joints of a limb as its bones should stand.

use canter::glam::Vec3;
use canter::{JointId, ModelPose, Pose};

use super::bend::Bend;
use super::{LimbGoal, TwoBone};
use crate::end::{EndTurn, turn_end, turn_in_model, turn_joint};
use crate::space::{Space, evenness, invert, linear_of, transpose_of};
use crate::turn::{Turn, frame};
use crate::turn_batch::PoseTurns;
use crate::vector::{Matrix3, Vector3};

/// Rounds for limbs whose bones change their length as they turn.
const ROUNDS_UNEVEN: usize = 8;

impl TwoBone {
    /// Turns the joints; the end by `end_turn` from where it was in the model. Returns whether it did.
    #[inline]
    pub(crate) fn solve_turned(
        &self,
        pose: &mut Pose,
        model: &mut ModelPose,
        goal: &LimbGoal,
        end_turn: EndTurn,
    ) -> bool {
        let weight = goal.weight_in_range();
        if weight == 0.0 || !goal.position.is_finite() {
            return false;
        }
        let above = self.parents[0].map_or(Matrix3::IDENTITY, |parent| transpose_of(model, parent));
        let mirrors = evenness(&above);
        match mirrors.filter(|_| self.is_even(pose)) {
            Some(mirrors) => self.solve_in_model(pose, model, goal, (end_turn, weight), mirrors),
            None => self.solve_in_space(pose, model, goal, end_turn, weight),
        }
    }

    /// Below scales that are even, in the space of the model: nothing has to be brought into another one.
    #[inline]
    fn solve_in_model(
        &self,
        pose: &mut Pose,
        model: &ModelPose,
        goal: &LimbGoal,
        (end_turn, weight): (EndTurn, f32),
        mirrors: bool,
    ) -> bool {
        let Some(bend) = self.bend(&self.seen_in_model(model, goal, mirrors), weight) else { return false };
        let joint = |index: usize| (self.joints[index], self.parents[index]);
        turn_in_model(pose, model, joint(0), bend.upper.part(weight));
        turn_in_model(pose, model, joint(1), bend.middle.part(weight));
        if let Some(turn) = end_turn {
            let own = (bend.upper * bend.middle).inverse() * turn;
            turn_in_model(pose, model, joint(2), own.part(weight));
        }
        self.stretch_bones(pose, bend.stretch);
        true
    }

    /// Below uneven scales, in the space of what the limb hangs on: there its bones keep their lengths.
    #[cold]
    fn solve_in_space(
        &self,
        pose: &mut Pose,
        model: &mut ModelPose,
        goal: &LimbGoal,
        end_turn: EndTurn,
        weight: f32,
    ) -> bool {
        // Turns of the end are told in the model, where those of the limb are none.
        if end_turn.is_some() || !self.is_even(pose) {
            return self.solve_unevenly(pose, model, goal, end_turn, weight);
        }
        let Some(space) = Space::of(model, self.parents[0]) else { return false };
        let Some(bend) = self.bend(&self.seen_in(&space, model, goal), weight) else { return false };
        let mut turns = PoseTurns::new(space.axis_rows(), weight, self.joints[0]);
        let mut push = |index: usize, own: Turn| {
            let joint = (self.joints[index], self.parents[index]);
            turns.push(pose, model, joint, own);
        };
        push(0, bend.upper);
        push(1, bend.middle);
        turns.write(pose, model);
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

    fn stretch_bones(&self, pose: &mut Pose, stretch: f32) {
        if stretch > 1.0 {
            for &joint in &self.path {
                pose.joint_mut(joint).translation *= stretch;
            }
        }
    }

    /// In rounds, each of which is composed: lengths change as bones turn.
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
                let stretch_weight = if round == 0 { weight } else { 0.0 };
                let bend = self.bend(&self.seen_in(&space, model, goal), stretch_weight)?;
                Some((space, bend))
            });
            let Some((space, bend)) = bend else {
                if round == 0 {
                    return false;
                }
                break;
            };
            turn_joint(pose, start, bend.upper);
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
        let seen: Matrix3 = inverse * space.linear;
        let seen_frame = |[along, beside]: [Vector3; 2]| {
            (seen * along).try_normalize().map(|along| frame(along, seen * beside))
        };
        let [old, new] = bend.lower?;
        Some(Turn::between(seen_frame(old)?, seen_frame(new)?))
    }
}
