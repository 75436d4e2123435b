//! Feet on ground that JavaScript knows. The module cannot call back, so JavaScript is told first where the
//! ground will be asked for, and writes there what it is.

use canter::glam::{DAffine3, DVec3, Vec3};
use canter::{ModelPose, Pose};
use canter_rig::{Feet, FeetState, FeetStep, FootContact, Ground, Reach};

use super::{Goal, Solver};
use crate::host::{Host, word};

/// As many legs as feet have at most.
const MAX_LEGS: usize = 8;

/// Feet, and the ground under them.
pub(crate) struct FeetRun {
    feet: Feet,
    state: FeetState,
    /// For each leg where the ground is asked for, then what JavaScript answers: the height, NaN for none, and the
    /// normal. JavaScript writes them in place.
    ground: Vec<[f64; 7]>,
}

/// What drives feet in a frame, with the contacts that it knows.
pub(super) struct Step {
    dt_secs: f32,
    world_from_model: DAffine3,
    contacts: [FootContact; MAX_LEGS],
    weight: f32,
}

pub(super) fn step(goal: &Goal, world_from_model: DAffine3) -> Step {
    let codes = goal.0[15].to_bits();
    let contact = |leg: usize| match codes >> (2 * leg) & 3 {
        1 => FootContact::Known(false),
        2 => FootContact::Known(true),
        _ => FootContact::Detect,
    };
    let contacts = std::array::from_fn(contact);
    Step { dt_secs: goal.dt_secs(), world_from_model, contacts, weight: goal.weight() }
}

impl FeetRun {
    pub(super) fn new(feet: Feet, legs: usize) -> Self {
        Self { feet, state: FeetState::default(), ground: vec![[f64::NAN; 7]; legs] }
    }

    pub(super) fn reset(&mut self) {
        self.state.reset();
    }

    /// Finds out where the ground will be asked for. Nothing else is changed.
    fn ask(&mut self, pose: &mut Pose, model: &mut ModelPose, step: &Step) {
        let mut state = self.state.clone();
        let mut places = self.ground.iter_mut();
        // Without a weight it writes no pose, but goes through the same places.
        let step = FeetStep { weight: 0.0, ..frame(step) };
        self.feet.apply(&mut state, pose, model, &step, |at| {
            if let Some(place) = places.next() {
                *place = [at.x, at.y, at.z, f64::NAN, 0.0, 1.0, 0.0];
            }
            None
        });
    }

    /// With the ground that was answered.
    pub(super) fn apply(&mut self, pose: &mut Pose, model: &mut ModelPose, step: &Step) -> Reach {
        let mut answers = self.ground.iter();
        let ground = |_: DVec3| {
            let [_, _, _, height, x, y, z] = *answers.next()?;
            let normal = DVec3::new(x, y, z).as_vec3();
            height.is_finite().then_some(Ground { height, normal: finite(normal) })
        };
        self.feet.apply(&mut self.state, pose, model, &frame(step), ground)
    }
}

fn finite(normal: Vec3) -> Vec3 {
    if normal.is_finite() && normal != Vec3::ZERO { normal } else { Vec3::Y }
}

fn frame(step: &Step) -> FeetStep<'_> {
    FeetStep {
        dt_secs: step.dt_secs,
        world_from_model: step.world_from_model,
        contacts: &step.contacts,
        weight: step.weight,
    }
}

impl Host {
    /// Writes behind the goal where the list is in which JavaScript finds the places, and answers with the ground
    /// there.
    pub(crate) fn ask_ground(&mut self, solver: u32, skeleton: u32) {
        let goal = Goal(self.answer.map(f32::from_bits));
        let (solver, skeleton) = (self.solvers.get_mut(solver), self.skeletons.get_mut(skeleton));
        let (Some(Solver::Feet(feet)), Some(skeleton)) = (solver, skeleton) else {
            return;
        };
        let step = step(&goal, skeleton.world_from_model);
        let (pose, model) = skeleton.fresh();
        feet.ask(pose, model, &step);
        let ground = feet.ground.as_flattened();
        self.answer[16] = word(ground.as_ptr().addr());
    }
}
