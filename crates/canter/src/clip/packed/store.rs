//! Rows as bytes: written as they are, and checked as they are read.

use super::bytes::{PackedBytesError, Reader, Writer, malformed};
use super::{Basis, Bits, Form, PackedRows, PackedStrip, PairRows};
use crate::clip::Property;
use crate::clip::rows::{GroupStrips, Layers, Patch, Rows, Strip, StripKind, Timeline};
use crate::clip::slerp::Reach;
use crate::clip::times::KeyTimes;
use crate::pose::{LANES, Lanes};

const REACHES: [Reach; 4] = [Reach::Near, Reach::Mid, Reach::Far, Reach::Wide];
const BITS: [Bits; 4] = [Bits::Eight, Bits::Twelve, Bits::Sixteen, Bits::Sparse];
const FORMS: [Form; 4] = [Form::Sum, Form::Uniform, Form::Quaternions, Form::Turns];
const BASES: [Basis; 2] = [Basis::Keys, Basis::Spline];

#[expect(clippy::cast_possible_truncation, reason = "there are few")]
fn code<T: PartialEq>(all: &[T], item: &T) -> u8 {
    all.iter().position(|other| other == item).unwrap_or(0) as u8
}

fn decode<T: Copy>(all: &[T], code: u8, part: &'static str) -> Result<T, PackedBytesError> {
    all.get(usize::from(code)).copied().ok_or_else(|| malformed(part))
}

fn write_lanes(out: &mut Writer, lanes: &[Lanes]) {
    out.count(lanes.len());
    lanes.iter().flat_map(|lanes| lanes.0).for_each(|number| out.float(number));
}

fn read_lanes(from: &mut Reader<'_>) -> Result<Vec<Lanes>, PackedBytesError> {
    let count = from.list(4 * LANES)?;
    let mut lanes = Vec::with_capacity(count);
    for _ in 0..count {
        let mut eight = Lanes::default();
        for number in &mut eight.0 {
            *number = from.float()?;
        }
        lanes.push(eight);
    }
    Ok(lanes)
}

fn kind_code(kind: StripKind) -> u8 {
    match kind {
        StripKind::Constant => 0,
        StripKind::Step => 1,
        StripKind::Lerp => 2,
        StripKind::Cubic => 3,
        StripKind::Rest => 4,
        StripKind::Packed => 5,
        StripKind::Slerp(reach) => 6 + code(&REACHES, &reach),
    }
}

fn kind(code: u8) -> Result<StripKind, PackedBytesError> {
    Ok(match code {
        0 => StripKind::Constant,
        1 => StripKind::Step,
        2 => StripKind::Lerp,
        3 => StripKind::Cubic,
        4 => StripKind::Rest,
        5 => StripKind::Packed,
        _ => StripKind::Slerp(decode(&REACHES, code - 6, "the kind of a strip")?),
    })
}

fn write_strip(out: &mut Writer, strip: Strip) {
    out.byte(kind_code(strip.kind));
    out.count(strip.timeline as usize);
    out.count(strip.offset as usize);
}

fn read_strip(from: &mut Reader<'_>) -> Result<Strip, PackedBytesError> {
    Ok(Strip { kind: kind(from.byte()?)?, timeline: from.u32()?, offset: from.u32()? })
}

impl PackedStrip {
    fn write(&self, out: &mut Writer) {
        out.count(self.at as usize);
        out.count(self.scales as usize);
        out.byte(code(&BASES, &self.basis));
        out.byte(code(&BITS, &self.bits));
        out.byte(code(&FORMS, &self.form));
        out.byte(self.lanes);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, PackedBytesError> {
        Ok(Self {
            at: from.u32()?,
            scales: from.u32()?,
            basis: decode(&BASES, from.byte()?, "the rows of a strip")?,
            bits: decode(&BITS, from.byte()?, "the bits of a strip")?,
            form: decode(&FORMS, from.byte()?, "the form of a strip")?,
            lanes: from.byte()?,
            // Said by the group that it belongs to.
            property: Property::Translation,
            group: 0,
        })
    }
}

impl PackedRows {
    fn write(&self, out: &mut Writer) {
        out.count(self.spans as usize);
        out.byte(u8::from(self.is_periodic));
        for rows in [&self.spline, &self.keys] {
            out.count(rows.stride);
            out.bytes(&rows.bytes);
        }
    }

