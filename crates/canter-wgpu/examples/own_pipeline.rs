//! Skinning inside somebody else's pipeline: Canter brings the palette buffer and functions for the shader, no more.
//! `cargo run -p canter-wgpu --example own_pipeline -- hero.png`

use canter::Mat3x4;
use canter::glam::{Mat4, Vec3};
use canter_scene::{Character, Model};
use canter_wgpu::{Block, Headless, Offscreen, PaletteBuffer, PaletteLayout, SkinningShader};
use wgpu::util::DeviceExt as _;

const SHADER: &str = "
struct Corner { @builtin(position) clip: vec4<f32>, @location(0) normal: vec3<f32> }

@vertex
fn vertex_main(
    @location(0) position: vec3<f32>, @location(1) normal: vec3<f32>,
    @location(2) weights: vec4<f32>, @location(3) joints: vec4<u32>, @location(4) palette: u32,
) -> Corner {
    let posed = canter_skin(CanterVertex(position, normal, vec4<f32>(0.0)), joints, weights, palette);
    let placed = canter_transform(canter_world(palette), posed);
    let p = placed.position * vec3<f32>(0.7, 0.9, -0.1); // no perspective, to stay short
    return Corner(vec4<f32>(p + vec3<f32>(0.0, -0.8, 0.5), 1.0), placed.normal);
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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (hero, Headless { device, queue, .. }) = (Model::load("assets/hero.glb")?, Headless::new()?);
    // The palettes of the frame, each behind the place of its figure. Both figures are one draw: an instance says where its is.
    let layout = PaletteLayout { world: true, ..PaletteLayout::choose_instanced(&device.limits()) };
    let mut palettes = PaletteBuffer::new(&device, layout)?;
    let mut instances: Vec<u32> = Vec::new();
    for (clip, x) in [("Wave", -0.5), ("Run", 0.5)] {
        let mut figure = Character::new(&hero);
        figure.fade_to(clip, 0.0)?;
        figure.update(0.6);
        let world = Mat3x4::from_mat4(Mat4::from_translation(Vec3::X * x));
        instances.push(palettes.push(Block { matrices: &figure.palette, world, key: 0 })?.palette);
    }
    palettes.upload(&device, &queue);
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
    let (step_mode, attributes) = (wgpu::VertexStepMode::Instance, &wgpu::vertex_attr_array![4 => Uint32]);
    let instance_layout = wgpu::VertexBufferLayout { array_stride: 4, step_mode, attributes };
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
            targets: &[Some(Offscreen::FORMAT.into())],
        }),
        multiview_mask: None,
        cache: None,
    });
    let buffer = |contents: &[u8], usage| {
        device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: None, contents, usage })
    };
    let instances = buffer(bytemuck::cast_slice(&instances), wgpu::BufferUsages::VERTEX);
    let picture = Offscreen::new(&device, 640, 480);
    let depth = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: 640, height: 480, depth_or_array_layers: 1 },
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
            view: picture.view(),
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
    pass.set_bind_group(0, palettes.bind_group(), &[]);
    pass.set_vertex_buffer(1, instances.slice(..));
    for primitive in hero.parts().iter().map(|part| hero.primitive(part)) {
        let set = &primitive.influences[0];
        let vertex = |i: usize| Vertex {
            position: primitive.positions[i].to_array(),
            normal: primitive.normals[i].to_array(),
            weights: set.weights[i].to_array(),
            joints: set.joints[i],
        };
        let vertices: Vec<Vertex> = (0..primitive.positions.len()).map(vertex).collect();
        let vertices = buffer(bytemuck::cast_slice(&vertices), wgpu::BufferUsages::VERTEX);
        let indices = buffer(bytemuck::cast_slice(&primitive.indices), wgpu::BufferUsages::INDEX);
        pass.set_vertex_buffer(0, vertices.slice(..));
        pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..u32::try_from(primitive.indices.len())?, 0, 0..2);
    }
    drop(pass);
    queue.submit([encoder.finish()]);
    let file = std::env::args().nth(1).unwrap_or("own_pipeline.png".to_owned());
    Ok(image::save_buffer(file, &picture.read(&device, &queue)?, 640, 480, image::ColorType::Rgba8)?)
}
