//! The part of the glTF 2.0 schema that our files use. Field order is the order in the file.

use serde::Serialize;

use super::springs::Extensions;

pub(crate) const ARRAY_BUFFER: u32 = 34962;
pub(crate) const ELEMENT_ARRAY_BUFFER: u32 = 34963;
pub(crate) const U8: u32 = 5121;
pub(crate) const U16: u32 = 5123;
pub(crate) const F32: u32 = 5126;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Document {
    pub asset: AssetInfo,
    pub scene: usize,
    pub scenes: Vec<Scene>,
    pub nodes: Vec<Node>,
    pub meshes: Vec<MeshJson>,
    pub materials: Vec<MaterialJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skins: Vec<Skin>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub animations: Vec<Animation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub extensions_used: Vec<&'static str>,
    pub accessors: Vec<Accessor>,
    pub buffer_views: Vec<BufferView>,
    pub buffers: Vec<Buffer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Extensions>,
}

#[derive(Serialize)]
pub(crate) struct AssetInfo {
    pub version: &'static str,
    pub generator: &'static str,
    pub copyright: &'static str,
}

#[derive(Serialize)]
pub(crate) struct Scene {
    pub name: &'static str,
    pub nodes: Vec<usize>,
}

#[derive(Serialize, Default)]
pub(crate) struct Node {
    pub name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skin: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extensions: Option<NodeExtensions>,
}

pub(crate) const MSFT_LOD: &str = "MSFT_lod";

#[derive(Serialize)]
pub(crate) struct NodeExtensions {
    #[serde(rename = "MSFT_lod")]
    pub lod: Lod,
}

/// The nodes that are shown instead where the figure is small, the finer ones first.
#[derive(Serialize)]
pub(crate) struct Lod {
    pub ids: Vec<usize>,
}

#[derive(Serialize)]
pub(crate) struct MeshJson {
    pub name: &'static str,
    pub primitives: Vec<Primitive>,
}

#[derive(Serialize)]
pub(crate) struct Primitive {
    pub attributes: Attributes,
    pub indices: usize,
    pub material: usize,
}

#[derive(Serialize)]
pub(crate) struct Attributes {
    #[serde(rename = "POSITION")]
    pub position: usize,
    #[serde(rename = "NORMAL")]
    pub normal: usize,
    #[serde(rename = "COLOR_0")]
    pub colour: usize,
    #[serde(rename = "JOINTS_0", skip_serializing_if = "Option::is_none")]
    pub joints: Option<usize>,
    #[serde(rename = "WEIGHTS_0", skip_serializing_if = "Option::is_none")]
    pub weights: Option<usize>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MaterialJson {
    pub name: &'static str,
    pub pbr_metallic_roughness: Pbr,
}

/// The base colour is white: vertices bring the colours.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Pbr {
    pub metallic_factor: f32,
    pub roughness_factor: f32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Skin {
    pub name: &'static str,
    pub skeleton: usize,
    pub inverse_bind_matrices: usize,
    pub joints: Vec<usize>,
}

#[derive(Serialize)]
pub(crate) struct Animation {
    pub name: &'static str,
    pub channels: Vec<Channel>,
    pub samplers: Vec<Sampler>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extras: Option<AnimationExtras>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AnimationExtras {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ground_speed_metres_per_sec: Option<f32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub markers: Vec<Marker>,
}

/// Something that happens in a clip.
#[derive(Serialize)]
pub(crate) struct Marker {
    pub name: String,
    /// Seconds.
    pub time: f32,
}

#[derive(Serialize)]
pub(crate) struct Channel {
    pub sampler: usize,
    pub target: Target,
}

#[derive(Serialize)]
pub(crate) struct Target {
    pub node: usize,
    pub path: &'static str,
}

/// Interpolation is linear, the default.
#[derive(Serialize)]
pub(crate) struct Sampler {
    pub input: usize,
    pub output: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Accessor {
    pub buffer_view: usize,
    #[serde(skip_serializing_if = "is_zero")]
    pub byte_offset: usize,
    pub component_type: u32,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub normalized: bool,
    pub count: usize,
    #[serde(rename = "type")]
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub min: Vec<f32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub max: Vec<f32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BufferView {
    pub buffer: usize,
    pub byte_offset: usize,
    pub byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte_stride: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Buffer {
    pub byte_length: usize,
}

fn is_zero(value: &usize) -> bool {
    *value == 0
}
