//! A graph as it is written down: what JSON holds, and what a program puts together.

mod layer;
mod motion;
mod transition;

use serde::{Deserialize, Serialize};

pub use layer::{AdditiveData, LayerData, LayerModeData, MaskData, ReferenceClip, ReferenceData};
pub use motion::{
    Blend1dData, Blend2dData, ClipMotion, ClipMotionSettings, DirectData, DirectItemData, MethodData,
    MotionData, Place1dData, Place2dData, Point1dData, Point2dData,
};
pub use transition::{
    ConditionData, DurationData, EasingData, EnterData, FadeData, InterruptData, OpData, TransitionData,
};

/// The version of the format that this crate reads and writes.
pub const VERSION: u32 = 1;

/// A graph before it is built: parameters, and one state machine per layer. [`Graph::new`](crate::Graph::new)
/// checks it and makes it run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GraphData {
    /// Where editors find the schema.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Of the format: [`VERSION`].
    pub version: u32,
    /// What the program tells the graph.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<ParameterData>,
    /// States that stay in step with each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sync_groups: Vec<SyncGroupData>,
    /// From below; the first is the base.
    pub layers: Vec<LayerData>,
}

impl Default for GraphData {
    fn default() -> Self {
        Self {
            schema: None,
            version: VERSION,
            parameters: Vec::new(),
            sync_groups: Vec::new(),
            layers: Vec::new(),
        }
    }
}

/// Something that the program tells the graph, by name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParameterData {
    /// Its name.
    pub name: String,
    /// What values it has.
    pub kind: ParameterKind,
    /// Its value at the start; 0, false or not set unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<ValueData>,
    /// Of a trigger: whether it stays set until a transition takes it. If not, it lasts for one update.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub keep: bool,
}

impl ParameterData {
    /// A parameter of a kind.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: ParameterKind) -> Self {
        Self { name: name.into(), kind, default: None, keep: true }
    }
}

/// The values that a parameter has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ParameterKind {
    /// A number.
    Float,
    /// A whole number.
    Int,
    /// Yes or no.
    Bool,
    /// Set by the program, and taken by the transition that waits for it.
    Trigger,
}

/// A value in the data: `true`, or a number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ValueData {
    /// Yes or no.
    Bool(bool),
    /// A number, whole or not.
    Number(f64),
}

/// A number, or the name of a float parameter that gives it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AmountData {
    /// Always this.
    Number(f32),
    /// What this parameter is.
    Parameter(String),
}

impl AmountData {
    /// One, which most amounts are.
    pub const ONE: Self = Self::Number(1.0);

    pub(crate) fn one() -> Self {
        Self::ONE
    }

    pub(crate) fn is_one(&self) -> bool {
        *self == Self::ONE
    }
}

/// States that stay in step: a walk and a run whose feet come down together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SyncGroupData {
    /// Its name.
    pub name: String,
    /// What is in step.
    #[serde(default, skip_serializing_if = "is_default")]
    pub by: SyncByData,
}

/// What a group has in step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SyncByData {
    /// The markers that its clips have in common; the cycle where there are none.
    #[default]
    Markers,
    /// The part of the clip that has passed.
    Cycle,
}

/// States and how they lead to each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MachineData {
    /// The state that it begins in.
    pub entry: String,
    /// Of a machine in a state: whether it goes on in the state in which it was left.
    #[serde(default, skip_serializing_if = "is_default")]
    pub keep: bool,
    /// What it can be in.
    pub states: Vec<StateData>,
    /// What leads from one to another.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transitions: Vec<TransitionData>,
}

impl MachineData {
    /// A machine that begins in the first of some states.
    #[must_use]
    pub fn new(states: Vec<StateData>, transitions: Vec<TransitionData>) -> Self {
        let entry = states.first().map(|state| state.name.clone()).unwrap_or_default();
        Self { entry, keep: false, states, transitions }
    }
}

/// What a machine can be in: something that plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateData {
    /// Its name, once in its machine.
    pub name: String,
    /// What plays.
    pub motion: MotionData,
    /// How fast.
    #[serde(default = "AmountData::one", skip_serializing_if = "AmountData::is_one")]
    pub speed: AmountData,
    /// What happens at the end.
    #[serde(rename = "loop", default, skip_serializing_if = "is_default")]
    pub loops: LoopData,
    /// Whether its clips play left for right, and those of machines in it: that takes a graph that is built
    /// with a mirror, [`Graph::with_mirror`](crate::Graph::with_mirror).
    #[serde(default, skip_serializing_if = "is_default")]
    pub mirror: bool,
    /// The group that it stays in step with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync: Option<String>,
    /// What is told when it is entered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_enter: Option<String>,
    /// What is told when it is left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_leave: Option<String>,
    /// Where an editor draws it; means nothing otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<[f32; 2]>,
}

impl StateData {
    /// A state that plays something endlessly at normal speed.
    #[must_use]
    pub fn new(name: impl Into<String>, motion: impl Into<MotionData>) -> Self {
        Self {
            name: name.into(),
            motion: motion.into(),
            speed: AmountData::ONE,
            loops: LoopData::Repeat,
            mirror: false,
            sync: None,
            on_enter: None,
            on_leave: None,
            position: None,
        }
    }

    /// A state that plays something once and holds the last pose.
    #[must_use]
    pub fn once(name: impl Into<String>, motion: impl Into<MotionData>) -> Self {
        Self { loops: LoopData::Once, ..Self::new(name, motion) }
    }
}

/// What a state does at the end of its motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LoopData {
    /// It holds the last pose.
    Once,
    /// It plays so often, then holds the last pose.
    Times(u32),
    /// It begins again.
    #[default]
    Repeat,
    /// It runs back, and at the start forward again.
    PingPong,
}

pub(crate) fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
pub(crate) fn is_true(value: &bool) -> bool {
    *value
}

pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
