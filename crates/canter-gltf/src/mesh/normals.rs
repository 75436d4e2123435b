//! Normals for meshes that have none.

use canter::glam::Vec3;

/// The normals of a list of triangles: each vertex gets the mean of its triangles' normals, weighted by their
/// area.
pub(super) fn smooth(positions: &[Vec3], triangles: &[u32]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; positions.len()];
    for triangle in triangles.as_chunks::<3>().0 {
        let [a, b, c] = triangle.map(|index| index as usize);
        // Twice the area long: large triangles count for more.
        let normal = (positions[b] - positions[a]).cross(positions[c] - positions[a]);
        for corner in [a, b, c] {
            normals[corner] += normal;
        }
    }
    for normal in &mut normals {
        // A vertex of no triangle, or of none with an area, still needs a direction.
        *normal = normal.normalize_or(Vec3::Y);
    }
    normals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flat_quad_has_one_normal_and_a_lone_vertex_points_up() {
        let positions = [Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Y, Vec3::Y, Vec3::ONE];
        let normals = smooth(&positions, &[0, 1, 2, 0, 2, 3]);
        assert_eq!(normals, [Vec3::Z, Vec3::Z, Vec3::Z, Vec3::Z, Vec3::Y]);
    }
}
