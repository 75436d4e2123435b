//! Runs the vertex shader for every vertex and reads back what it gives: each vertex is a point, and a pixel
//! of its own.

use std::collections::HashMap;

use bytemuck::{Pod, Zeroable};
use canter::glam::{Vec3, Vec4};
use canter_gltf::Primitive;
use canter_wgpu::{JointsPerVertex, MorphTexture, PaletteBuffer, SkinningShader};

use crate::device::Gpu;

/// What the shader gave for a vertex.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posed {
    pub(crate) position: Vec3,
    pub(crate) normal: Vec3,
    pub(crate) tangent: Vec4,
    /// With [`canter_wgpu::PaletteLayout::previous`].
    pub(crate) previous: Vec3,
}

/// What a draw is told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers {
    pub(crate) place: canter_wgpu::BlockPlace,
    pub(crate) palette: u32,
    pub(crate) morphs: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Vertex {
    position: [f32; 3],
    normal: [f32; 3],
    tangent: [f32; 4],
    joints: [[u16; 4]; 2],
    weights: [[f32; 4]; 2],
}

const WIDTH: u32 = 256;
/// The bits of numbers: WebGL2 need not draw into float textures.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Uint;

/// Pipelines by variant.
pub(crate) struct Points<'a> {
    gpu: &'a Gpu,
    pipelines: HashMap<SkinningShader, wgpu::RenderPipeline>,
}

impl<'a> Points<'a> {
    pub(crate) fn new(gpu: &'a Gpu) -> Self {
        Self { gpu, pipelines: HashMap::new() }
    }

    pub(crate) fn pose(
        &mut self,
        shader: SkinningShader,
        primitive: &Primitive,
        palettes: &PaletteBuffer,
        numbers: Numbers,
    ) -> Vec<Posed> {
        let outputs = if shader.layout.previous { 4 } else { 3 };
        let mut read = (0..outputs)
            .map(|output| self.draw(shader, primitive, palettes, numbers, output))
            .collect::<Vec<_>>();
        let previous = if outputs == 4 { read.pop().unwrap() } else { read[0].clone() };
        (0..primitive.positions.len())
            .map(|vertex| Posed {
                position: read[0][vertex].truncate(),
                normal: read[1][vertex].truncate(),
                tangent: read[2][vertex],
                previous: previous[vertex].truncate(),
            })
            .collect()
    }

    fn draw(
        &mut self,
        shader: SkinningShader,
        primitive: &Primitive,
        palettes: &PaletteBuffer,
        numbers: Numbers,
        output: u32,
    ) -> Vec<Vec4> {
        let Gpu { device, queue, .. } = self.gpu;
        let count = u32::try_from(primitive.positions.len()).unwrap();
        let height = count.div_ceil(WIDTH).max(1);
        let target = device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: WIDTH, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let vertices = self.buffer(bytemuck::cast_slice(&vertices(primitive)));
        let instance = [numbers.place.palette, numbers.palette, numbers.morphs, output, height];
        let instance = self.buffer(bytemuck::cast_slice(&instance));
        let pipeline =
            &*self.pipelines.entry(shader).or_insert_with(|| pipeline(&self.gpu.device, shader, palettes));
        let morphs = MorphTexture::new(device, queue, primitive).expect("targets fit");
        let targets = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &targets_layout(device),
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: morphs.binding() }],
        });
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let view = target.create_view(&wgpu::TextureViewDescriptor::default());
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            });
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, palettes.bind_group(), palettes.dynamic_offsets(&numbers.place));
            if shader.morphs {
                pass.set_bind_group(1, &targets, &[]);
            }
            pass.set_vertex_buffer(0, vertices.slice(..));
            pass.set_vertex_buffer(1, instance.slice(..));
            pass.draw(0..count, 0..1);
        }
        let bytes = device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: u64::from(WIDTH * height * 16),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(WIDTH * 16), rows_per_image: None };
        encoder.copy_texture_to_buffer(
            target.as_image_copy(),
            wgpu::TexelCopyBufferInfo { buffer: &bytes, layout },
            target.size(),
        );
        queue.submit([encoder.finish()]);
        bytes.slice(..).map_async(wgpu::MapMode::Read, |result| result.expect("the pixels can be read"));
        device.poll(wgpu::PollType::wait_indefinitely()).expect("the device answers");
        let mapped = bytes.slice(..).get_mapped_range().expect("mapped");
        mapped
            .chunks_exact(16)
            .take(count as usize)
            .map(bytemuck::pod_read_unaligned)
            .map(Vec4::from_array)
            .collect()
    }

    fn buffer(&self, bytes: &[u8]) -> wgpu::Buffer {
        let buffer = self.gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: bytes.len().max(16) as u64,
            usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        self.gpu.queue.write_buffer(&buffer, 0, bytes);
        buffer
    }
}

