//! Materials from the file.

use canter::glam::{Mat3, Vec2, Vec3, Vec4};

use super::{AlphaMode, Material, TextureRef};
use crate::error::Failure;
use crate::place::Place;
use crate::schema;
use crate::schema::material::TextureInfo;
use crate::schema::owned;
use crate::source::Source;
use crate::warning::WarningCode;

pub(crate) fn materials(source: &Source<'_>) -> Result<Vec<Material>, Failure> {
    let list = Place::list("materials");
    (source.document.materials.iter().enumerate())
        .map(|(index, material)| load_material(material, source, &list.item(index)))
        .collect()
}

fn load_material(
    material: &schema::material::Material<'_>,
    source: &Source<'_>,
    place: &Place<'_>,
) -> Result<Material, Failure> {
    let default = Material::default();
    let texture = |info: Option<&TextureInfo>, place: &Place<'_>| texture_ref(info, source, place);

    let alpha_mode = match material.alpha_mode.as_ref().map_or("OPAQUE", |mode| mode.0.as_ref()) {
        "OPAQUE" => AlphaMode::Opaque,
        "MASK" => AlphaMode::Mask { cutoff: material.alpha_cutoff.unwrap_or(0.5) },
        "BLEND" => AlphaMode::Blend,
        other => {
            let message = format_args!("\"{other}\" is not known; it is read as OPAQUE");
            source.report.warn(&place.field("alphaMode"), WarningCode::AlphaMode, message);
            AlphaMode::Opaque
        }
    };
    let surface = Surface::new(material, place, source)?;
    let normal = material.normal_texture.as_deref();
    let occlusion = material.occlusion_texture.as_deref();
    Ok(Material {
        name: owned(&material.name),
        base_color: surface.base_color,
        base_color_texture: surface.base_color_texture,
        metallic: surface.metallic,
        roughness: surface.roughness,
        metallic_roughness_texture: surface.metallic_roughness_texture,
        normal_texture: texture(normal, &place.field("normalTexture"))?,
        normal_scale: normal.and_then(|info| info.scale).unwrap_or(default.normal_scale),
        occlusion_texture: texture(occlusion, &place.field("occlusionTexture"))?,
        occlusion_strength: occlusion.and_then(|info| info.strength).unwrap_or(default.occlusion_strength),
        emissive: material.emissive_factor.map_or(default.emissive, Vec3::from_array)
            * material.emissive_strength(),
        emissive_texture: texture(material.emissive_texture.as_deref(), &place.field("emissiveTexture"))?,
        alpha_mode,
        double_sided: material.double_sided,
        unlit: material.extensions.unlit.is_some(),
    })
}

/// What a surface is made of.
struct Surface {
    base_color: Vec4,
    base_color_texture: Option<TextureRef>,
    metallic: f32,
    roughness: f32,
    metallic_roughness_texture: Option<TextureRef>,
}

impl Surface {
    fn new(
        material: &schema::material::Material<'_>,
        place: &Place<'_>,
        source: &Source<'_>,
    ) -> Result<Self, Failure> {
        let default = Material::default();
        if let Some(older) = &material.extensions.specular_glossiness {
            let extensions = place.field("extensions");
            let place = extensions.field("KHR_materials_pbrSpecularGlossiness");
            source.report.note(
                &place,
                WarningCode::SpecularGlossiness,
                "only the diffuse colour and the glossiness are read",
            );
            let texture =
                texture_ref(older.diffuse_texture.as_ref(), source, &place.field("diffuseTexture"))?;
            // What shines how much is in a texture that nobody reads here: the middle between all and nothing.
            let glossiness = if older.specular_glossiness_texture.is_some() { 0.5 } else { 1.0 };
            return Ok(Self {
                base_color: older.diffuse_factor.map_or(default.base_color, Vec4::from_array),
                base_color_texture: texture,
                metallic: 0.0,
                roughness: 1.0 - glossiness * older.glossiness_factor.unwrap_or(1.0),
                metallic_roughness_texture: None,
            });
        }
        let empty = schema::material::PbrMetallicRoughness::default();
        let pbr = material.pbr_metallic_roughness.as_deref().unwrap_or(&empty);
        let place = place.field("pbrMetallicRoughness");
        let texture = |info: Option<&TextureInfo>, name| texture_ref(info, source, &place.field(name));
        Ok(Self {
            base_color: pbr.base_color_factor.map_or(default.base_color, Vec4::from_array),
            base_color_texture: texture(pbr.base_color_texture.as_ref(), "baseColorTexture")?,
            metallic: pbr.metallic_factor.unwrap_or(default.metallic),
            roughness: pbr.roughness_factor.unwrap_or(default.roughness),
            metallic_roughness_texture: texture(
                pbr.metallic_roughness_texture.as_ref(),
                "metallicRoughnessTexture",
            )?,
        })
    }
}

#[expect(clippy::disallowed_methods, reason = "how a texture lies is for renderers; no pose depends on it")]
fn texture_ref(
    info: Option<&TextureInfo>,
    source: &Source<'_>,
    place: &Place<'_>,
) -> Result<Option<TextureRef>, Failure> {
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
