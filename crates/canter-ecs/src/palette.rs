//! The matrices that move an entity's meshes.

use bevy_ecs::prelude::*;
use canter::Mat3x4;

use crate::frame_palettes::PaletteSlot;
use crate::model_pose::ModelPose;
use crate::rig::Rig;

/// The palette of an entity: the matrices of its skins, one skin behind another; comes with [`Rig`].
///
/// Relative to the entity: where it stands in the world is its [`Placement`](crate::Placement). Marked as
/// changed only in frames in which the matrices were written anew.
#[derive(Component, Debug)]
#[require(PaletteSlot)]
#[cfg_attr(feature = "wgpu", require(crate::gpu_palettes::PalettePlace))]
pub struct Palette {
    matrices: Vec<Mat3x4>,
}

impl Palette {
    pub(crate) fn rest(skeleton: &Rig, model: &ModelPose) -> Self {
        let mut palette = Self { matrices: vec![Mat3x4::IDENTITY; skeleton.skins().matrix_count()] };
        palette.write(skeleton, model);
        palette
    }

    /// All matrices.
    #[must_use]
    pub fn matrices(&self) -> &[Mat3x4] {
        &self.matrices
    }

    /// Writes the matrices of a model pose. Components that do not fit each other were swapped between
    /// entities, and are left alone.
    pub(crate) fn write(&mut self, skeleton: &Rig, model: &ModelPose) {
        if !model.is_of(skeleton.shared()) || self.matrices.len() != skeleton.skins().matrix_count() {
            return;
        }
        skeleton.skins().write_palettes(model, &mut self.matrices);
    }
}
