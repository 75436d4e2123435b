//! Views of other formats, and pictures without smooth edges.

use canter::glam::{DAffine3, DVec3};
use canter_scene::{Camera, Character, Look, Parent, Scene};
use canter_wgpu::{Offscreen, Renderer, RendererOptions, Target};

use crate::device::{Gpu, devices};
use crate::pictures::asset;

const SIDE: u32 = 96;

/// Draws into a texture of the caller's, and reads it.
fn drawn(gpu: &Gpu, options: RendererOptions, scene: &Scene, camera: &Camera) -> Vec<u8> {
    let Gpu { device, queue, .. } = gpu;
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: SIDE, height: SIDE, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: options.format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    let target = Target { view: &view, width: SIDE, height: SIDE };
    let look = Look { ground: None, ..Look::default() };
    Renderer::new(device, queue, options).render(device, queue, target, scene, camera, &look);
    let row = (SIDE * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let bytes = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(row * SIDE),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None };
    let copied = wgpu::TexelCopyBufferInfo { buffer: &bytes, layout };
    encoder.copy_texture_to_buffer(texture.as_image_copy(), copied, texture.size());
    queue.submit([encoder.finish()]);
    bytes.slice(..).map_async(wgpu::MapMode::Read, |result| result.expect("the pixels can be read"));
    device.poll(wgpu::PollType::wait_indefinitely()).expect("the device answers");
    let mapped = bytes.slice(..).get_mapped_range().expect("mapped");
    mapped.chunks_exact(row as usize).flat_map(|row| row[..SIDE as usize * 4].to_vec()).collect()
}

/// Colours are encoded once, by the format or by the shader; only where samples are mixed is there a
/// difference. (The ground is mixed with what is behind it, too.)
#[test]
fn formats_with_and_without_srgb_show_the_same_colours() {
    let mut scene = Scene::new();
    scene.spawn(Character::new(&asset("hero.glb")), Parent::World, DAffine3::IDENTITY).unwrap();
    scene.update(0.0);
    let camera = Camera::orbit(DVec3::Y * 0.95, 5.2, 0.4, 0.18);
    for gpu in devices().iter() {
        let options = |format, samples| RendererOptions { format, samples, ..RendererOptions::default() };
        for samples in [1, 4] {
            let srgb = drawn(gpu, options(Offscreen::FORMAT, samples), &scene, &camera);
            let plain = drawn(gpu, options(wgpu::TextureFormat::Rgba8Unorm, samples), &scene, &camera);
            let mut swapped = drawn(gpu, options(wgpu::TextureFormat::Bgra8Unorm, samples), &scene, &camera);
            swapped.chunks_exact_mut(4).for_each(|pixel| pixel.swap(0, 2));
            assert!(plain == swapped, "red and blue change places, on {}", gpu.name);
            let differ = |(a, b): (&[u8], &[u8])| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 2);
            let off = srgb.chunks(4).zip(plain.chunks(4)).filter(|&pair| differ(pair)).count();
            let most = if samples == 1 { 0 } else { srgb.len() / 4 / 10 };
            assert!(off <= most, "{off} pixels differ with {samples} samples on {}", gpu.name);
        }
    }
}
