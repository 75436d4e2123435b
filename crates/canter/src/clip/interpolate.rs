//! The kernels that turn rows into transforms, eight joints at a time.
//!
//! Written once over lanes and compiled for every instruction set. Only + - * / and square roots, in the
//! order in which they stand: so the bits are the same on every machine. Multiplying and adding is never
//! fused. Loops over indices instead of closures, because what is not inlined into a kernel is not compiled
//! for its instruction set, and closures now and then are not.

mod patched;
mod plain_reader;

use fearless_simd::{Level, Simd, f32x8, mask32x8, prelude::*};

pub(crate) use patched::sample_patched;
pub(crate) use plain_reader::{FULL_LANES, PlainReader};

use patched::spread;

use super::Clip;
use super::packed::{BLOCK_GROUPS, kernel};
use super::rows::{Layers, Rows, Segment, Strip, StripKind, Timeline};
use super::slerp::{Reach, SlerpWeights, TERMS};
use crate::kernel::{dispatch, has_own_kernel};
use crate::pose::lanes::{TransformLanes, dot, lerp, load, load_all, select, store};
use crate::pose::{JointGroup, Lanes, Pose};

/// What is done with the transforms of each group of joints.
pub(crate) trait Visitor<S: Simd> {
    /// Whether it is what most frames are made of. The others go without a kernel of their own where size
    /// counts more.
    const IS_COMMON: bool = true;

    /// Whether it has no use for a group, which is then not sampled.
    #[inline(always)]
    fn skips(&mut self, _: S, _: usize) -> bool {
        false
    }

    /// Where groups are written to, if that is all that is done with them: they are sampled right there, and not
    /// visited.
    #[inline(always)]
    fn target(&mut self) -> Option<&mut [JointGroup]> {
        None
    }

    fn visit(&mut self, group: usize, sampled: TransformLanes<S>);
}

/// Writes them into a pose.
struct Store<'a>(&'a mut [JointGroup]);

impl<S: Simd> Visitor<S> for Store<'_> {
    #[inline(always)]
    fn target(&mut self) -> Option<&mut [JointGroup]> {
        Some(self.0)
    }

    #[inline(always)]
    fn visit(&mut self, group: usize, sampled: TransformLanes<S>) {
        sampled.store(&mut self.0[group]);
    }
}

/// Writes the pose of a clip at one instant.
#[cfg_attr(canter_web, optimize(speed), inline(never))]
pub(crate) fn sample(level: Level, clip: &Clip, secs: f32, segments: &mut [Segment], pose: &mut Pose) {
    let rows = clip.rows();
    rows.locate(secs, segments);
    dispatch!(level, simd => walk(simd, Some(rows), segments, &clip.rest_pose.groups, Store(&mut pose.groups)));
    for morph in &rows.morphs {
        morph.sample(secs, &mut pose.morph_weights[morph.weights.clone()]);
    }
}

/// Takes a visitor through all groups of a clip at the instant that the segments stand for, or of the rest
/// pose.
#[inline(always)]
pub(crate) fn walk<S: Simd, V: Visitor<S>>(
    simd: S,
    rows: Option<&Rows>,
    segments: &[Segment],
    rest: &[JointGroup],
    visitor: V,
) {
    if let Some(visitor) = walk_if_plain(simd, rows, segments, visitor) {
        walk_any(simd, rows, segments, rest, visitor);
    }
}

/// The same where the rows of the clip can be read from left to right, and the visitor has a kernel for that; else returns
/// the visitor.
#[inline(always)]
pub(crate) fn walk_if_plain<S: Simd, V: Visitor<S>>(
    simd: S,
    rows: Option<&Rows>,
    segments: &[Segment],
    visitor: V,
) -> Option<V> {
    // In the scalar twin the compiler takes minutes for what is rare.
    if const { has_own_kernel(V::IS_COMMON) && (V::IS_COMMON || !cfg!(all(canter_scalar, test))) }
        && let Some(rows) = rows
        && let Some(reader) = segments.first().and_then(|segment| PlainReader::new(simd, rows, segment))
    {
        walk_plain(simd, rows, segments, reader, visitor);
        None
    } else {
        Some(visitor)
    }
}

