//! Even turning between two rotations, for many pairs with the same part of the way.
//!
//! `sin(tθ) / sin θ` as a series in `z = sin²(θ/2) = |a - b|² / 4`, whose coefficients depend on `t` alone:
//! neighbours have the same `t` and share them. The core does the same for clips (`clip/slerp.rs`), where `z`
//! is known beforehand; here the number of terms follows from it.

use canter::glam::{Vec2, Vec4};

/// As many as `z` of one half needs: beyond it the other sign of the quaternion is nearer.
const TERMS: usize = 24;

/// The coefficients of the last `t`: for the rotation on the left and on the right.
pub(super) struct Slerp {
    t: f32,
    both: [Vec2; TERMS],
}

impl Default for Slerp {
    fn default() -> Self {
        Self { t: f32::NAN, both: [Vec2::ZERO; TERMS] }
    }
}

impl Slerp {
    /// A part of the way from one rotation to another, the shorter way round.
    #[inline(always)]
    pub(super) fn between(&mut self, a: Vec4, b: Vec4, t: f32) -> Vec4 {
        if t != self.t {
            self.set(t);
        }
        let b = if a.dot(b) < 0.0 { -b } else { b };
        let apart = a - b;
        let z = apart.dot(apart) / 4.0;
        // The first term left out is below 2⁻²⁴ of the whole.
        let terms = match z {
            z if z <= 0.0038 => 3,
            z if z <= 0.035 => 5,
            z if z <= 0.165 => 9,
            _ => TERMS,
        };
        let mut sum = Vec2::ZERO;
        for &coefficient in self.both[..terms].iter().rev() {
            sum = sum * z + coefficient;
        }
        a * sum.x + b * sum.y
    }

    /// From one coefficient to the next, the `n`-th: times (n² - t²) / (n (n + 1/2)).
    #[inline(never)]
    fn set(&mut self, t: f32) {
        self.t = t;
        let parts = Vec2::new(1.0 - t, t);
        let mut coefficient = parts;
        let mut n = 0.0;
        for slot in &mut self.both {
            if n > 0.0 {
                coefficient *= (n * n - parts * parts) * (1.0 / (n * (n + 0.5)));
            }
            *slot = coefficient;
            n += 1.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about_z(radians: f64) -> Vec4 {
        #[expect(clippy::cast_possible_truncation, reason = "the kernel's precision")]
        let (sin, cos) = ((radians / 2.0).sin() as f32, (radians / 2.0).cos() as f32);
        Vec4::new(0.0, 0.0, sin, cos)
    }

    #[test]
    fn turns_evenly_whatever_lies_between_and_whichever_sign_it_has() {
        let mut slerp = Slerp::default();
        for degrees in [0.0, 0.1, 1.0, 20.0, 60.0, 100.0, 150.0, 179.0, 181.0, 300.0] {
            for t in [0.0, 0.1, 0.5, 0.9, 1.0_f32] {
                let to = f64::to_radians(degrees);
                let shorter = if degrees > 180.0 { to - std::f64::consts::TAU } else { to };
                for b in [about_z(to), -about_z(to)] {
                    let found = slerp.between(about_z(0.0), b, t);
                    let expected = about_z(shorter * f64::from(t));
                    assert!(found.abs_diff_eq(expected, 4e-7), "{degrees}° {t}: {found} {expected}");
                }
            }
        }
    }
}
