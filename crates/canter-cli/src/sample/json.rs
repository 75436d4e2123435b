//! The pose for programs. The form is stable, and described in `canter sample --help`.

use std::cell::RefCell;
use std::io;

use canter::glam::{Mat4, Vec3};
use serde::{Serialize, Serializer};

use super::posed::{Posed, PosedPrimitive};
use super::root::{Crossed, Motion, Root};
use crate::output::Output;

#[derive(Serialize)]
struct Document<'a> {
    clips: Vec<Clip<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<&'a Root>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    markers: &'a [Crossed],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    layers: Vec<Layer<'a>>,
    nodes: Vec<Node<'a>>,
    skins: Vec<Skin>,
    morph_weights: Vec<MorphWeights<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    primitives: Option<Stream<PrimitiveIter<'a>>>,
}

#[derive(Serialize)]
struct Clip<'a> {
    name: Option<&'a str>,
    index: usize,
    time: f32,
    weight: f32,
}

#[derive(Serialize)]
struct Layer<'a> {
    #[serde(flatten)]
    clip: Clip<'a>,
    additive: bool,
}

#[derive(Serialize)]
struct Node<'a> {
    index: usize,
    name: Option<&'a str>,
    translation: [f32; 3],
    rotation: [f32; 4],
    scale: [f32; 3],
    world: [f32; 16],
    #[serde(skip_serializing_if = "Option::is_none")]
    morph_weights: Option<&'a [f32]>,
}

#[derive(Serialize)]
struct Skin {
    index: usize,
    joints: Vec<usize>,
    joint_matrices: Vec<[f32; 16]>,
}

#[derive(Serialize)]
struct MorphWeights<'a> {
    node: usize,
    weights: &'a [f32],
}

#[derive(Serialize)]
struct Primitive {
    node: usize,
    mesh: usize,
    primitive: usize,
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    bounds: Option<Bounds>,
}

#[derive(Serialize)]
struct Bounds {
    min: [f32; 3],
    max: [f32; 3],
}

type PrimitiveIter<'a> = Box<dyn Iterator<Item = Primitive> + 'a>;

/// A list that is made while it is written.
struct Stream<I>(RefCell<Option<I>>);

impl<I: Iterator<Item: Serialize>> Serialize for Stream<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.take().into_iter().flatten())
    }
}

pub(super) fn write(
    posed: &Posed<'_>,
    motion: &Motion,
    vertices: bool,
    output: &mut Output,
) -> io::Result<()> {
    let asset = posed.asset;
    let node = |(index, node)| node_json(posed, index, node);
    let skin = |(index, skin): (usize, &std::sync::Arc<canter::Skin>)| Skin {
        index,
        joints: skin.joints().iter().map(|&joint| asset.skeleton.source_index(joint)).collect(),
        joint_matrices: posed.palette(index).iter().map(Mat4::to_cols_array).collect(),
    };
    let clip = |part: &super::group::Part| Clip {
        name: asset.info.clip_names[part.clip].as_deref(),
        index: part.clip,
        time: part.time_secs,
        weight: part.weight,
    };
    let layer = |layer: &super::posed::LayerPart| Layer {
        clip: Clip {
            name: asset.info.clip_names[layer.found.index].as_deref(),
            index: layer.found.index,
            time: layer.time_secs,
            weight: layer.found.weight,
        },
        additive: layer.found.clip.is_additive(),
    };
    let nodes: Vec<Node<'_>> = asset.nodes.iter().enumerate().map(node).collect();
    let primitives: PrimitiveIter<'_> = Box::new(posed.primitives().map(primitive_json));
    output.json(&Document {
        clips: posed.parts.iter().map(clip).collect(),
        root: motion.root.as_ref(),
        markers: &motion.markers,
        layers: posed.layers.iter().map(layer).collect(),
        morph_weights: nodes.iter().filter_map(morph_weights).collect(),
        nodes,
        skins: asset.skins.iter().enumerate().map(skin).collect(),
        primitives: vertices.then_some(Stream(RefCell::new(Some(primitives)))),
    })
}

fn morph_weights<'a>(node: &Node<'a>) -> Option<MorphWeights<'a>> {
    node.morph_weights.map(|weights| MorphWeights { node: node.index, weights })
}

fn node_json<'a>(posed: &'a Posed<'_>, index: usize, node: &'a canter_gltf::Node) -> Node<'a> {
    let local = posed.pose.joint(node.joint);
    Node {
        index,
        name: node.name.as_deref(),
        translation: local.translation.to_array(),
        rotation: local.rotation.to_array(),
        scale: local.scale.to_array(),
        world: posed.world(node).to_cols_array(),
        morph_weights: posed.morph_weights(node),
    }
}

fn primitive_json(posed: PosedPrimitive) -> Primitive {
    let bounds =
        posed.vertices.bounds().map(|(min, max)| Bounds { min: min.to_array(), max: max.to_array() });
    let arrays = |vectors: Vec<Vec3>| vectors.into_iter().map(Vec3::into).collect();
    Primitive {
        node: posed.node,
        mesh: posed.mesh,
        primitive: posed.primitive,
        positions: arrays(posed.vertices.positions),
        normals: arrays(posed.vertices.normals),
        bounds,
    }
}
