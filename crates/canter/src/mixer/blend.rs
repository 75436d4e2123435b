//! Blends the poses of all actions, eight joints at a time.
//!
//! The weights of a joint add up to one. Rotations are summed as quaternions, each on the side of the sum so
//! far, and normalised. Actions are taken in an order that does not depend on when they were started: strongest
//! first, so that a faint one never decides on which side a strong one lies. That keeps the result independent of the
//! order of starting, and continuous as a weight goes to zero.
//!
//! It is continuous in all weights for two actions, and for any number that lie within a right angle of each other.
//! More than that nobody can have: of rotations by 0, 120 and 240 degrees the shortest arcs between each two lead once
//! all round, and a loop that goes once round cannot be drawn together to a point among rotations.

use std::cmp::Ordering;

use fearless_simd::{Level, Simd, f32x8, mask32x8, prelude::*};

use super::{JointMask, Mixer, Slot};
use crate::clip::Clip;
use crate::clip::interpolate::{self, Sampled, Visitor, dot, load, walk};
use crate::clip::rows::Segment;
use crate::kernel::dispatch;
use crate::pose::{JointGroup, Pose};

/// Clips of one timeline each are the rule: for so many of them no memory is needed.
pub(crate) const SEGMENTS_ON_STACK: usize = 2;

/// An action that takes part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input {
    slot: u32,
    /// Where its places on its clip's timelines begin.
    first_segment: u32,
    secs: f32,
    /// Fades included; divided by the sum of all once that is known.
    weight: f32,
}

/// Writes the blended pose.
#[cfg_attr(canter_web, optimize(speed), inline(never))]
pub(crate) fn sample(mixer: &mut Mixer, level: Level, pose: &mut Pose) {
    let segment_count = collect(mixer);
    let Mixer { skeleton, slots, rest_threshold, scratch, .. } = mixer;
    let inputs = scratch.inputs.as_mut_slice();
    if inputs.is_empty() {
        pose.reset(skeleton);
        return;
    }
    let mut few = [Segment::EMPTY; SEGMENTS_ON_STACK];
    let segments = match few.get_mut(..segment_count) {
        Some(segments) => segments,
        None => &mut scratch.segments[..segment_count],
    };
    // JavaScript has no masks yet: their kernel is left out.
    let is_masked = !cfg!(canter_web) && inputs.iter().any(|input| action(slots, input).mask.is_some());
    let sum: f32 = inputs.iter().map(|input| input.weight).sum();
    let whole = sum.max(*rest_threshold);
    let rest_weight = (whole - sum) / whole;
    if let ([only], false, true) = (&*inputs, is_masked, rest_weight <= 0.0) {
        interpolate::sample(level, clip(slots, only), only.secs, segments, pose);
        return;
    }
    for input in &mut *inputs {
        let first = input.first_segment as usize;
        clip(slots, input).rows().locate(input.secs, &mut segments[first..]);
        if !is_masked {
            input.weight /= whole;
        }
    }
    let blend = Blend {
        slots,
        inputs,
        segments,
        rest: &skeleton.rest_pose().groups,
        rest_weight,
        rest_threshold: *rest_threshold,
    };
    if is_masked {
        dispatch!(level, simd => blend.masked_groups(simd, &mut pose.groups));
    } else {
        dispatch!(level, simd => blend.groups(simd, &mut pose.groups));
    }
    if !pose.morph_weights.is_empty() {
        blend.morphs(is_masked, &skeleton.rest_pose().morph_weights, &mut pose.morph_weights);
    }
}

/// Lists the actions that have weight, strongest first; answers how many timelines they have.
fn collect(mixer: &mut Mixer) -> usize {
    let inputs = &mut mixer.scratch.inputs;
    inputs.clear();
    for (slot, entry) in (0_u32..).zip(&mixer.slots) {
        if let Some(action) = &entry.action {
            let weight = action.present_weight();
            if weight > 0.0 {
                inputs.push(Input { slot, first_segment: 0, secs: action.time_secs(), weight });
            }
        }
    }
    let slots = &mixer.slots;
    inputs.sort_unstable_by(|a, b| strongest_first(slots, a, b));
    let mut segment_count = 0;
    for input in inputs {
        input.first_segment = segment_count;
        #[expect(clippy::cast_possible_truncation, reason = "timelines are counted in u32")]
        let timelines = clip(slots, input).rows().timelines.len() as u32;
        segment_count += timelines;
    }
    segment_count as usize
}

/// By weight; between equal ones by what is in the clip, where it is, and what it moves. What is still equal adds
/// the same in any order.
fn strongest_first(slots: &[Slot], a: &Input, b: &Input) -> Ordering {
    let content = |input| clip(slots, input).fingerprint();
    let mask = |input| action(slots, input).mask.as_deref();
    b.weight
        .total_cmp(&a.weight)
        .then_with(|| content(a).cmp(&content(b)))
        .then_with(|| a.secs.total_cmp(&b.secs))
        .then_with(|| JointMask::order(mask(a), mask(b)))
}

