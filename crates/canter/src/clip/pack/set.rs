//! Tracks that share key times, and the ways in which they can be packed.

use std::sync::Arc;

use super::channel::{Channel, Fit, has_parameters, largest_distance, straightness};
use super::reference::Lever;
use super::spline::{MOST_POINTS, Spline};
use super::{PackMode, Tolerances};
use crate::clip::Property;
use crate::clip::merge::Shared;
use crate::clip::packed::{Bits, Form};
use crate::clip::prepare::Prepared;
use crate::pose::LANES;

/// How far rounding takes values of so many numbers: half a step along each axis.
const OF_ROUNDING: [f64; 5] = [0.0, 1.0, 1.41, 1.73, 2.0];
/// What of a tolerance a constant may take.
const OF_CONSTANT: f64 = 0.6;
/// Strips that drive no more lanes than these are packed lane by lane.
const SPARSE_LANES: u32 = 3;
const BYTES_OF_A_LANE: usize = 4;

pub(super) struct Set {
    pub(super) secs: Arc<[f32]>,
    pub(super) tracks: Vec<Prepared>,
    pub(super) channels: Vec<Channel>,
    /// Key by key first.
    pub(super) ways: Vec<Way>,
}

/// A way to reproduce keys, and how well each channel is.
pub(super) struct Way {
    pub(super) spline: Option<Spline>,
    pub(super) fits: Vec<Fit>,
}

/// How a strip is packed.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) bits: Bits,
    /// The distance of neighbouring integers, channel by channel.
    pub(super) steps: Vec<f64>,
    pub(super) bytes: usize,
}

/// Channels of one property of one group.
pub(super) struct StripPlan {
    pub(super) group: usize,
    pub(super) property: Property,
    pub(super) channels: Vec<usize>,
    /// `None` if it takes more than 16 bits: it stays as it is.
    pub(super) key_plan: Option<Plan>,
    pub(super) spline_plan: Option<Plan>,
}

impl StripPlan {
    /// The one that takes less room, and whether it is on a spline.
    pub(super) fn best(&self) -> Option<(bool, &Plan)> {
        let keys = self.key_plan.as_ref().map(|plan| (false, plan));
        let spline = self.spline_plan.as_ref().map(|plan| (true, plan));
        keys.into_iter().chain(spline).min_by_key(|(_, plan)| plan.bytes)
    }
}

impl Set {
    /// `uneven` are the groups of which some joint is not scaled evenly.
    pub(super) fn new(
        shared: Shared,
        mode: PackMode,
        levers: &[Lever],
        uneven: &[usize],
        error: f64,
    ) -> Self {
        let forms = forms(&shared.tracks, mode, levers, uneven, error);
        let channels: Vec<Channel> =
            shared.tracks.iter().zip(&forms).map(|(track, form)| Channel::new(track, *form)).collect();
        let mut ways = vec![Way::new(None, &channels)];
        let mut spans = 2;
        while (spans as usize) < MOST_POINTS.min(shared.secs.len()) {
            for is_periodic in [false, true] {
                let spline = Spline::new(&shared.secs, spans, is_periodic);
                ways.extend(spline.map(|spline| Way::new(Some(spline), &channels)));
            }
            spans += (spans / 16).max(1);
        }
        Self { secs: shared.secs, tracks: shared.tracks, channels, ways }
    }

    /// The value that does instead of a channel that hardly moves: that of the rest pose, or its middle.
    pub(super) fn constant(&self, channel: usize, rest: [f32; 4], tolerance: f64) -> Option<[f32; 4]> {
        let most = tolerance * OF_CONSTANT;
        if largest_distance(&self.tracks[channel], rest) <= most {
            return Some(rest);
        }
        let channel = &self.channels[channel];
        (channel.spread <= most).then_some(channel.middle)
    }

    /// Plans all strips with the way that takes the least room.
    pub(super) fn plan(
        &self,
        moving: &[usize],
        tolerances: &Tolerances<'_>,
        mode: PackMode,
    ) -> (usize, Vec<StripPlan>) {
        let strips = strips(&self.channels, moving);
        let plan = |way: usize| -> Vec<StripPlan> {
            let planned = strips.iter().map(|channels| {
                let first = &self.channels[channels[0]];
                StripPlan {
                    group: first.joint / LANES,
                    property: first.property,
                    channels: channels.clone(),
                    key_plan: self.plan_strip(channels, 0, tolerances, mode),
                    spline_plan: (way > 0)
                        .then(|| self.plan_strip(channels, way, tolerances, mode))
                        .flatten(),
                }
            });
            planned.collect()
        };
        let bytes = |strips: &[StripPlan]| -> usize {
            let unpacked =
                |strip: &StripPlan| (strip.property.width() + 1) * BYTES_OF_A_LANE * LANES * self.secs.len();
            strips.iter().map(|s| s.best().map_or_else(|| unpacked(s), |(_, plan)| plan.bytes)).sum()
        };
        let plans = (0..self.ways.len()).map(|way| (way, plan(way)));
        plans.min_by_key(|(_, strips)| bytes(strips)).expect("keys are a way")
    }

