//! What is on the GPU is what the components have.

use bevy_ecs::prelude::*;
use bevy_ecs::schedule::SingleThreadedExecutor;
use canter::Mat3x4;
use canter::glam::{DAffine3, DVec3};
use canter_ecs::{GpuPalettes, Palette, PalettePlace, Placement, Update, upload_palettes};
use canter_testing::allocator::allocations;
use canter_testing::requirement::skip;
use canter_wgpu::{BlockSize, Headless, PaletteFormat, PaletteLayout, PaletteLocation};

use super::rig::{Fixture, STEP_SECS, run_for, world};

/// The block of a character of the crowd.
const ELEVEN: BlockSize<'_> = BlockSize { matrices: 11, morph_targets: &[] };

/// A device; `None` where there is no driver, which is said.
fn headless() -> Option<Headless> {
    let headless = Headless::new();
    if let Err(error) = &headless {
        skip(&error.to_string(), "palettes on the GPU are");
    }
    headless.ok()
}

/// A world with so many characters in different places and moments.
fn crowd(gpu: &Headless, count: u16, layout: PaletteLayout) -> (World, Vec<Entity>) {
    let rig = Fixture::new(11);
    let mut world = world();
    world.resource_mut::<Schedules>().entry(Update).set_executor(SingleThreadedExecutor::new());
    canter_ecs::install_gpu(
        &mut world,
        Update,
        GpuPalettes::new(&gpu.device, &gpu.queue, layout).expect("the device has storage buffers"),
    );
    let spawn = |number: u16| {
        let mut mixer = rig.mixer();
        mixer.advance(f32::from(number) * 0.013);
        let place = DAffine3::from_translation(DVec3::X * f64::from(number));
        world.spawn((rig.component(), mixer, Placement(place))).id()
    };
    let entities = (0..count).map(spawn).collect();
    (world, entities)
}

/// The rows of four numbers of a storage buffer, copied by a shader.
fn read(gpu: &Headless, palettes: &GpuPalettes) -> Vec<[f32; 4]> {
    let Headless { device, queue, .. } = gpu;
    let bytes = palettes.buffer().frame_bytes() as u64;
    let buffer = |usage| {
        let descriptor =
            wgpu::BufferDescriptor { label: None, size: bytes, usage, mapped_at_creation: false };
        device.create_buffer(&descriptor)
    };
    let copied = buffer(wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
    let mapped = buffer(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(
            "@group(0) @binding(0) var<storage, read> from_rows: array<vec4<f32>>;
            @group(0) @binding(1) var<storage, read_write> to_rows: array<vec4<f32>>;
            @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
                if id.x < arrayLength(&to_rows) { to_rows[id.x] = from_rows[id.x]; }
            }"
            .into(),
        ),
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &module,
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: palettes.buffer().binding() },
            wgpu::BindGroupEntry { binding: 1, resource: copied.as_entire_binding() },
        ],
    });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(u32::try_from(bytes / 16).unwrap().div_ceil(64), 1, 1);
    }
    encoder.copy_buffer_to_buffer(&copied, 0, &mapped, 0, bytes);
    queue.submit([encoder.finish()]);
    mapped.slice(..).map_async(wgpu::MapMode::Read, |result| result.expect("it can be read"));
    device.poll(wgpu::PollType::wait_indefinitely()).expect("the device answers");
    let view = mapped.slice(..).get_mapped_range().expect("mapped");
    view.chunks_exact(16).map(bytemuck::pod_read_unaligned).collect()
}

fn bits(rows: &[[f32; 4]]) -> Vec<u32> {
    rows.as_flattened().iter().map(|number| number.to_bits()).collect()
}

