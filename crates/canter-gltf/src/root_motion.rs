//! The root motion of a file's clips: which joint leads, and the clips without its way.

use std::sync::Arc;

use canter::glam::Vec3;
use canter::{Clip, JointId, Property, RootMotion, Skeleton, TrackTarget};

use crate::asset::Asset;
use crate::warning::{Severity, Warning, WarningCode};

/// A joint travels if it gets this part of the figure's height away.
const TRAVELS: f32 = 0.1;
/// What the root joint is called in files, without prefixes and in small letters.
const NAMES: [&str; 7] = ["root", "hips", "pelvis", "bip01", "bip001", "cog", "armature"];

/// The joint that leads the others in a file's clips; see [`Asset::root_joint`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootJoint {
    /// Which.
    pub joint: JointId,
    /// Other joints that might lead instead: then say which one it is.
    pub others: Vec<JointId>,
}

impl Asset {
    /// The joint that most likely leads the others: the topmost one that a clip moves, of several the one that
    /// gets farthest, or the one that is called as roots are. `None` if no clip moves anything from its place.
    #[must_use]
    pub fn root_joint(&self) -> Option<RootJoint> {
        let mut candidates: Vec<(JointId, f32)> = Vec::new();
        for clip in &self.clips {
            for (joint, metres) in topmost_moved(clip, &self.skeleton) {
                match candidates.iter_mut().find(|(other, _)| *other == joint) {
                    Some((_, most)) => *most = most.max(metres),
                    None => candidates.push((joint, metres)),
                }
            }
        }
        let least = TRAVELS * height(&self.skeleton);
        let (_, farthest) = *candidates.iter().max_by(|(_, a), (_, b)| a.total_cmp(b))?;
        if farthest < least {
            let named = candidates.iter().find(|(joint, _)| has_name_of_root(self.skeleton.name(*joint)));
            return named.map(|(joint, _)| RootJoint { joint: *joint, others: Vec::new() });
        }
        candidates.retain(|(_, metres)| *metres >= least.max(0.5 * farthest));
        let by_name = |(joint, metres): &(JointId, f32)| {
            (has_name_of_root(self.skeleton.name(*joint)), (1e6 * metres / farthest).round())
        };
        candidates.sort_by(|a, b| by_name(b).partial_cmp(&by_name(a)).unwrap_or(std::cmp::Ordering::Equal));
        let joint = candidates[0].0;
        Some(RootJoint { joint, others: candidates[1..].iter().map(|(joint, _)| *joint).collect() })
    }

    /// Takes the root motion out of all clips, as [`Clip::with_root_motion`] does; those that do not move the
    /// joint stay as they are. Clips that cannot be split stay as they are, too, with a warning.
    pub fn split_root_motion(&mut self, root: RootMotion) {
        for (index, clip) in self.clips.iter_mut().enumerate() {
            if clip.root_motion().is_some() {
                continue;
            }
            match clip.with_root_motion(&self.skeleton, root) {
                Ok(split) if split.root_motion().is_some() => *clip = Arc::new(split),
                Ok(_) => {}
                Err(error) => self.warnings.push(Warning {
                    severity: Severity::Warning,
                    code: WarningCode::RootMotion,
                    place: format!("animations[{index}]"),
                    message: error.to_string(),
                }),
            }
        }
    }

    /// The same with the joint that is found, and a warning if that is not clear.
    pub(crate) fn split_at_found_root(&mut self) {
        let Some(RootJoint { joint, others }) = self.root_joint() else { return };
        if !others.is_empty() {
            let name = |joint: &JointId| format!("\"{}\"", self.skeleton.name(*joint));
            let others: Vec<_> = others.iter().map(name).collect();
            let message = format!(
                "joint {} is taken for the root, but {} moves as far; say which one leads with \
                 `Asset::split_root_motion`",
                name(&joint),
                others.join(" or ")
            );
            let (severity, code) = (Severity::Warning, WarningCode::RootMotion);
            self.warnings.push(Warning { severity, code, place: "animations".into(), message });
        }
        self.split_root_motion(RootMotion::over_ground(joint));
    }
}

/// Joints that a clip moves, below none that it moves or turns, and how far each gets away over the ground.
fn topmost_moved(clip: &Clip, skeleton: &Skeleton) -> Vec<(JointId, f32)> {
    let is_moved = |track: &canter::ClipTrack| {
        let first = track.curve.value(0);
        let differs = |key| track.curve.value(key).iter().zip(first).any(|(a, b)| (a - b).abs() > 1e-6);
        (1..track.curve.times().len()).any(differs)
    };
    let mut moved = vec![false; skeleton.joint_count()];
    for track in clip.tracks().filter(is_moved) {
        if let TrackTarget::Joint(joint, _) = track.target {
            moved[joint.index()] = true;
        }
    }
    let is_below = |joint: JointId| {
        let above = std::iter::successors(skeleton.parent(joint), |joint| skeleton.parent(*joint));
        above.into_iter().any(|joint| moved[joint.index()])
    };
    let tracks = clip.tracks().filter(is_moved);
    tracks
        .filter_map(|track| match track.target {
            TrackTarget::Joint(joint, Property::Translation) if !is_below(joint) => {
                let model = rest_of_parents(skeleton, joint);
                let place = |key| model.transform_vector3(Vec3::from_slice(track.curve.value(key)));
                let way = place(track.curve.times().len() - 1) - place(0);
                Some((joint, Vec3::new(way.x, 0.0, way.z).length()))
            }
            _ => None,
        })
        .collect()
}

fn rest_of_parents(skeleton: &Skeleton, joint: JointId) -> canter::glam::Mat4 {
    let parents = std::iter::successors(skeleton.parent(joint), |joint| skeleton.parent(*joint));
    parents.fold(canter::glam::Mat4::IDENTITY, |below, parent| skeleton.rest(parent).to_mat4() * below)
}

/// Of the joints at rest.
fn height(skeleton: &Skeleton) -> f32 {
    let place = |joint| rest_of_parents(skeleton, joint).transform_point3(skeleton.rest(joint).translation);
    let heights = skeleton.joints().map(|joint| place(joint).y);
    let (low, high) = heights.fold((0.0_f32, 0.0_f32), |(low, high), y| (low.min(y), high.max(y)));
    high - low
}

fn has_name_of_root(name: &str) -> bool {
    let prefix = name.bytes().rposition(|byte| matches!(byte, b':' | b'|')).map_or(0, |end| end + 1);
    NAMES.iter().any(|root| root.eq_ignore_ascii_case(&name[prefix..]))
}
