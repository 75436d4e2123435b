//! Materials: how a surface looks.

use canter::glam::{Mat3, Vec3, Vec4};

#[cfg(feature = "meshes")]
mod load;

use crate::animated::TextureSlot;

#[cfg(feature = "meshes")]
pub(crate) use load::materials;

/// How a surface looks: the metallic-roughness model of glTF.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// The file's name for it.
    pub name: Option<String>,
    /// Linear colour and alpha; multiplies the texture and the vertex colours.
    pub base_color: Vec4,
    /// Colour (sRGB) and alpha.
    pub base_color_texture: Option<TextureRef>,
    /// From 0, not metallic, to 1; multiplies the blue channel of the texture.
    pub metallic: f32,
    /// From 0, a mirror, to 1; multiplies the green channel of the texture.
    pub roughness: f32,
    /// Roughness in green, metalness in blue, linear.
    pub metallic_roughness_texture: Option<TextureRef>,
    /// Normals in tangent space.
    pub normal_texture: Option<TextureRef>,
    /// Factor for x and y of the normal texture.
    pub normal_scale: f32,
    /// Occlusion in red.
    pub occlusion_texture: Option<TextureRef>,
    /// How much of the occlusion counts.
    pub occlusion_strength: f32,
    /// Linear light that the surface gives off; above 1 with `KHR_materials_emissive_strength`.
    pub emissive: Vec3,
    /// Light that the surface gives off (sRGB).
    pub emissive_texture: Option<TextureRef>,
    /// What alpha means.
    pub alpha_mode: AlphaMode,
    /// Whether both sides of triangles are seen.
    pub double_sided: bool,
    /// The base colour is shown as it is, without any light (`KHR_materials_unlit`).
    pub unlit: bool,
}

impl Default for Material {
    /// The specification's default material.
    fn default() -> Self {
        Self {
            name: None,
            base_color: Vec4::ONE,
            base_color_texture: None,
            metallic: 1.0,
            roughness: 1.0,
            metallic_roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
            occlusion_texture: None,
            occlusion_strength: 1.0,
            emissive: Vec3::ZERO,
            emissive_texture: None,
            alpha_mode: AlphaMode::Opaque,
            double_sided: false,
            unlit: false,
        }
    }
}

impl Material {
    /// One of its textures.
    #[must_use]
    pub fn texture(&self, slot: TextureSlot) -> Option<&TextureRef> {
        match slot {
            TextureSlot::BaseColor => self.base_color_texture.as_ref(),
            TextureSlot::MetallicRoughness => self.metallic_roughness_texture.as_ref(),
            TextureSlot::Normal => self.normal_texture.as_ref(),
            TextureSlot::Occlusion => self.occlusion_texture.as_ref(),
            TextureSlot::Emissive => self.emissive_texture.as_ref(),
        }
    }
}

/// What the alpha of a surface means.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AlphaMode {
    /// Nothing.
    #[default]
    Opaque,
    /// Below the cutoff there is nothing, elsewhere it is opaque.
    Mask {
        /// The smallest alpha that is seen.
        cutoff: f32,
    },
    /// The surface lets this much of what is behind it through.
    Blend,
}

/// A texture as a material uses it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureRef {
    /// Index of the texture.
    pub texture: usize,
    /// Which set of texture coordinates.
    pub tex_coord: usize,
    /// `texture_from_uv`: the transform of `KHR_texture_transform`, for texture coordinates `(u, v, 1)`.
    pub texture_from_uv: Mat3,
}
