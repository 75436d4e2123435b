//! Skinning inside somebody else's pipeline: Canter brings the palette buffer and functions for the shader,
//! no more. `cargo run -p canter-wgpu --example own_pipeline -- hero.png [another.glb]`
//!
//! It draws files of several parts, skinned and rigid. Left out, to stay short: materials, morph targets (see
//! `MorphTexture`) and more than four joints per vertex (see `JointsPerVertex::Eight`).

use std::error::Error;
use std::sync::Arc;

use canter::Mat3x4;
use canter::glam::{Mat4, Vec3};
use canter_gltf::{Primitive, Topology};
use canter_scene::{Character, Model, Part};
use canter_wgpu::{
    Block, Headless, Offscreen, PaletteBuffer, PaletteFormat, PaletteLayout, PaletteLocation, SkinningShader,
};
use wgpu::util::DeviceExt as _;

const SHADER: &str = "
struct Corner { @builtin(position) clip: vec4<f32>, @location(0) normal: vec3<f32> }

@vertex
fn vertex_main(
    @location(0) position: vec3<f32>, @location(1) normal: vec3<f32>,
    @location(2) weights: vec4<f32>, @location(3) joints: vec4<u32>,
    @location(4) block: u32, @location(5) palette: u32, // of the figure, and of the part within its block
) -> Corner {
    let posed = canter_skin(CanterVertex(position, normal, vec4<f32>(0.0)), joints, weights, palette);
    let placed = canter_transform(canter_world(block), posed);
    let p = placed.position * vec3<f32>(0.75, 1.0, -0.1); // no perspective, to stay short
    return Corner(vec4<f32>(p + vec3<f32>(0.0, 0.0, 0.5), 1.0), placed.normal);
}

@fragment
fn fragment_main(corner: Corner) -> @location(0) vec4<f32> {
    let light = 0.35 + 0.65 * max(dot(normalize(corner.normal), vec3<f32>(0.4, 0.7, 0.6)), 0.0);
    return vec4<f32>(vec3<f32>(0.9, 0.55, 0.3) * light, 1.0);
}";

#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct Vertex {
    position: [f32; 3],
    normal: [f32; 3],
    weights: [f32; 4],
    joints: [u16; 4],
}

/// A vertex of a part. One that follows its node as a whole has no weights, and follows the first matrix of
/// its palette then.
fn vertex(part: &Part, primitive: &Primitive, index: usize) -> Vertex {
    let set = primitive.influences.first().filter(|_| part.skin.is_some());
    Vertex {
        position: primitive.positions[index].to_array(),
        normal: primitive.normals[index].to_array(),
        weights: set.map_or([0.0; 4], |set| set.weights[index].to_array()),
        joints: set.map_or([0; 4], |set| set.joints[index]),
    }
}

/// Two figures, each with a matrix that fits it into its half of the picture.
pub(crate) fn figures(model: &Arc<Model>) -> Result<Vec<(Character, Mat4)>, Box<dyn Error>> {
    let mut figures = Vec::new();
    for (number, (clip, x)) in [("Wave", -0.6), ("Run", 0.6)].into_iter().enumerate() {
        let mut figure = Character::new(model);
        // Those of the hero, or any of another file.
        let clips = &model.asset.clips;
        if let Some(clip) = clips.iter().find(|it| it.name() == clip).or(clips.get(number)) {
            figure.fade_to(clip, 0.0)?;
        }
        figure.update(0.6);
        let boxes = model.parts().iter().filter_map(|part| figure.posed(part).bounds());
        let (min, max) = boxes.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).ok_or("nothing to draw")?;
        let size = ((max - min) / Vec3::new(1.2, 1.8, 5.0)).max_element().max(1e-6);
        let scale = Mat4::from_scale(Vec3::splat(1.0 / size));
        let world = Mat4::from_translation(Vec3::X * x) * scale * Mat4::from_translation((min + max) / -2.0);
        figures.push((figure, world));
    }
    Ok(figures)
}

pub(crate) const SIZE: (u32, u32) = (640, 480);

/// Palettes after the places of their figures; `choose_instanced` says where on the GPU.
pub(crate) const LAYOUT: PaletteLayout = PaletteLayout {
    location: PaletteLocation::Storage,
    format: PaletteFormat::Packed,
    world: true,
    previous: false,
};

