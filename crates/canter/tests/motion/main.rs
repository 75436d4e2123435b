//! Markers, root motion and actions in step: exactly once, for any cut of time.

mod contacts;
mod ground;
mod marker_laws;
mod markers;
mod root_laws;
mod root_motion;
mod sync;
mod windows;

use std::sync::Arc;

use canter::glam::{Quat, Vec3};
use canter::{Clip, JointId, Marker, MarkerEvent, Mixer, RootMotion, Skeleton, Track, Transform};

/// A root on the ground, and hips a metre above it.
fn skeleton() -> Arc<Skeleton> {
    let mut builder = Skeleton::builder();
    builder.joint("root", None, Transform::IDENTITY);
    builder.joint("hips", Some(0), Transform::from_translation(Vec3::Y));
    Arc::new(builder.build().unwrap())
}

fn root(skeleton: &Skeleton) -> JointId {
    skeleton.joint("root").unwrap()
}

/// A clip of a length with markers.
fn marked(skeleton: &Skeleton, secs: f32, markers: &[(&str, f32)]) -> Arc<Clip> {
    let list = markers.iter().map(|(name, secs)| Marker::new(*name, *secs));
    Arc::new(lasting(skeleton, "Marked", secs).with_markers(list).unwrap())
}

fn lasting(skeleton: &Skeleton, name: &str, secs: f32) -> Clip {
    let mut clip = Clip::builder(name, skeleton);
    let hips = skeleton.joint("hips").unwrap();
    clip.translation(hips, Track::linear(vec![0.0, secs], vec![Vec3::Y, Vec3::Y * 1.5]));
    clip.build().unwrap()
}

/// A clip whose root goes through keys: time, place, turn about the vertical. Its root motion is split off.
fn travelling(skeleton: &Skeleton, name: &str, keys: &[(f32, Vec3, f32)]) -> Arc<Clip> {
    let clip = unsplit(skeleton, name, keys);
    Arc::new(clip.with_root_motion(skeleton, RootMotion::over_ground(root(skeleton))).unwrap())
}

fn unsplit(skeleton: &Skeleton, name: &str, keys: &[(f32, Vec3, f32)]) -> Clip {
    let mut clip = Clip::builder(name, skeleton);
    let times: Vec<f32> = keys.iter().map(|key| key.0).collect();
    clip.translation(root(skeleton), Track::linear(times.clone(), keys.iter().map(|key| key.1).collect()));
    let turns = keys.iter().map(|key| Quat::from_rotation_y(key.2)).collect();
    clip.rotation(root(skeleton), Track::linear(times, turns));
    clip.build().unwrap()
}

/// What is told of a step: the name, the loop, and `<` if time ran backwards, `+` and `-` for windows.
fn told(mixer: &Mixer) -> Vec<String> {
    mixer.markers().map(|event| describe(&event)).collect()
}

fn describe(event: &MarkerEvent) -> String {
    let kind = match event.kind {
        canter::MarkerKind::At => "",
        canter::MarkerKind::Enter => "+",
        canter::MarkerKind::Leave => "-",
    };
    format!("{kind}{}{}{}", event.name, event.loops, if event.is_backward { "<" } else { "" })
}
