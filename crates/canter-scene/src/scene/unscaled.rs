//! A place without its scale.

use canter::glam::{DAffine3, DMat3, DVec3};

/// The same place with axes of length one at right angles, for any matrix.
///
/// Y keeps its direction, since that is where most rigs have the next joint; Z is turned until it is upright
/// on Y, and X is upright on both. So a scale along the axes is taken off exactly, a shear favours the bone's
/// direction, and a mirror turns X around. Axes that are squashed flat are replaced by ones at right angles
/// to the others.
pub(super) fn unscaled(place: DAffine3) -> DAffine3 {
    let [x, y, z] = [place.matrix3.x_axis, place.matrix3.y_axis, place.matrix3.z_axis].map(direction);
    let upright = |along: DVec3, on: DVec3| direction_above(along - on * along.dot(on), FLAT);
    let y = y.or_else(|| direction_above(z?.cross(x?), FLAT));
    let y = y.or_else(|| Some(z.or(x)?.any_orthonormal_vector())).unwrap_or(DVec3::Y);
    let z = z.and_then(|z| upright(z, y)).or_else(|| direction_above(x?.cross(y), FLAT));
    let z = z.unwrap_or_else(|| y.any_orthonormal_vector());
    DAffine3 { matrix3: DMat3::from_cols(y.cross(z), y, z), translation: place.translation }
}

/// Axes nearer to each other than this are one axis and the rounding of `f32`.
const FLAT: f64 = 1e-6;

/// A vector of length one, however long it was; `None` if it had no length.
fn direction(vector: DVec3) -> Option<DVec3> {
    // The square of a very small number is zero, that of a very large one infinite.
    let largest = vector.abs().max_element();
    direction_above(vector / largest, 0.0)
}

/// A vector of length one, if it was longer than `shortest`.
fn direction_above(vector: DVec3, shortest: f64) -> Option<DVec3> {
    let length = vector.length();
    (length > shortest).then(|| vector / length)
}

#[cfg(test)]
mod tests {
    use canter::glam::{DQuat, EulerRot};

    use super::*;

    fn rotation() -> DMat3 {
        DMat3::from_quat(DQuat::from_euler(EulerRot::XYZ, 0.4, -1.1, 2.5))
    }

    fn axes(matrix3: DMat3) -> DMat3 {
        let unscaled = unscaled(DAffine3 { matrix3, translation: DVec3::X });
        assert_eq!(unscaled.translation, DVec3::X);
        unscaled.matrix3
    }

    fn is_rotation(axes: DMat3) -> bool {
        (axes * axes.transpose()).abs_diff_eq(DMat3::IDENTITY, 1e-12) && axes.determinant() > 0.0
    }

    #[test]
    fn a_scale_along_the_axes_is_taken_off() {
        for scale in
            [DVec3::ONE, DVec3::new(0.1, 7.0, 2.0), DVec3::splat(1e-30), DVec3::new(1e18, 1e-18, 1.0)]
        {
            let found = axes(rotation() * DMat3::from_diagonal(scale));
            assert!(found.abs_diff_eq(rotation(), 1e-12), "{scale}");
        }
    }

    #[test]
    fn a_mirror_becomes_a_rotation() {
        for scale in [DVec3::new(-1.0, 1.0, 1.0), DVec3::new(2.0, 1.0, -3.0), DVec3::splat(-1.0)] {
            assert!(is_rotation(axes(rotation() * DMat3::from_diagonal(scale))), "{scale}");
        }
        let mirrored = axes(rotation() * DMat3::from_diagonal(DVec3::new(-2.0, 1.0, 1.0)));
        assert!(mirrored.abs_diff_eq(rotation(), 1e-12));
    }

    #[test]
    fn a_sheared_place_keeps_the_direction_of_the_bone() {
        let sheared = DMat3::from_diagonal(DVec3::new(1.0, 3.0, 0.5)) * rotation();
        let found = axes(sheared);
        assert!(is_rotation(found));
        assert!(found.y_axis.abs_diff_eq(sheared.y_axis.normalize(), 1e-12));
        assert!(found.z_axis.dot(sheared.z_axis) > 0.0 && found.x_axis.dot(sheared.x_axis) > 0.0);
    }

    #[test]
    fn axes_without_length_or_direction_become_some_rotation() {
        let (x, y, z) = (DVec3::X, DVec3::Y, DVec3::Z);
        let o = DVec3::ZERO;
        for (matrix, expected) in [
            ([x, o, z], [x, y, z]),
            ([o, y, z], [x, y, z]),
            ([x, y, o], [x, y, z]),
            ([x, y, y], [x, y, z]),
            ([x, y + z * 1e-9, y], [x, y, z]),
        ] {
            let found = axes(rotation() * DMat3::from_cols(matrix[0], matrix[1], matrix[2]));
            let expected = rotation() * DMat3::from_cols(expected[0], expected[1], expected[2]);
            assert!(found.abs_diff_eq(expected, 1e-6), "{matrix:?}");
        }
        for matrix in [[o, o, o], [x, o, o], [o, y, o], [o, o, z], [x, o, x], [y, y, y]] {
            assert!(
                is_rotation(axes(rotation() * DMat3::from_cols(matrix[0], matrix[1], matrix[2]))),
                "{matrix:?}"
            );
        }
    }
}
