//! Morphing and skinning on the CPU: the twin of the vertex shader. It is what that must give, for tests,
//! bounds, picking and machines without a GPU.
//!
//! `canter-wgpu` has the same functions in WGSL: `canter_morph`, `canter_skin`, `canter_blend`,
//! `canter_transform`.

use canter::Mat3x4;
use canter::glam::{DVec3, Mat3, Mat4, Vec3, Vec4};
use canter_gltf::{Influences, MorphTarget, Primitive};

/// What carries a primitive's vertices to where they are seen.
///
/// The target of the matrices is the caller's choice: the character, the world, or the space of a camera.
#[derive(Clone, Copy, Debug)]
pub enum MeshTransform<'a> {
    /// The transform of the node.
    Rigid(Mat4),
    /// The palette of the node's skin: one matrix per joint. The node's own transform does not count.
    Skinned(&'a [Mat4]),
    /// The same, packed. For a primitive without joints the first matrix counts: a palette of one is a rigid
    /// transform.
    Palette(&'a [Mat3x4]),
}

/// The vertices of a primitive in a pose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PosedVertices {
    /// Positions.
    pub positions: Vec<Vec3>,
    /// Normals of unit length, also where the pose squashes a vertex to a line or a point. (Zero only where the
    /// mesh itself has no normal.)
    pub normals: Vec<Vec3>,
    /// Tangents of unit length, or zero; the handedness in `w` is turned where the pose mirrors.
    pub tangents: Vec<Vec4>,
}

impl PosedVertices {
    /// The vertices, morphed first and then transformed.
    ///
    /// Weights that do not add up to one are divided by their sum, and a vertex without any weight follows
    /// its first joint. A joint beyond the palette counts as the last one of it. (Loading has checked joints
    /// against the node's skin.) Coordinates that do not fit into `f32` are cut off at its largest number,
    /// and NaN becomes 0.
    #[must_use]
    pub fn new(primitive: &Primitive, morph_weights: &[f32], transform: MeshTransform<'_>) -> Self {
        let mut vertices = Self {
            positions: primitive.positions.clone(),
            normals: primitive.normals.clone(),
            tangents: primitive.tangents.clone(),
        };
        vertices.morph(&primitive.targets, morph_weights);
        vertices.skin(&primitive.influences, transform);
        vertices
    }

    /// The min and max coordinates; `None` without vertices.
    #[must_use]
    pub fn bounds(&self) -> Option<(Vec3, Vec3)> {
        let first = *self.positions.first()?;
        Some(self.positions.iter().fold((first, first), |(min, max), &at| (min.min(at), max.max(at))))
    }

    /// Adds the targets that have a weight.
    fn morph(&mut self, targets: &[MorphTarget], weights: &[f32]) {
        for (target, &weight) in targets.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
            let MorphTarget { positions, normals, tangents } = target;
            for (position, delta) in self.positions.iter_mut().zip(positions) {
                *position += delta * weight;
            }
            for (normal, delta) in self.normals.iter_mut().zip(normals) {
                *normal += delta * weight;
            }
            for (tangent, delta) in self.tangents.iter_mut().zip(tangents) {
                *tangent += (delta * weight).extend(0.0);
            }
        }
    }

    fn skin(&mut self, influences: &[Influences], transform: MeshTransform<'_>) {
        let unpacked: Vec<Mat4>;
        let palette = match transform {
            MeshTransform::Rigid(matrix) => {
                (0..self.positions.len()).for_each(|vertex| self.transform(matrix, vertex));
                return;
            }
            MeshTransform::Skinned(palette) => palette,
            MeshTransform::Palette(palette) => {
                unpacked = palette.iter().map(|matrix| matrix.to_mat4()).collect();
                &unpacked
            }
        };
        for vertex in 0..self.positions.len() {
            self.transform(blend(influences, vertex, palette), vertex);
        }
    }

    fn transform(&mut self, matrix: Mat4, vertex: usize) {
        let position = &mut self.positions[vertex];
        let placed = matrix.transform_point3(*position);
        *position = if placed.is_finite() { placed } else { cut_off(matrix, *position) };
        if self.normals.is_empty() && self.tangents.is_empty() {
            return;
        }
        let m = Mat3::from_mat4(matrix);
        // A normal stays upright on a surface that is scaled unevenly only under the inverse transpose. The
        // cofactors are the same up to a factor, and exist for singular matrices as well.
        let cofactors =
            Mat3::from_cols(m.y_axis.cross(m.z_axis), m.z_axis.cross(m.x_axis), m.x_axis.cross(m.y_axis));
        // A mirrored matrix has a negative determinant, and the cofactors carry its sign.
        let mirrored = if m.x_axis.dot(cofactors.x_axis) < 0.0 { -1.0 } else { 1.0 };
        if let Some(normal) = self.normals.get_mut(vertex) {
            // Joints that pull against each other squash a vertex to a line or to a point, which has no upright
            // direction.
            let candidates = [cofactors * *normal * mirrored, m * *normal, *normal];
            *normal =
                candidates.into_iter().map(unit).find(|&normal| normal != Vec3::ZERO).unwrap_or_default();
        }
        if let Some(tangent) = self.tangents.get_mut(vertex) {
            *tangent = unit(m * tangent.truncate()).extend(tangent.w * mirrored);
        }
    }
}

