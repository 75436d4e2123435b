//! The facts about a file, as they are printed for programs.

use std::path::Path;

use canter::{Clip, ClipTrack, Interpolation};
use canter_gltf::{Asset, Mesh, Severity, Topology};
use serde::Serialize;

use super::motion::{Motion, RootFacts};
use crate::markers::MarkerFacts;

#[derive(Serialize)]
pub(super) struct Summary<'a> {
    pub(super) file: File<'a>,
    pub(super) scenes: Vec<Scene<'a>>,
    pub(super) nodes: Vec<Node<'a>>,
    pub(super) skins: Vec<Skin<'a>>,
    pub(super) clips: Vec<ClipFacts<'a>>,
    /// The joint that root motion is taken from.
    pub(super) root_joint: Option<RootFacts<'a>>,
    pub(super) meshes: Vec<MeshFacts<'a>>,
    pub(super) materials: Vec<Material<'a>>,
    pub(super) images: Vec<Image<'a>>,
    pub(super) warnings: Vec<Warning<'a>>,
}

#[derive(Serialize)]
pub(super) struct File<'a> {
    pub(super) path: String,
    pub(super) binary: bool,
    pub(super) bytes: u64,
    pub(super) json_bytes: u64,
    pub(super) buffer_bytes: u64,
    pub(super) version: &'a str,
    pub(super) generator: Option<&'a str>,
    pub(super) copyright: Option<&'a str>,
    pub(super) extensions_used: &'a [String],
    pub(super) extensions_required: &'a [String],
}

#[derive(Serialize)]
pub(super) struct Scene<'a> {
    index: usize,
    name: Option<&'a str>,
    default: bool,
    nodes: &'a [usize],
}

#[derive(Serialize)]
pub(super) struct Node<'a> {
    index: usize,
    name: Option<&'a str>,
    parent: Option<usize>,
    children: &'a [usize],
    mesh: Option<usize>,
    skin: Option<usize>,
}

#[derive(Serialize)]
pub(super) struct Skin<'a> {
    pub(super) index: usize,
    pub(super) name: Option<&'a str>,
    pub(super) joints: Vec<usize>,
    /// Nodes whose meshes it moves.
    pub(super) mesh_nodes: Vec<usize>,
}

#[derive(Serialize)]
pub(super) struct ClipFacts<'a> {
    pub(super) index: usize,
    pub(super) name: Option<&'a str>,
    pub(super) duration: f32,
    pub(super) tracks: usize,
    pub(super) keys: usize,
    pub(super) interpolations: Interpolations,
    pub(super) memory_bytes: usize,
    pub(super) markers: Vec<MarkerFacts<'a>>,
    /// Metres per second over the ground, where that is known.
    pub(super) ground_speed: Option<f32>,
    pub(super) root_motion: Option<Motion>,
}

/// How many tracks run in each way.
#[derive(Default, Serialize)]
pub(super) struct Interpolations {
    pub(super) step: usize,
    pub(super) linear: usize,
    pub(super) cubic_spline: usize,
}

#[derive(Serialize)]
pub(super) struct MeshFacts<'a> {
    pub(super) index: usize,
    pub(super) name: Option<&'a str>,
    pub(super) primitives: usize,
    pub(super) vertices: usize,
    pub(super) triangles: usize,
    pub(super) morph_targets: usize,
    pub(super) morph_target_names: &'a [String],
    /// Joints that a vertex may follow: 0, 4, 8.
    pub(super) influences: usize,
}

#[derive(Serialize)]
pub(super) struct Material<'a> {
    index: usize,
    name: Option<&'a str>,
}

#[derive(Serialize)]
pub(super) struct Image<'a> {
    pub(super) index: usize,
    pub(super) name: Option<&'a str>,
    pub(super) mime: &'a str,
    pub(super) bytes: usize,
}

#[derive(Serialize)]
pub(super) struct Warning<'a> {
    pub(super) severity: &'static str,
    pub(super) code: &'static str,
    pub(super) place: &'a str,
    pub(super) message: &'a str,
}

