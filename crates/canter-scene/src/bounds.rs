//! A box along the axes.

use canter::glam::{Affine3A, Vec3};

/// A box along the axes, relative to a character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The least coordinates.
    pub min: Vec3,
    /// The greatest coordinates.
    pub max: Vec3,
}

impl Bounds {
    /// A box around nothing: its least coordinates are greater than its greatest.
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// The smallest box around points.
    #[must_use]
    pub fn around(points: impl IntoIterator<Item = Vec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |bounds, point| Self {
            min: bounds.min.min(point),
            max: bounds.max.max(point),
        })
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

    /// The same, or all that there is on axes where numbers were too large to be calculated with.
    #[inline(always)]
    pub(crate) fn without_overflow(self) -> Self {
        let probe = (self.min * 0.0 + self.max * 0.0).element_sum();
        if probe == 0.0 || self.is_empty() {
            return self;
        }
        let (min, max) = (self.min, self.max);
        Self {
            min: Vec3::select(min.is_nan_mask(), Vec3::MIN, min).max(Vec3::MIN),
            max: Vec3::select(max.is_nan_mask(), Vec3::MAX, max).min(Vec3::MAX),
        }
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
