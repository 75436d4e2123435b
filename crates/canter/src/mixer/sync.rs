//! Actions that stay in step: a walk and a run whose left feet come down together, whatever their lengths.
//!
//! A group has a leader, the strongest of its actions. By *markers*, each action is placed between its own
//! pair of markers of the same names as the leader's, as far between them as the leader is; in a *cycle*, each
//! is as far through its clip as the leader. How fast the leader goes is the mean of what all would do, by
//! their weights, so that nothing jumps when another one takes the lead.

mod gait;

use super::actions::Step;
use super::{Action, ActionId, LayerId, Mixer};
use crate::clock::Moment;
use crate::warn::warn_once;
pub(super) use gait::Gait;

/// A leader stays the leader until another action is stronger by this factor: between two of the same strength
/// nothing flickers.
const STRONGER: f32 = 1.1;

/// Actions of one number stay in step; see [`Play::sync`](super::Play::sync).
///
/// Only actions that repeat without end are kept in step. Groups reach across layers.
///
/// ```
/// # use canter::{Clip, Marker, Mixer, Play, Skeleton, SyncGroup, Track, Transform, glam::Vec3};
/// # use std::sync::Arc;
/// # let mut joints = Skeleton::builder();
/// # joints.joint("hips", None, Transform::IDENTITY);
/// # let skeleton = Arc::new(joints.build()?);
/// # let hips = skeleton.joint("hips").unwrap();
/// # let clip = |name, secs: f32| {
/// #     let mut clip = Clip::builder(name, &skeleton);
/// #     clip.translation(hips, Track::linear(vec![0.0, secs], vec![Vec3::ZERO, Vec3::Y]));
/// #     clip.marker(Marker::new("foot_L", 0.0)).marker(Marker::new("foot_R", secs / 2.0));
/// #     clip.build().map(Arc::new)
/// # };
/// # let (walk, run) = (clip("Walk", 1.0)?, clip("Run", 0.6)?);
/// let gait = Some(SyncGroup::by_markers(0));
/// let mut mixer = Mixer::new(&skeleton);
/// mixer.play(&walk, Play { sync: gait, ..Play::default() });
/// mixer.advance(0.25); // a quarter of the walk
/// let run = mixer.play(&run, Play { sync: gait, ..Play::default() });
/// assert!((mixer.get(run).unwrap().time_secs() - 0.15).abs() < 1e-6); // a quarter of the run
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SyncGroup {
    /// Those with the same number are in step.
    pub number: u32,
    /// What is in step.
    pub kind: SyncKind,
}

/// What a [`SyncGroup`] has in step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SyncKind {
    /// The markers that all clips of the group have, by their names. Where they have none in common, or in
    /// another order, it is as with `Cycle`.
    #[default]
    Markers,
    /// The part of the clip that has passed. A group in which any action wants that does so.
    Cycle,
}

impl SyncGroup {
    /// In step by markers.
    #[must_use]
    pub const fn by_markers(number: u32) -> Self {
        Self { number, kind: SyncKind::Markers }
    }

    /// In step by the part of the clip that has passed.
    #[must_use]
    pub const fn cyclic(number: u32) -> Self {
        Self { number, kind: SyncKind::Cycle }
    }
}

/// How fast an action plays; see [`Mixer::pace`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Seconds of its clip per second of the mixer, whose own speed comes on top; negative backwards.
    pub speed: f64,
    /// For so many seconds at least.
    pub secs: f64,
    /// The speed in the mean of a loop: from marker to marker it may be another one.
    pub mean_speed: f64,
}

impl Pace {
    /// The same speed without end.
    fn even(speed: f64) -> Self {
        Self { speed, secs: f64::INFINITY, mean_speed: speed }
    }
}

/// Where an action is found: which layer from below, and which slot.
type Place = (usize, usize);

/// Takes part in a group at present.
struct Member<'a> {
    place: Place,
    action: &'a Action,
    weight: f32,
    is_leader: bool,
}

/// Goes through a group. A type of its own and not a chain of adaptors: whatever is done with all members would
/// be that chain once more.
struct Members<'a> {
    mixer: &'a Mixer,
    number: u32,
    next: Place,
}

impl<'a> Iterator for Members<'a> {
    type Item = Member<'a>;

