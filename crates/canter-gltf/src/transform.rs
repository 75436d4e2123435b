//! The rest transform of a node: translation, rotation and scale, or a matrix that is taken apart.

use canter::glam::{DMat3, DMat4, DQuat, DVec3, Quat, Vec3};
use canter::{FloatText, Transform};

use crate::error::Failure;
use crate::place::Place;
use crate::schema::node::Node;
use crate::warning::Report;

/// A matrix that is rebuilt from its parts may differ by this much, relative to its largest entry.
const SHEAR_TOLERANCE: f64 = 1e-4;

/// The rest transform of a node.
pub(crate) fn rest(node: &Node<'_>, place: &Place<'_>, report: &Report) -> Result<Transform, Failure> {
    let Some(matrix) = &node.matrix else {
        let rest = Transform {
            translation: vector(node.translation, Vec3::ZERO, &place.field("translation"))?,
            rotation: rotation(node.rotation, &place.field("rotation"), report)?,
            scale: vector(node.scale, Vec3::ONE, &place.field("scale"))?,
        };
        return Ok(rest);
    };
    let place = &place.field("matrix");
    if node.translation.is_some() || node.rotation.is_some() || node.scale.is_some() {
        report.warn(place, "the node has a matrix and translation, rotation or scale; the matrix is used");
    }
    let matrix = DMat4::from_cols_array(&matrix.map(f64::from));
    if !matrix.is_finite() {
        return Err(place.invalid("a number that is not finite", "16 finite numbers"));
    }
    let (parts, rebuilt) = decompose(matrix);
    let largest =
        matrix.to_cols_array().into_iter().fold(0.0, |largest: f64, entry| largest.max(entry.abs()));
    if !rebuilt.abs_diff_eq(matrix, SHEAR_TOLERANCE * largest) {
        report
            .warn(place, "it is no translation, rotation and scale (it shears); the nearest parts are used");
    }
    Ok(parts)
}

fn vector(given: Option<[f32; 3]>, default: Vec3, place: &Place<'_>) -> Result<Vec3, Failure> {
    let vector = given.map_or(default, Vec3::from_array);
    if vector.is_finite() {
        Ok(vector)
    } else {
        Err(place.invalid("a number that is not finite", "finite numbers"))
    }
}

fn rotation(given: Option<[f32; 4]>, place: &Place<'_>, report: &Report) -> Result<Quat, Failure> {
    let Some(given) = given else { return Ok(Quat::IDENTITY) };
    let quat = DQuat::from_array(given.map(f64::from));
    if !quat.is_finite() {
        return Err(place.invalid("a number that is not finite", "finite numbers"));
    }
    let length = quat.length();
    if length == 0.0 {
        report.warn(place, "the quaternion is zero; it is read as no rotation");
        return Ok(Quat::IDENTITY);
    }
    // Exporters round to three digits at worst.
    if (length - 1.0).abs() > 0.01 {
        report.warn(
            place,
            format_args!("the quaternion has length {:.3}; it was normalised", FloatText(length)),
        );
    }
    Ok((quat / length).as_quat())
}

/// The parts of a matrix, and the matrix that they make.
fn decompose(matrix: DMat4) -> (Transform, DMat4) {
    let linear = DMat3::from_mat4(matrix);
    // Gram and Schmidt; an axis that the matrix flattens is replaced by one that is upright on the others.
    let x = linear.x_axis.try_normalize().unwrap_or_else(|| {
        let other = linear.y_axis.cross(linear.z_axis).try_normalize();
        other
            .or_else(|| linear.y_axis.try_normalize().map(DVec3::any_orthonormal_vector))
            .unwrap_or(linear.z_axis.try_normalize().map_or(DVec3::X, DVec3::any_orthonormal_vector))
    });
    let y = linear.y_axis.reject_from_normalized(x).try_normalize().unwrap_or_else(|| {
        linear.z_axis.cross(x).try_normalize().unwrap_or_else(|| x.any_orthonormal_vector())
    });
    let z = x.cross(y);
    // A mirrored matrix has a negative factor here, and z is right-handed all the same.
    let scale = DVec3::new(x.dot(linear.x_axis), y.dot(linear.y_axis), z.dot(linear.z_axis));
    let rotation = DQuat::from_mat3(&DMat3::from_cols(x, y, z)).normalize();
    let translation = matrix.w_axis.truncate();
    let parts = Transform {
        translation: translation.as_vec3(),
        rotation: rotation.as_quat(),
        scale: scale.as_vec3(),
    };
    (parts, DMat4::from_scale_rotation_translation(scale, rotation, translation))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrices_come_apart_and_together_again() {
        let rotation = DQuat::from_euler(canter::glam::EulerRot::XYZ, 0.3, -1.2, 2.5);
        for scale in [
            DVec3::ONE,
            DVec3::new(0.01, 3.0, 100.0),
            DVec3::new(1.0, 1.0, -2.0),
            DVec3::new(-1.0, -2.0, 3.0),
        ] {
            let matrix = DMat4::from_scale_rotation_translation(scale, rotation, DVec3::new(1.0, 2.0, 3.0));
            let (_, rebuilt) = decompose(matrix);
            assert!(rebuilt.abs_diff_eq(matrix, 1e-12), "{scale}");
        }
    }

    #[test]
    fn flat_matrices_have_finite_parts() {
        for flat in
            [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::new(0.0, 1.0, 2.0), DVec3::new(1.0, 0.0, 2.0)]
        {
            let rotation = DQuat::from_rotation_y(0.7);
            let matrix = DMat4::from_scale_rotation_translation(flat, rotation, DVec3::ONE);
            let (parts, rebuilt) = decompose(matrix);
            assert!(parts.rotation.is_normalized() && rebuilt.abs_diff_eq(matrix, 1e-12), "{flat}");
        }
    }
}
