//! Signed distances: negative inside, positive outside, in metres.
//!
//! Shapes are plain functions of a point, so a body part is an ordinary expression. The distances
//! of ellipsoids and lofts are estimates that are right at the surface; meshing needs no more.

use glam::{DVec2, DVec3};

use super::math::hermite;

pub(crate) fn ellipsoid(p: DVec3, centre: DVec3, radii: DVec3) -> f64 {
    let q = (p - centre) / radii;
    let length = q.length();
    // First-order distance: the implicit function over the length of its gradient.
    let gradient = (q / radii).length();
    if gradient < 1e-9 { -radii.min_element() } else { length * (length - 1.0) / gradient }
}

pub(crate) fn sphere(p: DVec3, centre: DVec3, radius: f64) -> f64 {
    p.distance(centre) - radius
}

/// A ball that grows from radius `ends[0].1` to `ends[1].1` while it rolls from one end to the other.
pub(crate) fn cone(p: DVec3, ends: [(DVec3, f64); 2]) -> f64 {
    let [(a, radius_a), (b, radius_b)] = ends;
    let axis = b - a;
    let length = axis.length();
    let along = (p - a).dot(axis) / length;
    let aside = (p - a - axis * (along / length)).length();
    // The nearest ball is not abeam of the point but shifted by the slope of the mantle.
    let slope = ((radius_a - radius_b) / length).clamp(-0.99, 0.99);
    let shift = slope * aside / (1.0 - slope * slope).sqrt();
    let t = ((along - shift) / length).clamp(0.0, 1.0);
    p.distance(a + axis * t) - (radius_a + (radius_b - radius_a) * t)
}

/// Cones through a list of balls: a bent, tapering tube.
pub(crate) fn tube(p: DVec3, balls: &[(DVec3, f64)]) -> f64 {
    balls.windows(2).fold(f64::MAX, |nearest, ends| nearest.min(cone(p, [ends[0], ends[1]])))
}

/// The balls of a tube along the parabola with these control points, tapering from `radii.0` to `radii.1`.
pub(crate) fn curl(control: [DVec3; 3], radii: (f64, f64)) -> Vec<(DVec3, f64)> {
    const STEPS: u8 = 5;
    let ball = |step: u8| {
        let t = f64::from(step) / f64::from(STEPS);
        let s = 1.0 - t;
        let centre = control[0] * (s * s) + control[1] * (2.0 * s * t) + control[2] * (t * t);
        (centre, radii.0 + (radii.1 - radii.0) * t * t)
    };
    (0..=STEPS).map(ball).collect()
}

/// A ring around the Y axis direction of a tilted frame: an ellipse swept by an ellipse.
pub(crate) fn ring(p: DVec3, major: DVec2, minor: DVec2) -> f64 {
    let flat = DVec2::new(p.x, p.z) / major;
    let out = (flat.length() - 1.0) * major.min_element();
    let q = DVec2::new(out, p.y) / minor;
    let length = q.length();
    let gradient = (q / minor).length();
    if gradient < 1e-9 { -minor.min_element() } else { length * (length - 1.0) / gradient }
}

/// A box around the origin with rounded edges.
pub(crate) fn block(p: DVec3, half: DVec3, round: f64) -> f64 {
    let out = p.abs() - half + round;
    out.max(DVec3::ZERO).length() + out.max_element().min(0.0) - round
}

/// Union with a fillet of about `k` metres.
pub(crate) fn join(a: f64, b: f64, k: f64) -> f64 {
    let overlap = (k - (a - b).abs()).max(0.0) / k;
    a.min(b) - overlap * overlap * k * 0.25
}

/// Intersection with a rounded edge of about `k` metres.
pub(crate) fn meet(a: f64, b: f64, k: f64) -> f64 {
    -join(-a, -b, k)
}

/// `a` without `b`, with a rounded edge of about `k` metres.
pub(crate) fn carve(a: f64, b: f64, k: f64) -> f64 {
    meet(a, -b, k)
}

/// A vertical body of elliptic sections.
///
/// The sections are listed from bottom to top.
pub(crate) struct Loft<'a>(pub &'a [Section]);

pub(crate) struct Section {
    pub y: f64,
    pub radius_x: f64,
    pub radius_z: f64,
    pub centre_z: f64,
}

/// Shorthand for tables of sections.
pub(crate) const fn section(y: f64, radius_x: f64, radius_z: f64, centre_z: f64) -> Section {
    Section { y, radius_x, radius_z, centre_z }
}

impl Loft<'_> {
    /// Distance to the mantle, which goes on straight above and below the last sections.
    pub(crate) fn mantle(&self, p: DVec3) -> f64 {
        let [radius_x, radius_z, centre_z] = self.at(p.y);
        let radii = DVec2::new(radius_x, radius_z);
        let q = DVec2::new(p.x, p.z - centre_z) / radii;
        let length = q.length();
        let gradient = (q / radii).length();
        if gradient < 1e-9 { -radii.min_element() } else { length * (length - 1.0) / gradient }
    }

    fn at(&self, y: f64) -> [f64; 3] {
        let s = self.0;
        let last = s.len() - 1;
        let above = s.iter().position(|section| section.y > y).unwrap_or(last).max(1);
        let t = ((y - s[above - 1].y) / (s[above].y - s[above - 1].y)).clamp(0.0, 1.0);
        let values = |i: usize| [s[i].radius_x, s[i].radius_z, s[i].centre_z];
        let (low, high) = (values(above - 1), values(above));
        let span = s[above].y - s[above - 1].y;
        let slope = |i: usize, axis: usize| {
            let (before, after) = (i.saturating_sub(1), (i + 1).min(last));
            (values(after)[axis] - values(before)[axis]) / (s[after].y - s[before].y) * span
        };
        std::array::from_fn(|axis| {
            hermite([low[axis], slope(above - 1, axis)], [high[axis], slope(above, axis)], t)
        })
    }
}

/// Direction in which a field grows fastest, by central differences.
pub(crate) fn gradient(field: &dyn Fn(DVec3) -> f64, p: DVec3, step: f64) -> DVec3 {
    let along = |axis: DVec3| field(p + axis * step) - field(p - axis * step);
    DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z)) / (2.0 * step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cone_touches_both_of_its_balls() {
        let ends = [(DVec3::ZERO, 0.3), (DVec3::new(0.0, 2.0, 0.0), 0.1)];
        assert!(cone(DVec3::new(0.0, -0.3, 0.0), ends).abs() < 1e-12);
        assert!(cone(DVec3::new(0.0, 2.1, 0.0), ends).abs() < 1e-12);
    }

    #[test]
    fn a_cone_is_an_exact_distance() {
        let ends = [(DVec3::ZERO, 0.3), (DVec3::new(0.0, 2.0, 0.0), 0.1)];
        let field = |p| cone(p, ends);
        for p in [DVec3::new(0.9, 1.0, 0.2), DVec3::new(0.3, -0.8, 0.1), DVec3::new(0.5, 2.6, 0.4)] {
            assert!((gradient(&field, p, 1e-5).length() - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn joins_never_lose_substance_and_meets_never_gain_any() {
        for (a, b) in [(0.1, 0.12), (-0.2, 0.3), (0.0, 0.0)] {
            assert!(join(a, b, 0.1) <= a.min(b));
            assert!(meet(a, b, 0.1) >= a.max(b));
        }
    }
}
