//! Which transition is taken next, and when.

use super::crossing::{Course, crossing};
use super::{INSTANT_SECS, Run};
use crate::data::InterruptData;
use crate::event::GraphEventKind;
use crate::graph::{Graph, MOST_TRANSITIONS, Motion, State, Test, Transition};
use crate::state::{FadeRun, GraphState, LayerRun, Level, StateClock};

/// Exit times nearer than this come together: where a state begins is rounded to single precision, and one that
/// keeps the phase of another gets there with it.
const TOGETHER_SECS: f64 = 1e-6;

/// A transition that is ready.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// In how many seconds: no more than there are.
    pub(super) secs: f64,
    /// The same to compare it with others: of two that come at the end of a step one may come a little later.
    due: Due,
    pub(super) layer: usize,
    /// Which of the layer's levels it leads on from.
    pub(super) level: usize,
    pub(super) transition: u32,
    pub(super) travels: bool,
    /// Of those at one instant the least is taken: outer machines first, then as a fade says, by priority,
    /// own before any, in the order of the file.
    rank: (usize, u8, i32, bool, u32),
}

/// When a transition can be taken.
#[derive(Clone, Copy, Debug)]
struct Due {
    secs: f64,
    /// What comes so soon after a piece of a step belongs to it: the next one would take it for passed.
    near_secs: f64,
}

impl Due {
    const NOW: Self = Self { secs: 0.0, near_secs: 0.0 };
}

impl Choice {
    fn is_before(&self, other: &Self) -> bool {
        match (self.due.secs - other.due.secs).abs() <= TOGETHER_SECS {
            true => (self.layer, self.rank) < (other.layer, other.rank),
            false => self.due.secs < other.due.secs,
        }
    }

    /// Whether it comes within a piece of a step.
    pub(super) fn is_within(&self, piece_secs: f64) -> bool {
        self.secs <= piece_secs + self.due.near_secs.max(INSTANT_SECS)
    }
}

/// A state whose transitions may be taken.
#[derive(Clone, Copy)]
struct Source {
    state: u32,
    clock: StateClock,
    rate: f64,
    is_finished: bool,
    rank: u8,
    /// Whether it is the one that a fade comes from.
    is_left: bool,
}

