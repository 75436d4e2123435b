//! The kernels that read packed rows, eight joints at a time.
//!
//! Strips of the same kind are read one after the other, so that what they have in common is looked up once: which
//! rows, their weights, how integers lie in memory, and what they mean.
//!
//! As in `interpolate`: only + - * / and square roots of `f32` in a fixed order, so that the bits are the same on
//! every machine. What comes before them are integers, which are exact.

use fearless_simd::{Simd, f32x8, i8x16, i16x16, i32x8, prelude::*, u8x16, u8x32};

use super::{Basis, Bits, Form, PAIRS, PackedRows, PackedStrip, Weights};
use crate::clip::Property;
use crate::clip::interpolate::slerp;
use crate::clip::rows::{Rows, Segment, StripKind, Timeline};
use crate::clip::slerp::Reach;
use crate::kernel::is_plain;
use crate::pose::lanes::{dot, load, normalize, product, store};
use crate::pose::{JointGroup, LANES, Lanes};

/// Where packed strips are read.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    rows: &'a PackedRows,
    constants: &'a [Lanes],
    segment: &'a Segment,
    reach: Reach,
}

impl<'a> Source<'a> {
    /// `None` if the rows of a timeline are not packed.
    #[inline(always)]
    pub(crate) fn new(timeline: &'a Timeline, constants: &'a [Lanes], segment: &'a Segment) -> Option<Self> {
        let rows = timeline.packed.as_deref()?;
        Some(Self { rows, constants, segment, reach: timeline.reach })
    }

    /// `None` if a clip is not packed throughout.
    #[inline(always)]
    pub(crate) fn whole(rows: &'a Rows, segments: &'a [Segment]) -> Option<Self> {
        // The module of the npm package has no packed clips.
        if cfg!(canter_web) || rows.packed_runs.is_empty() {
            return None;
        }
        Self::new(rows.timelines.first()?, &rows.constants, segments.first()?)
    }
}

/// So many groups are sampled before any is visited.
pub(crate) const AT_ONCE: usize = 16;
pub(crate) const ZERO: JointGroup = {
    const ZERO: Lanes = Lanes([0.0; LANES]);
    JointGroup { translation: [ZERO; 3], rotation: [ZERO; 4], scale: [ZERO; 3] }
};

/// Writes all groups of a clip that is packed throughout.
#[inline(always)]
pub(crate) fn write_groups<S: Simd>(
    simd: S,
    rows: &Rows,
    source: Source<'_>,
    rest: &[JointGroup],
    out: &mut [JointGroup],
) {
    for ((strips, rest), out) in rows.groups.iter().zip(rest).zip(&mut *out) {
        if strips.has_rest {
            *out = *rest;
        }
        if strips.has_constants {
            let (translation, rotation, scale) =
                (strips.translation.strip, strips.rotation.strip, strips.scale.strip);
            if translation.kind == StripKind::Constant {
                store(load(simd, &rows.constants, translation.offset as usize), &mut out.translation);
            }
            if rotation.kind == StripKind::Constant {
                store(load(simd, &rows.constants, rotation.offset as usize), &mut out.rotation);
            }
            if scale.kind == StripKind::Constant {
                store(load(simd, &rows.constants, scale.offset as usize), &mut out.scale);
            }
        }
    }
    let mut strips = rows.packed.as_slice();
    for run in &rows.packed_runs {
        let (same, others) = strips.split_at(*run as usize);
        strips = others;
        write_strips(simd, source, same, out);
    }
}

/// Writes strips of one kind, each into its group.
#[inline(never)]
pub(crate) fn write_strips<S: Simd>(
    simd: S,
    source: Source<'_>,
    strips: &[PackedStrip],
    out: &mut [JointGroup],
) {
    if cfg!(target_family = "wasm") {
        return write_run(simd, source, strips, out);
    }
    simd.vectorize(
        #[inline(always)]
        || write_run(simd, source, strips, out),
    );
}

