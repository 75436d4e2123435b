//! What varies over a triangle.

use canter::glam::{Vec2, Vec3, Vec4};
use retrofire_core::math::Lerp;
use retrofire_core::math::vary::{Iter, Vary, ZDiv};

/// Normal, place, texture coordinates and colour of a vertex, or of a sample between vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Varying([f32; 12]);

impl Varying {
    pub(crate) fn new(normal: Vec3, position: Vec3, uv: Vec2, color: Vec4) -> Self {
        let (n, p) = (normal, position);
        Self([n.x, n.y, n.z, p.x, p.y, p.z, uv.x, uv.y, color.x, color.y, color.z, color.w])
    }

    pub(crate) fn normal(&self) -> Vec3 {
        Vec3::from_slice(&self.0[0..3])
    }

    pub(crate) fn position(&self) -> Vec3 {
        Vec3::from_slice(&self.0[3..6])
    }

    pub(crate) fn uv(&self) -> Vec2 {
        Vec2::from_slice(&self.0[6..8])
    }

    pub(crate) fn color(&self) -> Vec4 {
        Vec4::from_slice(&self.0[8..12])
    }

    fn zip(&self, other: &Self, mix: impl Fn(f32, f32) -> f32) -> Self {
        Self(std::array::from_fn(|lane| mix(self.0[lane], other.0[lane])))
    }
}

impl Lerp for Varying {
    #[inline]
    fn lerp(&self, other: &Self, t: f32) -> Self {
        self.zip(other, |a, b| a + (b - a) * t)
    }
}

impl ZDiv for Varying {
    #[inline]
    fn z_div(self, z: f32) -> Self {
        let reciprocal = 1.0 / z;
        Self(self.0.map(|value| value * reciprocal))
    }
}

impl Vary for Varying {
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
