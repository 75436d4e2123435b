//! Samples along a line: between two neighbours both count.

use super::SMALLEST;

#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Places and numbers of samples, in order of the places.
    sorted: Vec<(f64, usize)>,
}

impl Line {
    pub(super) fn new(places: impl Iterator<Item = f32>) -> Self {
        let mut sorted: Vec<_> =
            places.enumerate().map(|(sample, place)| (f64::from(place), sample)).collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
        Self { sorted }
    }

    pub(super) fn weigh(&self, at: f64, weights: &mut [f32]) {
        let after = self.sorted.partition_point(|(place, _)| *place <= at);
        let (Some(&(to, second)), Some(&(from, first))) =
            (self.sorted.get(after), self.sorted.get(after.wrapping_sub(1)))
        else {
            // Before the first or behind the last.
            let end = if after == 0 { self.sorted.first() } else { self.sorted.last() };
            end.into_iter().for_each(|(_, sample)| weights[*sample] = 1.0);
            return;
        };
        let part = (at - from) / (to - from);
        write_pair(first, second, part, weights);
    }
}

/// Writes the weights of two samples at a part of the way between them.
pub(super) fn write_pair(first: usize, second: usize, part: f64, weights: &mut [f32]) {
    let part = if part < SMALLEST { 0.0 } else { part.min(1.0) };
    #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
    let part = part as f32;
    weights[first] = 1.0 - part;
    weights[second] = part;
}