#[inline(always)]
fn write_run<S: Simd>(simd: S, source: Source<'_>, strips: &[PackedStrip], out: &mut [JointGroup]) {
    let Some(first) = strips.first() else { return };
    let (rows, mix) = match first.basis {
        Basis::Keys => (&source.rows.keys, &source.segment.packed.keys),
        Basis::Spline => (&source.rows.spline, &source.segment.packed.spline),
    };
    let ([a, b, c], bytes, stride) = (mix.pairs, &rows.bytes[..], rows.stride);
    let pairs =
        [&bytes[a as usize..][..stride], &bytes[b as usize..][..stride], &bytes[c as usize..][..stride]];
    let run = Run { pairs, weights: [mix.now, mix.left, mix.right], source };
    if is_plain(simd) {
        for strip in strips {
            run.write_spread(simd, strip, out);
        }
        return;
    }
    match first.bits {
        Bits::Eight => run.write::<S, Eight>(simd, strips, out),
        Bits::Twelve => run.write::<S, Twelve>(simd, strips, out),
        Bits::Sixteen => run.write::<S, Sixteen>(simd, strips, out),
        Bits::Sparse => {
            for strip in strips {
                run.write_spread(simd, strip, out);
            }
        }
    }
}

impl PackedStrip {
    /// Writes the integers of two rows as those of 16 bits, in all lanes.
    fn spread(&self, bytes: &[u8], out: &mut [u8; 4 * 4 * LANES]) {
        let (bits, parts) = (self.bits, self.form.parts(self.property));
        for (part, bytes) in bytes.chunks_exact(bits.pair_bytes(self.lanes).max(1)).take(parts).enumerate() {
            let mut nth = 0;
            for lane in 0..LANES {
                if self.lanes & (1 << lane) == 0 {
                    continue;
                }
                let column = if bits == Bits::Sparse { nth } else { lane };
                nth += 1;
                for slot in [2 * column, 2 * column + 1] {
                    let word = match bits {
                        Bits::Eight => i16::from(bytes[slot].cast_signed()).to_le_bytes(),
                        Bits::Twelve => {
                            let low = bytes[2 * LANES + slot % LANES];
                            [if slot < LANES { low << 4 } else { low & 0xf0 }, bytes[slot]]
                        }
                        Bits::Sixteen | Bits::Sparse => [bytes[2 * slot], bytes[2 * slot + 1]],
                    };
                    let at = 4 * (part * LANES + lane) + 2 * (slot % 2);
                    out[at..at + 2].copy_from_slice(&word);
                }
            }
        }
    }
}

/// Strips of one kind at a sample.
#[derive(Clone, Copy)]
struct Run<'a> {
    /// Pairs of rows.
    pairs: [&'a [u8]; PAIRS],
    /// At the time, and at the keys on both sides of it.
    weights: [Weights; 3],
    source: Source<'a>,
}

