//! A box along the axes, and what makes it for a pose: a box per joint.

mod joint_boxes;
mod kernel;

use canter::glam::{Affine3A, Vec3};

pub(crate) use joint_boxes::JointBoxes;

/// A box along the axes, relative to a character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The min coordinates.
    pub min: Vec3,
    /// The max coordinates.
    pub max: Vec3,
}

impl Bounds {
    /// A box around nothing: its min is greater than its max.
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// A box around everything that has coordinates.
    pub(crate) const ALL: Self = Self { min: Vec3::MIN, max: Vec3::MAX };

    /// The smallest box around points.
    #[must_use]
    pub fn around(points: impl IntoIterator<Item = Vec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |bounds, point| bounds.with(point))
    }

    /// Whether nothing is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.min.cmpgt(self.max).any()
    }

    /// The smallest box around both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The smallest box around this one and a point.
    pub(crate) fn with(&self, point: Vec3) -> Self {
        Self { min: self.min.min(point), max: self.max.max(point) }
    }

    /// Whether a point lies in it or on its faces.
    #[must_use]
    pub fn contains(&self, point: Vec3) -> bool {
        point.cmpge(self.min).all() && point.cmple(self.max).all()
    }

    /// The point in the middle.
    #[must_use]
    pub fn center(&self) -> Vec3 {
        self.min.midpoint(self.max)
    }

    /// From the middle to the faces.
    #[must_use]
    pub fn half_size(&self) -> Vec3 {
        (self.max - self.min) * 0.5
    }

    /// From face to face.
    #[must_use]
    pub fn size(&self) -> Vec3 {
        self.max - self.min
    }

    /// The smallest box along the other axes around this one.
    #[must_use]
    pub fn transformed(&self, there_from_here: &Affine3A) -> Self {
        if self.is_empty() {
            return *self;
        }
        let center = there_from_here.transform_point3(self.center());
        let (half, matrix) = (self.half_size(), there_from_here.matrix3);
        let half = Vec3::from(
            matrix.x_axis.abs() * half.x + matrix.y_axis.abs() * half.y + matrix.z_axis.abs() * half.z,
        );
        Self { min: center - half, max: center + half }
    }
}

/// Around nothing.
impl Default for Bounds {
    fn default() -> Self {
        Self::EMPTY
    }
}
