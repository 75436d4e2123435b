//! A graph and its mixer as they were, to return to.

use std::rc::Rc;

use canter::Mixer;
use canter_graph::{Graph, GraphState, Parameters};

use crate::host::Host;

/// Everything of a character that an update changes.
pub(crate) struct Snapshot {
    graph: Rc<Graph>,
    mixer: Mixer,
    state: GraphState,
    parameters: Parameters,
}

impl Host {
    pub(crate) fn save_graph(&mut self, graph: u32, mixer: u32) -> u32 {
        let Some(run) = self.graphs.get(graph) else { return 0 };
        let Some(mixer) = self.mixers.get(mixer).and_then(|mixers| mixers.get(0)) else { return 0 };
        let snapshot = Snapshot {
            graph: Rc::clone(&run.graph),
            mixer: mixer.clone(),
            state: run.state.clone(),
            parameters: run.parameters.clone(),
        };
        self.snapshots.insert(snapshot)
    }

    /// Puts everything back, and shows it. `false` if it was kept of another graph.
    pub(crate) fn restore_graph(&mut self, (graph, mixer, skeleton): (u32, u32, u32), snapshot: u32) -> bool {
        let (Some(run), Some(snapshot)) = (self.graphs.get_mut(graph), self.snapshots.get(snapshot)) else {
            return false;
        };
        let Some(mixer) = self.mixers.get_mut(mixer).and_then(|mixers| mixers.get_mut(0)) else {
            return false;
        };
        let Some(skeleton) = self.skeletons.get_mut(skeleton) else { return false };
        if !Rc::ptr_eq(&run.graph, &snapshot.graph) {
            return false;
        }
        mixer.clone_from(&snapshot.mixer);
        run.state.clone_from(&snapshot.state);
        run.parameters.clone_from(&snapshot.parameters);
        run.find_layers();
        mixer.sample(&mut skeleton.pose);
        skeleton.compose();
        true
    }
}
