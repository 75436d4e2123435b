//! Corrections of the figure's pose: hands and feet that reach for a place, a look, feet on stairs, springs.

mod ground;
mod joints;
mod limbs;
mod look;
mod swing;
mod terrain;

use std::sync::{Mutex, PoisonError};

use canter::Skeleton;
use canter::glam::DAffine3;
use canter_rig::Reach;
use canter_scene::Character;

use super::Session;
use super::travel::affine;
use ground::Walk;
pub use limbs::Limb;
use look::Look;
use swing::Swing;

/// All that corrects the pose of the figure. Its copies are left as they are animated.
#[derive(Debug)]
pub(super) struct Rig {
    limbs: Vec<Limb>,
    look: Option<Look>,
    walk: Option<Walk>,
    swing: Swing,
}

impl Rig {
    /// What the joints of a figure can do, by their names.
    pub(super) fn new(skeleton: &Skeleton) -> Self {
        Self {
            limbs: limbs::find(skeleton),
            look: Look::find(skeleton),
            walk: Walk::find(skeleton),
            swing: Swing::default(),
        }
    }

    fn is_at_rest(&self) -> bool {
        self.limbs.iter().all(|limb| limb.target.is_none())
            && self.look.as_ref().is_none_or(Look::is_at_rest)
            && self.walk.as_ref().is_none_or(|walk| !walk.is_on)
            && !self.swing.is_on()
    }

    /// Corrects a pose that was sampled, of a figure that will be here in the world.
    fn apply(&mut self, character: &mut Character, world: DAffine3, dt_secs: f32) {
        if self.is_at_rest() {
            return;
        }
        let Character { model, pose, model_pose, .. } = character;
        model_pose.compose(&model.asset.skeleton, pose);
        if let Some(walk) = &mut self.walk {
            walk.apply(pose, model_pose, world, dt_secs);
        }
        if let Some(look) = &mut self.look {
            look.apply(pose, model_pose, dt_secs);
        }
        for limb in &mut self.limbs {
            limb.apply(pose, model_pose);
        }
        self.swing.apply(pose, model_pose, world, dt_secs);
    }
}

impl Session {
    /// Lets time pass for all characters, and corrects the figure's pose. Where a graph has moved them on
    /// already, no time is left for clips, but for what swings and eases there is.
    pub(super) fn update_scene(&mut self, clip_secs: f32, dt_secs: f32) {
        let (figure, ground) = (self.figure, self.ground());
        let rig = Mutex::new(&mut self.rig);
        self.scene.update_with(clip_secs, |sampled| {
            if sampled.id == figure {
                let character = sampled.character;
                let mut world = sampled.world_from_character;
                if character.travels {
                    world *= affine(character.mixer.root_motion().transform);
                }
                world.translation.y = ground.map_or(world.translation.y, |it| it.level(world.translation));
                let mut rig = rig.lock().unwrap_or_else(PoisonError::into_inner);
                rig.apply(character, world, dt_secs);
            }
        });
        if let (Some(ground), Some(mut local)) = (ground, self.scene.local(self.figure)) {
            local.translation.y = ground.level(local.translation);
            self.scene.set_local(self.figure, local);
            self.scene.update_transforms();
        }
    }

    /// What can be dragged: hands and feet.
    #[must_use]
    pub fn limbs(&self) -> &[Limb] {
        &self.rig.limbs
    }

    /// How near the last target of a limb is; `None` if it has none.
    #[must_use]
    pub fn limb_reach(&self, index: usize) -> Option<Reach> {
        self.rig.limbs.get(index)?.reach
    }
}

#[cfg(test)]
mod tests;
