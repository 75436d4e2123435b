//! The palettes of all entities behind one another: what the GPU gets in one write.

use std::ops::Range;

use bevy_ecs::prelude::*;
use canter::Mat3x4;

use crate::palette::Palette;

/// Where an entity's matrices are in [`FramePalettes`]; comes with [`Palette`].
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PaletteSlot {
    /// The place of its first matrix.
    pub first: usize,
}

/// The palettes of all entities behind one another, as of this frame: for a renderer of your own that uploads
/// one array. They are collected if you insert this resource, `world.init_resource::<FramePalettes>()`.
///
/// An entity's part begins at its [`PaletteSlot`]. Characters that stand still are not copied again.
#[derive(Resource, Debug, Default)]
pub struct FramePalettes {
    matrices: Vec<Mat3x4>,
    /// Whose the parts were, in order, when they were last written.
    owners: Vec<Entity>,
    written: Range<usize>,
}

impl FramePalettes {
    /// All matrices: upload this.
    #[must_use]
    pub fn matrices(&self) -> &[Mat3x4] {
        &self.matrices
    }

    /// The part from the first to the last matrix that was written in this frame: enough to upload if there
    /// was room for all before.
    #[must_use]
    pub fn written(&self) -> Range<usize> {
        self.written.clone()
    }

    fn write(&mut self, first: usize, palette: &[Mat3x4]) {
        let end = first + palette.len();
        if self.matrices.len() < end {
            self.matrices.resize(end, Mat3x4::IDENTITY);
        }
        self.matrices[first..end].copy_from_slice(palette);
        let start = if self.written.is_empty() { first } else { self.written.start };
        self.written = start..end;
    }
}

/// Puts the palettes of all entities behind one another.
pub(crate) fn collect_palettes(
    mut frame: ResMut<'_, FramePalettes>,
    mut palettes: Query<'_, '_, (Entity, Ref<'static, Palette>, &'static mut PaletteSlot)>,
) {
    let frame = frame.bypass_change_detection();
    frame.written = 0..0;
    let (mut first, mut count) = (0, 0);
    for (entity, palette, mut slot) in &mut palettes {
        let matrices = palette.matrices();
        // The part is what it was if the same entity owned the same place, and everything before it is as
        // long as before.
        let is_kept =
            frame.owners.get(count) == Some(&entity) && slot.first == first && !palette.is_changed();
        if !is_kept {
            frame.write(first, matrices);
        }
        match frame.owners.get_mut(count) {
            Some(owner) => *owner = entity,
            None => frame.owners.push(entity),
        }
        slot.set_if_neq(PaletteSlot { first });
        (first, count) = (first + matrices.len(), count + 1);
    }
    frame.matrices.truncate(first);
    frame.owners.truncate(count);
}
