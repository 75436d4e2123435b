//! Primitives on the GPU.

use bytemuck::{Pod, Zeroable};
use canter::glam::Vec3;
use canter_gltf::{Primitive, Topology};

use crate::morph_texture::MorphTexture;
use crate::shader::JointsPerVertex;

/// What every vertex has.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct Vertex {
    position: [f32; 3],
    normal: [f32; 3],
    tangent: [f32; 4],
    uv: [[f32; 2]; 2],
    color: [f32; 4],
}

/// Four joints of a vertex.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
struct Joints {
    joints: [u16; 4],
    weights: [f32; 4],
}

/// A primitive, ready to be drawn.
#[derive(Debug)]
pub(super) struct Mesh {
    pub(super) topology: Topology,
    pub(super) joints: JointsPerVertex,
    /// The file has no normals: every triangle is flat, as the format asks for.
    pub(super) is_flat: bool,
    /// The middle of the vertices, before joints move them.
    pub(super) middle: Vec3,
    pub(super) vertices: wgpu::Buffer,
    pub(super) influences: Option<wgpu::Buffer>,
    pub(super) indices: wgpu::Buffer,
    pub(super) index_count: u32,
    pub(super) targets: Option<wgpu::BindGroup>,
}

impl Mesh {
    /// `None` if there is nothing to draw. Joints beyond `palette` matrices become the last one.
    pub(super) fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        targets_layout: &wgpu::BindGroupLayout,
        primitive: &Primitive,
        palette: Option<usize>,
    ) -> Option<Self> {
        let index_count = u32::try_from(primitive.indices.len()).ok().filter(|count| *count > 0)?;
        let vertices = vertices(primitive);
        let bytes = size_of_val(vertices.as_slice()).max(primitive.indices.len() * 4) as u64;
        let most = device.limits().max_buffer_size;
        if vertices.is_empty() || bytes > most {
            log::warn!("a primitive of {bytes} bytes is not drawn; the device can hold {most}");
            return None;
        }
        let joints = match primitive.influences.len() {
            _ if palette.is_none() => JointsPerVertex::None,
            0 => JointsPerVertex::None,
            1 => JointsPerVertex::Four,
            _ => JointsPerVertex::Eight,
        };
        let sets = match joints {
            JointsPerVertex::None => 0,
            JointsPerVertex::Four => 1,
            JointsPerVertex::Eight => 2,
        };
        let influences = (sets > 0).then(|| influences(primitive, palette.unwrap_or(1), sets));
        let targets = if primitive.targets.is_empty() {
            None
        } else {
            match MorphTexture::new(device, queue, primitive) {
                Ok(texture) => Some(device.create_bind_group(&wgpu::BindGroupDescriptor {
                    label: Some("canter morph targets"),
                    layout: targets_layout,
                    entries: &[wgpu::BindGroupEntry { binding: 0, resource: texture.binding() }],
                })),
                Err(error) => {
                    log::warn!("a mesh is drawn without its morph targets: {error}");
                    None
                }
            }
        };
        let min = primitive.positions.iter().copied().fold(Vec3::MAX, Vec3::min);
        let max = primitive.positions.iter().copied().fold(Vec3::MIN, Vec3::max);
        let buffer = |bytes: &[u8], usage| buffer(device, queue, bytes, usage);
        Some(Self {
            topology: primitive.topology,
            joints,
            is_flat: primitive.computed_normals && primitive.topology == Topology::Triangles,
            middle: (min + max) / 2.0,
            vertices: buffer(bytemuck::cast_slice(&vertices), wgpu::BufferUsages::VERTEX),
            influences: influences
                .map(|joints| buffer(bytemuck::cast_slice(&joints), wgpu::BufferUsages::VERTEX)),
            indices: buffer(bytemuck::cast_slice(&primitive.indices), wgpu::BufferUsages::INDEX),
            index_count,
            targets,
        })
    }

    /// The buffers of vertices, as pipelines see them: vertices, instances, joints.
    pub(super) fn layouts(joints: JointsPerVertex) -> [Option<wgpu::VertexBufferLayout<'static>>; 3] {
        const VERTEX: &[wgpu::VertexAttribute] = &wgpu::vertex_attr_array![
            0 => Float32x3, 1 => Float32x3, 2 => Float32x4, 3 => Float32x4, 4 => Float32x4
        ];
        const INSTANCE: &[wgpu::VertexAttribute] = &wgpu::vertex_attr_array![5 => Uint32x4];
        const FOUR: &[wgpu::VertexAttribute] = &wgpu::vertex_attr_array![6 => Uint16x4, 7 => Float32x4];
        const EIGHT: &[wgpu::VertexAttribute] =
            &wgpu::vertex_attr_array![6 => Uint16x4, 7 => Float32x4, 8 => Uint16x4, 9 => Float32x4];
        let layout = |bytes: usize, step_mode, attributes| {
            Some(wgpu::VertexBufferLayout { array_stride: bytes as u64, step_mode, attributes })
        };
        let vertex = wgpu::VertexStepMode::Vertex;
        [
            layout(size_of::<Vertex>(), vertex, VERTEX),
            layout(16, wgpu::VertexStepMode::Instance, INSTANCE),
            match joints {
                JointsPerVertex::None => None,
                JointsPerVertex::Four => layout(size_of::<Joints>(), vertex, FOUR),
                JointsPerVertex::Eight => layout(size_of::<[Joints; 2]>(), vertex, EIGHT),
            },
        ]
    }
}

fn vertices(primitive: &Primitive) -> Vec<Vertex> {
    let uv = |set: usize, vertex: usize| {
        let list = primitive.tex_coords.get(set).and_then(|list| list.get(vertex));
        list.copied().unwrap_or_default().to_array()
    };
    (0..primitive.positions.len())
        .map(|vertex| Vertex {
            position: primitive.positions[vertex].to_array(),
            normal: primitive.normals.get(vertex).copied().unwrap_or_default().to_array(),
            tangent: primitive.tangents.get(vertex).copied().unwrap_or_default().to_array(),
            uv: [uv(0, vertex), uv(1, vertex)],
            color: primitive.colors.get(vertex).map_or([1.0; 4], |color| color.to_array()),
        })
        .collect()
}

/// The strongest joints of each vertex, four to a set. (The shader divides by the sum of what is left.)
fn influences(primitive: &Primitive, palette: usize, sets: usize) -> Vec<Joints> {
    let last = u16::try_from(palette.saturating_sub(1)).unwrap_or(u16::MAX);
    let mut joints = vec![Joints::default(); primitive.positions.len() * sets];
    let mut all: Vec<(u16, f32)> = Vec::new();
    for (vertex, out) in joints.chunks_exact_mut(sets).enumerate() {
        all.clear();
        for set in &primitive.influences {
            let pairs = set.joints[vertex].into_iter().zip(set.weights[vertex].to_array());
            all.extend(pairs.map(|(joint, weight)| (joint.min(last), weight)));
        }
        if all.len() > 4 * sets {
            all.sort_by(|a, b| b.1.total_cmp(&a.1));
        }
        for (place, &(joint, weight)) in all.iter().take(4 * sets).enumerate() {
            out[place / 4].joints[place % 4] = joint;
            out[place / 4].weights[place % 4] = weight;
        }
    }
    joints
}

fn buffer(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    bytes: &[u8],
    usage: wgpu::BufferUsages,
) -> wgpu::Buffer {
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("canter mesh"),
        size: bytes.len().next_multiple_of(4) as u64,
        usage: usage | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    queue.write_buffer(&buffer, 0, bytes);
    buffer
}