impl<'a> Summary<'a> {
    pub(super) fn new(path: &Path, asset: &'a Asset) -> Self {
        let info = &asset.info;
        let root = asset.root_joint();
        Self {
            file: File {
                path: path.display().to_string(),
                binary: info.is_binary,
                bytes: info.file_bytes,
                json_bytes: info.json_bytes,
                buffer_bytes: info.buffer_bytes,
                version: &info.version,
                generator: info.generator.as_deref(),
                copyright: info.copyright.as_deref(),
                extensions_used: &info.extensions_used,
                extensions_required: &info.extensions_required,
            },
            scenes: each(&asset.scenes, |index, scene| Scene {
                index,
                name: scene.name.as_deref(),
                default: asset.scene == Some(index),
                nodes: &scene.nodes,
            }),
            nodes: each(&asset.nodes, |index, node| Node {
                index,
                name: node.name.as_deref(),
                parent: node.parent,
                children: &node.children,
                mesh: node.mesh,
                skin: node.skin,
            }),
            skins: skins(asset),
            clips: each(&asset.clips, |index, clip| {
                let motion = root.as_ref().and_then(|root| Motion::of(clip, asset, root.joint));
                clip_facts(index, info.clip_names[index].as_deref(), clip, motion)
            }),
            root_joint: root.as_ref().map(|root| RootFacts::new(root, asset)),
            meshes: each(&asset.meshes, mesh_facts),
            materials: each(&asset.materials, |index, material| Material {
                index,
                name: material.name.as_deref(),
            }),
            images: each(&asset.images, |index, image| Image {
                index,
                name: image.name.as_deref().or(image.uri.as_deref()),
                mime: &image.mime,
                bytes: image.bytes.len(),
            }),
            warnings: each(&asset.warnings, |_, warning| Warning {
                severity: if warning.severity == Severity::Note { "note" } else { "warning" },
                code: warning.code.name(),
                place: &warning.place,
                message: &warning.message,
            }),
        }
    }
}

fn each<'a, T, F>(list: &'a [T], fact: impl Fn(usize, &'a T) -> F) -> Vec<F> {
    list.iter().enumerate().map(|(index, item)| fact(index, item)).collect()
}

fn skins(asset: &Asset) -> Vec<Skin<'_>> {
    let mut skins = each(&asset.skins, |index, skin| Skin {
        index,
        name: asset.info.skin_names[index].as_deref(),
        joints: skin.joints().iter().map(|&joint| asset.skeleton.source_index(joint)).collect(),
        mesh_nodes: Vec::new(),
    });
    for (index, node) in asset.nodes.iter().enumerate() {
        if let Some(skin) = node.skin {
            skins[skin].mesh_nodes.push(index);
        }
    }
    skins
}

fn clip_facts<'a>(
    index: usize,
    name: Option<&'a str>,
    clip: &'a Clip,
    root_motion: Option<Motion>,
) -> ClipFacts<'a> {
    let mut interpolations = Interpolations::default();
    for ClipTrack { curve, .. } in clip.tracks() {
        match curve.interpolation() {
            Interpolation::Step => interpolations.step += 1,
            Interpolation::Linear => interpolations.linear += 1,
            Interpolation::CubicSpline => interpolations.cubic_spline += 1,
        }
    }
    ClipFacts {
        index,
        name,
        duration: clip.duration_secs(),
        tracks: clip.targets().len(),
        keys: clip.tracks().map(|track| track.curve.times().len()).sum(),
        interpolations,
        memory_bytes: clip.memory_bytes(),
        markers: clip.markers().iter().map(MarkerFacts::new).collect(),
        ground_speed: root_motion.as_ref().map(|motion| motion.speed).or(clip.ground_speed()),
        root_motion,
    }
}

fn mesh_facts(index: usize, mesh: &Mesh) -> MeshFacts<'_> {
    let triangles = mesh.primitives.iter().filter(|primitive| primitive.topology == Topology::Triangles);
    MeshFacts {
        index,
        name: mesh.name.as_deref(),
        primitives: mesh.primitives.len(),
        vertices: mesh.primitives.iter().map(|primitive| primitive.positions.len()).sum(),
        triangles: triangles.map(|primitive| primitive.indices.len() / 3).sum(),
        morph_targets: mesh.target_count(),
        morph_target_names: &mesh.target_names,
        influences: mesh.primitives.iter().map(|primitive| 4 * primitive.influences.len()).max().unwrap_or(0),
    }
}
