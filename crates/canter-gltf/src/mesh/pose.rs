//! Morphing and skinning on the CPU: what the vertex shader does, for tests, bounds and tools.

use canter::glam::{Mat3, Mat4, Vec3};

use super::{MorphTarget, Primitive};

/// What carries a primitive's vertices into the scene.
#[derive(Clone, Copy, Debug)]
pub enum Placement<'a> {
    /// The transform of the node: `scene_from_mesh`.
    Rigid(Mat4),
    /// The palette of the node's skin: `scene_from_mesh` once per joint. The node's own transform does not count.
    Skinned(&'a [Mat4]),
}

/// Vertices of a primitive in a pose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vertices {
    /// Positions.
    pub positions: Vec<Vec3>,
    /// Normals of unit length, or zero where the pose squashes a vertex flat.
    pub normals: Vec<Vec3>,
}

impl Vertices {
    /// The least and the greatest coordinates; `None` without vertices.
    #[must_use]
    pub fn bounds(&self) -> Option<(Vec3, Vec3)> {
        let first = *self.positions.first()?;
        Some(self.positions.iter().fold((first, first), |(least, most), &at| (least.min(at), most.max(at))))
    }
}

impl Primitive {
    /// The vertices, morphed first and then placed.
    ///
    /// # Panics
    /// If a joint of the primitive lies beyond the palette. (Loading has checked them against the node's skin.)
    #[must_use]
    pub fn pose(&self, morph_weights: &[f32], placement: Placement<'_>) -> Vertices {
        let mut vertices = Vertices {
            positions: self.morph(&self.positions, morph_weights, |target| &target.positions),
            normals: self.morph(&self.normals, morph_weights, |target| &target.normals),
        };
        let skinned = |palette: &[Mat4], vertex: usize| {
            let mut scene_from_mesh = Mat4::ZERO;
            for set in &self.influences {
                for (joint, weight) in set.joints[vertex].into_iter().zip(set.weights[vertex].to_array()) {
                    scene_from_mesh += palette[usize::from(joint)] * weight;
                }
            }
            scene_from_mesh
        };
        for vertex in 0..vertices.positions.len() {
            let scene_from_mesh = match placement {
                Placement::Rigid(scene_from_mesh) => scene_from_mesh,
                Placement::Skinned(palette) => skinned(palette, vertex),
            };
            let position = &mut vertices.positions[vertex];
            *position = scene_from_mesh.transform_point3(*position);
            if let Some(normal) = vertices.normals.get_mut(vertex) {
                *normal = transform_normal(scene_from_mesh, *normal);
            }
        }
        vertices
    }

    fn morph(&self, base: &[Vec3], weights: &[f32], added: impl Fn(&MorphTarget) -> &[Vec3]) -> Vec<Vec3> {
        let mut morphed = base.to_vec();
        for (target, &weight) in self.targets.iter().zip(weights) {
            if weight != 0.0 {
                for (value, &delta) in morphed.iter_mut().zip(added(target)) {
                    *value += delta * weight;
                }
            }
        }
        morphed
    }
}

/// A normal stays upright on a surface that is scaled unevenly only under the inverse transpose. The cofactors are the
/// same up to a factor, and exist for singular matrices as well.
fn transform_normal(scene_from_mesh: Mat4, normal: Vec3) -> Vec3 {
    let m = Mat3::from_mat4(scene_from_mesh);
    let cofactors =
        Mat3::from_cols(m.y_axis.cross(m.z_axis), m.z_axis.cross(m.x_axis), m.x_axis.cross(m.y_axis));
    // A mirrored matrix has a negative determinant, and the cofactors carry its sign.
    let sign = if m.x_axis.dot(cofactors.x_axis) < 0.0 { -1.0 } else { 1.0 };
    (cofactors * normal * sign).normalize_or_zero()
}

#[cfg(test)]
mod tests {
    use canter::glam::{Quat, Vec4};

    use super::super::Influences;
    use super::*;

    #[test]
    fn normals_stay_upright_under_uneven_and_mirrored_scale() {
        let slope = Vec3::new(1.0, 1.0, 0.0).normalize();
        for scale in [Vec3::new(2.0, 1.0, 1.0), Vec3::new(-2.0, 1.0, 1.0), Vec3::new(1.0, 1.0, -3.0)] {
            let matrix = Mat4::from_scale_rotation_translation(scale, Quat::from_rotation_y(0.4), Vec3::ONE);
            let expected = (Mat3::from_mat4(matrix).inverse().transpose() * slope).normalize();
            assert!(transform_normal(matrix, slope).abs_diff_eq(expected, 1e-6), "{scale}");
        }
        assert_eq!(transform_normal(Mat4::ZERO, slope), Vec3::ZERO);
    }

    #[test]
    fn morphing_comes_before_skinning() {
        let primitive = Primitive {
            positions: vec![Vec3::X],
            influences: vec![Influences {
                joints: vec![[0, 1, 0, 0]],
                weights: vec![Vec4::new(0.5, 0.5, 0.0, 0.0)],
            }],
            targets: vec![MorphTarget { positions: vec![Vec3::Y], ..MorphTarget::default() }],
            ..Primitive::default()
        };
        let palette = [Mat4::IDENTITY, Mat4::from_scale(Vec3::splat(3.0))];
        let posed = primitive.pose(&[0.5], Placement::Skinned(&palette));
        assert_eq!(posed.positions, [Vec3::new(2.0, 1.0, 0.0)]);
        assert_eq!(posed.bounds(), Some((posed.positions[0], posed.positions[0])));
    }
}
