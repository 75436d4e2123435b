//! Slerp without sines: a power series whose coefficients depend on the time alone.
//!
//! Between unit quaternions an angle θ apart, slerp is `w(1 - t) a + w(t) b` with
//! `w(t) = sin(tθ) / sin θ`. That is the hypergeometric series
//!
//! > w(t) = t · ₂F₁(1 + t, 1 - t; 3/2; z)  with  z = sin²(θ/2) = |a - b|² / 4,
//!
//! whose terms are all positive (no cancellation) and shrink at least as fast as the powers of `z`. All
//! tracks of a timeline are at the same `t`, so its coefficients are found once per sample, and `z` is known
//! when the clip is built: what is left per joint is a short polynomial in `z`.

/// Coefficients kept: enough for `z` up to [`Reach::Far`]'s, to `f32` precision.
pub(crate) const TERMS: usize = 9;

/// The polynomials in `z` for the weights of the left and the right key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlerpWeights {
    pub(crate) left: [f32; TERMS],
    pub(crate) right: [f32; TERMS],
}

impl SlerpWeights {
    pub(crate) const ZERO: Self = Self { left: [0.0; TERMS], right: [0.0; TERMS] };

    /// Sets the coefficients that an arc of this reach needs, and leaves the others.
    #[inline]
    pub(crate) fn set(&mut self, alpha: f32, reach: Reach) {
        if cfg!(canter_web) {
            // One loop for all where size counts more.
            return self.set_to(alpha, reach.degree());
        }
        match reach {
            Reach::Near => self.set_to(alpha, Reach::Near.degree()),
            Reach::Mid => self.set_to(alpha, Reach::Mid.degree()),
            Reach::Far | Reach::Wide => self.set_to(alpha, Reach::Far.degree()),
        }
    }

    #[inline(always)]
    fn set_to(&mut self, alpha: f32, degree: usize) {
        series(1.0 - alpha, degree, &mut self.left);
        series(alpha, degree, &mut self.right);
    }
}

/// How far apart neighbouring keys are at most, which decides how many terms are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reach {
    /// Rotations up to 14 degrees apart: what clips with a key per frame have.
    Near,
    /// Up to 43 degrees.
    Mid,
    /// Up to 94 degrees.
    Far,
    /// Up to 180 degrees: done in two halves of up to 90.
    Wide,
}

impl Reach {
    /// For the largest `z` between neighbouring keys. Each bound makes the first term left out smaller
    /// than half a unit in the last place of `f32`.
    pub(crate) fn of(largest_z: f32) -> Self {
        match largest_z {
            z if z <= 0.0038 => Self::Near,
            z if z <= 0.035 => Self::Mid,
            z if z <= 0.165 => Self::Far,
            _ => Self::Wide,
        }
    }

    /// The power of `z` at which the series is cut.
    pub(crate) const fn degree(self) -> usize {
        match self {
            Self::Near => 2,
            Self::Mid => 4,
            Self::Far | Self::Wide => 8,
        }
    }
}

/// Coefficients of `w(t)` in powers of `z`.
#[inline(always)]
fn series(t: f32, degree: usize, coefficients: &mut [f32; TERMS]) {
    let squared = t * t;
    let mut coefficient = t;
    coefficients[0] = t;
    for index in 0..degree {
        let [square, factor] = STEPS[index];
        coefficient *= (square - squared) * factor;
        coefficients[index + 1] = coefficient;
    }
}

/// What leads from one coefficient to the next, the `n`-th: times (n² - t²) / (n (n + 1/2)).
const STEPS: [[f32; 2]; TERMS - 1] = {
    let mut steps = [[0.0; 2]; TERMS - 1];
    let mut n = 1.0_f32;
    let mut index = 0;
    while index < TERMS - 1 {
        steps[index] = [n * n, 1.0 / (n * (n + 0.5))];
        n += 1.0;
        index += 1;
    }
    steps
};

/// Slerp in double precision, for keys that are inserted when a clip is built.
pub(crate) fn slerp_f64(a: [f32; 4], b: [f32; 4], t: f64) -> [f32; 4] {
    #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
    slerp_exact(a.map(f64::from), b.map(f64::from), t).map(|number| number as f32)
}

/// The same without rounding.
pub(crate) fn slerp_exact(a: [f64; 4], b: [f64; 4], t: f64) -> [f64; 4] {
    let z = std::array::from_fn::<f64, 4, _>(|i| a[i] - b[i]).iter().map(|x| x * x).sum::<f64>() / 4.0;
    let (left, right) = (weight_f64(1.0 - t, z), weight_f64(t, z));
    std::array::from_fn(|i| left * a[i] + right * b[i])
}

fn weight_f64(t: f64, z: f64) -> f64 {
    // z is at most one half (the shorter way round), so 60 terms leave less than 2⁻⁶⁰; near keys need a few.
    let mut term = t;
    let mut sum = t;
    for n in 1..60 {
        let n = f64::from(n);
        term *= (n * n - t * t) / (n * (n + 0.5)) * z;
        sum += term;
        if term < sum * f64::EPSILON / 8.0 {
            break;
        }
    }
    sum
}

/// `z` of two unit quaternions.
pub(crate) fn separation(a: [f32; 4], b: [f32; 4]) -> f64 {
    let squares = std::array::from_fn::<f64, 4, _>(|i| f64::from(a[i]) - f64::from(b[i]));
    squares.iter().map(|x| x * x).sum::<f64>() / 4.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights_at(alpha: f32, reach: Reach) -> SlerpWeights {
        let mut weights = SlerpWeights::ZERO;
        weights.set(alpha, reach);
        weights
    }

    fn horner(coefficients: &[f32], z: f32) -> f32 {
        coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * z + coefficient)
    }

    #[test]
    fn the_series_is_the_quotient_of_sines_to_float_precision() {
        for (reach, largest_z) in [(Reach::Near, 0.0038), (Reach::Mid, 0.035), (Reach::Far, 0.165)] {
            for part in 1..=20_u8 {
                let z = largest_z * f64::from(part) / 20.0;
                let theta = 2.0 * z.sqrt().asin();
                for step in 0..=50_u8 {
                    let alpha = f32::from(step) / 50.0;
                    let exact = (f64::from(alpha) * theta).sin() / theta.sin();
                    #[expect(clippy::cast_possible_truncation, reason = "the kernel's precision")]
                    let got = horner(&weights_at(alpha, reach).right, z as f32);
                    assert!((f64::from(got) - exact).abs() < 1.5e-7, "{reach:?} {z} {alpha}: {got} {exact}");
                }
            }
        }
    }

    #[test]
    fn double_precision_slerp_reaches_half_turns() {
        let (a, b) = ([0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0]);
        let middle = slerp_f64(a, b, 0.5);
        assert!((f64::from(middle[0]) - 0.5_f64.sqrt()).abs() < 1e-7, "{middle:?}");
    }

    #[test]
    fn on_a_key_only_that_key_counts() {
        let weights = weights_at(0.0, Reach::Far);
        assert_eq!(weights.right, [0.0; TERMS]);
        assert_eq!(horner(&weights.left, 0.1), 1.0);
    }
}
