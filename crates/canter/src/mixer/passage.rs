//! What a step of an action has crossed: its markers, one after the other, without a list of them.
//!
//! Instants are compared with the loop that they lie in, so that nothing is rounded over a seam. The end of a
//! loop and the start of the next are one instant; forwards, a step covers what is after its start up to its
//! end, backwards what is before its start down to its end. So each instant is covered once, whatever a time
//! is cut into.
//!
//! A window is a state. What a step finds open that it should not be is left at its start, and what it begins
//! within is entered there: after a seek, and where time turns round on an edge. From then on edges are crossed
//! as instants are. When the action ends, what is open is left.

mod events;

use std::sync::Arc;

pub use events::MarkerEvents;

use super::ActionId;
use crate::clip::marker::{Edge, EdgeKind, Markers};
use crate::clip::{Clip, MarkerName};
use crate::clock::{Clock, LoopMode, Moment};

/// A marker that was crossed; see [`Mixer::markers`](super::Mixer::markers).
#[derive(Clone, Debug)]
pub struct MarkerEvent {
    /// By which action. It may be gone.
    pub action: ActionId,
    /// The clip that it plays.
    pub clip: Arc<Clip>,
    /// Which of the clip's [markers](Clip::markers).
    pub index: usize,
    /// Its name.
    pub name: MarkerName,
    /// Whether it was an instant, or the start or the end of a window.
    pub kind: MarkerKind,
    /// In which loop, from 0; negative when it went back beyond its start.
    pub loops: i64,
    /// Whether time ran backwards through the clip: with a negative speed, or on the way back of a ping-pong.
    pub is_backward: bool,
    /// What part of the pose the action was, as [`Mixer::effective_weight`](super::Mixer::effective_weight)
    /// gives it: between what it was before the step and after it.
    pub weight: f32,
    /// How long ago, in seconds of the last step: 0 at its end, the whole step at its start.
    pub secs_ago: f32,
}

/// What of a marker was crossed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MarkerKind {
    /// An instant.
    At,
    /// A window was entered. Each is left once before it is entered again.
    Enter,
    /// A window was left, or its action has ended within it.
    Leave,
}

/// What a step of one action covered.
#[derive(Clone, Debug)]
pub(super) struct Passage {
    pub(super) action: ActionId,
    pub(super) clip: Arc<Clip>,
    /// Where it began.
    pub(super) from: Moment,
    /// After the step.
    pub(super) clock: Clock,
    /// Whether the instant at which it began was not told yet.
    pub(super) is_fresh: bool,
    pub(super) is_backward: bool,
    /// The windows that were open before it.
    pub(super) open: u64,
    /// Whether the action has ended with it.
    pub(super) closes: bool,
    /// Whether nothing is told but that the open windows are left.
    pub(super) is_silent: bool,
    /// How much of the step it took, and how much time of the clip it covered.
    pub(super) secs: f64,
    pub(super) way_secs: f64,
    /// Before and after.
    pub(super) weights: (f32, f32),
    /// The edges that it covers: from one place up to another.
    pub(super) start: Place,
    pub(super) end: Place,
}

/// A place among the edges of all loops, as somebody counts them who goes through: a loop, and how many of its
/// edges are behind. With it a step knows what it covers before anybody asks, and nothing is compared again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) loops: i64,
    pub(super) behind: usize,
}

/// Times are told apart down to a nanosecond or so.
const PER_SEC: f64 = (1_u64 << 30) as f64;

/// So many markers of one action at one instant are put in their order among those of others.
const MOST_AT_ONCE: usize = 4096;

/// Where one is in a passage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cursor {
    /// Windows that are open and should not be, then those that should be; by their bits.
    Leaving(u32),
    Entering(u32),
    Walking(Place),
    /// Windows that are open when the action ends.
    Closing(u32),
}

impl Cursor {
    pub(super) const START: Self = Self::Leaving(0);
}

/// Something that is told, and where one is then.
pub(super) struct Told {
    pub(super) next: Cursor,
    pub(super) marker: u32,
    pub(super) kind: MarkerKind,
    pub(super) loops: i64,
    pub(super) is_backward: bool,
    /// Since the start of the step.
    pub(super) secs: f64,
}

impl Passage {
    fn markers(&self) -> &Markers {
        self.clip.marker_edges()
    }

    fn length_secs(&self) -> f64 {
        self.clock.length_secs()
    }

