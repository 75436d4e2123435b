//! How a surface looks: the twin of `Material` in `surface.wgsl`.

use std::sync::Arc;

use canter::glam::{Mat3, Vec2, Vec3, Vec4};
use canter_gltf::{AlphaMode, TextureSlot};
use canter_scene::Figure;

use crate::texture::{Numbers, Texture, Textures};

/// What a surface is covered with.
#[derive(Clone, Debug)]
pub(crate) struct Material {
    pub(crate) base_color: Vec4,
    pub(crate) emissive: Vec3,
    pub(crate) metallic: f32,
    pub(crate) roughness: f32,
    pub(crate) normal_scale: f32,
    pub(crate) occlusion_strength: f32,
    pub(crate) alpha_mode: AlphaMode,
    pub(crate) is_double_sided: bool,
    pub(crate) is_unlit: bool,
    pub(crate) base: Option<Layer>,
    pub(crate) rough: Option<Layer>,
    pub(crate) normal: Option<Layer>,
    pub(crate) occlusion: Option<Layer>,
    pub(crate) emission: Option<Layer>,
}

/// A texture, and how it lies on the surface.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) texture: Arc<Texture>,
    /// The set of coordinates.
    pub(crate) set: usize,
    texture_from_uv: Mat3,
}

impl Layer {
    /// Where in the texture a place of the surface is.
    pub(crate) fn texture_place(&self, uv: Vec2) -> Vec2 {
        self.texture_from_uv.transform_point2(uv)
    }

    /// Whether a look at this one is a look at the other, too: many files keep occlusion beside metalness.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.texture, &other.texture)
            && self.set == other.set
            && self.texture_from_uv == other.texture_from_uv
    }
}

impl Material {
    /// How a material of a figure looks in its pose.
    pub(crate) fn new(figure: &Figure<'_>, index: Option<usize>, textures: &mut Textures) -> Self {
        let model = figure.model;
        let default = canter_gltf::Material::default();
        let material = index.map_or(&default, |index| &model.asset.materials[index]);
        let values = model.material_values(index, figure.pose);
        let mut layer = |slot: TextureSlot, numbers| {
            let reference = material.texture(slot)?;
            let texture = match textures.texture(model, reference.texture, numbers) {
                // A base colour that cannot be read is grey; without the other textures, factors count.
                None if slot == TextureSlot::BaseColor => textures.grey(),
                found => found?,
            };
            let texture_from_uv = values.texture_from_uv[slot as usize];
            Some(Layer { texture, set: usize::from(reference.tex_coord == 1), texture_from_uv })
        };
        Self {
            base: layer(TextureSlot::BaseColor, Numbers::Color),
            rough: layer(TextureSlot::MetallicRoughness, Numbers::Plain),
            normal: layer(TextureSlot::Normal, Numbers::Plain),
            occlusion: layer(TextureSlot::Occlusion, Numbers::Plain),
            emission: layer(TextureSlot::Emissive, Numbers::Color),
            base_color: values.base_color,
            emissive: values.emissive,
            metallic: material.metallic,
            roughness: material.roughness,
            normal_scale: material.normal_scale,
            occlusion_strength: material.occlusion_strength,
            alpha_mode: material.alpha_mode,
            is_double_sided: material.double_sided,
            is_unlit: material.unlit,
        }
    }

    /// All textures.
    pub(crate) fn layers(&self) -> [Option<&Layer>; 5] {
        [&self.base, &self.rough, &self.normal, &self.occlusion, &self.emission].map(Option::as_ref)
    }
}
