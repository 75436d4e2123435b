//! Nodes: the tree that carries everything.
//!
//! Every node is a joint of the one skeleton: then armatures above the joints count, nodes that are no joints
//! can be animated, and attachments can hang anywhere. What a node costs per frame is one matrix product.

#[cfg(feature = "meshes")]
mod instances;
#[cfg(feature = "meshes")]
mod levels;

use std::sync::Arc;

use canter::{JointId, MorphId, Skeleton};

use crate::animated::{AnimatedProperty, PropertyTarget};
use crate::error::{Failure, LoadError};
use crate::mesh::Mesh;
use crate::place::Place;
use crate::schema;
use crate::schema::{Index, owned};
use crate::source::Source;
use crate::transform;
use crate::warning::WarningCode;

/// A node of the file. Its transform is that of its joint.
///
/// Behind the nodes of the file come the instances of meshes (`EXT_mesh_gpu_instancing`): nodes without names,
/// each with the mesh, below the node that has the mesh in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The file's name for it.
    pub name: Option<String>,
    /// Index of the node it hangs on.
    pub parent: Option<usize>,
    /// Indices of the nodes that hang on it.
    pub children: Vec<usize>,
    /// The same node in the skeleton.
    pub joint: JointId,
    /// Index of the mesh that is drawn here.
    pub mesh: Option<usize>,
    /// Indices of meshes to draw instead of it where it is small in the picture, finer ones first (`MSFT_lod`).
    ///
    /// The nodes that have them in the file are there, too, without a mesh.
    pub coarser: Vec<usize>,
    /// Index of the skin that moves the mesh. The node's own transform does not count then.
    pub skin: Option<usize>,
    /// The weights of the mesh's morph targets.
    pub morph: Option<MorphId>,
    /// Whether it is shown, with all that hangs on it, unless a clip says otherwise (`KHR_node_visibility`).
    pub visible: bool,
    /// Its `extras`, as JSON.
    pub extras: Option<Box<str>>,
}

/// A list of nodes to be drawn together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    /// The file's name for it.
    pub name: Option<String>,
    /// Indices of the root nodes.
    pub nodes: Vec<usize>,
    /// Its `extras`, as JSON.
    pub extras: Option<Box<str>>,
}

/// The nodes, the skeleton that they make, and where it has the numbers of what is animated beside them.
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) skeleton: Arc<Skeleton>,
    pub(crate) animated: Vec<AnimatedProperty>,
}

/// The tree of the file's nodes.
pub(crate) fn tree(
    source: &Source<'_>,
    meshes: &[Mesh],
    animated: Vec<(PropertyTarget, Vec<f32>)>,
) -> Result<Tree, Failure> {
    let list = &source.document.nodes;
    let limit = source.options.limits.nodes;
    if list.len() > limit {
        let (found, limit) = (list.len() as u64, limit as u64);
        let place = "nodes".into();
        return Err(LoadError::Limit { place, what: "the number of nodes", found, limit }.into());
    }
    let parents = parents(list)?;
    let mut builder = Skeleton::builder();
    let mut morphs = Vec::with_capacity(list.len());
    let nodes_place = Place::list("nodes");
    for (index, node) in list.iter().enumerate() {
        let place = &nodes_place.item(index);
        let name = node.name.as_ref().map_or("", |name| name.0.as_ref());
        builder.joint(name, parents[index], transform::rest(node, place, source.report)?);
        let weights = rest_weights(node, meshes, source, place)?;
        morphs.push(weights.map(|weights| builder.morph_set(name, weights)));
    }
    #[cfg(feature = "meshes")]
    let instances = instances::add(source, &mut builder)?;
    let animated = (animated.into_iter())
        .map(|(target, rest)| AnimatedProperty {
            target,
            values: builder.morph_set(target.to_string(), rest),
        })
        .collect();
    let skeleton = builder.build().map_err(|error| Box::new(LoadError::Skeleton(error)))?;

    let skins = source.document.skins.len();
    let node = |(index, node): (usize, &schema::node::Node<'_>)| {
        let place = nodes_place.item(index);
        let place = place.field("skin");
        let skin = node.skin.map(|skin| place.index(skin.get(), "skins", skins));
        if node.skin.is_some() && node.mesh.is_none() {
            let message = "the node has no mesh; its skin moves nothing";
            source.report.warn(&place, WarningCode::SkinWithoutMesh, message);
        }
        Ok(Node {
            name: owned(&node.name),
            parent: parents[index],
            children: node.children.iter().map(|child| child.get()).collect(),
            joint: skeleton.joint_from_source(index).expect("every node was given to the builder"),
            mesh: node.mesh.map(Index::get),
            coarser: Vec::new(),
            skin: skin.transpose()?,
            morph: morphs[index],
            #[cfg(feature = "meshes")]
            visible: node.extensions.is_visible(),
            #[cfg(not(feature = "meshes"))]
            visible: true,
            extras: node.extras.owned(),
        })
    };
    #[cfg_attr(not(feature = "meshes"), expect(unused_mut, reason = "there are no instances"))]
    let mut nodes = list.iter().enumerate().map(node).collect::<Result<Vec<_>, Failure>>()?;
    #[cfg(feature = "meshes")]
    levels::gather(source, &mut nodes)?;
    #[cfg(feature = "meshes")]
    instances::append(&instances, &skeleton, &mut nodes);
    Ok(Tree { nodes, skeleton: Arc::new(skeleton), animated })
}

