//! The kernels that read packed rows, eight tracks at a time.
//!
//! Tracks of the same kind are read one after the other, so that what they have in common is looked up once: which
//! rows, their weights, how integers lie in memory, and what they mean.
//!
//! As in `interpolate`: only + - * / and square roots of `f32` in a fixed order, so that the bits are the same on
//! every machine. What comes before them are integers, which are exact.

mod numbers;

use fearless_simd::{Simd, f32x8, prelude::*};

use super::{Basis, Bits, Form, Kind, PackedRows, Run, Still, WIDEST_HINGE};
use crate::clip::Property;
use crate::clip::compile::lanes_mut;
use crate::clip::interpolate::{sample_group, slerp};
use crate::clip::rows::{Rows, Segment, Timeline};
use crate::clip::slerp::Reach;
use crate::kernel::is_plain;
use crate::pose::lanes::{dot, normalize, product, store};
use crate::pose::{JointGroup, LANES, Lanes};
use numbers::{Any, Eight, Floats, Integers, Mixed, Numbers, RowWeights, Sixteen, Strip, Twelve};

pub(crate) const ZERO: JointGroup = {
    const ZERO: Lanes = Lanes([0.0; LANES]);
    JointGroup { translation: [ZERO; 3], rotation: [ZERO; 4], scale: [ZERO; 3] }
};

/// Writes groups of a packed clip, from a first one on: all of them, or those of a block.
#[inline(always)]
pub(crate) fn write_groups<S: Simd>(
    simd: S,
    rows: &Rows,
    segments: &[Segment],
    rest: &[JointGroup],
    (first, out): (usize, &mut [JointGroup]),
) {
    if rows.groups.is_empty() {
        for ((rest, out), undriven) in rest[first..].iter().zip(&mut *out).zip(&rows.undriven[first..]) {
            let rest = if rows.is_additive { &JointGroup::IDENTITY } else { rest };
            undriven.copy(rest, out);
        }
    } else {
        for (group, out) in (first..).zip(&mut *out) {
            sample_group(simd, (rows, &rest[group]), segments, group, out);
        }
    }
    let mut target = Target { first_joint: first * LANES, groups: out };
    for still in &rows.still {
        target.put_still(still);
    }
    for (timeline, segment) in rows.timelines.iter().zip(segments) {
        if let Some(packed) = &timeline.packed {
            write_packed(simd, packed, timeline, segment, &mut target);
        }
    }
}

/// Writes the tracks of a timeline.
#[inline(never)]
fn write_packed<S: Simd>(
    simd: S,
    rows: &PackedRows,
    timeline: &Timeline,
    segment: &Segment,
    target: &mut Target<'_>,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            for run in &rows.runs {
                if target.has(run) {
                    write_run(simd, &Sample::new(rows, timeline.reach, segment, run), target);
                }
            }
        },
    );
}

/// A run at an instant.
struct Sample<'a> {
    kind: Kind,
    mixed: Mixed<'a>,
    constants: &'a [f32],
    joints: &'a [u16],
    whole_groups: u16,
    reach: Reach,
    segment: &'a Segment,
}

impl<'a> Sample<'a> {
    #[inline(always)]
    fn new(rows: &'a PackedRows, reach: Reach, segment: &'a Segment, run: &Run) -> Self {
        let (list, mix) = match run.kind.basis {
            Basis::Keys => (&rows.keys, &segment.packed.keys),
            Basis::Spline => (&rows.spline, &segment.packed.spline),
        };
        Self {
            kind: run.kind,
            mixed: Mixed::new(list, mix, segment, run.place.bytes as usize),
            constants: &rows.constants[run.place.constants as usize..],
            joints: run.joints(&rows.joints),
            whole_groups: run.place.whole_groups,
            reach,
            segment,
        }
    }
}

#[inline(always)]
fn write_run<S: Simd>(simd: S, sample: &Sample<'_>, target: &mut Target<'_>) {
    if is_plain(simd) {
        return write_form::<S, Any>(simd, sample, target);
    }
    match sample.kind.bits {
        Bits::Eight => write_form::<S, Integers<Eight>>(simd, sample, target),
        Bits::Twelve => write_form::<S, Integers<Twelve>>(simd, sample, target),
        Bits::Sixteen => write_form::<S, Integers<Sixteen>>(simd, sample, target),
        Bits::Float => write_form::<S, Floats>(simd, sample, target),
    }
}

