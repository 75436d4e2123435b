//! Materials: how a surface looks.

use canter::glam::{Mat3, Vec2, Vec3, Vec4};

use crate::error::LoadError;
use crate::place::Place;
use crate::schema;
use crate::schema::material::TextureInfo;
use crate::schema::owned;
use crate::source::Source;

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

/// What the alpha of a surface means.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AlphaMode {
    /// Nothing.
    #[default]
    Opaque,
    /// Below the cutoff there is nothing, elsewhere it is opaque.
    Mask {
        /// The least alpha that is seen.
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

pub(crate) fn materials(source: &Source<'_>) -> Result<Vec<Material>, LoadError> {
    let list = Place::list("materials");
    (source.document.materials.iter().enumerate())
        .map(|(index, material)| load_material(material, source, &list.item(index)))
        .collect()
}

fn load_material(
    material: &schema::material::Material<'_>,
    source: &Source<'_>,
    place: &Place<'_>,
) -> Result<Material, LoadError> {
    let default = Material::default();
    let empty = schema::material::PbrMetallicRoughness::default();
    let pbr = material.pbr_metallic_roughness.as_deref().unwrap_or(&empty);
    let pbr_place = place.field("pbrMetallicRoughness");
    let texture = |info: Option<&TextureInfo>, place: &Place<'_>| texture_ref(info, source, place);

    let strength =
        material.extensions.emissive_strength.as_ref().and_then(|strength| strength.emissive_strength);
    let alpha_mode = match material.alpha_mode.as_ref().map_or("OPAQUE", |mode| mode.0.as_ref()) {
        "OPAQUE" => AlphaMode::Opaque,
        "MASK" => AlphaMode::Mask { cutoff: material.alpha_cutoff.unwrap_or(0.5) },
        "BLEND" => AlphaMode::Blend,
        other => {
            let message = format_args!("\"{other}\" is not known; it is read as OPAQUE");
            source.report.warn(&place.field("alphaMode"), message);
            AlphaMode::Opaque
        }
    };
    let normal = material.normal_texture.as_deref();
    let occlusion = material.occlusion_texture.as_deref();
    Ok(Material {
        name: owned(&material.name),
        base_color: pbr.base_color_factor.map_or(default.base_color, Vec4::from_array),
        base_color_texture: texture(pbr.base_color_texture.as_ref(), &pbr_place.field("baseColorTexture"))?,
        metallic: pbr.metallic_factor.unwrap_or(default.metallic),
        roughness: pbr.roughness_factor.unwrap_or(default.roughness),
        metallic_roughness_texture: texture(
            pbr.metallic_roughness_texture.as_ref(),
            &pbr_place.field("metallicRoughnessTexture"),
        )?,
        normal_texture: texture(normal, &place.field("normalTexture"))?,
        normal_scale: normal.and_then(|info| info.scale).unwrap_or(default.normal_scale),
        occlusion_texture: texture(occlusion, &place.field("occlusionTexture"))?,
        occlusion_strength: occlusion.and_then(|info| info.strength).unwrap_or(default.occlusion_strength),
        emissive: material.emissive_factor.map_or(default.emissive, Vec3::from_array)
            * strength.unwrap_or(1.0),
        emissive_texture: texture(material.emissive_texture.as_deref(), &place.field("emissiveTexture"))?,
        alpha_mode,
        double_sided: material.double_sided,
        unlit: material.extensions.unlit.is_some(),
    })
}

fn texture_ref(
    info: Option<&TextureInfo>,
    source: &Source<'_>,
    place: &Place<'_>,
) -> Result<Option<TextureRef>, LoadError> {
    let Some(info) = info else { return Ok(None) };
    let texture = place.field("index").index(info.index.get(), "textures", source.document.textures.len())?;
    let mut tex_coord = info.tex_coord;
    let mut texture_from_uv = Mat3::IDENTITY;
    if let Some(transform) = &info.extensions.transform {
        tex_coord = transform.tex_coord.unwrap_or(tex_coord);
        let scale = transform.scale.map_or(Vec2::ONE, Vec2::from_array);
        let offset = transform.offset.map_or(Vec2::ZERO, Vec2::from_array);
        // The extension turns counter-clockwise in an image whose v runs down: the other way round here.
        let angle = -transform.rotation.unwrap_or(0.0);
        texture_from_uv = Mat3::from_scale_angle_translation(scale, angle, offset);
    }
    Ok(Some(TextureRef { texture, tex_coord: tex_coord.get(), texture_from_uv }))
}
