//! How far a change of a track moves what hangs on it.

use canter::{Property, TrackTarget};

use super::measure::weights_apart;
use super::motion::{Affine, Motion};
use super::rig::Rig;

/// What changes of tracks do, at most, over a clip.
#[derive(Debug)]
pub(super) struct Levers {
    /// The farthest point of all that hangs on a joint.
    reach: Vec<f64>,
    /// By how much the joint above a joint enlarges.
    scale: Vec<f64>,
}

/// Poses that are looked at: a limb may stretch farther in a clip than at rest.
const POSES: u32 = 16;
/// Joints above a joint that are looked at.
const DEEPEST: usize = 100;

impl Levers {
    pub(super) fn new(rig: &Rig, motion: &Motion) -> Self {
        let joints = rig.joints.len();
        let mut levers = Self { reach: vec![0.0; joints], scale: vec![1e-6; joints] };
        let times = motion.key_times();
        let (first, last) = (times.first().copied().unwrap_or(0.0), times.last().copied().unwrap_or(0.0));
        let mut pose = rig.rest();
        for step in 0..=POSES {
            levers.add(rig, &pose);
            motion.pose(rig, first + (last - first) * f64::from(step) / f64::from(POSES), &mut pose);
        }
        levers.add(rig, &pose);
        levers
    }

    fn add(&mut self, rig: &Rig, pose: &[Affine]) {
        for (index, joint) in rig.joints.iter().enumerate() {
            let columns = pose[index].columns;
            let axes = [columns.x_axis, columns.y_axis, columns.z_axis];
            let lengths = axes.map(|axis| axis.dot(axis).sqrt());
            let own = (0..3).fold(0.0, |most: f64, axis| most.max(lengths[axis] * joint.reach[axis]));
            // The joint itself and all above it feel its points. A chain of a thousand joints moves by its
            // upper ones in a thousand ways; those farther up are left to the measure.
            let mut above = Some(index);
            for _ in 0..DEEPEST {
                let Some(ancestor) = above else { break };
                let arm = pose[index].place - pose[ancestor].place;
                self.reach[ancestor] = self.reach[ancestor].max(arm.dot(arm).sqrt() + own);
                above = rig.joints[ancestor].parent;
            }
            self.scale[index] = match joint.parent {
                None => 1.0,
                Some(parent) => {
                    let columns = pose[parent].columns;
                    let axes = [columns.x_axis, columns.y_axis, columns.z_axis];
                    axes.iter().fold(self.scale[index], |most, axis| most.max(axis.dot(*axis).sqrt()))
                }
            };
        }
    }

    /// How far a rotation by an angle of one moves things.
    pub(super) fn reach(&self, target: TrackTarget) -> f64 {
        match target {
            TrackTarget::Joint(joint, _) => self.reach[joint.index()],
            TrackTarget::Morph(_) => 0.0,
        }
    }

    /// How far two values of a track are apart in space, at most.
    pub(super) fn apart(&self, rig: &Rig, target: TrackTarget, a: &[f64], b: &[f64]) -> f64 {
        let squared = |sign: f64| a.iter().zip(b).map(|(a, b)| (a - sign * b) * (a - sign * b)).sum::<f64>();
        match target {
            TrackTarget::Joint(joint, Property::Translation) => {
                squared(1.0).sqrt() * self.scale[joint.index()]
            }
            // The angle is twice that between the quaternions.
            TrackTarget::Joint(joint, Property::Rotation) => {
                2.0 * squared(1.0).min(squared(-1.0)).sqrt() * self.reach[joint.index()]
            }
            TrackTarget::Joint(joint, Property::Scale) => {
                let scale = rig.joints[joint.index()].scale.abs().min_element().max(1e-3);
                squared(1.0).sqrt() * self.reach[joint.index()] / scale
            }
            TrackTarget::Morph(morph) => weights_apart(a, b, &rig.morphs[morph.index()].moves),
        }
    }
}
