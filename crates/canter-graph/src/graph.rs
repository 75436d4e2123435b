//! A graph that was checked and can run: immutable, shared by all characters that move by it.

use std::fmt;
use std::sync::Arc;

use canter::{Clip, JointMask, LayerMode, LoopMode, MirrorError, Skeleton, SyncGroup};
use serde::{Deserialize, Serialize};

use crate::build::Builder;
use crate::data::{DurationData, EasingData, FadeData, GraphData, InterruptData, OpData};
use crate::error::{Fault, GraphError, Warning};
use crate::parameters::{ParameterId, Parameters, Value};
use crate::space::Space;

/// So many transitions a layer takes in one update at most.
pub const MOST_TRANSITIONS: u32 = 16;
/// So deep machines and blends may be nested.
pub const MOST_DEPTH: usize = 8;

/// A state of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct StateId(pub(crate) u32);

/// A transition of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TransitionId(pub(crate) u32);

/// State machines and blend spaces that decide what a mixer plays.
///
/// It is built from [`GraphData`], or JSON, for a skeleton and its clips, and never changes. What a character
/// is in is a [`GraphState`](crate::GraphState), what it is told are [`Parameters`].
#[derive(Clone, Debug)]
pub struct Graph {
    /// Another one for every graph that is built: states know by it that they were checked.
    pub(crate) number: u64,
    pub(crate) data: GraphData,
    pub(crate) defaults: Vec<Value>,
    /// Triggers that last for one update.
    pub(crate) fleeting: Vec<u32>,
    pub(crate) layers: Vec<Layer>,
    pub(crate) machines: Vec<Machine>,
    pub(crate) states: Vec<State>,
    pub(crate) transitions: Vec<Transition>,
    pub(crate) warnings: Vec<Warning>,
}

#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) mode: LayerMode,
    pub(crate) mask: Option<Arc<JointMask>>,
    pub(crate) weight: Amount,
    pub(crate) machine: usize,
    /// The most that any of its states has.
    pub(crate) leaves: usize,
    pub(crate) inputs: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Amount {
    Number(f32),
    Parameter(u32),
}

#[derive(Clone, Debug)]
pub(crate) struct Machine {
    pub(crate) layer: usize,
    /// Of the state that it is in; empty for that of a layer.
    pub(crate) path: String,
    pub(crate) states: Vec<u32>,
    pub(crate) entry: u32,
    /// Transitions from any of its states, in the order in which they are preferred.
    pub(crate) any: Vec<u32>,
    pub(crate) keep: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct State {
    /// Its name after those of the states that its machine is in.
    pub(crate) path: String,
    pub(crate) layer: usize,
    pub(crate) machine: usize,
    /// Its own, in the order in which they are preferred.
    pub(crate) transitions: Vec<u32>,
    /// The parameters that these, and those from any state of its machine, wait for.
    pub(crate) listens: ParameterSet,
    /// Whether any of them waits for an exit time.
    pub(crate) waits: bool,
    pub(crate) motion: Motion,
    pub(crate) speed: Amount,
    pub(crate) loops: LoopMode,
    /// The group that it was given.
    pub(crate) sync: Option<SyncGroup>,
    pub(crate) on_enter: Option<String>,
    pub(crate) on_leave: Option<String>,
}

impl State {
    /// How often it plays, if there is an end to it.
    pub(crate) fn plays(&self) -> Option<f64> {
        match self.loops {
            LoopMode::Once => Some(1.0),
            LoopMode::Times(times) => Some(f64::from(times.max(1))),
            _ => None,
        }
    }
}

/// Some of a graph's parameters, a bit for each; the last one is for all that come after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ParameterSet(u64);

impl ParameterSet {
    pub(crate) const ALL: Self = Self(u64::MAX);

    pub(crate) fn add(&mut self, parameter: usize) {
        self.0 |= 1 << parameter.min(63);
    }

