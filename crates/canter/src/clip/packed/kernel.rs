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
use numbers::{Any, Eight, Floats, Integers, Mixed, Numbers, Pairs, Sixteen, Spread, Twelve, constants};

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
        if rows.is_additive {
            out.fill(JointGroup::IDENTITY);
        } else {
            out.copy_from_slice(&rest[first..first + out.len()]);
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
            let (mut at, mut spread) = (At::default(), None);
            for run in &rows.runs {
                if target.has(run) {
                    let sample = Sample::new(rows, timeline.reach, segment, *run, at, &mut spread);
                    write_run(simd, &sample, target);
                }
                at.pass(run);
            }
        },
    );
}

/// Where a run begins: in the rows of keys and of splines, in constants and joints.
#[derive(Clone, Copy, Default)]
struct At {
    keys: usize,
    spline: usize,
    constants: usize,
    joints: usize,
}

impl At {
    #[inline(always)]
    fn pass(&mut self, run: &Run) {
        let tracks = usize::from(run.tracks);
        let bytes = match run.kind.basis {
            Basis::Keys => &mut self.keys,
            Basis::Spline => &mut self.spline,
        };
        *bytes += tracks * run.kind.pair_bytes();
        self.constants += tracks * run.kind.constants();
        self.joints += tracks;
    }
}

/// A run at an instant.
struct Sample<'a> {
    kind: Kind,
    mixed: Mixed<'a>,
    constants: &'a [f32],
    joints: &'a [u16],
    /// The last of its tracks, if those are less than eight.
    last: Option<&'a Spread>,
    reach: Reach,
    segment: &'a Segment,
}

/// Up to eight tracks of a run.
struct Strip<'a> {
    pairs: Pairs<'a>,
    constants: &'a [f32],
    joints: &'a [u16],
}

impl<'a> Sample<'a> {
    #[inline(always)]
    fn new(
        rows: &'a PackedRows,
        reach: Reach,
        segment: &'a Segment,
        run: Run,
        at: At,
        spread: &'a mut Option<Spread>,
    ) -> Self {
        let joints = &rows.joints[at.joints..][..usize::from(run.tracks)];
        let constants = &rows.constants[at.constants..];
        let (list, mix, first) = match run.kind.basis {
            Basis::Keys => (&rows.keys, &segment.packed.keys, at.keys),
            Basis::Spline => (&rows.spline, &segment.packed.spline, at.spline),
        };
        let mixed = Mixed::new(list, mix, segment, first);
        let (whole, lanes) = (joints.len() / LANES, joints.len() % LANES);
        let mut last = None;
        if lanes > 0 {
            let spread = spread.get_or_insert_with(|| Spread::EMPTY);
            let at = whole * LANES * run.kind.pair_bytes();
            let [a, b, c] = mixed.pairs;
            let constants = &constants[whole * LANES * run.kind.constants()..];
            spread.set(run.kind, lanes, [&a[at..], &b[at..], &c[at..]], constants);
            last = Some(&*spread);
        }
        Self { kind: run.kind, mixed, constants, joints, last, reach, segment }
    }

    #[inline(always)]
    fn strips(&self) -> usize {
        self.joints.len().div_ceil(LANES)
    }

    #[inline(always)]
    fn strip(&self, index: usize) -> Strip<'_> {
        let joints = &self.joints[index * LANES..];
        if let Some(last) = self.last.filter(|_| joints.len() < LANES) {
            let [a, b, c] = &last.pairs;
            return Strip { pairs: [a, b, c], constants: &last.constants, joints };
        }
        let at = index * LANES * self.kind.pair_bytes();
        let [a, b, c] = self.mixed.pairs;
        let pairs = [&a[at..], &b[at..], &c[at..]];
        let constants = &self.constants[index * LANES * self.kind.constants()..];
        Strip { pairs, constants, joints: &joints[..LANES] }
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
    match sample.kind.form {
        Form::Sum if sample.kind.property == Property::Rotation => {
            write_quaternions::<S, R>(simd, sample, target);
        }
        Form::Sum => write_vectors::<S, R>(simd, sample, target),
        Form::Uniform => write_uniform::<S, R>(simd, sample, target),
        Form::Hinge => write_hinges::<S, R>(simd, sample, target),
        Form::Quaternions => write_arcs::<S, R>(simd, sample, target),
        Form::Turns => write_turns::<S, R>(simd, sample, target),
    }
}

#[inline(always)]
fn write_vectors<S: Simd, R: Numbers>(simd: S, sample: &Sample<'_>, target: &mut Target<'_>) {
    let weights = sample.mixed.now(simd);
    for index in 0..sample.strips() {
        let strip = sample.strip(index);
        let [scale, x, y, z] = constants(simd, strip.constants);
        let [[sum_x, sum_y, sum_z]] =
            R::read::<S, 3, 1>(simd, &sample.mixed, (sample.kind.bits, strip.pairs), &weights);
        let numbers = [sum_x * scale + x, sum_y * scale + y, sum_z * scale + z];
        target.put_vectors(sample.kind.property, strip.joints, numbers);
    }
}