#[inline(always)]
fn action<'a>(slots: &'a [Slot], input: &Input) -> &'a super::Action {
    slots[input.slot as usize].action.as_ref().expect("inputs are listed from live actions")
}

#[inline(always)]
fn clip<'a>(slots: &'a [Slot], input: &Input) -> &'a Clip {
    &action(slots, input).clip
}

struct Blend<'a> {
    slots: &'a [Slot],
    inputs: &'a [Input],
    segments: &'a [Segment],
    rest: &'a [JointGroup],
    rest_weight: f32,
    rest_threshold: f32,
}

impl Blend<'_> {
    /// Adds clip after clip to the pose, and the rest pose if it has a share. The first replaces what was there,
    /// the last brings rotations back to length one.
    #[inline(always)]
    fn groups<S: Simd>(&self, simd: S, groups: &mut [JointGroup]) {
        let [first, others @ ..] = self.inputs else { return };
        self.walk(simd, first, First { share: first.weight, groups });
        let has_rest = self.rest_weight > 0.0;
        // One loop for all of them, so that the kernel is compiled once.
        for (index, input) in others.iter().enumerate() {
            let is_last = !has_rest && index + 1 == others.len();
            self.walk(simd, input, Next { share: input.weight, is_last, groups });
        }
        if has_rest {
            let mut next = Next { share: self.rest_weight, is_last: true, groups };
            for (index, rest) in self.rest.iter().enumerate() {
                next.visit(index, Sampled::load(simd, rest));
            }
        }
    }

    /// The same where shares differ from joint to joint.
    #[inline(always)]
    fn masked_groups<S: Simd>(&self, simd: S, groups: &mut [JointGroup]) {
        for (index, input) in self.inputs.iter().enumerate() {
            self.walk(simd, input, Masked { blend: self, input, is_first: index == 0, groups });
        }
        for (index, rest) in self.rest.iter().enumerate() {
            let shares = self.shares(simd, None, index);
            let mut sum = Sampled::load(simd, &groups[index]);
            add_masked(simd, &mut sum, Sampled::load(simd, rest), shares.own);
            let rotation = sum.rotation;
            normalize(simd, &mut sum.rotation);
            // What has a joint to itself comes through as it is.
            for (normal, raw) in sum.rotation.iter_mut().zip(rotation) {
                *normal = shares.is_alone.select(raw, *normal);
            }
            sum.store(&mut groups[index]);
        }
    }

    #[inline(always)]
    fn walk<S: Simd>(&self, simd: S, input: &Input, visitor: impl Visitor<S>) {
        let segments = &self.segments[input.first_segment as usize..];
        walk(simd, clip(self.slots, input).rows(), segments, visitor);
    }

    /// The share of an input, or of the rest pose, in each joint of a group; they add up to one.
    #[inline(always)]
    fn shares<S: Simd>(&self, simd: S, input: Option<&Input>, group: usize) -> Shares<S> {
        let zero = f32x8::splat(simd, 0.0);
        let one = f32x8::splat(simd, 1.0);
        let (mut total, mut count) = (zero, zero);
        for input in self.inputs {
            let weight = self.masked_weight(simd, input, group);
            total += weight;
            count += weight.simd_gt(zero).select(one, zero);
        }
        let threshold = f32x8::splat(simd, self.rest_threshold);
        let whole = total.simd_gt(threshold).select(total, threshold);
        // Where nothing moves a joint at all, the rest pose is the whole of it.
        let whole = whole.simd_gt(zero).select(whole, one);
        let of_rest = (whole - total) / whole;
        count += of_rest.simd_gt(zero).select(one, zero);
        let own = match input {
            Some(input) => self.masked_weight(simd, input, group) / whole,
            None => of_rest,
        };
        Shares { own, is_alone: count.simd_eq(one) }
    }

    #[inline(always)]
    fn masked_weight<S: Simd>(&self, simd: S, input: &Input, group: usize) -> f32x8<S> {
        let weight = f32x8::splat(simd, input.weight);
        match &action(self.slots, input).mask {
            Some(mask) => load::<S, 1>(simd, &mask.groups, group)[0] * weight,
            None => weight,
        }
    }

    /// Morph weights add up with the same weights as the joints.
    fn morphs(&self, is_masked: bool, rest: &[f32], out: &mut [f32]) {
        // What changes nothing that is added to it, not even the sign of zero.
        out.fill(-0.0);
        let sets = clip(self.slots, &self.inputs[0]).rows().morphs.iter();
        for (set, range) in sets.map(|morph| morph.weights.clone()).enumerate() {
            let weight = |input: &Input| match &action(self.slots, input).mask {
                Some(mask) => input.weight * mask.morphs[set],
                None => input.weight,
            };
            let (whole, rest_weight) = if is_masked {
                let sum: f32 = self.inputs.iter().map(weight).sum();
                let whole = sum.max(self.rest_threshold);
                if whole > 0.0 { (whole, (whole - sum) / whole) } else { (1.0, 1.0) }
            } else {
                (1.0, self.rest_weight)
            };
            let out = &mut out[range.clone()];
            for input in self.inputs {
                let share = weight(input) / whole;
                if share > 0.0 {
                    clip(self.slots, input).rows().morphs[set].accumulate(input.secs, share, out);
                }
            }
            if rest_weight > 0.0 {
                for (out, rest) in out.iter_mut().zip(&rest[range]) {
                    *out += rest * rest_weight;
                }
            }
        }
    }
}