    /// Whether any is in both.
    pub(crate) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Motion {
    /// Without leaves it is the rest pose.
    Play(Tree),
    Machine(usize),
    Hold,
}

/// Clips, and how their weights follow from parameters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub(crate) leaves: Vec<Leaf>,
    /// Children before their parents; the last is the root.
    pub(crate) nodes: Vec<Node>,
    /// How many of its nodes are spaces.
    pub(crate) inputs: usize,
    /// For so long its clips play evenly while places of spaces are smoothed; 0 if none ever are.
    pub(crate) cell_secs: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(crate) clip: Arc<Clip>,
    pub(crate) range: (f32, f32),
    pub(crate) speed: f32,
    /// Of its range.
    pub(crate) length_secs: f64,
}

impl Leaf {
    /// How long a cycle takes at its own speed.
    pub(crate) fn cycle_secs(&self) -> f64 {
        self.length_secs / f64::from(self.speed)
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Node {
    Leaf(usize),
    Blend {
        space: Box<Space>,
        parameters: [u32; 2],
        /// Which of the inputs it reads.
        input: usize,
        half_life_secs: f32,
        children: Vec<usize>,
    },
    Direct {
        items: Vec<(Amount, usize)>,
        normalize: bool,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Transition {
    pub(crate) machine: usize,
    /// `None` from any.
    pub(crate) from: Option<u32>,
    /// `None` out of the machine.
    pub(crate) to: Option<u32>,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) exit_time: Option<f64>,
    pub(crate) duration: DurationData,
    pub(crate) fade: FadeData,
    pub(crate) easing: EasingData,
    pub(crate) enter: Option<Enter>,
    pub(crate) interrupt: InterruptData,
    pub(crate) ordered: bool,
    pub(crate) priority: i32,
    pub(crate) to_self: bool,
    /// Its number in its machine.
    pub(crate) number: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Enter {
    /// At this part of the cycle.
    At(f64),
    KeepPhase,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Condition {
    pub(crate) parameter: u32,
    pub(crate) test: Test,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Test {
    Set,
    Bool(bool),
    Float(OpData, f32),
    Int(OpData, i32),
}

impl Condition {
    pub(crate) fn holds(&self, values: &[Value]) -> bool {
        match (self.test, values[self.parameter as usize]) {
            (Test::Set, Value::Trigger(is_set)) => is_set,
            (Test::Bool(expected), Value::Bool(value)) => value == expected,
            (Test::Float(op, other), Value::Float(value)) => compare(op, value, other),
            (Test::Int(op, other), Value::Int(value)) => compare(op, value, other),
            _ => false,
        }
    }
}

/// Of NaN nothing holds, not even that it is another number.
fn compare<T: PartialOrd>(op: OpData, a: T, b: T) -> bool {
    match op {
        OpData::Equal => a == b,
        #[expect(clippy::double_comparisons, reason = "NaN is neither")]
        OpData::NotEqual => a < b || a > b,
        OpData::Less => a < b,
        OpData::LessOrEqual => a <= b,
        OpData::Greater => a > b,
        OpData::GreaterOrEqual => a >= b,
    }
}

impl Graph {
    /// Checks a graph and makes it run with these clips. Clips that are not there are
    /// [warned](Self::warnings) of; the rest pose takes their place.
    ///
    /// # Errors
    /// If it is wrong, with the first place where it is.
    pub fn new<'c>(
        data: GraphData,
        skeleton: &Arc<Skeleton>,
        clips: impl IntoIterator<Item = &'c Arc<Clip>>,
    ) -> Result<Self, GraphError> {
        Builder::new(skeleton, clips.into_iter().cloned().collect(), None).build(data)
    }

    /// The same with a mirror, for states that play left for right ([`StateData::mirror`](crate::StateData)):
    /// `mirrored` makes a clip of another one when the graph is built, as `canter_rig::mirror::clip` and
    /// [`Clip::mirrored`] do.
    ///
    /// # Errors
    /// If it is wrong, with the first place where it is.
    pub fn with_mirror<'c>(
        data: GraphData,
        skeleton: &Arc<Skeleton>,
        clips: impl IntoIterator<Item = &'c Arc<Clip>>,
        mirrored: impl Fn(&Clip) -> Result<Clip, MirrorError>,
    ) -> Result<Self, GraphError> {
        Builder::new(skeleton, clips.into_iter().cloned().collect(), Some(&mirrored)).build(data)
    }

    /// Reads a graph from JSON; see [`new`](Self::new).
    ///
    /// # Errors
    /// If it is no JSON of a graph, or wrong.
    pub fn from_json<'c>(
        json: &str,
        skeleton: &Arc<Skeleton>,
        clips: impl IntoIterator<Item = &'c Arc<Clip>>,
    ) -> Result<Self, GraphError> {
        Self::new(GraphData::from_json(json)?, skeleton, clips)
    }

    /// What it was built from.
    #[must_use]
    pub fn data(&self) -> &GraphData {
        &self.data
    }

    /// What is probably not meant.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The values that its parameters begin with.
    #[must_use]
    pub fn parameters(&self) -> Parameters {
        Parameters::new(self.defaults.clone())
    }

    /// The parameter of a name.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<ParameterId> {
        let index = self.data.parameters.iter().position(|parameter| parameter.name == name)?;
        u32::try_from(index).ok().map(ParameterId)
    }

    /// The state of a name in a layer; one in a state's machine after the name of that: `Combat/Attack`.
    #[must_use]
    pub fn state(&self, layer: &str, path: &str) -> Option<StateId> {
        let layer = self.data.layers.iter().position(|data| data.name == layer)?;
        let index = self.states.iter().position(|state| state.layer == layer && state.path == path)?;
        u32::try_from(index).ok().map(StateId)
    }

    /// The name of a state, after those of the states that its machine is in.
    #[must_use]
    pub fn state_path(&self, state: StateId) -> &str {
        self.states.get(state.0 as usize).map_or("", |state| &state.path)
    }

    /// The name of the layer that a state is on.
    #[must_use]
    pub fn layer_name(&self, state: StateId) -> &str {
        let layer = self.states.get(state.0 as usize).map(|state| state.layer);
        layer.and_then(|layer| self.data.layers.get(layer)).map_or("", |layer| &layer.name)
    }

    /// What is told when a state is entered, and when it is left.
    #[must_use]
    pub fn state_events(&self, state: StateId) -> (Option<&str>, Option<&str>) {
        let state = self.states.get(state.0 as usize);
        (state.and_then(|state| state.on_enter.as_deref()), state.and_then(|state| state.on_leave.as_deref()))
    }
}

impl GraphData {
    /// Reads a graph.
    ///
    /// # Errors
    /// If it is no JSON, not that of a graph, or has a field that is not known.
    pub fn from_json(json: &str) -> Result<Self, GraphError> {
        serde_json::from_str(json).map_err(|error| GraphError::of(Fault::Json(error.to_string())))
    }

    /// Writes it, as it is read.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("it is nothing but names and numbers")
    }
}

impl fmt::Display for GraphData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_json())
    }
}