    /// When an edge is crossed, if that is in the part of the clip that is played. Windows that lead out of it
    /// are cut off there.
    fn secs_of(&self, edge: &Edge) -> Option<f32> {
        let (start, end) = self.clock.range_secs();
        let marker = &self.markers().list[edge.marker as usize];
        let is_inside = if edge.kind == EdgeKind::At {
            (start..=end).contains(&edge.secs)
        } else {
            marker.secs < end && start < marker.end_secs()
        };
        is_inside.then(|| edge.secs.clamp(start, end))
    }

    /// Whether time runs backwards through the clip in a loop.
    fn runs_back(&self, loops: i64) -> bool {
        self.is_backward != self.clock.runs_back(loops)
    }

    /// The loop that a moment belongs to for somebody who goes on from there: a seam belongs to both.
    fn onwards(&self, moment: Moment) -> Moment {
        let length = self.length_secs();
        let (next, secs) = if self.is_backward && moment.secs <= 0.0 {
            (moment.loops.saturating_sub(1), length)
        } else if !self.is_backward && moment.secs >= length {
            (moment.loops.saturating_add(1), 0.0)
        } else {
            return moment;
        };
        let is_played = self.clock.last_loop().is_none_or(|last| (0..=last).contains(&next));
        if is_played && length > 0.0 { Moment { loops: next, secs } } else { moment }
    }

    /// The windows that a moment lies in. Which end of a window belongs to it depends on where one comes from.
    pub(super) fn windows_at(&self, moment: Moment) -> u64 {
        if !self.markers().has_windows {
            return 0;
        }
        let moment = self.onwards(moment);
        let (first, last) = self.clock.range_secs();
        let (secs, runs_back) = (self.clock.time_secs_at(moment), self.runs_back(moment.loops));
        let mut windows = 0;
        for edge in &self.markers().edges {
            let EdgeKind::Start { bit } = edge.kind else { continue };
            let end = self.markers().list[edge.marker as usize].end_secs().min(last);
            let start = edge.secs.max(first);
            let is_in = if runs_back { start < secs && secs <= end } else { start <= secs && secs < end };
            windows |= u64::from(is_in) << bit;
        }
        windows
    }

    /// The windows that are open after it.
    pub(super) fn open_after(&self) -> u64 {
        if self.closes || self.is_silent { 0 } else { self.windows_at(self.clock.moment()) }
    }

    /// What is told at a place or after it.
    pub(super) fn next(&self, cursor: Cursor) -> Option<Told> {
        let walk = |from| self.walk(from).or_else(|| self.next(Cursor::Closing(0)));
        match cursor {
            Cursor::Leaving(bit) if self.is_silent => {
                self.at_start(self.open, bit, MarkerKind::Leave, Cursor::Leaving)
            }
            Cursor::Leaving(_) if !self.markers().has_windows => walk(self.start),
            Cursor::Leaving(bit) => {
                let wrong = self.open & !self.windows_at(self.from);
                self.at_start(wrong, bit, MarkerKind::Leave, Cursor::Leaving)
                    .or_else(|| self.next(Cursor::Entering(0)))
            }
            Cursor::Entering(bit) => {
                let missing = self.windows_at(self.from) & !self.open;
                self.at_start(missing, bit, MarkerKind::Enter, Cursor::Entering).or_else(|| walk(self.start))
            }
            Cursor::Walking(place) => walk(place),
            Cursor::Closing(bit) if self.closes => {
                let to = self.clock.moment();
                self.window(self.windows_at(to), bit, MarkerKind::Leave, self.secs, to.loops, Cursor::Closing)
            }
            Cursor::Closing(_) => None,
        }
    }

    /// The first of some windows that are entered or left where the passage begins.
    fn at_start(&self, windows: u64, bit: u32, kind: MarkerKind, then: fn(u32) -> Cursor) -> Option<Told> {
        self.window(windows, bit, kind, 0.0, self.onwards(self.from).loops, then)
    }

    /// The first of some windows from a bit on.
    fn window(
        &self,
        windows: u64,
        bit: u32,
        kind: MarkerKind,
        secs: f64,
        loops: i64,
        then: fn(u32) -> Cursor,
    ) -> Option<Told> {
        let bit = windows.checked_shr(bit).filter(|rest| *rest != 0)?.trailing_zeros() + bit;
        let starts = |edge: &&Edge| matches!(edge.kind, EdgeKind::Start { bit: of } if u32::from(of) == bit);
        let marker = self.markers().edges.iter().find(starts)?.marker;
        Some(Told { next: then(bit + 1), marker, kind, loops, is_backward: self.runs_back(loops), secs })
    }

