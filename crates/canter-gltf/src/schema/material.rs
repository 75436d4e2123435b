//! Materials, textures and images.

use super::{Index, Name, Size, Text};
use crate::json::{Anything, object};

#[derive(Debug, Default)]
pub(crate) struct Material<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) pbr_metallic_roughness: Option<Box<PbrMetallicRoughness>>,
    pub(crate) normal_texture: Option<Box<TextureInfo>>,
    pub(crate) occlusion_texture: Option<Box<TextureInfo>>,
    pub(crate) emissive_texture: Option<Box<TextureInfo>>,
    pub(crate) emissive_factor: Option<[f32; 3]>,
    pub(crate) alpha_mode: Option<Text<'a>>,
    pub(crate) alpha_cutoff: Option<f32>,
    pub(crate) double_sided: bool,
    pub(crate) extensions: MaterialExtensions,
}

object!('a, Material<'a> {
    ;
    "name" => name, "pbrMetallicRoughness" => pbr_metallic_roughness, "normalTexture" => normal_texture,
    "occlusionTexture" => occlusion_texture, "emissiveTexture" => emissive_texture,
    "emissiveFactor" => emissive_factor, "alphaMode" => alpha_mode, "alphaCutoff" => alpha_cutoff,
    "doubleSided" => double_sided, "extensions" => extensions
});

impl Material<'_> {
    /// The factor of the light that the surface gives off.
    pub(crate) fn emissive_strength(&self) -> f32 {
        let strength = self.extensions.emissive_strength.as_ref();
        strength.and_then(|strength| strength.emissive_strength).unwrap_or(1.0)
    }
}

#[derive(Debug, Default)]
pub(crate) struct MaterialExtensions {
    pub(crate) unlit: Option<Anything>,
    emissive_strength: Option<EmissiveStrength>,
    pub(crate) specular_glossiness: Option<Box<SpecularGlossiness>>,
}

object!('a, MaterialExtensions {
    ;
    "KHR_materials_unlit" => unlit, "KHR_materials_emissive_strength" => emissive_strength,
    "KHR_materials_pbrSpecularGlossiness" => specular_glossiness
});

/// The older model of surfaces, of which the parts are read that the newer one has, too.
#[derive(Debug, Default)]
pub(crate) struct SpecularGlossiness {
    pub(crate) diffuse_factor: Option<[f32; 4]>,
    pub(crate) diffuse_texture: Option<TextureInfo>,
    pub(crate) glossiness_factor: Option<f32>,
    pub(crate) specular_glossiness_texture: Option<Anything>,
}

object!('a, SpecularGlossiness {
    ;
    "diffuseFactor" => diffuse_factor, "diffuseTexture" => diffuse_texture,
    "glossinessFactor" => glossiness_factor, "specularGlossinessTexture" => specular_glossiness_texture
});

#[derive(Debug, Default)]
struct EmissiveStrength {
    emissive_strength: Option<f32>,
}

object!('a, EmissiveStrength { ; "emissiveStrength" => emissive_strength });

#[derive(Debug, Default)]
pub(crate) struct PbrMetallicRoughness {
    pub(crate) base_color_factor: Option<[f32; 4]>,
    pub(crate) base_color_texture: Option<TextureInfo>,
    pub(crate) metallic_factor: Option<f32>,
    pub(crate) roughness_factor: Option<f32>,
    pub(crate) metallic_roughness_texture: Option<TextureInfo>,
}

object!('a, PbrMetallicRoughness {
    ;
    "baseColorFactor" => base_color_factor, "baseColorTexture" => base_color_texture,
    "metallicFactor" => metallic_factor, "roughnessFactor" => roughness_factor,
    "metallicRoughnessTexture" => metallic_roughness_texture
});

#[derive(Debug, Default)]
pub(crate) struct TextureInfo {
    pub(crate) index: Index,
    pub(crate) tex_coord: Size,
    /// Of a normal texture.
    pub(crate) scale: Option<f32>,
    /// Of an occlusion texture.
    pub(crate) strength: Option<f32>,
    pub(crate) extensions: TextureInfoExtensions,
}

object!('a, TextureInfo {
    "index" => index;
    "texCoord" => tex_coord, "scale" => scale, "strength" => strength, "extensions" => extensions
});

#[derive(Debug, Default)]
pub(crate) struct TextureInfoExtensions {
    pub(crate) transform: Option<TextureTransform>,
}

object!('a, TextureInfoExtensions { ; "KHR_texture_transform" => transform });

#[derive(Debug, Default)]
pub(crate) struct TextureTransform {
    pub(crate) offset: Option<[f32; 2]>,
    pub(crate) rotation: Option<f32>,
    pub(crate) scale: Option<[f32; 2]>,
    pub(crate) tex_coord: Option<Size>,
}

object!('a, TextureTransform {
    ;
    "offset" => offset, "rotation" => rotation, "scale" => scale, "texCoord" => tex_coord
});

#[derive(Debug, Default)]
pub(crate) struct Texture<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) source: Option<Index>,
    pub(crate) sampler: Option<Index>,
    pub(crate) extensions: TextureExtensions,
}

object!('a, Texture<'a> {
    ;
    "name" => name, "source" => source, "sampler" => sampler, "extensions" => extensions
});

#[derive(Debug, Default)]
pub(crate) struct TextureExtensions {
    webp: Option<TextureSource>,
    basisu: Option<TextureSource>,
    avif: Option<TextureSource>,
    dds: Option<TextureSource>,
}

object!('a, TextureExtensions {
    ;
    "EXT_texture_webp" => webp, "KHR_texture_basisu" => basisu, "EXT_texture_avif" => avif,
    "MSFT_texture_dds" => dds
});

impl TextureExtensions {
    /// The image in another format, the most widely read first.
    pub(crate) fn source(&self) -> Option<Index> {
        let formats = [&self.webp, &self.basisu, &self.avif, &self.dds];
        formats.into_iter().flatten().find_map(|format| format.source)
    }
}

#[derive(Debug, Default)]
struct TextureSource {
    source: Option<Index>,
}

object!('a, TextureSource { ; "source" => source });

#[derive(Debug, Default)]
pub(crate) struct Image<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) uri: Option<Text<'a>>,
    pub(crate) mime_type: Option<Text<'a>>,
    pub(crate) buffer_view: Option<Index>,
}

object!('a, Image<'a> {
    ;
    "name" => name, "uri" => uri, "mimeType" => mime_type, "bufferView" => buffer_view
});

#[derive(Debug, Default)]
pub(crate) struct Sampler {
    pub(crate) mag_filter: Option<Size>,
    pub(crate) min_filter: Option<Size>,
    pub(crate) wrap_s: Option<Size>,
    pub(crate) wrap_t: Option<Size>,
}

object!('a, Sampler {
    ;
    "magFilter" => mag_filter, "minFilter" => min_filter, "wrapS" => wrap_s, "wrapT" => wrap_t
});
