//! One update of a graph, exactly: time goes on in pieces, from one instant at which something is decided to
//! the next, so that a long step leads where many short ones do.

mod advance;
mod choose;
mod crossing;
mod enter;
mod pace;
pub(crate) mod smooth;
mod weigh;

use std::cell::Cell;

use canter::{Layer, Mixer, Transform};

use crate::event::{GraphEvent, GraphEventKind};
use crate::graph::{Amount, Graph, MOST_DEPTH, MOST_TRANSITIONS, Motion, ParameterSet};
use crate::history::History;
use crate::parameters::{Parameters, Value};
use crate::state::{Checked, GraphState, LayerRun, Looked};

/// Instants nearer than this are one: whatever a time is cut into, rounding leaves less.
pub(crate) const INSTANT_SECS: f64 = 1e-9;

/// Which parameters have changed, and whether numbers that blends, speeds and weights read have.
struct Change {
    parameters: ParameterSet,
    is_of_numbers: bool,
}

impl Looked {
    /// Looks at everything again.
    fn forget(&mut self, layers: usize) {
        self.values.clear();
        self.is_idle.clear();
        self.is_idle.resize(layers, false);
    }
}

/// A graph, a state and a mixer in the midst of an update.
struct Run<'a> {
    graph: &'a Graph,
    state: &'a mut GraphState,
    values: &'a [Value],
    mixer: &'a mut Mixer,
    /// Whether all conditions of a transition were found to hold.
    is_any_met: Cell<bool>,
}

impl Graph {
    /// Begins: makes the graph's layers in a mixer, whose base it takes over, and enters the first states.
    /// The mixer is that of the character from then on; one graph drives it.
    ///
    /// # Panics
    /// If the mixer is of another skeleton than the graph was built for.
    #[must_use]
    pub fn start(&self, parameters: &Parameters, mixer: &mut Mixer) -> GraphState {
        let mut layers = Vec::new();
        for (index, layer) in self.layers.iter().enumerate() {
            let mut id = canter::LayerId::BASE;
            if index > 0 {
                let mut added = Layer::new(layer.mode).with_weight(0.0);
                if let Some(mask) = &layer.mask {
                    added = added.with_mask(mask.clone());
                }
                id = mixer.add_layer(added);
            }
            let clips = self.states.iter().filter(|state| state.layer == index).flat_map(|state| {
                let leaves = if let Motion::Play(tree) = &state.motion { &tree.leaves[..] } else { &[] };
                leaves.iter().map(|leaf| &leaf.clip)
            });
            if let Some(mut of_mixer) = mixer.layer_mut(id) {
                of_mixer.reserve(2 * layer.leaves, clips, &[canter::FadeKind::Dead]);
            }
            layers.push(LayerRun {
                id,
                levels: Vec::with_capacity(MOST_DEPTH),
                actions: Vec::with_capacity(layer.leaves),
                weights: Vec::with_capacity(layer.leaves),
                inputs: Vec::with_capacity(layer.inputs),
                ways: Vec::with_capacity(layer.inputs),
                cell_weights: Vec::with_capacity(layer.leaves),
                cell: weigh::NO_CELL,
                smoothed_secs: 0.0,
                timed: 0,
                rate: 0.0,
                pace: 0.0,
                is_smoothing: false,
                turn: 0,
                is_held: false,
                weight: 0.0,
                travel: Vec::with_capacity(self.states.len()),
                taken: 0,
                is_limited: false,
                consumed: Vec::with_capacity(self.defaults.len()),
            });
        }
        // An update leaves and enters a path of states for every transition, and tells once of each layer
        // that it stopped there.
        let most_events = (2 * MOST_DEPTH + 1) * MOST_TRANSITIONS as usize * layers.len() + layers.len();
        let mut state = GraphState {
            layers,
            finite: self.defaults.iter().map(|value| finite(*value).unwrap_or(0.0)).collect(),
            left_in: self.machines.iter().map(|machine| machine.entry).collect(),
            time_secs: 0.0,
            events: Vec::with_capacity(most_events),
            history: History::new(),
            root: Transform::IDENTITY,
            root_yaw: 0.0,
            root_secs: 0.0,
            spent: Vec::with_capacity(self.defaults.len()),
            later_secs: 0.0,
            checked: Checked::default(),
            looked: Looked::default(),
        };
        if self.fits(&state, parameters) {
            state.looked.forget(self.layers.len());
            let mut run = Run::new(self, &mut state, parameters, mixer);
            run.freeze();
            for layer in 0..self.layers.len() {
                run.enter_first(layer);
            }
            run.weigh_layers();
        }
        state
    }

