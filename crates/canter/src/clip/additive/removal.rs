//! Takes a reference out of the keys of a track.

use crate::clip::prepare::{same_side, unit};
use crate::clip::{Curve, Interpolation, Property, TrackTarget};

/// Takes a reference out of values, in double precision, rounded once.
pub(super) enum Removal<'a> {
    /// Translations and morph weights.
    Subtract(&'a [f32]),
    /// Scales.
    Divide(&'a [f32]),
    /// Rotations: multiplies with the inverse of the reference on the left.
    Turn(Inverse),
}

impl<'a> Removal<'a> {
    pub(super) fn new(target: TrackTarget, reference: &'a [f32]) -> Self {
        match (target, reference) {
            (TrackTarget::Joint(_, Property::Rotation), &[x, y, z, w]) => {
                Self::Turn(Inverse::of([x, y, z, w]))
            }
            (TrackTarget::Joint(_, Property::Scale), _) => Self::Divide(reference),
            _ => Self::Subtract(reference),
        }
    }

    /// The deltas of all keys. Interpolation commutes with this, because it is the same linear map, or the
    /// same shift, for all of them.
    pub(super) fn curve(&self, curve: &Curve) -> Vec<f32> {
        let mut deltas = Vec::with_capacity(curve.numbers().len());
        let mut before = None;
        for key in 0..curve.times().len() {
            if let Some(tangent) = curve.in_tangent(key) {
                self.tangent(tangent, &mut deltas);
            }
            match (self, curve.value(key)) {
                (Self::Turn(inverse), &[x, y, z, w]) => {
                    // As it is played: of unit length, and on the side of the key before. A spline runs
                    // through quaternions as they are.
                    let mut rotation = unit([x, y, z, w]);
                    if let Some(before) = before
                        && curve.interpolation() != Interpolation::CubicSpline
                    {
                        rotation = same_side(before, rotation, 0.0);
                    }
                    before = Some(rotation);
                    deltas.extend(inverse.times(rotation));
                }
                (_, value) => self.value(value, &mut deltas),
            }
            if let Some(tangent) = curve.out_tangent(key) {
                self.tangent(tangent, &mut deltas);
            }
        }
        deltas
    }

    /// Appends the delta of a value.
    pub(super) fn value(&self, value: &[f32], deltas: &mut Vec<f32>) {
        match self {
            Self::Subtract(reference) => deltas.extend(each(value, reference, |value, from| value - from)),
            // From zero there is no factor: the delta is 1.
            Self::Divide(reference) => {
                deltas.extend(each(value, reference, |value, by| if by == 0.0 { 1.0 } else { value / by }));
            }
            Self::Turn(inverse) => deltas.extend(inverse.each(value)),
        }
    }

    /// Appends the slope of the deltas: subtracting leaves it as it is.
    fn tangent(&self, tangent: &[f32], deltas: &mut Vec<f32>) {
        match self {
            Self::Subtract(_) => deltas.extend(tangent),
            // A delta that is always 1 is level.
            Self::Divide(reference) => {
                deltas.extend(each(tangent, reference, |slope, by| if by == 0.0 { 0.0 } else { slope / by }));
            }
            Self::Turn(inverse) => deltas.extend(inverse.each(tangent)),
        }
    }
}

fn each(numbers: &[f32], reference: &[f32], delta: impl Fn(f64, f64) -> f64) -> impl Iterator<Item = f32> {
    let pairs = numbers.iter().zip(reference);
    pairs.map(move |(number, reference)| rounded(delta(f64::from(*number), f64::from(*reference))))
}

/// The inverse of a quaternion: its conjugate over its squared length. Rounding leaves that a little off one.
pub(super) struct Inverse {
    conjugate: [f64; 4],
    squared_length: f64,
}

impl Inverse {
    fn of(quaternion: [f32; 4]) -> Self {
        let [x, y, z, w] = quaternion.map(f64::from);
        Self { conjugate: [-x, -y, -z, w], squared_length: x * x + y * y + z * z + w * w }
    }

    fn each(&self, numbers: &[f32]) -> impl Iterator<Item = f32> {
        let (quaternions, _) = numbers.as_chunks::<4>();
        quaternions.iter().flat_map(|quaternion| self.times(*quaternion))
    }

    /// Times the quaternion that it is the inverse of this is exactly (0, 0, 0, 1): products of two `f32` are
    /// exact in `f64`, and those that cancel out stand beside each other.
    fn times(&self, quaternion: [f32; 4]) -> [f32; 4] {
        let [x, y, z, w] = self.conjugate;
        let [a, b, c, d] = quaternion.map(f64::from);
        let product = [
            (w * a + x * d) + (y * c - z * b),
            (w * b + y * d) + (z * a - x * c),
            (w * c + z * d) + (x * b - y * a),
            (w * d - x * a) - (y * b + z * c),
        ];
        product.map(|number| rounded(number / self.squared_length))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
fn rounded(number: f64) -> f32 {
    number as f32
}
