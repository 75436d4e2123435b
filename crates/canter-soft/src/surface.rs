//! The triangles of a scene in their present pose, and what covers them.

use std::ops::{Add, Mul};

use canter::glam::{DAffine3, DVec3, Mat4, Vec2, Vec3, Vec4};
use canter_gltf::{AlphaMode, Primitive, Topology};
use canter_scene::{Bounds, Camera, Detail, Figure, MeshTransform, Part, PosedVertices};

use crate::material::{Layer, Material};
use crate::texture::Textures;
use crate::varying::Weights;

/// A primitive in its pose, in metres from the camera's target.
#[derive(Debug)]
pub(crate) struct Surface<'a> {
    pub(crate) topology: Topology,
    pub(crate) indices: &'a [u32],
    pub(crate) positions: Vec<Vec3>,
    pub(crate) normals: Vec<Vec3>,
    pub(crate) tangents: Vec<Vec4>,
    uvs: [&'a [Vec2]; 2],
    colors: &'a [Vec4],
    pub(crate) material: Material,
    /// The transform turns front faces into back faces.
    pub(crate) is_mirrored: bool,
    /// The file has no normals: every triangle is flat, as the format asks for.
    pub(crate) is_flat: bool,
}

/// A place on a triangle: its corners, and how much each counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) corners: [u32; 3],
    weights: [f32; 3],
}

impl Place {
    /// Rounding at the edge of a thin triangle must not lead far beyond it.
    #[inline]
    pub(crate) fn new(corners: [u32; 3], weights: Weights) -> Self {
        let [a, b] = weights.0.map(|weight| weight.clamp(0.0, 1.0));
        Self { corners, weights: [a, b, 1.0 - a - b] }
    }

    /// Between the three numbers of the corners.
    #[inline]
    pub(crate) fn mix<T: Copy + Default + Mul<f32, Output = T> + Add<Output = T>>(&self, list: &[T]) -> T {
        let [a, b, c] = corners_of(list, self.corners);
        let [of_a, of_b, of_c] = self.weights;
        a * of_a + b * of_b + c * of_c
    }
}

/// What a list has for three corners; zeros where it has nothing.
#[inline]
pub(crate) fn corners_of<T: Copy + Default>(list: &[T], corners: [u32; 3]) -> [T; 3] {
    corners.map(|corner| list.get(corner as usize).copied().unwrap_or_default())
}

impl Surface<'_> {
    /// Where in a texture a place is.
    #[inline]
    pub(crate) fn texture_place(&self, layer: &Layer, place: &Place) -> Vec2 {
        layer.texture_place(place.mix(self.uvs[layer.set]))
    }

    /// The same for the three corners of a triangle.
    pub(crate) fn texture_corners(&self, layer: &Layer, corners: [u32; 3]) -> [Vec2; 3] {
        corners_of(self.uvs[layer.set], corners).map(|uv| layer.texture_place(uv))
    }

    /// Colour and alpha before any light; `level`: which size of the texture.
    #[inline]
    pub(crate) fn base_color(&self, place: &Place, level: usize) -> Vec4 {
        let mut color = self.material.base_color;
        if !self.colors.is_empty() {
            color *= place.mix(self.colors);
        }
        if let Some(layer) = &self.material.base {
            color *= layer.texture.sample(self.texture_place(layer, place), level);
        }
        color
    }

    /// Whether a mask has a hole at a place.
    pub(crate) fn has_hole(&self, place: &Place) -> bool {
        match self.material.alpha_mode {
            AlphaMode::Mask { cutoff } => self.base_color(place, 0).w < cutoff,
            AlphaMode::Opaque | AlphaMode::Blend => false,
        }
    }

    /// What casts a shadow: solid triangles.
    pub(crate) fn casts_shadow(&self) -> bool {
        self.topology == Topology::Triangles && self.material.alpha_mode != AlphaMode::Blend
    }
}

/// All surfaces that are shown in a picture of so many pixels in height.
pub(crate) fn surfaces<'a>(
    figures: &'a [Figure<'_>],
    camera: &Camera,
    height: f32,
    textures: &mut Textures,
) -> Vec<Surface<'a>> {
    let detail = Detail::new(camera.fov_y, height);
    let mut found = Vec::new();
    for figure in figures {
        let origin_from_model = relative(figure.world_from_model, camera.target);
        let level = detail.level(&bounds_from_eye(figure, camera.eye));
        for part in figure.shown_parts() {
            let (_, primitive) = figure.model.mesh_at(part, level);
            if primitive.indices.is_empty() {
                continue;
            }
            let Some((vertices, is_mirrored)) = posed(figure, part, primitive, origin_from_model) else {
                continue;
            };
            let uvs = |set: usize| primitive.tex_coords.get(set).map_or(&[][..], Vec::as_slice);
            found.push(Surface {
                topology: primitive.topology,
                indices: &primitive.indices,
                positions: vertices.positions,
                normals: vertices.normals,
                tangents: vertices.tangents,
                uvs: [uvs(0), uvs(1)],
                colors: &primitive.colors,
                material: Material::new(figure, primitive.material, textures),
                is_mirrored,
                is_flat: primitive.computed_normals && primitive.topology == Topology::Triangles,
            });
        }
    }
    found
}

fn bounds_from_eye(figure: &Figure<'_>, eye: DVec3) -> Bounds {
    let of_pose = || {
        let mut buffer = Vec::new();
        let palette = figure.whole_palette(&mut buffer);
        figure.model.bounds(figure.pose, figure.model_pose, palette)
    };
    let mut eye_from_model = figure.world_from_model;
    eye_from_model.translation -= eye;
    figure.bounds.unwrap_or_else(of_pose).transformed(&eye_from_model.as_affine3a())
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
) -> Option<(PosedVertices, bool)> {
    let weights = figure.morph_weights(part);
    let palette = figure.part_palette(part);
    let placed = |matrix: &canter::Mat3x4| origin_from_model * matrix.to_mat4();
    let first = placed(palette.first()?);
    let palette: Vec<Mat4>;
    let transform = if part.skin.is_some() {
        palette = figure.part_palette(part).iter().map(placed).collect();
        MeshTransform::Skinned(&palette)
    } else {
        MeshTransform::Rigid(first)
    };
    Some((PosedVertices::new(primitive, weights, transform), first.determinant() < 0.0))
}