#[inline(always)]
fn write_form<S: Simd, R: Numbers>(simd: S, sample: &Sample<'_>, target: &mut Target<'_>) {
    match (sample.kind.form, sample.kind.property) {
        (Form::Sum, Property::Rotation) => write_strips::<S, R, Quaternions>(simd, sample, target),
        (Form::Sum, Property::Translation) => write_strips::<S, R, Translations>(simd, sample, target),
        (Form::Sum, Property::Scale) => write_strips::<S, R, Scales>(simd, sample, target),
        (Form::Uniform, _) => write_strips::<S, R, UniformScales>(simd, sample, target),
        (Form::Hinge, _) => write_strips::<S, R, Hinges>(simd, sample, target),
        (Form::Quaternions, _) => write_strips::<S, R, Arcs>(simd, sample, target),
        (Form::Turns, _) => write_strips::<S, R, Turns>(simd, sample, target),
    }
}

/// Writes whole groups of joints, and then all tracks that are left, up to eight at a time.
#[inline(always)]
fn write_strips<S: Simd, R: Numbers, W: Write>(simd: S, sample: &Sample<'_>, target: &mut Target<'_>) {
    let weights = if W::HAS_ARCS { sample.mixed.at_keys(simd) } else { sample.mixed.now(simd) };
    let [a, b, c] = sample.mixed.pairs;
    let whole = usize::from(sample.whole_groups);
    let (groups, joints) = sample.joints.split_at(LANES * whole);
    // That the compiler knows how long they are spares a check for each number.
    let (bytes, numbers) = (LANES * W::PARTS * R::pair_bytes(sample.kind.bits), LANES * W::CONSTANTS);
    let pairs = a.chunks_exact(bytes).zip(b.chunks_exact(bytes)).zip(c.chunks_exact(bytes));
    let constants = sample.constants.chunks_exact(numbers);
    for ((((a, b), c), constants), joints) in pairs.zip(constants).zip(groups.as_chunks::<LANES>().0) {
        let strip = Strip { pairs: [a, b, c], constants, lanes: LANES };
        let Some(group) = target.groups.get_mut(target.group(joints[0])) else { continue };
        W::write::<S, R>(simd, sample, &strip, &weights, group);
    }
    let (mut at, mut constants_at) = (bytes * whole, numbers * whole);
    for joints in joints.chunks(LANES) {
        let pairs = [&a[at..], &b[at..], &c[at..]];
        let strip =
            Strip { pairs, constants: &sample.constants[constants_at..], lanes: joints.len().min(LANES) };
        W::write::<S, R>(simd, sample, &strip, &weights, &mut Scattered { joints, target });
        (at, constants_at) = (at + bytes, constants_at + numbers);
    }
}

/// Where the tracks of a strip are written.
trait Out {
    /// Writes what `lanes` finds in a group.
    fn put<S: Simd, const N: usize>(
        &mut self,
        numbers: [f32x8<S>; N],
        lanes: fn(&mut JointGroup) -> &mut [Lanes; N],
    );
}

impl Out for JointGroup {
    #[inline(always)]
    fn put<S: Simd, const N: usize>(
        &mut self,
        numbers: [f32x8<S>; N],
        lanes: fn(&mut JointGroup) -> &mut [Lanes; N],
    ) {
        store(numbers, lanes(self));
    }
}

/// Joints of any groups.
struct Scattered<'a, 'b> {
    joints: &'a [u16],
    target: &'a mut Target<'b>,
}

impl Out for Scattered<'_, '_> {
    #[inline(always)]
    fn put<S: Simd, const N: usize>(
        &mut self,
        numbers: [f32x8<S>; N],
        lanes: fn(&mut JointGroup) -> &mut [Lanes; N],
    ) {
        let mut own = [Lanes::default(); N];
        store(numbers, &mut own);
        for (lane, joint) in self.joints.iter().enumerate().take(LANES) {
            let group = self.target.group(*joint);
            let Some(group) = self.target.groups.get_mut(group) else { continue };
            for (out, own) in lanes(group).iter_mut().zip(&own) {
                out.0[usize::from(*joint) % LANES] = own.0[lane];
            }
        }
    }
}

/// How the tracks of a form are written.
trait Write {
    const PARTS: usize;
    const CONSTANTS: usize;
    const HAS_ARCS: bool = false;

