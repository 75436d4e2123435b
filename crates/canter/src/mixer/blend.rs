//! Blends poses, eight joints at a time: a function of a list of weighted clips.
//!
//! The shares of a joint add up to one. Where nothing that takes part moves or scales joints, and that is the rule for most
//! of them, their translations and scales are those of the rest pose, to the bit, as are the rotations of nodes behind all that
//! is moved.
//!
//! Rotations are summed as quaternions and normalised. A quaternion and its opposite are the same rotation, so each is added on one *side*: what is new takes the side of the sum
//! so far, which is the shorter way; what was there before keeps its side while anything fades, so that
//! nothing swings round when two rotations pass half a turn from each other. When nothing fades, it changes
//! sides where the other way has become shorter by far, which is looked at now and then.
//!
//! Inputs are taken in an order that does not depend on when they were started: those that have a side first,
//! then strongest first, so that a faint one never decides on which side a strong one lies.

mod pair;

use fearless_simd::{Level, Simd, f32x8, mask32x8, prelude::*};

use super::JointMask;
use crate::clip::Clip;
use crate::clip::interpolate::{self, Visitor, walk, walk_if_plain};
use crate::clip::rows::Segment;
use crate::kernel::{dispatch, has_own_kernel};
use crate::pose::lanes::{TransformLanes, dot, load, load_all, normalize, select, store};
use crate::pose::{JointGroup, Lanes, Pose};
use crate::skeleton::Skeleton;

/// Clips of one timeline each are the rule: for so many of them no memory is needed.
pub(super) const SEGMENTS_ON_STACK: usize = 2;

/// How far beyond half a turn two rotations have to be before one changes sides: the cosine of half of 240
/// degrees.
const CHANGES_SIDES: f32 = 0.5;
const FRAMES_BETWEEN_LOOKS: u32 = 16;

/// A clip, or the rest pose, that takes part.
#[derive(Debug)]
pub(crate) struct Input<'a> {
    /// `None` for the rest pose.
    pub(crate) clip: Option<&'a Clip>,
    pub(crate) secs: f32,
    /// Its part of the whole. All add up to one; where there are masks, joint by joint, they are made to.
    pub(crate) share: f32,
    /// Which joints it moves; `None` for all.
    pub(crate) mask: Option<&'a JointMask>,
    /// How far it is faded in by itself: where masks leave a joint to it alone, the rest pose is the
    /// remainder.
    pub(crate) level: f32,
    /// First whether the others are known, then a bit per joint: set where its rotation is added as its
    /// opposite.
    pub(crate) sides: &'a mut [u8],
    /// Where its places on its clip's timelines begin.
    pub(crate) first_segment: u32,
}

impl Input<'_> {
    pub(crate) fn empty() -> Self {
        Self { clip: None, secs: 0.0, share: 0.0, mask: None, level: 0.0, sides: &mut [], first_segment: 0 }
    }
}

/// How inputs are blended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// Whether rotations stay on the side on which they began to turn.
    pub(crate) is_fading: bool,
    /// What is animated of a joint, if all inputs that move it are fully there.
    pub(crate) cover: f32,
    /// Whether any of them has a mask.
    pub(crate) is_masked: bool,
    /// How many timelines their clips have.
    pub(crate) timelines: usize,
}

/// Working memory of a blend.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Only grown for many actions.
    pub(crate) inputs: Vec<Input<'static>>,
    /// Only grown for clips whose tracks have many different key times.
    segments: Vec<Segment>,
    /// Only grown where there are masks.
    sums: Vec<MaskSums>,
}

/// What the masks of all inputs leave for the joints of a group.
#[derive(Clone, Copy, Debug, Default)]
struct MaskSums {
    /// The sum of all shares times masks.
    share: Lanes,
    /// What part of the joint is animated; the rest pose is the remainder.
    cover: Lanes,
    /// A bit for each joint that one input, or the rest pose, has to itself.
    is_alone: u8,
}