    /// Finds out where it starts among the edges.
    #[inline(never)]
    fn find_start(&self) -> Place {
        // What begins within a loop tells of the instant at which it does, not of a seam before it.
        if self.is_fresh {
            self.place(self.from.loops, self.from.secs, false)
        } else {
            self.place_after(self.from)
        }
    }

    /// Whether nothing is told from a place on.
    fn is_over(&self, cursor: Cursor) -> bool {
        cursor == Cursor::Walking(self.end) && !self.closes
    }

    /// The place behind all edges up to a moment, which is the same from both sides of a seam.
    #[inline(never)]
    fn place_after(&self, moment: Moment) -> Place {
        let (length, Moment { loops, secs }) = (self.length_secs(), moment);
        match self.is_backward {
            false if secs >= length => self.place(loops.saturating_add(1), 0.0, length > 0.0),
            true if secs <= 0.0 || length <= 0.0 => {
                self.place(if secs >= length { loops } else { loops.saturating_sub(1) }, length, true)
            }
            _ => self.place(loops, secs, true),
        }
    }

    /// The place before the edges at a time of a loop, or behind them.
    fn place(&self, loops: i64, secs: f64, is_behind_them: bool) -> Place {
        let (edges, (start, end)) = (&self.markers().edges, self.clock.range_secs());
        let (is_backward, turns_round) = (self.is_backward, self.clock.runs_back(loops));
        let (first, length) = (f64::from(start), self.length_secs());
        let is_behind = |edge: &Edge| {
            let at = f64::from(edge.secs.max(start).min(end)) - first;
            let at = if turns_round { length - at } else { at };
            (if is_backward { at > secs } else { at < secs }) || (is_behind_them && at == secs)
        };
        let behind = if is_backward != turns_round {
            edges.len() - edges.partition_point(|edge| !is_behind(edge))
        } else {
            edges.partition_point(is_behind)
        };
        Place { loops, behind }
    }

    /// The first edge from a place on that has something to tell.
    #[inline]
    fn walk(&self, place: Place) -> Option<Told> {
        let is_instant = !self.markers().has_windows && self.clock.loop_mode() != LoopMode::PingPong;
        let is_within_loop = place.loops == self.end.loops && self.from.loops == self.end.loops;
        if is_instant && is_within_loop && !self.is_backward {
            self.walk_instants(place)
        } else {
            self.walk_loops(place)
        }
    }

    /// The same where nothing but instants of one loop are crossed, in their order: the rule.
    #[inline]
    fn walk_instants(&self, place: Place) -> Option<Told> {
        let (edges, (start, end)) = (&self.markers().edges, self.clock.range_secs());
        let Place { loops, mut behind } = place;
        for edge in edges.get(behind..self.end.behind)? {
            behind += 1;
            if start <= edge.secs && edge.secs <= end {
                let secs = self.secs_since_start(loops, f64::from(edge.secs) - f64::from(start));
                let next = Cursor::Walking(Place { loops, behind });
                let (kind, is_backward) = (MarkerKind::At, false);
                return Some(Told { next, marker: edge.marker, kind, loops, is_backward, secs });
            }
        }
        None
    }

    #[inline(never)]
    fn walk_loops(&self, place: Place) -> Option<Told> {
        let Place { mut loops, mut behind } = place;
        let (edges, end) = (&self.markers().edges, self.end);
        let (mut starts_at, mut empty_loops) = (behind, 0_u32);
        while if self.is_backward { loops >= end.loops } else { loops <= end.loops } {
            let upto = if loops == end.loops { end.behind } else { edges.len() };
            let runs_back = self.runs_back(loops);
            while behind < upto {
                let edge = &edges[if runs_back { edges.len() - 1 - behind } else { behind }];
                behind += 1;
                if let Some((kind, secs)) = self.told(edge, loops, runs_back) {
                    let next = Cursor::Walking(Place { loops, behind });
                    let secs = self.secs_since_start(loops, secs);
                    let (marker, is_backward) = (edge.marker, runs_back);
                    return Some(Told { next, marker, kind, loops, is_backward, secs });
                }
            }
            if loops == end.loops {
                return None;
            }
            // There and back, beyond the seam where it began, without anything to tell, such as in windows that a
            // ping-pong never leaves: so are all loops up to the last.
            let is_whole = starts_at == 0 && loops != self.from.loops;
            empty_loops += u32::from(is_whole);
            (behind, starts_at) = (0, 0);
            loops = match (empty_loops > 2, self.is_backward) {
                (false, true) => loops.checked_sub(1)?,
                (false, false) => loops.checked_add(1)?,
                (true, true) => loops.checked_sub(1)?.min(end.loops.saturating_add(1)),
                (true, false) => loops.checked_add(1)?.max(end.loops.saturating_sub(1)),
            };
        }
        None
    }

