//! The palettes of all characters of a frame, in one buffer and one write.

mod memory;
mod rows;

use canter::Mat3x4;

use crate::palette_layout::{PaletteLayout, PaletteLocation};
use memory::Memory;
use rows::Rows;

/// What a character puts into a [`PaletteBuffer`] each frame.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// The matrices: all of a skin, or one for what is rigid, or those of several skins one after another.
    pub matrices: &'a [Mat3x4],
    /// Where the character is, `world_from_model`; used with [`PaletteLayout::world`]. Where the world is
    /// large, give the place relative to the camera.
    pub world: Mat3x4,
    /// Whose block it is; used with [`PaletteLayout::previous`]: the block of the same key is looked for in
    /// the previous frame. Without one (a character that just came) nothing moved.
    pub key: u64,
}

/// Where a block is: what the shader has to be told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockPlace {
    /// The number `palette` of `canter_skin` and `canter_world`.
    ///
    /// Where a block has the matrices of several skins, `canter_skin` is given this plus the number of
    /// matrices before those of its own skin, times [`PaletteLayout::step_rows`].
    pub palette: u32,
    /// The dynamic offset to bind the palette with, in bytes; 0 unless in a uniform buffer.
    pub offset: u32,
}

/// Why palettes cannot be put on the GPU.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PaletteError {
    /// The device has no such memory for vertex shaders.
    #[error("the device has no {0:?} palettes; expected one of those that PaletteLayout::choose gives")]
    NotSupported(PaletteLocation),
    /// A block is too large for a uniform buffer.
    #[error("a block of {rows} rows in a uniform buffer; expected at most {}", PaletteLayout::UNIFORM_ROWS)]
    TooLarge {
        /// How many rows it has.
        rows: usize,
    },
    /// There are more palettes in the frame than the device can hold in one piece.
    #[error("{rows} rows of palettes in a frame; the device can hold {most}")]
    Full {
        /// How many rows there would be.
        rows: usize,
        /// How many there can be.
        most: usize,
    },
}

/// The palettes of all characters of a frame, in one piece of memory and one write.
///
/// Memory grows by doubling and never shrinks; nothing is allocated in a frame that has no more than the ones
/// before.
///
/// ```no_run
/// # fn frame(device: &wgpu::Device, queue: &wgpu::Queue, pass: &mut wgpu::RenderPass<'_>,
/// #     hero: &[canter::Mat3x4]) -> Result<(), canter_wgpu::PaletteError> {
/// use canter::Mat3x4;
/// use canter_wgpu::{Block, BlockSize, PaletteBuffer, PaletteLayout};
///
/// let size = BlockSize { matrices: hero.len(), ..BlockSize::default() };
/// let layout = PaletteLayout::default().choose(device, size);
/// let mut palettes = PaletteBuffer::new(device, layout)?;
/// // Each frame:
/// palettes.clear();
/// let place = palettes.push(Block { matrices: hero, world: Mat3x4::IDENTITY, key: 0 })?;
/// palettes.upload(device, queue);
/// pass.set_bind_group(0, palettes.bind_group(), palettes.dynamic_offsets(&place));
/// // … and `place.palette` reaches the shader as an attribute of the instance.
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct PaletteBuffer {
    layout: PaletteLayout,
    rows: Rows,
    memory: Memory,
    bind_group_layout: wgpu::BindGroupLayout,
    bind_group: wgpu::BindGroup,
    generation: u64,
    writes: u64,
}

