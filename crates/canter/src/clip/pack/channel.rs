//! A track as numbers that are fitted, rounded and packed.

use glam::DQuat;

use super::PackMode;
use super::hinge::Hinge;
use super::spline::Spline;
use crate::clip::Property;
use crate::clip::packed::Form;
use crate::clip::prepare::Prepared;
use crate::clip::slerp::{separation, slerp_exact};

/// A track, number by number, in a form in which it can be packed.
pub(super) struct Channel {
    pub(super) form: Form,
    /// One list of all keys for each number.
    pub(super) parts: Vec<Vec<f64>>,
    /// What turns and hinges are measured from: constants of the track.
    pub(super) origin: Vec<f32>,
    /// How far the form alone is from the track at most, in the track's own numbers.
    pub(super) off: f64,
}

/// How far a fit is from the keys, and between which bounds its numbers lie.
pub(super) struct Fit {
    pub(super) residual: f64,
    pub(super) bounds: Vec<(f64, f64)>,
    /// How far rows are from each other at most that are mixed with each other.
    pub(super) spread: f64,
}

impl Channel {
    /// All forms that a track may have: the quickest first.
    pub(super) fn all(track: &Prepared, mode: PackMode) -> Vec<Self> {
        if track.property != Property::Rotation {
            let form = if is_uniform(track) { Form::Uniform } else { Form::Sum };
            return vec![Self::of_numbers(track, form, 0.0)];
        }
        let mut all: Vec<Self> = Hinge::of(track).map(Hinge::channel).into_iter().collect();
        if mode == PackMode::Small && has_parameters(track) {
            all.push(Self::of_turns(track));
        }
        all.push(Self::of_numbers(track, Form::Sum, straightness(track)));
        all.push(Self::of_numbers(track, Form::Quaternions, 0.0));
        all
    }

    fn of_numbers(track: &Prepared, form: Form, off: f64) -> Self {
        let part = |part: usize| track.values.iter().map(|value| f64::from(value[part])).collect();
        let parts = (0..form.parts(track.property)).map(part).collect();
        Self { form, parts, origin: Vec::new(), off }
    }

    fn of_turns(track: &Prepared) -> Self {
        let middle = middle(track);
        let mean = DQuat::from_array(middle.map(f64::from)).inverse();
        let turn = |value: &[f32; 4]| parameters(mean * DQuat::from_array(value.map(f64::from)));
        let turns: Vec<[f64; 3]> = track.values.iter().map(turn).collect();
        let parts = (0..3).map(|part| turns.iter().map(|turn| turn[part]).collect()).collect();
        Self { form: Form::Turns, parts, origin: middle.to_vec(), off: 0.0 }
    }

    /// What an error of the track's own numbers is in those that are packed: a quarter of an angle, where a
    /// quaternion has a half.
    pub(super) fn per_own(&self) -> f64 {
        if self.form == Form::Turns { 0.5 } else { 1.0 }
    }

    /// What is packed of a number, with as few points as a spline has, or key by key.
    pub(super) fn rows(&self, part: usize, spline: Option<&Spline>) -> Vec<f64> {
        match spline {
            Some(spline) => spline.fit(&self.parts[part]),
            None => self.parts[part].clone(),
        }
    }

    pub(super) fn fit(&self, spline: Option<&Spline>) -> Fit {
        let rows: Vec<Vec<f64>> = (0..self.parts.len()).map(|part| self.rows(part, spline)).collect();
        let mixed_rows = if spline.is_some() { 5 } else { 2 };
        let spread = |rows: &Vec<f64>| {
            let ranges = rows.windows(mixed_rows.min(rows.len())).map(bounds).map(|(low, high)| high - low);
            ranges.fold(0.0, f64::max)
        };
        let spread = rows.iter().map(spread).fold(0.0, f64::max);
        let bounds = rows.iter().map(|rows| bounds(rows)).collect();
        let residual = spline.map_or(0.0, |spline| {
            let squared = |key: usize| -> f64 {
                let parts = self.parts.iter().zip(&rows);
                parts.map(|(part, rows)| part[key] - spline.at(rows, key)).map(|off| off * off).sum()
            };
            (0..self.parts[0].len()).map(squared).fold(0.0, f64::max).sqrt()
        });
        Fit { residual, bounds, spread }
    }