/// Reads two rows, and the constants, from left to right.
#[inline(always)]
fn walk_plain<S: Simd>(
    simd: S,
    rows: &Rows,
    segments: &[Segment],
    mut reader: PlainReader<'_, S>,
    mut visitor: impl Visitor<S>,
) {
    let mut patched = rows.patched.iter().map(|group| *group as usize).peekable();
    for group in 0..rows.groups.len() {
        let is_patched = cfg!(not(canter_web)) && patched.next_if_eq(&group).is_some();
        if visitor.skips(simd, group) {
            reader.skip(group);
            continue;
        }
        if is_patched {
            reader.skip(group);
            visitor.visit(group, sample_patched(simd, rows, segments, group));
            continue;
        }
        let translation = reader.translation(group);
        let rotation = reader.rotation(group);
        let scale = reader.scale(group);
        visitor.visit(group, TransformLanes { translation, rotation, scale });
    }
}

/// Looks up every strip. By way of memory, so that this is compiled once and not for every visitor.
#[inline(always)]
fn walk_any<S: Simd>(
    simd: S,
    rows: Option<&Rows>,
    segments: &[Segment],
    rest: &[JointGroup],
    mut visitor: impl Visitor<S>,
) {
    // The module of the npm package has no packed clips.
    if let Some(rows) = rows.filter(|rows| cfg!(not(canter_web)) && rows.is_packed) {
        return walk_packed(simd, rows, segments, rest, visitor);
    }
    let mut sampled = JointGroup::IDENTITY;
    for (group, rest) in rest.iter().enumerate() {
        if visitor.skips(simd, group) {
            continue;
        }
        let source = match rows {
            Some(rows) => {
                sample_group(simd, (rows, rest), segments, group, &mut sampled);
                &sampled
            }
            None => rest,
        };
        visitor.visit(group, TransformLanes::load(simd, source));
    }
}

/// Samples the groups of a block at once: tracks of the same kind are read together, whatever joints they are of.
#[inline(always)]
fn walk_packed<S: Simd>(
    simd: S,
    rows: &Rows,
    segments: &[Segment],
    rest: &[JointGroup],
    mut visitor: impl Visitor<S>,
) {
    if let Some(target) = visitor.target() {
        return kernel::write_groups(simd, rows, segments, rest, (0, target));
    }
    let mut block = [kernel::ZERO; BLOCK_GROUPS];
    for first in (0..rest.len()).step_by(BLOCK_GROUPS) {
        let block = &mut block[..BLOCK_GROUPS.min(rest.len() - first)];
        kernel::write_groups(simd, rows, segments, rest, (first, block));
        for (group, sampled) in (first..).zip(block) {
            if !visitor.skips(simd, group) {
                visitor.visit(group, TransformLanes::load(simd, sampled));
            }
        }
    }
}

#[cfg_attr(canter_web, optimize(speed))]
#[inline(never)]
pub(crate) fn sample_group<S: Simd>(
    simd: S,
    rows: (&Rows, &JointGroup),
    segments: &[Segment],
    group: usize,
    out: &mut JointGroup,
) {
    if cfg!(target_family = "wasm") {
        return sample_strips(simd, rows, segments, group, out);
    }
    simd.vectorize(
        #[inline(always)]
        || sample_strips(simd, rows, segments, group, out),
    );
}

#[inline(always)]
fn sample_strips<S: Simd>(
    simd: S,
    (rows, rest): (&Rows, &JointGroup),
    segments: &[Segment],
    group: usize,
    out: &mut JointGroup,
) {
    let strips = &rows.groups[group];
    if cfg!(canter_web) {
        // Translations and scales by the same code where size counts more.
        let vectors = [
            (strips.translation, &rest.translation, &mut out.translation),
            (strips.scale, &rest.scale, &mut out.scale),
        ];
        for (layers, rest, out) in vectors {
            store(vector(simd, rows, segments, layers, rest), out);
        }
        store(rotation(simd, rows, segments, strips.rotation, &rest.rotation), &mut out.rotation);
        return;
    }
    let sampled = TransformLanes {
        translation: vector(simd, rows, segments, strips.translation, &rest.translation),
        rotation: rotation(simd, rows, segments, strips.rotation, &rest.rotation),
        scale: vector(simd, rows, segments, strips.scale, &rest.scale),
    };
    sampled.store(out);
}

/// Translation or scale: the strip of all lanes, then those that overwrite some.
// One loop for both, so that the formulas are compiled once: kernels are large, and there are many of them.
#[inline(always)]
fn vector<S: Simd>(
    simd: S,
    rows: &Rows,
    segments: &[Segment],
    layers: Layers,
    rest: &[Lanes; 3],
) -> [f32x8<S>; 3] {
    let (first, end) = layers.patches;
    let mut patches = rows.patches[first as usize..end as usize].iter();
    let (mut strip, mut mask) = (layers.strip, mask32x8::splat(simd, true));
    let mut value = [f32x8::splat(simd, 0.0); 3];
    loop {
        select(mask, strip_vector(simd, rows, segments, strip, rest), &mut value);
        let Some(patch) = patches.next() else { return value };
        (strip, mask) = (patch.strip, mask32x8::simd_from(simd, patch.mask));
    }
}

