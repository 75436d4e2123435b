//! The squared distance to a set of weighted planes, as a symmetric form.

use std::ops::{Add, AddAssign};

use glam::{DMat3, DVec3};

/// `area * (p . m p + 2 b . p + c)`, summed over planes.
#[derive(Clone, Copy)]
pub(crate) struct Quadric {
    m: DMat3,
    b: DVec3,
    c: f64,
    area: f64,
}

impl Quadric {
    pub(crate) const ZERO: Self = Self { m: DMat3::ZERO, b: DVec3::ZERO, c: 0.0, area: 0.0 };

    pub(crate) fn of_triangle([a, b, c]: [DVec3; 3]) -> Self {
        let normal = (b - a).cross(c - a);
        let double_area = normal.length();
        if double_area < 1e-14 {
            return Self::ZERO;
        }
        let (n, area) = (normal / double_area, double_area * 0.5);
        let offset = -n.dot(a);
        Self {
            m: DMat3::from_cols(n * n.x, n * n.y, n * n.z) * area,
            b: n * (offset * area),
            c: offset * offset * area,
            area,
        }
    }

    pub(crate) fn mean_squared_distance(&self, p: DVec3) -> f64 {
        let sum = p.dot(self.m * p) + 2.0 * self.b.dot(p) + self.c;
        sum.max(0.0) / self.area.max(1e-14)
    }
}

impl Add for Quadric {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { m: self.m + other.m, b: self.b + other.b, c: self.c + other.c, area: self.area + other.area }
    }
}

impl AddAssign for Quadric {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}