#[inline(always)]
fn write_uniform<S: Simd, R: Numbers>(simd: S, sample: &Sample<'_>, target: &mut Target<'_>) {
    let weights = sample.mixed.now(simd);
    for index in 0..sample.strips() {
        let strip = sample.strip(index);
        let [scale, offset] = constants(simd, strip.constants);
        let [[sum]] = R::read::<S, 1, 1>(simd, &sample.mixed, (sample.kind.bits, strip.pairs), &weights);
        target.put_vectors(Property::Scale, strip.joints, [sum * scale + offset; 3]);
    }
}

#[inline(always)]
fn write_hinges<S: Simd, R: Numbers>(simd: S, sample: &Sample<'_>, target: &mut Target<'_>) {
    let weights = sample.mixed.now(simd);
    for index in 0..sample.strips() {
        let strip = sample.strip(index);
        let [scale, x, y, z, w, axis_x, axis_y, axis_z, axis_w] = constants(simd, strip.constants);
        let [[sum]] = R::read::<S, 1, 1>(simd, &sample.mixed, (sample.kind.bits, strip.pairs), &weights);
        let (sin, cos) = sin_cos(simd, sum * scale);
        let rotation =
            [x * cos + axis_x * sin, y * cos + axis_y * sin, z * cos + axis_z * sin, w * cos + axis_w * sin];
        target.put_rotations(strip.joints, rotation);
    }
}

#[inline(always)]
fn write_quaternions<S: Simd, R: Numbers>(simd: S, sample: &Sample<'_>, target: &mut Target<'_>) {
    let weights = sample.mixed.now(simd);
    for index in 0..sample.strips() {
        let strip = sample.strip(index);
        let [scale, x, y, z, w] = constants(simd, strip.constants);
        let [sum] = R::read::<S, 4, 1>(simd, &sample.mixed, (sample.kind.bits, strip.pairs), &weights);
        target.put_rotations(strip.joints, quaternion(simd, sum, scale, [x, y, z, w]));
    }
}

#[inline(always)]
fn write_arcs<S: Simd, R: Numbers>(simd: S, sample: &Sample<'_>, target: &mut Target<'_>) {
    let weights = sample.mixed.at_keys(simd);
    for index in 0..sample.strips() {
        let strip = sample.strip(index);
        let [scale, x, y, z, w] = constants(simd, strip.constants);
        let [left, right] =
            R::read::<S, 4, 2>(simd, &sample.mixed, (sample.kind.bits, strip.pairs), &weights);
        let left = quaternion(simd, left, scale, [x, y, z, w]);
        let right = quaternion(simd, right, scale, [x, y, z, w]);
        let between = slerp(left, right, separation(left, right), sample.reach, sample.segment);
        target.put_rotations(strip.joints, between);
    }
}

#[inline(always)]
fn write_turns<S: Simd, R: Numbers>(simd: S, sample: &Sample<'_>, target: &mut Target<'_>) {
    let weights = sample.mixed.at_keys(simd);
    for index in 0..sample.strips() {
        let strip = sample.strip(index);
        let [scale, x, y, z, w] = constants(simd, strip.constants);
        let [left, right] =
            R::read::<S, 3, 2>(simd, &sample.mixed, (sample.kind.bits, strip.pairs), &weights);
        let (left, right) = (turn(simd, left, scale), turn(simd, right, scale));
        let between = slerp(left, right, separation(left, right), sample.reach, sample.segment);
        target.put_rotations(strip.joints, product([x, y, z, w], between));
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

    #[inline(always)]
    fn put_vectors<S: Simd>(&mut self, property: Property, joints: &[u16], numbers: [f32x8<S>; 3]) {
        let Some(group) = self.whole_group(joints) else {
            return self.scatter(property, joints, &numbers.map(|lanes| *lanes));
        };
        store(numbers, if property == Property::Scale { &mut group.scale } else { &mut group.translation });
    }

    #[inline(always)]
    fn put_rotations<S: Simd>(&mut self, joints: &[u16], numbers: [f32x8<S>; 4]) {
        let Some(group) = self.whole_group(joints) else {
            return self.scatter(Property::Rotation, joints, &numbers.map(|lanes| *lanes));
        };
        store(numbers, &mut group.rotation);
    }

    /// Writes to each joint by itself.
    #[inline(never)]
    fn scatter(&mut self, property: Property, joints: &[u16], numbers: &[[f32; LANES]]) {
        for (lane, joint) in joints.iter().enumerate() {
            let joint = usize::from(*joint).wrapping_sub(self.first_joint);
            let Some(group) = self.groups.get_mut(joint / LANES) else { continue };
            for (lanes, numbers) in lanes_mut(group, property).iter_mut().zip(numbers) {
                lanes.0[joint % LANES] = numbers[lane % LANES];
            }
        }
    }

    /// The group whose joints these are, all of them and in their order.
    #[inline(always)]
    fn whole_group(&mut self, joints: &[u16]) -> Option<&mut JointGroup> {
        let [first, .., last] = joints else { return None };
        // They are in ascending order.
        let is_whole = joints.len() == LANES
            && usize::from(*first) % LANES == 0
            && usize::from(*last) == usize::from(*first) + LANES - 1;
        if !is_whole {
            return None;
        }
        self.groups.get_mut(usize::from(*first).wrapping_sub(self.first_joint) / LANES)
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
