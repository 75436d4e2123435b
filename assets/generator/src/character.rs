//! The hero's file: skeleton, skinned mesh and clips.

use anyhow::Result;
use glam::{DMat4, DQuat};

use super::clips::{CLIPS, Clip, Keys};
use super::coarser;
use super::footfall::Footfall;
use super::frame::Frame;
use super::glb::Glb;
use super::gltf::{
    Animation, AnimationExtras, Channel, Lod, MSFT_LOD, Marker, MeshJson, Node, NodeExtensions, Sampler,
    Skin, Target,
};
use super::hero;
use super::rig::Rig;
use super::springs;
use super::surface::surfaces;

/// Nodes: the mesh, then the joints in rig order.
const MESH_NODE: usize = 0;
const FIRST_JOINT_NODE: usize = 1;

/// Coarser meshes and their nodes, the finer one first.
const COARSER_NAMES: [&str; coarser::LEVELS.len()] = ["hero_coarser", "hero_coarsest"];

/// A track that never leaves its first value by more than this is left to the bind pose or to one key.
const STILL: f32 = 1e-5;

/// Height of a shut eye, relative to an open one.
const SHUT_EYE: f64 = 0.02;

pub(crate) fn build() -> Result<Vec<u8>> {
    let rig = Rig::new();
    let mut glb = Glb::new("hero");
    add_meshes(&mut glb, &rig);
    add_nodes(&mut glb, &rig);
    add_coarser_nodes(&mut glb);
    add_skin(&mut glb, &rig);
    for clip in &CLIPS {
        add_clip(&mut glb, &rig, clip);
    }
    glb.document.extensions_used.push(springs::EXTENSION);
    glb.document.extensions = Some(springs::springs(&rig, FIRST_JOINT_NODE));
    glb.into_bytes()
}

/// The hero, and behind it the same in less detail, the finer one first.
fn add_meshes(glb: &mut Glb, rig: &Rig) {
    let mut surfaces = surfaces(&hero::parts(), Some(rig));
    let levels: Vec<_> = surfaces.iter_mut().map(coarser::levels).collect();
    let fine: Vec<_> = surfaces.iter().map(|surface| glb.primitive(surface)).collect();
    let mut coarse = COARSER_NAMES.map(|name| MeshJson { name, primitives: Vec::new() });
    for ((surface, levels), fine) in surfaces.iter().zip(&levels).zip(&fine) {
        for (mesh, level) in coarse.iter_mut().zip(levels) {
            mesh.primitives.push(glb.coarser(fine, surface, level));
        }
    }
    glb.document.meshes.push(MeshJson { name: "hero", primitives: fine });
    glb.document.meshes.extend(coarse);
}

/// The nodes of the coarser meshes: in no scene, and behind all others.
fn add_coarser_nodes(glb: &mut Glb) {
    let document = &mut glb.document;
    let mut ids = Vec::new();
    for (index, name) in COARSER_NAMES.into_iter().enumerate() {
        ids.push(document.nodes.len());
        let (mesh, skin) = (Some(1 + index), Some(0));
        document.nodes.push(Node { name: name.into(), mesh, skin, ..Node::default() });
    }
    document.nodes[MESH_NODE].extensions = Some(NodeExtensions { lod: Lod { ids } });
    document.extensions_used.push(MSFT_LOD);
}

fn add_nodes(glb: &mut Glb, rig: &Rig) {
    let document = &mut glb.document;
    document.scenes[0].nodes = vec![MESH_NODE, FIRST_JOINT_NODE];
    document.nodes.push(Node { name: "hero".into(), mesh: Some(0), skin: Some(0), ..Node::default() });
    for (index, joint) in rig.joints.iter().enumerate() {
        let local = rig.parent_from_joint(index);
        let children = rig.joints.iter().enumerate().filter(|(_, child)| child.parent == Some(index));
        document.nodes.push(Node {
            name: joint.name.clone(),
            children: children.map(|(child, _)| FIRST_JOINT_NODE + child).collect(),
            translation: Some(local.translation.as_vec3().to_array()),
            rotation: Some(quaternion(local.rotation)),
            ..Node::default()
        });
    }
}

fn add_skin(glb: &mut Glb, rig: &Rig) {
    let mut matrices = Vec::new();
    for joint in &rig.joints {
        let Frame { rotation, translation } = joint.model_from_joint.inverse();
        let joint_from_model = DMat4::from_rotation_translation(rotation, translation);
        matrices.extend(joint_from_model.as_mat4().to_cols_array());
    }
    let inverse_bind_matrices = glb.floats(&matrices, 16, "MAT4");
    glb.document.skins.push(Skin {
        name: "hero",
        skeleton: FIRST_JOINT_NODE,
        inverse_bind_matrices,
        joints: (0..rig.joints.len()).map(|joint| FIRST_JOINT_NODE + joint).collect(),
    });
}