/// Draws two figures into a view of a format, with palettes of any layout that has the world.
pub(crate) fn draw(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    model: &Arc<Model>,
    layout: PaletteLayout,
    (view, format): (&wgpu::TextureView, wgpu::TextureFormat),
) -> Result<(), Box<dyn Error>> {
    let mut palettes = PaletteBuffer::new(device, layout)?;
    let mut blocks = Vec::new();
    for (figure, world) in figures(model)? {
        let world = Mat3x4::from_mat4(world);
        blocks.push(palettes.push(Block { matrices: &figure.palette, world, key: 0 })?);
    }
    palettes.upload(device, queue);
    let text = SkinningShader { layout, ..SkinningShader::default() }.wgsl() + SHADER;
    let source = wgpu::ShaderSource::Wgsl(text.into());
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
    let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        bind_group_layouts: &[Some(palettes.bind_group_layout())],
        ..Default::default()
    });
    let vertex_layout = wgpu::VertexBufferLayout {
        array_stride: size_of::<Vertex>() as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x4, 3 => Uint16x4],
    };
    let (step_mode, attributes) =
        (wgpu::VertexStepMode::Instance, &wgpu::vertex_attr_array![4 => Uint32, 5 => Uint32]);
    let instance_layout = wgpu::VertexBufferLayout { array_stride: 8, step_mode, attributes };
    let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: Some(&pipeline_layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("vertex_main"),
            compilation_options: Default::default(),
            buffers: &[Some(vertex_layout), Some(instance_layout)],
        },
        primitive: wgpu::PrimitiveState { cull_mode: Some(wgpu::Face::Back), ..Default::default() },
        depth_stencil: Some(wgpu::DepthStencilState {
            format: wgpu::TextureFormat::Depth32Float,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::Less),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("fragment_main"),
            compilation_options: Default::default(),
            targets: &[Some(format.into())],
        }),
        multiview_mask: None,
        cache: None,
    });
    let buffer = |contents: &[u8], usage| {
        device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: None, contents, usage })
    };
    let (width, height) = SIZE;
    let depth = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Depth32Float,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations::default(),
        })],
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view: &depth.create_view(&wgpu::TextureViewDescriptor::default()),
            depth_ops: Some(wgpu::Operations {
                load: wgpu::LoadOp::Clear(1.0),
                store: wgpu::StoreOp::Discard,
            }),
            stencil_ops: None,
        }),
        ..Default::default()
    });
    pass.set_pipeline(&pipeline);
    // One draw for all figures; but each of its own where they are told apart by where the palette is bound.
    let at_once = if layout.location == PaletteLocation::Uniform { 1 } else { blocks.len() };
    for part in model.parts() {
        let primitive = model.primitive(part);
        if primitive.topology != Topology::Triangles {
            continue;
        }
        let vertices: Vec<_> =
            (0..primitive.positions.len()).map(|index| vertex(part, primitive, index)).collect();
        // An instance says where its block is, and where in it the matrices of this part are.
        let first = u32::try_from(part.palette.start * layout.step_rows())?;
        let instances: Vec<_> = blocks.iter().map(|block| [block.palette, block.palette + first]).collect();
        let vertices = buffer(bytemuck::cast_slice(&vertices), wgpu::BufferUsages::VERTEX);
        let indices = buffer(bytemuck::cast_slice(&primitive.indices), wgpu::BufferUsages::INDEX);
        pass.set_vertex_buffer(0, vertices.slice(..));
        pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
        for (blocks, instances) in blocks.chunks(at_once).zip(instances.chunks(at_once)) {
            let buffer = buffer(bytemuck::cast_slice(instances), wgpu::BufferUsages::VERTEX);
            pass.set_bind_group(0, palettes.bind_group(), palettes.dynamic_offsets(&blocks[0]));
            pass.set_vertex_buffer(1, buffer.slice(..));
            pass.draw_indexed(0..u32::try_from(primitive.indices.len())?, 0, 0..u32::try_from(blocks.len())?);
        }
    }
    drop(pass);
    queue.submit([encoder.finish()]);
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let picture = arguments.next().unwrap_or("own_pipeline.png".to_owned());
    let model = Model::load(arguments.next().unwrap_or("assets/hero.glb".to_owned()))?;
    let Headless { device, queue, .. } = Headless::new()?;
    let offscreen = Offscreen::new(&device, SIZE.0, SIZE.1);
    let layout = LAYOUT.choose_instanced(&device);
    draw(&device, &queue, &model, layout, (offscreen.view(), Offscreen::FORMAT))?;
    let pixels = offscreen.read(&device, &queue)?;
    Ok(image::save_buffer(picture, &pixels, SIZE.0, SIZE.1, image::ColorType::Rgba8)?)
}
