//! Tracks that share key times, and the ways in which they can be packed.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::channel::{Channel, Fit, largest_distance, middle};
use super::spline::{MOST_POINTS, Spline};
use super::{PackMode, Tolerances};
use crate::clip::merge::Shared;
use crate::clip::packed::{Basis, Bits, Form, Kind, Knot, Run};
use crate::clip::prepare::Prepared;
use crate::pose::LANES;

/// How far rounding takes values of so many numbers: half a step along each axis.
const OF_ROUNDING: [f64; 5] = [0.0, 1.0, 1.41, 1.73, 2.0];
/// What of a tolerance a constant may take.
const OF_CONSTANT: f64 = 0.6;
/// What of a tolerance the form of a track may take where another one is as good.
const OF_FORM: f64 = 0.5;
const BYTES_OF_A_CONSTANT: usize = 4;

pub(super) struct Set {
    pub(super) secs: Arc<[f32]>,
    pub(super) tracks: Vec<Prepared>,
    /// Of each track all forms that it may have.
    channels: Vec<Vec<Channel>>,
    /// Key by key first.
    ways: Vec<Way>,
}

/// A way to reproduce keys, and how well each channel of each track is.
struct Way {
    spline: Option<Spline>,
    fits: Vec<Vec<Fit>>,
}

/// How a track is packed.
#[derive(Clone, Copy)]
pub(super) struct Plan<'a> {
    pub(super) joint: usize,
    pub(super) channel: &'a Channel,
    pub(super) kind: Kind,
    /// The distance of neighbouring integers.
    pub(super) step: f64,
    /// How far its numbers get from their middle, and in how many rows they are.
    extent: f64,
    rows: usize,
}

/// How the tracks of a set are packed that move.
pub(super) struct SetPlan<'a> {
    pub(super) spline: Option<&'a Spline>,
    pub(super) tracks: Vec<Plan<'a>>,
}