impl Run<'_> {
    /// The transition that is taken first in the next `rest` seconds.
    pub(super) fn choose(&mut self, rest: f64) -> Option<Choice> {
        let mut first: Option<Choice> = None;
        for layer in 0..self.state.layers.len() {
            if self.state.looked.is_idle[layer] || self.state.layers[layer].is_limited {
                continue;
            }
            self.is_any_met.set(false);
            let choice = self.choose_on(layer, rest);
            self.state.looked.is_idle[layer] = !self.is_any_met.get() && self.is_settled(layer);
            let Some(choice) = choice else { continue };
            if self.state.layers[layer].taken >= MOST_TRANSITIONS {
                self.state.layers[layer].is_limited = true;
                self.tell(layer, GraphEventKind::ChainLimit);
            } else if first.is_none_or(|first| choice.is_before(&first)) {
                first = Some(choice);
            }
        }
        first
    }

    /// Whether a layer neither fades nor is on its way to a state that was asked for.
    fn is_settled(&self, layer: usize) -> bool {
        let run = &self.state.layers[layer];
        run.travel.is_empty() && run.levels.iter().all(|level| level.fade.is_none())
    }

    fn choose_on(&self, layer: usize, rest: f64) -> Option<Choice> {
        let run = &self.state.layers[layer];
        let mut first: Option<Choice> = None;
        let mut consider = |choice: Choice| {
            if first.is_none_or(|first| choice.is_before(&first)) {
                first = Some(choice);
            }
        };
        for (index, level) in run.levels.iter().enumerate().filter(|(_, level)| !level.is_out) {
            let own = own(run, index);
            if let Some(next) = self.graph.travel_at(run, level) {
                // Nothing else is looked at on the way.
                let due = self.due_on_the_way(&self.graph.transitions[next as usize], &own, rest);
                if let (None, Some(due)) = (level.fade, due) {
                    let (secs, rank) = (due.secs.min(rest), (index, 0, 0, false, 0));
                    let (level, transition, travels) = (index, next, true);
                    consider(Choice { secs, due, layer, level, transition, travels, rank });
                }
                continue;
            }
            let Some(fade) = level.fade else {
                self.consider_own(layer, index, &own, None, rest, &mut consider);
                self.consider_any(layer, index, &own, None, rest, &mut consider);
                continue;
            };
            let (source, target) = match self.graph.transitions[fade.transition as usize].interrupt {
                InterruptData::None => continue,
                InterruptData::Source => (Some(0), None),
                InterruptData::Target => (None, Some(0)),
                InterruptData::SourceThenTarget => (Some(0), Some(1)),
                InterruptData::TargetThenSource => (Some(1), Some(0)),
            };
            if let Some(rank) = source {
                let FadeRun { from: state, source: clock, source_rate: rate, .. } = fade;
                let left = Source { state, clock, rate, is_finished: false, rank, is_left: true };
                self.consider_own(layer, index, &left, Some(fade), rest, &mut consider);
            }
            if let Some(rank) = target {
                self.consider_own(layer, index, &Source { rank, ..own }, Some(fade), rest, &mut consider);
            }
            self.consider_any(layer, index, &own, Some(fade), rest, &mut consider);
        }
        first
    }

    /// Looks at the transitions of a state.
    fn consider_own(
        &self,
        layer: usize,
        level: usize,
        source: &Source,
        fade: Option<FadeRun>,
        rest: f64,
        consider: &mut dyn FnMut(Choice),
    ) {
        let present = &self.state.layers[layer].levels[level];
        for &id in &self.graph.states[source.state as usize].transitions {
            let transition = &self.graph.transitions[id as usize];
            // What is on its way there already needs nothing more.
            if source.is_left && transition.to == Some(present.state) {
                continue;
            }
            let is_barred = source.is_left && fade.is_some_and(|fade| self.graph.is_barred(id, fade));
            if !is_barred && let Some(due) = self.due(layer, transition, source, rest) {
                let rank = (level, source.rank, transition.priority, false, transition.number);
                let secs = due.secs.min(rest);
                consider(Choice { secs, due, layer, level, transition: id, travels: false, rank });
            }
        }
    }

    /// Looks at the transitions from any state; exit times are those of the one that it is in.
    fn consider_any(
        &self,
        layer: usize,
        level: usize,
        own: &Source,
        fade: Option<FadeRun>,
        rest: f64,
        consider: &mut dyn FnMut(Choice),
    ) {
        let machine = self.graph.states[own.state as usize].machine;
        for &id in &self.graph.machines[machine].any {
            let transition = &self.graph.transitions[id as usize];
            if transition.to == Some(own.state) && !transition.to_self {
                continue;
            }
            let is_barred = fade.is_some_and(|fade| self.graph.is_barred(id, fade));
            if !is_barred && let Some(due) = self.due(layer, transition, own, rest) {
                let rank = (level, 0, transition.priority, true, transition.number);
                let secs = due.secs.min(rest);
                consider(Choice { secs, due, layer, level, transition: id, travels: false, rank });
            }
        }
    }

    /// When a transition can be taken, if all that it waits for holds.
    fn due(&self, layer: usize, transition: &Transition, source: &Source, rest: f64) -> Option<Due> {
        if !transition.conditions.iter().all(|condition| condition.holds(self.values)) {
            return None;
        }
        self.is_any_met.set(true);
        let GraphState { layers, spent, .. } = &*self.state;
        let mut is_going = false;
        for trigger in transition.conditions.iter().filter(|condition| condition.test == Test::Set) {
            let is_taken = |run: &LayerRun| run.consumed.contains(&trigger.parameter);
            if is_taken(&layers[layer]) || spent.contains(&trigger.parameter) {
                return None;
            }
            is_going |= layers.iter().any(is_taken);
        }
        let due = self.due_at_exit(transition, source, rest);
        // What another layer takes at this instant is gone after it.
        due.filter(|due| !is_going || due.secs <= INSTANT_SECS)
    }

    fn due_at_exit(&self, transition: &Transition, source: &Source, rest: f64) -> Option<Due> {
        let Some(exit_time) = transition.exit_time else { return Some(Due::NOW) };
        let state = &self.graph.states[source.state as usize];
        if let Motion::Machine(_) = state.motion {
            return source.is_finished.then_some(Due::NOW);
        }
        let course = self.course(state, source);
        // What is left was at its end when it was left: that is no reason to interrupt.
        if rest > 0.0 && !source.is_left && course.stands_at(exit_time) {
            return Some(Due::NOW);
        }
        let secs = crossing(course, exit_time, rest)?;
        Some(Due { secs, near_secs: course.near / course.rate.abs() })
    }

    /// The same on the way to a state that was asked for: nobody waits for what never comes again.
    fn due_on_the_way(&self, transition: &Transition, source: &Source, rest: f64) -> Option<Due> {
        let state = &self.graph.states[source.state as usize];
        let is_passed = |exit_time: f64| {
            !matches!(state.motion, Motion::Machine(_)) && self.course(state, source).has_passed(exit_time)
        };
        match transition.exit_time.is_some_and(is_passed) {
            true => Some(Due::NOW),
            false => self.due_at_exit(transition, source, rest),
        }
    }

    fn course(&self, state: &State, source: &Source) -> Course {
        let (seam_secs, near) = match &state.motion {
            // Several clips are led by the mean of numbers in single precision.
            Motion::Play(tree) if tree.leaves.len() > 1 => (1e-6, 1e-6),
            _ => (1e-10, 1e-9),
        };
        Course {
            clock: source.clock,
            rate: self.real_rate(source.rate),
            plays: state.plays(),
            seam_secs,
            near,
        }
    }
}

impl Graph {
    /// The next transition to a state that was asked for, if it leads on from this level.
    pub(crate) fn travel_at(&self, run: &LayerRun, level: &Level) -> Option<u32> {
        let next = *run.travel.last()?;
        let to = self.transitions.get(next as usize)?.to?;
        let machine = self.states.get(level.state as usize)?.machine;
        (self.states[to as usize].machine == machine).then_some(next)
    }

    /// Whether a fade lets only those before it interrupt, and this one is not.
    pub(crate) fn is_barred(&self, id: u32, fade: FadeRun) -> bool {
        let order = |id: u32| {
            let transition = &self.transitions[id as usize];
            (transition.priority, transition.from.is_none(), transition.number)
        };
        self.transitions[fade.transition as usize].ordered && order(id) >= order(fade.transition)
    }
}

/// The state that a level is in.
fn own(run: &LayerRun, index: usize) -> Source {
    let Level { state, clock, is_finished, .. } = run.levels[index];
    let rate = if index + 1 == run.levels.len() { run.pace } else { 0.0 };
    Source { state, clock, rate, is_finished, rank: 0, is_left: false }
}