    /// Moves a character on by `dt_secs`: decides what plays, and advances its mixer. Parameters count as
    /// they are now; triggers that a transition has taken are reset.
    ///
    /// A step that is negative or not finite changes nothing, as with [`Mixer::advance`]; nor does a state,
    /// or parameters, of another graph.
    pub fn update(
        &self,
        state: &mut GraphState,
        parameters: &mut Parameters,
        dt_secs: f32,
        mixer: &mut Mixer,
    ) {
        self.update_telling(state, parameters, dt_secs, mixer, |_, _| ());
    }

    /// The same, and lets somebody look at the mixer after every piece of the step, with the seconds of the
    /// step that come after it: [`Mixer::events`] and [`Mixer::markers`] tell of one piece at a time. Mostly
    /// there is one; it is cut where a transition is taken and where a fade ends.
    pub fn update_telling(
        &self,
        state: &mut GraphState,
        parameters: &mut Parameters,
        dt_secs: f32,
        mixer: &mut Mixer,
        mut tell: impl FnMut(&Mixer, f32),
    ) {
        let is_step = dt_secs.is_finite() && dt_secs >= 0.0;
        let is_known = state.checked.0 == self.number;
        let is_of_graph = is_known || self.fits(state, parameters);
        if !is_step || !is_of_graph || parameters.values().len() != self.defaults.len() {
            log::warn!(
                "an update by {dt_secs} s refused; expected a finite number from 0, and the graph's own state"
            );
            return;
        }
        if !is_known {
            state.checked = Checked(self.number);
            state.looked.forget(state.layers.len());
        }
        let mut run = Run::new(self, state, parameters, mixer);
        run.begin();
        run.go_through(dt_secs.into(), &mut tell);
        self.reset_triggers(state, parameters);
    }

    /// Whether a state, and parameters, are of this graph: they may have been stored with another one.
    fn fits(&self, state: &GraphState, parameters: &Parameters) -> bool {
        let is_state = |layer: usize, state: u32| {
            self.states.get(state as usize).is_some_and(|state| state.layer == layer)
        };
        let is_transition = |id: u32| (id as usize) < self.transitions.len();
        let fits = |(layer, run): (usize, &LayerRun)| {
            run.levels.len() <= MOST_DEPTH
                && self.is_path(layer, run)
                && run.levels.iter().all(|level| {
                    is_state(layer, level.state)
                        && level
                            .fade
                            .is_none_or(|fade| is_state(layer, fade.from) && is_transition(fade.transition))
                })
                && run.travel.iter().all(|id| is_transition(*id))
        };
        state.layers.len() == self.layers.len()
            && state.finite.len() == self.defaults.len()
            && state.left_in.len() == self.machines.len()
            && self
                .machines
                .iter()
                .zip(&state.left_in)
                .all(|(machine, left_in)| !machine.keep || machine.states.contains(left_in))
            && parameters.values().len() == self.defaults.len()
            && state.layers.iter().enumerate().all(fits)
    }

    /// Whether each state of a layer is in the machine of the one before it.
    fn is_path(&self, layer: usize, run: &LayerRun) -> bool {
        let mut machine = Some(self.layers[layer].machine);
        run.levels.iter().all(|level| {
            let Some(state) = self.states.get(level.state as usize) else { return false };
            let is_in = machine == Some(state.machine);
            machine = if let Motion::Machine(inner) = state.motion { Some(inner) } else { None };
            is_in
        })
    }

    fn reset_triggers(&self, state: &GraphState, parameters: &mut Parameters) {
        let values = parameters.values_mut();
        let consumed = state.layers.iter().map(|run| &run.consumed);
        for parameter in consumed.chain([&state.spent, &self.fleeting]).flatten() {
            if let Some(value @ Value::Trigger(_)) = values.get_mut(*parameter as usize) {
                *value = Value::Trigger(false);
            }
        }
    }
}

/// The number that blends and speeds read.
fn finite(value: Value) -> Option<f32> {
    match value {
        Value::Float(value) => value.is_finite().then_some(value),
        _ => Some(0.0),
    }
}

impl<'a> Run<'a> {
    fn new(
        graph: &'a Graph,
        state: &'a mut GraphState,
        parameters: &'a Parameters,
        mixer: &'a mut Mixer,
    ) -> Self {
        Self { graph, state, values: parameters.values(), mixer, is_any_met: Cell::new(false) }
    }
}

