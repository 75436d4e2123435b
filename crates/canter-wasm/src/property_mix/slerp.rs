//! Even turning between two rotations, for many pairs with the same part of the way.
//!
//! `sin(tθ) / sin θ` as a series in `z = sin²(θ/2) = |a - b|² / 4`, whose coefficients depend on `t` alone:
//! neighbours have the same `t` and share them. The core does the same for clips (`clip/slerp.rs`), where `z`
//! is known beforehand; here the number of terms follows from it.

/// As many as `z` of one half needs: beyond it the other sign of the quaternion is nearer.
const TERMS: usize = 24;

/// The coefficients of the last `t`.
pub(super) struct Slerp {
    t: f32,
    left: [f32; TERMS],
    right: [f32; TERMS],
}

impl Default for Slerp {
    fn default() -> Self {
        Self { t: f32::NAN, left: [0.0; TERMS], right: [0.0; TERMS] }
    }
}

impl Slerp {
    /// A part of the way from one rotation to another, the shorter way round.
    #[inline]
    pub(super) fn between(&mut self, a: [f32; 4], b: [f32; 4], t: f32) -> [f32; 4] {
        if t != self.t {
            self.set(t);
        }
        let dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
        let side = if dot < 0.0 { -1.0 } else { 1.0 };
        let b = b.map(|number| number * side);
        let apart: [f32; 4] = std::array::from_fn(|i| a[i] - b[i]);
        let z = (apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2] + apart[3] * apart[3]) / 4.0;
        // The first term left out is below 2⁻²⁴ of the whole.
        let terms = match z {
            z if z <= 0.0038 => 3,
            z if z <= 0.035 => 5,
            z if z <= 0.165 => 9,
            _ => TERMS,
        };
        let (left, right) = (sum(&self.left[..terms], z), sum(&self.right[..terms], z));
        std::array::from_fn(|i| a[i] * left + b[i] * right)
    }

    fn set(&mut self, t: f32) {
        self.t = t;
        coefficients(1.0 - t, &mut self.left);
        coefficients(t, &mut self.right);
    }
}

#[inline]
fn sum(coefficients: &[f32], z: f32) -> f32 {
    coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * z + coefficient)
}

/// From one coefficient to the next, the `n`-th: times (n² - t²) / (n (n + 1/2)).
fn coefficients(t: f32, list: &mut [f32; TERMS]) {
    let mut coefficient = t;
    let mut n = 0.0;
    for slot in list {
        if n > 0.0 {
            coefficient *= (n * n - t * t) / (n * (n + 0.5));
        }
        *slot = coefficient;
        n += 1.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about_z(radians: f64) -> [f32; 4] {
        #[expect(clippy::cast_possible_truncation, reason = "the kernel's precision")]
        [0.0, 0.0, (radians / 2.0).sin() as f32, (radians / 2.0).cos() as f32]
    }

    #[test]
    fn turns_evenly_whatever_lies_between_and_whichever_sign_it_has() {
        let mut slerp = Slerp::default();
        for degrees in [0.0, 0.1, 1.0, 20.0, 60.0, 100.0, 150.0, 179.0, 181.0, 300.0] {
            for t in [0.0, 0.1, 0.5, 0.9, 1.0_f32] {
                let to = f64::to_radians(degrees);
                let shorter = if degrees > 180.0 { to - std::f64::consts::TAU } else { to };
                for b in [about_z(to), about_z(to).map(|number| -number)] {
                    let found = slerp.between(about_z(0.0), b, t);
                    let expected = about_z(shorter * f64::from(t));
                    for (found, expected) in found.iter().zip(expected) {
                        assert!((found - expected).abs() < 4e-7, "{degrees}° {t}: {found} {expected}");
                    }
                }
            }
        }
    }
}