    fn next(&mut self) -> Option<Member<'a>> {
        let (mut layer, mut slot) = self.next;
        while layer <= self.mixer.layers.len() {
            let actions = self.mixer.actions_at(layer);
            let (Some(entry), Some(trace)) = (actions.slots.get(slot), actions.traces.get(slot)) else {
                (layer, slot) = (layer + 1, 0);
                continue;
            };
            let place = (layer, slot);
            slot += 1;
            let Some(action) = entry.action.as_ref().filter(|action| action.is_member()) else { continue };
            if action.sync.is_some_and(|sync| sync.number == self.number) {
                self.next = (layer, slot);
                return Some(Member { place, action, weight: trace.weight, is_leader: trace.is_leader });
            }
        }
        self.next = (layer, slot);
        None
    }
}

impl Action {
    /// Which actions it stays in step with.
    #[must_use]
    pub fn sync(&self) -> Option<SyncGroup> {
        self.sync
    }

    fn is_member(&self) -> bool {
        self.is_started && !self.is_paused && self.clock.is_endless() && self.clock.length_secs() > 0.0
    }
}

impl Mixer {
    /// All that are in step with a number at present.
    fn members(&self, number: u32) -> Members<'_> {
        Members { mixer: self, number, next: (0, 0) }
    }

    /// Says where all actions that are in step will be after a step.
    pub(super) fn lead_groups(&mut self, step: &Step, gaits: &mut Vec<Gait>) {
        for layer in 0..=self.layers.len() {
            for slot in 0..self.actions_at(layer).slots.len() {
                let Some(action) = &self.actions_at(layer).slots[slot].action else { continue };
                let Some(sync) = action.sync.filter(|_| action.is_member()) else { continue };
                // The first of a group speaks for all.
                let first = self.members(sync.number).next().map(|member| member.place);
                if first == Some((layer, slot)) {
                    self.lead_group(sync.number, step, gaits);
                }
            }
        }
    }

    fn lead_group(&mut self, number: u32, step: &Step, gaits: &mut Vec<Gait>) {
        let leader = self.leader(number, None);
        for layer in 0..=self.layers.len() {
            let actions = self.actions_at_mut(layer);
            for (slot, (entry, trace)) in actions.slots.iter().zip(&mut actions.traces).enumerate() {
                let action = entry.action.as_ref();
                if action.and_then(|action| action.sync).is_some_and(|sync| sync.number == number) {
                    trace.is_leader = leader == Some((layer, slot));
                    trace.is_led = !trace.is_leader;
                }
            }
        }
        let Some(leader) = leader.filter(|_| self.members(number).nth(1).is_some()) else { return };
        if !self.lead_by_markers(number, leader, step, gaits) {
            self.lead_in_cycle(number, leader, step);
        }
    }

    /// The one that leads, unless another one has become stronger by far.
    fn leader(&self, number: u32, except: Option<Place>) -> Option<Place> {
        let members = || self.members(number).filter(|member| Some(member.place) != except);
        let stronger = |a: &Member<'_>, b: &Member<'_>| {
            // Of equals, in an order that does not depend on when they were started.
            let content = |member: &Member<'_>| std::cmp::Reverse(member.action.clip.fingerprint());
            a.weight.total_cmp(&b.weight).then_with(|| content(a).cmp(&content(b)))
        };
        let strongest = members().max_by(stronger)?;
        let present = members().find(|member| member.is_leader);
        let stays = present.filter(|present| strongest.weight <= STRONGER * present.weight);
        Some(stays.unwrap_or(strongest).place)
    }

    fn lead_in_cycle(&mut self, number: u32, leader: Place, step: &Step) {
        let Some(lead) = self.members(number).find(|member| member.place == leader) else { return };
        let clock = lead.action.clock;
        let phases = step.secs * self.phases_per_sec(number, lead.action);
        let at = clock.moment().secs / clock.length_secs() + phases;
        let whole = at.floor();
        let phase = at - whole;
        #[expect(clippy::cast_possible_truncation, reason = "`as` saturates")]
        let loops = whole as i64;
        self.place_members(number, &mut |action| Moment {
            loops: action.loops().saturating_add(loops),
            secs: phase * action.clock.length_secs(),
        });
    }

    /// How fast a group goes that is in step by the part of its clips that has passed.
    fn phases_per_sec(&self, number: u32, lead: &Action) -> f64 {
        let speed = f64::from(lead.speed());
        if speed == 0.0 {
            return 0.0;
        }
        let mean = mean_secs(
            self.members(number)
                .map(|member| (member.weight, member.action.clock.length_secs(), member.action.speed())),
        );
        speed.signum() / mean.unwrap_or(lead.clock.length_secs() / speed.abs())
    }

    /// Whether it could: the clips have markers in common, in the same order.
    fn lead_by_markers(&mut self, number: u32, leader: Place, step: &Step, gaits: &mut Vec<Gait>) -> bool {
        let Some(lead) = self.gaits(number, leader, gaits) else { return false };
        let Some((points, fraction)) = gait::advance(gaits, lead, step.secs) else { return false };
        let mut next = gaits.iter();
        self.place_members(number, &mut |action| match next.next() {
            Some(gait) => gait.moment(gait.index.saturating_add(points), fraction),
            None => action.clock.moment(),
        });
        true
    }

    /// How all members walk, in order, each beside the leader; and which of them leads.
    fn gaits(&self, number: u32, leader: Place, gaits: &mut Vec<Gait>) -> Option<usize> {
        if self.members(number).any(|member| member.action.sync.is_none_or(|s| s.kind == SyncKind::Cycle)) {
            return None;
        }
        let is_known = self.members(number).count() == gaits.len()
            && self.members(number).zip(&*gaits).all(|(member, gait)| gait.is_of(number, member.action));
        if !is_known {
            gaits.clear();
            let is_common =
                |name: &_| self.members(number).all(|member| gait::has_point(member.action, name));
            for member in self.members(number) {
                gaits.push(Gait::new(number, member.action, is_common)?);
            }
            gait::number_sequels(gaits);
        }
        let mut lead = None;
        for (index, member) in self.members(number).enumerate() {
            gaits[index].look(member.action, member.weight);
            lead = if member.place == leader { Some(index) } else { lead };
        }
        let lead = lead?;
        for index in (0..gaits.len()).filter(|index| *index != lead) {
            gaits[index].index = gaits[index].aligned(&gaits[lead])?;
        }
        Some(lead)
    }

    /// How fast an action plays from now on, and for how long at least, if nobody asks for anything else. `None` if its id
    /// is stale.
    ///
    /// By itself that is its [speed](Action::speed) without end. In step with others it is what the group does: until a
    /// fade changes how strong its members are, or a marker is crossed.
    #[must_use]
    pub fn pace(&mut self, id: ActionId) -> Option<Pace> {
        let action = self.get(id)?;
        let stands = !action.is_started || action.is_paused;
        let alone = Pace::even(if stands { 0.0 } else { action.speed().into() });
        let Some(sync) = action.sync.filter(|_| action.is_member()) else { return Some(alone) };
        let Some(mut gaits) = self.motion.as_mut().map(|motion| std::mem::take(&mut motion.gaits)) else {
            return Some(alone);
        };
        self.weigh_traces_in_cells();
        let pace = self.pace_in_group(sync.number, id, &mut gaits).unwrap_or(alone);
        self.weigh_traces();
        if let Some(motion) = &mut self.motion {
            motion.gaits = gaits;
        }
        let secs = if self.speed > 0.0 { pace.secs / f64::from(self.speed) } else { f64::INFINITY };
        Some(Pace { secs: secs.min(self.secs_to_end_of_cell(Some(sync.number))), ..pace })
    }

    /// The same of its clip and of the mixer's own time; `None` if it is alone.
    fn pace_in_group(&self, number: u32, id: ActionId, gaits: &mut Vec<Gait>) -> Option<Pace> {
        let leader = self.leader(number, None).filter(|_| self.members(number).nth(1).is_some())?;
        let place = (self.layer_index(id.layer)?, id.slot as usize);
        if let Some(lead) = self.gaits(number, leader, gaits) {
            let own = self.members(number).position(|member| member.place == place)?;
            if let Some(pace) = gait::pace(gaits, lead, own) {
                return Some(pace);
            }
        }
        let lead = self.members(number).find(|member| member.place == leader)?;
        let length_secs = self.get(id)?.clock.length_secs();
        let speed = length_secs * self.phases_per_sec(number, lead.action);
        Some(Pace::even(speed))
    }

    fn place_members(&mut self, number: u32, moment: &mut dyn FnMut(&Action) -> Moment) {
        for layer in 0..=self.layers.len() {
            let actions = self.actions_at_mut(layer);
            for (entry, trace) in actions.slots.iter().zip(&mut actions.traces) {
                let Some(action) = entry.action.as_ref().filter(|action| action.is_member()) else {
                    continue;
                };
                if action.sync.is_some_and(|sync| sync.number == number) {
                    trace.follows = Some(moment(action));
                }
            }
        }
    }

    /// Sets which actions an action stays in step with, and brings it in step with them.
    pub(super) fn set_sync(&mut self, id: ActionId, sync: Option<SyncGroup>, joins: bool) {
        if sync.is_some() {
            self.start_telling();
        }
        let Some(layer) = self.layer_index(id.layer) else { return };
        let slot = id.slot as usize;
        let Some(action) = &mut self.actions_at_mut(layer).slots[slot].action else { return };
        action.sync = sync;
        if sync.is_some() && !action.clock.is_endless() {
            warn_once!(
                "clip \"{}\": only actions that repeat without end are kept in step",
                action.clip.name()
            );
        }
        if let Some(sync) = sync.filter(|_| joins && action.is_member()) {
            self.join(sync.number, (layer, slot));
        }
        self.reserve_traces();
    }

    /// Puts actions that have just begun where the leaders of their groups are.
    pub(super) fn bring_in_step(&mut self, ids: &[ActionId]) {
        for id in ids {
            let group = self.get(*id).filter(|action| action.is_member()).and_then(|action| action.sync);
            let (Some(sync), Some(layer)) = (group, self.layer_index(id.layer)) else { continue };
            let place = (layer, id.slot as usize);
            self.weigh_traces_in_cells();
            if self.leader(sync.number, None) != Some(place) {
                self.join(sync.number, place);
            }
        }
    }

    /// Puts an action where the others of its group are.
    fn join(&mut self, number: u32, place: Place) {
        self.weigh_traces_in_cells();
        let Some(leader) = self.leader(number, Some(place)) else { return };
        let mut gaits = std::mem::take(&mut self.motion.as_mut().expect("it tells").gaits);
        let nowhere = Step { secs: 0.0, speed: 1.0, fade_secs: 0.0, fade_speed: 1.0 };
        if !self.lead_by_markers(number, leader, &nowhere, &mut gaits) {
            self.lead_in_cycle(number, leader, &nowhere);
        }
        for layer in 0..=self.layers.len() {
            self.actions_at_mut(layer).traces.iter_mut().enumerate().for_each(|(slot, trace)| {
                trace.follows = trace.follows.filter(|_| (layer, slot) == place);
            });
        }
        let actions = self.actions_at_mut(place.0);
        let moment = actions.traces[place.1].follows.take();
        if let (Some(moment), Some(action)) = (moment, &mut actions.slots[place.1].action) {
            let _ = action.clock.go_along(Moment { loops: 0, ..moment });
            action.is_fresh = false;
            actions.forget_sides(place.1);
        }
        if let Some(motion) = &mut self.motion {
            motion.gaits = gaits;
        }
    }

    fn layer_index(&self, id: LayerId) -> Option<usize> {
        if id == LayerId::BASE {
            return Some(0);
        }
        self.layers.iter().position(|layer| layer.id() == id).map(|index| index + 1)
    }

    pub(super) fn actions_at(&self, layer: usize) -> &super::Actions {
        if layer == 0 { &self.base } else { &self.layers[layer - 1].actions }
    }

    pub(super) fn actions_at_mut(&mut self, layer: usize) -> &mut super::Actions {
        if layer == 0 { &mut self.base } else { &mut self.layers[layer - 1].actions }
    }
}

/// The mean time that members take, by their weights: of each its weight, a time of its clip, and its speed.
/// Those that stand still do not count. `None` if nothing does.
fn mean_secs(members: impl Iterator<Item = (f32, f64, f32)>) -> Option<f64> {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (weight, secs, speed) in members.filter(|(_, _, speed)| *speed != 0.0) {
        sum += f64::from(weight) * secs / f64::from(speed).abs();
        weights += f64::from(weight);
    }
    (weights > 0.0 && sum > 0.0).then(|| sum / weights)
}