impl Run<'_> {
    fn begin(&mut self) {
        self.state.events.clear();
        self.state.spent.clear();
        (self.state.root, self.state.root_yaw, self.state.root_secs) = (Transform::IDENTITY, 0.0, 0.0);
        let Change { parameters, is_of_numbers } = self.freeze();
        for layer in 0..self.state.layers.len() {
            let run = &mut self.state.layers[layer];
            (run.taken, run.is_limited) = (0, false);
            run.consumed.clear();
            let mut states = run.levels.iter().map(|level| &self.graph.states[level.state as usize]);
            if states.any(|state| state.listens.meets(parameters)) {
                self.state.looked.is_idle[layer] = false;
            }
            if is_of_numbers || run.is_smoothing {
                self.weigh(layer);
            }
        }
        if is_of_numbers {
            self.weigh_layers();
        }
    }

    /// Remembers what parameters are, and returns which are others than before. Of numbers, what is not
    /// finite leaves them as they were.
    fn freeze(&mut self) -> Change {
        let GraphState { looked, finite: last, .. } = &mut *self.state;
        let is_first = looked.values.len() != self.values.len();
        let parameters = if is_first { ParameterSet::ALL } else { ParameterSet::default() };
        let mut change = Change { parameters, is_of_numbers: false };
        if is_first {
            looked.values.clear();
            looked.values.extend_from_slice(self.values);
        }
        for (index, value) in self.values.iter().enumerate() {
            if !is_first && value.is_same(looked.values[index]) {
                continue;
            }
            looked.values[index] = *value;
            change.parameters.add(index);
            let next = finite(*value).unwrap_or(last[index]);
            change.is_of_numbers |= next.to_bits() != last[index].to_bits();
            last[index] = next;
        }
        change
    }

    /// What was taken is gone for everybody once time has passed.
    fn spend(&mut self) {
        let GraphState { layers, spent, .. } = &mut *self.state;
        for run in layers.iter_mut().filter(|run| !run.consumed.is_empty()) {
            for parameter in run.consumed.drain(..) {
                if !spent.contains(&parameter) {
                    spent.push(parameter);
                }
            }
        }
    }

    fn amount(&self, amount: Amount) -> f32 {
        match amount {
            Amount::Number(value) => value,
            Amount::Parameter(parameter) => self.state.finite[parameter as usize],
        }
    }

    fn weigh_layers(&mut self) {
        for (index, layer) in self.graph.layers.iter().enumerate().skip(1) {
            let weight = self.amount(layer.weight).clamp(0.0, 1.0);
            let run = &mut self.state.layers[index];
            #[expect(clippy::float_cmp, reason = "only what is another number is set")]
            let is_same = run.weight == weight;
            if !is_same && let Some(mut of_mixer) = self.mixer.layer_mut(run.id) {
                run.weight = weight;
                of_mixer.set_weight(weight).expect("it is from 0 to 1");
            }
        }
    }

    fn tell(&mut self, layer: usize, kind: GraphEventKind) {
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
        let secs_ago = self.state.later_secs as f32;
        self.state.events.push(GraphEvent { layer, kind, secs_ago });
    }

    /// Goes through a step, from one instant at which something is decided to the next.
    fn go_through(&mut self, dt_secs: f64, tell: &mut dyn FnMut(&Mixer, f32)) {
        let (mut rest, mut cells) = (dt_secs, 0);
        if dt_secs <= 0.0 {
            // What the last step told is over.
            self.mixer.advance(0.0);
        }
        loop {
            self.state.later_secs = rest;
            let is_smoothing = self.state.layers.iter().any(|run| run.is_smoothing);
            let mut piece = self.next_end_of_fade(rest);
            // However long the step, in not more than so many pieces.
            piece = piece.min(self.keep_pace().max(dt_secs / 256.0));
            if is_smoothing && cells < smooth::MOST_CELLS {
                piece = piece.min(self.secs_to_end_of_cell());
                cells += 1;
            }
            let taken = self.choose(rest).filter(|choice| choice.is_within(piece));
            piece = taken.as_ref().map_or(piece, |choice| piece.min(choice.secs));
            if rest - piece <= INSTANT_SECS {
                piece = rest;
            }
            if piece > 0.0 {
                rest -= piece;
                self.state.later_secs = rest;
                self.advance(piece);
                self.spend();
                #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
                tell(self.mixer, rest as f32);
                if is_smoothing {
                    self.smooth(piece, rest > 0.0);
                }
            }
            match taken {
                Some(choice) => self.take(&choice),
                None if rest <= 0.0 => break,
                None => {}
            }
        }
        for layer in 0..self.state.layers.len() {
            self.show(layer);
        }
    }
}