    fn read(from: &mut Reader<'_>, keys: usize) -> Result<Self, PackedBytesError> {
        let (spans, is_periodic) = (from.u32()?, from.byte()? != 0);
        let mut lists = [PairRows::default(), PairRows::default()];
        for rows in &mut lists {
            rows.stride = from.count()?;
            rows.bytes = from.bytes()?.to_vec();
            let is_whole = rows.bytes.len().checked_rem(rows.stride).unwrap_or(rows.bytes.len()) == 0;
            if !is_whole {
                return Err(malformed("rows are cut off"));
            }
        }
        let [spline, key_rows] = lists;
        let points = u64::from(spans) + if is_periodic { 0 } else { 3 };
        let is_odd = is_periodic && spans % 2 != 0;
        let enough =
            |rows: &PairRows, count: u64| rows.bytes.is_empty() || rows.pairs() as u64 == count.div_ceil(2);
        if spans == 0 || is_odd || !enough(&spline, points) || !enough(&key_rows, keys as u64) {
            return Err(malformed("the number of rows"));
        }
        Ok(Self { spans, is_periodic, spline, keys: key_rows })
    }
}

impl Timeline {
    fn write(&self, out: &mut Writer) {
        out.floats(self.times.secs());
        out.byte(code(&REACHES, &self.reach));
        out.byte(u8::from(self.has_splines));
        out.count(self.stride);
        write_lanes(out, &self.rows);
        out.byte(u8::from(self.packed.is_some()));
        if let Some(packed) = &self.packed {
            packed.write(out);
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, PackedBytesError> {
        let secs = from.floats()?;
        let is_sorted = secs.windows(2).all(|pair| pair[0] <= pair[1]);
        if secs.is_empty() || secs[0] < 0.0 || !is_sorted {
            return Err(malformed("key times"));
        }
        let reach = decode(&REACHES, from.byte()?, "the reach of a timeline")?;
        let has_splines = from.byte()? != 0;
        let (stride, rows) = (from.count()?, read_lanes(from)?);
        let packed =
            if from.byte()? == 0 { None } else { Some(Box::new(PackedRows::read(from, secs.len())?)) };
        let is_whole = stride.checked_mul(secs.len()) == Some(rows.len());
        let has_length = secs[secs.len() - 1] > secs[0];
        match &packed {
            Some(_) if rows.is_empty() && stride == 0 && has_length => {}
            None if is_whole && stride > 0 => {}
            _ => return Err(malformed("the rows of a timeline")),
        }
        Ok(Self { times: KeyTimes::new(secs), rows, stride, reach, has_splines, packed })
    }
}

impl Rows {
    pub(crate) fn write(&self, out: &mut Writer) {
        out.count(self.timelines.len());
        self.timelines.iter().for_each(|timeline| timeline.write(out));
        write_lanes(out, &self.constants);
        out.count(self.packed.len());
        self.packed.iter().for_each(|strip| strip.write(out));
        out.count(self.patches.len());
        for patch in &self.patches {
            write_strip(out, patch.strip);
            out.byte((0..LANES).fold(0, |bits, lane| bits | (u8::from(patch.mask[lane] != 0) << lane)));
        }
        for group in &self.groups {
            for layers in [group.translation, group.rotation, group.scale] {
                write_strip(out, layers.strip);
                out.count(layers.patches.0 as usize);
                out.count(layers.patches.1 as usize);
            }
        }
        out.bytes(&self.opposite_ends);
    }

    /// Rows for so many groups, without morph weights.
    pub(crate) fn read(
        from: &mut Reader<'_>,
        groups: usize,
        is_additive: bool,
    ) -> Result<Self, PackedBytesError> {
        let mut timelines = Vec::new();
        for _ in 0..from.list(18)? {
            timelines.push(Timeline::read(from)?);
        }
        let constants = read_lanes(from)?;
        let mut packed = Vec::new();
        for _ in 0..from.list(12)? {
            packed.push(PackedStrip::read(from)?);
        }
        for rows in timelines.iter_mut().filter_map(|timeline: &mut Timeline| timeline.packed.as_mut()) {
            let has_arcs = |basis| packed.iter().any(|strip| strip.basis == basis && strip.form.has_arcs());
            (rows.keys.has_arcs, rows.spline.has_arcs) = (has_arcs(Basis::Keys), has_arcs(Basis::Spline));
        }
        let mut patches = Vec::new();
        for _ in 0..from.list(10)? {
            let (strip, bits) = (read_strip(from)?, from.byte()?);
            patches.push(Patch { strip, mask: std::array::from_fn(|lane| -i32::from((bits >> lane) & 1)) });
        }
        let mut rows = Self {
            groups: Vec::new(),
            patches,
            constants,
            timelines,
            // Nobody reads them from left to right without looking where strips lie.
            is_plain: false,
            patched: Vec::new(),
            turning_from: u32::MAX,
            resting_from: u32::MAX,
            packed,
            packed_runs: Vec::new(),
            morphs: Vec::new(),
            opposite_ends: Vec::new(),
        };
        for _ in 0..groups {
            let mut read = |property| -> Result<Layers, PackedBytesError> {
                let layers = Layers { strip: read_strip(from)?, patches: (from.u32()?, from.u32()?) };
                rows.check_layers(layers, property, is_additive)?;
                Ok(layers)
            };
            let (translation, rotation) = (read(Property::Translation)?, read(Property::Rotation)?);
            let scale = read(Property::Scale)?;
            rows.groups.push(GroupStrips::new(translation, rotation, scale));
        }
        rows.opposite_ends = from.bytes()?.to_vec();
        if !rows.opposite_ends.is_empty() && rows.opposite_ends.len() != groups {
            return Err(malformed("the ends of rotations"));
        }
        rows.join_packed();
        Ok(rows)
    }

    fn check_layers(
        &self,
        layers: Layers,
        property: Property,
        is_additive: bool,
    ) -> Result<(), PackedBytesError> {
        let (first, end) = (layers.patches.0 as usize, layers.patches.1 as usize);
        let patches = self.patches.get(first..end).ok_or_else(|| malformed("the patches of a group"))?;
        let strips = patches.iter().map(|patch| patch.strip);
        if std::iter::once(layers.strip).chain(strips).all(|strip| self.holds(strip, property, is_additive)) {
            Ok(())
        } else {
            Err(malformed("the place of a strip"))
        }
    }

    /// Whether all that a strip reads is there.
    fn holds(&self, strip: Strip, property: Property, is_additive: bool) -> bool {
        let (offset, width) = (strip.offset as usize, property.width());
        let is_turn = property == Property::Rotation;
        let timeline = self.timelines.get(strip.timeline as usize);
        let fits = |lanes: usize| {
            timeline.is_some_and(|timeline| {
                timeline.packed.is_none() && offset.saturating_add(lanes) <= timeline.stride
            })
        };
        // How far neighbouring rotations are from each other: no series ends beyond one half.
        let is_near = |timeline: &Timeline| {
            let mut distances = timeline.rows.iter().skip(offset + width).step_by(timeline.stride);
            distances.all(|lanes| lanes.0.iter().all(|z| (0.0..0.75).contains(z)))
        };
        match strip.kind {
            StripKind::Constant => offset.saturating_add(width) <= self.constants.len(),
            StripKind::Rest => !is_additive,
            StripKind::Step => fits(width),
            StripKind::Lerp => !is_turn && fits(width),
            StripKind::Slerp(reach) => {
                let is_sound = |timeline: &Timeline| reach <= timeline.reach && is_near(timeline);
                is_turn && fits(width + 1) && timeline.is_some_and(is_sound)
            }
            StripKind::Cubic => fits(3 * width) && timeline.is_some_and(|timeline| timeline.has_splines),
            StripKind::Packed => {
                let packed = timeline.and_then(|timeline| timeline.packed.as_ref());
                let both = packed.zip(self.packed.get(offset));
                both.is_some_and(|(rows, strip)| self.holds_packed(rows, strip, property))
            }
        }
    }

    fn holds_packed(&self, rows: &PackedRows, strip: &PackedStrip, property: Property) -> bool {
        let is_turn = property == Property::Rotation;
        let fits_property = match strip.form {
            Form::Sum => true,
            Form::Uniform => property == Property::Scale,
            Form::Quaternions | Form::Turns => is_turn,
        };
        let rows = match strip.basis {
            Basis::Keys => &rows.keys,
            Basis::Spline => &rows.spline,
        };
        let bytes = strip.form.parts(property) * strip.bits.pair_bytes(strip.lanes);
        let (scales, offsets) = (strip.scales as usize, strip.form.offset_parts(property));
        let is_small = |scales: &Lanes| scales.0.iter().all(|scale| scale.abs() <= LARGEST_SCALE);
        fits_property
            && strip.lanes != 0
            && rows.pairs() > 0
            && (strip.at as usize).saturating_add(bytes) <= rows.stride
            && scales.saturating_add(1 + offsets) <= self.constants.len()
            && is_small(&self.constants[scales])
    }
}

/// So that the largest sum times it is a number of ordinary size.
const LARGEST_SCALE: f32 = 1e8;