impl Set {
    pub(super) fn new(mut shared: Shared, mode: PackMode) -> Self {
        shared.tracks.sort_by_key(|track| (track.property, track.joint));
        let channels: Vec<Vec<Channel>> =
            shared.tracks.iter().map(|track| Channel::all(track, mode)).collect();
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

    /// Plans all tracks that move with the way that takes the least room.
    pub(super) fn plan(&self, moving: &[usize], tolerances: &Tolerances<'_>, mode: PackMode) -> SetPlan<'_> {
        let key = |track: &usize| (self.tracks[*track].property, self.tracks[*track].joint / LANES);
        let plan = |way: usize| -> Vec<Plan<'_>> {
            let groups = moving.chunk_by(|a, b| key(a) == key(b));
            groups.flat_map(|tracks| self.plan_group(tracks, way, tolerances, mode)).collect()
        };
        let plans = (0..self.ways.len()).map(|way| (way, plan(way)));
        let bytes = |plans: &[Plan<'_>]| {
            // How a spline makes each key is kept: for a few tracks that is more than they save.
            let is_knotted = plans.iter().any(|plan| plan.kind.basis == Basis::Spline);
            let knots = if is_knotted { self.secs.len() * size_of::<Knot>() } else { 0 };
            bytes(plans) + knots + kinds(plans) * size_of::<Run>()
        };
        let cost = |plans: &[Plan<'_>]| match mode {
            PackMode::Small => (0, 0, bytes(plans)),
            PackMode::Fast => (strips(plans), kinds(plans), bytes(plans)),
        };
        let (way, tracks) = plans.min_by_key(|(_, plans)| cost(plans)).expect("keys are a way");
        let is_knotted = tracks.iter().any(|plan| plan.kind.basis == Basis::Spline);
        SetPlan { spline: self.ways[way].spline.as_ref().filter(|_| is_knotted), tracks }
    }

    /// Plans tracks of one group of joints: all of them in one way where that takes little more room, since whole groups are
    /// sampled in a third of the time.
    fn plan_group(
        &self,
        tracks: &[usize],
        way: usize,
        tolerances: &Tolerances<'_>,
        mode: PackMode,
    ) -> Vec<Plan<'_>> {
        const MORE: f64 = 1.2;
        let all: Vec<Vec<Plan<'_>>> =
            tracks.iter().map(|track| self.candidates(*track, way, tolerances, mode)).collect();
        let cost = |plans: &[Plan<'_>]| {
            let slowest = plans.iter().map(|plan| slowness(plan.kind)).max();
            // To sample few kinds of tracks is quicker: a spline is taken where one will do.
            let is_other = |plan: &Plan<'_>| way > 0 && plan.kind.basis == Basis::Keys;
            match mode {
                PackMode::Small => (None, false, bytes(plans)),
                PackMode::Fast => (slowest, plans.iter().any(is_other), bytes(plans)),
            }
        };
        let best = all.iter().map(|plans| plans.iter().min_by_key(|plan| cost(std::slice::from_ref(*plan))));
        let own: Vec<Plan<'_>> = best.map(|plan| *plan.expect("numbers as they are have no error")).collect();
        let kinds = all[0].iter().map(|plan| plan.kind);
        let shared = kinds.filter_map(|kind| self.plan_alike(&all, kind));
        let shared = shared.min_by_key(|plans| cost(plans));
        #[expect(clippy::cast_precision_loss, reason = "few")]
        let is_worth = |plans: &Vec<Plan<'_>>| match mode {
            PackMode::Small => tracks.len() == LANES && bytes(plans) as f64 <= MORE * bytes(&own) as f64,
            PackMode::Fast => strips(&own) > 1 && cost(plans).0 <= cost(&own).0,
        };
        shared.filter(is_worth).unwrap_or(own)
    }

    /// All tracks of a group in the same way, with as many bits as one of them needs; `None` if one of them can't be so.
    fn plan_alike<'a>(&self, all: &[Vec<Plan<'a>>], kind: Kind) -> Option<Vec<Plan<'a>>> {
        let is_alike = |plan: &&Plan<'_>| (plan.kind.basis, plan.kind.form) == (kind.basis, kind.form);
        let plans: Option<Vec<Plan<'_>>> =
            all.iter().map(|plans| plans.iter().find(is_alike).copied()).collect();
        let mut plans = plans?;
        let bits = plans.iter().map(|plan| plan.kind.bits).max()?;
        for plan in &mut plans {
            plan.widen(bits);
        }
        Some(plans)
    }

    /// All ways to pack a track within its tolerance, each with as few bits as suffice.
    fn candidates(
        &self,
        track: usize,
        way: usize,
        tolerances: &Tolerances<'_>,
        mode: PackMode,
    ) -> Vec<Plan<'_>> {
        let own_tolerance = tolerances.of(&self.tracks[track]);
        let ways: &[_] = if way == 0 { &[0] } else { &[0, way] };
        let mut plans = Vec::new();
        for (index, channel) in self.channels[track].iter().enumerate() {
            for way in ways {
                let (way, fit) = (&self.ways[*way], &self.ways[*way].fits[track][index]);
                let tolerance = own_tolerance * channel.per_own();
                let off = channel.off * channel.per_own();
                let left = tolerance - (off * off + fit.residual * fit.residual).sqrt();
                if left > 0.0 && off <= tolerance * OF_FORM {
                    plans.extend(way.plan(self, track, channel, (fit, left), mode));
                }
            }
        }
        plans
    }
}

fn bytes(plans: &[Plan<'_>]) -> usize {
    plans.iter().map(Plan::bytes).sum()
}

impl Plan<'_> {
    fn bytes(&self) -> usize {
        self.kind.pair_bytes() * self.rows.div_ceil(2) + self.kind.constants() * BYTES_OF_A_CONSTANT
    }

    fn widen(&mut self, bits: Bits) {
        self.kind.bits = bits;
        // As fine as the bits allow: that costs nothing.
        self.step = if bits == Bits::Float { 1.0 } else { step(self.extent, bits) };
    }
}