/// What part of each joint of a group something is.
struct Shares<S: Simd> {
    own: f32x8<S>,
    /// Where one thing is the whole, whichever it is.
    is_alone: mask32x8<S>,
}

/// Starts the sum.
struct First<'a> {
    share: f32,
    groups: &'a mut [JointGroup],
}

impl<S: Simd> Visitor<S> for First<'_> {
    #[inline(always)]
    fn visit(&mut self, group: usize, sampled: Sampled<S>) {
        let Sampled { mut translation, mut rotation, mut scale } = sampled;
        for i in 0..3 {
            translation[i] *= self.share;
            scale[i] *= self.share;
        }
        for part in &mut rotation {
            *part *= self.share;
        }
        Sampled { translation, rotation, scale }.store(&mut self.groups[group]);
    }
}

/// Adds to the sum, and finishes it with the last share.
struct Next<'a> {
    share: f32,
    is_last: bool,
    groups: &'a mut [JointGroup],
}

impl<S: Simd> Visitor<S> for Next<'_> {
    #[inline(always)]
    fn visit(&mut self, group: usize, sampled: Sampled<S>) {
        let simd = sampled.rotation[0].token();
        let out = &mut self.groups[group];
        let mut sum = Sampled::load(simd, out);
        let share = f32x8::splat(simd, self.share);
        add(simd, &mut sum, sampled, share);
        if self.is_last {
            normalize(simd, &mut sum.rotation);
        }
        sum.store(out);
    }
}

/// Starts the sum or adds to it where masks let it.
struct Masked<'a, 'b> {
    blend: &'a Blend<'b>,
    input: &'a Input,
    is_first: bool,
    groups: &'a mut [JointGroup],
}

impl<S: Simd> Visitor<S> for Masked<'_, '_> {
    const IS_COMMON: bool = false;

    #[inline(always)]
    fn visit(&mut self, group: usize, sampled: Sampled<S>) {
        let simd = sampled.rotation[0].token();
        let share = self.blend.shares(simd, Some(self.input), group).own;
        let out = &mut self.groups[group];
        let mut sum = if self.is_first {
            // What changes nothing that is added to it, not even the sign of zero.
            let nothing = f32x8::splat(simd, -0.0);
            Sampled { translation: [nothing; 3], rotation: [nothing; 4], scale: [nothing; 3] }
        } else {
            Sampled::load(simd, out)
        };
        add_masked(simd, &mut sum, sampled, share);
        sum.store(out);
    }
}

/// Adds a share of transforms, rotations on the side of the sum.
#[inline(always)]
fn add<S: Simd>(simd: S, sum: &mut Sampled<S>, sampled: Sampled<S>, share: f32x8<S>) {
    // A quaternion and its opposite are the same rotation: take the one on the sum's side.
    let side = dot(sum.rotation, sampled.rotation);
    let signed = side.simd_lt(f32x8::splat(simd, 0.0)).select(-share, share);
    for i in 0..3 {
        sum.translation[i] += sampled.translation[i] * share;
        sum.scale[i] += sampled.scale[i] * share;
    }
    for i in 0..4 {
        sum.rotation[i] += sampled.rotation[i] * signed;
    }
}

/// Adds where the share is more than nothing, and leaves the other joints as they are, bit for bit.
#[inline(always)]
fn add_masked<S: Simd>(simd: S, sum: &mut Sampled<S>, sampled: Sampled<S>, share: f32x8<S>) {
    let before = *sum;
    add(simd, sum, sampled, share);
    let moves = share.simd_gt(f32x8::splat(simd, 0.0));
    for i in 0..3 {
        sum.translation[i] = moves.select(sum.translation[i], before.translation[i]);
        sum.scale[i] = moves.select(sum.scale[i], before.scale[i]);
    }
    for i in 0..4 {
        sum.rotation[i] = moves.select(sum.rotation[i], before.rotation[i]);
    }
}

/// Brings summed rotations back to length one. Shares add up to one, so nothing else needs it; and adding on the sum's
/// side never makes it shorter: it is at least as long as the largest share.
#[inline(always)]
fn normalize<S: Simd>(simd: S, rotation: &mut [f32x8<S>; 4]) {
    let length = dot(*rotation, *rotation).sqrt();
    let factor = f32x8::splat(simd, 1.0) / length;
    for part in rotation {
        *part *= factor;
    }
}
