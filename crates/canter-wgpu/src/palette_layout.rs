//! How the palettes of a frame lie in memory: what buffer and shader agree on.

/// Where palettes live on the GPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PaletteLocation {
    /// A uniform buffer with a dynamic offset for each character: every device has it, for blocks of up to
    /// [`PaletteLayout::UNIFORM_ROWS`] rows. Each character is a draw of its own.
    Uniform,
    /// A storage buffer: no limit worth the name, and characters that share a mesh are one draw.
    #[default]
    Storage,
    /// An RGBA32F texture that the shader reads texel by texel: the same on WebGL2, which has no storage
    /// buffers.
    Texture,
}

/// How a matrix is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PaletteFormat {
    /// Four columns of four numbers, 64 bytes: `mat4x4<f32>`.
    Mat4,
    /// Three rows of four numbers, 48 bytes; see [`canter::Mat3x4`].
    #[default]
    Packed,
}

/// What a character puts into its block, at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockSize<'a> {
    /// Its matrices: the joints of all its skins, and one for each rigid part.
    pub matrices: usize,
    /// How many morph targets each mesh has. Every mesh has a list of weights of its own, with a head of one
    /// row; leave out those that have no targets.
    pub morph_targets: &'a [usize],
}

/// How the block of a character lies in memory. Buffer and shader are made from the same layout.
///
/// A block counts in rows of four numbers (16 bytes):
///
/// ```text
/// [world] [previous world]     if `world`; the second one if `previous`, too
/// [joint 0] [previous joint 0] [joint 1] [previous joint 1] …
/// [morph weights]              if there are any
/// ```
///
/// A matrix takes three or four rows, by its format. The list of morph weights has a head, `(count, count of
/// the previous frame, 0, 0)`, and then the pairs of target and weight, two to a row, of this frame and of
/// the previous one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PaletteLayout {
    /// Where palettes live.
    pub location: PaletteLocation,
    /// How a matrix is written.
    pub format: PaletteFormat,
    /// The character's own matrix, `world_from_model`, in front of its palette.
    pub world: bool,
    /// Every matrix followed by that of the previous frame, for motion vectors.
    pub previous: bool,
}

impl PaletteLayout {
    /// How many rows a block may have in a uniform buffer: 16 KiB, which every device can bind.
    pub const UNIFORM_ROWS: usize = 1024;

    /// Rows of one matrix.
    #[must_use]
    pub const fn matrix_rows(&self) -> usize {
        match self.format {
            PaletteFormat::Mat4 => 4,
            PaletteFormat::Packed => 3,
        }
    }

    /// Rows from one joint to the next.
    #[must_use]
    pub const fn step_rows(&self) -> usize {
        if self.previous { 2 * self.matrix_rows() } else { self.matrix_rows() }
    }

    /// The row at which the first joint begins.
    #[must_use]
    pub const fn first_row(&self) -> usize {
        if self.world { self.step_rows() } else { 0 }
    }

    /// Rows of a block, if it has no more than that.
    #[must_use]
    pub fn block_rows(&self, size: BlockSize<'_>) -> usize {
        let lists = if self.previous { 2 } else { 1 };
        let list_rows = |targets: &usize| 1 + lists * targets.div_ceil(2);
        let morph_rows: usize = size.morph_targets.iter().map(list_rows).sum();
        self.first_row() + size.matrices * self.step_rows() + morph_rows
    }

    /// Whether such a block can be bound as a uniform buffer on every device.
    #[must_use]
    pub fn fits_uniform(&self, size: BlockSize<'_>) -> bool {
        self.block_rows(size) <= Self::UNIFORM_ROWS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uniform_block_holds_256_mat4_or_341_packed_matrices() {
        let mat4 = PaletteLayout { format: PaletteFormat::Mat4, ..PaletteLayout::default() };
        let packed = PaletteLayout { format: PaletteFormat::Packed, ..PaletteLayout::default() };
        for (layout, matrices) in [
            (mat4, 256),
            (packed, 341),
            (PaletteLayout { world: true, ..mat4 }, 255),
            (PaletteLayout { world: true, ..packed }, 340),
            (PaletteLayout { previous: true, ..mat4 }, 128),
            (PaletteLayout { previous: true, ..packed }, 170),
            (PaletteLayout { world: true, previous: true, ..packed }, 169),
        ] {
            let size = |matrices| BlockSize { matrices, ..BlockSize::default() };
            assert!(layout.fits_uniform(size(matrices)), "{layout:?}");
            assert!(!layout.fits_uniform(size(matrices + 1)), "{layout:?}");
        }
    }

    #[test]
    fn lists_of_morph_weights_take_their_part() {
        let packed = PaletteLayout::default();
        let previous = PaletteLayout { previous: true, ..packed };
        for (layout, matrices, morph_targets, rows) in [
            (packed, 1, &[0][..], 4),
            (packed, 1, &[1], 5),
            (packed, 1, &[2], 5),
            (packed, 1, &[3, 1], 3 + 3 + 2),
            (packed, 300, &[246], 1024),
            (packed, 300, &[247], 1025),
            (packed, 300, &[300], 1051),
            (previous, 1, &[3, 1], 6 + 5 + 3),
        ] {
            let size = BlockSize { matrices, morph_targets };
            assert_eq!(layout.block_rows(size), rows, "{layout:?} {size:?}");
        }
    }
}
