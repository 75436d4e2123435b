//! A transition is taken: states are left and entered, and the mixer fades from one to the other.

use canter::{Fade, FadeKind, LoopMode, Play, SyncGroup};

use super::choose::Choice;
use super::pace::is_member;
use super::{INSTANT_SECS, Run};
use crate::data::{DurationData, FadeData};
use crate::event::GraphEventKind;
use crate::graph::{Enter, Motion, State, StateId, Test, TransitionId, Tree};
use crate::history::{Cause, Taken};
use crate::parameters::ParameterId;
use crate::state::{FadeRun, Level, StateClock};

/// A shorter fade is none, as in the mixer.
const SHORTEST_SECS: f64 = 1e-6;

/// How a state is faded in.
struct Entrance {
    fade: Fade,
    /// At which cycle it begins; `None` at its own beginning, or where its group is.
    cycles: Option<f64>,
    /// Whether what was there stands still.
    is_frozen: bool,
}

impl Run<'_> {
    /// Enters the first state of a layer.
    pub(super) fn enter_first(&mut self, layer: usize) {
        let entry = self.graph.machines[self.graph.layers[layer].machine].entry;
        self.descend(layer, entry, None);
        self.weigh_anew(layer);
        self.play(layer, &Entrance { fade: Fade::default(), cycles: None, is_frozen: false });
    }

    pub(super) fn take(&mut self, choice: &Choice) {
        let Choice { layer, level, transition: id, travels, .. } = *choice;
        let transition = &self.graph.transitions[id as usize];
        self.note(choice);
        self.find_pace(layer);
        // Fades start from what is seen at this instant.
        self.show(layer);
        let interrupts = self.state.layers[layer].levels.iter().any(|level| level.fade.is_some());
        self.state.looked.is_idle[layer] = false;
        let run = &mut self.state.layers[layer];
        run.taken += 1;
        let triggers = transition.conditions.iter().filter(|condition| condition.test == Test::Set);
        for trigger in triggers.filter(|_| !travels) {
            // There is room for every parameter once, and a transition may name one twice.
            if !run.consumed.contains(&trigger.parameter) {
                run.consumed.push(trigger.parameter);
            }
        }
        if travels {
            run.travel.pop();
        } else if !self.is_on_the_way(layer, level) {
            self.state.layers[layer].travel.clear();
        }
        let run = &self.state.layers[layer];
        let (before, inner, rate) = (run.levels[level], run.levels.last().copied(), run.rate);
        let outer = run.levels[..level].iter().filter_map(|level| level.fade);
        let outer_secs = outer.map(|fade| fade.remaining_secs()).fold(0.0, f64::max);
        let source_cycle_secs = self.cycle_secs(layer);
        let Some(to) = transition.to else { return self.exit(layer, level) };
        self.leave(layer, level);
        self.descend(layer, to, Some(TransitionId(id)));
        self.weigh_anew(layer);

        let is_return = |fade: &FadeRun| fade.from == to && before.state != to;
        let returned = before.fade.filter(is_return).map(|fade| fade.source.cycles);
        let cycles = match transition.enter {
            Some(Enter::At(part)) => Some(part),
            Some(Enter::KeepPhase) => inner.map(|inner| inner.clock.cycles.rem_euclid(1.0)),
            None => returned,
        };
        let own_secs = match transition.duration {
            DurationData::Secs(secs) => f64::from(secs),
            DurationData::OfSource(part) => f64::from(part) * source_cycle_secs,
            DurationData::OfTarget(part) => f64::from(part) * self.cycle_secs(layer),
        };
        // A fade of a machine around this one goes on: what is inside does not cut it short.
        let secs = own_secs.max(outer_secs);
        let is_led = interrupts || outer_secs > own_secs;
        let kind = match transition.fade {
            FadeData::Inertial => FadeKind::Inertial,
            FadeData::Cross | FadeData::Frozen if !is_led => FadeKind::Cross,
            _ => FadeKind::Dead,
        };
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
        let fade = Fade { secs: secs as f32, easing: transition.easing.into(), kind };
        let is_frozen = transition.fade == FadeData::Frozen && kind == FadeKind::Cross;
        self.play(layer, &Entrance { fade, cycles, is_frozen });
        // As long as the mixer's, which is rounded.
        let own_secs = if own_secs >= outer_secs { f64::from(fade.secs) } else { own_secs };
        if own_secs >= SHORTEST_SECS {
            let is_innermost = inner.is_some_and(|inner| inner.state == before.state);
            let source_rate = if is_innermost { rate } else { 0.0 };
            self.state.layers[layer].levels[level].fade = Some(FadeRun {
                transition: id,
                from: before.state,
                secs: own_secs.max(2.0 * INSTANT_SECS),
                passed_secs: 0.0,
                source: before.clock,
                source_rate,
            });
        }
    }

    /// Whether a layer is still where it travels when a transition is taken from a level: that is outside of it.
    fn is_on_the_way(&self, layer: usize, level: usize) -> bool {
        let run = &self.state.layers[layer];
        let machine = |state: u32| self.graph.states[state as usize].machine;
        let to = run.travel.last().and_then(|next| self.graph.transitions[*next as usize].to);
        let mut outside = run.levels[..level].iter().map(|level| machine(level.state));
        to.is_some_and(|to| outside.any(|outside| outside == machine(to)))
    }

    /// Writes down what was taken, and why.
    fn note(&mut self, choice: &Choice) {
        let Choice { layer, level, transition: id, travels, .. } = *choice;
        let transition = &self.graph.transitions[id as usize];
        let conditions = &transition.conditions;
        let trigger = conditions.iter().find(|condition| condition.test == Test::Set);
        let parameter = trigger.or(conditions.first()).map(|condition| {
            let id = ParameterId(condition.parameter);
            (id, self.values[id.index()])
        });
        let level = self.state.layers[layer].levels[level];
        self.state.history.push(Taken {
            time_secs: self.state.time_secs,
            layer,
            transition: TransitionId(id),
            from: StateId(level.state),
            to: transition.to.map(StateId),
            cause: Cause { travels, at_exit_time: transition.exit_time.is_some(), parameter },
            interrupts: level.fade.is_some(),
        });
    }

    /// A machine in a state comes to its exit: it holds its pose until a transition of that state is taken.
    fn exit(&mut self, layer: usize, level: usize) {
        while self.state.layers[layer].levels.len() > level + 1 {
            self.leave(layer, self.state.layers[layer].levels.len() - 1);
        }
        let state = self.state.layers[layer].levels[level].state;
        self.remember(state);
        self.tell(layer, GraphEventKind::Leave(StateId(state)));
        let run = &mut self.state.layers[layer];
        run.levels[level].is_out = true;
        run.levels[level].fade = None;
        run.rate = 0.0;
        run.is_smoothing = false;
        run.levels[level - 1].is_finished = true;
        let outer = run.levels[level - 1].state;
        self.tell(layer, GraphEventKind::Finished(StateId(outer)));
        self.hold(layer);
    }

    /// Stops the clocks of all that plays on a layer.
    fn hold(&mut self, layer: usize) {
        self.state.layers[layer].is_held = true;
        let id = self.state.layers[layer].id;
        // One after the other: the list of actions cannot be kept while they are changed.
        while let Some(running) = self.running(id) {
            if let Some(mut action) = self.mixer.get_mut(running) {
                action.pause();
            }
        }
    }

    /// An action of a layer whose clock runs.
    fn running(&self, layer: canter::LayerId) -> Option<canter::ActionId> {
        let mut actions = self.mixer.actions().filter(|(id, _)| id.layer() == layer);
        actions.find(|(_, action)| action.is_started() && !action.is_paused()).map(|(id, _)| id)
    }

    /// The cycle of what a layer plays, in seconds as it plays; at normal speed if it stands.
    fn cycle_secs(&self, layer: usize) -> f64 {
        let run = &self.state.layers[layer];
        if run.rate != 0.0 {
            return run.rate.abs().recip();
        }
        match self.innermost(layer).map(|state| &state.motion) {
            Some(Motion::Play(tree)) if run.weights.len() == tree.leaves.len() => {
                tree.cycle_secs(&run.weights)
            }
            _ => 0.0,
        }
    }

    fn remember(&mut self, state: u32) {
        let machine = self.graph.states[state as usize].machine;
        self.state.left_in[machine] = state;
    }

    /// Leaves all states of a layer from a level on, inner ones first.
    fn leave(&mut self, layer: usize, from: usize) {
        while self.state.layers[layer].levels.len() > from {
            let Some(level) = self.state.layers[layer].levels.pop() else { return };
            if !level.is_out {
                self.remember(level.state);
                self.tell(layer, GraphEventKind::Leave(StateId(level.state)));
            }
        }
    }

    /// Enters a state and, if it is a machine, those in it.
    fn descend(&mut self, layer: usize, state: u32, mut by: Option<TransitionId>) {
        let mut next = Some(state);
        while let Some(state) = next {
            let clock = StateClock { cycles: 0.0, is_fresh: true };
            let level = Level { state, clock, fade: None, is_out: false, is_finished: false };
            self.state.layers[layer].levels.push(level);
            self.tell(layer, GraphEventKind::Enter(StateId(state), by.take()));
            next = match self.graph.states[state as usize].motion {
                Motion::Machine(machine) if self.graph.machines[machine].keep => {
                    Some(self.state.left_in[machine])
                }
                Motion::Machine(machine) => Some(self.graph.machines[machine].entry),
                _ => None,
            };
        }
    }

    /// Whether others that stay will lead a state: then it begins where they are, whatever it was told.
    fn is_led(&self, layer: usize, state: &State, entrance: &Entrance) -> bool {
        let Some(sync) = state.sync else { return false };
        let own = self.state.layers[layer].id;
        let stays = |id: canter::ActionId| id.layer() != own || entrance.fade.kind == FadeKind::Cross;
        self.mixer.actions().any(|(id, action)| stays(id) && is_member(action, sync.number))
    }

    /// Lets the innermost state of a layer take the place of what plays there.
    fn play(&mut self, layer: usize, entrance: &Entrance) {
        let Some(state) = self.innermost(layer) else { return };
        let Motion::Play(tree) = &state.motion else {
            self.hold(layer);
            self.state.layers[layer].actions.clear();
            return;
        };
        if entrance.is_frozen {
            self.hold(layer);
        }
        let speed = self.amount(state.speed);
        let is_led = self.is_led(layer, state, entrance);
        let run = &mut self.state.layers[layer];
        run.is_held = false;
        run.turn = (run.turn + 1) % 4;
        run.timed = tree.timed(&run.weights);
        let cycle_secs = tree.cycle_secs(&run.weights);
        let sync = sync_group(self.graph.data.sync_groups.len(), layer, run.turn, state, tree);
        // Those with an end begin there if they run backwards.
        let begins_at_end = speed < 0.0 && state.plays().is_some();
        let cycles = entrance.cycles.or((state.sync.is_none() && !begins_at_end).then_some(0.0));
        let cycles = cycles.filter(|_| !is_led);
        let plays = tree.leaves.iter().zip(&run.weights).enumerate().map(|(index, (leaf, weight))| {
            #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
            let start_secs =
                cycles.map(|cycles| (f64::from(leaf.range.0) + cycles * leaf.length_secs) as f32);
            let speed = tree.leaf_speed(index, speed, cycle_secs);
            let play = Play {
                loop_mode: state.loops,
                speed: if speed.is_finite() { speed } else { 1.0 },
                weight: *weight,
                start_secs,
                sync,
                range_secs: Some(leaf.range),
                ..Play::default()
            };
            (&leaf.clip, play)
        });
        let Some(mut of_mixer) = self.mixer.layer_mut(run.id) else { return };
        of_mixer
            .replace(plays, entrance.fade, &mut run.actions)
            .expect("clips were checked when the graph was built");
        // The mixer's clocks are put to times in single precision.
        let stands = self.cycles_of_mixer(layer);
        let otherwise = if begins_at_end { state.plays() } else { cycles };
        let level = self.state.layers[layer].levels.last_mut().expect("a state was entered");
        level.clock.cycles = stands.or(otherwise).unwrap_or(0.0);
    }
}

/// What the clips of a state are in step with: the group that it was given, or each other. Only what repeats
/// can be.
fn sync_group(named: usize, layer: usize, turn: u32, state: &State, tree: &Tree) -> Option<SyncGroup> {
    if state.loops != LoopMode::Repeat {
        return None;
    }
    let number = u32::try_from(named + 4 * layer).unwrap_or(u32::MAX - 4) + turn;
    state.sync.or((tree.leaves.len() > 1).then_some(SyncGroup::by_markers(number)))
}