impl Scratch {
    /// Makes room, if any is needed.
    #[inline]
    pub(crate) fn reserve(scratch: &mut Option<Box<Self>>, timelines: usize, masked_groups: usize) {
        if timelines > SEGMENTS_ON_STACK || masked_groups > 0 {
            scratch.get_or_insert_default().grow(timelines, masked_groups);
        }
    }

    fn grow(&mut self, timelines: usize, masked_groups: usize) {
        if timelines > self.segments.len() {
            self.segments.resize(timelines, Segment::EMPTY);
        }
        if masked_groups > self.sums.len() {
            self.sums.resize(masked_groups, MaskSums::default());
        }
    }

    /// Room for the places on a clip's timelines; `few` is enough for most clips.
    pub(crate) fn segments<'s>(
        scratch: &'s mut Option<Box<Self>>,
        clip: &Clip,
        few: &'s mut [Segment; SEGMENTS_ON_STACK],
    ) -> &'s mut [Segment] {
        let count = clip.rows().timelines.len();
        if count <= SEGMENTS_ON_STACK {
            return &mut few[..count];
        }
        Self::reserve(scratch, count, 0);
        &mut scratch.get_or_insert_default().segments[..count]
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.inputs.capacity() * size_of::<Input<'static>>()
            + self.segments.capacity() * size_of::<Segment>()
            + self.sums.capacity() * size_of::<MaskSums>()
    }
}

/// Writes the pose of all inputs together, each with its share.
#[cfg_attr(canter_web, optimize(speed), inline(never))]
pub(crate) fn blend(
    level: Level,
    skeleton: &Skeleton,
    inputs: &mut [Input<'_>],
    manner: Manner,
    scratch: &mut Option<Box<Scratch>>,
    pose: &mut Pose,
) {
    let Manner { is_masked, timelines: segment_count, .. } = manner;
    let rest = skeleton.rest_pose();
    Scratch::reserve(scratch, segment_count, if is_masked { rest.groups.len() } else { 0 });
    let (many, sums) = match scratch {
        Some(scratch) => (&mut scratch.segments[..], &mut scratch.sums[..]),
        None => (&mut [][..], &mut [][..]),
    };
    let mut few = [Segment::EMPTY; SEGMENTS_ON_STACK];
    let segments = match few.get_mut(..segment_count) {
        Some(segments) => segments,
        None => &mut many[..segment_count],
    };
    match inputs {
        [Input { clip: Some(clip), secs, .. }] if !is_masked => {
            return interpolate::sample(level, clip, *secs, segments, pose);
        }
        [] | [Input { clip: None, .. }] => return pose.reset(skeleton),
        _ => {}
    }
    for input in &*inputs {
        if let Some(clip) = input.clip {
            clip.rows().locate(input.secs, &mut segments[input.first_segment as usize..]);
        }
    }
    let (mut resting_from, mut idle_from) = (0, 0);
    for clip in inputs.iter().filter_map(|input| input.clip) {
        let [resting, idle] = clip.at_rest_from(rest);
        (resting_from, idle_from) = (resting_from.max(resting), idle_from.max(idle));
    }
    let sources = Sources { segments, rest: &rest.groups, resting_from, idle_from, manner };
    if is_masked {
        let sums = &mut sums[..rest.groups.len()];
        dispatch!(level, simd => sources.masked_groups(simd, inputs, sums, &mut pose.groups));
    } else if !dispatch!(level, simd => sources.pair(simd, inputs, &mut pose.groups)) {
        dispatch!(level, simd => sources.groups(simd, inputs, &mut pose.groups));
    }
    if !pose.morph_weights.is_empty() {
        for (set, weights) in skeleton.morphs().map(|morph| rest.morph_range(morph.index())).enumerate() {
            let rest = &rest.morph_weights[weights.clone()];
            let cover = is_masked.then_some(manner.cover);
            blend_morphs(set, inputs, cover, rest, &mut pose.morph_weights[weights]);
        }
    }
}

/// Where the poses of inputs come from.
struct Sources<'a> {
    segments: &'a [Segment],
    rest: &'a [JointGroup],
    /// From this group on nothing but rotations is of interest.
    resting_from: usize,
    /// And from this one on nothing is.
    idle_from: usize,
    manner: Manner,
}