    fn write<S: Simd, R: Numbers>(
        simd: S,
        sample: &Sample<'_>,
        strip: &Strip<'_>,
        weights: &RowWeights<S>,
        out: &mut impl Out,
    );
}

struct Translations;

impl Write for Translations {
    const PARTS: usize = 3;
    const CONSTANTS: usize = 4;

    #[inline(always)]
    fn write<S: Simd, R: Numbers>(
        simd: S,
        sample: &Sample<'_>,
        strip: &Strip<'_>,
        weights: &RowWeights<S>,
        out: &mut impl Out,
    ) {
        out.put(vectors::<S, R>(simd, sample, strip, weights), |group| &mut group.translation);
    }
}

struct Scales;

impl Write for Scales {
    const PARTS: usize = 3;
    const CONSTANTS: usize = 4;

    #[inline(always)]
    fn write<S: Simd, R: Numbers>(
        simd: S,
        sample: &Sample<'_>,
        strip: &Strip<'_>,
        weights: &RowWeights<S>,
        out: &mut impl Out,
    ) {
        out.put(vectors::<S, R>(simd, sample, strip, weights), |group| &mut group.scale);
    }
}

#[inline(always)]
fn vectors<S: Simd, R: Numbers>(
    simd: S,
    sample: &Sample<'_>,
    strip: &Strip<'_>,
    weights: &RowWeights<S>,
) -> [f32x8<S>; 3] {
    let [scale, x, y, z] = strip.constants(simd);
    let [sum_x, sum_y, sum_z] = R::read(simd, sample, strip, &weights[0]);
    [sum_x * scale + x, sum_y * scale + y, sum_z * scale + z]
}

struct UniformScales;

impl Write for UniformScales {
    const PARTS: usize = 1;
    const CONSTANTS: usize = 2;

    #[inline(always)]
    fn write<S: Simd, R: Numbers>(
        simd: S,
        sample: &Sample<'_>,
        strip: &Strip<'_>,
        weights: &RowWeights<S>,
        out: &mut impl Out,
    ) {
        let [scale, offset] = strip.constants(simd);
        let [sum] = R::read(simd, sample, strip, &weights[0]);
        out.put([sum * scale + offset; 3], |group| &mut group.scale);
    }
}

struct Hinges;

impl Write for Hinges {
    const PARTS: usize = 1;
    const CONSTANTS: usize = 9;

    #[inline(always)]
    fn write<S: Simd, R: Numbers>(
        simd: S,
        sample: &Sample<'_>,
        strip: &Strip<'_>,
        weights: &RowWeights<S>,
        out: &mut impl Out,
    ) {
        let [scale, x, y, z, w, axis_x, axis_y, axis_z, axis_w] = strip.constants(simd);
        let [sum] = R::read(simd, sample, strip, &weights[0]);
        let (sin, cos) = sin_cos(simd, sum * scale);
        let rotation =
            [x * cos + axis_x * sin, y * cos + axis_y * sin, z * cos + axis_z * sin, w * cos + axis_w * sin];
        out.put(rotation, |group| &mut group.rotation);
    }
}

struct Quaternions;

impl Write for Quaternions {
    const PARTS: usize = 4;
    const CONSTANTS: usize = 5;

    #[inline(always)]
    fn write<S: Simd, R: Numbers>(
        simd: S,
        sample: &Sample<'_>,
        strip: &Strip<'_>,
        weights: &RowWeights<S>,
        out: &mut impl Out,
    ) {
        let [scale, x, y, z, w] = strip.constants(simd);
        let sum = R::read(simd, sample, strip, &weights[0]);
        let rotation = quaternion(simd, sum, scale, [x, y, z, w]);
        out.put(rotation, |group| &mut group.rotation);
    }
}

struct Arcs;

impl Write for Arcs {
    const PARTS: usize = 4;
    const CONSTANTS: usize = 5;
    const HAS_ARCS: bool = true;

    #[inline(always)]
    fn write<S: Simd, R: Numbers>(
        simd: S,
        sample: &Sample<'_>,
        strip: &Strip<'_>,
        weights: &RowWeights<S>,
        out: &mut impl Out,
    ) {
        let [scale, x, y, z, w] = strip.constants(simd);
        let [left, right] = R::read_keys(simd, sample, strip, weights);
        let left = quaternion(simd, left, scale, [x, y, z, w]);
        let right = quaternion(simd, right, scale, [x, y, z, w]);
        let between = slerp(left, right, separation(left, right), sample.reach, sample.segment);
        out.put(between, |group| &mut group.rotation);
    }
}

