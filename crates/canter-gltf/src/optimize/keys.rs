//! Which keys of tracks are needed, if those between them are interpolated.

use canter::glam::DVec4;
use canter::{Interpolation, TrackTarget};

use super::lever::Levers;
use super::motion::{Track, slerp, unit};
use super::rig::Rig;

/// A track on the times of its clip.
#[derive(Debug)]
pub(super) struct Gridded {
    pub(super) target: TrackTarget,
    pub(super) width: usize,
    is_rotation: bool,
    /// Indices of the times at which it bends: its own keys.
    pub(super) own: Vec<usize>,
    /// Its values at all times.
    exact: Vec<f64>,
    /// The same as 16 bits can say it; empty unless it is a rotation.
    rounded: Vec<f64>,
}

/// Parts into which the pieces of a spline are cut to make them straight.
pub(super) const SPLINE_PARTS: u32 = 8;

/// The times at which a track bends, or nearly so.
pub(super) fn bends(track: &Track) -> Vec<f64> {
    if track.interpolation != Interpolation::CubicSpline {
        return track.times.clone();
    }
    let mut times: Vec<f64> = Vec::new();
    for pair in track.times.windows(2) {
        for part in 0..SPLINE_PARTS {
            let secs = pair[0] + (pair[1] - pair[0]) * f64::from(part) / f64::from(SPLINE_PARTS);
            // As it can be written.
            #[expect(clippy::cast_possible_truncation, reason = "times are written in single precision")]
            times.push(f64::from(secs as f32));
        }
    }
    times.extend(track.times.last());
    times.dedup();
    times
}

impl Gridded {
    pub(super) fn new(track: &Track, grid: &[f64]) -> Self {
        let bends = bends(track);
        let place = |secs: &f64| grid.partition_point(|time| time < secs);
        let width = track.width;
        let mut exact = vec![0.0; grid.len() * width];
        for (value, &secs) in exact.chunks_exact_mut(width.max(1)).zip(grid) {
            track.sample_into(secs, value);
        }
        let is_rotation = track.is_rotation();
        let rounded =
            if is_rotation { exact.as_chunks::<4>().0.iter().flat_map(rounded).collect() } else { vec![] };
        let own = bends.iter().map(place).filter(|&index| index < grid.len()).collect();
        Self { target: track.target, width, is_rotation, own, exact, rounded }
    }

    pub(super) fn exact(&self, index: usize) -> &[f64] {
        &self.exact[index * self.width..][..self.width]
    }

    /// The value of a key as it is written.
    pub(super) fn written(&self, index: usize, is_short: bool) -> &[f64] {
        let values = if is_short { &self.rounded } else { &self.exact };
        &values[index * self.width..][..self.width]
    }

    /// Whether all values are within a tolerance of one.
    pub(super) fn is_near(&self, value: &[f64], within: &dyn Fn(&[f64], &[f64]) -> bool) -> bool {
        self.own.iter().all(|&index| within(self.exact(index), value))
    }
}

/// A rotation as 16 bits say it, with length one.
fn rounded(value: &[f64; 4]) -> [f64; 4] {
    unit(DVec4::from_array(short(value).map(|number| f64::from(number) / 32767.0))).to_array()
}

/// A rotation in 16 bits.
pub(super) fn short(value: &[f64]) -> [i16; 4] {
    #[expect(clippy::cast_possible_truncation, reason = "clamped")]
    std::array::from_fn(|lane| (value[lane].clamp(-1.0, 1.0) * 32767.0).round() as i16)
}

/// A track whose keys are chosen, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice<'a> {
    pub(super) track: &'a Gridded,
    /// How far it may be off, in units of the file.
    pub(super) tolerance: f64,
    /// It is written in 16 bits.
    pub(super) is_short: bool,
}

/// Chooses keys among candidates so that all tracks stay within their tolerances, from key to key as far as
/// possible.
pub(super) fn choose(
    choices: &[Choice<'_>],
    candidates: &[usize],
    grid: &[f64],
    rig: &Rig,
    levers: &Levers,
) -> Vec<usize> {
    let mut kept = Vec::new();
    let mut at = 0;
    kept.extend(candidates.first());
    while at + 1 < candidates.len() {
        let fits = |to: usize| {
            choices.iter().all(|choice| choice.fits(candidates[at], candidates[to], grid, rig, levers))
        };
        // Ever longer steps, then halving between the last that fits and the first that does not.
        let (mut good, mut bad, mut step) = (at + 1, candidates.len(), 1);
        while good + step < bad {
            if !fits(good + step) {
                bad = good + step;
                break;
            }
            good += step;
            step *= 2;
        }
        while bad - good > 1 {
            let middle = good + (bad - good) / 2;
            if fits(middle) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        at = good;
        kept.push(candidates[at]);
    }
    kept
}

impl Choice<'_> {
    /// Whether the way between two keys passes near enough to all between them.
    fn fits(&self, from: usize, to: usize, grid: &[f64], rig: &Rig, levers: &Levers) -> bool {
        let track = self.track;
        let (a, b) = (track.written(from, self.is_short), track.written(to, self.is_short));
        let secs = grid[to] - grid[from];
        let first = track.own.partition_point(|&index| index <= from);
        let mut value = vec![0.0; track.width];
        track.own[first..].iter().take_while(|&&index| index < to).all(|&index| {
            let t = (grid[index] - grid[from]) / secs;
            if track.is_rotation {
                let between = slerp(DVec4::from_slice(a), DVec4::from_slice(b), t);
                value.copy_from_slice(&between.to_array());
            } else {
                for (lane, value) in value.iter_mut().enumerate() {
                    *value = a[lane] + (b[lane] - a[lane]) * t;
                }
            }
            levers.apart(rig, track.target, &value, track.exact(index)) <= self.tolerance
        })
    }
}
