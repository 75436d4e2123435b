//! The triangles of a scene in their present pose, and what covers them.

use std::sync::Arc;

use canter::glam::{DAffine3, DVec3, Mat4, Vec2, Vec3, Vec4};
use canter_gltf::{AlphaMode, Material, Primitive, TextureRef, TextureSlot, Topology};
use canter_scene::{Figure, MeshTransform, Part, PosedVertices};

use crate::texture::{Texture, Textures};

/// A primitive in its pose, in metres from the camera's target.
#[derive(Debug)]
pub(crate) struct Surface {
    pub(crate) topology: Topology,
    pub(crate) indices: Vec<u32>,
    pub(crate) positions: Vec<Vec3>,
    pub(crate) normals: Vec<Vec3>,
    /// Texture coordinates of the base colour, as the texture wants them; zeros if there is none.
    pub(crate) uvs: Vec<Vec2>,
    pub(crate) colors: Vec<Vec4>,
    pub(crate) cover: Cover,
    /// The transform turns front faces into back faces.
    pub(crate) is_mirrored: bool,
}

impl Surface {
    /// Gives every triangle vertices of its own with one normal, as the format asks for where a file has
    /// none.
    fn flatten(&mut self) {
        fn spread<T: Copy>(list: &mut Vec<T>, corners: &[u32]) {
            if !list.is_empty() {
                *list = corners.iter().map(|&corner| list[corner as usize]).collect();
            }
        }
        let corners = self.indices.as_chunks::<3>().0.as_flattened();
        spread(&mut self.positions, corners);
        spread(&mut self.uvs, corners);
        spread(&mut self.colors, corners);
        let side = if self.is_mirrored { -1.0 } else { 1.0 };
        let normal = |[a, b, c]: &[Vec3; 3]| (b - a).cross(c - a).normalize_or_zero() * side;
        let triangles = self.positions.as_chunks().0;
        self.normals = triangles.iter().flat_map(|triangle| [normal(triangle); 3]).collect();
        self.indices = (0..).take(self.positions.len()).collect();
    }
}

/// What a surface is covered with.
#[derive(Clone, Debug)]
pub(crate) struct Cover {
    pub(crate) base_color: Vec4,
    pub(crate) texture: Option<Arc<Texture>>,
    pub(crate) emissive: Vec3,
    pub(crate) metallic: f32,
    pub(crate) roughness: f32,
    pub(crate) alpha_mode: AlphaMode,
    pub(crate) is_double_sided: bool,
    pub(crate) is_unlit: bool,
}

/// All surfaces that are shown.
pub(crate) fn surfaces(figures: &[Figure<'_>], origin: DVec3, textures: &mut Textures) -> Vec<Surface> {
    let mut found = Vec::new();
    for figure in figures {
        let origin_from_model = relative(figure.world_from_model, origin);
        for part in figure.shown_parts() {
            let primitive = figure.model.primitive(part);
            let (vertices, is_mirrored) = posed(figure, part, primitive, origin_from_model);
            let asset = &figure.model.asset;
            let default = Material::default();
            let material = primitive.material.map_or(&default, |material| &asset.materials[material]);
            let values = figure.model.material_values(primitive.material, figure.pose);
            let base = material.base_color_texture.map(|base| TextureRef {
                texture_from_uv: values.texture_from_uv[TextureSlot::BaseColor as usize],
                ..base
            });
            let mut surface = Surface {
                topology: primitive.topology,
                indices: primitive.indices.clone(),
                uvs: uvs(primitive, base.as_ref()),
                colors: primitive.colors.clone(),
                positions: vertices.positions,
                normals: vertices.normals,
                cover: Cover {
                    base_color: values.base_color,
                    texture: base.map(|base| textures.texture(figure.model, base.texture)),
                    // A glow of a texture of its own would need that texture.
                    emissive: if material.emissive_texture.is_some() { Vec3::ZERO } else { values.emissive },
                    metallic: material.metallic,
                    roughness: material.roughness,
                    alpha_mode: material.alpha_mode,
                    is_double_sided: material.double_sided,
                    is_unlit: material.unlit,
                },
                is_mirrored,
            };
            if primitive.computed_normals && primitive.topology == Topology::Triangles {
                surface.flatten();
            }
            found.push(surface);
        }
    }
    found
}

/// Single precision is enough near the origin.
pub(crate) fn relative(mut world_from_model: DAffine3, origin: DVec3) -> Mat4 {
    world_from_model.translation -= origin;
    canter::glam::DMat4::from(world_from_model).as_mat4()
}

fn posed(
    figure: &Figure<'_>,
    part: &Part,
    primitive: &Primitive,
    origin_from_model: Mat4,
) -> (PosedVertices, bool) {
    let weights = figure.morph_weights(part);
    let palette = figure.part_palette(part);
    let placed = |matrix: &canter::Mat3x4| origin_from_model * matrix.to_mat4();
    match (part.skin, palette) {
        (Some(_), palette) => {
            let palette: Vec<Mat4> = palette.iter().map(placed).collect();
            let is_mirrored = palette.first().is_some_and(|first| first.determinant() < 0.0);
            (PosedVertices::new(primitive, weights, MeshTransform::Skinned(&palette)), is_mirrored)
        }
        (None, [matrix, ..]) => {
            let matrix = placed(matrix);
            (PosedVertices::new(primitive, weights, MeshTransform::Rigid(matrix)), matrix.determinant() < 0.0)
        }
        (None, []) => (PosedVertices::default(), false),
    }
}

fn uvs(primitive: &Primitive, texture: Option<&TextureRef>) -> Vec<Vec2> {
    let Some(texture) = texture else { return Vec::new() };
    let Some(uvs) = primitive.tex_coords.get(texture.tex_coord) else { return Vec::new() };
    uvs.iter().map(|uv| texture.texture_from_uv.transform_point2(*uv)).collect()
}
