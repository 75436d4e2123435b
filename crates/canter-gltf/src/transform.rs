//! The rest transform of a node: translation, rotation and scale, or a matrix that is taken apart.

use canter::glam::{DQuat, Mat4, Quat, Vec3};
use canter::{FloatText, Transform};

use crate::error::Failure;
use crate::place::Place;
use crate::schema::node::Node;
use crate::warning::{Report, WarningCode};

/// A matrix that is rebuilt from its parts may differ by this much, relative to its largest entry.
const SHEAR_TOLERANCE: f32 = 1e-4;

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
        report.warn(
            place,
            WarningCode::MatrixAndParts,
            "the node has a matrix and translation, rotation or scale; the matrix is used",
        );
    }
    let matrix = Mat4::from_cols_array(matrix);
    if !matrix.is_finite() {
        return Err(place.invalid("a number that is not finite", "16 finite numbers"));
    }
    let parts = Transform::from_mat4(matrix);
    let largest =
        matrix.to_cols_array().into_iter().fold(0.0, |largest: f32, entry| largest.max(entry.abs()));
    if !parts.to_mat4().abs_diff_eq(matrix, SHEAR_TOLERANCE * largest) {
        report.warn(
            place,
            WarningCode::MatrixShears,
            "it is no translation, rotation and scale (it shears); the nearest parts are used",
        );
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
        report.warn(place, WarningCode::ZeroQuaternion, "the quaternion is zero; it is read as no rotation");
        return Ok(Quat::IDENTITY);
    }
    // Exporters round to three digits at worst.
    if (length - 1.0).abs() > 0.01 {
        report.warn(
            place,
            WarningCode::QuaternionLength,
            format_args!("the quaternion has length {:.3}; it was normalised", FloatText(length)),
        );
    }
    Ok((quat / length).as_quat())
}
