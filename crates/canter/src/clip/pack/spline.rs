//! Fits a uniform cubic B-spline to numbers at key times, by least squares.

use crate::clip::packed::Knot;

/// More control points than these are not tried: keys take about as much then.
pub(super) const MOST_POINTS: usize = 96;
/// What keeps control points near their neighbours where no key holds them.
const STIFFNESS: f64 = 1e-9;

/// A spline of a number of pieces over given key times, ready to be fitted.
pub(super) struct Spline {
    pub(super) spans: u32,
    pub(super) is_periodic: bool,
    points: usize,
    /// For each key the control points that it is made of, and their weights.
    keys: Vec<([usize; 4], [f64; 4])>,
    /// The lower triangle of the normal matrix's Cholesky factor, row by row.
    factor: Vec<f64>,
}

impl Spline {
    /// `None` if keys are too far apart for pieces of this length, or if there are too many control points.
    pub(super) fn new(secs: &[f32], spans: u32, is_periodic: bool) -> Option<Self> {
        let points = spans as usize + if is_periodic { 0 } else { 3 };
        if points > MOST_POINTS || points >= secs.len() || (is_periodic && !spans.is_multiple_of(2)) {
            return None;
        }
        let mut keys = Vec::with_capacity(secs.len());
        let mut before = 0;
        for knot in Knot::all(secs, spans) {
            if knot.span > before + 1 {
                return None;
            }
            before = knot.span;
            let point = |i: usize| {
                let point = usize::from(knot.span) + i;
                if is_periodic { point % points } else { point }
            };
            keys.push(([0, 1, 2, 3].map(point), knot.shares()));
        }
        let mut spline = Self { spans, is_periodic, points, keys, factor: Vec::new() };
        spline.factor = cholesky(spline.normal_matrix(), points)?;
        Some(spline)
    }

    pub(super) fn points(&self) -> usize {
        self.points
    }

    fn normal_matrix(&self) -> Vec<f64> {
        let n = self.points;
        let mut matrix = vec![0.0; n * n];
        for (points, weights) in &self.keys {
            for (i, a) in points.iter().zip(weights) {
                for (j, b) in points.iter().zip(weights) {
                    matrix[i * n + j] += a * b;
                }
            }
        }
        for i in 0..n {
            let next = if i + 1 < n {
                i + 1
            } else if self.is_periodic {
                0
            } else {
                continue;
            };
            matrix[i * n + i] += STIFFNESS;
            matrix[next * n + next] += STIFFNESS;
            matrix[i * n + next] -= STIFFNESS;
            matrix[next * n + i] -= STIFFNESS;
        }
        matrix
    }

    /// Control points for the numbers of all keys.
    pub(super) fn fit(&self, numbers: &[f64]) -> Vec<f64> {
        let n = self.points;
        let mut solution = vec![0.0; n];
        for ((points, weights), number) in self.keys.iter().zip(numbers) {
            for (point, weight) in points.iter().zip(weights) {
                solution[*point] += weight * number;
            }
        }
        for i in 0..n {
            let sum: f64 = (0..i).map(|j| self.factor[i * n + j] * solution[j]).sum();
            solution[i] = (solution[i] - sum) / self.factor[i * n + i];
        }
        for i in (0..n).rev() {
            let sum: f64 = (i + 1..n).map(|j| self.factor[j * n + i] * solution[j]).sum();
            solution[i] = (solution[i] - sum) / self.factor[i * n + i];
        }
        solution
    }

    /// The number that control points give for a key.
    pub(super) fn at(&self, points: &[f64], key: usize) -> f64 {
        let (of, weights) = &self.keys[key];
        of.iter().zip(weights).map(|(point, weight)| points[*point] * weight).sum()
    }
}

fn cholesky(mut matrix: Vec<f64>, n: usize) -> Option<Vec<f64>> {
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| matrix[i * n + k] * matrix[j * n + k]).sum();
            let rest = matrix[i * n + j] - sum;
            if i == j {
                if rest <= 0.0 {
                    return None;
                }
                matrix[i * n + i] = rest.sqrt();
            } else {
                matrix[i * n + j] = rest / matrix[j * n + j];
            }
        }
    }
    Some(matrix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a sine to fit")]
    fn a_sine_needs_few_points() {
        let secs: Vec<f32> = (0..31_u8).map(|key| f32::from(key) / 30.0).collect();
        let numbers: Vec<f64> = secs.iter().map(|&t| (f64::from(t) * std::f64::consts::TAU).sin()).collect();
        for (spans, is_periodic, most) in [(12, true, 4e-4), (12, false, 4e-4), (20, true, 6e-5)] {
            let spline = Spline::new(&secs, spans, is_periodic).unwrap();
            let points = spline.fit(&numbers);
            let worst = (0..31).map(|key| (spline.at(&points, key) - numbers[key]).abs()).fold(0.0, f64::max);
            assert!(worst < most, "{spans} pieces, periodic {is_periodic}: {worst}");
        }
    }

    #[test]
    fn there_are_never_more_points_than_keys() {
        let secs = [0.0, 1.0, 2.0, 3.0];
        assert!(Spline::new(&secs, 1, false).is_none() && Spline::new(&secs, 4, true).is_none());
        assert!(Spline::new(&secs, 3, true).is_none(), "odd: rows lie in pairs");
        assert!(Spline::new(&[0.0, 1.0, 2.0, 3.0, 100.0], 2, true).is_some());
        assert!(Spline::new(&[0.0, 1.0, 1.5, 2.0, 3.0, 100.0, 101.0], 4, true).is_none(), "a gap");
    }
}