/// The distance of neighbouring integers.
fn step(extent: f64, bits: Bits) -> f64 {
    (extent / (bits.largest() - 0.5)).max(1e-30)
}

/// In how many ways tracks are packed.
fn kinds(plans: &[Plan<'_>]) -> usize {
    plans.iter().map(|plan| plan.kind).collect::<BTreeSet<Kind>>().len()
}

/// How often up to eight tracks are sampled that are of one group of joints.
fn strips(plans: &[Plan<'_>]) -> usize {
    plans.chunk_by(|a, b| (a.joint / LANES, a.kind) == (b.joint / LANES, b.kind)).count()
}

/// Which kinds take longer to be sampled.
fn slowness(kind: Kind) -> u8 {
    let of_form = match kind.form {
        Form::Uniform | Form::Hinge => 0,
        Form::Sum => 1,
        Form::Quaternions | Form::Turns => 2,
    };
    of_form + if kind.bits == Bits::Float { 3 } else { 0 }
}

impl Way {
    fn new(spline: Option<Spline>, channels: &[Vec<Channel>]) -> Self {
        let fits = |channels: &Vec<Channel>| channels.iter().map(|it| it.fit(spline.as_ref())).collect();
        let fits = channels.iter().map(fits).collect();
        Self { spline, fits }
    }

    /// With as few bits as suffice for what is left of a tolerance.
    fn plan<'a>(
        &self,
        set: &Set,
        track: usize,
        channel: &'a Channel,
        (fit, left): (&Fit, f64),
        mode: PackMode,
    ) -> Option<Plan<'a>> {
        let Prepared { joint, property, .. } = set.tracks[track];
        let (basis, rows) = match &self.spline {
            Some(spline) => (Basis::Spline, spline.points()),
            None => (Basis::Keys, set.secs.len()),
        };
        let extent = fit.bounds.iter().map(|bounds| channel.extent(*bounds)).fold(0.0, f64::max);
        // Weights of rows are rounded, too; those of keys are not, where an arc is drawn between them.
        let is_exact = basis == Basis::Keys && channel.form.has_arcs();
        let of_weights = if is_exact { 0.0 } else { 0.5 * fit.spread * basis.weight_step() };
        // Each number is off by half a step at most, all of them hardly ever at once.
        let off = |bits: Bits| (0.5 * step(extent, bits) + of_weights) * OF_ROUNDING[channel.parts.len()];
        let suffices = |bits: &Bits| off(*bits) <= left;
        let all: &[_] = match (mode, basis) {
            (PackMode::Small, Basis::Keys) => &[Bits::Eight, Bits::Twelve, Bits::Sixteen, Bits::Float],
            (PackMode::Small, Basis::Spline) => &[Bits::Eight, Bits::Twelve, Bits::Sixteen],
            (PackMode::Fast, Basis::Keys) => &[Bits::Sixteen, Bits::Float],
            (PackMode::Fast, Basis::Spline) => &[Bits::Sixteen],
        };
        let bits = *all.iter().find(|bits| **bits == Bits::Float || suffices(bits))?;
        let kind = Kind { basis, form: channel.form, property, bits };
        let mut plan = Plan { joint, channel, kind, step: 1.0, extent, rows };
        plan.widen(bits);
        Some(plan)
    }
}

/// The value that does instead of a track that hardly moves: that of the rest pose, or its middle.
pub(super) fn constant(track: &Prepared, rest: [f32; 4], tolerance: f64) -> Option<[f32; 4]> {
    let middle = middle(track);
    [rest, middle].into_iter().find(|value| largest_distance(track, *value) <= tolerance * OF_CONSTANT)
}