#[test]
fn a_thousand_palettes_are_on_the_gpu_after_one_write() {
    let Some(gpu) = headless() else { return };
    for (format, has_world) in
        [(PaletteFormat::Packed, false), (PaletteFormat::Packed, true), (PaletteFormat::Mat4, false)]
    {
        let layout =
            PaletteLayout { location: PaletteLocation::Storage, format, world: has_world, previous: false };
        let (mut world, entities) = crowd(&gpu, 1000, layout);
        for frame in 1..=3 {
            run_for(&mut world, STEP_SECS);
            assert_eq!(world.resource::<GpuPalettes>().buffer().writes(), frame, "one write a frame");
        }
        let rows = read(&gpu, world.resource::<GpuPalettes>());
        assert_eq!(rows.len(), 1000 * layout.block_rows(ELEVEN));
        let as_rows = |matrix: &Mat3x4| match format {
            PaletteFormat::Packed => matrix.rows.to_vec(),
            PaletteFormat::Mat4 => matrix.to_mat4().to_cols_array_2d().to_vec(),
        };
        for (number, &entity) in entities.iter().enumerate() {
            let place = world.get::<PalettePlace>(entity).unwrap().0.expect("there is room");
            let mut expected = Vec::new();
            if has_world {
                let x = number as f32;
                expected.extend([[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
            }
            let matrices = world.get::<Palette>(entity).unwrap().matrices();
            expected.extend(matrices.iter().flat_map(as_rows));
            let block = &rows[place.palette as usize..][..expected.len()];
            assert_eq!(bits(block), bits(&expected), "entity {number}, {layout:?}");
        }
    }
}

/// wgpu allocates for every write, but not for every entity.
#[test]
fn a_frame_allocates_no_more_for_a_thousand_than_for_ten() {
    let Some(gpu) = headless() else { return };
    let counts = [10, 1000].map(|count| {
        let (mut world, _) = crowd(&gpu, count, PaletteLayout::default());
        let mut frame = || {
            let count = allocations(|| world.run_system_cached(upload_palettes).unwrap());
            gpu.queue.submit([]);
            gpu.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device answers");
            count
        };
        let warm_up = (0..20).map(|_| frame()).max();
        assert!(warm_up > Some(0), "the counter counts");
        let min = (0..20).map(|_| frame()).min();
        assert_eq!(
            world.resource::<GpuPalettes>().buffer().generation(),
            u64::from(count > 10),
            "it grew once"
        );
        min
    });
    assert_eq!(counts[0], counts[1]);
}

#[test]
fn those_who_leave_make_room_and_places_change_only_then() {
    let Some(gpu) = headless() else { return };
    let (mut world, entities) = crowd(&gpu, 3, PaletteLayout::default());
    let place = |world: &World, number: usize| world.get::<PalettePlace>(entities[number]).unwrap().0;
    run_for(&mut world, STEP_SECS);
    let rows = u32::try_from(PaletteLayout::default().block_rows(ELEVEN)).unwrap();
    let starts = [0, 1, 2].map(|number| place(&world, number).unwrap().palette);
    assert_eq!(starts, [0, rows, 2 * rows]);
    world.clear_trackers();
    run_for(&mut world, STEP_SECS);
    let mut changed = world.query_filtered::<Entity, Changed<PalettePlace>>();
    assert_eq!(changed.iter(&world).count(), 0);
    world.despawn(entities[0]);
    run_for(&mut world, STEP_SECS);
    assert_eq!(world.resource::<GpuPalettes>().buffer().frame_bytes(), 2 * 16 * rows as usize);
    // The last one takes the place of the first.
    assert_eq!(changed.iter(&world).collect::<Vec<_>>(), [entities[2]]);
    // A frame without anybody writes nothing.
    for &entity in &entities[1..] {
        world.despawn(entity);
    }
    let writes = world.resource::<GpuPalettes>().buffer().writes();
    run_for(&mut world, STEP_SECS);
    assert_eq!(world.resource::<GpuPalettes>().buffer().writes(), writes);
}

/// More joints than a uniform buffer has room for: the entity has no place, and the others have theirs.
#[test]
fn a_palette_without_room_has_no_place() {
    let Some(gpu) = headless() else { return };
    let layout = PaletteLayout { location: PaletteLocation::Uniform, ..PaletteLayout::default() };
    let (mut world, entities) = crowd(&gpu, 2, layout);
    let large = Fixture::new(400);
    let large = world.spawn((large.component(), large.mixer())).id();
    for _ in 0..2 {
        run_for(&mut world, STEP_SECS);
        assert_eq!(world.get::<PalettePlace>(large).unwrap().0, None);
        assert!(entities.iter().all(|&entity| world.get::<PalettePlace>(entity).unwrap().0.is_some()));
    }
}
