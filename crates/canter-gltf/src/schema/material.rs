//! Materials, textures and images.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{Index, Name, Size, Text};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Material<'a> {
    #[serde(borrow)]
    pub(crate) name: Name<'a>,
    pub(crate) pbr_metallic_roughness: Option<Box<PbrMetallicRoughness>>,
    pub(crate) normal_texture: Option<Box<TextureInfo>>,
    pub(crate) occlusion_texture: Option<Box<TextureInfo>>,
    pub(crate) emissive_texture: Option<Box<TextureInfo>>,
    pub(crate) emissive_factor: Option<[f32; 3]>,
    #[serde(borrow)]
    pub(crate) alpha_mode: Option<Text<'a>>,
    pub(crate) alpha_cutoff: Option<f32>,
    #[serde(default)]
    pub(crate) double_sided: bool,
    #[serde(default)]
    pub(crate) extensions: MaterialExtensions,
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct MaterialExtensions {
    #[serde(rename = "KHR_materials_unlit")]
    pub(crate) unlit: Option<IgnoredAny>,
    #[serde(rename = "KHR_materials_emissive_strength")]
    pub(crate) emissive_strength: Option<EmissiveStrength>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EmissiveStrength {
    pub(crate) emissive_strength: Option<f32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PbrMetallicRoughness {
    pub(crate) base_color_factor: Option<[f32; 4]>,
    pub(crate) base_color_texture: Option<TextureInfo>,
    pub(crate) metallic_factor: Option<f32>,
    pub(crate) roughness_factor: Option<f32>,
    pub(crate) metallic_roughness_texture: Option<TextureInfo>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TextureInfo {
    pub(crate) index: Index,
    #[serde(default)]
    pub(crate) tex_coord: Size,
    /// Of a normal texture.
    pub(crate) scale: Option<f32>,
    /// Of an occlusion texture.
    pub(crate) strength: Option<f32>,
    #[serde(default)]
    pub(crate) extensions: TextureInfoExtensions,
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct TextureInfoExtensions {
    #[serde(rename = "KHR_texture_transform")]
    pub(crate) transform: Option<TextureTransform>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TextureTransform {
    pub(crate) offset: Option<[f32; 2]>,
    pub(crate) rotation: Option<f32>,
    pub(crate) scale: Option<[f32; 2]>,
    pub(crate) tex_coord: Option<Size>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Texture<'a> {
    #[serde(borrow)]
    pub(crate) name: Name<'a>,
    pub(crate) source: Option<Index>,
    pub(crate) sampler: Option<Index>,
    #[serde(default)]
    pub(crate) extensions: TextureExtensions,
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct TextureExtensions {
    #[serde(rename = "EXT_texture_webp")]
    pub(crate) webp: Option<TextureSource>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct TextureSource {
    pub(crate) source: Option<Index>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Image<'a> {
    #[serde(borrow)]
    pub(crate) name: Name<'a>,
    #[serde(borrow)]
    pub(crate) uri: Option<Text<'a>>,
    #[serde(borrow)]
    pub(crate) mime_type: Option<Text<'a>>,
    pub(crate) buffer_view: Option<Index>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Sampler {
    pub(crate) mag_filter: Option<Size>,
    pub(crate) min_filter: Option<Size>,
    pub(crate) wrap_s: Option<Size>,
    pub(crate) wrap_t: Option<Size>,
}
