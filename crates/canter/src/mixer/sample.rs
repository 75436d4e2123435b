//! From what plays to the list of weighted clips that is blended.

use std::cmp::Ordering;
use std::sync::Arc;

use fearless_simd::Level;

use super::actions::{Actions, Floor, Slot};
use super::blend::{self, Input, Manner, SEGMENTS_ON_STACK};
use super::fade::Fader;
use super::lay::Located;
use super::shares::Shares;
use super::{Action, JointMask, Mixer};
use crate::clip::Clip;
use crate::clip::rows::Segment;
use crate::clock::Clock;
use crate::kernel::has_own_kernel;
use crate::pose::{Lanes, Pose};
use crate::skeleton::Skeleton;

/// Few actions play at a time: for so many, one less for the rest pose, the list needs no memory.
const INPUTS_ON_STACK: usize = 3;

/// Working memory, kept so that a frame does not allocate. Means nothing from one frame to the next.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// For masks, many actions, and clips with many different key times only.
    pub(super) blend: Option<Box<blend::Scratch>>,
    /// For layers and transitions only.
    pub(super) layers: Option<Box<LayerScratch>>,
}

/// Working memory of layers and transitions.
#[derive(Debug)]
pub(super) struct LayerScratch {
    /// What a layer is by itself.
    pub(super) own: Pose,
    pub(super) ahead: Pose,
    /// How much of each joint the actions of a layer are, by their masks.
    pub(super) covers: Vec<Lanes>,
    /// What actions were before they were looked at ahead of time.
    pub(super) saved: Vec<(Clock, Fader)>,
}

impl Scratch {
    pub(super) fn memory_bytes(&self) -> usize {
        let layers = self.layers.as_ref().map_or(0, |layers| {
            size_of::<LayerScratch>()
                + layers.own.memory_bytes()
                + layers.ahead.memory_bytes()
                + layers.covers.capacity() * size_of::<Lanes>()
                + layers.saved.capacity() * size_of::<(Clock, Fader)>()
        });
        self.blend.as_ref().map_or(0, |blend| blend.memory_bytes()) + layers
    }

    /// That of layers, which is there from the first use on.
    pub(super) fn of_layers(&mut self, skeleton: &Skeleton) -> &mut LayerScratch {
        self.layers.get_or_insert_with(|| {
            Box::new(LayerScratch {
                own: Pose::rest(skeleton),
                ahead: Pose::rest(skeleton),
                covers: vec![Lanes::default(); skeleton.rest_pose().groups.len()],
                saved: Vec::new(),
            })
        })
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
        if self.is_plain() {
            self.base.blend(level, &self.skeleton, &mut self.scratch, pose);
        } else {
            self.sample_all(level, pose);
        }
    }

    /// The base, then layer after layer.
    #[inline(never)]
    fn sample_all(&mut self, level: Level, pose: &mut Pose) {
        self.aim_transitions();
        self.base.blend_and_lead(level, &self.skeleton, &mut self.scratch, pose);
        for layer in &mut self.layers {
            layer.lay(level, &self.skeleton, &mut self.scratch, pose);
        }
    }

    /// Makes room now, so that no frame has to.
    pub(super) fn reserve(&mut self) {
        self.is_bare = self.is_plain() && self.motion.is_none();
        self.reserve_traces();
        let Self { skeleton, base, layers, events, scratch, .. } = self;
        let all = || std::iter::once(&*base).chain(layers.iter().map(|layer| &layer.actions));
        let slots = || all().map(|actions| actions.slots.len());
        // Looped, finished and faded out in one step are the most that can happen to an action.
        events.reserve(3 * slots().sum::<usize>());
        let most_slots = slots().max().unwrap_or(0);
        if most_slots >= INPUTS_ON_STACK {
            let inputs = &mut scratch.blend.get_or_insert_default().inputs;
            inputs.reserve((1 + most_slots).saturating_sub(inputs.len()));
        }
        for actions in all() {
            let playing = actions.slots.iter().filter_map(|slot| slot.action.as_ref());
            let timelines: usize = playing.clone().map(|action| action.clip.rows().timelines.len()).sum();
            let is_masked = playing.clone().any(|action| action.mask.is_some());
            let groups = if is_masked { skeleton.rest_pose().groups.len() } else { 0 };
            blend::Scratch::reserve(&mut scratch.blend, timelines, groups);
        }
        let has_transitions = all().any(|actions| actions.transition.is_some());
        if has_transitions || !layers.is_empty() {
            let saved = &mut scratch.of_layers(skeleton).saved;
            saved.reserve((1 + most_slots).saturating_sub(saved.len()));
        }
    }
}

