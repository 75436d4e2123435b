//! The space of a joint: where solvers calculate.

use canter::glam::{Mat3, Vec3};
use canter::{JointId, Mat3x4, ModelPose};

/// Leads from the model into the space of a joint, or stays in the model.
///
/// Limbs are solved in the space of what their first joint hangs on: there its bones keep their lengths,
/// whatever scales, mirrors and shears lie above.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Space {
    /// `model_from_joint` without its translation.
    pub(crate) linear: Mat3,
    pub(crate) origin: Vec3,
    /// `joint_from_model` without its translation.
    pub(crate) inverse: Mat3,
    /// Whether left and right change places.
    pub(crate) mirrors: bool,
}

impl Space {
    pub(crate) const MODEL: Self =
        Self { linear: Mat3::IDENTITY, origin: Vec3::ZERO, inverse: Mat3::IDENTITY, mirrors: false };

    /// That of a joint, or of the model for `None`. `None` if it is flat: scaled to nothing along some axis.
    #[inline]
    pub(crate) fn of(model: &ModelPose, joint: Option<JointId>) -> Option<Self> {
        let Some(joint) = joint else { return Some(Self::MODEL) };
        let matrix = &model.joints()[joint.index()];
        let linear = linear(matrix);
        let (inverse, mirrors) = invert(&linear)?;
        Some(Self { linear, origin: origin(matrix), inverse, mirrors })
    }

    /// The rows of what takes axes of rotations in this space into the model, at some length.
    #[inline]
    pub(crate) fn axis_rows(&self) -> [Vec3; 3] {
        let linear = if self.mirrors { self.linear * -1.0 } else { self.linear };
        [linear.row(0), linear.row(1), linear.row(2)]
    }

    #[inline]
    pub(crate) fn point(&self, point: Vec3) -> Vec3 {
        self.inverse * (point - self.origin)
    }

    /// Where a joint stands, in this space.
    #[inline]
    pub(crate) fn joint(&self, model: &ModelPose, joint: JointId) -> Vec3 {
        self.point(position(model, joint))
    }
}

/// Where a joint stands in the model.
#[inline]
pub(crate) fn position(model: &ModelPose, joint: JointId) -> Vec3 {
    origin(&model.joints()[joint.index()])
}

#[inline]
fn origin(matrix: &Mat3x4) -> Vec3 {
    let [x, y, z] = &matrix.rows;
    Vec3::new(x[3], y[3], z[3])
}

/// A matrix without its translation.
#[inline]
pub(crate) fn linear(matrix: &Mat3x4) -> Mat3 {
    let [x, y, z] = &matrix.rows;
    Mat3::from_cols(Vec3::new(x[0], y[0], z[0]), Vec3::new(x[1], y[1], z[1]), Vec3::new(x[2], y[2], z[2]))
}

/// That of a joint.
#[inline]
pub(crate) fn linear_of(model: &ModelPose, joint: JointId) -> Mat3 {
    linear(&model.joints()[joint.index()])
}

/// Whether a matrix turns and scales evenly only, so that rotations in its space are rotations in the model,
/// too; and whether it mirrors. `None` if it does not.
#[inline]
pub(crate) fn evenness(linear: &Mat3) -> Option<bool> {
    let (x, y, z) = (linear.x_axis, linear.y_axis, linear.z_axis);
    let size = x.length_squared();
    let off = (y.length_squared() - size).abs().max((z.length_squared() - size).abs());
    let skew = x.dot(y).abs().max(y.dot(z).abs()).max(z.dot(x).abs());
    let is_even = off.max(skew) <= 1e-5 * size && size > 1e-12 && size < 1e12;
    is_even.then(|| x.cross(y).dot(z) < 0.0)
}

/// What takes axes of rotations from the model into a space: the cofactors of its matrix.
///
/// Axes turn the other way where a space is mirrored, and cofactors know that. They are as long as they
/// happen to be: rotations bring them back to their length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axes {
    rows: [Vec3; 3],
}

impl Axes {
    /// Those of the model.
    pub(crate) const MODEL: Self = Self { rows: Vec3::AXES };

    /// Those of a joint, or of the model for `None`. `None` if it is flat.
    #[inline]
    pub(crate) fn of(model: &ModelPose, joint: Option<JointId>) -> Option<Self> {
        joint.map_or(Some(Self::MODEL), |joint| Self::new(&linear_of(model, joint)))
    }

    /// Of a matrix that leads from the space; `None` if it is flat.
    #[inline]
    pub(crate) fn new(linear: &Mat3) -> Option<Self> {
        cofactors(linear).map(|(rows, _)| Self { rows })
    }

    #[inline]
    pub(crate) fn rows(&self) -> [Vec3; 3] {
        self.rows
    }

    #[inline]
    pub(crate) fn axis(&self, axis: Vec3) -> Vec3 {
        Vec3::new(self.rows[0].dot(axis), self.rows[1].dot(axis), self.rows[2].dot(axis))
    }
}

/// The inverse and whether it mirrors; `None` if there is none.
#[inline]
pub(crate) fn invert(linear: &Mat3) -> Option<(Mat3, bool)> {
    let (rows, determinant) = cofactors(linear)?;
    let factor = 1.0 / determinant;
    let [x, y, z] = rows;
    let inverse = Mat3::from_cols(x * factor, y * factor, z * factor).transpose();
    Some((inverse, determinant < 0.0)).filter(|(inverse, _)| inverse.is_finite())
}

/// The rows of the inverse times the determinant, and the determinant; `None` if it is flat: scaled to
/// nothing along some axis.
#[inline]
fn cofactors(linear: &Mat3) -> Option<([Vec3; 3], f32)> {
    let (x, y, z) = (linear.x_axis, linear.y_axis, linear.z_axis);
    let (yz, zx, xy) = (y.cross(z), z.cross(x), x.cross(y));
    let determinant = z.dot(xy);
    // Beside the box that the axes would span at right angles: flatter ones are rounding.
    let box_squared = (x.length_squared() * y.length_squared()) * z.length_squared();
    if !(box_squared > 1e-20 && box_squared < 1e20) {
        return odd_cofactors(linear);
    }
    (determinant * determinant > 1e-10 * box_squared).then_some(([yz, zx, xy], determinant))
}

/// The same for scales whose powers are next to nothing or immense.
#[cold]
fn odd_cofactors(linear: &Mat3) -> Option<([Vec3; 3], f32)> {
    let axes = [linear.x_axis, linear.y_axis, linear.z_axis].map(Vec3::as_dvec3);
    let [x, y, z] = axes;
    let rows = [y.cross(z), z.cross(x), x.cross(y)];
    let determinant = z.dot(rows[2]);
    let box_squared: f64 = axes.iter().map(|axis| axis.length_squared()).product();
    if !(determinant * determinant > 1e-10 * box_squared && determinant.is_finite()) {
        return None;
    }
    // All of it by the same factor, which brings the determinant to one: what is divided by it stays what it
    // was, and what is brought to a length, too.
    let factor = 1.0 / determinant.abs();
    Some((rows.map(|row| (row * factor).as_vec3()), if determinant < 0.0 { -1.0 } else { 1.0 }))
}

/// The orientation of a matrix: its axes turned to right angles, x first, and z where those two have it.
#[inline]
pub(crate) fn orientation(linear: &Mat3) -> Option<Mat3> {
    let x = linear.x_axis.try_normalize()?;
    let y = linear.y_axis - x * linear.y_axis.dot(x);
    let y = y.try_normalize()?;
    Some(Mat3::from_cols(x, y, x.cross(y)))
}
