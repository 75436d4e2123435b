//! Writes planned strips as rows.

use super::set::{Plan, Set, StripPlan};
use super::spline::Spline;
use crate::clip::Property;
use crate::clip::compile::{Layout, count, lanes};
use crate::clip::merge::Shared;
use crate::clip::packed::{Basis, Bits, Form, PackedRows, PackedStrip, PairRows};
use crate::clip::rows::{Strip, StripKind, Timeline};
use crate::clip::slerp::{Reach, separation};
use crate::clip::times::KeyTimes;
use crate::pose::{LANES, Lanes};

/// Adds a set to what a clip is laid out as: packed strips, and those that stay as they are.
pub(super) fn encode(set: &Set, way: usize, strips: &[StripPlan], layout: &mut Layout<'_>) {
    let spline = set.ways[way].spline.as_ref();
    let mut rows = PackedRows {
        spans: spline.map_or(1, |spline| spline.spans),
        is_periodic: spline.is_some_and(|spline| spline.is_periodic),
        spline: PairRows::default(),
        keys: PairRows::default(),
    };
    let timeline = count(layout.timelines.len());
    let mut encoded = Vec::new();
    let mut unpacked = Vec::new();
    for strip in strips {
        let Some((is_spline, plan)) = strip.best() else {
            unpacked.extend(strip.channels.iter().map(|&channel| set.tracks[channel].clone()));
            continue;
        };
        let spline = spline.filter(|_| is_spline);
        let basis = if is_spline { Basis::Spline } else { Basis::Keys };
        let list = if is_spline { &mut rows.spline } else { &mut rows.keys };
        let at = count(list.stride);
        let column = Column::new(set, strip, spline, basis, plan, layout);
        list.stride += column.pair_bytes();
        let strip_index = count(layout.packed.len());
        layout.packed.push(PackedStrip { at, ..column.strip });
        let driven = std::array::from_fn(|lane| column.strip.lanes & (1 << lane) != 0);
        let place = Strip { kind: StripKind::Packed, timeline, offset: strip_index };
        layout.strips[strip.group].push((strip.property, place, driven));
        encoded.push((at, column));
    }
    if !encoded.is_empty() {
        for (at, column) in &encoded {
            let list = if column.strip.basis == Basis::Spline { &mut rows.spline } else { &mut rows.keys };
            let pairs = column.rows[0][0].len().div_ceil(2);
            list.bytes.resize(pairs * list.stride, 0);
            list.has_arcs |= column.strip.form.has_arcs();
            column.write(*at as usize, list);
        }
        layout.timelines.push(Timeline {
            times: KeyTimes::new(set.secs.clone()),
            rows: Vec::new(),
            stride: 0,
            reach: reach(set),
            has_splines: false,
            packed: Some(Box::new(rows)),
        });
    }
    if !unpacked.is_empty() {
        layout.add_timeline(Shared { secs: set.secs.clone(), tracks: unpacked });
    }
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

/// A strip as integers.
struct Column {
    strip: PackedStrip,
    /// Part by part, driven lane by driven lane, row by row.
    rows: Vec<Vec<Vec<i32>>>,
}

impl Column {
    fn new(
        set: &Set,
        plan_of: &StripPlan,
        spline: Option<&Spline>,
        basis: Basis,
        plan: &Plan,
        layout: &mut Layout<'_>,
    ) -> Self {
        let first = &set.channels[plan_of.channels[0]];
        let form = first.form;
        let base = lanes(&layout.base[plan_of.group], plan_of.property);
        let mut offsets: Vec<Lanes> = base[..form.offset_parts(plan_of.property)].to_vec();
        let largest = f64::from(plan.bits.largest());
        let unit = f64::from(basis.unit()) / f64::from(1_u32 << plan.bits.shift());
        let mut scales = Lanes::default();
        let mut driven = 0;
        let mut rows = vec![Vec::new(); first.parts.len()];
        for (&index, step) in plan_of.channels.iter().zip(&plan.steps) {
            let (channel, lane) = (&set.channels[index], set.channels[index].joint % LANES);
            #[expect(clippy::cast_possible_truncation, reason = "scales are in single precision")]
            let scale = (step * unit) as f32;
            let step = f64::from(scale) / unit;
            scales.0[lane] = scale;
            driven |= 1 << lane;
            if form == Form::Turns {
                for (lanes, number) in offsets.iter_mut().zip(channel.middle) {
                    lanes.0[lane] = number;
                }
            }
            for (part, rows) in rows.iter_mut().enumerate() {
                let numbers = channel.rows(part, spline);
                let mut offset = 0.0;
                if form != Form::Turns {
                    let bounds = numbers.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
                        (low.min(*x), high.max(*x))
                    });
                    #[expect(clippy::cast_possible_truncation, reason = "offsets are in single precision")]
                    let single = channel.offset(bounds) as f32;
                    offsets[part].0[lane] = single;
                    offset = f64::from(single);
                }
                #[expect(clippy::cast_possible_truncation, reason = "bounded by the largest integer")]
                let whole = |number: &f64| ((number - offset) / step).round().clamp(-largest, largest) as i32;
                rows.push(numbers.iter().map(whole).collect());
            }
        }
        let strip = PackedStrip {
            at: 0,
            scales: count(layout.constants.len()),
            basis,
            bits: plan.bits,
            form,
            lanes: driven,
            property: plan_of.property,
            group: 0,
        };
        layout.constants.push(scales);
        layout.constants.extend(offsets);
        Self { strip, rows }
    }

    fn part_bytes(&self) -> usize {
        self.strip.bits.pair_bytes(self.strip.lanes)
    }

    fn pair_bytes(&self) -> usize {
        self.rows.len() * self.part_bytes()
    }

    fn write(&self, at: usize, list: &mut PairRows) {
        let is_sparse = self.strip.bits == Bits::Sparse;
        for (part, lanes) in self.rows.iter().enumerate() {
            let driven = (0..LANES).filter(|lane| self.strip.lanes & (1 << lane) != 0);
            for (nth, (lane, rows)) in driven.zip(lanes).enumerate() {
                let column = if is_sparse { nth } else { lane };
                for (row, &whole) in rows.iter().enumerate() {
                    let first = row / 2 * list.stride + at + part * self.part_bytes();
                    let bytes = &mut list.bytes[first..first + self.part_bytes()];
                    put(bytes, self.strip.bits, 2 * column + row % 2, whole);
                }
            }
        }
    }
}

/// Writes one of the integers of a pair of rows.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded by the largest integer")]
fn put(bytes: &mut [u8], bits: Bits, slot: usize, whole: i32) {
    match bits {
        Bits::Eight => bytes[slot] = whole as u8,
        Bits::Twelve => {
            bytes[slot] = (whole >> 4) as u8;
            let low = (whole & 15) as u8;
            bytes[2 * LANES + slot % LANES] |= if slot < LANES { low } else { low << 4 };
        }
        Bits::Sixteen | Bits::Sparse => {
            bytes[2 * slot..2 * slot + 2].copy_from_slice(&(whole as i16).to_le_bytes());
        }
    }
}
