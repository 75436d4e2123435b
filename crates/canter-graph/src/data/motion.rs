//! What a state plays, as it is written down.

use serde::{Deserialize, Serialize};

use super::{AmountData, MachineData, is_default};

/// What a state, or a point of a blend space, plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MotionData {
    /// One clip.
    Clip(ClipMotion),
    /// Clips along a line.
    Blend1d(Blend1dData),
    /// Clips on a plane.
    Blend2d(Blend2dData),
    /// Clips with weights of their own.
    Direct(DirectData),
    /// A machine of its own; of states only.
    Machine(Box<MachineData>),
    /// The pose that was there; of states only.
    Hold,
    /// The rest pose; on a layer above the base, nothing.
    Rest,
}

impl MotionData {
    /// A whole clip at its own speed.
    #[must_use]
    pub fn clip(name: impl Into<String>) -> Self {
        Self::Clip(ClipMotion::Name(name.into()))
    }
}

impl From<&str> for MotionData {
    /// A whole clip at its own speed.
    fn from(clip: &str) -> Self {
        Self::clip(clip)
    }
}

impl From<MachineData> for MotionData {
    fn from(machine: MachineData) -> Self {
        Self::Machine(Box::new(machine))
    }
}

impl From<Blend1dData> for MotionData {
    fn from(blend: Blend1dData) -> Self {
        Self::Blend1d(blend)
    }
}

impl From<Blend2dData> for MotionData {
    fn from(blend: Blend2dData) -> Self {
        Self::Blend2d(blend)
    }
}

impl From<DirectData> for MotionData {
    fn from(direct: DirectData) -> Self {
        Self::Direct(direct)
    }
}

/// A clip: its name alone, or with settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ClipMotion {
    /// All of it at its own speed.
    Name(String),
    /// With settings.
    Settings(ClipMotionSettings),
}

impl ClipMotion {
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Name(name) => name,
            Self::Settings(settings) => &settings.name,
        }
    }
}

/// A clip and how it is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClipMotionSettings {
    /// Its name.
    pub name: String,
    /// The part that is played, in seconds from its start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<[f32; 2]>,
    /// How fast, above 0.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub speed: f32,
}

fn one() -> f32 {
    1.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
#[expect(clippy::float_cmp, reason = "what is exactly the default needs no writing")]
fn is_one(value: &f32) -> bool {
    *value == 1.0
}

/// Motions along a line: between two neighbours both play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Blend1dData {
    /// The float parameter that says where.
    pub parameter: String,
    /// In how many seconds half the way to a new value is made; at once unless given.
    #[serde(default, skip_serializing_if = "is_default")]
    pub half_life: f32,
    /// Where points are that do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place1dData>,
    /// What plays where.
    pub points: Vec<Point1dData>,
}

/// What of a clip says where it is on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place1dData {
    /// How fast it covers ground, in metres per second.
    Speed,
    /// How fast it turns, in radians per second, to the left.
    Turn,
}

/// A motion on a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point1dData {
    /// Where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<f32>,
    /// What plays.
    pub motion: MotionData,
}

/// Motions on a plane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Blend2dData {
    /// The float parameters that say where.
    pub parameters: [String; 2],
    /// How weights follow from that.
    #[serde(default, skip_serializing_if = "is_default")]
    pub method: MethodData,
    /// In how many seconds half the way to a new value is made; at once unless given.
    #[serde(default, skip_serializing_if = "is_default")]
    pub half_life: f32,
    /// Where points are that do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place2dData>,
    /// What plays where.
    pub points: Vec<Point2dData>,
}

/// How weights follow from a place on a plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MethodData {
    /// The three corners of a triangle play: the fewest clips.
    #[default]
    Triangles,
    /// All whose bands reach the place; smoother.
    Cartesian,
    /// The same by direction and distance from the middle: for clips that walk in directions.
    Directional,
}

/// What of a clip says where it is on a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place2dData {
    /// How fast it goes to the left and forward, in metres per second.
    Velocity,
    /// How fast it turns to the left, in radians per second, and how fast it covers ground.
    TurnAndSpeed,
}

/// A motion on a plane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point2dData {
    /// Where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<[f32; 2]>,
    /// What plays.
    pub motion: MotionData,
}

/// Motions with weights of their own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DirectData {
    /// Whether weights are divided by their sum; so unless given, but not on additive layers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normalize: Option<bool>,
    /// What plays, and how much of it.
    pub items: Vec<DirectItemData>,
}

/// A motion with a weight of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DirectItemData {
    /// How much of it.
    pub weight: AmountData,
    /// What plays.
    pub motion: MotionData,
}
