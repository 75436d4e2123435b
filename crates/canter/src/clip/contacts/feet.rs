//! Joints that are feet, by where they are at rest and by what they are called.
//!
//! Rigs have several joints where one foot is: bones, controls of inverse kinematics, ends of bones. One of
//! them is taken.

use glam::Vec3;

use super::Looks;
use crate::model_pose::ModelPose;
use crate::skeleton::{JointId, Skeleton};

/// Feet are at most so high at rest, and nothing that hangs on them is higher than the other part; in parts of
/// the figure's height.
const LOW: f32 = 0.12;
const FOOT: f32 = 0.35;
/// What is nearer at rest, as a part of the figure's height, is at the same foot.
const SAME: f32 = 0.05;
/// What names of feet have in them, and of joints that only control others.
const FEET: [&str; 5] = ["foot", "feet", "ankle", "paw", "hoof"];
const FOREFEET: [&str; 2] = ["hand", "wrist"];
const HELPERS: [&str; 7] = ["ik", "control", "ctrl", "roll", "pole", "target", "end"];

impl Looks {
    /// One joint for each foot that the clip lifts.
    pub(super) fn feet(&self, skeleton: &Skeleton) -> Vec<JointId> {
        let rest = ModelPose::rest(skeleton);
        let place = |joint: JointId| rest.joints()[joint.index()].transform_point(Vec3::ZERO);
        let mut reach: Vec<f32> = skeleton.joints().map(|joint| place(joint).y).collect();
        for joint in skeleton.joints().rev() {
            if let Some(parent) = skeleton.parent(joint) {
                reach[parent.index()] = reach[parent.index()].max(reach[joint.index()]);
            }
        }
        let ground = skeleton.joints().map(|joint| place(joint).y).fold(f32::INFINITY, f32::min);
        let is_low = |joint: JointId| {
            place(joint).y <= ground + LOW * self.height
                && reach[joint.index()] <= ground + FOOT * self.height
        };
        let is_top = |joint: &JointId| skeleton.parent(*joint).is_none_or(|parent| !is_low(parent));
        let lifts = |joint: JointId| {
            skeleton.subtree(joint).into_iter().any(|joint| self.range(joint) >= self.least_lift())
        };
        let low = skeleton.joints().filter(|joint| is_low(*joint)).filter(is_top);
        let mut best_first: Vec<JointId> = low.collect();
        best_first.sort_by_key(|&joint| std::cmp::Reverse(likelihood(skeleton, joint, lifts(joint))));

        let gap = |a: JointId, b: JointId| {
            let places = |joint| skeleton.subtree(joint).into_iter().map(place);
            places(a).flat_map(|a| places(b).map(move |b| a.distance(b))).fold(f32::INFINITY, f32::min)
        };
        let mut feet: Vec<JointId> = Vec::new();
        for joint in best_first {
            if feet.iter().all(|&foot| gap(foot, joint) > SAME * self.height) {
                feet.push(joint);
            }
        }
        // Where some are called feet, another low joint is a finger or the end of a scarf.
        let named = |joint: JointId, words: &[&str]| has_any(skeleton.name(joint), words);
        if feet.iter().filter(|&&joint| named(joint, &FEET)).count() >= 2 {
            feet.retain(|&joint| named(joint, &FEET) || named(joint, &FOREFEET));
        }
        feet.retain(|&joint| lifts(joint));
        feet.sort();
        feet
    }
}

/// Those that are called feet before others, helpers last; then those that are lifted, and those at the end of a
/// longer chain, such as a leg.
fn likelihood(skeleton: &Skeleton, joint: JointId, lifts: bool) -> (bool, bool, bool, usize) {
    let has = |words: &[&str]| has_any(skeleton.name(joint), words);
    let depth = std::iter::successors(skeleton.parent(joint), |joint| skeleton.parent(*joint)).count();
    (!has(&HELPERS), has(&FEET), lifts, depth)
}

fn has_any(name: &str, words: &[&str]) -> bool {
    let name = name.to_ascii_lowercase();
    words.iter().any(|word| name.contains(word))
}
