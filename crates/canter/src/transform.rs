//! Translation, rotation, scale: where a joint stands relative to its parent.

use glam::{DMat3, DQuat, DVec3, Mat4, Quat, Vec3};

/// A translation, a rotation and a scale, applied to a point in the order scale, rotation, translation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Transform {
    /// In metres.
    pub translation: Vec3,
    /// A unit quaternion.
    pub rotation: Quat,
    /// One factor per axis; may be negative (a mirror).
    pub scale: Vec3,
}

/// The largest magnitude of a number that a skeleton, a clip, a skin, a file or a scene may hold: 10¹⁸.
///
/// Sums and products of two such numbers stay finite in `f32`, which is what lets the per-frame
/// functions do without checks.
pub const LARGEST: f32 = 1e18;

/// [`LARGEST`] in double precision, where it is a little larger: 10¹⁸ itself is not a number of `f32`.
pub const LARGEST_F64: f64 = 1e18;

/// Whether every number is finite and at most [`LARGEST`] in magnitude.
pub(crate) fn in_range(numbers: &[f32]) -> bool {
    numbers.iter().all(|number| number.abs() <= LARGEST)
}

impl Transform {
    /// Leaves every point where it is.
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// A translation without rotation or scale.
    #[must_use]
    pub const fn from_translation(translation: Vec3) -> Self {
        Self { translation, ..Self::IDENTITY }
    }

    /// A rotation without translation or scale.
    #[must_use]
    pub const fn from_rotation(rotation: Quat) -> Self {
        Self { rotation, ..Self::IDENTITY }
    }

    /// A scale without translation or rotation.
    #[must_use]
    pub const fn from_scale(scale: Vec3) -> Self {
        Self { scale, ..Self::IDENTITY }
    }

    /// Takes a matrix apart. What a matrix has beyond translation, rotation and scale (shear, projection) is
    /// lost: the axes are turned to right angles, x first. An axis without length keeps scale zero and gets
    /// some right angle. Of a mirrored matrix the scale along z is negative.
    #[must_use]
    pub fn from_mat4(matrix: Mat4) -> Self {
        // In double precision: no square overflows or vanishes, and what comes out is exact to the last bit
        // or two.
        let matrix = matrix.as_dmat4();
        let linear = DMat3::from_mat4(matrix);
        // Gram and Schmidt; an axis that the matrix flattens is replaced by one at right angles to the
        // others.
        let x = linear.x_axis.try_normalize().unwrap_or_else(|| {
            let other = linear.y_axis.cross(linear.z_axis).try_normalize();
            other
                .or_else(|| linear.y_axis.try_normalize().map(DVec3::any_orthonormal_vector))
                .unwrap_or(linear.z_axis.try_normalize().map_or(DVec3::X, DVec3::any_orthonormal_vector))
        });
        // What rounding leaves of an axis along x has no direction of its own.
        let beside_x = |axis: DVec3| {
            let rest = axis.reject_from_normalized(x);
            rest.try_normalize().filter(|_| rest.length() > 1e-9 * axis.length())
        };
        let y = beside_x(linear.y_axis)
            .or_else(|| beside_x(linear.z_axis).map(|z| z.cross(x)))
            .unwrap_or_else(|| x.any_orthonormal_vector());
        let z = x.cross(y);
        let scale = DVec3::new(x.dot(linear.x_axis), y.dot(linear.y_axis), z.dot(linear.z_axis));
        Self {
            translation: matrix.w_axis.truncate().as_vec3(),
            rotation: DQuat::from_mat3(&DMat3::from_cols(x, y, z)).normalize().as_quat(),
            scale: scale.as_vec3(),
        }
    }

    /// The same as a matrix.
    #[must_use]
    pub fn to_mat4(self) -> Mat4 {
        Mat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// Whether no number is infinite, NaN, or too large to calculate with, and the rotation is not zero.
    pub(crate) fn check(&self) -> Result<(), &'static str> {
        if !in_range(&self.translation.to_array()) {
            Err("translation is not a finite number of ordinary size")
        } else if !in_range(&self.scale.to_array()) {
            Err("scale is not a finite number of ordinary size")
        } else if !in_range(&self.rotation.to_array()) {
            Err("rotation is not a finite number of ordinary size")
        } else if normalized(self.rotation.to_array()).is_none() {
            Err("rotation is a quaternion of length zero")
        } else {
            Ok(())
        }
    }
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// A quaternion divided by its length, or `None` if it has none. In double precision, so that
/// the result is as near to length one as `f32` can be; one that is already so comes back as it is.
pub(crate) fn normalized(quaternion: [f32; 4]) -> Option<[f32; 4]> {
    // What rounding four components to f32 leaves of length one, twice over.
    const ROUNDING: f64 = 2.4e-7;
    // Shorter ones are noise: no exporter writes them, and dividing would amplify rounding.
    const SHORTEST: f64 = 1e-12;
    let wide = quaternion.map(f64::from);
    let squared = wide.iter().map(|x| x * x).sum::<f64>();
    if (squared - 1.0).abs() <= ROUNDING {
        return Some(quaternion);
    }
    let length = squared.sqrt();
    #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
    (length > SHORTEST && length.is_finite()).then(|| wide.map(|x| (x / length) as f32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_comes_apart_and_together_again() {
        for scale in [Vec3::new(1.0, 2.0, 0.5), Vec3::new(-1.0, 2.0, 3.0), Vec3::splat(-0.01)] {
            let transform = Transform {
                translation: Vec3::new(1.0, -2.0, 3.0),
                rotation: Quat::from_xyzw(0.1, 0.2, 0.3, 0.9).normalize(),
                scale,
            };
            let again = Transform::from_mat4(transform.to_mat4()).to_mat4();
            assert!(again.abs_diff_eq(transform.to_mat4(), 1e-5), "{again} {}", transform.to_mat4());
        }
    }

    #[test]
    fn a_flat_matrix_gives_no_nan() {
        for scale in
            [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(0.0, 2.0, 1.0), Vec3::new(1.0, 0.0, -2.0)]
        {
            let rotation = Quat::from_rotation_y(0.7);
            let matrix = Mat4::from_scale_rotation_translation(scale, rotation, Vec3::ONE);
            let transform = Transform::from_mat4(matrix);
            assert!(transform.rotation.is_normalized());
            assert!(transform.to_mat4().abs_diff_eq(matrix, 1e-6), "{scale}");
        }
    }

    /// Rounding leaves axes along each other a direction at right angles, which was taken for one of theirs.
    #[test]
    fn axes_along_each_other_give_a_rotation() {
        let x = Vec3::new(0.1, 0.7, -0.3);
        for [y, z] in [[x * 3.0, x * -0.7], [x * 3.0, Vec3::Z], [Vec3::ZERO, x * 3.0], [Vec3::Z, x * 5.0]] {
            let matrix = Mat4::from_cols(x.extend(0.0), y.extend(0.0), z.extend(0.0), Vec3::ONE.extend(1.0));
            let Transform { rotation, scale, .. } = Transform::from_mat4(matrix);
            assert!(rotation.is_normalized() && scale.is_finite(), "{y} {z}: {rotation} {scale}");
            assert!((rotation * Vec3::X * scale.x).abs_diff_eq(x, 1e-6), "{y} {z}");
        }
    }
}
