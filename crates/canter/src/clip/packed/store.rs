//! Rows as bytes: written as they are, and checked as they are read.

use super::bytes::{PackedBytesError, Reader, Writer, malformed};
use super::{
    BLOCK_JOINTS, Basis, Bits, CONSTANTS_BEYOND, Form, Kind, Knot, MOST_SPANS, PackedRows, PairRows, Run,
    Still,
};
use crate::clip::Property;
use crate::clip::rows::{GroupStrips, Layers, Patch, Rows, Strip, StripKind, Timeline};
use crate::clip::slerp::Reach;
use crate::clip::times::KeyTimes;
use crate::pose::{LANES, Lanes};
use crate::transform::{LARGEST_F64, in_range};

const REACHES: [Reach; 4] = [Reach::Near, Reach::Mid, Reach::Far, Reach::Wide];
const BITS: [Bits; 4] = [Bits::Eight, Bits::Twelve, Bits::Sixteen, Bits::Float];
const FORMS: [Form; 5] = [Form::Sum, Form::Uniform, Form::Hinge, Form::Quaternions, Form::Turns];
const PROPERTIES: [Property; 3] = [Property::Translation, Property::Rotation, Property::Scale];
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
        StripKind::Slerp(reach) => 5 + code(&REACHES, &reach),
    }
}

