//! What can be chosen of transitions and states, with words for it.

use canter_graph::{EasingData, FadeData, InterruptData, LoopData, OpData};

pub(super) const FADES: &[(FadeData, &str)] = &[
    (FadeData::Dead, "dead"),
    (FadeData::Cross, "cross"),
    (FadeData::Inertial, "inertial"),
    (FadeData::Frozen, "frozen"),
];

pub(super) const EASINGS: &[(EasingData, &str)] = &[
    (EasingData::Linear, "linear"),
    (EasingData::QuadraticIn, "slow at the start"),
    (EasingData::QuadraticOut, "slow at the end"),
    (EasingData::QuadraticInOut, "slow at both ends"),
    (EasingData::SmoothStep, "smooth"),
    (EasingData::SmootherStep, "smoother"),
];

pub(super) const INTERRUPTS: &[(InterruptData, &str)] = &[
    (InterruptData::None, "nobody"),
    (InterruptData::Source, "source"),
    (InterruptData::Target, "target"),
    (InterruptData::SourceThenTarget, "source, then target"),
    (InterruptData::TargetThenSource, "target, then source"),
];

pub(super) const LOOPS: &[(LoopData, &str)] = &[
    (LoopData::Repeat, "repeat"),
    (LoopData::Once, "once"),
    (LoopData::PingPong, "there and back"),
    (LoopData::Times(2), "twice"),
    (LoopData::Times(3), "three times"),
];

pub(super) const OPS: &[(OpData, &str)] = &[
    (OpData::Equal, "="),
    (OpData::NotEqual, "≠"),
    (OpData::Less, "<"),
    (OpData::LessOrEqual, "≤"),
    (OpData::Greater, ">"),
    (OpData::GreaterOrEqual, "≥"),
];