#[inline(always)]
fn rotation<S: Simd>(
    simd: S,
    rows: &Rows,
    segments: &[Segment],
    layers: Layers,
    rest: &[Lanes; 4],
) -> [f32x8<S>; 4] {
    let (first, end) = layers.patches;
    let mut patches = rows.patches[first as usize..end as usize].iter();
    let (mut strip, mut mask) = (layers.strip, mask32x8::splat(simd, true));
    let mut value = [f32x8::splat(simd, 0.0); 4];
    loop {
        select(mask, strip_rotation(simd, rows, segments, strip, rest), &mut value);
        let Some(patch) = patches.next() else { return value };
        (strip, mask) = (patch.strip, mask32x8::simd_from(simd, patch.mask));
    }
}

#[inline(always)]
fn strip_vector<S: Simd>(
    simd: S,
    rows: &Rows,
    segments: &[Segment],
    strip: Strip,
    rest: &[Lanes; 3],
) -> [f32x8<S>; 3] {
    let offset = strip.offset as usize;
    if strip.kind == StripKind::Constant {
        return load(simd, &rows.constants, offset);
    }
    if strip.kind == StripKind::Rest {
        return load_all(simd, rest);
    }
    let timeline = &rows.timelines[strip.timeline as usize];
    let segment = &segments[strip.timeline as usize];
    let lanes = &timeline.rows;
    let (left, right) = (segment.left as usize + offset, segment.right as usize + offset);
    match strip.kind {
        StripKind::Cubic => cubic(simd, lanes, segment, left, right),
        StripKind::Step => load(simd, lanes, left),
        StripKind::Rest | StripKind::Lerp | StripKind::Slerp(_) | StripKind::Constant => {
            let left = strip_at(simd, timeline, segment.left, offset);
            let right = strip_at(simd, timeline, segment.right, offset);
            lerp(left, right, f32x8::splat(simd, segment.alpha))
        }
    }
}

/// The numbers of a strip in a row. Those of a narrow one are put into all lanes.
#[inline(always)]
fn strip_at<S: Simd, const N: usize>(simd: S, timeline: &Timeline, row: u32, offset: usize) -> [f32x8<S>; N] {
    if cfg!(canter_web) || !timeline.is_narrow {
        return load(simd, &timeline.rows, row as usize + offset);
    }
    spread(simd, &timeline.rows[row as usize], offset)
}

#[inline(always)]
fn strip_rotation<S: Simd>(
    simd: S,
    rows: &Rows,
    segments: &[Segment],
    strip: Strip,
    rest: &[Lanes; 4],
) -> [f32x8<S>; 4] {
    let offset = strip.offset as usize;
    if strip.kind == StripKind::Constant {
        return load(simd, &rows.constants, offset);
    }
    if strip.kind == StripKind::Rest {
        return load_all(simd, rest);
    }
    let timeline = &rows.timelines[strip.timeline as usize];
    let segment = &segments[strip.timeline as usize];
    let lanes = &timeline.rows;
    let (left, right) = (segment.left as usize + offset, segment.right as usize + offset);
    let reach = match strip.kind {
        StripKind::Slerp(reach) => reach,
        StripKind::Cubic => return cubic_rotation(simd, lanes, segment, left, right),
        StripKind::Step | StripKind::Lerp | StripKind::Constant | StripKind::Rest => {
            return load(simd, lanes, left);
        }
    };
    let [x, y, z, w, separation] = strip_at::<S, 5>(simd, timeline, segment.left, offset);
    let next = strip_at(simd, timeline, segment.right, offset);
    slerp([x, y, z, w], next, separation, reach, segment)
}

#[inline(always)]
pub(crate) fn slerp<S: Simd>(
    value: [f32x8<S>; 4],
    next: [f32x8<S>; 4],
    separation: f32x8<S>,
    reach: Reach,
    segment: &Segment,
) -> [f32x8<S>; 4] {
    let (weight, next_weight) = match reach {
        Reach::Near => arc_weights::<S, { Reach::Near.degree() }>(separation, &segment.slerp),
        Reach::Mid => arc_weights::<S, { Reach::Mid.degree() }>(separation, &segment.slerp),
        // Few clips have such arcs: on the web one polynomial is enough for both.
        Reach::Far | Reach::Wide if cfg!(canter_web) => {
            far_weights(separation, segment, reach == Reach::Wide)
        }
        Reach::Far => far_weights(separation, segment, false),
        Reach::Wide => far_weights(separation, segment, true),
    };
    weigh(value, next, weight, next_weight)
}

