//! What happened to the actions of entities.

use std::sync::Arc;

use bevy_ecs::prelude::*;
use canter::{ActionId, Clip, EventKind};

/// Something that happened to an action of an entity's mixer while time advanced.
///
/// A message: read it with a `MessageReader<AnimationEvent>`. In the order in which it happened, per entity;
/// it is kept for two frames, so that readers before and after the animation's systems see all of them.
#[derive(Message, Clone, Debug)]
pub struct AnimationEvent {
    /// Whose mixer.
    pub entity: Entity,
    /// To which action. It knows its layer: [`ActionId::layer`].
    pub action: ActionId,
    /// The clip that it plays, also when the action is gone.
    pub clip: Arc<Clip>,
    /// What.
    pub kind: EventKind,
    /// How long ago, in seconds of the frame's step: 0 at its end, the whole step at its start.
    pub secs_ago: f32,
}