    /// What crossing an edge in a loop means, and when in it that is; `None` if it is not told.
    fn told(&self, edge: &Edge, loops: i64, runs_back: bool) -> Option<(MarkerKind, f64)> {
        let clip_secs = self.secs_of(edge)?;
        let secs = self.clock.secs_in_loop(clip_secs, loops);
        let kind = self.kind_of(edge, clip_secs, runs_back, || self.is_start(loops, secs))?;
        self.is_played(loops, secs).then_some((kind, secs))
    }

    /// Whether a place is where it begins. The end of a loop is the start of the next.
    fn is_start(&self, loops: i64, secs: f64) -> bool {
        let key = |moment: Moment| {
            let is_end = moment.secs >= self.length_secs();
            if is_end { (moment.loops.saturating_add(1), 0.0) } else { (moment.loops, moment.secs) }
        };
        key(Moment { loops, secs }) == key(self.from)
    }

    /// What crossing an edge means; `None` for that of a window at the very start, which was looked at already.
    fn kind_of(
        &self,
        edge: &Edge,
        secs: f32,
        runs_back: bool,
        is_at_start: impl Fn() -> bool,
    ) -> Option<MarkerKind> {
        let enters = match edge.kind {
            EdgeKind::At => return Some(MarkerKind::At),
            EdgeKind::Start { .. } => !runs_back,
            EdgeKind::End { .. } => runs_back,
        };
        // Where a ping-pong turns, it stays in the windows that it is in.
        let (start, end) = self.clock.range_secs();
        let turns = secs <= start || secs >= end;
        if is_at_start() || (turns && self.clock.loop_mode() == LoopMode::PingPong) {
            return None;
        }
        Some(if enters { MarkerKind::Enter } else { MarkerKind::Leave })
    }

    /// Whether a loop is played at all; and a ping-pong turns once, which counts as the start of a loop.
    fn is_played(&self, loops: i64, secs: f64) -> bool {
        let (length, mode) = (self.length_secs(), self.clock.loop_mode());
        let is_turn = mode == LoopMode::PingPong && length > 0.0 && secs >= length;
        !is_turn && self.clock.last_loop().is_none_or(|last| (0..=last).contains(&loops))
    }

