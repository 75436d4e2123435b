//! What part of the pose each action is.
//!
//! Shares add up to one. When all has settled, an action's share is its weight divided by the sum of the
//! weights of all that stay. A fade moves a share in a straight line (or on its curve) from what it was to
//! what it will be. So a transition is even however it was interrupted, and whatever weights and fade times
//! meet:
//!
//! - Two that trade places in the same time add up to one at every instant.
//! - What leaves sooner than others come gives its part to those that stay, not to the rest pose.
//! - What comes sooner than others leave is divided by the sum.
//! - The rest pose is an action that plays when nothing else does: it leaves with the first one that comes,
//!   and comes with the last one that leaves.
//!
//! In a layer above the base, the layers below are there as much as the weights of its actions leave of one,
//! which fades just so. The shares of its actions add up to one by themselves: they are parts of the layer.

use std::cmp::Ordering;

use super::actions::{Actions, Floor, Slot};
use super::fade::Fader;
use super::{Action, JointMask};

/// How the shares of all actions follow from their weights and fades.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shares {
    /// The weights of all that stay.
    wanted_weight: f32,
    /// What the shares of those that stay, and of those that leave, are multiplied by to add up to one.
    of_staying: f32,
    of_leaving: f32,
    /// What those that stay divide by their weights, if none of them has a share yet.
    unclaimed: f32,
    /// The share of the rest pose, or of the layers below.
    pub(crate) rest: f32,
    /// Whether no fade is under way.
    pub(crate) is_settled: bool,
    /// What is animated of a joint, if all actions that move it are fully there; less than one while the rest
    /// pose fades. In a layer above the base it comes on top of the sum of their weights.
    pub(crate) cover: f32,
}

impl Shares {
    /// `actions` are all that play, in any order; `is_few` says that there are two at most.
    fn new<'a>(
        actions: impl Iterator<Item = &'a Action> + Clone,
        is_few: bool,
        rest: &Fader,
        floor: Floor,
    ) -> Self {
        let wanted = actions.clone().filter(|action| action.fader.is_wanted);
        let wanted_weight = sum(wanted.map(|action| action.weight), is_few);
        if rest.is_there() && actions.clone().all(|action| action.fader.is_there()) {
            return Self::settled(wanted_weight, floor);
        }
        let level = |action: &Action| {
            let most = if floor == Floor::Rest { 1.0 } else { action.weight };
            if action.weight > 0.0 { action.fader.level() * most } else { 0.0 }
        };
        let (mut staying, mut leaving, mut levels) = (0.0, 0.0, 0.0);
        if is_few {
            for action in actions {
                let share = raw_share(action, wanted_weight);
                *(if action.fader.is_wanted { &mut staying } else { &mut leaving }) += share;
                levels += level(action);
            }
        } else {
            let share = |is_wanted: bool| {
                let same = actions.clone().filter(move |action| action.fader.is_wanted == is_wanted);
                same.map(move |action| raw_share(action, wanted_weight))
            };
            (staying, leaving) = (sum(share(true), false), sum(share(false), false));
            levels = sum(actions.map(level), false);
        }
        let below = rest.share(floor.share(wanted_weight));
        let mut rest = if floor == Floor::Rest { below } else { 0.0 };
        let sum = staying + leaving + rest;
        let (mut of_staying, mut of_leaving, mut unclaimed) = (1.0, 1.0, 0.0);
        if (sum - 1.0).abs() <= ROUNDING {
            // Shares that were all given their due go on as they are, to the bit.
        } else if sum > 1.0 {
            (of_staying, of_leaving, rest) = (1.0 / sum, 1.0 / sum, rest / sum);
        } else if staying >= SMALLEST {
            of_staying = (1.0 - leaving - rest) / staying;
        } else if wanted_weight > 0.0 {
            unclaimed = 1.0 - leaving - rest;
        } else if leaving >= SMALLEST {
            of_leaving = (1.0 - rest) / leaving;
        } else {
            rest = 1.0;
        }
        if floor == Floor::Below {
            rest = below.clamp(0.0, 1.0);
        }
        let cover = if levels >= SMALLEST { (1.0 - rest) / levels.min(1.0) } else { 1.0 };
        Self { wanted_weight, of_staying, of_leaving, unclaimed, rest, is_settled: false, cover }
    }

    /// Where nothing fades.
    #[inline]
    fn settled(weight: f32, floor: Floor) -> Self {
        Self {
            wanted_weight: weight,
            of_staying: 1.0,
            of_leaving: 1.0,
            unclaimed: 0.0,
            rest: floor.share(weight),
            is_settled: true,
            cover: 1.0,
        }
    }

    /// The share of an action, from 0 to 1.
    #[inline]
    pub(crate) fn of(&self, action: &Action) -> f32 {
        if !action.is_started || action.weight <= 0.0 {
            return 0.0;
        }
        if self.is_settled {
            return if action.fader.is_wanted { action.weight / self.wanted_weight } else { 0.0 };
        }
        let scale = if action.fader.is_wanted { self.of_staying } else { self.of_leaving };
        let mut share = raw_share(action, self.wanted_weight) * scale;
        if self.unclaimed > 0.0 && action.fader.is_wanted {
            share += self.unclaimed * action.weight / self.wanted_weight;
        }
        share.clamp(0.0, 1.0)
    }
}

