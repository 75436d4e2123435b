//! The direction of a place on a plane, in double precision, by one quotient and without branches.
//!
//! [`canter::math`] halves angles by square roots, each of which waits for the one before; a space needs less
//! than the last place of a double, but in every frame.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_8, PI};

use super::{greatest, least};

/// The tangent of an eighth of π.
const TAN_EIGHTH: f64 = 0.414_213_562_373_095_03;

/// Of atan(t) / t by powers of t², up to the tangent of π/8: interpolated at Chebyshev's places, within 6e-13.
const TERMS: [f64; 8] = [
    1.0,
    -0.333_333_332_769_178_65,
    0.199_999_930_531_986_36,
    -0.142_853_865_421_028_01,
    0.111_034_567_202_565_9,
    -0.089_925_513_099_406_22,
    0.069_741_909_348_366_05,
    -0.037_654_993_301_981_875,
];

/// The angle of a direction from -π to π, within 1e-12. Finite for any finite place, and any angle in the
/// middle.
#[inline]
pub(super) fn angle([x, y]: [f64; 2]) -> f64 {
    let (far, high) = (x.abs(), y.abs());
    let (smaller, larger) = (least(high, far), greatest(high, far));
    // What is between 0 and π/4 is between -π/8 and π/8 after a turn by π/8, wherever it is.
    let tangent =
        (smaller - TAN_EIGHTH * larger) / greatest(larger + TAN_EIGHTH * smaller, f64::MIN_POSITIVE);
    let within = FRAC_PI_8 + tangent * polynomial(tangent * tangent);
    let quarter = if high > far { FRAC_PI_2 - within } else { within };
    let half = if x < 0.0 { PI - quarter } else { quarter };
    if y < 0.0 { -half } else { half }
}

/// By pairs, of which none waits for the other.
#[inline]
fn polynomial(x: f64) -> f64 {
    let [a, b, c, d, e, f, g, h] = TERMS;
    let (x2, x4) = (x * x, (x * x) * (x * x));
    ((a + b * x) + (c + d * x) * x2) + ((e + f * x) + (g + h * x) * x2) * x4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_angle_all_around() {
        for step in -20_000..=20_000 {
            let wanted = f64::from(step) * PI / 20_000.0;
            #[expect(clippy::disallowed_methods, reason = "what it is compared with")]
            let (sin, cos) = wanted.sin_cos();
            for length in [1e-30, 0.7, 1e18] {
                let apart = (angle([length * cos, length * sin]) - wanted).abs();
                assert!(apart.min(2.0 * PI - apart) <= 1e-12, "{apart} at {wanted}");
            }
        }
    }

    #[test]
    fn the_middle_has_some_angle() {
        for at in [[0.0, 0.0], [-0.0, 0.0], [0.0, -0.0], [-0.0, -0.0]] {
            assert!(angle(at).abs() <= PI);
        }
    }
}
