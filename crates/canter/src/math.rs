//! Sine, cosine, their inverses and the exponential, with the same bits on every machine.
//!
//! The functions of the standard library come from the platform, and differ from one to the next in the last
//! bit. These are made of + - * / and square roots in double precision, rounded once at the end: within one
//! unit in the last place of the exact result. A lint keeps the platform's out of every crate whose results
//! are promised to be the same everywhere.
//!
//! ```
//! use canter::math;
//!
//! let (sin, cos) = math::sin_cos(0.5);
//! assert!((math::atan2(sin, cos) - 0.5).abs() < 1e-7);
//! ```
#![expect(clippy::cast_possible_truncation, reason = "results are rounded to f32 at the end")]

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, LN_2, PI};

/// π/2 in two parts, of which the first has so few bits that small multiples of it are exact.
const HALF_PI_HIGH: f64 = 1.570_796_326_734_125_6;
const HALF_PI_LOW: f64 = 6.077_100_506_506_192e-11;

/// 1/1!, 1/3!, 1/5! and so on, with alternating signs.
const SIN_TERMS: [f64; 8] = [
    1.0,
    -1.0 / 6.0,
    1.0 / 120.0,
    -1.0 / 5_040.0,
    1.0 / 362_880.0,
    -1.0 / 39_916_800.0,
    1.0 / 6_227_020_800.0,
    -1.0 / 1_307_674_368_000.0,
];
/// 1/0!, 1/2!, 1/4! and so on, with alternating signs.
const COS_TERMS: [f64; 8] = [
    1.0,
    -1.0 / 2.0,
    1.0 / 24.0,
    -1.0 / 720.0,
    1.0 / 40_320.0,
    -1.0 / 3_628_800.0,
    1.0 / 479_001_600.0,
    -1.0 / 87_178_291_200.0,
];
/// 1, 1/3, 1/5 and so on, with alternating signs.
const ATAN_TERMS: [f64; 10] = [
    1.0,
    -1.0 / 3.0,
    1.0 / 5.0,
    -1.0 / 7.0,
    1.0 / 9.0,
    -1.0 / 11.0,
    1.0 / 13.0,
    -1.0 / 15.0,
    1.0 / 17.0,
    -1.0 / 19.0,
];
/// 1/0!, 1/1!, 1/2! and so on.
const EXP_TERMS: [f64; 13] = [
    1.0,
    1.0,
    1.0 / 2.0,
    1.0 / 6.0,
    1.0 / 24.0,
    1.0 / 120.0,
    1.0 / 720.0,
    1.0 / 5_040.0,
    1.0 / 40_320.0,
    1.0 / 362_880.0,
    1.0 / 3_628_800.0,
    1.0 / 39_916_800.0,
    1.0 / 479_001_600.0,
];

fn polynomial(x: f64, terms: &[f64]) -> f64 {
    terms.iter().rev().fold(0.0, |sum, term| sum * x + term)
}

/// Sine and cosine of an angle in radians.
///
/// Exact to the last place up to 10⁶ radians; beyond that the angle itself is hardly known, and so are these.
/// NaN if it is infinite or NaN.
#[must_use]
pub fn sin_cos(radians: f32) -> (f32, f32) {
    let (sin, cos) = sin_cos_f64(radians.into());
    (sin as f32, cos as f32)
}

