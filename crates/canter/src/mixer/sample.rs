//! From what plays to the list of weighted clips that is blended.

use std::cmp::Ordering;
use std::sync::Arc;

use fearless_simd::Level;

use super::blend::{self, Input, Manner};
use super::shares::Shares;
use super::{JointMask, Mixer, Slot};
use crate::clip::Clip;
use crate::pose::Pose;

/// Few actions play at a time: for so many, one less for the rest pose, the list needs no memory.
const INPUTS_ON_STACK: usize = 3;

/// Working memory, kept so that a frame does not allocate. Means nothing from one frame to the next.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub(super) inputs: Vec<Input<'static>>,
    pub(super) blend: blend::Scratch,
}

impl Scratch {
    pub(super) fn memory_bytes(&self) -> usize {
        self.inputs.capacity() * size_of::<Input<'static>>() + self.blend.memory_bytes()
    }
}

impl Mixer {
    /// Writes the blended pose of all actions.
    ///
    /// # Panics
    /// If the pose was made for a skeleton of another size.
    pub fn sample(&mut self, pose: &mut Pose) {
        self.sample_at(Level::new(), pose);
    }

    #[cfg_attr(canter_web, optimize(speed), inline(never))]
    pub(crate) fn sample_at(&mut self, level: Level, pose: &mut Pose) {
        pose.assert_fits(&self.skeleton);
        let shares = self.shares();
        let stride = self.sides_stride();
        let Self { skeleton, slots, sides, scratch, is_settled, .. } = self;
        let mut few: [Input<'_>; INPUTS_ON_STACK] = std::array::from_fn(|_| Input::empty());
        let mut many = Vec::new();
        let inputs = if slots.len() < INPUTS_ON_STACK {
            &mut few[..]
        } else {
            many = std::mem::take(&mut scratch.inputs);
            many.resize_with(slots.len() + 1, Input::empty);
            &mut many[..]
        };
        let count = collect(slots, &shares, sides, stride, inputs);
        let manner = Manner { is_fading: !*is_settled, cover: shares.cover };
        blend::blend(level, skeleton, &mut inputs[..count], manner, &mut scratch.blend, pose);
        if !many.is_empty() {
            scratch.inputs = recycled(many);
        }
    }

    /// Bytes of [`Mixer::sides`] for each slot.
    pub(super) fn sides_stride(&self) -> usize {
        1 + self.skeleton.rest_pose().groups.len()
    }

    /// The next pose decides anew on which side the rotations of an action lie.
    pub(super) fn forget_sides(&mut self, slot: usize) {
        let stride = self.sides_stride();
        self.sides[(1 + slot) * stride] = 0;
    }

    /// Keeps sides where they are while the clip jumps from its last key to its first.
    pub(super) fn turn_sides(&mut self, slot: usize, clip: &Clip) {
        let stride = self.sides_stride();
        let sides = &mut self.sides[(1 + slot) * stride + 1..];
        for (side, turn) in sides.iter_mut().zip(&clip.rows().opposite_ends) {
            *side ^= turn;
        }
    }

    /// Makes room now, so that no frame has to.
    pub(super) fn reserve(&mut self) {
        // Looped, finished and faded out in one step are the most that can happen to an action.
        let events = 3 * self.slots.len();
        if self.events.capacity() < events {
            let mut list = Vec::with_capacity(events);
            list.extend_from_slice(&self.events);
            self.events = Arc::new(list);
        }
        self.sides.resize((1 + self.slots.len()) * self.sides_stride(), 0);
        if self.slots.len() >= INPUTS_ON_STACK {
            let inputs = &mut self.scratch.inputs;
            inputs.reserve((1 + self.slots.len()).saturating_sub(inputs.len()));
        }
        let actions = self.slots.iter().filter_map(|slot| slot.action.as_ref());
        let timelines: usize = actions.clone().map(|action| action.clip.rows().timelines.len()).sum();
        let is_masked = actions.clone().any(|action| action.mask.is_some());
        let groups = if is_masked { self.skeleton.rest_pose().groups.len() } else { 0 };
        self.scratch.blend.reserve(timelines, groups);
    }
}

/// Lists what has a share, in an order that does not depend on when it was started; returns how many these
/// are.
#[inline(always)]
fn collect<'a>(
    slots: &'a [Slot],
    shares: &Shares,
    sides: &'a mut [u8],
    stride: usize,
    inputs: &mut [Input<'a>],
) -> usize {
    let (rest_sides, sides) = sides.split_at_mut(stride);
    let (mut count, mut first_segment, mut is_masked) = (0, 0, false);
    for (slot, sides) in slots.iter().zip(sides.chunks_exact_mut(stride)) {
        let Some(action) = &slot.action else { continue };
        let share = shares.of(action);
        if share <= 0.0 {
            sides[0] = 0;
            continue;
        }
        let (clip, mask) = (&*action.clip, action.mask.as_deref());
        let (secs, level) = (action.time_secs(), action.fader.level());
        inputs[count] = Input { clip: Some(clip), secs, share, mask, level, sides, first_segment };
        #[expect(clippy::cast_possible_truncation, reason = "timelines are counted in u32")]
        let timelines = clip.rows().timelines.len() as u32;
        (count, first_segment) = (count + 1, first_segment + timelines);
        is_masked |= mask.is_some();
    }
    if shares.rest > 0.0 {
        inputs[count] = Input { share: shares.rest, sides: rest_sides, ..Input::empty() };
        count += 1;
    } else {
        rest_sides[0] = 0;
    }
    let inputs = &mut inputs[..count];
    if shares.is_settled && is_masked {
        // Weights as they were given: joints outside of a mask get what they would get without that action,
        // to the bit.
        let playing = slots.iter().filter_map(|slot| slot.action.as_ref()).filter(|a| shares.of(a) > 0.0);
        inputs.iter_mut().zip(playing).for_each(|(input, action)| input.share = action.weight);
    }
    match inputs {
        [a, b] => {
            if strongest_first(a, b) == Ordering::Greater {
                std::mem::swap(a, b);
            }
        }
        inputs => inputs.sort_unstable_by(strongest_first),
    }
    count
}

/// Those whose sides are known first, then by share; between equal ones by what is in the clip, where it is,
/// and what it moves. What is still equal adds the same in any order.
#[inline]
fn strongest_first(a: &Input<'_>, b: &Input<'_>) -> Ordering {
    let content = |input: &Input<'_>| input.clip.map(Clip::fingerprint);
    b.sides[0]
        .cmp(&a.sides[0])
        .then_with(|| b.share.total_cmp(&a.share))
        .then_with(|| content(a).cmp(&content(b)))
        .then_with(|| a.secs.total_cmp(&b.secs))
        .then_with(|| JointMask::order(a.mask, b.mask))
}

/// The memory of a list for things that borrow from elsewhere. (Collecting from a vector's own iterator into
/// elements of the same size takes over its memory; a test counts allocations.)
fn recycled<'b>(mut inputs: Vec<Input<'_>>) -> Vec<Input<'b>> {
    inputs.clear();
    inputs.into_iter().map(|_| unreachable!("it was cleared")).collect()
}
