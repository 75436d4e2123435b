//! Solvers: corrections of a pose, after a mixer has written it.
//!
//! Numbers that drive a solver go through the answer, so that a frame allocates nothing:
//!
//! ```text
//! 0..3  a point (a target, the wind)      8      how the end of a limb is turned: 0 follows, 1 stays, 2 turns
//! 3     whether there is a second one     9..13  to this quaternion
//! 4..7  the second one (a pole, up)       13     the weight
//! 7     the twist                         14     how long the step is
//!                                         15     two bits for each leg: 0 is detected, 1 is up, 2 is down
//! ```

mod feet;
mod mirror;
mod read;

use canter::glam::{DAffine3, DMat3, DVec3, Quat, Vec3};
use canter_rig::{
    Aim, AimGoal, Chain, ChainGoal, Constraints, LimbEnd, LimbGoal, Reach, SpringStep, Springs, SpringsState,
    Twist, TwoBone,
};

use crate::host::{ANSWER_LEN, Host};
use crate::posed_skeleton::PosedSkeleton;
use crate::reader::Reader;

use self::feet::FeetRun;
use self::mirror::MirrorRun;

/// What JavaScript calls a solver, with what it has to remember of its one character.
pub(crate) enum Solver {
    TwoBone(Box<TwoBone>),
    Aim(Box<Aim>),
    Chain(Box<Chain>),
    Feet(Box<FeetRun>),
    Springs(Box<(Springs, SpringsState)>),
    Constraints(Constraints),
    Twist(Twist),
    Mirror(Box<MirrorRun>),
}

/// What JavaScript wrote to the answer.
struct Goal([f32; ANSWER_LEN]);

impl Goal {
    fn vector(&self, at: usize) -> Vec3 {
        Vec3::new(self.0[at], self.0[at + 1], self.0[at + 2])
    }

    fn point(&self) -> Vec3 {
        self.vector(0)
    }

    fn second(&self) -> Option<Vec3> {
        (self.0[3] != 0.0).then(|| self.vector(4))
    }

    fn end(&self) -> LimbEnd {
        match self.0[8] {
            0.0 => LimbEnd::Follow,
            1.0 => LimbEnd::Keep,
            _ => LimbEnd::Turn(Quat::from_array([self.0[9], self.0[10], self.0[11], self.0[12]])),
        }
    }

    fn weight(&self) -> f32 {
        self.0[13]
    }

    fn dt_secs(&self) -> f32 {
        self.0[14]
    }
}

/// Of solvers that have no target.
const DONE: Reach = Reach { is_reached: true, remaining: 0.0 };

impl Solver {
    fn apply(&mut self, skeleton: &mut PosedSkeleton, goal: &Goal) -> Reach {
        let world_from_model = skeleton.world_from_model;
        let (pose, model) = skeleton.fresh();
        match self {
            Self::TwoBone(solver) => {
                let (position, pole, twist) = (goal.point(), goal.second(), goal.0[7]);
                let goal = LimbGoal { position, pole, twist, end: goal.end(), weight: goal.weight() };
                solver.apply(pose, model, &goal)
            }
            Self::Aim(solver) => {
                let goal = AimGoal { target: goal.point(), up: goal.second(), weight: goal.weight() };
                solver.apply(pose, model, &goal)
            }
            Self::Chain(solver) => {
                let (position, pole) = (goal.point(), goal.second());
                solver.apply(
                    pose,
                    model,
                    &ChainGoal { position, pole, end: goal.end(), weight: goal.weight() },
                )
            }
            Self::Feet(feet) => feet.apply(pose, model, &feet::step(goal, world_from_model)),
            Self::Springs(springs) => {
                let (springs, state) = &mut **springs;
                let (dt_secs, wind, weight) = (goal.dt_secs(), goal.point(), goal.weight());
                springs.apply(state, pose, model, &SpringStep { dt_secs, world_from_model, wind, weight });
                DONE
            }
            Self::Constraints(constraints) => {
                constraints.apply(pose, model);
                DONE
            }
            Self::Twist(twist) => {
                twist.apply(pose, model);
                DONE
            }
            Self::Mirror(mirror) => {
                mirror.apply(pose);
                skeleton.touch();
                DONE
            }
        }
    }
}

impl Host {
    /// Makes a solver as the input says. 0 if it cannot be made; the output then says why.
    pub(crate) fn new_solver(&mut self, asset: u32, kind: u32) -> u32 {
        let input = self.take_input();
        let Some(asset) = self.assets.get(asset) else { return 0 };
        match read::solver(&asset.gltf.skeleton, kind, &mut Reader::new(&input)) {
            Ok(solver) => self.solvers.insert(solver),
            Err(error) => {
                self.put_output(error.into_bytes());
                0
            }
        }
    }

    /// Corrects the pose of a skeleton. Returns whether the target was reached; the answer says what remains.
    pub(crate) fn apply_solver(&mut self, solver: u32, skeleton: u32) -> bool {
        let goal = Goal(self.answer.map(f32::from_bits));
        let (solver, skeleton) = (self.solvers.get_mut(solver), self.skeletons.get_mut(skeleton));
        let (Some(solver), Some(skeleton)) = (solver, skeleton) else { return false };
        let reach = solver.apply(skeleton, &goal);
        self.answer[0] = reach.remaining.to_bits();
        reach.is_reached
    }

    /// Lets a solver begin anew, or, if the character only jumped, takes along what swings.
    pub(crate) fn reset_solver(&mut self, solver: u32, is_jump: bool) {
        match self.solvers.get_mut(solver) {
            Some(Solver::Springs(springs)) if is_jump => springs.1.teleport(),
            Some(Solver::Springs(springs)) => springs.1.reset(),
            Some(Solver::Feet(feet)) => feet.reset(),
            _ => {}
        }
    }

    /// Says where a character is: the answer is a matrix, column by column.
    pub(crate) fn place_skeleton(&mut self, skeleton: u32) {
        let Some(skeleton) = self.skeletons.get_mut(skeleton) else { return };
        let numbers = self.answer.map(|bits| f64::from(f32::from_bits(bits)));
        let column = |at: usize| DVec3::new(numbers[at], numbers[at + 1], numbers[at + 2]);
        skeleton.world_from_model =
            DAffine3 { matrix3: DMat3::from_cols(column(0), column(4), column(8)), translation: column(12) };
    }
}