impl Sources<'_> {
    /// Adds input after input to the pose. The first replaces what was there, the last brings rotations back
    /// to length one.
    #[inline(always)]
    fn groups<S: Simd>(&self, simd: S, inputs: &mut [Input<'_>], groups: &mut [JointGroup]) {
        let last = inputs.len() - 1;
        let mut sum = 0.0;
        // One loop for all of them, so that the kernel is compiled once.
        for (index, input) in inputs.iter_mut().enumerate() {
            let is_first = index == 0;
            let bias = if is_first { None } else { self.bias(input, sum) };
            let source = (input.clip, input.first_segment);
            let (share, sides) = (input.share, known(input.sides));
            sum += share;
            // On the web a kernel less counts more than that nothing is added to the first.
            if is_first && has_own_kernel(false) {
                // Hardly ever is there one: it was added to something else before, on the other side.
                let has_sides = sides.iter().any(|sides| *sides != 0);
                let sides = if has_sides { sides } else { &mut [] };
                self.walk(simd, source, First { share, sides, groups });
                continue;
            }
            let is_first = is_first && !has_own_kernel(false);
            let next = Next { share, sides, is_first, is_last: index == last, groups };
            let left = if bias.is_none() { self.walk_common(simd, source, next) } else { Some(next) };
            if let Some(next) = left {
                // Once, when it is new: by way of a kernel that everything rare shares.
                self.walk(simd, source, Deciding { next, bias });
            }
        }
        self.rest_groups(simd, groups);
    }

    /// Adds two clips in one pass, if that is what there is and both took part before; else does nothing and returns
    /// `false`.
    #[inline(always)]
    fn pair<S: Simd>(&self, simd: S, inputs: &mut [Input<'_>], groups: &mut [JointGroup]) -> bool {
        // Where registers are narrower, its sums do not fit into them.
        if const { !has_own_kernel(false) || S::f32s::LEN < 8 } {
            return false;
        }
        let [first, second] = inputs else { return false };
        // The first hardly ever has one: it was added to something else before, on the other side.
        let has_sides = first.sides[1..].iter().fold(0, |all, sides| all | sides) != 0;
        if first.sides[0] == 0 || second.sides[0] == 0 || has_sides {
            return false;
        }
        let bias = self.bias(second, first.share);
        let moved = self.idle_from.min(groups.len());
        let is_done = pair::blend_pair(
            simd,
            (first, second, bias),
            self.segments,
            self.resting_from,
            &mut groups[..moved],
        );
        if is_done {
            self.rest_groups(simd, groups);
        }
        is_done
    }

    /// The same where shares differ from joint to joint. The rest pose is added wherever the masks leave a
    /// gap.
    #[inline(always)]
    fn masked_groups<S: Simd>(
        &self,
        simd: S,
        inputs: &mut [Input<'_>],
        sums: &mut [MaskSums],
        groups: &mut [JointGroup],
    ) {
        for (group, sums) in sums.iter_mut().enumerate() {
            *sums = mask_sums(simd, inputs, self.manner.cover, group);
        }
        // What changes nothing that is added to it, not even the sign of zero.
        groups.fill(JointGroup::NEGATIVE_ZERO);
        let mut sum = 0.0;
        let mut rest_sides: &mut [u8] = &mut [];
        for input in inputs {
            let Some(clip) = input.clip else {
                rest_sides = &mut *input.sides;
                continue;
            };
            let bias = self.bias(input, sum);
            let (share, mask, sides) = (input.share, input.mask, known(input.sides));
            let source = (Some(clip), input.first_segment);
            self.walk(simd, source, Masked { share, mask, bias, sides, sums, groups });
            sum += share;
        }
        rest_sides.iter_mut().take(1).for_each(|is_known| *is_known = 0);
        for (group, sums) in sums.iter().enumerate() {
            finish_masked(simd, sums, &self.rest[group], &mut groups[group]);
        }
        self.rest_groups(simd, groups);
    }

    /// Copies what nothing moves from the rest pose.
    // With wide registers: what is stored by halves cannot be loaded as a whole soon after.
    #[inline(always)]
    fn rest_groups<S: Simd>(&self, simd: S, groups: &mut [JointGroup]) {
        for (out, rest) in groups.iter_mut().zip(self.rest).skip(self.resting_from) {
            store(load_all(simd, &rest.translation), &mut out.translation);
            store(load_all(simd, &rest.scale), &mut out.scale);
        }
        for (out, rest) in groups.iter_mut().zip(self.rest).skip(self.idle_from) {
            store(load_all(simd, &rest.rotation), &mut out.rotation);
        }
    }

    /// How far on the other side a rotation must lie to change sides, beside a sum of these shares; `None` if
    /// it keeps its side.
    #[inline(always)]
    fn bias(&self, input: &Input<'_>, sum: f32) -> Option<f32> {
        if input.sides[0] == 0 {
            return Some(0.0);
        }
        // In one of so many frames, by the bits of the time: the same time always gives the same pose.
        let is_looked_at = input.secs.to_bits().is_multiple_of(FRAMES_BETWEEN_LOOKS);
        (!self.manner.is_fading && is_looked_at).then_some(CHANGES_SIDES * sum)
    }

    /// Walks with a kernel of the visitor's own; returns the visitor if it has none for this source.
    #[inline(always)]
    fn walk_common<S: Simd, V: Visitor<S>>(
        &self,
        simd: S,
        source: (Option<&Clip>, u32),
        visitor: V,
    ) -> Option<V> {
        if has_own_kernel(false) {
            self.walk(simd, source, visitor);
            return None;
        }
        let segments = &self.segments[source.1 as usize..];
        walk_if_plain(simd, source.0.map(|clip| clip.rows()), segments, visitor)
    }

    #[inline(always)]
    fn walk<S: Simd>(&self, simd: S, (clip, segment): (Option<&Clip>, u32), visitor: impl Visitor<S>) {
        let segments = &self.segments[segment as usize..];
        walk(simd, clip.map(|clip| clip.rows()), segments, self.rest, visitor);
    }
}

/// The sides of an input's joints, which are known from now on.
#[inline(always)]
fn known(sides: &mut [u8]) -> &mut [u8] {
    let (is_known, sides) = sides.split_first_mut().expect("sides begin with whether they are known");
    if *is_known == 0 {
        // What was there is of another time; nothing leans to it.
        *is_known = 1;
        sides.fill(0);
    }
    sides
}

/// Starts the sum.
struct First<'a> {
    share: f32,
    /// Empty if there are none.
    sides: &'a mut [u8],
    groups: &'a mut [JointGroup],
}

impl<S: Simd> Visitor<S> for First<'_> {
    #[inline(always)]
    fn visit(&mut self, group: usize, mut sampled: TransformLanes<S>) {
        let simd = sampled.rotation[0].token();
        let share = f32x8::splat(simd, self.share);
        let mut signed = share;
        if let Some(side) = self.sides.get(group) {
            signed = mask32x8::from_bitmask(simd, u64::from(*side)).select(-share, share);
        }
        for i in 0..3 {
            sampled.translation[i] *= share;
            sampled.scale[i] *= share;
        }
        for part in &mut sampled.rotation {
            *part *= signed;
        }
        sampled.store(&mut self.groups[group]);
    }
}