    /// Where zero is: what is driven least from there. Turns and hinges have theirs.
    pub(super) fn offset(&self, bounds: (f64, f64)) -> f64 {
        if self.origin.is_empty() { 0.5 * (bounds.0 + bounds.1) } else { 0.0 }
    }

    /// How far rows get away from the offset.
    pub(super) fn extent(&self, bounds: (f64, f64)) -> f64 {
        let offset = self.offset(bounds);
        (bounds.1 - offset).max(offset - bounds.0)
    }
}

pub(super) fn bounds(numbers: &[f64]) -> (f64, f64) {
    numbers.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)))
}

/// Modified Rodrigues parameters.
fn parameters(turn: DQuat) -> [f64; 3] {
    let [x, y, z, w] = turn.to_array();
    [x, y, z].map(|part| part / (1.0 + w))
}

/// Whether all turns from the middle are short enough for parameters, which have no number for a full one.
fn has_parameters(track: &Prepared) -> bool {
    let middle = middle(track).map(f64::from);
    let cosine = |value: &[f32; 4]| -> f64 { (0..4).map(|i| f64::from(value[i]) * middle[i]).sum() };
    track.values.iter().all(|value| cosine(value) > -0.3)
}

/// Whether a scale is the same along all axes.
fn is_uniform(track: &Prepared) -> bool {
    track.property == Property::Scale && track.values.iter().all(|[x, y, z, _]| x == y && y == z)
}

/// How far the straight way between neighbouring quaternions is from the arc at most.
fn straightness(track: &Prepared) -> f64 {
    let pairs = track.values.windows(2).map(|pair| (separation(pair[0], pair[1]), pair));
    let Some((_, pair)) = pairs.max_by(|a, b| a.0.total_cmp(&b.0)) else { return 0.0 };
    let (a, b) = (pair[0].map(f64::from), pair[1].map(f64::from));
    // Where both are farthest from each other, for any but the widest arcs.
    let t = 0.21;
    let straight: [f64; 4] = std::array::from_fn(|i| a[i] + (b[i] - a[i]) * t);
    let length = straight.iter().map(|x| x * x).sum::<f64>().sqrt();
    let arc = slerp_exact(a, b, t);
    (0..4).map(|i| straight[i] / length - arc[i]).map(|off| off * off).sum::<f64>().sqrt()
}

/// The middle of all keys, of a rotation the mean.
pub(super) fn middle(track: &Prepared) -> [f32; 4] {
    let parts: [(f64, f64, f64); 4] = std::array::from_fn(|part| {
        let numbers: Vec<f64> = track.values.iter().map(|value| f64::from(value[part])).collect();
        let (low, high) = bounds(&numbers);
        (low, high, numbers.iter().sum::<f64>())
    });
    #[expect(clippy::cast_possible_truncation, reason = "offsets are in single precision")]
    let single = |value: [f64; 4]| value.map(|number| number as f32);
    if track.property != Property::Rotation {
        return single(parts.map(|(low, high, _)| 0.5 * (low + high)));
    }
    let middle = parts.map(|(low, high, _)| 0.5 * (low + high));
    let sums = parts.map(|(_, _, sum)| sum);
    let unit = |value: [f64; 4]| {
        let length = value.iter().map(|x| x * x).sum::<f64>().sqrt();
        (length > 1e-3).then(|| single(value.map(|x| x / length)))
    };
    unit(middle).or_else(|| unit(sums)).unwrap_or(track.values[0])
}

/// How far the keys of a track are from a value at most; of quaternions the nearer one of both counts.
pub(super) fn largest_distance(track: &Prepared, value: [f32; 4]) -> f64 {
    let (width, is_turn) = (track.property.width(), track.property == Property::Rotation);
    let distance = |key: &[f32; 4], sign: f64| -> f64 {
        (0..width).map(|i| f64::from(key[i]) - sign * f64::from(value[i])).map(|off| off * off).sum()
    };
    let squared = |key: &[f32; 4]| {
        let same = distance(key, 1.0);
        if is_turn { same.min(distance(key, -1.0)) } else { same }
    };
    track.values.iter().map(squared).fold(0.0, f64::max).sqrt()
}
