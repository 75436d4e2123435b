//! Translation, rotation, scale: where a joint stands relative to its parent.

use glam::{Mat3, Mat4, Quat, Vec3};

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
pub(crate) fn are_tame(numbers: &[f32]) -> bool {
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

    /// Takes a matrix apart. What a matrix has beyond translation, rotation and scale (shear,
    /// projection) is lost; an axis without length keeps scale zero and gets some right angle.
    #[must_use]
    pub fn from_mat4(matrix: Mat4) -> Self {
        let translation = matrix.w_axis.truncate();
        let mut axes = Mat3::from_mat4(matrix);
        let mut scale = Vec3::new(axes.x_axis.length(), axes.y_axis.length(), axes.z_axis.length());
        if axes.determinant() < 0.0 {
            scale.x = -scale.x;
        }
        for (index, factor) in scale.to_array().into_iter().enumerate() {
            *axes.col_mut(index) /= factor;
        }
        // Sheared axes give a quaternion of another length.
        let rotation = Quat::from_mat3(&right_angled(axes)).to_array();
        let rotation = normalized(rotation).map_or(Quat::IDENTITY, Quat::from_array);
        Self { translation, rotation, scale }
    }

    /// The same as a matrix.
    #[must_use]
    pub fn to_mat4(self) -> Mat4 {
        Mat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// Whether no number is infinite, NaN, or too large to calculate with, and the rotation is not zero.
    pub(crate) fn check(&self) -> Result<(), &'static str> {
        if !are_tame(&self.translation.to_array()) {
            Err("translation is not a finite number of ordinary size")
        } else if !are_tame(&self.scale.to_array()) {
            Err("scale is not a finite number of ordinary size")
        } else if !are_tame(&self.rotation.to_array()) {
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

/// Replaces axes that have no direction by ones at right angles to the others.
fn right_angled(axes: Mat3) -> Mat3 {
    let [x, y, z] = [axes.x_axis, axes.y_axis, axes.z_axis];
    match [x, y, z].map(Vec3::is_finite) {
        [true, true, true] => axes,
        [true, true, false] => Mat3::from_cols(x, y, x.cross(y)),
        [true, false, true] => Mat3::from_cols(x, z.cross(x), z),
        [false, true, true] => Mat3::from_cols(y.cross(z), y, z),
        [true, false, false] => from_first(x, Mat3::from_cols),
        [false, true, false] => from_first(y, |a, b, c| Mat3::from_cols(c, a, b)),
        [false, false, true] => from_first(z, |a, b, c| Mat3::from_cols(b, c, a)),
        [false, false, false] => Mat3::IDENTITY,
    }
}

fn from_first(axis: Vec3, arrange: impl Fn(Vec3, Vec3, Vec3) -> Mat3) -> Mat3 {
    let (second, third) = axis.any_orthonormal_pair();
    arrange(axis, second, third)
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
        for scale in [Vec3::ZERO, Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 2.0, 1.0)] {
            let transform = Transform::from_mat4(Mat4::from_scale(scale));
            assert!(transform.rotation.is_finite() && transform.rotation.is_normalized());
            assert!(transform.to_mat4().abs_diff_eq(Mat4::from_scale(scale), 1e-6));
        }
    }
}
