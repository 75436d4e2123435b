//! Blends two clips in one pass, as most frames do: sums are made in registers, and rotations are brought back to
//! length one in a pass of their own, since roots and quotients take long and would hold up the sums behind them.

use fearless_simd::{Simd, f32x8, mask32x8, prelude::*};

use super::Input;
use crate::clip::interpolate::{FULL_LANES, PlainReader, sample_patched};
use crate::clip::rows::Segment;
use crate::pose::lanes::{TransformLanes, load, load_all, normalize, store};
use crate::pose::{JointGroup, Lanes};

/// Writes the sum of two clips that are read from left to right, each with its share; the second with the sides of
/// its rotations. Returns `false`, and has done nothing, if they are of another kind.
#[inline(always)]
pub(super) fn blend_pair<S: Simd>(
    simd: S,
    inputs: [&Input<'_>; 2],
    segments: &[Segment],
    sides: &[u8],
    groups: &mut [JointGroup],
) -> bool {
    let [first, second] = inputs;
    let (Some(mut first_clip), Some(mut second_clip)) =
        (reader(simd, first, segments), reader(simd, second, segments))
    else {
        return false;
    };
    let shares = [f32x8::splat(simd, first.share), f32x8::splat(simd, second.share)];
    if first_clip.is_full() && second_clip.is_full() {
        for (out, sides) in groups.iter_mut().zip(sides) {
            let signed = with_sides(shares, *sides);
            let (a, b): (Rows<'_>, Rows<'_>) = (first_clip.take(), second_clip.take());
            let sum = add(first_clip.lerp_at(a, 0), second_clip.lerp_at(b, 0), shares);
            store(sum, &mut out.translation);
            let sum = add(first_clip.slerp_at(a, 3), second_clip.slerp_at(b, 3), signed);
            store(sum, &mut out.rotation);
            let sum = add(first_clip.lerp_at(a, 8), second_clip.lerp_at(b, 8), shares);
            store(sum, &mut out.scale);
        }
    } else {
        for (group, (out, sides)) in groups.iter_mut().zip(sides).enumerate() {
            let signed = with_sides(shares, *sides);
            let strips = [first_clip.strips(group), second_clip.strips(group)];
            if strips[0].only_turns && strips[1].only_turns {
                let (a, b): (Turns<'_>, Turns<'_>) = (first_clip.take(), second_clip.take());
                let (still, other): (Still<'_>, Still<'_>) =
                    (first_clip.take_constants(), second_clip.take_constants());
                let sum = add(load::<S, 3>(simd, still, 0), load(simd, other, 0), shares);
                store(sum, &mut out.translation);
                let sum = add(first_clip.slerp_at(a, 0), second_clip.slerp_at(b, 0), signed);
                store(sum, &mut out.rotation);
                let sum = if strips[0].has_unit_scales && strips[1].has_unit_scales {
                    // What multiplying by one leads to.
                    [shares[0] + shares[1]; 3]
                } else {
                    add(load(simd, still, 3), load(simd, other, 3), shares)
                };
                store(sum, &mut out.scale);
                continue;
            }
            let sum = add(first_clip.translation(group), second_clip.translation(group), shares);
            store(sum, &mut out.translation);
            let sum = add(first_clip.rotation(group), second_clip.rotation(group), signed);
            store(sum, &mut out.rotation);
            let sum = add(first_clip.scale(group), second_clip.scale(group), shares);
            store(sum, &mut out.scale);
        }
    }
    let [of_first, of_second] = inputs.map(patched);
    let others = of_second.iter().filter(|group| !of_first.contains(group));
    for group in of_first.iter().chain(others).map(|group| *group as usize) {
        let [Some(a), Some(b)] =
            [sample(simd, first, segments, group), sample(simd, second, segments, group)]
        else {
            continue;
        };
        let (out, signed) = (&mut groups[group], with_sides(shares, sides[group]));
        store(add(a.translation, b.translation, shares), &mut out.translation);
        store(add(a.rotation, b.rotation, signed), &mut out.rotation);
        store(add(a.scale, b.scale, shares), &mut out.scale);
    }
    for group in groups {
        let mut rotation = load_all(simd, &group.rotation);
        normalize(simd, &mut rotation);
        store(rotation, &mut group.rotation);
    }
    true
}

/// The left and the right row of eight joints that move, turn and grow.
type Rows<'a> = [&'a [Lanes; FULL_LANES]; 2];

/// The same of eight joints that only turn, and what else they have.
type Turns<'a> = [&'a [Lanes; 5]; 2];
type Still<'a> = &'a [Lanes; 6];

/// The shares of rotations: the second has its side.
#[inline(always)]
fn with_sides<S: Simd>(shares: [f32x8<S>; 2], sides: u8) -> [f32x8<S>; 2] {
    let opposite = mask32x8::from_bitmask(shares[0].token(), u64::from(sides));
    [shares[0], opposite.select(-shares[1], shares[1])]
}

/// Reads the clip of an input, if its rows are plain.
#[inline(always)]
fn reader<'a, S: Simd>(simd: S, input: &Input<'a>, segments: &'a [Segment]) -> Option<PlainReader<'a, S>> {
    PlainReader::new(simd, input.clip?.rows(), segments.get(input.first_segment as usize)?)
}

/// The groups of an input's clip that are not read from left to right.
#[inline(always)]
fn patched<'a>(input: &Input<'a>) -> &'a [u32] {
    match input.clip {
        Some(clip) if cfg!(not(canter_web)) => &clip.rows().patched,
        _ => &[],
    }
}

/// A group of an input's clip, whatever its rows are.
#[inline(always)]
fn sample<S: Simd>(
    simd: S,
    input: &Input<'_>,
    segments: &[Segment],
    group: usize,
) -> Option<TransformLanes<S>> {
    let segments = segments.get(input.first_segment as usize..)?;
    Some(sample_patched(simd, input.clip?.rows(), segments, group))
}

#[inline(always)]
fn add<S: Simd, const N: usize>(
    mut first: [f32x8<S>; N],
    second: [f32x8<S>; N],
    shares: [f32x8<S>; 2],
) -> [f32x8<S>; N] {
    for i in 0..N {
        first[i] = first[i] * shares[0] + second[i] * shares[1];
    }
    first
}
