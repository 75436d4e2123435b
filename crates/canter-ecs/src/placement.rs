//! Where an entity stands in the world.

use bevy_ecs::prelude::*;
use canter::glam::DAffine3;

/// Where an entity stands: `world_from_entity`. In double precision, so that figures far from the origin do
/// not shiver.
///
/// Yours to set, but for entities that are [`AttachedTo`](crate::AttachedTo) another.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct Placement(pub DAffine3);

impl Default for Placement {
    /// At the origin.
    fn default() -> Self {
        Self(DAffine3::IDENTITY)
    }
}