impl PaletteBuffer {
    /// An empty one. It has a bind group of its own, with the palettes as binding 0 for vertex shaders.
    ///
    /// # Errors
    /// If the device has no such memory.
    pub fn new(device: &wgpu::Device, layout: PaletteLayout) -> Result<Self, PaletteError> {
        let limits = device.limits();
        let most_rows = memory::most_rows(device, layout.location)?;
        let align_rows = match layout.location {
            PaletteLocation::Uniform => (limits.min_uniform_buffer_offset_alignment as usize / 16).max(1),
            PaletteLocation::Storage | PaletteLocation::Texture => 1,
        };
        let bind_group_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("canter palette"),
            entries: &[memory::layout_entry(layout.location, 0)],
        });
        let memory = Memory::new(device, layout.location, 0);
        let bind_group = bind(device, &bind_group_layout, &memory);
        let rows = Rows::new(layout, align_rows, most_rows);
        Ok(Self { layout, rows, memory, bind_group_layout, bind_group, generation: 0, writes: 0 })
    }

    /// How blocks lie in it.
    #[must_use]
    pub fn layout(&self) -> &PaletteLayout {
        &self.layout
    }

    /// Begins a frame: what was put in so far becomes the previous frame's.
    pub fn clear(&mut self) {
        self.rows.clear();
    }

    /// Adds the block of a character.
    ///
    /// # Errors
    /// If it is too large for a uniform buffer, or there is no more room on the device. Nothing is added
    /// then.
    pub fn push(&mut self, block: Block<'_>) -> Result<BlockPlace, PaletteError> {
        let start = self.rows.push(block)?;
        Ok(match self.layout.location {
            PaletteLocation::Uniform => BlockPlace { palette: 0, offset: start * 16 },
            PaletteLocation::Storage | PaletteLocation::Texture => BlockPlace { palette: start, offset: 0 },
        })
    }

    /// Adds the weights of the morph targets of a mesh to the block that was added last, and gives the number
    /// `morphs` of `canter_morph`. Only targets with a weight are written. One block may have several such
    /// lists; for motion vectors they have to come in the same order each frame.
    ///
    /// # Errors
    /// As with [`push`](Self::push).
    pub fn push_morphs(&mut self, weights: &[f32]) -> Result<u32, PaletteError> {
        let (start, block_start) = self.rows.push_morphs(weights)?;
        Ok(match self.layout.location {
            PaletteLocation::Uniform => start - block_start,
            PaletteLocation::Storage | PaletteLocation::Texture => start,
        })
    }

    /// Writes the frame to the GPU, in one write. Call it once, after the last block and before drawing.
    pub fn upload(&mut self, device: &wgpu::Device, queue: &wgpu::Queue) {
        // A uniform binding has a fixed size, also where it begins at the last block.
        let tail =
            if self.layout.location == PaletteLocation::Uniform { PaletteLayout::UNIFORM_ROWS } else { 0 };
        let needed = self.rows.len() + tail;
        if needed > self.memory.capacity() {
            let capacity = needed.next_power_of_two().min(self.rows.most() + tail);
            self.memory = Memory::new(device, self.layout.location, capacity);
            self.bind_group = bind(device, &self.bind_group_layout, &self.memory);
            self.generation += 1;
        }
        if self.rows.len() > 0 {
            self.memory.write(queue, self.rows.filled_to(self.memory.row_multiple()));
            self.writes += 1;
        }
    }

    /// The bind group with the palettes at binding 0. After [`upload`](Self::upload) it may be another one.
    #[must_use]
    pub fn bind_group(&self) -> &wgpu::BindGroup {
        &self.bind_group
    }

    /// The layout of the bind group.
    #[must_use]
    pub fn bind_group_layout(&self) -> &wgpu::BindGroupLayout {
        &self.bind_group_layout
    }

    /// The offsets to set the bind group with: one for a uniform buffer, else none.
    #[must_use]
    pub fn dynamic_offsets<'a>(&self, place: &'a BlockPlace) -> &'a [u32] {
        match self.layout.location {
            PaletteLocation::Uniform => std::slice::from_ref(&place.offset),
            PaletteLocation::Storage | PaletteLocation::Texture => &[],
        }
    }

    /// The entry for a bind group layout of yours.
    #[must_use]
    pub fn layout_entry(&self, binding: u32) -> wgpu::BindGroupLayoutEntry {
        memory::layout_entry(self.layout.location, binding)
    }

    /// What to bind in a bind group of yours. It is made anew when [`generation`](Self::generation) changes.
    #[must_use]
    pub fn binding(&self) -> wgpu::BindingResource<'_> {
        self.memory.binding()
    }

    /// A number that changes with every growth.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// How many writes there were since it was made.
    #[must_use]
    pub fn writes(&self) -> u64 {
        self.writes
    }

    /// How many bytes this frame has so far.
    #[must_use]
    pub fn frame_bytes(&self) -> usize {
        self.rows.len() * 16
    }
}

/// The entry that a storage buffer needs, to ask a device whether it has any.
pub(crate) fn storage_layout_entry() -> wgpu::BindGroupLayoutEntry {
    memory::layout_entry(PaletteLocation::Storage, 0)
}

fn bind(device: &wgpu::Device, layout: &wgpu::BindGroupLayout, memory: &Memory) -> wgpu::BindGroup {
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("canter palette"),
        layout,
        entries: &[wgpu::BindGroupEntry { binding: 0, resource: memory.binding() }],
    })
}