fn kind(code: u8) -> Result<StripKind, PackedBytesError> {
    Ok(match code {
        0 => StripKind::Constant,
        1 => StripKind::Step,
        2 => StripKind::Lerp,
        3 => StripKind::Cubic,
        4 => StripKind::Rest,
        _ => StripKind::Slerp(decode(&REACHES, code - 5, "the kind of a strip")?),
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

impl Kind {
    fn write(self, out: &mut Writer) {
        out.byte(code(&BASES, &self.basis));
        out.byte(code(&FORMS, &self.form));
        out.byte(code(&PROPERTIES, &self.property));
        out.byte(code(&BITS, &self.bits));
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, PackedBytesError> {
        let kind = Self {
            basis: decode(&BASES, from.byte()?, "the rows of a track")?,
            form: decode(&FORMS, from.byte()?, "the form of a track")?,
            property: decode(&PROPERTIES, from.byte()?, "the property of a track")?,
            bits: decode(&BITS, from.byte()?, "the bits of a track")?,
        };
        let has_form = match kind.form {
            Form::Sum => true,
            Form::Uniform => kind.property == Property::Scale,
            Form::Hinge | Form::Quaternions | Form::Turns => kind.property == Property::Rotation,
        };
        let has_bits = kind.bits != Bits::Float || kind.basis == Basis::Keys;
        if has_form && has_bits { Ok(kind) } else { Err(malformed("the kind of a track")) }
    }

    /// Whether constants of its tracks are of ordinary size: with them no sum becomes too large.
    fn admits(self, constants: &[f32], lanes: usize) -> bool {
        let (scales, others) = constants.split_at(lanes);
        // What is a rotation as it is. Others are brought to length one.
        let is_rotation = matches!(self.form, Form::Hinge | Form::Turns);
        let largest_sum = match self.bits {
            Bits::Float => LARGEST_F64,
            bits => bits.largest() / bits.unit(self.basis),
        };
        // Rounding may take a scale a little beyond it.
        let largest_scale = 1.001 * LARGEST_F64 / largest_sum;
        scales.iter().all(|scale| f64::from(scale.abs()) <= largest_scale)
            && others.iter().all(|number| !is_rotation || number.abs() <= LARGEST_OF_ROTATION)
    }
}

/// Of unit quaternions.
const LARGEST_OF_ROTATION: f32 = 1.001;

impl PackedRows {
    fn write(&self, out: &mut Writer) {
        out.count(self.spans as usize);
        out.byte(u8::from(self.is_periodic));
        for rows in [&self.spline, &self.keys] {
            out.count(rows.stride);
            out.bytes(rows.rows());
        }
        out.count(self.runs.len());
        for run in &self.runs {
            run.kind.write(out);
            out.short(run.block);
            out.short(run.tracks);
        }
        out.floats(&self.constants[..self.constants.len() - CONSTANTS_BEYOND]);
        self.joints.iter().for_each(|joint| out.short(*joint));
    }

    fn read(from: &mut Reader<'_>, secs: &[f32], joints: usize) -> Result<Self, PackedBytesError> {
        let (spans, is_periodic) = (from.u32()?, from.byte()? != 0);
        let mut lists = [PairRows::default(), PairRows::default()];
        for rows in &mut lists {
            let (stride, bytes) = (from.count()?, from.bytes()?);
            if bytes.is_empty() != (stride == 0) || bytes.len().checked_rem(stride).unwrap_or(0) != 0 {
                return Err(malformed("rows are cut off"));
            }
            *rows = PairRows::new(bytes.len().checked_div(stride).unwrap_or(0), stride);
            rows.bytes[..bytes.len()].copy_from_slice(bytes);
        }
        let [spline, key_rows] = lists;
        let points = u64::from(spans) + if is_periodic { 0 } else { 3 };
        let is_odd = is_periodic && spans % 2 != 0;
        let enough = |rows: &PairRows, count: u64| rows.stride == 0 || rows.pairs as u64 == count.div_ceil(2);
        let is_countable = (1..=MOST_SPANS).contains(&spans);
        if !is_countable || is_odd || !enough(&spline, points) || !enough(&key_rows, secs.len() as u64) {
            return Err(malformed("the number of rows"));
        }
        let mut runs = Vec::new();
        for _ in 0..from.list(8)? {
            runs.push(Run::new(Kind::read(from)?, from.short()?, from.short()?));
        }
        let mut constants = from.floats()?;
        constants.extend([0.0; CONSTANTS_BEYOND]);
        let tracks = runs.iter().map(|run| usize::from(run.tracks)).sum();
        let joints_of = from.shorts(tracks)?;
        let mut rows = Self {
            spans,
            is_periodic,
            knots: if spline.stride > 0 { Knot::all(secs, spans) } else { Box::default() },
            spline,
            keys: key_rows,
            runs: runs.into(),
            constants: constants.into(),
            joints: joints_of.into(),
        };
        rows.check(joints)?;
        rows.lay_out();
        Ok(rows)
    }

    /// Whether runs have all that they read, and write to joints that are there.
    fn check(&self, joint_count: usize) -> Result<(), PackedBytesError> {
        let count = self.constants.len() - CONSTANTS_BEYOND;
        let (mut constants, mut joints) = (&self.constants[..count], &self.joints[..]);
        let (mut key_bytes, mut spline_bytes) = (0, 0);
        for run in &self.runs {
            let (kind, tracks, first) =
                (run.kind, usize::from(run.tracks), usize::from(run.block) * BLOCK_JOINTS);
            let (own, others) = joints.split_at_checked(tracks).ok_or_else(|| malformed("joints"))?;
            joints = others;
            let is_own = |joint: &u16| {
                (first..first + BLOCK_JOINTS).contains(&usize::from(*joint))
                    && usize::from(*joint) < joint_count
            };
            let is_sorted = own.chunks(LANES).all(|strip| strip.is_sorted());
            if own.is_empty() || !own.iter().all(is_own) || !is_sorted {
                return Err(malformed("the joints of tracks"));
            }
            let (numbers, others) = constants
                .split_at_checked(tracks * kind.constants())
                .ok_or_else(|| malformed("the constants of tracks"))?;
            constants = others;
            let mut strips = numbers.chunks(LANES * kind.constants());
            if !strips.all(|strip| kind.admits(strip, strip.len() / kind.constants())) {
                return Err(malformed("a constant is too large"));
            }
            let (bytes, list) = match kind.basis {
                Basis::Keys => (&mut key_bytes, &self.keys),
                Basis::Spline => (&mut spline_bytes, &self.spline),
            };
            let at = *bytes;
            *bytes += tracks * kind.pair_bytes();
            if *bytes > list.stride {
                return Err(malformed("the rows of tracks"));
            }
            if kind.bits == Bits::Float && !list.has_floats(at..*bytes) {
                return Err(malformed("a number is out of range"));
            }
        }
        let is_all = constants.is_empty() && joints.is_empty();
        if is_all && key_bytes == self.keys.stride && spline_bytes == self.spline.stride {
            Ok(())
        } else {
            Err(malformed("more than its tracks have"))
        }
    }
}

impl PairRows {
    /// Whether there are numbers of ordinary size in a part of each pair of rows.
    fn has_floats(&self, part: std::ops::Range<usize>) -> bool {
        self.rows().chunks_exact(self.stride).all(|pair| {
            pair[part.clone()].as_chunks().0.iter().all(|bytes| in_range(&[f32::from_le_bytes(*bytes)]))
        })
    }
}

impl Still {
    fn write(&self, out: &mut Writer) {
        out.short(self.joint);
        out.byte(code(&PROPERTIES, &self.property));
        self.value[..self.property.width()].iter().for_each(|number| out.float(*number));
    }

    fn read(from: &mut Reader<'_>, joints: usize) -> Result<Self, PackedBytesError> {
        let (joint, property) =
            (from.short()?, decode(&PROPERTIES, from.byte()?, "the property of a track")?);
        let mut value = [0.0; 4];
        for number in &mut value[..property.width()] {
            *number = from.float()?;
        }
        let is_turn = property == Property::Rotation;
        let is_unit = value.iter().all(|number| number.abs() <= LARGEST_OF_ROTATION);
        if usize::from(joint) < joints && (is_unit || !is_turn) {
            Ok(Self { joint, property, value })
        } else {
            Err(malformed("a track that does not move"))
        }
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

    fn read(from: &mut Reader<'_>, joints: usize) -> Result<Self, PackedBytesError> {
        let secs = from.floats()?;
        let is_sorted = secs.windows(2).all(|pair| pair[0] <= pair[1]);
        if secs.is_empty() || secs[0] < 0.0 || !is_sorted {
            return Err(malformed("key times"));
        }
        let reach = decode(&REACHES, from.byte()?, "the reach of a timeline")?;
        let has_splines = from.byte()? != 0;
        let (stride, rows) = (from.count()?, read_lanes(from)?);
        let packed =
            if from.byte()? == 0 { None } else { Some(Box::new(PackedRows::read(from, &secs, joints)?)) };
        let is_whole = stride.checked_mul(secs.len()) == Some(rows.len());
        let has_length = secs[secs.len() - 1] > secs[0];
        match &packed {
            Some(_) if rows.is_empty() && stride == 0 && has_length => {}
            None if is_whole && stride > 0 => {}
            _ => return Err(malformed("the rows of a timeline")),
        }
        Ok(Self { times: KeyTimes::new(secs), rows, stride, is_narrow: false, reach, has_splines, packed })
    }
}

impl Rows {
    pub(crate) fn write(&self, out: &mut Writer) {
        out.count(self.timelines.len());
        self.timelines.iter().for_each(|timeline| timeline.write(out));
        out.count(self.still.len());
        self.still.iter().for_each(|still| still.write(out));
        write_lanes(out, &self.constants);
        out.count(self.patches.len());
        for patch in &self.patches {
            write_strip(out, patch.strip);
            out.byte((0..LANES).fold(0, |bits, lane| bits | (u8::from(patch.mask[lane] != 0) << lane)));
        }
        out.count(self.groups.len());
        for group in &self.groups {
            for layers in [group.translation, group.rotation, group.scale] {
                write_strip(out, layers.strip);
                out.count(layers.patches.0 as usize);
                out.count(layers.patches.1 as usize);
            }
        }
        out.bytes(&self.opposite_ends);
    }

    /// Rows for so many joints, without morph weights.
    pub(crate) fn read(
        from: &mut Reader<'_>,
        joints: usize,
        is_additive: bool,
    ) -> Result<Self, PackedBytesError> {
        let groups = joints.div_ceil(LANES);
        let mut timelines = Vec::new();
        for _ in 0..from.list(18)? {
            timelines.push(Timeline::read(from, joints)?);
        }
        let mut still = Vec::new();
        for _ in 0..from.list(15)? {
            still.push(Still::read(from, joints)?);
        }
        let constants = read_lanes(from)?;
        let mut patches = Vec::new();
        for _ in 0..from.list(10)? {
            let (strip, bits) = (read_strip(from)?, from.byte()?);
            patches.push(Patch { strip, mask: std::array::from_fn(|lane| -i32::from((bits >> lane) & 1)) });
        }
        let mut rows = Self {
            groups: Box::default(),
            patches: patches.into(),
            constants: constants.into(),
            timelines: timelines.into(),
            // Nobody reads them from left to right.
            is_plain: false,
            patched: Box::default(),
            lone: None,
            turning_from: u32::MAX,
            resting_from: u32::MAX,
            idle_from: u32::MAX,
            is_packed: true,
            is_additive,
            still: still.into(),
            undriven: Box::default(),
            morphs: Box::default(),
            opposite_ends: Box::default(),
        };
        let group_count = from.count()?;
        if group_count != 0 && group_count != groups {
            return Err(malformed("the number of groups"));
        }
        let mut of_groups = Vec::new();
        for _ in 0..group_count {
            let mut read = |property| -> Result<Layers, PackedBytesError> {
                let layers = Layers { strip: read_strip(from)?, patches: (from.u32()?, from.u32()?) };
                rows.check_layers(layers, property, is_additive)?;
                Ok(layers)
            };
            let (translation, rotation) = (read(Property::Translation)?, read(Property::Rotation)?);
            let scale = read(Property::Scale)?;
            of_groups.push(GroupStrips::new(translation, rotation, scale));
        }
        (rows.groups, rows.opposite_ends) = (of_groups.into(), from.bytes()?.into());
        if !rows.opposite_ends.is_empty() && rows.opposite_ends.len() != groups {
            return Err(malformed("the ends of rotations"));
        }
        rows.find_undriven(groups);
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
        }
    }
}