    fn plan_strip(
        &self,
        channels: &[usize],
        way: usize,
        tolerances: &Tolerances<'_>,
        mode: PackMode,
    ) -> Option<Plan> {
        let way = &self.ways[way];
        let parts = self.channels[channels[0]].parts.len();
        // How far rows get away from their offset, and what fitting leaves of the tolerance for rounding.
        let mut demands = Vec::with_capacity(channels.len());
        for &index in channels {
            let (channel, fit) = (&self.channels[index], &way.fits[index]);
            let tolerance = tolerances.of(&self.tracks[index]) * channel.per_own();
            let extent = fit.bounds.iter().map(|bounds| channel.extent(*bounds)).fold(0.0, f64::max);
            demands.push((extent, tolerance - fit.residual));
        }
        let lanes = u8::MAX >> (LANES - channels.len());
        let pairs = way.points(self).div_ceil(2);
        let fine = |bits: Bits, extent: f64| extent / (f64::from(bits.largest()) - 0.5);
        // Each number is off by half a step at most, all of them hardly ever at once.
        let rounding = |bits: Bits, extent: f64| 0.5 * fine(bits, extent) * OF_ROUNDING[parts];
        let suffices = |bits: &Bits| demands.iter().all(|(extent, left)| rounding(*bits, *extent) <= *left);
        let all = [Bits::Eight, Bits::Twelve, Bits::Sixteen];
        let mut widths = all.into_iter().filter(|bits| mode == PackMode::Small || *bits == Bits::Sixteen);
        let mut bits = widths.find(suffices)?;
        if lanes.count_ones() <= SPARSE_LANES && Bits::Sparse.pair_bytes(lanes) < bits.pair_bytes(lanes) {
            bits = Bits::Sparse;
        }
        // As fine as the bits allow: that costs nothing.
        let bytes = parts * bits.pair_bytes(lanes) * pairs;
        let steps = demands.iter().map(|(extent, _)| fine(bits, *extent).max(1e-30)).collect();
        Some(Plan { bits, steps, bytes })
    }
}

impl Way {
    fn new(spline: Option<Spline>, channels: &[Channel]) -> Self {
        let fits = channels.iter().map(|channel| channel.fit(spline.as_ref())).collect();
        Self { spline, fits }
    }

    fn points(&self, set: &Set) -> usize {
        self.spline.as_ref().map_or(set.secs.len(), Spline::points)
    }
}

/// Channels by group and property.
fn strips(channels: &[Channel], moving: &[usize]) -> Vec<Vec<usize>> {
    let key = |index: usize| (channels[index].joint / LANES, channels[index].property);
    let mut sorted = moving.to_vec();
    sorted.sort_by_key(|index| (key(*index), channels[*index].joint));
    sorted.chunk_by(|a, b| key(*a) == key(*b)).map(<[usize]>::to_vec).collect()
}

/// The form of each track: one for all rotations of a group.
fn forms(tracks: &[Prepared], mode: PackMode, levers: &[Lever], uneven: &[usize], error: f64) -> Vec<Form> {
    /// What of the error the straight way between two quaternions may be.
    const OF_STRAIGHT: f64 = 0.25;
    let is_turn = |track: &Prepared| track.property == Property::Rotation;
    let own = |track: &Prepared| match mode {
        PackMode::Small if has_parameters(track) => Form::Turns,
        PackMode::Fast if 2.0 * straightness(track) * levers[track.joint].reach <= OF_STRAIGHT * error => {
            Form::Sum
        }
        PackMode::Small | PackMode::Fast => Form::Quaternions,
    };
    let mut quaternions: Vec<usize> = Vec::new();
    for track in tracks.iter().filter(|track| is_turn(track)) {
        if own(track) == Form::Quaternions {
            quaternions.push(track.joint / LANES);
        }
    }
    let form = |track: &Prepared| {
        if track.property == Property::Scale && !uneven.contains(&(track.joint / LANES)) {
            Form::Uniform
        } else if !is_turn(track) {
            Form::Sum
        } else if quaternions.contains(&(track.joint / LANES)) {
            Form::Quaternions
        } else {
            own(track)
        }
    };
    tracks.iter().map(form).collect()
}
