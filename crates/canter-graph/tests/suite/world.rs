//! A graph that runs with clips whose heights tell what plays: `A` rises from 0 to 1 in a second, `B` from 10
//! to 11 in a second, `C` from 20 to 22 in two seconds, `D` from 30 to 30.5 in half a second.

use std::sync::Arc;

use canter::glam::Vec3;
use canter::{Clip, Marker, Mixer, Pose, Skeleton, Track};
use canter_graph::{
    ConditionData, Graph, GraphData, GraphError, GraphEventKind, GraphState, LayerData, MachineData,
    ParameterData, ParameterKind, Parameters, StateData, TransitionData, Value,
};
use canter_testing::{chain, root};

pub(crate) fn skeleton() -> Arc<Skeleton> {
    chain(3)
}

fn clip(skeleton: &Skeleton, name: &str, secs: f32, from: f32, to: f32) -> Arc<Clip> {
    let mut clip = Clip::builder(name, skeleton);
    clip.translation(root(skeleton), Track::linear(vec![0.0, secs], vec![Vec3::Y * from, Vec3::Y * to]));
    clip.marker(Marker::new("step", secs / 2.0));
    Arc::new(clip.build().unwrap())
}

pub(crate) fn clips(skeleton: &Skeleton) -> Vec<Arc<Clip>> {
    let all = [("A", 1.0, 0.0, 1.0), ("B", 1.0, 10.0, 11.0), ("C", 2.0, 20.0, 22.0), ("D", 0.5, 30.0, 30.5)];
    all.map(|(name, secs, from, to)| clip(skeleton, name, secs, from, to)).into()
}

/// A graph of one layer, with a parameter of every kind that cases need.
pub(crate) fn graph(states: Vec<StateData>, transitions: Vec<TransitionData>) -> GraphData {
    use ParameterKind::{Bool, Float, Int, Trigger};
    let kinds = [
        ("jump", Trigger),
        ("flash", Trigger),
        ("go", Bool),
        ("back", Bool),
        ("n", Int),
        ("speed", Float),
        ("x", Float),
        ("y", Float),
    ];
    let mut parameters: Vec<_> = kinds.map(|(name, kind)| ParameterData::new(name, kind)).into();
    parameters[1].keep = false;
    let layers = vec![LayerData::new("base", MachineData::new(states, transitions))];
    GraphData { parameters, layers, ..GraphData::default() }
}

/// States that play the clips of their names, endlessly.
pub(crate) fn states(names: &[&str]) -> Vec<StateData> {
    names.iter().map(|name| StateData::new(*name, *name)).collect()
}

/// A transition that cuts.
pub(crate) fn cut(from: &str, to: &str) -> TransitionData {
    TransitionData::new(from, to).secs(0.0)
}

pub(crate) fn set(name: &str) -> ConditionData {
    ConditionData::is_set(name)
}

pub(crate) fn build(data: GraphData) -> Result<Graph, GraphError> {
    let skeleton = skeleton();
    let clips = clips(&skeleton);
    Graph::new(data, &skeleton, &clips)
}

pub(crate) struct World {
    pub(crate) graph: Graph,
    pub(crate) state: GraphState,
    pub(crate) parameters: Parameters,
    pub(crate) mixer: Mixer,
    pub(crate) pose: Pose,
    /// What happened, and when.
    pub(crate) log: Vec<(String, f64)>,
}

impl World {
    pub(crate) fn new(data: GraphData) -> Self {
        let skeleton = skeleton();
        let clips = clips(&skeleton);
        let graph = Graph::new(data, &skeleton, &clips).unwrap_or_else(|error| panic!("{error}"));
        let mut mixer = Mixer::new(&skeleton);
        let parameters = graph.parameters();
        let state = graph.start(&parameters, &mut mixer);
        Self { graph, state, parameters, mixer, pose: Pose::rest(&skeleton), log: Vec::new() }
    }

    pub(crate) fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.parameters.set(self.graph.parameter(name).unwrap(), value).unwrap();
    }

    pub(crate) fn trigger(&mut self, name: &str) {
        self.parameters.trigger(self.graph.parameter(name).unwrap()).unwrap();
    }

    pub(crate) fn is_set(&self, name: &str) -> bool {
        self.parameters.get(self.graph.parameter(name).unwrap()) == Some(Value::Trigger(true))
    }

    pub(crate) fn update(&mut self, dt_secs: f32) {
        self.graph.update(&mut self.state, &mut self.parameters, dt_secs, &mut self.mixer);
        for event in self.state.events() {
            let path = |state| self.graph.state_path(state);
            let text = match event.kind {
                GraphEventKind::Leave(state) => format!("leave {}", path(state)),
                GraphEventKind::Enter(state, _) => format!("enter {}", path(state)),
                GraphEventKind::Finished(state) => format!("finished {}", path(state)),
                GraphEventKind::ChainLimit => "limit".to_owned(),
                _ => "other".to_owned(),
            };
            self.log.push((text, self.state.time_secs() - f64::from(event.secs_ago)));
        }
    }

    /// What happened, without when.
    pub(crate) fn told(&self) -> Vec<&str> {
        self.log.iter().map(|(text, _)| text.as_str()).collect()
    }

    /// When something happened first.
    #[track_caller]
    pub(crate) fn when(&self, text: &str) -> f64 {
        self.log.iter().find(|(told, _)| told == text).unwrap_or_else(|| panic!("{text}: {:?}", self.log)).1
    }

    /// The path of the innermost state of the first layer.
    pub(crate) fn at(&self) -> &str {
        self.at_layer(0)
    }

    pub(crate) fn at_layer(&self, layer: usize) -> &str {
        self.state.state(layer).map_or("", |state| self.graph.state_path(state))
    }

    /// The height of the first joint.
    pub(crate) fn height(&mut self) -> f32 {
        self.mixer.sample(&mut self.pose);
        self.pose.joint(root(self.mixer.skeleton())).translation.y
    }

    /// The time of the action of a clip.
    #[track_caller]
    pub(crate) fn secs_of(&self, clip: &str) -> f32 {
        let mut actions = self.mixer.actions();
        actions.find(|(_, action)| action.clip().name() == clip).unwrap().1.time_secs()
    }
}

#[track_caller]
pub(crate) fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-5, "{found} is not {expected}");
}