/// Adds to the sum, and finishes it with the last share.
struct Next<'a> {
    share: f32,
    sides: &'a mut [u8],
    /// Whether there is no sum yet.
    is_first: bool,
    is_last: bool,
    groups: &'a mut [JointGroup],
}

impl<S: Simd> Visitor<S> for Next<'_> {
    #[inline(always)]
    fn visit(&mut self, group: usize, sampled: TransformLanes<S>) {
        let simd = sampled.rotation[0].token();
        let out = &mut self.groups[group];
        // What changes nothing that is added to it, not even the sign of zero.
        let nothing = &JointGroup::NEGATIVE_ZERO;
        let mut sum = TransformLanes::load(simd, if self.is_first { nothing } else { out });
        let share = f32x8::splat(simd, self.share);
        let opposite = mask32x8::from_bitmask(simd, u64::from(self.sides[group]));
        add(&mut sum, &sampled, share, opposite.select(-share, share));
        if self.is_last {
            normalize(simd, &mut sum.rotation);
        }
        sum.store(out);
    }
}

/// Decides on which side rotations are added, then adds them.
struct Deciding<'a> {
    next: Next<'a>,
    bias: Option<f32>,
}

impl<S: Simd> Visitor<S> for Deciding<'_> {
    const IS_COMMON: bool = false;

    #[inline(always)]
    fn visit(&mut self, group: usize, sampled: TransformLanes<S>) {
        if let Some(bias) = self.bias {
            let sum = load_all(sampled.rotation[0].token(), &self.next.groups[group].rotation);
            decide(sum, sampled.rotation, bias, &mut self.next.sides[group]);
        }
        self.next.visit(group, sampled);
    }
}

