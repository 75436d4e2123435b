//! What a character is in: a plain value beside its mixer.

use canter::{ActionId, LayerId, RootStep, Transform};
use serde::{Deserialize, Serialize};

use crate::event::GraphEvent;
use crate::graph::StateId;
use crate::history::{History, Taken};
use crate::parameters::Value;
use crate::run::smooth::Way;

/// Where a character is in a [`Graph`](crate::Graph): its states, how far it is in them, and the fades
/// between.
///
/// A plain value: clone it together with the mixer and the parameters to keep a state, put the clones back to
/// return to it. Made by [`Graph::start`](crate::Graph::start).
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct GraphState {
    pub(crate) layers: Vec<LayerRun>,
    /// Of each parameter, the last value that was finite.
    pub(crate) finite: Vec<f32>,
    /// Of each machine, the state that it was left in.
    pub(crate) left_in: Vec<u32>,
    /// Since it began.
    #[serde(with = "crate::exact")]
    pub(crate) time_secs: f64,
    pub(crate) events: Vec<GraphEvent>,
    pub(crate) history: History,
    /// The way of the root in the last update, how far it turned, and the time that it took.
    pub(crate) root: Transform,
    pub(crate) root_yaw: f32,
    pub(crate) root_secs: f32,
    /// Triggers that were taken in this update before the present instant: they are gone for all layers, as they
    /// would be in the next update.
    pub(crate) spent: Vec<u32>,
    /// What of the present update is left.
    #[serde(with = "crate::exact")]
    pub(crate) later_secs: f64,
    /// The graph that it was found to be of.
    #[serde(skip)]
    pub(crate) checked: Checked,
    #[serde(skip)]
    pub(crate) looked: Looked,
}

/// The number of a graph that a state was seen to fit, so that no update has to look again. It says nothing about
/// the state: all are equal, and what was stored is looked at anew.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Checked(pub(crate) u64);

impl PartialEq for Checked {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// What the last update found, so that the next one need not look again. It says nothing about the state: all
/// are equal, and what was stored is looked at anew.
#[derive(Debug, Default)]
pub(crate) struct Looked {
    /// What parameters were.
    pub(crate) values: Vec<Value>,
    /// Of each layer, whether nothing can be taken as long as they are so: it neither fades nor travels, and
    /// of no transition all conditions hold.
    pub(crate) is_idle: Vec<bool>,
}

impl PartialEq for Looked {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Clone for Looked {
    fn clone(&self) -> Self {
        Self { values: self.values.clone(), is_idle: self.is_idle.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.values.clone_from(&source.values);
        self.is_idle.clone_from(&source.is_idle);
    }
}

/// A layer of a graph as it runs.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct LayerRun {
    pub(crate) id: LayerId,
    /// The states that it is in, those in machines of others after them.
    pub(crate) levels: Vec<Level>,
    /// Of the innermost state.
    pub(crate) actions: Vec<ActionId>,
    /// What they were last given.
    pub(crate) weights: Vec<f32>,
    /// Where the spaces of the innermost state are asked.
    pub(crate) inputs: Vec<[f32; 2]>,
    /// Where these come from and lead to.
    pub(crate) ways: Vec<Way>,
    /// Since parameters last changed where they lead.
    #[serde(with = "crate::exact")]
    pub(crate) smoothed_secs: f64,
    /// Which cell of that time it is in, and what actions play with in it.
    #[serde(with = "crate::exact")]
    pub(crate) cell: f64,
    pub(crate) cell_weights: Vec<f32>,
    /// Which of the actions times the innermost state.
    pub(crate) timed: u32,
    /// Cycles of the innermost state per second of its mixer.
    #[serde(with = "crate::exact")]
    pub(crate) rate: f64,
    /// The same at this instant: between two markers that clips are kept in step by it may be another than in the mean.
    #[serde(with = "crate::exact")]
    pub(crate) pace: f64,
    /// What of its spaces has not come to where parameters lead it.
    pub(crate) is_smoothing: bool,
    /// Goes on with every state: what fades out is not in step with what comes.
    pub(crate) turn: u32,
    /// Whether it holds a pose.
    pub(crate) is_held: bool,
    pub(crate) weight: f32,
    /// Transitions to a state that was asked for, the next one last.
    pub(crate) travel: Vec<u32>,
    /// Transitions in this update.
    pub(crate) taken: u32,
    pub(crate) is_limited: bool,
    /// Triggers that were taken at this instant, by their parameters: other layers may take them, too.
    pub(crate) consumed: Vec<u32>,
}

/// A state that is there, and the fade that leads to it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Level {
    pub(crate) state: u32,
    pub(crate) clock: StateClock,
    pub(crate) fade: Option<FadeRun>,
    /// Whether its machine has come to its exit from this state.
    pub(crate) is_out: bool,
    /// Whether the machine in this state has come to its exit.
    pub(crate) is_finished: bool,
}

/// How often a state has played its motion: the clips' own clocks belong to the mixer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct StateClock {
    /// Unwrapped.
    #[serde(with = "crate::exact")]
    pub(crate) cycles: f64,
    /// Whether no time has passed since it was entered.
    pub(crate) is_fresh: bool,
}

/// A fade that is under way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FadeRun {
    pub(crate) transition: u32,
    pub(crate) from: u32,
    #[serde(with = "crate::exact")]
    pub(crate) secs: f64,
    #[serde(with = "crate::exact")]
    pub(crate) passed_secs: f64,
    /// Of the state that it came from, which may be returned to.
    pub(crate) source: StateClock,
    #[serde(with = "crate::exact")]
    pub(crate) source_rate: f64,
}

