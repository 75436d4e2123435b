//! What happened to the actions of entities.

use bevy_ecs::prelude::*;
use canter::{ActionId, EventKind};

/// Something that happened to an action of an entity's mixer while time advanced.
///
/// A message: read it with a `MessageReader<AnimationEvent>`. In the order in which it happened, per entity; it is kept
/// for two frames, so that readers before and after the animation's systems see all of them.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnimationEvent {
    /// Whose mixer.
    pub entity: Entity,
    /// To which action.
    pub action: ActionId,
    /// What.
    pub kind: EventKind,
}