/// The parent of each node, if the children make a forest.
fn parents(list: &[schema::node::Node<'_>]) -> Result<Vec<Option<usize>>, Failure> {
    let nodes_place = Place::list("nodes");
    let mut parents = vec![None; list.len()];
    for (index, node) in list.iter().enumerate() {
        let node_place = nodes_place.item(index);
        let children_place = node_place.field("children");
        for (entry, child) in node.children.iter().enumerate() {
            let place = children_place.item(entry);
            let child = place.index(child.get(), "nodes", list.len())?;
            if let Some(other) = parents[child].replace(index) {
                let found = format_args!("node {child}, which is a child of node {other} already");
                return Err(place.invalid(found, "a node without another parent"));
            }
        }
    }
    // With one parent at most, a node that no root leads to hangs on a ring.
    let mut open: Vec<usize> = (0..list.len()).filter(|&node| parents[node].is_none()).collect();
    let mut reached = vec![false; list.len()];
    while let Some(node) = open.pop() {
        reached[node] = true;
        open.extend(list[node].children.iter().map(|child| child.get()));
    }
    match reached.iter().position(|reached| !reached) {
        Some(node) => {
            let place = nodes_place.item(node);
            Err(place.field("children").invalid(format_args!("node {node} below itself"), "a tree"))
        }
        None => Ok(parents),
    }
}

/// The rest weights of the morph targets of a node's mesh.
fn rest_weights(
    node: &schema::node::Node<'_>,
    meshes: &[Mesh],
    source: &Source<'_>,
    place: &Place<'_>,
) -> Result<Option<Vec<f32>>, Failure> {
    let Some(mesh) = node.mesh else {
        if node.weights.is_some() {
            source.report.warn(
                &place.field("weights"),
                WarningCode::WeightsWithoutMesh,
                "the node has no mesh; its weights are ignored",
            );
        }
        return Ok(None);
    };
    let mesh = &meshes[place.field("mesh").index(mesh.get(), "meshes", meshes.len())?];
    if mesh.target_count() == 0 {
        return Ok(None);
    }
    let weights = node.weights.as_deref().unwrap_or(&mesh.weights);
    source.morph_weights(weights, mesh.target_count(), &place.field("weights")).map(Some)
}

/// The scenes, and the index of the one to show.
pub(crate) fn scenes(source: &Source<'_>, nodes: &[Node]) -> Result<(Vec<Scene>, Option<usize>), Failure> {
    let document = source.document;
    let list = Place::list("scenes");
    let mut scenes = Vec::with_capacity(document.scenes.len());
    for (index, scene) in document.scenes.iter().enumerate() {
        let place = list.item(index);
        let place = place.field("nodes");
        for (entry, node) in scene.nodes.iter().enumerate() {
            let place = place.item(entry);
            let node = place.index(node.get(), "nodes", nodes.len())?;
            if nodes[node].parent.is_some() {
                source.report.warn(
                    &place,
                    WarningCode::SceneNodeNotRoot,
                    format_args!("node {node} is no root: it hangs on another node"),
                );
            }
        }
        scenes.push(Scene {
            name: owned(&scene.name),
            nodes: scene.nodes.iter().map(|node| node.get()).collect(),
            extras: scene.extras.owned(),
        });
    }
    let default = match document.scene {
        Some(scene) => Some(Place::list("scene").index(scene.get(), "scenes", scenes.len())?),
        None => (!scenes.is_empty()).then_some(0),
    };
    Ok((scenes, default))
}
