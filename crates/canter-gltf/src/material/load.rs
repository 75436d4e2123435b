//! Materials from the file.

use canter::glam::{Mat3, Vec2, Vec3, Vec4};

use super::{AlphaMode, Material, TextureRef};
use crate::error::Failure;
use crate::place::Place;
use crate::schema;
use crate::schema::material::TextureInfo;
use crate::schema::owned;
use crate::source::Source;

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