    /// How far into the step a place is.
    fn secs_since_start(&self, loops: i64, secs: f64) -> f64 {
        if self.way_secs <= 0.0 {
            return 0.0;
        }
        // Of two actions that cross something at one time neither may be before the other by rounding.
        let secs = self.secs * (self.distance(loops, secs) / self.way_secs).min(1.0);
        let parts = secs * PER_SEC + 0.5;
        // What is larger has no fraction.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            reason = "whole numbers below 2⁵²"
        )]
        let whole = if parts < (1_u64 << 52) as f64 { (parts as i64) as f64 } else { parts };
        whole / PER_SEC
    }

    #[expect(clippy::cast_precision_loss, reason = "exact for 2⁵³ loops")]
    fn distance(&self, loops: i64, secs: f64) -> f64 {
        let loops = loops.saturating_sub(self.from.loops) as f64;
        (loops * self.length_secs() + (secs - self.from.secs)).abs()
    }

    /// The place of what is told after an instant of the step, or at it.
    pub(super) fn after(&self, secs: f64, is_at_it: bool) -> Cursor {
        let is_later = |told: &Told| told.secs > secs || (is_at_it && told.secs >= secs);
        let mut cursor = Cursor::START;
        let length = self.length_secs();
        if secs > 0.0 && self.secs > 0.0 && length > 0.0 {
            // Straight to the loop before it.
            #[expect(clippy::cast_possible_truncation, reason = "`as` saturates")]
            let passed = (self.way_secs * (secs / self.secs).min(1.0) / length) as i64;
            if passed > 2 {
                let by = if self.is_backward { 2 - passed } else { passed - 2 };
                let loops = self.from.loops.saturating_add(by);
                cursor = Cursor::Walking(Place { loops, behind: 0 });
            }
        }
        // A clip that runs so fast that thousands fall on one instant is not worth the wait.
        for _ in 0..MOST_AT_ONCE {
            match self.next(cursor).filter(|told| !is_later(told)) {
                Some(told) => cursor = told.next,
                None => break,
            }
        }
        cursor
    }

    fn event(&self, told: &Told, dt_secs: f64) -> MarkerEvent {
        let marker = told.marker as usize;
        let part = if self.secs > 0.0 { told.secs / self.secs } else { 1.0 };
        let (before, after) = (f64::from(self.weights.0), f64::from(self.weights.1));
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
        let (weight, secs_ago) =
            ((before + (after - before) * part) as f32, (dt_secs - told.secs).max(0.0) as f32);
        MarkerEvent {
            action: self.action,
            clip: Arc::clone(&self.clip),
            index: marker,
            name: self.markers().list[marker].name.clone(),
            kind: told.kind,
            loops: told.loops,
            is_backward: told.is_backward,
            weight,
            secs_ago,
        }
    }
}

/// The passages of a step, shared with the [`MarkerEvents`] that are walked through.
#[derive(Debug, Default)]
pub(super) struct PassageList {
    list: Arc<Vec<Passage>>,
    /// How many of the first ones are of steps before the last, which nobody asks for any more.
    over: usize,
    /// How many after them the last step told; the others are of what happened since then.
    told: usize,
    dt_secs: f64,
}

impl PassageList {
    /// Those of the last step are over. They stay where they are until others come: mostly there were none.
    #[inline]
    pub(super) fn begin(&mut self) {
        self.over += self.told;
        (self.told, self.dt_secs) = (0, 0.0);
    }

    /// All that there are now are of this step.
    #[inline]
    pub(super) fn finish(&mut self, dt_secs: f64) {
        (self.told, self.dt_secs) = (self.list.len() - self.over, dt_secs);
    }

    /// Takes one in whose places among the edges are known.
    #[inline]
    pub(super) fn push(&mut self, passage: Passage) {
        let over = std::mem::take(&mut self.over);
        let list = self.own();
        if over == list.len() {
            list.clear();
        } else {
            drop(list.drain(..over));
        }
        list.push(passage);
    }

    /// Takes one in; where it starts and ends among the edges is looked for unless that is known.
    #[inline]
    pub(super) fn push_between(&mut self, mut passage: Passage, start: Option<Place>, end: Option<Place>) {
        passage.start = start.unwrap_or_else(|| passage.find_start());
        passage.end = end.unwrap_or_else(|| passage.place_after(passage.clock.moment()));
        self.push(passage);
    }

    fn own(&mut self) -> &mut Vec<Passage> {
        if Arc::strong_count(&self.list) > 1 {
            // Somebody keeps the last ones.
            let mut list = Vec::with_capacity(self.list.capacity());
            list.extend_from_slice(&self.list);
            self.list = Arc::new(list);
        }
        Arc::get_mut(&mut self.list).expect("nobody else has it")
    }

    /// Makes room for so many.
    pub(super) fn reserve(&mut self, passages: usize) {
        if self.list.capacity() < passages {
            let additional = passages - self.list.len();
            self.own().reserve(additional);
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.list.capacity() * size_of::<Passage>()
    }

    #[inline]
    pub(super) fn events(&self) -> MarkerEvents {
        let list = (self.told > 0).then(|| Arc::clone(&self.list));
        MarkerEvents::new(list, self.over..self.over + self.told, self.dt_secs)
    }
}

impl Clone for PassageList {
    fn clone(&self) -> Self {
        let mut clone = Self { list: Arc::new(Vec::with_capacity(self.list.capacity())), ..*self };
        clone.own().extend_from_slice(&self.list);
        clone
    }

    fn clone_from(&mut self, source: &Self) {
        (self.over, self.told, self.dt_secs) = (source.over, source.told, source.dt_secs);
        let list = self.own();
        list.clear();
        list.extend_from_slice(&source.list);
    }
}