impl Run<'_> {
    #[inline(always)]
    fn write<S: Simd, W: Width>(&self, simd: S, strips: &[PackedStrip], out: &mut [JointGroup]) {
        let Some(PackedStrip { form, property, .. }) = strips.first().copied() else { return };
        match form {
            Form::Sum if property == Property::Rotation => self.write_quaternions::<S, W>(simd, strips, out),
            Form::Sum => self.write_vectors::<S, W>(simd, strips, out),
            Form::Uniform => self.write_uniform::<S, W>(simd, strips, out),
            Form::Quaternions => self.write_arcs::<S, W>(simd, strips, out),
            Form::Turns => self.write_turns::<S, W>(simd, strips, out),
        }
    }

    /// A strip of any kind as one of 16 bits: those of few lanes are spread over all of them.
    #[inline(always)]
    fn write_spread<S: Simd>(&self, simd: S, strip: &PackedStrip, out: &mut [JointGroup]) {
        let mut spread = [[0; 4 * 4 * LANES]; PAIRS];
        for (spread, bytes) in spread.iter_mut().zip(self.pairs) {
            strip.spread(&bytes[strip.at as usize..], spread);
        }
        let run = Run { pairs: [&spread[0], &spread[1], &spread[2]], ..*self };
        run.write::<S, Sixteen>(simd, &[PackedStrip { at: 0, ..*strip }], out);
    }

    #[inline(always)]
    fn write_vectors<S: Simd, W: Width>(&self, simd: S, strips: &[PackedStrip], out: &mut [JointGroup]) {
        let weights = [splats(simd, self.weights[0])];
        for strip in strips {
            let [scale, x, y, z] = load::<S, 4>(simd, self.source.constants, strip.scales as usize);
            let [[sum_x, sum_y, sum_z]] = self.sums::<S, W, 3, 1>(simd, strip, &weights);
            let numbers = [sum_x * scale + x, sum_y * scale + y, sum_z * scale + z];
            if let Some(out) = out.get_mut(strip.group as usize) {
                let is_scale = strip.property == Property::Scale;
                store(numbers, if is_scale { &mut out.scale } else { &mut out.translation });
            }
        }
    }

    #[inline(always)]
    fn write_uniform<S: Simd, W: Width>(&self, simd: S, strips: &[PackedStrip], out: &mut [JointGroup]) {
        let weights = [splats(simd, self.weights[0])];
        for strip in strips {
            let [scale, offset] = load::<S, 2>(simd, self.source.constants, strip.scales as usize);
            let [[sum]] = self.sums::<S, W, 1, 1>(simd, strip, &weights);
            if let Some(out) = out.get_mut(strip.group as usize) {
                store([sum * scale + offset; 3], &mut out.scale);
            }
        }
    }

    #[inline(always)]
    fn write_quaternions<S: Simd, W: Width>(&self, simd: S, strips: &[PackedStrip], out: &mut [JointGroup]) {
        let weights = [splats(simd, self.weights[0])];
        for strip in strips {
            let [scale, x, y, z, w] = load::<S, 5>(simd, self.source.constants, strip.scales as usize);
            let [sum] = self.sums::<S, W, 4, 1>(simd, strip, &weights);
            if let Some(out) = out.get_mut(strip.group as usize) {
                store(quaternion(simd, sum, scale, [x, y, z, w]), &mut out.rotation);
            }
        }
    }

    #[inline(always)]
    fn write_arcs<S: Simd, W: Width>(&self, simd: S, strips: &[PackedStrip], out: &mut [JointGroup]) {
        let weights = [splats(simd, self.weights[1]), splats(simd, self.weights[2])];
        for strip in strips {
            let [scale, x, y, z, w] = load::<S, 5>(simd, self.source.constants, strip.scales as usize);
            let [left, right] = self.sums::<S, W, 4, 2>(simd, strip, &weights);
            let left = quaternion(simd, left, scale, [x, y, z, w]);
            let right = quaternion(simd, right, scale, [x, y, z, w]);
            let between = slerp(left, right, separation(left, right), self.source.reach, self.source.segment);
            if let Some(out) = out.get_mut(strip.group as usize) {
                store(between, &mut out.rotation);
            }
        }
    }

    #[inline(always)]
    fn write_turns<S: Simd, W: Width>(&self, simd: S, strips: &[PackedStrip], out: &mut [JointGroup]) {
        let weights = [splats(simd, self.weights[1]), splats(simd, self.weights[2])];
        for strip in strips {
            let [scale, x, y, z, w] = load::<S, 5>(simd, self.source.constants, strip.scales as usize);
            let [left, right] = self.sums::<S, W, 3, 2>(simd, strip, &weights);
            let (left, right) = (turn(simd, left, scale), turn(simd, right, scale));
            let between = slerp(left, right, separation(left, right), self.source.reach, self.source.segment);
            if let Some(out) = out.get_mut(strip.group as usize) {
                store(product([x, y, z, w], between), &mut out.rotation);
            }
        }
    }

    /// `N` numbers of eight joints, summed with `M` sets of weights.
    #[inline(always)]
    fn sums<S: Simd, W: Width, const N: usize, const M: usize>(
        &self,
        simd: S,
        strip: &PackedStrip,
        weights: &[[i16x16<S>; PAIRS]; M],
    ) -> [[f32x8<S>; N]; M] {
        let ([a, b, c], at) = (self.pairs, strip.at as usize);
        let (a, b, c) = (W::columns::<N>(&a[at..]), W::columns::<N>(&b[at..]), W::columns::<N>(&c[at..]));
        let mut sums = [[f32x8::splat(simd, 0.0); N]; M];
        for part in 0..N {
            let a = W::words(simd, &a[part]);
            let b = W::words(simd, &b[part]);
            let c = W::words(simd, &c[part]);
            for set in 0..M {
                let [of_a, of_b, of_c] = weights[set];
                let whole = a.pairwise_dot_product(of_a)
                    + b.pairwise_dot_product(of_b)
                    + c.pairwise_dot_product(of_c);
                sums[set][part] = f32x8::float_from(whole);
            }
        }
        sums
    }
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

