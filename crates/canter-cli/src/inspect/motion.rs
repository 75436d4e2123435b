//! The root motion of clips: which joint leads, and how far each clip gets.

use canter::{Clip, JointId, RootMotion};
use canter_gltf::{Asset, RootJoint};
use serde::Serialize;

/// The joint that leads the others.
#[derive(Serialize)]
pub(super) struct RootFacts<'a> {
    #[serde(flatten)]
    pub(super) joint: Joint<'a>,
    /// Joints that might lead instead.
    pub(super) others: Vec<Joint<'a>>,
}

#[derive(Serialize)]
pub(super) struct Joint<'a> {
    node: usize,
    pub(super) name: &'a str,
}

/// The way that a clip makes in a loop, if its root motion is taken out of it.
#[derive(Serialize)]
pub(crate) struct Motion {
    /// Metres from where it begins to where it ends.
    pub(super) translation: [f32; 3],
    pub(crate) distance: f32,
    /// About the vertical, to the left.
    pub(super) turn_degrees: f32,
    /// Metres per second.
    pub(crate) speed: f32,
}

/// Those who sway come back with some rounding.
const STAYS_METRES: f32 = 1e-3;
const STAYS_DEGREES: f32 = 0.1;

impl<'a> RootFacts<'a> {
    pub(super) fn new(root: &RootJoint, asset: &'a Asset) -> Self {
        let joint = |joint: JointId| Joint {
            node: asset.skeleton.source_index(joint),
            name: asset.skeleton.name(joint),
        };
        Self { joint: joint(root.joint), others: root.others.iter().map(|&other| joint(other)).collect() }
    }
}

impl Motion {
    /// `None` if the clip does not get anywhere.
    pub(crate) fn of(clip: &Clip, asset: &Asset, joint: JointId) -> Option<Self> {
        let split = clip.with_root_motion(&asset.skeleton, RootMotion::over_ground(joint)).ok()?;
        let root = split.root_motion()?;
        let keys = root.curve().times().len();
        let (first, last) = (root.curve().value(0), root.curve().value(keys - 1));
        let along = |axis: usize| last[axis] - first[axis];
        let translation = [along(0), along(1), along(2)];
        let distance = along(0).hypot(along(2));
        let turn_degrees = if root.has_yaw() { along(3).to_degrees() } else { 0.0 };
        let gets_away = distance >= STAYS_METRES || turn_degrees.abs() >= STAYS_DEGREES;
        let speed = split.ground_speed().unwrap_or(0.0);
        gets_away.then_some(Self { translation, distance, turn_degrees, speed })
    }
}