/// The matrix of a vertex: those of its joints, by weight.
fn blend(influences: &[Influences], vertex: usize, palette: &[Mat4]) -> Mat4 {
    let Some(last) = palette.len().checked_sub(1) else { return Mat4::IDENTITY };
    let matrix = |joint: u16| palette[usize::from(joint).min(last)];
    let Some(first) = influences.first() else { return matrix(0) };
    let sum: f32 = influences.iter().map(|set| set.weights[vertex].element_sum()).sum();
    if sum <= 0.0 || sum.is_nan() {
        return matrix(first.joints[vertex][0]);
    }
    let factor = if (sum - 1.0).abs() <= Influences::SUM_TOLERANCE { 1.0 } else { 1.0 / sum };
    let mut blended = Mat4::ZERO;
    for set in influences {
        for (joint, weight) in set.joints[vertex].into_iter().zip(set.weights[vertex].to_array()) {
            if weight != 0.0 {
                blended += matrix(joint) * (weight * factor);
            }
        }
    }
    blended
}

/// A place that overflows, hardly ever: loading and composing limit what is multiplied, but not three factors
/// at once (a joint, its inverse bind matrix, a position). In double precision none of it does.
#[cold]
fn cut_off(matrix: Mat4, position: Vec3) -> Vec3 {
    finite(matrix.as_dmat4().transform_point3(finite(position.as_dvec3()))).as_vec3()
}

/// NaN is 0, and what is infinite as large as an `f32` can be.
fn finite(vector: DVec3) -> DVec3 {
    let lane = |number: f64| {
        if number.is_nan() { 0.0 } else { number.clamp(-f64::from(f32::MAX), f64::from(f32::MAX)) }
    };
    DVec3::from_array(vector.to_array().map(lane))
}

/// The direction of a vector, or zero.
fn unit(direction: Vec3) -> Vec3 {
    // The largest component first: the square of a small number vanishes.
    let largest = direction.abs().max_element();
    if largest > 1e-36 { (direction / largest).normalize_or_zero() } else { Vec3::ZERO }
}

#[cfg(test)]
mod tests {
    use canter::glam::Quat;

    use super::*;

    fn one_vertex(normal: Vec3, tangent: Vec4) -> Primitive {
        Primitive {
            positions: vec![Vec3::ZERO],
            normals: vec![normal],
            tangents: vec![tangent],
            ..Primitive::default()
        }
    }

    #[test]
    fn normals_stay_upright_under_uneven_and_mirrored_scale() {
        let slope = Vec3::new(1.0, 1.0, 0.0).normalize();
        let along = Vec3::new(1.0, -1.0, 0.0).normalize();
        let primitive = one_vertex(slope, along.extend(1.0));
        for scale in [Vec3::new(2.0, 1.0, 1.0), Vec3::new(-2.0, 1.0, 1.0), Vec3::new(1.0, 1.0, -3.0)] {
            let matrix = Mat4::from_scale_rotation_translation(scale, Quat::from_rotation_y(0.4), Vec3::ONE);
            let (m, posed) =
                (Mat3::from_mat4(matrix), PosedVertices::new(&primitive, &[], MeshTransform::Rigid(matrix)));
            let (normal, tangent) = (posed.normals[0], posed.tangents[0]);
            assert!(normal.abs_diff_eq((m.inverse().transpose() * slope).normalize(), 1e-6), "{scale}");
            // The third direction of the surface is carried along, whatever the matrix does to the other two.
            let third = normal.cross(tangent.truncate()) * tangent.w;
            assert!(third.dot(m * slope.cross(along)) > 0.0, "{scale}");
        }
        for tiny in [1e-12, 1e-15] {
            let posed = PosedVertices::new(
                &primitive,
                &[],
                MeshTransform::Rigid(Mat4::from_scale(Vec3::splat(tiny))),
            );
            assert!(posed.normals[0].abs_diff_eq(slope, 1e-6), "{tiny}");
        }
    }