/// Puts rotations on the side of the sum, unless `bias` holds them where they were.
#[inline(always)]
fn decide<S: Simd>(sum: [f32x8<S>; 4], sampled: [f32x8<S>; 4], bias: f32, sides: &mut u8) {
    let simd = sampled[0].token();
    let bias = f32x8::splat(simd, bias);
    let limit = mask32x8::from_bitmask(simd, u64::from(*sides)).select(bias, -bias);
    let opposite = dot(sum, sampled).simd_lt(limit);
    #[expect(clippy::cast_possible_truncation, reason = "eight lanes are eight bits")]
    let bits = opposite.to_bitmask() as u8;
    *sides = bits;
}

/// Adds a share of transforms; `signed` is the share with the side of each rotation.
#[inline(always)]
fn add<S: Simd>(sum: &mut TransformLanes<S>, sampled: &TransformLanes<S>, share: f32x8<S>, signed: f32x8<S>) {
    for i in 0..3 {
        sum.translation[i] += sampled.translation[i] * share;
        sum.scale[i] += sampled.scale[i] * share;
    }
    for i in 0..4 {
        sum.rotation[i] += sampled.rotation[i] * signed;
    }
}

#[inline(always)]
fn mask_sums<S: Simd>(simd: S, inputs: &[Input<'_>], cover: f32, group: usize) -> MaskSums {
    let (zero, one) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0));
    let (mut share, mut level, mut count) = (zero, zero, zero);
    for input in inputs {
        if input.clip.is_some() {
            let mask = mask_weights(simd, input.mask, group);
            let moves = mask.simd_gt(zero);
            share += mask * input.share;
            level += moves.select(f32x8::splat(simd, input.level), zero);
            count += moves.select(one, zero);
        }
    }
    let cover = level.simd_gt(one).select(one, level) * cover;
    let cover = cover.simd_gt(one).select(one, cover);
    let cover = share.simd_gt(zero).select(cover, zero);
    count += cover.simd_lt(one).select(one, zero);
    #[expect(clippy::cast_possible_truncation, reason = "eight lanes are eight bits")]
    let is_alone = count.simd_eq(one).to_bitmask() as u8;
    MaskSums { share: Lanes(*share), cover: Lanes(*cover), is_alone }
}

/// The weights of the joints of a group.
#[inline(always)]
pub(super) fn mask_weights<S: Simd>(simd: S, mask: Option<&JointMask>, group: usize) -> f32x8<S> {
    match mask {
        Some(mask) => load::<S, 1>(simd, &mask.groups, group)[0],
        None => f32x8::splat(simd, 1.0),
    }
}

/// Adds to the sum where masks let it.
struct Masked<'a> {
    share: f32,
    mask: Option<&'a JointMask>,
    bias: Option<f32>,
    sides: &'a mut [u8],
    sums: &'a [MaskSums],
    groups: &'a mut [JointGroup],
}

