//! Which joints a mesh follows, and the palette of matrices that moves its vertices.

#[cfg(test)]
mod tests;

use std::fmt;

use fearless_simd::{Level, Simd, SimdBase as _};
use glam::{Mat4, Vec4};

use crate::float_text::FloatText;
use crate::kernel::dispatch;
use crate::mat3x4::{Mat3x4, multiply, multiply_pair};
use crate::model_pose::ModelPose;
use crate::palette::PaletteMatrix;
use crate::skeleton::{JointId, Skeleton};
use crate::transform::in_range;

/// The joints that a mesh follows, each with its `joint_from_mesh` matrix. Several skins may share a
/// skeleton.
///
/// The palette has one `model_from_mesh` matrix per joint of the skin: `model_from_joint * joint_from_mesh`.
/// It is relative to the character; the transform of the node that carries the mesh does not enter it, as
/// glTF says.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    joints: Vec<JointId>,
    joint_from_mesh: Vec<Mat3x4>,
    /// How many joints a model pose must have.
    joint_count: usize,
}

impl Skin {
    /// A skin of a skeleton; the joints in the order in which the mesh's vertices count them.
    ///
    /// # Errors
    /// If there are not as many matrices as joints, a joint does not exist, a matrix is not finite or not
    /// affine.
    #[doc(alias = "inverse bind matrix")]
    pub fn new(
        skeleton: &Skeleton,
        joints: Vec<JointId>,
        joint_from_mesh: &[Mat4],
    ) -> Result<Self, SkinError> {
        let joint_count = skeleton.joint_count();
        if joints.len() != joint_from_mesh.len() {
            return Err(SkinError::WrongMatrixCount { found: joint_from_mesh.len(), expected: joints.len() });
        }
        for (index, (joint, matrix)) in joints.iter().zip(joint_from_mesh).enumerate() {
            if joint.index() >= joint_count {
                let joint = joint.index();
                return Err(SkinError::NoSuchJoint { index, joint, joints: joint_count });
            }
            if !in_range(&matrix.to_cols_array()) {
                return Err(SkinError::NotFinite { index });
            }
            if matrix.row(3) != Vec4::W {
                return Err(SkinError::NotAffine { index, last_row: matrix.row(3).to_array() });
            }
        }
        let joint_from_mesh = joint_from_mesh.iter().map(|matrix| Mat3x4::from_mat4(*matrix)).collect();
        Ok(Self { joints, joint_from_mesh, joint_count })
    }

    /// How many joints it has: the length of its palette.
    #[must_use]
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Whether it has no joints.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// Whether it can be used with poses of this skeleton: whether it was made for one of as many joints.
    #[must_use]
    pub fn fits(&self, skeleton: &Skeleton) -> bool {
        self.joint_count == skeleton.joint_count()
    }

    /// Its joints, in the order in which the mesh's vertices count them.
    #[must_use]
    pub fn joints(&self) -> &[JointId] {
        &self.joints
    }

    /// The matrices from the mesh to each joint in the bind pose.
    #[doc(alias = "inverse bind matrices")]
    #[must_use]
    pub fn joint_from_mesh(&self) -> &[Mat3x4] {
        &self.joint_from_mesh
    }

    /// Writes the palette, as [`Mat4`] or as the smaller [`Mat3x4`]: whichever `palette` is a slice of.
    ///
    /// # Panics
    /// If `palette` is not as long as the skin, or `model` is of a skeleton of another size.
    pub fn write_palette<M: PaletteMatrix>(&self, model: &ModelPose, palette: &mut [M]) {
        self.write_palette_at(Level::new(), model, palette);
    }

    #[cfg_attr(canter_web, optimize(speed), inline(never))]
    pub(crate) fn write_palette_at<M: PaletteMatrix>(
        &self,
        level: Level,
        model: &ModelPose,
        palette: &mut [M],
    ) {
        self.assert_fits(model, palette.len());
        dispatch!(level, simd => self.write_products(simd, model.joints(), palette));
    }

    #[inline(always)]
    fn write_products<S: Simd, M: PaletteMatrix>(&self, simd: S, model: &[Mat3x4], palette: &mut [M]) {
        let mut written = 0;
        // Two at a time where registers are wide enough; then the last one if their number is odd.
        if const { S::f32s::LEN >= 8 } {
            let (palette, _) = palette.as_chunks_mut::<2>();
            let (joints, _) = self.joints.as_chunks::<2>();
            let (joint_from_mesh, _) = self.joint_from_mesh.as_chunks::<2>();
            written = 2 * palette.len();
            for (([first, second], joints), matrices) in palette.iter_mut().zip(joints).zip(joint_from_mesh) {
                let model_from_joint = [&model[joints[0].index()], &model[joints[1].index()]];
                let [product, other] = multiply_pair(simd, model_from_joint, matrices).split();
                first.write(simd, product);
                second.write(simd, other);
            }
        }
        let joints = self.joints.iter().zip(&self.joint_from_mesh).skip(written);
        for (out, (joint, joint_from_mesh)) in palette.iter_mut().skip(written).zip(joints) {
            out.write(simd, multiply(simd, &model[joint.index()], joint_from_mesh.rows.each_ref()));
        }
    }

    fn assert_fits(&self, model: &ModelPose, palette: usize) {
        assert!(palette == self.len(), "a palette of {palette} matrices for a skin of {}", self.len());
        assert!(
            model.joint_count() == self.joint_count,
            "a model pose of {} joints for a skin of a skeleton of {}",
            model.joint_count(),
            self.joint_count
        );
    }
}

/// Why joints and matrices make no skin.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SkinError {
    /// There is not one matrix per joint.
    WrongMatrixCount {
        /// How many matrices there are.
        found: usize,
        /// How many joints there are.
        expected: usize,
    },
    /// A joint is not in the skeleton.
    NoSuchJoint {
        /// Its place in the skin.
        index: usize,
        /// Its place in the skeleton.
        joint: usize,
        /// How many joints the skeleton has.
        joints: usize,
    },
    /// A matrix has a number that is infinite, NaN, or astronomically large.
    NotFinite {
        /// Its place in the skin.
        index: usize,
    },
    /// A matrix has a fourth row other than 0, 0, 0, 1.
    NotAffine {
        /// Its place in the skin.
        index: usize,
        /// The row.
        last_row: [f32; 4],
    },
}

impl fmt::Display for SkinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongMatrixCount { found, expected } => {
                write!(f, "{found} inverse bind matrices for {expected} joints; expected one for each")
            }
            Self::NoSuchJoint { index, joint, joints } => {
                write!(f, "joint {index} of the skin is {joint}, but the skeleton has only {joints} joints")
            }
            Self::NotFinite { index } => {
                write!(f, "inverse bind matrix {index} has a number that is not finite or too large")
            }
            Self::NotAffine { index, last_row } => {
                let [x, y, z, w] = last_row.map(|number| FloatText(number.into()));
                write!(
                    f,
                    "the last row of inverse bind matrix {index} is {x}, {y}, {z}, {w}; expected 0, 0, 0, 1"
                )
            }
        }
    }
}

impl std::error::Error for SkinError {}
