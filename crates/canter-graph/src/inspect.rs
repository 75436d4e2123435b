//! What a graph is made of, and where a character is in it, for those who draw it.

use crate::data::{MachineData, MotionData, ParameterData, StateData, TransitionData};
use crate::graph::{Graph, Motion, Node, StateId, TransitionId};
use crate::parameters::ParameterId;
use crate::space::Space;
use crate::state::GraphState;

impl StateId {
    /// Its place among the graph's states: the same for every graph that was built of the same data.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl TransitionId {
    /// Its place among the graph's transitions: the same for every graph that was built of the same data.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A fade between two states that is under way; see [`GraphState::fades`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunningFade {
    /// What was taken.
    pub transition: TransitionId,
    /// The state that it comes from.
    pub from: StateId,
    /// The state that it leads to.
    pub to: StateId,
    /// Its time.
    pub secs: f64,
    /// What of it has passed.
    pub passed_secs: f64,
}

impl RunningFade {
    /// The part of its time that has passed, from 0 to 1.
    #[must_use]
    pub fn progress(&self) -> f64 {
        (self.passed_secs / self.secs).clamp(0.0, 1.0)
    }
}

impl GraphState {
    /// The fades of a layer that are under way, those of outer machines first.
    pub fn fades(&self, layer: usize) -> impl Iterator<Item = RunningFade> {
        let levels = self.layers.get(layer).map_or(&[][..], |run| &run.levels);
        levels.iter().filter_map(|level| {
            let fade = level.fade?;
            Some(RunningFade {
                transition: TransitionId(fade.transition),
                from: StateId(fade.from),
                to: StateId(level.state),
                secs: fade.secs,
                passed_secs: fade.passed_secs,
            })
        })
    }
}

/// Numbers as ids; there are never more of anything than fit.
fn ids<T>(count: usize, id: fn(u32) -> T) -> impl ExactSizeIterator<Item = T> {
    (0..u32::try_from(count).unwrap_or(u32::MAX)).map(id)
}

impl Graph {
    /// All parameters, in the order of the data.
    pub fn parameter_ids(&self) -> impl ExactSizeIterator<Item = ParameterId> {
        ids(self.data.parameters.len(), ParameterId)
    }

    /// What a parameter was made of: its name, kind and default.
    #[must_use]
    pub fn parameter_data(&self, id: ParameterId) -> Option<&ParameterData> {
        self.data.parameters.get(id.index())
    }

    /// All states of all layers; those in a state's machine come before it.
    pub fn states(&self) -> impl ExactSizeIterator<Item = StateId> {
        ids(self.states.len(), StateId)
    }

    /// What a state was made of.
    #[must_use]
    pub fn state_data(&self, id: StateId) -> Option<&StateData> {
        let state = self.states.get(id.index())?;
        let (machine, name) = match state.path.rsplit_once('/') {
            Some((outer, name)) => (self.machine_data(state.layer, outer)?, name),
            None => (self.machine_data(state.layer, "")?, state.path.as_str()),
        };
        machine.states.iter().find(|state| state.name == name)
    }

    /// The layer that a state is on, from below.
    #[must_use]
    pub fn state_layer(&self, id: StateId) -> Option<usize> {
        self.states.get(id.index()).map(|state| state.layer)
    }

    /// All transitions of all layers.
    pub fn transitions(&self) -> impl ExactSizeIterator<Item = TransitionId> {
        ids(self.transitions.len(), TransitionId)
    }

    /// What a transition was made of.
    #[must_use]
    pub fn transition_data(&self, id: TransitionId) -> Option<&TransitionData> {
        let transition = self.transitions.get(id.index())?;
        let machine = &self.machines[transition.machine];
        self.machine_data(machine.layer, &machine.path)?.transitions.get(transition.number as usize)
    }

    /// The state that a transition leads from, `None` from any; and to, `None` out of its machine.
    #[must_use]
    pub fn transition_ends(&self, id: TransitionId) -> Option<(Option<StateId>, Option<StateId>)> {
        let transition = self.transitions.get(id.index())?;
        Some((transition.from.map(StateId), transition.to.map(StateId)))
    }

    /// The layer that a transition is on, from below.
    #[must_use]
    pub fn transition_layer(&self, id: TransitionId) -> Option<usize> {
        let transition = self.transitions.get(id.index())?;
        Some(self.machines[transition.machine].layer)
    }

    /// The machine of a layer, or that in the state of a path.
    fn machine_data(&self, layer: usize, path: &str) -> Option<&MachineData> {
        let mut machine = &self.data.layers.get(layer)?.machine;
        for name in path.split('/').filter(|name| !name.is_empty()) {
            let state = machine.states.iter().find(|state| state.name == name)?;
            let MotionData::Machine(inner) = &state.motion else { return None };
            machine = inner;
        }
        Some(machine)
    }

    /// The blend spaces of a state, with the parameters that they read: a state may nest several, and
    /// [`GraphState::blend_places`] has their places in this order.
    pub fn spaces(&self, state: StateId) -> impl Iterator<Item = (&Space, [ParameterId; 2])> {
        let tree = self.states.get(state.index()).and_then(|state| match &state.motion {
            Motion::Play(tree) => Some(tree),
            _ => None,
        });
        tree.into_iter().flat_map(|tree| {
            (0..tree.inputs).filter_map(|wanted| {
                tree.nodes.iter().find_map(|node| match node {
                    Node::Blend { space, parameters, input, .. } if *input == wanted => {
                        Some((&**space, parameters.map(ParameterId)))
                    }
                    _ => None,
                })
            })
        })
    }
}