struct Turns;

impl Write for Turns {
    const PARTS: usize = 3;
    const CONSTANTS: usize = 5;
    const HAS_ARCS: bool = true;

    #[inline(always)]
    fn write<S: Simd, R: Numbers>(
        simd: S,
        sample: &Sample<'_>,
        strip: &Strip<'_>,
        weights: &RowWeights<S>,
        out: &mut impl Out,
    ) {
        let [scale, x, y, z, w] = strip.constants(simd);
        let [left, right] = R::read_keys(simd, sample, strip, weights);
        let (left, right) = (turn(simd, left, scale), turn(simd, right, scale));
        let between = slerp(left, right, separation(left, right), sample.reach, sample.segment);
        out.put(product([x, y, z, w], between), |group| &mut group.rotation);
    }
}

/// Groups of a pose that are written, from a joint on.
struct Target<'a> {
    first_joint: usize,
    groups: &'a mut [JointGroup],
}

impl Target<'_> {
    /// Whether a run is of these groups.
    #[inline(always)]
    fn has(&self, run: &Run) -> bool {
        let first = usize::from(run.block) * super::BLOCK_JOINTS;
        self.first_joint <= first && first < self.first_joint + self.groups.len() * LANES
    }

    #[inline(always)]
    fn put_still(&mut self, still: &Still) {
        let Some(joint) = usize::from(still.joint).checked_sub(self.first_joint) else { return };
        let Some(group) = self.groups.get_mut(joint / LANES) else { return };
        for (lanes, number) in lanes_mut(group, still.property).iter_mut().zip(still.value) {
            lanes.0[joint % LANES] = number;
        }
    }

    /// The place of the group that a joint is in; of joints that are before the first one there is none.
    #[inline(always)]
    fn group(&self, joint: u16) -> usize {
        usize::from(joint).wrapping_sub(self.first_joint) / LANES
    }
}

/// The sine and cosine of small angles.
#[inline(always)]
fn sin_cos<S: Simd>(simd: S, angle: f32x8<S>) -> (f32x8<S>, f32x8<S>) {
    const SIN: [f32; 5] = [1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5_040.0, 1.0 / 362_880.0];
    const COS: [f32; 5] = [1.0, -1.0 / 2.0, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40_320.0];
    // Stored ones may be anything.
    let widest = f32x8::splat(simd, 1.1 * WIDEST_HINGE);
    let angle = angle.min(widest).max(-widest);
    let squared = angle * angle;
    let mut sin = f32x8::splat(simd, SIN[4]);
    for index in (0..4).rev() {
        sin = sin * squared + SIN[index];
    }
    let mut cos = f32x8::splat(simd, COS[4]);
    for index in (0..4).rev() {
        cos = cos * squared + COS[index];
    }
    (sin * angle, cos)
}

#[inline(always)]
fn quaternion<S: Simd>(
    simd: S,
    sum: [f32x8<S>; 4],
    scale: f32x8<S>,
    mut offsets: [f32x8<S>; 4],
) -> [f32x8<S>; 4] {
    for i in 0..4 {
        offsets[i] = sum[i] * scale + offsets[i];
    }
    normalize(simd, &mut offsets);
    offsets
}

/// The quaternion of modified Rodrigues parameters: those are the axis times the tangent of a quarter of the
/// angle.
#[inline(always)]
fn turn<S: Simd>(simd: S, sum: [f32x8<S>; 3], scale: f32x8<S>) -> [f32x8<S>; 4] {
    let one = f32x8::splat(simd, 1.0);
    let [x, y, z] = [sum[0] * scale, sum[1] * scale, sum[2] * scale];
    let squared = (x * x + y * y) + z * z;
    let factor = one / (one + squared);
    let twice = factor + factor;
    [x * twice, y * twice, z * twice, (one - squared) * factor]
}

#[inline(always)]
fn separation<S: Simd>(a: [f32x8<S>; 4], b: [f32x8<S>; 4]) -> f32x8<S> {
    let mut difference = a;
    for i in 0..4 {
        difference[i] = a[i] - b[i];
    }
    let separation = dot(difference, difference) * 0.25;
    // Keys of a clip are never farther from each other than one half, but for rounding; stored ones may be anything.
    let limit = f32x8::splat(separation.token(), 0.75);
    separation.simd_gt(limit).select(limit, separation)
}
