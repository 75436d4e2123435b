//! Writes planned tracks as rows.

use super::set::{Plan, Set, SetPlan};
use super::spline::Spline;
use crate::clip::Property;
use crate::clip::packed::{
    BLOCK_JOINTS, Basis, Bits, CONSTANTS_BEYOND, Knot, PackedRows, PairRows, Run, short,
};
use crate::clip::rows::Timeline;
use crate::clip::slerp::{Reach, separation};
use crate::clip::times::KeyTimes;
use crate::pose::LANES;

/// A timeline of packed tracks.
pub(super) fn encode(set: &Set, plan: &SetPlan<'_>) -> Timeline {
    let spline = plan.spline;
    let mut rows = PackedRows {
        spans: spline.map_or(1, |spline| spline.spans),
        knots: spline.map_or_else(Box::default, |spline| Knot::all(&set.secs, spline.spans)),
        is_periodic: spline.is_some_and(|spline| spline.is_periodic),
        spline: PairRows::default(),
        keys: PairRows::default(),
        runs: Box::default(),
        constants: Box::default(),
        joints: Box::default(),
    };
    let (mut runs, mut constants, mut joints) = (Vec::new(), Vec::new(), Vec::new());
    let tracks = sorted(&plan.tracks);
    for (basis, count) in [(Basis::Keys, set.secs.len()), (Basis::Spline, spline.map_or(0, Spline::points))] {
        let own = tracks.iter().filter(|plan| plan.kind.basis == basis);
        *rows.list(basis) = PairRows::new(count.div_ceil(2), own.map(|plan| plan.kind.pair_bytes()).sum());
    }
    let (mut keys_at, mut spline_at) = (0, 0);
    for run in tracks.chunk_by(|a, b| (block(a), a.kind) == (block(b), b.kind)) {
        let kind = run[0].kind;
        let first = if kind.basis == Basis::Keys { &mut keys_at } else { &mut spline_at };
        for strip in run.chunks(LANES) {
            let columns: Vec<Column> = strip
                .iter()
                .map(|plan| Column::new(plan, spline.filter(|_| kind.basis == Basis::Spline)))
                .collect();
            for constant in 0..kind.constants() {
                constants.extend(columns.iter().map(|column| column.constants[constant]));
            }
            write(rows.list(kind.basis), *first, kind.bits, &columns);
            *first += strip.len() * kind.pair_bytes();
        }
        joints.extend(run.iter().map(|plan| short(plan.joint)));
        runs.push(Run::new(kind, short(block(run[0])), short(run.len())));
    }
    constants.extend([0.0; CONSTANTS_BEYOND]);
    (rows.runs, rows.constants, rows.joints) = (runs.into(), constants.into(), joints.into());
    rows.lay_out();
    Timeline {
        times: KeyTimes::new(set.secs.clone()),
        rows: Vec::new(),
        stride: 0,
        is_narrow: false,
        reach: reach(set),
        has_splines: false,
        packed: Some(Box::new(rows)),
    }
}

impl PackedRows {
    fn list(&mut self, basis: Basis) -> &mut PairRows {
        match basis {
            Basis::Keys => &mut self.keys,
            Basis::Spline => &mut self.spline,
        }
    }
}

fn block(plan: &Plan<'_>) -> usize {
    plan.joint / BLOCK_JOINTS
}

/// By block and kind; whole groups of joints first, which are written at once.
fn sorted<'a, 'b>(plans: &'b [Plan<'a>]) -> Vec<&'b Plan<'a>> {
    let mut sorted: Vec<&Plan<'a>> = plans.iter().collect();
    let key = |plan: &Plan<'_>| (block(plan), plan.kind, plan.joint / LANES);
    sorted.sort_by_key(|plan| (key(plan), plan.joint));
    let groups = sorted.chunk_by(|a, b| key(a) == key(b));
    let is_partial: Vec<bool> =
        groups.flat_map(|group| std::iter::repeat_n(group.len() < LANES, group.len())).collect();
    let mut order: Vec<usize> = (0..sorted.len()).collect();
    order.sort_by_key(|&index| (block(sorted[index]), sorted[index].kind, is_partial[index], index));
    order.into_iter().map(|index| sorted[index]).collect()
}

/// The widest arc between keys, and some more: packed keys are not quite where they were.
fn reach(set: &Set) -> Reach {
    const MORE: f64 = 0.005;
    let turns = set.tracks.iter().filter(|track| track.property == Property::Rotation);
    let pairs = turns.flat_map(|track| track.values.windows(2));
    let widest = pairs.map(|pair| separation(pair[0], pair[1])).fold(0.0, f64::max).sqrt() + MORE;
    #[expect(clippy::cast_possible_truncation, reason = "as the kernel reads it")]
    Reach::of((widest * widest) as f32)
}

/// A track as it is written.
struct Column {
    constants: Vec<f32>,
    /// Part by part, row by row.
    rows: Vec<Vec<f64>>,
}

impl Column {
    #[expect(clippy::cast_possible_truncation, reason = "constants are in single precision")]
    fn new(plan: &Plan<'_>, spline: Option<&Spline>) -> Self {
        let (channel, kind) = (plan.channel, plan.kind);
        let unit = kind.bits.unit(kind.basis);
        let scale = (plan.step * unit) as f32;
        let step = f64::from(scale) / unit;
        let mut constants = vec![scale];
        constants.extend(&channel.origin);
        let mut rows = Vec::new();
        for part in 0..channel.parts.len() {
            let numbers = channel.rows(part, spline);
            let mut offset = 0.0;
            if channel.origin.is_empty() {
                // As they are, numbers need none.
                let is_float = kind.bits == Bits::Float;
                let single =
                    if is_float { 0.0 } else { channel.offset(super::channel::bounds(&numbers)) as f32 };
                constants.push(single);
                offset = f64::from(single);
            }
            let largest = kind.bits.largest();
            let whole = |number: &f64| match kind.bits {
                Bits::Float => *number,
                _ => ((number - offset) / step).round().clamp(-largest, largest),
            };
            rows.push(numbers.iter().map(whole).collect());
        }
        Self { constants, rows }
    }
}

/// Writes up to eight tracks side by side, from a place in each pair of rows on.
#[expect(clippy::cast_possible_truncation, reason = "bounded by the largest integer")]
fn write(list: &mut PairRows, first: usize, bits: Bits, columns: &[Column]) {
    let lanes = columns.len();
    for (lane, column) in columns.iter().enumerate() {
        for (part, rows) in column.rows.iter().enumerate() {
            for (row, &number) in rows.iter().enumerate() {
                let at = row / 2 * list.stride + first + part * lanes * bits.pair_bytes();
                let bytes = &mut list.bytes[at..at + lanes * bits.pair_bytes()];
                let (slot, second) = (2 * lane + row % 2, row % 2);
                let whole = number as i32;
                match bits {
                    Bits::Eight => bytes[slot] = whole.to_le_bytes()[0],
                    Bits::Twelve => {
                        let [low, high, ..] = (whole << 4).to_le_bytes();
                        bytes[slot] = high;
                        bytes[2 * lanes + lane] |= low >> (4 * (1 - second));
                    }
                    Bits::Sixteen => {
                        bytes[2 * slot..2 * slot + 2].copy_from_slice(&(whole as i16).to_le_bytes());
                    }
                    Bits::Float => {
                        let at = 4 * (second * lanes + lane);
                        bytes[at..at + 4].copy_from_slice(&(number as f32).to_le_bytes());
                    }
                }
            }
        }
    }
}