impl<S: Simd> Visitor<S> for Masked<'_> {
    const IS_COMMON: bool = false;

    #[inline(always)]
    fn visit(&mut self, group: usize, sampled: TransformLanes<S>) {
        let simd = sampled.rotation[0].token();
        let zero = f32x8::splat(simd, 0.0);
        let own = mask_weights(simd, self.mask, group) * self.share;
        let sums = &self.sums[group];
        let cover = f32x8::simd_from(simd, sums.cover.0);
        let moves = own.simd_gt(zero);
        let share = moves.select(own / f32x8::simd_from(simd, sums.share.0) * cover, zero);
        let out = &mut self.groups[group];
        let before = TransformLanes::load(simd, out);
        let mut sum = before;
        if let Some(bias) = self.bias {
            decide(sum.rotation, sampled.rotation, bias, &mut self.sides[group]);
        }
        let opposite = mask32x8::from_bitmask(simd, u64::from(self.sides[group]));
        add(&mut sum, &sampled, share, opposite.select(-share, share));
        // What it does not move stays as it is, bit for bit.
        let mut kept = before;
        select(moves, sum.translation, &mut kept.translation);
        select(moves, sum.rotation, &mut kept.rotation);
        select(moves, sum.scale, &mut kept.scale);
        kept.store(out);
    }
}

/// Adds the rest pose where the masks leave a gap, and brings rotations back to length one.
#[inline(always)]
fn finish_masked<S: Simd>(simd: S, sums: &MaskSums, rest: &JointGroup, out: &mut JointGroup) {
    let (zero, one) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0));
    let cover = f32x8::simd_from(simd, sums.cover.0);
    let gap = one - cover;
    let animated = TransformLanes::load(simd, out);
    let mut sum = animated;
    let rest = TransformLanes::load(simd, rest);
    let opposite = dot(sum.rotation, rest.rotation).simd_lt(zero);
    add(&mut sum, &rest, gap, opposite.select(-gap, gap));
    let has_gap = gap.simd_gt(zero);
    let mut finished = animated;
    select(has_gap, sum.translation, &mut finished.translation);
    select(has_gap, sum.rotation, &mut finished.rotation);
    select(has_gap, sum.scale, &mut finished.scale);
    let raw = finished.rotation;
    normalize(simd, &mut finished.rotation);
    // What has a joint to itself comes through as it is.
    let is_alone = mask32x8::from_bitmask(simd, u64::from(sums.is_alone));
    select(is_alone, raw, &mut finished.rotation);
    finished.store(out);
}

/// Morph weights add up with the same shares as the joints.
fn blend_morphs(set: usize, inputs: &[Input<'_>], masked_cover: Option<f32>, rest: &[f32], out: &mut [f32]) {
    let mask = |input: &Input<'_>| input.mask.map_or(1.0, |mask| mask.morphs[set]);
    let mut animated = inputs.iter().filter(|input| input.clip.is_some());
    let (mut whole, mut gap) =
        (1.0, inputs.iter().find(|input| input.clip.is_none()).map_or(0.0, |r| r.share));
    let mut cover = 1.0;
    if let Some(most) = masked_cover {
        whole = animated.clone().map(|input| input.share * mask(input)).sum::<f32>();
        let covering = animated.clone().filter(|input| mask(input) > 0.0);
        let level = covering.map(|input| input.level).sum::<f32>();
        cover = if whole > 0.0 { (level.min(1.0) * most).min(1.0) } else { 0.0 };
        gap = 1.0 - cover;
    }
    // What changes nothing that is added to it, not even the sign of zero.
    out.fill(-0.0);
    for input in &mut animated {
        let share = input.share * mask(input);
        if share > 0.0
            && let Some(clip) = input.clip
        {
            clip.rows().morphs[set].accumulate(input.secs, share / whole * cover, out);
        }
    }
    if gap > 0.0 {
        for (out, rest) in out.iter_mut().zip(rest) {
            *out += rest * gap;
        }
    }
}
