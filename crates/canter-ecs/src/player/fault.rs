//! Why a player cannot play. It stays at rest then, and says so once.

use std::sync::Arc;

use bevy_ecs::prelude::Entity;
use canter::Clip;

use super::{AnimationClipLibrary, AnimationPlayer};
use crate::rig::Rig;

/// What is wrong. The numbers are bits of [`Told`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    ClipNotFound = 1,
    OtherSkeleton = 2,
    NotFinite = 4,
    Additive = 8,
}

/// The faults that were told of already.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Told(u8);

/// The clip that plays, or why none can.
pub(crate) fn playable<'a>(
    player: &AnimationPlayer,
    library: &'a AnimationClipLibrary,
    skeleton: &Rig,
) -> Result<&'a Arc<Clip>, Fault> {
    let clip = library.clips.get(player.clip_index).ok_or(Fault::ClipNotFound)?;
    if !clip.fits(skeleton) {
        return Err(Fault::OtherSkeleton);
    }
    if clip.is_additive() {
        return Err(Fault::Additive);
    }
    if !(player.time.is_finite() && player.speed.is_finite()) {
        return Err(Fault::NotFinite);
    }
    Ok(clip)
}

impl Told {
    /// Warns of a fault, the first time.
    pub(crate) fn warn(&mut self, fault: Fault, entity: Entity, player: &AnimationPlayer, clips: usize) {
        if self.0 & fault as u8 != 0 {
            return;
        }
        self.0 |= fault as u8;
        let index = player.clip_index;
        match fault {
            Fault::ClipNotFound => {
                log::warn!("{entity}: there is no clip {index} among {clips}; it stays at rest");
            }
            Fault::OtherSkeleton => {
                log::warn!("{entity}: clip {index} was built for another skeleton; it stays at rest");
            }
            Fault::Additive => {
                log::warn!("{entity}: clip {index} is additive, which takes a layer; it stays at rest");
            }
            Fault::NotFinite => {
                let (time, speed) = (player.time, player.speed);
                log::warn!("{entity}: time {time}, speed {speed}: expected finite numbers; it stays at rest");
            }
        }
    }
}