/// The same, to about 1e-15.
pub(crate) fn sin_cos_f64(x: f64) -> (f64, f64) {
    if x.abs() < FRAC_PI_4 {
        // The same as below, at half the cost: the turns of most steps.
        return sin_cos_of_eighth(x);
    }
    let quarter = (x / FRAC_PI_2 + 0.5).floor();
    let rest = (x - quarter * HALF_PI_HIGH) - quarter * HALF_PI_LOW;
    // Where the product above is no longer exact, the rest may lie outside of its quarter.
    let rest = rest.clamp(-1.0, 1.0);
    let (sin, cos) = sin_cos_of_eighth(rest);
    // What is left of it by fours. All of this is exact; a remainder is a large function on the web.
    match (quarter - 4.0 * (0.25 * quarter).floor()) as u8 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// Of an angle that is little more than an eighth of a turn at most.
#[inline]
fn sin_cos_of_eighth(x: f64) -> (f64, f64) {
    let squared = x * x;
    (x * polynomial(squared, &SIN_TERMS), polynomial(squared, &COS_TERMS))
}

/// The sine of an angle in radians; see [`sin_cos`].
#[must_use]
pub fn sin(radians: f32) -> f32 {
    sin_cos(radians).0
}

/// The cosine of an angle in radians; see [`sin_cos`].
#[must_use]
pub fn cos(radians: f32) -> f32 {
    sin_cos(radians).1
}

/// The angle whose sine this is, from -π/2 to π/2. What lies outside of -1 to 1 counts as the nearest of
/// them; NaN for NaN.
#[must_use]
pub fn asin(sine: f32) -> f32 {
    let x = f64::from(sine.clamp(-1.0, 1.0));
    atan2_f64(x, ((1.0 - x) * (1.0 + x)).sqrt()) as f32
}

/// The angle whose cosine this is, from 0 to π. What lies outside of -1 to 1 counts as the nearest of them;
/// NaN for NaN.
#[must_use]
pub fn acos(cosine: f32) -> f32 {
    let x = f64::from(cosine.clamp(-1.0, 1.0));
    atan2_f64(((1.0 - x) * (1.0 + x)).sqrt(), x) as f32
}

/// The angle of the direction (x, y), from -π to π; 0 if it has no length, NaN if one of them is infinite or
/// NaN.
#[must_use]
pub fn atan2(y: f32, x: f32) -> f32 {
    if !(x.is_finite() && y.is_finite()) {
        return f32::NAN;
    }
    atan2_f64(y.into(), x.into()) as f32
}

pub(crate) fn atan2_f64(y: f64, x: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    let (smaller, larger) = if y.abs() < x.abs() { (y.abs(), x.abs()) } else { (x.abs(), y.abs()) };
    if larger == 0.0 {
        return 0.0;
    }
    let mut angle = atan_of_unit(smaller / larger);
    if y.abs() >= x.abs() {
        angle = FRAC_PI_2 - angle;
    }
    if x < 0.0 {
        angle = PI - angle;
    }
    if y < 0.0 { -angle } else { angle }
}

/// Of 0 to 1: the angle is halved twice, for which a square root is enough, until its series is short.
fn atan_of_unit(tangent: f64) -> f64 {
    let half = tangent / (1.0 + (1.0 + tangent * tangent).sqrt());
    let quarter = half / (1.0 + (1.0 + half * half).sqrt());
    4.0 * quarter * polynomial(quarter * quarter, &ATAN_TERMS)
}

/// e to a power. Infinity above 88.7, 0 below -104; NaN for NaN.
#[must_use]
pub fn exp(power: f32) -> f32 {
    let x = f64::from(power.clamp(-200.0, 200.0));
    let twos = (x / LN_2 + 0.5).floor();
    let rest = x - twos * LN_2;
    // 2 to that power, from -289 to 289: well within double precision.
    let scale = f64::from_bits(((twos as i64 + 1023) as u64) << 52);
    (polynomial(rest, &EXP_TERMS) * scale) as f32
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::disallowed_methods,
        reason = "the platform's functions are what these are compared with"
    )]

    use super::*;

    /// How many floats lie between two.
    fn ulps(a: f32, b: f32) -> u32 {
        let ordered = |x: f32| {
            let bits = x.to_bits().cast_signed();
            if bits < 0 { i32::MIN.wrapping_sub(bits) } else { bits }
        };
        ordered(a).abs_diff(ordered(b))
    }

    fn check(
        name: &str,
        ours: impl Fn(f32) -> f32,
        exact: impl Fn(f64) -> f64,
        xs: impl Iterator<Item = f32>,
    ) {
        for x in xs {
            let (ours, exact) = (ours(x), exact(f64::from(x)) as f32);
            assert!(ulps(ours, exact) <= 1, "{name}({x}) is {ours}, expected {exact}");
        }
    }

    fn even(from: f32, to: f32) -> impl Iterator<Item = f32> {
        (0..=20_000_u16).map(move |step| from + (to - from) * (f32::from(step) / 20_000.0))
    }

    #[test]
    fn all_are_exact_to_the_last_place() {
        for (from, to) in [(-10.0, 10.0), (-0.001, 0.001), (-1e6, 1e6), (3.1, 3.2), (1e-30, 1e-20)] {
            check("sin", sin, f64::sin, even(from, to));
            check("cos", cos, f64::cos, even(from, to));
        }
        for (from, to) in [(-1.0, 1.0), (0.999, 1.0), (-1e-6, 1e-6)] {
            check("asin", asin, f64::asin, even(from, to));
            check("acos", acos, f64::acos, even(from, to));
        }
        check("exp", exp, f64::exp, even(-110.0, 90.0));
        check("exp", exp, f64::exp, even(-1e-3, 1e-3));
        for y in even(-3.0, 3.0).step_by(97) {
            check("atan2", |x| atan2(y, x), |x| f64::from(y).atan2(x), even(-3.0, 3.0).step_by(89));
        }
    }

    #[test]
    fn the_ends_have_stated_results() {
        use std::f32::consts::{FRAC_PI_2, PI};
        assert_eq!((asin(2.0), acos(2.0), acos(-2.0)), (FRAC_PI_2, 0.0, PI));
        assert_eq!((atan2(0.0, 0.0), atan2(1.0, 0.0), atan2(0.0, -1.0)), (0.0, FRAC_PI_2, PI));
        assert_eq!(
            (exp(f32::INFINITY), exp(1000.0), exp(-1000.0), exp(0.0)),
            (f32::INFINITY, f32::INFINITY, 0.0, 1.0)
        );
        for not_a_number in
            [sin(f32::NAN), cos(f32::INFINITY), asin(f32::NAN), exp(f32::NAN), atan2(f32::NAN, 1.0)]
        {
            assert!(not_a_number.is_nan());
        }
        for huge in [1e10, 1e20, f32::MAX, f32::MIN] {
            let (sin, cos) = sin_cos(huge);
            assert!((sin * sin + cos * cos - 1.0).abs() < 1e-5, "{huge}: {sin} {cos}");
        }
    }
}
