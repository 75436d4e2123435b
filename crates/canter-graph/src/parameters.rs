//! What the program tells a graph.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::data::ParameterKind;

/// A parameter of a [`Graph`](crate::Graph), found by its name once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ParameterId(pub(crate) u32);

impl ParameterId {
    /// Its place among the graph's parameters.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// A number.
    Float(#[serde(with = "float")] f32),
    /// A whole number.
    Int(i32),
    /// Yes or no.
    Bool(bool),
    /// Whether it is set.
    Trigger(bool),
}

impl Value {
    /// Of which kind.
    #[must_use]
    pub fn kind(self) -> ParameterKind {
        match self {
            Self::Float(_) => ParameterKind::Float,
            Self::Int(_) => ParameterKind::Int,
            Self::Bool(_) => ParameterKind::Bool,
            Self::Trigger(_) => ParameterKind::Trigger,
        }
    }
}

impl Value {
    /// Whether both are the same to the bit: here NaN is what it was, too.
    pub(crate) fn is_same(self, other: Self) -> bool {
        match (self, other) {
            (Self::Float(a), Self::Float(b)) => a.to_bits() == b.to_bits(),
            (a, b) => a == b,
        }
    }
}

impl From<f32> for Value {
    fn from(value: f32) -> Self {
        Self::Float(value)
    }
}

impl From<i32> for Value {
    fn from(value: i32) -> Self {
        Self::Int(value)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Float(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Trigger(is_set) => f.write_str(if *is_set { "set" } else { "not set" }),
        }
    }
}

/// The values of a graph's parameters: a plain value beside the [`GraphState`](crate::GraphState), made by
/// [`Graph::parameters`](crate::Graph::parameters). Only what it is at an update counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameters {
    values: Vec<Value>,
}

impl Parameters {
    pub(crate) fn new(values: Vec<Value>) -> Self {
        Self { values }
    }

    /// Sets a value: a float, an int or a bool, as the parameter is.
    ///
    /// # Errors
    /// If the parameter is of another kind or of a larger graph.
    pub fn set(&mut self, id: ParameterId, value: impl Into<Value>) -> Result<(), ParameterError> {
        let value = value.into();
        match self.values.get_mut(id.index()) {
            Some(present) if present.kind() == value.kind() => {
                *present = value;
                Ok(())
            }
            present => {
                Err(ParameterError { expected: present.map(|value| value.kind()), found: value.kind() })
            }
        }
    }

    /// Sets a trigger. Setting it again before it is taken means nothing more.
    ///
    /// # Errors
    /// If the parameter is no trigger.
    pub fn trigger(&mut self, id: ParameterId) -> Result<(), ParameterError> {
        self.set(id, Value::Trigger(true))
    }

    /// Takes a trigger back.
    ///
    /// # Errors
    /// If the parameter is no trigger.
    pub fn reset(&mut self, id: ParameterId) -> Result<(), ParameterError> {
        self.set(id, Value::Trigger(false))
    }

    /// What a parameter is; `None` if it is of a larger graph.
    #[must_use]
    pub fn get(&self, id: ParameterId) -> Option<Value> {
        self.values.get(id.index()).copied()
    }

    pub(crate) fn values(&self) -> &[Value] {
        &self.values
    }

    pub(crate) fn values_mut(&mut self) -> &mut [Value] {
        &mut self.values
    }
}

/// A parameter was given a value of another kind; it is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParameterError {
    /// What it is; `None` if there is no such parameter.
    pub expected: Option<ParameterKind>,
    /// What it was given.
    pub found: ParameterKind,
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.expected {
            Some(expected) => write!(f, "a {} was given a {}", name(expected), name(self.found)),
            None => write!(f, "there is no such parameter in this graph"),
        }
    }
}

impl std::error::Error for ParameterError {}

pub(crate) fn name(kind: ParameterKind) -> &'static str {
    match kind {
        ParameterKind::Float => "float",
        ParameterKind::Int => "int",
        ParameterKind::Bool => "bool",
        ParameterKind::Trigger => "trigger",
    }
}

/// JSON has no NaN and no infinity: the bits are kept for those.
mod float {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Stored {
        Number(f32),
        Bits { bits: u32 },
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
    pub(super) fn serialize<S: Serializer>(value: &f32, serializer: S) -> Result<S::Ok, S::Error> {
        let bits = Stored::Bits { bits: value.to_bits() };
        (if value.is_finite() { Stored::Number(*value) } else { bits }).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
        Ok(match Stored::deserialize(deserializer)? {
            Stored::Number(value) => value,
            Stored::Bits { bits } => f32::from_bits(bits),
        })
    }
}
