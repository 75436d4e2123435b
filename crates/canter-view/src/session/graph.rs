//! A graph that decides what the figure and its copies play.

mod alike;
mod edit;
mod file;
mod layout;
mod machine;
mod range;

use std::path::PathBuf;

use canter::{MarkerEvent, Mixer};
use canter_graph::{Explanation, Graph, GraphData, GraphError, GraphState, Parameters, StateId, Value};
use canter_rig::mirror;
use canter_scene::NodeId;

use super::crowd::phase;
use super::travel::affine;
use super::{LONGEST_MEMORY_SECS, Session};
pub use edit::GraphEdit;
pub(crate) use layout::{NODE_SIZE, layout};
pub use machine::MachinePath;
pub(crate) use machine::{machine, motion_label, point_labels, prefix};
pub(crate) use range::range;

/// A graph with all that runs by it.
#[derive(Clone, Debug)]
pub struct SessionGraph {
    /// As it is edited: the graph may have been built before states were moved about in the diagram.
    data: GraphData,
    graph: Graph,
    name: String,
    path: Option<PathBuf>,
    /// The figure first, then its copies; empty while clips are played by hand.
    runs: Vec<GraphRun>,
    is_changed: bool,
    /// What it was before each edit, the last one last.
    undo: Vec<GraphData>,
}

/// A character that moves by the graph.
#[derive(Clone, Debug)]
struct GraphRun {
    node: NodeId,
    state: GraphState,
    /// Of its own: a trigger is taken by each of them at another time.
    parameters: Parameters,
}

impl SessionGraph {
    /// What it consists of.
    #[must_use]
    pub fn data(&self) -> &GraphData {
        &self.data
    }

    /// What runs.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it differs from its file.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.is_changed
    }

    /// Whether an edit can be taken back.
    #[must_use]
    pub fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }

    /// What the figure is in; `None` while clips are played by hand.
    #[must_use]
    pub fn state(&self) -> Option<&GraphState> {
        self.runs.first().map(|run| &run.state)
    }

    /// The value of a parameter, by its place in the data.
    #[must_use]
    pub fn value(&self, parameter: usize) -> Option<Value> {
        let id = self.graph.parameter(&self.data.parameters.get(parameter)?.name)?;
        match self.runs.first() {
            Some(run) => run.parameters.get(id),
            None => self.graph.parameters().get(id),
        }
    }
}

impl Session {
    /// The graph, whether it runs or not.
    #[must_use]
    pub fn graph(&self) -> Option<&SessionGraph> {
        self.graph.as_ref()
    }

    /// Whether a graph decides what plays.
    #[must_use]
    pub fn runs_graph(&self) -> bool {
        self.graph.as_ref().is_some_and(|graph| !graph.runs.is_empty())
    }

    /// Builds a graph for the clips of the model, and runs it.
    ///
    /// # Errors
    /// If it is wrong; what was there goes on.
    pub fn use_graph(&mut self, data: GraphData, name: &str) -> Result<(), GraphError> {
        let graph = self.build_graph(&data)?;
        self.graph = Some(SessionGraph {
            data,
            graph,
            name: name.to_owned(),
            path: None,
            runs: Vec::new(),
            is_changed: false,
            undo: Vec::new(),
        });
        self.run_graph(true);
        Ok(())
    }

    /// Lets the graph decide what plays from its start on, or stops it and plays a clip.
    pub fn run_graph(&mut self, runs: bool) {
        if runs && self.graph.is_some() {
            self.layers.clear();
            self.graph.iter_mut().for_each(|graph| graph.runs.clear());
            self.start_graph();
            self.is_playing = true;
            self.update(0.0);
        } else if self.runs_graph() {
            let (current, is_playing) = (self.current, self.is_playing);
            let fade_secs = std::mem::replace(&mut self.fade_secs, 0.0);
            self.leave_graph();
            // A file without clips stands still.
            let _ = self.fade_to(current);
            (self.fade_secs, self.is_playing) = (fade_secs, is_playing);
            self.update(0.0);
        }
    }

    /// A graph for the model's clips; states that play left for right find their mirror by the names of joints.
    fn build_graph(&self, data: &GraphData) -> Result<Graph, GraphError> {
        match mirror::find(self.skeleton()) {
            Ok(found) => Graph::with_mirror(data.clone(), self.skeleton(), &self.clips, |clip| {
                mirror::clip(&found, clip)
            }),
            Err(_) => Graph::new(data.clone(), self.skeleton(), &self.clips),
        }
    }

