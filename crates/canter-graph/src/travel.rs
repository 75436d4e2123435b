//! The shortest way to a state, over transitions.

use std::collections::VecDeque;
use std::fmt;

use crate::graph::{Graph, StateId};
use crate::state::{Checked, GraphState};

impl Graph {
    /// Leads a layer to a state over as few transitions as there are: they are taken one after the other,
    /// each when the fade before it is over and, if it has an exit time that is still to come, then. Their
    /// conditions do not count, and no others of that machine are taken on the way. Returns how many there
    /// are.
    ///
    /// # Errors
    /// If no transitions lead there, or the state is in a machine that is not running.
    pub fn travel(&self, state: &mut GraphState, to: StateId) -> Result<usize, TravelError> {
        let target = self.states.get(to.0 as usize).ok_or(TravelError::Unknown)?;
        let run = state.layers.get_mut(target.layer).ok_or(TravelError::Unknown)?;
        let machine_of = |state: u32| self.states.get(state as usize).map(|state| state.machine);
        let mut levels = run.levels.iter().filter(|level| !level.is_out);
        let from = levels.find(|level| machine_of(level.state) == Some(target.machine));
        let from = from.ok_or(TravelError::NotRunning)?.state;
        // From every state that is reached, the transition that led there.
        let mut led_by: Vec<Option<u32>> = vec![None; self.states.len()];
        let mut next = VecDeque::from([from]);
        while let Some(at) = next.pop_front().filter(|at| *at != to.0) {
            let own = self.states[at as usize].transitions.iter();
            for id in own.chain(&self.machines[target.machine].any) {
                let Some(reached) = self.transitions[*id as usize].to else { continue };
                if reached != from && led_by[reached as usize].is_none() {
                    led_by[reached as usize] = Some(*id);
                    next.push_back(reached);
                }
            }
        }
        if from != to.0 && led_by[to.0 as usize].is_none() {
            return Err(TravelError::NoWay);
        }
        run.travel.clear();
        // The next update looks whether this way is one of its graph, and at this layer.
        state.checked = Checked::default();
        let run = &mut state.layers[target.layer];
        let mut at = to.0;
        while let Some(id) = led_by[at as usize].filter(|_| at != from) {
            run.travel.push(id);
            // Those from any state lead on from where the way has come to: that was found first.
            at = match self.transitions[id as usize].from {
                Some(source) => source,
                None => break,
            };
        }
        Ok(run.travel.len())
    }

    /// Lets a layer go where conditions lead it again.
    pub fn stop_travelling(&self, state: &mut GraphState, layer: usize) {
        if let Some(run) = state.layers.get_mut(layer) {
            run.travel.clear();
        }
    }
}

/// There is no way to a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TravelError {
    /// It is of another graph.
    Unknown,
    /// It is in a machine that is not running.
    NotRunning,
    /// No transitions lead there.
    NoWay,
}

impl fmt::Display for TravelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unknown => "there is no such state in this graph",
            Self::NotRunning => "the state is in a machine that is not running; expected one that is",
            Self::NoWay => "no transitions lead to the state",
        })
    }
}

impl std::error::Error for TravelError {}