/// The sum of numbers from 0, largest first: in an order that does not depend on when actions were started,
/// since sums are rounded. Without memory of its own: there are few.
#[inline]
fn sum(numbers: impl Iterator<Item = f32> + Clone, is_few: bool) -> f32 {
    // Two numbers add up to the same in any order.
    if is_few {
        return numbers.sum();
    }
    let (mut sum, mut last) = (0.0, f32::INFINITY);
    loop {
        let smaller = numbers.clone().filter(|number| *number < last);
        let Some(next) = smaller.max_by(f32::total_cmp) else { return sum };
        numbers.clone().filter(|number| *number == next).for_each(|number| sum += number);
        last = next;
    }
}

/// What rounding leaves of a sum of shares.
const ROUNDING: f32 = 5e-7;
/// What can be divided by: less has lost its precision, and one over it is infinite.
const SMALLEST: f32 = f32::MIN_POSITIVE;

/// What an action's own fade says, before all are made to add up to one.
#[inline]
fn raw_share(action: &Action, wanted_weight: f32) -> f32 {
    if action.weight <= 0.0 {
        return 0.0;
    }
    let goal = if action.fader.is_wanted { action.weight / wanted_weight } else { 0.0 };
    action.fader.share(goal)
}

impl Floor {
    /// What is left for it beside actions of this weight, when all has settled.
    #[inline]
    pub(super) fn share(self, wanted_weight: f32) -> f32 {
        match self {
            Self::Rest if wanted_weight > 0.0 => 0.0,
            Self::Rest => 1.0,
            Self::Below => 1.0 - wanted_weight.min(1.0),
        }
    }
}

impl Actions {
    #[inline]
    pub(super) fn shares(&self) -> Shares {
        let playing = self.slots.iter().filter_map(Slot::playing);
        let is_few = self.slots.len() <= 2;
        if self.is_settled {
            let wanted = playing.filter(|action| action.fader.is_wanted);
            return Shares::settled(sum(wanted.map(|action| action.weight), is_few), self.floor);
        }
        Shares::new(playing, is_few, &self.rest, self.floor)
    }

    /// All that play, in an order that depends on neither when they were started nor how strong they are:
    /// turns that are taken one after the other must not change places while they fade.
    pub(super) fn by_content(&self) -> impl Iterator<Item = &Action> {
        InOrder { actions: self, last: None }
    }

    /// The share of the floor when all has settled.
    pub(super) fn floor_goal(&self) -> f32 {
        let playing = self.slots.iter().filter_map(Slot::playing);
        let wanted = playing.filter(|action| action.fader.is_wanted);
        self.floor.share(sum(wanted.map(|action| action.weight), false))
    }
}

/// All actions that play, in an order that depends on what they are alone. Without memory of its own: there
/// are few.
#[derive(Clone)]
struct InOrder<'a> {
    actions: &'a Actions,
    last: Option<(usize, &'a Action)>,
}

impl<'a> Iterator for InOrder<'a> {
    type Item = &'a Action;

    fn next(&mut self) -> Option<&'a Action> {
        let playing = self.actions.slots.iter().enumerate();
        let playing = playing.filter_map(|(slot, entry)| Some((slot, entry.playing()?)));
        let compare = |a: &(usize, &Action), b: &(usize, &Action)| by_content(a.1, b.1).then(a.0.cmp(&b.0));
        let last = self.last;
        let later = playing.filter(|next| last.is_none_or(|last| compare(&last, next) == Ordering::Less));
        self.last = later.min_by(compare);
        self.last.map(|(_, action)| action)
    }
}

/// By what is in the clip, how long it has played, and what it moves.
fn by_content(a: &Action, b: &Action) -> Ordering {
    a.clip
        .fingerprint()
        .cmp(&b.clip.fingerprint())
        .then_with(|| a.unwrapped_secs().total_cmp(&b.unwrapped_secs()))
        .then_with(|| a.time_secs().total_cmp(&b.time_secs()))
        .then_with(|| JointMask::order(a.mask.as_deref(), b.mask.as_deref()))
        .then_with(|| a.weight.total_cmp(&b.weight))
        .then_with(|| a.fade_level().total_cmp(&b.fade_level()))
}
