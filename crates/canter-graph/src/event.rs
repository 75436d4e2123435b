//! What happened to a graph in an update.

use serde::{Deserialize, Serialize};

use crate::graph::{StateId, TransitionId};

/// Something that happened in the last update of a graph; see
/// [`GraphState::events`](crate::GraphState::events).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GraphEvent {
    /// On which layer, from below.
    pub layer: usize,
    /// What.
    pub kind: GraphEventKind,
    /// How long ago, in seconds of the update: 0 at its end, all of it at its start.
    pub secs_ago: f32,
}

/// What can happen to a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum GraphEventKind {
    /// A state was left.
    Leave(StateId),
    /// A state was entered; by which transition, unless it is where the graph began or an inner state.
    Enter(StateId, Option<TransitionId>),
    /// A machine in a state has come to its exit.
    Finished(StateId),
    /// As many transitions were taken as one update takes, and more were ready: they wait for the next one.
    ChainLimit,
}
