//! Graphs: what decides what a mixer plays.
//!
//! Names go to JavaScript once, when a graph is made; from then on states and parameters are places in lists.

mod describe;
mod event;
mod read;
mod snapshot;

use std::cell::OnceCell;
use std::rc::Rc;

use canter::{Clip, LayerId};
use canter_graph::{Graph, GraphState, ParameterId, Parameters, StateId, Value};
use canter_rig::mirror;

use crate::asset::LoadedAsset;
use crate::host::{Host, word};
use crate::reader::Reader;

pub(crate) use self::event::GraphMarker;
pub(crate) use self::snapshot::Snapshot;

/// What JavaScript calls a graph: one that drives one mixer.
pub(crate) struct GraphRun {
    graph: Rc<Graph>,
    asset: Rc<LoadedAsset>,
    state: GraphState,
    parameters: Parameters,
    /// By the places of their names.
    ids: Rc<[ParameterId]>,
    /// Those of the mixer on which its own play.
    layers: Vec<LayerId>,
    /// What happened in the last update, for JavaScript.
    events: Vec<[u32; 4]>,
    markers: Vec<GraphMarker>,
    /// How many markers the last update left out.
    left_out: usize,
}

impl GraphRun {
    fn parameter(&self, place: u32) -> Option<(ParameterId, Value)> {
        let id = *self.ids.get(place as usize)?;
        Some((id, self.parameters.get(id)?))
    }

    fn find_layers(&mut self) {
        self.layers.clear();
        self.layers.extend((0..).map_while(|layer| self.state.layer_id(layer)));
    }

    fn state_at(&self, place: u32) -> Option<StateId> {
        self.graph.states().nth(place as usize)
    }
}

impl Host {
    /// Makes the graph in the input drive a mixer. 0 if it cannot be built; the output then says why.
    pub(crate) fn new_graph(&mut self, mixer: u32) -> u32 {
        let input = self.take_input();
        let Some(mixers) = self.mixers.get(mixer) else { return 0 };
        let asset = Rc::clone(&mixers.asset);
        let data = read::graph(&mut Reader::new(&input));
        let skeleton = &asset.gltf.skeleton;
        // Most graphs have no use for one, and few skeletons are symmetric.
        let mirror = OnceCell::new();
        let mirrored = |clip: &Clip| match mirror.get_or_init(|| mirror::find(skeleton)) {
            Ok(mirror) => mirror::clip(mirror, clip),
            Err(error) => Err(error.clone()),
        };
        let built = Graph::with_mirror(data, skeleton, &*asset.clips.borrow(), mirrored);
        match built {
            Ok(graph) => {
                let names = graph.data().parameters.iter();
                let ids = names.filter_map(|parameter| graph.parameter(&parameter.name)).collect();
                self.start_graph(Rc::new(graph), ids, mixer)
            }
            Err(error) => {
                self.put_output(describe::error(&error));
                0
            }
        }
    }

    /// Makes a graph drive another mixer, too, from its start.
    pub(crate) fn clone_graph(&mut self, graph: u32, mixer: u32) -> u32 {
        let Some(run) = self.graphs.get(graph) else { return 0 };
        let (graph, ids) = (Rc::clone(&run.graph), Rc::clone(&run.ids));
        self.start_graph(graph, ids, mixer)
    }

    fn start_graph(&mut self, graph: Rc<Graph>, ids: Rc<[ParameterId]>, mixer: u32) -> u32 {
        let Some(mixers) = self.mixers.get_mut(mixer) else { return 0 };
        let asset = Rc::clone(&mixers.asset);
        let Some(mixer) = mixers.get_mut(0) else { return 0 };
        let parameters = graph.parameters();
        let state = graph.start(&parameters, mixer);
        let mut run = GraphRun {
            graph,
            asset,
            state,
            parameters,
            ids,
            layers: Vec::new(),
            events: Vec::new(),
            markers: Vec::new(),
            left_out: 0,
        };
        run.find_layers();
        self.graphs.insert(run)
    }

