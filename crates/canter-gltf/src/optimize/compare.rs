//! How far the clips of two files are apart.

use std::collections::HashMap;

use super::measure::joint_distances;
use super::motion::Motion;
use super::rig::Rig;
use crate::asset::Asset;

/// How far two clips of the same name are apart.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ClipDistance {
    /// Their name.
    pub name: String,
    /// The largest distance of all joints that both files have, in millimetres; `None` if the other file has no
    /// such clip.
    pub error_mm: Option<f64>,
    /// The joint that is farthest off; empty if none is.
    pub joint: String,
}

/// Compares all clips of a file with those of another, such as one that a tool made of it: at points 3 cm around
/// every joint that both have by name, at keys and at three times between any two.
#[must_use]
pub fn compare(asset: &Asset, other: &Asset, metres_per_unit: f64) -> Vec<ClipDistance> {
    let (rig, other_rig) = (Rig::new(asset, metres_per_unit), Rig::new(other, metres_per_unit));
    let names: HashMap<&str, usize> =
        other.skeleton.joints().map(|joint| (other.skeleton.name(joint), joint.index())).collect();
    let pair = |joint| names.get(asset.skeleton.name(joint)).copied();
    let pairs: Vec<Option<usize>> = asset.skeleton.joints().map(pair).collect();
    let compared = asset.clips.iter().enumerate().map(|(index, clip)| {
        let named = other.clips.iter().find(|other| other.name() == clip.name());
        let Some(twin) = named.or(other.clips.get(index)) else {
            return ClipDistance { name: clip.name().to_owned(), error_mm: None, joint: String::new() };
        };
        let a = Motion::of_clip(clip, rig.joints.len());
        let b = Motion::of_clip(twin, other_rig.joints.len());
        let distances = joint_distances(&rig, &a, &other_rig, &b, &pairs);
        let worst = (0..distances.len()).max_by(|&a, &b| distances[a].total_cmp(&distances[b]));
        let units = worst.map_or(0.0, |worst| distances[worst]);
        let joint = worst.filter(|_| units > 0.0).and_then(|worst| asset.skeleton.joint_at(worst));
        ClipDistance {
            name: clip.name().to_owned(),
            error_mm: Some(units * metres_per_unit * 1000.0),
            joint: joint.map_or_else(String::new, |joint| asset.skeleton.name(joint).to_owned()),
        }
    });
    compared.collect()
}