impl FadeRun {
    pub(crate) fn remaining_secs(&self) -> f64 {
        (self.secs - self.passed_secs).max(0.0)
    }
}

impl GraphState {
    /// What happened in the last update, in the order of time.
    #[must_use]
    pub fn events(&self) -> &[GraphEvent] {
        &self.events
    }

    /// The states that a layer is in, those in machines of others after them.
    pub fn states(&self, layer: usize) -> impl DoubleEndedIterator<Item = StateId> + ExactSizeIterator {
        let levels = self.layers.get(layer).map_or(&[][..], |run| &run.levels);
        levels.iter().map(|level| StateId(level.state))
    }

    /// The innermost state that a layer is in.
    #[must_use]
    pub fn state(&self, layer: usize) -> Option<StateId> {
        self.states(layer).next_back()
    }

    /// How often a layer's innermost state has played its motion since it was entered, with the part of the
    /// present loop.
    #[must_use]
    pub fn cycles(&self, layer: usize) -> f64 {
        let level = self.layers.get(layer).and_then(|run| run.levels.last());
        level.map_or(0.0, |level| level.clock.cycles)
    }

    /// The mixer's layer on which a layer of the graph plays.
    #[must_use]
    pub fn layer_id(&self, layer: usize) -> Option<LayerId> {
        self.layers.get(layer).map(|run| run.id)
    }

    /// Whether the machine in a layer's outermost state has come to its exit and holds its last pose.
    #[must_use]
    pub fn is_finished(&self, layer: usize) -> bool {
        self.layers.get(layer).is_some_and(|run| run.levels.iter().any(|level| level.is_finished))
    }

    /// Whether a transition of a layer fades.
    #[must_use]
    pub fn is_fading(&self, layer: usize) -> bool {
        self.layers.get(layer).is_some_and(|run| run.levels.iter().any(|level| level.fade.is_some()))
    }

    /// Where a layer's blend spaces are asked, in the order of [`Graph::spaces`](crate::Graph::spaces): the
    /// parameters after smoothing.
    #[must_use]
    pub fn blend_places(&self, layer: usize) -> &[[f32; 2]] {
        self.layers.get(layer).map_or(&[], |run| &run.inputs)
    }

    /// Seconds since it began.
    #[must_use]
    pub fn time_secs(&self) -> f64 {
        self.time_secs
    }

    /// The way that the character made in the last update, as
    /// [`Mixer::root_motion`](canter::Mixer::root_motion) tells it of one step: an update may take several.
    #[must_use]
    pub fn root_motion(&self) -> RootStep {
        let per_sec = if self.root_secs > 0.0 { self.root_secs.recip() } else { 0.0 };
        RootStep {
            transform: self.root,
            velocity: self.root.translation * per_sec,
            yaw_rate: self.root_yaw * per_sec,
        }
    }

    /// The last transitions that were taken, the latest first.
    pub fn history(&self) -> impl Iterator<Item = &Taken> {
        self.history.latest()
    }
}

/// A copy with the same room: a clone does not allocate later, either.
fn with_room<T: Clone>(list: &Vec<T>) -> Vec<T> {
    let mut copy = Vec::with_capacity(list.capacity());
    copy.extend_from_slice(list);
    copy
}

impl Clone for LayerRun {
    fn clone(&self) -> Self {
        Self {
            levels: with_room(&self.levels),
            actions: with_room(&self.actions),
            weights: with_room(&self.weights),
            inputs: with_room(&self.inputs),
            ways: with_room(&self.ways),
            cell_weights: with_room(&self.cell_weights),
            travel: with_room(&self.travel),
            consumed: with_room(&self.consumed),
            ..*self
        }
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { levels, actions, weights, inputs, ways, cell_weights, travel, consumed, .. } = source;
        self.levels.clone_from(levels);
        self.actions.clone_from(actions);
        self.weights.clone_from(weights);
        self.inputs.clone_from(inputs);
        self.ways.clone_from(ways);
        self.cell_weights.clone_from(cell_weights);
        self.travel.clone_from(travel);
        self.consumed.clone_from(consumed);
        let Self { id, rate, is_smoothing, turn, is_held, weight, taken, is_limited, .. } = *source;
        (self.smoothed_secs, self.cell) = (source.smoothed_secs, source.cell);
        (self.timed, self.pace) = (source.timed, source.pace);
        (self.id, self.rate, self.is_smoothing, self.turn) = (id, rate, is_smoothing, turn);
        (self.is_held, self.weight, self.taken, self.is_limited) = (is_held, weight, taken, is_limited);
    }
}

impl Clone for GraphState {
    fn clone(&self) -> Self {
        Self {
            layers: with_room(&self.layers),
            finite: self.finite.clone(),
            left_in: self.left_in.clone(),
            events: with_room(&self.events),
            spent: with_room(&self.spent),
            history: self.history.clone(),
            looked: self.looked.clone(),
            ..*self
        }
    }

    /// Without allocating, if there was room for as much before.
    fn clone_from(&mut self, source: &Self) {
        let Self { layers, finite, left_in, events, history, spent, looked, .. } = source;
        self.layers.clone_from(layers);
        self.finite.clone_from(finite);
        self.left_in.clone_from(left_in);
        self.events.clone_from(events);
        self.history.clone_from(history);
        self.spent.clone_from(spent);
        self.looked.clone_from(looked);
        let Self { time_secs, root, root_yaw, root_secs, later_secs, checked, .. } = *source;
        (self.time_secs, self.later_secs, self.checked) = (time_secs, later_secs, checked);
        (self.root, self.root_yaw, self.root_secs) = (root, root_yaw, root_secs);
    }
}
