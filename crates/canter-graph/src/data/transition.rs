//! Transitions as they are written down.

use canter::Easing;
use serde::{Deserialize, Serialize};

use super::{ValueData, is_default};

/// What leads from one state to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TransitionData {
    /// The state that it leads from, or `any`.
    pub from: String,
    /// The state that it leads to, or `exit`: out of a machine in a state.
    pub to: String,
    /// What has to hold, all of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub when: Vec<ConditionData>,
    /// At which part of the source's cycle it may be taken: up to 1 in every loop, above 1 once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_time: Option<f32>,
    /// How long the fade takes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub duration: DurationData,
    /// How it leads from one to the other.
    #[serde(default, skip_serializing_if = "is_default")]
    pub fade: FadeData,
    /// On which curve, if it is a crossfade.
    #[serde(default, skip_serializing_if = "is_default")]
    pub easing: EasingData,
    /// Where the target begins: at its start unless given; one that is returned to goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enter: Option<EnterData>,
    /// Whose transitions may be taken while it fades.
    #[serde(default, skip_serializing_if = "is_default")]
    pub interrupt: InterruptData,
    /// Whether, of the source's, only those before it may be.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ordered: bool,
    /// Of several that are ready at an instant the one with the lowest is taken.
    #[serde(default, skip_serializing_if = "is_default")]
    pub priority: i32,
    /// From any state: whether it leads from its target to itself, too.
    #[serde(default, skip_serializing_if = "is_default")]
    pub to_self: bool,
}

impl TransitionData {
    /// What leads from one state to another, always, in 0.2 seconds.
    #[must_use]
    pub fn new(from: impl Into<String>, to: impl Into<String>) -> Self {
        Self {
            from: from.into(),
            to: to.into(),
            when: Vec::new(),
            exit_time: None,
            duration: DurationData::default(),
            fade: FadeData::Dead,
            easing: EasingData::SmoothStep,
            enter: None,
            interrupt: InterruptData::SourceThenTarget,
            ordered: false,
            priority: 0,
            to_self: false,
        }
    }

    /// The same if a condition holds, too.
    #[must_use]
    pub fn when(mut self, condition: ConditionData) -> Self {
        self.when.push(condition);
        self
    }

    /// The same at a part of the source's cycle.
    #[must_use]
    pub fn exit_time(mut self, part: f32) -> Self {
        self.exit_time = Some(part);
        self
    }

    /// The same in so many seconds.
    #[must_use]
    pub fn secs(mut self, secs: f32) -> Self {
        self.duration = DurationData::Secs(secs);
        self
    }
}

/// Something that holds or does not: a parameter, compared with a value. A trigger is compared with nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConditionData {
    /// Whose value.
    pub parameter: String,
    /// How it is compared; for equality unless given. Prefer `<=` and `>=` for floats: equality is exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub op: Option<OpData>,
    /// With what; a bool with `true` unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<ValueData>,
}

impl ConditionData {
    /// A trigger is set, or a bool is true.
    #[must_use]
    pub fn is_set(parameter: impl Into<String>) -> Self {
        Self { parameter: parameter.into(), op: None, value: None }
    }

    /// A bool is false.
    #[must_use]
    pub fn is_not(parameter: impl Into<String>) -> Self {
        Self { parameter: parameter.into(), op: None, value: Some(ValueData::Bool(false)) }
    }

    /// A number compares so.
    #[must_use]
    pub fn compare(parameter: impl Into<String>, op: OpData, value: f64) -> Self {
        Self { parameter: parameter.into(), op: Some(op), value: Some(ValueData::Number(value)) }
    }
}

/// How a parameter is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OpData {
    /// Exactly equal.
    #[serde(rename = "==")]
    Equal,
    /// Not equal.
    #[serde(rename = "!=")]
    NotEqual,
    /// Less.
    #[serde(rename = "<")]
    Less,
    /// Less or equal.
    #[serde(rename = "<=")]
    LessOrEqual,
    /// Greater.
    #[serde(rename = ">")]
    Greater,
    /// Greater or equal.
    #[serde(rename = ">=")]
    GreaterOrEqual,
}

impl OpData {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }
}

/// How long a fade takes: a number of seconds, or a part of a cycle as it plays then.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DurationData {
    /// A part of the source's cycle.
    OfSource(f32),
    /// A part of the target's cycle.
    OfTarget(f32),
    /// Seconds.
    #[serde(untagged)]
    Secs(f32),
}

impl Default for DurationData {
    fn default() -> Self {
        Self::Secs(0.2)
    }
}

/// How a transition leads from one state to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FadeData {
    /// Both play. One that interrupts another fade starts from what is on screen, as `dead` does.
    Cross,
    /// The source stands still and is blended over. One that interrupts another fade is as `dead`.
    Frozen,
    /// The difference to what was on screen dies away.
    Inertial,
    /// What was on screen moves on, and is blended over.
    #[default]
    Dead,
}

/// The curve of a crossfade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the curves are those of `canter::Easing`")]
pub enum EasingData {
    Linear,
    QuadraticIn,
    QuadraticOut,
    QuadraticInOut,
    #[default]
    SmoothStep,
    SmootherStep,
}

impl From<EasingData> for Easing {
    fn from(easing: EasingData) -> Self {
        match easing {
            EasingData::Linear => Self::Linear,
            EasingData::QuadraticIn => Self::QuadraticIn,
            EasingData::QuadraticOut => Self::QuadraticOut,
            EasingData::QuadraticInOut => Self::QuadraticInOut,
            EasingData::SmoothStep => Self::SmoothStep,
            EasingData::SmootherStep => Self::SmootherStep,
        }
    }
}

/// Where a state begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EnterData {
    /// At a part of its cycle.
    Offset(f32),
    /// At the part of its cycle at which the source is.
    KeepPhase,
    /// At a marker of its clip; of a space, of the first clip that has it.
    Marker(String),
}

/// Whose transitions may be taken while one fades. None but `none` keeps those from any state out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InterruptData {
    /// Nobody's.
    None,
    /// Those of the state that it came from.
    Source,
    /// Those of the state that it leads to.
    Target,
    /// Both; of those at the same instant the source's.
    #[default]
    SourceThenTarget,
    /// Both; of those at the same instant the target's.
    TargetThenSource,
}
