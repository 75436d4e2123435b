//! The systems that let solvers correct poses.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemChangeTick;
use canter_rig::{FeetStep, Reach, SpringStep};

use crate::mixer::Staged;
use crate::model_pose::ModelPose;
use crate::palette::Palette;
use crate::parallel::for_each;
use crate::placement::Placement;
use crate::pose::Pose;
use crate::rig::Rig;
use crate::solvers::{
    ChainIk, FeetOnGround, GroundSurface, LookAt, PoseConstraints, Solver, SpringBones, Twists, TwoBoneIk,
    Wind,
};
use crate::time::Time;

/// All solvers of an entity, those that it has, in the order in which they work.
type Solvers = (
    Option<&'static mut LookAt>,
    Option<&'static mut ChainIk>,
    Option<&'static mut TwoBoneIk>,
    Option<&'static mut FeetOnGround>,
    Option<Ref<'static, Twists>>,
    Option<Ref<'static, PoseConstraints>>,
    Option<&'static mut SpringBones>,
);

/// Entities that have any.
type Solved = Or<(
    With<LookAt>,
    With<ChainIk>,
    With<TwoBoneIk>,
    With<FeetOnGround>,
    With<Twists>,
    With<PoseConstraints>,
    With<SpringBones>,
)>;

/// Marks the poses that have to be corrected anew, so that they are sampled before that: solvers begin with what
/// clips say, never with what they made of it in the last frame. Others stay as they are, corrected.
pub(crate) fn wake_solved(
    time: Res<'_, Time>,
    figures: Query<'_, '_, (&'static mut Pose, Solvers), (Staged, Solved)>,
) {
    let passes = time.step_secs() > 0.0;
    for_each(figures, |(mut pose, (look, chains, limbs, feet, twists, constraints, springs))| {
        let is_told = look.is_some_and(|it| it.is_changed())
            || chains.is_some_and(|it| it.is_changed())
            || limbs.is_some_and(|it| it.is_changed())
            || twists.is_some_and(|it| it.is_changed())
            || constraints.is_some_and(|it| it.is_changed());
        // Those that remember something go on by themselves.
        let goes_on = feet.is_some_and(|it| passes || it.is_changed())
            || springs.is_some_and(|it| passes || it.is_changed());
        if is_told || goes_on {
            pose.set_changed();
        }
    });
}

/// A pose, what follows from it, and who corrects it.
type Figure = (
    (&'static Rig, &'static Placement),
    (&'static mut Pose, &'static mut ModelPose, &'static mut Palette),
    Solvers,
);

/// Lets all solvers of entities correct their poses, in [`AnimationSet::Rig`](crate::AnimationSet): looking
/// first, then chains, limbs, feet, twists, constraints, and what swings. Order a system of yours before or after it to
/// edit what they begin with, or what they made.
///
/// # Panics
/// If a solver belongs to a larger skeleton than its entity has.
pub fn solve_poses(
    time: Res<'_, Time>,
    ground: Option<Res<'_, GroundSurface>>,
    wind: Option<Res<'_, Wind>>,
    figures: Query<'_, '_, Figure, (Staged, Solved)>,
    ticks: SystemChangeTick,
) {
    let surroundings = Surroundings {
        dt_secs: time.step_secs(),
        ground: ground.as_deref(),
        wind: wind.map_or(Wind::default(), |wind| *wind),
    };
    for_each(figures, |((rig, placement), (mut pose, mut model, mut palette), solvers)| {
        if !pose.is_changed() {
            return;
        }
        // Somebody wrote the pose by hand.
        if pose.last_changed().is_newer_than(model.last_changed(), ticks.this_run()) {
            model.compose(&pose);
        }
        // Not marked: a pose that is marked is sampled anew, and this one need not be until something changes.
        let pose = pose.bypass_change_detection();
        let is_solved = pose.correct(&mut model, |pose, model| {
            surroundings.solve(placement, pose, model, solvers);
        });
        if is_solved.is_some() {
            model.set_changed();
            palette.write(rig, &model);
        }
    });
}

/// What solvers are told beside their goals.
struct Surroundings<'a> {
    dt_secs: f32,
    ground: Option<&'a GroundSurface>,
    wind: Wind,
}

/// The solvers of one entity, as they come out of the query.
type TheirSolvers<'a> = (
    Option<Mut<'a, LookAt>>,
    Option<Mut<'a, ChainIk>>,
    Option<Mut<'a, TwoBoneIk>>,
    Option<Mut<'a, FeetOnGround>>,
    Option<Ref<'a, Twists>>,
    Option<Ref<'a, PoseConstraints>>,
    Option<Mut<'a, SpringBones>>,
);

impl Surroundings<'_> {
    /// What solvers remember and how far they got is no change that anybody is told of.
    fn solve(
        &self,
        placement: &Placement,
        pose: &mut canter::Pose,
        model: &mut canter::ModelPose,
        (look, chains, limbs, feet, twists, constraints, springs): TheirSolvers<'_>,
    ) {
        if let Some(mut look) = look {
            solve_each(&mut look.bypass_change_detection().0, |head, goal| head.apply(pose, model, goal));
        }
        if let Some(mut chains) = chains {
            solve_each(&mut chains.bypass_change_detection().0, |chain, goal| chain.apply(pose, model, goal));
        }
        if let Some(mut limbs) = limbs {
            solve_each(&mut limbs.bypass_change_detection().0, |limb, goal| limb.apply(pose, model, goal));
        }
        if let (Some(mut feet), Some(ground)) = (feet, self.ground) {
            let FeetOnGround { solver, state, contacts, weight, reach } = feet.bypass_change_detection();
            let step = FeetStep { contacts, weight: *weight, ..FeetStep::new(self.dt_secs, placement.0) };
            *reach = Some(solver.apply(state, pose, model, &step, |place| ground.below(place)));
        }
        for twist in twists.iter().flat_map(|twists| &twists.0) {
            twist.apply(pose, model);
        }
        if let Some(constraints) = constraints {
            constraints.0.apply(pose, model);
        }
        if let Some(mut springs) = springs {
            let SpringBones { solver, state, weight } = springs.bypass_change_detection();
            let step = SpringStep {
                wind: self.wind.0,
                weight: *weight,
                ..SpringStep::new(self.dt_secs, placement.0)
            };
            solver.apply(state, pose, model, &step);
        }
    }
}

/// Solves those that have a goal, and keeps how far they got.
fn solve_each<S, G>(solvers: &mut [Solver<S, G>], mut apply: impl FnMut(&S, &G) -> Reach) {
    for Solver { solver, goal, reach } in solvers {
        *reach = goal.as_ref().map(|goal| apply(solver, goal));
    }
}
