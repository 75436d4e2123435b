//! How a mask is stored: a plain list of weights.

use super::{JointMask, unit};
use crate::pose::{LANES, Lanes};

#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct Stored {
    joints: Vec<f32>,
    morphs: Vec<f32>,
}

impl From<JointMask> for Stored {
    fn from(mask: JointMask) -> Self {
        let joints = mask.groups.iter().flat_map(|group| group.0).take(mask.joint_count).collect();
        Self { joints, morphs: mask.morphs }
    }
}

impl From<Stored> for JointMask {
    fn from(stored: Stored) -> Self {
        let group = |eight: &[f32]| {
            let mut lanes = Lanes::default();
            for (lane, &weight) in lanes.0.iter_mut().zip(eight) {
                *lane = unit(weight);
            }
            lanes
        };
        Self {
            groups: stored.joints.chunks(LANES).map(group).collect(),
            joint_count: stored.joints.len(),
            morphs: stored.morphs.into_iter().map(unit).collect(),
        }
    }
}
