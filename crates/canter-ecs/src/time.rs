//! The step of time that a frame makes.

use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;

/// How much time passes in this frame. The game writes it before the systems run.
///
/// ```
/// # use bevy_ecs::prelude::World;
/// # use canter_ecs::Time;
/// # let mut world = World::new();
/// # world.init_resource::<Time>();
/// world.resource_mut::<Time>().delta_secs = 1.0 / 60.0;
/// ```
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct Time {
    /// Seconds since the last frame. A step that is negative or no finite number moves nothing.
    pub delta_secs: f32,
}

impl Time {
    /// The step, or none where it makes no sense.
    pub(crate) fn step_secs(self) -> f32 {
        if self.delta_secs.is_finite() { self.delta_secs.max(0.0) } else { 0.0 }
    }
}

/// A schedule that runs once per frame, for engines that have no such label of their own.
#[derive(ScheduleLabel, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Update;
