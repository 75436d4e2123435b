//! The palettes of all entities on the GPU, in one write a frame.

use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use canter::Mat3x4;
use canter::glam::{DVec3, Mat4};
use canter_wgpu::{Block, BlockPlace, PaletteBuffer, PaletteError, PaletteLayout};

use crate::palette::Palette;
use crate::placement::Placement;
use crate::schedule::AnimationSet;

/// The palettes of all entities on the GPU: where [`upload_palettes`] puts them.
///
/// ```no_run
/// # use bevy_ecs::prelude::*;
/// # use canter_ecs::Update;
/// # fn setup(world: &mut World, device: &wgpu::Device, queue: &wgpu::Queue) -> Result<(), canter_wgpu::PaletteError> {
/// use canter_ecs::{GpuPalettes, PalettePlace};
/// use canter_wgpu::PaletteLayout;
///
/// canter_ecs::install(world, Update);
/// let layout = PaletteLayout::default().choose_instanced(device);
/// canter_ecs::install_gpu(world, Update, GpuPalettes::new(device, queue, layout)?);
/// // Each frame, all palettes are on the GPU after:
/// world.run_schedule(Update);
/// let buffer = world.resource::<GpuPalettes>().buffer(); // its bind group goes to your pass
/// // … and `PalettePlace` of an entity says where its matrices are, for the shader.
/// # Ok(()) }
/// ```
#[derive(Resource, Debug)]
pub struct GpuPalettes {
    /// What places in the world are relative to, with [`PaletteLayout::world`]: the eye of your camera, where
    /// the world is large.
    pub origin: DVec3,
    buffer: PaletteBuffer,
    device: wgpu::Device,
    queue: wgpu::Queue,
    /// How many entities had no room in the last frame.
    refused: usize,
}

impl GpuPalettes {
    /// On a device of yours.
    ///
    /// # Errors
    /// If the device has no such memory.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        layout: PaletteLayout,
    ) -> Result<Self, PaletteError> {
        Ok(Self {
            origin: DVec3::ZERO,
            buffer: PaletteBuffer::new(device, layout)?,
            device: device.clone(),
            queue: queue.clone(),
            refused: 0,
        })
    }

    /// What to bind.
    #[must_use]
    pub fn buffer(&self) -> &PaletteBuffer {
        &self.buffer
    }
}

/// Where an entity's block is in [`GpuPalettes`]; `None` before the first frame, and if there was no room for
/// it. Comes with [`Palette`].
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PalettePlace(pub Option<BlockPlace>);

/// Puts the palettes of all entities on the GPU, in one write, in [`AnimationSet::Palette`].
pub fn upload_palettes(
    mut gpu: ResMut<'_, GpuPalettes>,
    mut palettes: Query<
        '_,
        '_,
        (Entity, &'static Palette, Option<&'static Placement>, &'static mut PalettePlace),
    >,
) {
    let gpu = &mut *gpu;
    gpu.buffer.clear();
    let (mut refused, mut why) = (0, None);
    for (entity, palette, placement, mut place) in &mut palettes {
        let mut world = placement.copied().unwrap_or_default().0;
        world.translation -= gpu.origin;
        let world = Mat3x4::from_mat4(Mat4::from(world.as_affine3()));
        let block = Block { matrices: palette.matrices(), world, key: entity.to_bits() };
        let found = gpu.buffer.push(block).map_err(|error| why = Some(error)).ok();
        refused += usize::from(found.is_none());
        place.set_if_neq(PalettePlace(found));
    }
    if let (Some(why), true) = (why, refused > gpu.refused) {
        log::warn!("{refused} palettes are not on the GPU: {why}");
    }
    gpu.refused = refused;
    gpu.buffer.upload(&gpu.device, &gpu.queue);
}

/// Adds [`upload_palettes`] to the schedule that [`install`](crate::install) was given.
pub fn install_gpu(world: &mut World, label: impl ScheduleLabel, palettes: GpuPalettes) {
    world.insert_resource(palettes);
    let mut schedules = world.get_resource_or_init::<Schedules>();
    schedules.add_systems(label, upload_palettes.in_set(AnimationSet::Palette));
}