    /// All stages of one character. Returns how many events there are, and 2³¹ more if there are markers.
    pub(crate) fn update_graph(
        &mut self,
        (graph, mixer, skeleton): (u32, u32, u32),
        dt_secs: f32,
        wants_markers: bool,
    ) -> u32 {
        let Some(run) = self.graphs.get_mut(graph) else { return 0 };
        let Some(mixer) = self.mixers.get_mut(mixer).and_then(|mixers| mixers.get_mut(0)) else { return 0 };
        let Some(skeleton) = self.skeletons.get_mut(skeleton) else { return 0 };
        let told = run.update(dt_secs, mixer, wants_markers);
        mixer.sample(&mut skeleton.pose);
        skeleton.compose();
        told
    }

    /// Gives a parameter a value, made one of its kind. JavaScript has checked it.
    pub(crate) fn set_parameter(&mut self, graph: u32, place: u32, value: f64) {
        let Some(run) = self.graphs.get_mut(graph) else { return };
        let Some((id, present)) = run.parameter(place) else { return };
        #[expect(clippy::cast_possible_truncation, reason = "JavaScript has only doubles")]
        let value = match present {
            Value::Float(_) => Value::Float(value as f32),
            Value::Int(_) => Value::Int(value as i32),
            Value::Bool(_) => Value::Bool(value != 0.0),
            Value::Trigger(_) => Value::Trigger(value != 0.0),
        };
        let _ = run.parameters.set(id, value);
    }

    /// What a parameter is, as a number.
    pub(crate) fn parameter(&self, graph: u32, place: u32) -> f64 {
        let value = self.graphs.get(graph).and_then(|run| run.parameter(place));
        value.map_or(0.0, |(_, value)| number(value))
    }

    /// One more than the place of the innermost state that a layer is in; 0 if there is none.
    pub(crate) fn graph_state(&self, graph: u32, layer: u32) -> u32 {
        let state = self.graphs.get(graph).and_then(|run| run.state.state(layer as usize));
        state.map_or(0, |state| word(state.index()) + 1)
    }

    /// Writes the innermost fade of a layer that is under way: the places of both states, its progress and its length.
    /// `false` if there is none.
    pub(crate) fn graph_fade(&mut self, graph: u32, layer: u32) -> bool {
        let Some(run) = self.graphs.get(graph) else { return false };
        let Some(fade) = run.state.fades(layer as usize).last() else { return false };
        #[expect(clippy::cast_possible_truncation, reason = "to be shown")]
        let [progress, secs] = [fade.progress() as f32, fade.secs as f32].map(f32::to_bits);
        self.answer[..4].copy_from_slice(&[word(fade.from.index()), word(fade.to.index()), progress, secs]);
        true
    }

    pub(crate) fn graph_time(&self, graph: u32) -> f64 {
        self.graphs.get(graph).map_or(0.0, |run| run.state.time_secs())
    }

    /// Writes to the answer the way of the last update, as `root_motion` does.
    pub(crate) fn graph_root(&mut self, graph: u32) {
        let Some(run) = self.graphs.get(graph) else { return };
        self.put_root(&run.state.root_motion());
    }

    /// Leads a layer to a state. One more than the number of transitions; 0 if there is no way, and the output says why.
    pub(crate) fn travel(&mut self, graph: u32, place: u32) -> u32 {
        let Some(run) = self.graphs.get_mut(graph) else { return 0 };
        let Some(to) = run.state_at(place) else { return 0 };
        match run.graph.travel(&mut run.state, to) {
            Ok(count) => word(count) + 1,
            Err(error) => {
                self.put_output(error.to_string().into_bytes());
                0
            }
        }
    }

    pub(crate) fn stop_travelling(&mut self, graph: u32, layer: u32) {
        if let Some(run) = self.graphs.get_mut(graph) {
            run.graph.stop_travelling(&mut run.state, layer as usize);
        }
    }
}

/// A value as JavaScript has it.
fn number(value: Value) -> f64 {
    match value {
        Value::Float(value) => value.into(),
        Value::Int(value) => value.into(),
        Value::Bool(is_set) | Value::Trigger(is_set) => f64::from(u8::from(is_set)),
    }
}
