//! `EXT_mesh_gpu_instancing`: a mesh that is drawn at many places.

use canter::glam::{Quat, Vec3, Vec4};
use canter::{Skeleton, SkeletonBuilder, Transform};

use crate::accessor::{Component, Expected, Floats, Kind};
use crate::error::{Failure, LoadError};
use crate::place::Place;
use crate::schema::mesh::Attributes;
use crate::schema::node::Node;
use crate::source::Source;
use crate::warning::WarningCode;

use Component::{F32, I8, I16};

const VECTORS: Expected = Expected { kinds: &[Kind::Vec3], components: &[F32], normalized: None };
const ROTATIONS: Expected =
    Expected { kinds: &[Kind::Vec4], components: &[F32, I8, I16], normalized: Some(true) };

/// What a node and its joint need.
const BYTES_PER_INSTANCE: u64 = 512;

/// A node whose mesh is drawn at many places, and how many these are.
pub(super) struct Instanced {
    node: usize,
    count: usize,
}

/// Makes a joint of every instance, behind those of the nodes.
pub(super) fn add(source: &Source<'_>, builder: &mut SkeletonBuilder) -> Result<Vec<Instanced>, Failure> {
    let list = Place::list("nodes");
    let mut instanced = Vec::new();
    let mut joints = source.document.nodes.len();
    for (node, data) in source.document.nodes.iter().enumerate() {
        let Some(places) = places(data, joints, source, &list.item(node))? else { continue };
        joints += places.len();
        instanced.push(Instanced { node, count: places.len() });
        for place in places {
            builder.joint("", Some(node), place);
        }
    }
    Ok(instanced)
}

/// Makes a node of every instance: it has the mesh, and the node of the file no longer has it.
pub(super) fn append(instanced: &[Instanced], skeleton: &Skeleton, nodes: &mut Vec<super::Node>) {
    for &Instanced { node, count } in instanced {
        let mesh = nodes[node].mesh.take();
        let coarser = std::mem::take(&mut nodes[node].coarser);
        for _ in 0..count {
            let index = nodes.len();
            nodes[node].children.push(index);
            nodes.push(super::Node {
                name: None,
                parent: Some(node),
                children: Vec::new(),
                joint: skeleton.joint_from_source(index).expect("every instance was given to the builder"),
                mesh,
                coarser: coarser.clone(),
                skin: None,
                morph: nodes[node].morph,
                visible: true,
                extras: None,
            });
        }
    }
}

/// Where the mesh of a node is drawn, relative to the node; `None` if only there where the node is. `nodes` are
/// there already.
fn places(
    node: &Node<'_>,
    nodes: usize,
    source: &Source<'_>,
    place: &Place<'_>,
) -> Result<Option<Vec<Transform>>, Failure> {
    let Some(instancing) = &node.extensions.instancing else { return Ok(None) };
    let extensions = place.field("extensions");
    let place = extensions.field("EXT_mesh_gpu_instancing");
    let place = place.field("attributes");
    if node.mesh.is_none() || node.skin.is_some() {
        source.report.warn(
            &place,
            WarningCode::InstancesIgnored,
            "only a mesh without a skin has instances; they are left out",
        );
        return Ok(None);
    }
    let reader = Reader { source, attributes: &instancing.attributes, place };
    let translations = reader.read::<Vec3>("TRANSLATION", &VECTORS)?;
    let rotations = reader.read::<Vec4>("ROTATION", &ROTATIONS)?;
    let scales = reader.read::<Vec3>("SCALE", &VECTORS)?;
    let counts = [
        translations.as_ref().map(Vec::len),
        rotations.as_ref().map(Vec::len),
        scales.as_ref().map(Vec::len),
    ];
    let mut counts = counts.into_iter().flatten();
    let Some(count) = counts.next() else {
        source.report.warn(
            &place,
            WarningCode::InstancesIgnored,
            "there are no places; the mesh is drawn once",
        );
        return Ok(None);
    };
    if let Some(other) = counts.find(|&other| other != count) {
        return Err(
            place.invalid(format_args!("{other} elements"), format_args!("{count}, as of the others"))
        );
    }
    let (found, limit) = (nodes.saturating_add(count), source.options.limits.nodes);
    if found > limit {
        let (place, what) = (place.to_string(), "the number of nodes and instances");
        return Err(LoadError::Limit { place, what, found: found as u64, limit: limit as u64 }.into());
    }
    source.accessors.budget.take(count as u64 * BYTES_PER_INSTANCE, &place)?;
    let at = |index: usize| Transform {
        translation: translations.as_ref().map_or(Vec3::ZERO, |list| list[index]),
        rotation: rotations.as_ref().map_or(Quat::IDENTITY, |list| rotation(list[index])),
        scale: scales.as_ref().map_or(Vec3::ONE, |list| list[index]),
    };
    Ok(Some((0..count).map(at).collect()))
}

/// Instances are often rounded to bytes, and lie without a direction where nobody looks.
fn rotation(given: Vec4) -> Quat {
    given.try_normalize().map_or(Quat::IDENTITY, Quat::from_vec4)
}

struct Reader<'a> {
    source: &'a Source<'a>,
    attributes: &'a Attributes<'a>,
    place: Place<'a>,
}

impl Reader<'_> {
    fn read<T: Floats>(&self, name: &str, expected: &Expected) -> Result<Option<Vec<T>>, Failure> {
        let Some(index) = self.attributes.find(name) else { return Ok(None) };
        let place = self.place.field(name);
        self.source.accessor(index, expected, &place)?.floats(&place).map(Some)
    }
}