    /// A blend of two joints that are turned by half a turn against each other is singular: half of the vertices
    /// at an elbow had a normal of length zero, which renderers and exporters divide by.
    #[test]
    fn a_singular_blend_leaves_a_normal() {
        let slope = Vec3::new(1.0, 1.0, 0.0).normalize();
        let primitive = one_vertex(slope, Vec4::X);
        let posed = |matrix| PosedVertices::new(&primitive, &[], MeshTransform::Rigid(matrix)).normals[0];
        let half_turn = Mat4::from_scale(Vec3::new(-1.0, 1.0, -1.0));
        let line = (Mat4::IDENTITY + half_turn) * 0.5;
        assert!(posed(line).abs_diff_eq(Vec3::Y, 1e-6), "along the line: {}", posed(line));
        let turned = Mat4::from_rotation_x(0.5) * line;
        assert!(posed(turned).abs_diff_eq(turned.transform_vector3(Vec3::Y), 1e-6));
        assert_eq!(posed(Mat4::ZERO), slope, "as the mesh has it");
        let flat = Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0));
        assert_eq!(posed(flat), Vec3::Y, "upright on what is flat");
        let upright = Mat4::from_scale(Vec3::new(0.0, 1.0, 1.0));
        assert_eq!(
            PosedVertices::new(&one_vertex(Vec3::Y, Vec4::X), &[], MeshTransform::Rigid(upright)).normals[0],
            Vec3::Y
        );
    }

    fn two_joints(weights: Vec4) -> Primitive {
        Primitive {
            positions: vec![Vec3::X],
            influences: vec![Influences { joints: vec![[0, 1, 0, 0]], weights: vec![weights] }],
            targets: vec![MorphTarget { positions: vec![Vec3::Y], ..MorphTarget::default() }],
            ..Primitive::default()
        }
    }

    #[test]
    fn morphing_comes_before_skinning() {
        let palette = [Mat4::IDENTITY, Mat4::from_scale(Vec3::splat(3.0))];
        let posed = PosedVertices::new(
            &two_joints(Vec4::new(0.5, 0.5, 0.0, 0.0)),
            &[0.5],
            MeshTransform::Skinned(&palette),
        );
        assert_eq!(posed.positions, [Vec3::new(2.0, 1.0, 0.0)]);
        assert_eq!(posed.bounds(), Some((posed.positions[0], posed.positions[0])));
    }

    /// A joint, its inverse bind matrix, a position and a morph weight may each be 10¹⁸: their product is no
    /// `f32`.
    #[test]
    fn no_position_is_infinite_or_nan() {
        let (m, x) = (f32::MAX, Vec3::X);
        for (position, delta, weight, scale, shift, expected) in [
            (x * 1e18, Vec3::ZERO, 0.0, 1e18, Vec3::ZERO, x * 1e36),
            (x * 1e18, Vec3::ZERO, 0.0, 3e36, Vec3::ZERO, x * m),
            (Vec3::new(1e18, -1e18, 0.0), Vec3::ZERO, 0.0, -3e36, Vec3::Z, Vec3::new(-m, m, 1.0)),
            (x, x * 1e18, 1e18, 1e18, Vec3::ZERO, x * m),
            // Infinity less infinity.
            (x * 1e18, Vec3::ZERO, 0.0, 3e36, x * -3e36, x * m),
            // A pose that was edited.
            (x, x, f32::INFINITY, 0.0, Vec3::Y, Vec3::Y),
            (x, x, f32::NAN, 1.0, Vec3::Y, Vec3::Y),
        ] {
            let primitive = Primitive {
                positions: vec![position],
                targets: vec![MorphTarget { positions: vec![delta], ..MorphTarget::default() }],
                ..Primitive::default()
            };
            let matrix = Mat4::from_translation(shift) * Mat4::from_scale(Vec3::splat(scale));
            let posed =
                PosedVertices::new(&primitive, &[weight], MeshTransform::Skinned(&[matrix])).positions[0];
            assert!((posed / m).abs_diff_eq(expected / m, 1e-6), "{position} by {scale}: {posed}");
        }
    }

    #[test]
    fn weights_need_not_add_up_to_one_and_joints_beyond_the_palette_are_the_last() {
        let palette = [Mat3x4::IDENTITY, Mat3x4::from_mat4(Mat4::from_scale(Vec3::splat(3.0)))];
        for (weights, palette, x) in [
            (Vec4::new(1.0, 1.0, 0.0, 0.0), &palette[..], 2.0),
            (Vec4::new(0.0, 0.25, 0.0, 0.0), &palette[..], 3.0),
            (Vec4::ZERO, &palette[..], 1.0),
            (Vec4::Y, &palette[..1], 1.0),
            (Vec4::Y, &[], 1.0),
        ] {
            let posed = PosedVertices::new(&two_joints(weights), &[], MeshTransform::Palette(palette));
            assert_eq!(posed.positions, [Vec3::X * x], "{weights} {}", palette.len());
        }
    }
}
