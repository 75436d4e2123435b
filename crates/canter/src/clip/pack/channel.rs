//! A track as numbers that are fitted, rounded and packed.

use glam::DQuat;

use super::spline::Spline;
use crate::clip::Property;
use crate::clip::packed::Form;
use crate::clip::prepare::Prepared;
use crate::clip::slerp::{separation, slerp_exact};

/// A track, number by number, in the form in which it is packed.
pub(super) struct Channel {
    pub(super) joint: usize,
    pub(super) property: Property,
    pub(super) form: Form,
    /// One list of all keys for each number.
    pub(super) parts: Vec<Vec<f64>>,
    /// What turns are measured from; else the middle of all keys.
    pub(super) middle: [f32; 4],
    /// How far keys are from the middle at most, in the track's own numbers.
    pub(super) spread: f64,
}

/// How far a fit is from the keys, and between which bounds its numbers lie.
pub(super) struct Fit {
    pub(super) residual: f64,
    pub(super) bounds: Vec<(f64, f64)>,
}

impl Channel {
    pub(super) fn new(track: &Prepared, form: Form) -> Self {
        let middle = middle(track);
        let wide = track.values.iter().map(|value| value.map(f64::from));
        let parts = if form == Form::Turns {
            let mean = DQuat::from_array(middle.map(f64::from)).inverse();
            let turns: Vec<[f64; 3]> =
                wide.map(|value| parameters(mean * DQuat::from_array(value))).collect();
            (0..3).map(|part| turns.iter().map(|turn| turn[part]).collect()).collect()
        } else {
            let width = form.parts(track.property);
            let values: Vec<[f64; 4]> = wide.collect();
            (0..width).map(|part| values.iter().map(|value| value[part]).collect()).collect()
        };
        let spread = largest_distance(track, middle);
        Self { joint: track.joint, property: track.property, form, parts, middle, spread }
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
        let bounds = rows.iter().map(|rows| bounds(rows)).collect();
        let residual = spline.map_or(0.0, |spline| {
            let squared = |key: usize| -> f64 {
                let parts = self.parts.iter().zip(&rows);
                parts.map(|(part, rows)| part[key] - spline.at(rows, key)).map(|off| off * off).sum()
            };
            (0..self.parts[0].len()).map(squared).fold(0.0, f64::max).sqrt()
        });
        Fit { residual, bounds }
    }

    /// Where zero is: what is driven least from there.
    pub(super) fn offset(&self, bounds: (f64, f64)) -> f64 {
        if self.form == Form::Turns { 0.0 } else { 0.5 * (bounds.0 + bounds.1) }
    }

    /// How far rows get away from the offset.
    pub(super) fn extent(&self, bounds: (f64, f64)) -> f64 {
        let offset = self.offset(bounds);
        (bounds.1 - offset).max(offset - bounds.0)
    }
}

fn bounds(numbers: &[f64]) -> (f64, f64) {
    numbers.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)))
}

/// Modified Rodrigues parameters.
fn parameters(turn: DQuat) -> [f64; 3] {
    let [x, y, z, w] = turn.to_array();
    [x, y, z].map(|part| part / (1.0 + w))
}

/// Whether all turns from the middle are short enough for parameters, which have no number for a full one.
pub(super) fn has_parameters(track: &Prepared) -> bool {
    let middle = middle(track).map(f64::from);
    let cosine = |value: &[f32; 4]| -> f64 { (0..4).map(|i| f64::from(value[i]) * middle[i]).sum() };
    track.values.iter().all(|value| cosine(value) > -0.3)
}

/// Whether a scale is the same along all axes.
pub(super) fn is_uniform(track: &Prepared) -> bool {
    track.property == Property::Scale && track.values.iter().all(|[x, y, z, _]| x == y && y == z)
}

/// How far the straight way between neighbouring quaternions is from the arc at most.
pub(super) fn straightness(track: &Prepared) -> f64 {
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
fn middle(track: &Prepared) -> [f32; 4] {
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
