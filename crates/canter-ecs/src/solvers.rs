//! Components for the solvers of `canter-rig`, one for each kind.
//!
//! Solvers are shared by all entities of a skeleton; goals, weights and what a solver remembers are an
//! entity's own. A solver must be one of the entity's very skeleton.

use std::fmt;
use std::sync::Arc;

use bevy_ecs::prelude::*;
use canter::glam::{DVec3, Vec3};
use canter_rig::{
    Aim, AimGoal, Chain, ChainGoal, Constraints, Feet, FeetState, FootContact, Ground, LimbGoal, Reach,
    Springs, SpringsState, Twist, TwoBone,
};

/// A solver with the goal of one entity.
#[derive(Clone, Debug)]
pub struct Solver<S, G> {
    /// What gets there.
    pub solver: Arc<S>,
    /// Where to; `None` leaves the pose as it is.
    pub goal: Option<G>,
    pub(crate) reach: Option<Reach>,
}

impl<S, G> Solver<S, G> {
    /// A solver that has no goal yet.
    #[must_use]
    pub fn new(solver: impl Into<Arc<S>>) -> Self {
        Self { solver: solver.into(), goal: None, reach: None }
    }

    /// With a goal.
    #[must_use]
    pub fn to(self, goal: G) -> Self {
        Self { goal: Some(goal), ..self }
    }

    /// Whether it got there when it was last solved, and what distance remained; `None` without a goal.
    #[must_use]
    pub fn reach(&self) -> Option<Reach> {
        self.reach.filter(|_| self.goal.is_some())
    }
}

/// Arms and legs that get to goals in the space of the entity; `LimbGoal::in_world` makes one of a place in
/// the world.
///
/// ```
/// # use bevy_ecs::prelude::*;
/// # use canter_ecs::{AnimationMixer, ModelPose, Rig, Time, Update};
/// use canter::glam::Vec3;
/// use canter_ecs::canter_rig::{LimbGoal, TwoBone};
/// use canter_ecs::{Solver, TwoBoneIk};
///
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
/// # let hero = canter_gltf::load("assets/hero.glb")?;
/// # let mut world = World::new();
/// # canter_ecs::install(&mut world, Update);
/// let rig = Rig::new(&hero.skeleton, hero.skins.clone());
/// let joint = |name: &str| rig.joint(name).ok_or("no such joint");
/// let hand = joint("hand_R")?;
/// let arm = TwoBone::new(&rig, [joint("upper_arm_R")?, joint("forearm_R")?, hand])?;
/// let door = Vec3::new(-0.25, 1.3, 0.25);
/// let mut mixer = AnimationMixer::new(&rig);
/// mixer.crossfade_to(hero.clip("Idle")?, 0.0);
/// let ik = TwoBoneIk(vec![Solver::new(arm).to(LimbGoal::at(door))]);
/// let figure = world.spawn((rig, mixer, ik)).id();
///
/// world.resource_mut::<Time>().delta_secs = 1.0 / 60.0;
/// world.run_schedule(Update);
/// let model = world.get::<ModelPose>(figure).ok_or("gone")?;
/// assert!(model.joint(hand).w_axis.truncate().abs_diff_eq(door, 1e-3));
/// let reach = world.get::<TwoBoneIk>(figure).ok_or("gone")?.0[0].reach().ok_or("not solved")?;
/// assert!(reach.is_reached);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Component, Clone, Debug, Default)]
pub struct TwoBoneIk(pub Vec<Solver<TwoBone, LimbGoal>>);

/// Heads and eyes that look at something.
#[derive(Component, Clone, Debug, Default)]
pub struct LookAt(pub Vec<Solver<Aim, AimGoal>>);

/// Tails, tentacles and spines that get to a goal.
#[derive(Component, Clone, Debug, Default)]
pub struct ChainIk(pub Vec<Solver<Chain, ChainGoal>>);

/// Feet that stand on the [`GroundSurface`] below the entity's [`Placement`](crate::Placement), and do not slide.
#[derive(Component, Clone, Debug)]
pub struct FeetOnGround {
    /// The legs and the pelvis.
    pub solver: Arc<Feet>,
    /// What it remembers; reset it when the entity was put elsewhere.
    pub state: FeetState,
    /// Whether each foot stands, in the order of the legs; empty to find that out.
    pub contacts: Vec<FootContact>,
    /// 0 leaves the pose as it is.
    pub weight: f32,
    pub(crate) reach: Option<Reach>,
}

impl FeetOnGround {
    /// With full weight.
    #[must_use]
    pub fn new(solver: impl Into<Arc<Feet>>) -> Self {
        let solver = solver.into();
        Self { solver, state: FeetState::default(), contacts: Vec::new(), weight: 1.0, reach: None }
    }

    /// Whether the feet got to the ground when they were last solved; `None` before.
    #[must_use]
    pub fn reach(&self) -> Option<Reach> {
        self.reach
    }
}

/// What the feet of all entities stand on: a function from a place in the world to the ground below it. Without
/// this resource feet stay where clips put them.
#[derive(Resource)]
pub struct GroundSurface(Box<AskGround>);

type AskGround = dyn Fn(DVec3) -> Option<Ground> + Send + Sync;

impl GroundSurface {
    /// Of a function; `None` where there is no ground.
    #[must_use]
    pub fn new(ask: impl Fn(DVec3) -> Option<Ground> + Send + Sync + 'static) -> Self {
        Self(Box::new(ask))
    }

    pub(crate) fn below(&self, place: DVec3) -> Option<Ground> {
        (self.0)(place)
    }
}

impl fmt::Debug for GroundSurface {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("GroundSurface")
    }
}

/// Hair, capes and tails that swing.
#[derive(Component, Clone, Debug)]
pub struct SpringBones {
    /// The bones that swing, and what they collide with.
    pub solver: Arc<Springs>,
    /// What it remembers; tell it when the entity was put elsewhere.
    pub state: SpringsState,
    /// 0 leaves the pose as it is.
    pub weight: f32,
}

impl SpringBones {
    /// At rest, with full weight.
    #[must_use]
    pub fn new(solver: impl Into<Arc<Springs>>) -> Self {
        let solver = solver.into();
        Self { state: SpringsState::new(&solver), solver, weight: 1.0 }
    }
}

/// The wind that [`SpringBones`] are in, in the world, in metres per second squared; none without this resource.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct Wind(pub Vec3);

/// Joints that follow others.
#[derive(Component, Clone, Debug)]
pub struct PoseConstraints(pub Arc<Constraints>);

/// The twist of hands and thighs, spread along their limbs.
#[derive(Component, Clone, Debug, Default)]
pub struct Twists(pub Vec<Arc<Twist>>);
