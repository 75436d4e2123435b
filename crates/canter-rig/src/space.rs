//! The space of a joint: where solvers calculate.

use canter::glam::{DAffine3, DVec3, Vec3};
use canter::{JointId, Mat3x4, ModelPose};

use crate::vector::{Matrix3, Vector3, columns, transposed};

/// Leads from the model into the space of a joint, or stays in the model.
///
/// Limbs are solved in the space of what their first joint hangs on: there its bones keep their lengths,
/// whatever scales, mirrors and shears lie above.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Space {
    /// `model_from_joint` without its translation.
    pub(crate) linear: Matrix3,
    pub(crate) origin: Vector3,
    /// `joint_from_model` without its translation.
    pub(crate) inverse: Matrix3,
    /// Whether left and right change places.
    pub(crate) mirrors: bool,
}

impl Space {
    pub(crate) const MODEL: Self =
        Self { linear: Matrix3::IDENTITY, origin: Vector3::ZERO, inverse: Matrix3::IDENTITY, mirrors: false };

    /// That of a joint, or of the model for `None`. `None` if it is flat: scaled to nothing along some axis.
    #[inline]
    pub(crate) fn of(model: &ModelPose, joint: Option<JointId>) -> Option<Self> {
        let Some(joint) = joint else { return Some(Self::MODEL) };
        let (linear, origin) = columns(&model.joints()[joint.index()]);
        let (inverse, mirrors) = invert(&linear)?;
        Some(Self { linear, origin, inverse, mirrors })
    }

    /// The rows of what takes axes of rotations in this space into the model, at some length.
    #[inline]
    pub(crate) fn axis_rows(&self) -> [Vector3; 3] {
        let sign = if self.mirrors { -1.0 } else { 1.0 };
        let rows = self.linear.transpose();
        [rows.x_axis * sign, rows.y_axis * sign, rows.z_axis * sign]
    }

    #[inline]
    pub(crate) fn point(&self, point: Vector3) -> Vector3 {
        self.inverse * (point - self.origin)
    }

    /// Where a joint stands, in this space.
    #[inline]
    pub(crate) fn joint(&self, model: &ModelPose, joint: JointId) -> Vector3 {
        self.point(position(model, joint))
    }
}

/// Where a joint stands in the model.
#[inline]
pub(crate) fn position(model: &ModelPose, joint: JointId) -> Vector3 {
    origin(&model.joints()[joint.index()])
}

#[inline]
fn origin(matrix: &Mat3x4) -> Vector3 {
    let [x, y, z] = &matrix.rows;
    Vector3::new(x[3], y[3], z[3])
}

/// A matrix without its translation.
#[inline]
pub(crate) fn linear(matrix: &Mat3x4) -> Matrix3 {
    columns(matrix).0
}

/// That of a joint.
#[inline]
pub(crate) fn linear_of(model: &ModelPose, joint: JointId) -> Matrix3 {
    linear(&model.joints()[joint.index()])
}

/// The transpose of a joint's matrix without its translation. That of one that turns and scales evenly only is
/// its inverse, but for the scale; and this is how matrices lie in memory.
#[inline]
pub(crate) fn transpose_of(model: &ModelPose, joint: JointId) -> Matrix3 {
    transposed(&model.joints()[joint.index()])
}

/// Whether a matrix turns and scales evenly only, so that rotations in its space are rotations in the model,
/// too; and whether it mirrors. `None` if it does not. Its transpose is as even as it is.
#[inline]
pub(crate) fn evenness(matrix: &Matrix3) -> Option<bool> {
    matrix.is_even().then(|| matrix.determinant() < 0.0)
}

/// What takes axes of rotations from the model into a space: the cofactors of its matrix.
///
/// Axes turn the other way where a space is mirrored, and cofactors know that. They are as long as they
/// happen to be: rotations bring them back to their length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axes {
    rows: [Vector3; 3],
}

impl Axes {
    /// Those of the model.
    pub(crate) const MODEL: Self = Self { rows: Vector3::AXES };

    /// Those of a joint, or of the model for `None`. `None` if it is flat.
    #[inline]
    pub(crate) fn of(model: &ModelPose, joint: Option<JointId>) -> Option<Self> {
        joint.map_or(Some(Self::MODEL), |joint| Self::new(&linear_of(model, joint)))
    }

    /// Of a matrix that leads from the space; `None` if it is flat.
    #[inline]
    pub(crate) fn new(linear: &Matrix3) -> Option<Self> {
        cofactors(linear).map(|(rows, _)| Self { rows })
    }

    #[inline]
    pub(crate) fn rows(&self) -> [Vector3; 3] {
        self.rows
    }

    #[inline]
    pub(crate) fn axis(&self, axis: Vector3) -> Vector3 {
        let [x, y, z] = self.rows;
        Matrix3::from_cols(x, y, z).dots(axis)
    }
}

/// A place in the world as a model sees it; not a number if the model is flat.
pub(crate) fn point_in_model(world_from_model: &DAffine3, place: DVec3) -> Vec3 {
    let way = (place - world_from_model.translation).as_vec3();
    let inverse = invert(&Matrix3::from_double(&world_from_model.matrix3));
    inverse.map_or(Vec3::NAN, |(inverse, _)| (inverse * way).into())
}

/// The inverse and whether it mirrors; `None` if there is none.
#[inline]
pub(crate) fn invert(linear: &Matrix3) -> Option<(Matrix3, bool)> {
    let (rows, determinant) = cofactors(linear)?;
    let factor = 1.0 / determinant;
    let [x, y, z] = rows;
    let inverse = Matrix3::from_cols(x * factor, y * factor, z * factor).transpose();
    Some((inverse, determinant < 0.0)).filter(|(inverse, _)| inverse.is_finite())
}

/// The rows of the inverse times the determinant, and the determinant; `None` if it is flat: scaled to
/// nothing along some axis.
#[inline]
fn cofactors(linear: &Matrix3) -> Option<([Vector3; 3], f32)> {
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
fn odd_cofactors(linear: &Matrix3) -> Option<([Vector3; 3], f32)> {
    let axes = [linear.x_axis, linear.y_axis, linear.z_axis].map(|axis| Vec3::from(axis).as_dvec3());
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
    Some((rows.map(|row| (row * factor).as_vec3().into()), if determinant < 0.0 { -1.0 } else { 1.0 }))
}

/// The orientation of a matrix: its axes turned to right angles, x first, and z where those two have it.
#[inline]
pub(crate) fn orientation(linear: &Matrix3) -> Option<Matrix3> {
    let x = linear.x_axis.try_normalize()?;
    let y = linear.y_axis - x * linear.y_axis.dot(x);
    let y = y.try_normalize()?;
    Some(Matrix3::from_cols(x, y, x.cross(y)))
}
