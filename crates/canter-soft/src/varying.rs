//! What varies over a triangle.

use retrofire_core::math::Lerp;
use retrofire_core::math::vary::{Iter, Vary, ZDiv};

/// Some numbers of a corner of a triangle, or of a sample between its corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Varying<const N: usize>(pub(crate) [f32; N]);

/// How much the first two corners of a triangle count, the third has the rest: what says where on it a sample
/// is. All else is read off the corners, for those samples that are seen.
pub(crate) type Weights = Varying<2>;

impl Weights {
    /// Those of the three corners.
    pub(crate) const CORNERS: [Self; 3] = [Self([1.0, 0.0]), Self([0.0, 1.0]), Self([0.0, 0.0])];
}

impl<const N: usize> Varying<N> {
    fn zip(&self, other: &Self, mix: impl Fn(f32, f32) -> f32) -> Self {
        Self(std::array::from_fn(|lane| mix(self.0[lane], other.0[lane])))
    }
}

impl<const N: usize> Lerp for Varying<N> {
    #[inline]
    fn lerp(&self, other: &Self, t: f32) -> Self {
        self.zip(other, |a, b| a + (b - a) * t)
    }
}

impl<const N: usize> ZDiv for Varying<N> {
    #[inline]
    fn z_div(self, z: f32) -> Self {
        let reciprocal = 1.0 / z;
        Self(self.0.map(|value| value * reciprocal))
    }
}

impl<const N: usize> Vary for Varying<N> {
    type Iter = Iter<Self>;
    type Diff = Self;

    #[inline]
    fn vary(self, step: Self, max: Option<u32>) -> Iter<Self> {
        Iter { val: self, step, n: max }
    }

    #[inline]
    fn dv_dt(&self, other: &Self, reciprocal_dt: f32) -> Self {
        self.zip(other, |a, b| (b - a) * reciprocal_dt)
    }

    #[inline]
    fn step(&self, delta: &Self) -> Self {
        self.zip(delta, |value, step| value + step)
    }
}