/// Whether words lie in memory as they are stored, so that they need not be put together byte by byte.
const IS_LITTLE: bool = cfg!(target_endian = "little");

/// The weights of two rows in all lanes.
#[inline(always)]
fn splat<S: Simd>(simd: S, weights: i32) -> i16x16<S> {
    if IS_LITTLE {
        return i32x8::splat(simd, weights).bitcast();
    }
    let [a, b, c, d] = weights.to_le_bytes();
    let mut words = [i16::from_le_bytes([a, b]); 2 * LANES];
    for lane in 0..LANES {
        words[2 * lane + 1] = i16::from_le_bytes([c, d]);
    }
    i16x16::simd_from(simd, words)
}

#[inline(always)]
fn splats<S: Simd>(simd: S, weights: Weights) -> [i16x16<S>; PAIRS] {
    [splat(simd, weights[0]), splat(simd, weights[1]), splat(simd, weights[2])]
}

/// How integers lie in memory.
trait Width {
    /// The bytes of one number of eight joints in two rows.
    type Column;

    /// Those of the first numbers: says once what would else be checked for each of them.
    fn columns<const N: usize>(bytes: &[u8]) -> &[Self::Column; N];

    fn words<S: Simd>(simd: S, bytes: &Self::Column) -> i16x16<S>;
}

#[inline(always)]
fn columns<const BYTES: usize, const N: usize>(bytes: &[u8]) -> &[[u8; BYTES]; N] {
    bytes.as_chunks().0.first_chunk().expect("whole pairs of rows")
}

struct Sixteen;

impl Width for Sixteen {
    type Column = [u8; 4 * LANES];

    #[inline(always)]
    fn columns<const N: usize>(bytes: &[u8]) -> &[Self::Column; N] {
        columns(bytes)
    }

    #[inline(always)]
    fn words<S: Simd>(simd: S, bytes: &Self::Column) -> i16x16<S> {
        if IS_LITTLE {
            return u8x32::simd_from(simd, *bytes).bitcast();
        }
        let mut words = [0; 2 * LANES];
        for i in 0..2 * LANES {
            words[i] = i16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]);
        }
        i16x16::simd_from(simd, words)
    }
}

/// High bytes of sixteen words, then the four bits below them of the first eight and the last eight.
struct Twelve;

impl Width for Twelve {
    type Column = [u8; 3 * LANES];

    #[inline(always)]
    fn columns<const N: usize>(bytes: &[u8]) -> &[Self::Column; N] {
        columns(bytes)
    }

    #[inline(always)]
    fn words<S: Simd>(simd: S, bytes: &Self::Column) -> i16x16<S> {
        let (mut high, mut low) = ([0; 2 * LANES], [0; 2 * LANES]);
        for i in 0..LANES {
            high[i] = bytes[i];
            high[LANES + i] = bytes[LANES + i];
            low[i] = bytes[2 * LANES + i] << 4;
            low[LANES + i] = bytes[2 * LANES + i] & 0xf0;
        }
        if IS_LITTLE {
            let (high, low) = (u8x16::simd_from(simd, high), u8x16::simd_from(simd, low));
            return low.zip_low(high).combine(low.zip_high(high)).bitcast();
        }
        let mut words = [0; 2 * LANES];
        for i in 0..2 * LANES {
            words[i] = i16::from_le_bytes([low[i], high[i]]);
        }
        i16x16::simd_from(simd, words)
    }
}

struct Eight;

impl Width for Eight {
    type Column = [u8; 2 * LANES];

    #[inline(always)]
    fn columns<const N: usize>(bytes: &[u8]) -> &[Self::Column; N] {
        columns(bytes)
    }

    #[inline(always)]
    fn words<S: Simd>(simd: S, bytes: &Self::Column) -> i16x16<S> {
        let mut high = [0; 2 * LANES];
        for i in 0..2 * LANES {
            high[i] = bytes[i].cast_signed();
        }
        let (first, last) = i8x16::simd_from(simd, high).widen();
        first.combine(last)
    }
}