#[inline(always)]
fn weigh<S: Simd>(
    mut value: [f32x8<S>; 4],
    next: [f32x8<S>; 4],
    weight: f32x8<S>,
    next_weight: f32x8<S>,
) -> [f32x8<S>; 4] {
    for i in 0..4 {
        value[i] = value[i] * weight + next[i] * next_weight;
    }
    value
}

#[inline(always)]
fn arc_weights<S: Simd, const DEGREE: usize>(
    separation: f32x8<S>,
    weights: &SlerpWeights,
) -> (f32x8<S>, f32x8<S>) {
    let left = polynomial::<S, DEGREE>(separation, &weights.left);
    let right = polynomial::<S, DEGREE>(separation, &weights.right);
    (left, right)
}

#[inline(always)]
fn polynomial<S: Simd, const DEGREE: usize>(x: f32x8<S>, coefficients: &[f32; TERMS]) -> f32x8<S> {
    let mut sum = f32x8::splat(x.token(), coefficients[DEGREE]);
    for index in (0..DEGREE).rev() {
        sum = sum * x + coefficients[index];
    }
    sum
}

/// [`Reach::Far`], and [`Reach::Wide`]: cuts a wide arc at its middle m = (a + b) / 2cos(θ/2) and slerps in the half that
/// alpha lies in.
#[inline(always)]
fn far_weights<S: Simd>(separation: f32x8<S>, segment: &Segment, is_wide: bool) -> (f32x8<S>, f32x8<S>) {
    let one = f32x8::splat(separation.token(), 1.0);
    let (mut cosine, mut reached, mut weights) = (one, separation, &segment.slerp);
    if is_wide {
        cosine = (one - separation).sqrt();
        (reached, weights) = ((one - cosine) * 0.5, &segment.half);
    }
    let (near, far) = arc_weights::<S, { Reach::Far.degree() }>(reached, weights);
    if !is_wide {
        return (near, far);
    }
    // How much of a and of b the middle is.
    let share = f32x8::splat(separation.token(), 0.5) / cosine;
    if segment.in_first_half() {
        let of_middle = far * share;
        (near + of_middle, of_middle)
    } else {
        let of_middle = near * share;
        (of_middle, far + of_middle)
    }
}

#[inline(always)]
fn cubic<S: Simd, const N: usize>(
    simd: S,
    lanes: &[Lanes],
    segment: &Segment,
    left: usize,
    right: usize,
) -> [f32x8<S>; N] {
    let [of_left, of_out_tangent, of_right, of_in_tangent] = segment.hermite;
    let mut value = load::<S, N>(simd, lanes, left + N);
    let out_tangent = load::<S, N>(simd, lanes, left + 2 * N);
    let in_tangent = load::<S, N>(simd, lanes, right);
    let next_value = load::<S, N>(simd, lanes, right + N);
    for i in 0..N {
        value[i] = (value[i] * of_left + out_tangent[i] * of_out_tangent)
            + (next_value[i] * of_right + in_tangent[i] * of_in_tangent);
    }
    value
}

/// A spline through quaternions leaves the unit sphere and is brought back to it.
#[inline(always)]
fn cubic_rotation<S: Simd>(
    simd: S,
    lanes: &[Lanes],
    segment: &Segment,
    left: usize,
    right: usize,
) -> [f32x8<S>; 4] {
    let mut spline = cubic::<S, 4>(simd, lanes, segment, left, right);
    let key = load::<S, 4>(simd, lanes, left + 4);
    // Tangents may be huge: squares of what is left of them after this cannot overflow.
    let one = f32x8::splat(simd, 1.0);
    let mut largest = one;
    for part in spline {
        let size = part.abs();
        largest = size.simd_gt(largest).select(size, largest);
    }
    for part in &mut spline {
        *part /= largest;
    }
    let squared = dot(spline, spline);
    // A spline through the centre has no direction there: the left key holds.
    let has_direction = squared.simd_gt(f32x8::splat(simd, 1e-12));
    let length = has_direction.select(squared, one).sqrt();
    for i in 0..4 {
        spline[i] = has_direction.select(spline[i] / length, key[i]);
    }
    spline
}