fn vertices(primitive: &Primitive) -> Vec<Vertex> {
    let set = |number: usize, vertex: usize| match primitive.influences.get(number) {
        Some(set) => (set.joints[vertex], set.weights[vertex].to_array()),
        None => ([0; 4], [0.0; 4]),
    };
    (0..primitive.positions.len())
        .map(|vertex| Vertex {
            position: primitive.positions[vertex].to_array(),
            normal: primitive.normals.get(vertex).copied().unwrap_or_default().to_array(),
            tangent: primitive.tangents.get(vertex).copied().unwrap_or_default().to_array(),
            joints: [set(0, vertex).0, set(1, vertex).0],
            weights: [set(0, vertex).1, set(1, vertex).1],
        })
        .collect()
}

fn targets_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: None,
        entries: &[MorphTexture::layout_entry(0)],
    })
}

/// The shader, called as a user would call it.
fn text(shader: &SkinningShader) -> String {
    let joints = match shader.joints {
        JointsPerVertex::None => "",
        JointsPerVertex::Four => "joints, weights,",
        JointsPerVertex::Eight => "joints, weights, joints_1, weights_1,",
    };
    let mut body = String::from("var v = CanterVertex(position, normal, tangent);\nvar p = position;\n");
    if shader.morphs {
        body += "v = canter_morph(v, index, numbers.z);\n";
    }
    body += &format!("v = canter_skin(v, {joints} numbers.y);\n");
    if shader.layout.world {
        body += "v = canter_transform(canter_world(numbers.x), v);\n";
    }
    if shader.layout.previous {
        if shader.morphs {
            body += "p = canter_previous_morph(p, index, numbers.z);\n";
        }
        body += &format!("p = canter_previous_skin(p, {joints} numbers.y);\n");
        if shader.layout.world {
            body += "p = canter_transform_point(canter_previous_world(numbers.x), p);\n";
        }
    }
    shader.wgsl()
        + &format!(
            "
struct Output {{
    @builtin(position) pixel: vec4<f32>,
    @location(0) @interpolate(flat) value: vec4<f32>,
}}
@vertex
fn vertex_main(
    @builtin(vertex_index) index: u32,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    @location(3) joints: vec4<u32>,
    @location(4) joints_1: vec4<u32>,
    @location(5) weights: vec4<f32>,
    @location(6) weights_1: vec4<f32>,
    @location(7) numbers: vec4<u32>,
    @location(8) height: u32,
) -> Output {{
    {body}
    var outputs = array<vec4<f32>, 4>(vec4<f32>(v.position, 0.0), vec4<f32>(v.normal, 0.0), v.tangent, vec4<f32>(p, 0.0));
    let at = (vec2<f32>(f32(index % {WIDTH}u), f32(index / {WIDTH}u)) + 0.5) / vec2<f32>({WIDTH}.0, f32(height));
    return Output(vec4<f32>(at.x * 2.0 - 1.0, 1.0 - at.y * 2.0, 0.5, 1.0), outputs[numbers.w]);
}}
@fragment
fn fragment_main(@location(0) @interpolate(flat) value: vec4<f32>) -> @location(0) vec4<u32> {{
    return bitcast<vec4<u32>>(value);
}}"
        )
}

fn pipeline(device: &wgpu::Device, shader: SkinningShader, palettes: &PaletteBuffer) -> wgpu::RenderPipeline {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(text(&shader).into()),
    });
    let targets = targets_layout(device);
    let groups: &[_] = &[Some(palettes.bind_group_layout()), Some(&targets)];
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: None,
        bind_group_layouts: &groups[..if shader.morphs { 2 } else { 1 }],
        immediate_size: 0,
    });
    let vertex = wgpu::VertexBufferLayout {
        array_stride: size_of::<Vertex>() as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &wgpu::vertex_attr_array![
            0 => Float32x3, 1 => Float32x3, 2 => Float32x4, 3 => Uint16x4, 4 => Uint16x4, 5 => Float32x4, 6 => Float32x4
        ],
    };
    let instance = wgpu::VertexBufferLayout {
        array_stride: 20,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes: &wgpu::vertex_attr_array![7 => Uint32x4, 8 => Uint32],
    };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("vertex_main"),
            compilation_options: Default::default(),
            buffers: &[Some(vertex), Some(instance)],
        },
        primitive: wgpu::PrimitiveState {
            topology: wgpu::PrimitiveTopology::PointList,
            ..Default::default()
        },
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("fragment_main"),
            compilation_options: Default::default(),
            targets: &[Some(FORMAT.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}
