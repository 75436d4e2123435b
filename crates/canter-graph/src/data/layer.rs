//! Layers as they are written down.

use serde::{Deserialize, Serialize};

use super::{AmountData, MachineData, is_default};

/// A state machine, and what of the figure it moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerData {
    /// Its name.
    pub name: String,
    /// What it does with what is below it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mode: LayerModeData,
    /// Which joints it moves; all unless given. The base moves all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mask: Option<MaskData>,
    /// How strong it is. The base is there in full.
    #[serde(default = "AmountData::one", skip_serializing_if = "AmountData::is_one")]
    pub weight: AmountData,
    /// What decides what plays on it.
    pub machine: MachineData,
}

impl LayerData {
    /// A layer that covers what is below.
    #[must_use]
    pub fn new(name: impl Into<String>, machine: MachineData) -> Self {
        let mode = LayerModeData::Override;
        Self { name: name.into(), mode, mask: None, weight: AmountData::ONE, machine }
    }
}

/// What a layer does with what is below it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LayerModeData {
    /// It covers it.
    #[default]
    Override,
    /// It adds to it.
    Additive(AdditiveData),
}

/// How clips are made additive.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdditiveData {
    /// The pose that they are the difference from.
    #[serde(default, skip_serializing_if = "is_default")]
    pub reference: ReferenceData,
}

/// The pose that an additive clip is the difference from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReferenceData {
    /// The rest pose.
    #[default]
    Rest,
    /// Each clip's own first pose.
    FirstKey,
    /// The pose of a clip at a time.
    #[serde(untagged)]
    Clip(ReferenceClip),
}

/// The pose of a clip at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReferenceClip {
    /// Its name.
    pub clip: String,
    /// When, in seconds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub time: f32,
}

/// Which joints a layer moves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MaskData {
    /// These joints and all that hang on them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subtree: Vec<String>,
    /// These joints alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<String>,
    /// Over how many joints the edge is spread.
    #[serde(default, skip_serializing_if = "is_default")]
    pub feather: u32,
    /// How much of the morph weights it moves, from 0 to 1.
    #[serde(default, skip_serializing_if = "is_default")]
    pub morphs: f32,
}
