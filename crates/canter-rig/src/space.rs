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
    pub(crate) fn of(model: &ModelPose, joint: Option<JointId>) -> Option<Self> {
        let Some(joint) = joint else { return Some(Self::MODEL) };
        let matrix = &model.joints()[joint.index()];
        let linear = linear(matrix);
        let (inverse, mirrors) = invert(&linear)?;
        Some(Self { linear, origin: origin(matrix), inverse, mirrors })
    }

    pub(crate) fn point(&self, point: Vec3) -> Vec3 {
        self.inverse * (point - self.origin)
    }

    /// Where a joint stands, in this space.
    pub(crate) fn joint(&self, model: &ModelPose, joint: JointId) -> Vec3 {
        self.point(position(model, joint))
    }
}

/// Where a joint stands in the model.
pub(crate) fn position(model: &ModelPose, joint: JointId) -> Vec3 {
    origin(&model.joints()[joint.index()])
}

fn origin(matrix: &Mat3x4) -> Vec3 {
    let [x, y, z] = &matrix.rows;
    Vec3::new(x[3], y[3], z[3])
}

/// A matrix without its translation.
pub(crate) fn linear(matrix: &Mat3x4) -> Mat3 {
    let [x, y, z] = &matrix.rows;
    Mat3::from_cols(Vec3::new(x[0], y[0], z[0]), Vec3::new(x[1], y[1], z[1]), Vec3::new(x[2], y[2], z[2]))
}

/// That of a joint.
pub(crate) fn linear_of(model: &ModelPose, joint: JointId) -> Mat3 {
    linear(&model.joints()[joint.index()])
}

/// The inverse and whether it mirrors; `None` if there is none.
pub(crate) fn invert(linear: &Mat3) -> Option<(Mat3, bool)> {
    let (x, y, z) = (linear.x_axis, linear.y_axis, linear.z_axis);
    let (yz, zx, xy) = (y.cross(z), z.cross(x), x.cross(y));
    let determinant = z.dot(xy);
    // Beside the box that the axes would span at right angles: flatter ones are rounding.
    let box_squared = [x, y, z].map(|axis| f64::from(axis.length_squared())).iter().product::<f64>();
    let squared = f64::from(determinant) * f64::from(determinant);
    if !(squared > 1e-10 * box_squared && determinant.is_finite()) {
        return None;
    }
    let inverse = Mat3::from_cols(yz, zx, xy).transpose();
    Some((scaled(inverse, 1.0 / determinant), determinant < 0.0)).filter(|(inverse, _)| inverse.is_finite())
}

fn scaled(m: Mat3, factor: f32) -> Mat3 {
    Mat3::from_cols(m.x_axis * factor, m.y_axis * factor, m.z_axis * factor)
}

/// The orientation of a matrix: its axes turned to right angles, x first, and z where those two have it.
pub(crate) fn orientation(linear: &Mat3) -> Option<Mat3> {
    let x = linear.x_axis.try_normalize()?;
    let y = linear.y_axis - x * linear.y_axis.dot(x);
    let y = y.try_normalize()?;
    Some(Mat3::from_cols(x, y, x.cross(y)))
}