impl Actions {
    /// Writes what they are together: with the rest pose in the base, by themselves in a layer above.
    pub(super) fn blend(
        &mut self,
        level: Level,
        skeleton: &Skeleton,
        scratch: &mut Scratch,
        pose: &mut Pose,
    ) {
        let shares = self.shares();
        let mut few: [Input<'_>; INPUTS_ON_STACK] = std::array::from_fn(|_| Input::empty());
        let mut many = Vec::new();
        let inputs = if self.slots.len() < INPUTS_ON_STACK {
            &mut few[..]
        } else {
            many = std::mem::take(&mut scratch.blend.get_or_insert_default().inputs);
            many.resize_with(self.slots.len() + 1, Input::empty);
            &mut many[..]
        };
        let is_fading = !self.is_settled;
        let is_base = self.floor == Floor::Rest;
        let stride = 1 + skeleton.rest_pose().groups.len();
        let (inputs, timelines, is_masked) =
            collect(&self.slots, &shares, is_base, &mut self.sides, stride, inputs);
        let cover = if is_base { shares.cover } else { 1.0 };
        let manner = Manner { is_fading, cover, is_masked, timelines };
        blend::blend(level, skeleton, inputs, manner, &mut scratch.blend, pose);
        if !many.is_empty() {
            scratch.blend.get_or_insert_default().inputs = recycled(many);
        }
    }

    /// Writes what they are together, led from what was on screen if a fade does so.
    pub(super) fn blend_and_lead(
        &mut self,
        level: Level,
        skeleton: &Skeleton,
        scratch: &mut Scratch,
        pose: &mut Pose,
    ) {
        let shares = self.shares();
        // Mostly a single clip is led to, which is done while it is sampled, where size does not count more.
        let is_alone =
            |action: &&Action| action.mask.is_none() && shares.rest <= 0.0 && has_own_kernel(false);
        let alone = self.alone(&shares).filter(is_alone);
        let Some((clip, secs)) = alone
            .filter(|_| self.has_transition())
            .map(|action| (Arc::clone(&action.clip), action.time_secs()))
        else {
            self.blend(level, skeleton, scratch, pose);
            return self.follow_transition(level, None, pose);
        };
        let mut few = [Segment::EMPTY; SEGMENTS_ON_STACK];
        let located = Located::new(&clip, secs, skeleton, &mut scratch.blend, &mut few);
        for morph in &clip.rows().morphs {
            morph.sample(secs, &mut pose.morph_weights[morph.weights.clone()]);
        }
        self.follow_transition(level, Some(located), pose);
    }

    /// Leads from what was on screen to a clip, or to the pose that is there, if a fade does so.
    pub(super) fn follow_transition(&mut self, level: Level, clip: Option<Located<'_>>, pose: &mut Pose) {
        if let Some(transition) = &mut self.transition {
            transition.lead(level, clip, pose);
        }
    }
}

/// Lists what has a share, in an order that does not depend on when it was started; returns that, how many
/// timelines it has, and whether there are masks.
#[inline(always)]
fn collect<'a, 'i>(
    slots: &'a [Slot],
    shares: &Shares,
    is_base: bool,
    sides: &'a mut [u8],
    stride: usize,
    inputs: &'i mut [Input<'a>],
) -> (&'i mut [Input<'a>], usize, bool) {
    let (rest_sides, mut others) = sides.split_at_mut(stride);
    let (mut count, mut first_segment, mut is_masked) = (0, 0, false);
    for slot in slots {
        let (sides, behind) = others.split_at_mut(stride);
        others = behind;
        let Some(action) = &slot.action else { continue };
        let share = shares.of(action);
        if share <= 0.0 {
            sides[0] = 0;
            continue;
        }
        let (clip, mask) = (&*action.clip, action.mask.as_deref());
        let secs = action.time_secs();
        inputs[count] = Input { clip: Some(clip), secs, share, mask, level: 1.0, sides, first_segment };
        #[expect(clippy::cast_possible_truncation, reason = "timelines are counted in u32")]
        let timelines = clip.rows().timelines.len() as u32;
        (count, first_segment) = (count + 1, first_segment + timelines);
        is_masked |= mask.is_some();
    }
    if shares.rest > 0.0 && is_base {
        inputs[count] = Input { share: shares.rest, sides: rest_sides, ..Input::empty() };
        count += 1;
    } else {
        rest_sides[0] = 0;
    }
    let inputs = &mut inputs[..count];
    if is_masked {
        let playing = slots.iter().filter_map(|slot| slot.action.as_ref()).filter(|a| shares.of(a) > 0.0);
        for (input, action) in inputs.iter_mut().zip(playing) {
            // Above the base, what masks leave is not filled up with the rest pose.
            input.level = if is_base { action.fader.level() } else { 1.0 };
            // Weights as they were given: joints outside of a mask get what they would get without that
            // action, to the bit.
            input.share = if shares.is_settled { action.weight } else { input.share };
        }
    }
    match &mut *inputs {
        [a, b] => {
            if strongest_first(a, b) == Ordering::Greater {
                std::mem::swap(a, b);
            }
        }
        inputs => inputs.sort_unstable_by(strongest_first),
    }
    (inputs, first_segment as usize, is_masked)
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