    /// Runs the same graph with other clips.
    pub(super) fn rebuild_graph(&mut self) {
        let Some(built) = self.graph.as_ref().map(|graph| self.build_graph(&graph.data)) else { return };
        match (built, &mut self.graph) {
            (Ok(built), Some(graph)) => graph.graph = built,
            (Err(error), _) => self.error = Some(error.to_string()),
            (Ok(_), None) => {}
        }
        self.start_graph();
        self.update(0.0);
    }

    /// Makes room for a clip that is played by hand.
    pub(super) fn leave_graph(&mut self) {
        if self.runs_graph() {
            self.graph.iter_mut().for_each(|graph| graph.runs.clear());
            let skeleton = self.skeleton().clone();
            self.each_mixer(|mixer, _| *mixer = Mixer::new(&skeleton));
        }
    }

    /// Takes the graph away.
    pub fn close_graph(&mut self) {
        self.run_graph(false);
        self.graph = None;
        self.touch();
    }

    /// Sets a parameter, by its place in the data. A value of another kind is refused.
    pub fn set_parameter(&mut self, parameter: usize, value: Value) -> bool {
        let Some(graph) = &mut self.graph else { return false };
        let name = graph.data.parameters.get(parameter).map_or("", |data| &data.name);
        let Some(id) = graph.graph.parameter(name) else { return false };
        self.version += 1;
        graph.runs.iter_mut().fold(false, |_, run| run.parameters.set(id, value).is_ok())
    }

    /// Leads the figure and its copies to a state over transitions. If no way leads there,
    /// [`error`](Self::error) says so.
    pub fn travel_to(&mut self, state: StateId) -> bool {
        let Some(graph) = &mut self.graph else { return false };
        let mut is_on_its_way = false;
        for run in &mut graph.runs {
            match graph.graph.travel(&mut run.state, state) {
                Ok(_) => is_on_its_way = true,
                Err(error) => self.error = Some(format!("{}: {error}", graph.graph.state_path(state))),
            }
        }
        is_on_its_way
    }

    /// What the graph does with the figure, and why.
    #[must_use]
    pub fn explanation(&self) -> Option<Explanation> {
        let graph = self.graph.as_ref()?;
        let run = graph.runs.first()?;
        Some(graph.graph.explain(&run.state, &run.parameters, &self.figure().mixer))
    }

    /// Begins anew for all characters, each at a time of its own, with the values that parameters have.
    fn start_graph(&mut self) {
        let Some(graph) = &mut self.graph else { return };
        let parameters = graph.runs.first().map(|run| run.parameters.clone());
        let parameters = parameters.unwrap_or_else(|| graph.graph.parameters());
        graph.runs.clear();
        for (number, node) in [self.figure].into_iter().chain(self.crowd.iter().copied()).enumerate() {
            let Some(character) = self.scene.character_mut(node) else { continue };
            character.mixer = Mixer::new(&character.model.asset.skeleton);
            let mut parameters = parameters.clone();
            let mut state = graph.graph.start(&parameters, &mut character.mixer);
            graph.graph.update(&mut state, &mut parameters, phase(number), &mut character.mixer);
            graph.runs.push(GraphRun { node, state, parameters });
        }
    }

    /// One step of all characters by the graph. Returns the markers that the figure crossed.
    pub(super) fn step_graph(&mut self, dt_secs: f32) -> Vec<MarkerEvent> {
        let is_crowd_new = |graph: &SessionGraph| graph.runs.len() != 1 + self.crowd.len();
        if self.graph.as_ref().is_some_and(is_crowd_new) {
            self.start_graph();
        }
        let mut crossed = Vec::new();
        let Some(graph) = &mut self.graph else { return crossed };
        let dt_secs = dt_secs * self.speed.max(0.0);
        for run in &mut graph.runs {
            let Some(character) = self.scene.character_mut(run.node) else { continue };
            let (travels, is_figure) = (character.travels, run.node == self.figure);
            let GraphRun { state, parameters, .. } = run;
            graph.graph.update_telling(state, parameters, dt_secs, &mut character.mixer, |mixer, later| {
                if is_figure && travels {
                    let events =
                        mixer.markers().map(|it| MarkerEvent { secs_ago: it.secs_ago + later, ..it });
                    crossed.extend(events.filter(|event| event.secs_ago < LONGEST_MEMORY_SECS));
                }
            });
            self.travel.is_disturbed |= is_figure && !run.state.events().is_empty();
            let local = self.scene.local(run.node).filter(|_| travels);
            if let Some(local) = local {
                self.scene.set_local(run.node, local * affine(run.state.root_motion().transform));
            }
        }
        self.scene.update_transforms();
        crossed
    }
}

#[cfg(test)]
pub(crate) mod tests;
