//! What the clips do beside their pose, from their start up to the times that were asked for.

use canter::{ActionId, Clip, MarkerEvent, MarkerKind, Mixer, Play};
use canter_gltf::Asset;
use serde::Serialize;

use super::group::Part;

/// The way of the root, and the markers on it.
pub(super) struct Motion {
    pub(super) root: Option<Root>,
    pub(super) markers: Vec<Crossed>,
}

/// The way since the start.
#[derive(Serialize)]
pub(super) struct Root {
    /// The node that it is taken from; none if no clip travels.
    joint: Option<usize>,
    pub(super) translation: [f32; 3],
    rotation: [f32; 4],
    pub(super) yaw: f32,
    pub(super) velocity: [f32; 3],
    pub(super) yaw_rate: f32,
}

/// A marker that was crossed.
#[derive(Serialize)]
pub(super) struct Crossed {
    /// Which of the clips that are sampled.
    pub(super) clip: usize,
    pub(super) name: String,
    pub(super) kind: &'static str,
    pub(super) time: f32,
    weight: f32,
}

/// Velocities are means over such a time.
const BRIEF_SECS: f32 = 1.0 / 240.0;

impl Motion {
    pub(super) fn new(asset: &Asset, parts: &[Part], with_root: bool) -> Self {
        let mut mixer = Mixer::new(&asset.skeleton);
        // All get to their times at once, whatever these are; beyond its ends a clip stands.
        let time_secs = |part: &Part| part.time_secs.clamp(0.0, asset.clips[part.clip].duration_secs());
        let longest_secs = parts.iter().map(time_secs).fold(0.0, f32::max);
        let actions: Vec<ActionId> = parts
            .iter()
            .map(|part| {
                let speed = if longest_secs > 0.0 { time_secs(part) / longest_secs } else { 0.0 };
                mixer.play(&asset.clips[part.clip], Play { speed, weight: part.weight, ..Play::once() })
            })
            .collect();
        mixer.advance(longest_secs);
        let crossed = |event: MarkerEvent| {
            let clip = actions.iter().position(|&action| action == event.action)?;
            Some(Crossed::new(clip, &event))
        };
        let markers = mixer.markers().filter_map(crossed).collect();
        let way = mixer.root_motion().transform;
        let root = with_root.then(|| {
            let now = velocity(asset, parts);
            Root {
                joint: root_node(asset, parts),
                translation: way.translation.to_array(),
                rotation: way.rotation.to_array(),
                yaw: way.rotation.to_euler(canter::glam::EulerRot::YXZ).0,
                velocity: now.velocity.to_array(),
                yaw_rate: now.yaw_rate,
            }
        });
        Self { root, markers }
    }
}

impl Crossed {
    fn new(clip: usize, event: &MarkerEvent) -> Self {
        let marker = &event.clip.markers()[event.index];
        let (kind, time) = match event.kind {
            MarkerKind::At => ("at", marker.secs),
            MarkerKind::Enter => ("enter", marker.secs),
            MarkerKind::Leave => ("leave", marker.end_secs()),
        };
        Self { clip, name: event.name.to_string(), kind, time, weight: event.weight }
    }
}

fn root_node(asset: &Asset, parts: &[Part]) -> Option<usize> {
    let root = |clip: &Clip| clip.root_motion().map(|root| root.joint());
    let joint = parts.iter().find_map(|part| root(&asset.clips[part.clip]))?;
    Some(asset.skeleton.source_index(joint))
}

/// How the root moves at the times of the clips.
fn velocity(asset: &Asset, parts: &[Part]) -> canter::RootStep {
    let mut mixer = Mixer::new(&asset.skeleton);
    for part in parts {
        let clip = &asset.clips[part.clip];
        // Before its start and behind its end a clip stands.
        let is_inside = (0.0..=clip.duration_secs()).contains(&part.time_secs);
        let latest_secs = (clip.duration_secs() - BRIEF_SECS).max(0.0);
        let start_secs = Some(part.time_secs.clamp(0.0, latest_secs));
        let speed = if is_inside { 1.0 } else { 0.0 };
        mixer.play(clip, Play { speed, weight: part.weight, start_secs, ..Play::once() });
    }
    mixer.advance(BRIEF_SECS);
    mixer.root_motion()
}