/// A track's values, `width` numbers per key.
struct Track {
    joint: usize,
    path: &'static str,
    width: usize,
    kind: &'static str,
    times: Vec<f32>,
    values: Vec<f32>,
}

impl Track {
    fn is_still(&self) -> bool {
        let first = &self.values[..self.width];
        self.values.chunks(self.width).all(|key| key.iter().zip(first).all(|(a, b)| (a - b).abs() < STILL))
    }
}

fn add_clip(glb: &mut Glb, rig: &Rig, clip: &Clip) {
    let [keys, leg_keys] = [clip.keys(rig), clip.leg_keys(rig)];
    let mut tracks = Vec::new();
    for (joint, described) in rig.joints.iter().enumerate() {
        let keys = if bears(&described.name) { &leg_keys } else { &keys };
        tracks.extend(joint_tracks(rig, keys, joint));
    }
    let (mut channels, mut samplers) = (Vec::new(), Vec::new());
    for track in &tracks {
        // Still joints need one key, not none: another clip may have moved them.
        let count = if track.is_still() { 1 } else { track.times.len() };
        let input = time_accessor(glb, &track.times[..count]);
        let values = &track.values[..count * track.width];
        let output = glb.series(values, track.width, track.kind);
        channels.push(Channel {
            sampler: samplers.len(),
            target: Target { node: FIRST_JOINT_NODE + track.joint, path: track.path },
        });
        samplers.push(Sampler { input, output });
    }
    glb.document.animations.push(Animation { name: clip.name, channels, samplers, extras: extras(clip) });
}

/// Whether the place of a standing foot depends on a joint.
fn bears(joint: &str) -> bool {
    ["root", "hips", "thigh", "shin", "foot", "toes"].iter().any(|stem| joint.starts_with(stem))
}

fn joint_tracks(rig: &Rig, keys: &Keys, joint: usize) -> Vec<Track> {
    let times: Vec<f32> = keys.times_secs.iter().map(|&time| time as f32).collect();
    let track = |path, values: Vec<f32>| {
        let (width, kind) = if path == "rotation" { (4, "VEC4") } else { (3, "VEC3") };
        Track { joint, path, width, kind, times: times.clone(), values }
    };
    let name = rig.joints[joint].name.as_str();
    let posed = keys.poses.iter().map(|pose| pose.parent_from_joint(rig, joint));
    let locals: Vec<Frame> = if name == "root" { keys.roots.clone() } else { posed.collect() };
    let mut tracks = vec![track("rotation", aligned(locals.iter().map(|local| local.rotation)))];
    let travels = keys.roots.iter().any(|&root| root != Frame::IDENTITY);
    if name == "root" && travels || name == "hips" || name.starts_with("lid") {
        let values = locals.iter().flat_map(|local| local.translation.as_vec3().to_array()).collect();
        tracks.push(track("translation", values));
    }
    if name.starts_with("eye") {
        let heights = keys.poses.iter().map(|pose| 1.0 + (SHUT_EYE - 1.0) * pose.blink);
        let values = heights.flat_map(|height| [1.0, height as f32, 1.0]).collect();
        tracks.push(track("scale", values));
    }
    tracks
}

fn extras(clip: &Clip) -> Option<AnimationExtras> {
    let footfalls = clip.footfalls();
    let marker = |foot: &Footfall| Marker { name: foot.side.name("foot"), time: foot.time_secs as f32 };
    (clip.gait.is_some() || !footfalls.is_empty()).then(|| AnimationExtras {
        ground_speed_metres_per_sec: clip.gait.map(|gait| gait.speed as f32),
        markers: footfalls.iter().map(marker).collect(),
    })
}

fn time_accessor(glb: &mut Glb, times: &[f32]) -> usize {
    let accessor = glb.series(times, 1, "SCALAR");
    glb.document.accessors[accessor].min = vec![times[0]];
    glb.document.accessors[accessor].max = vec![times[times.len() - 1]];
    accessor
}

/// Quaternions with signs chosen so that neighbours are near: blending needs no test then.
fn aligned(rotations: impl Iterator<Item = DQuat>) -> Vec<f32> {
    let mut before: Option<DQuat> = None;
    let mut values = Vec::new();
    for rotation in rotations {
        let near = match before {
            Some(before) if before.dot(rotation) < 0.0 => -rotation,
            None if rotation.w < 0.0 => -rotation,
            _ => rotation,
        };
        values.extend(quaternion(near));
        before = Some(near);
    }
    values
}

fn quaternion(rotation: DQuat) -> [f32; 4] {
    rotation.normalize().as_quat().to_array()
}
