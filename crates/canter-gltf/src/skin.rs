//! Skins: which joints move the vertices of a mesh.

use std::sync::Arc;

use canter::glam::{Mat4, Vec4};
use canter::{Skeleton, Skin, Skins};

use crate::accessor::{Component, Expected, Kind};
use crate::count::count;
use crate::error::{Failure, LoadError};
use crate::mesh::{Influences, Mesh};
use crate::node::Node;
use crate::place::Place;
use crate::schema;
use crate::source::Source;
use crate::warning::WarningCode;

const MATRICES: Expected = Expected { kinds: &[Kind::Mat4], components: &[Component::F32], normalized: None };

pub(crate) fn skins(source: &Source<'_>, skeleton: &Skeleton) -> Result<Skins, Failure> {
    let list = Place::list("skins");
    (source.document.skins.iter().enumerate())
        .map(|(index, skin)| load_skin(skin, source, skeleton, &list.item(index)).map(Arc::new))
        .collect()
}

fn load_skin(
    skin: &schema::node::Skin<'_>,
    source: &Source<'_>,
    skeleton: &Skeleton,
    place: &Place<'_>,
) -> Result<Skin, Failure> {
    let nodes = source.document.nodes.len();
    let joints_place = place.field("joints");
    if skin.joints.is_empty() {
        return Err(joints_place.invalid("an empty list", "at least one joint"));
    }
    let mut joints = Vec::with_capacity(skin.joints.len());
    for (entry, joint) in skin.joints.iter().enumerate() {
        let node = joints_place.item(entry).index(joint.get(), "nodes", nodes)?;
        joints.push(skeleton.joint_from_source(node).expect("every node is a joint"));
    }
    let mut sorted = joints.clone();
    sorted.sort_unstable();
    if sorted.array_windows().any(|[a, b]| a == b) {
        source.report.warn(&joints_place, WarningCode::DuplicateJoint, "a joint is listed twice");
    }
    if let Some(root) = skin.skeleton {
        place.field("skeleton").index(root.get(), "nodes", nodes)?;
    }
    let joint_from_mesh = match skin.inverse_bind_matrices {
        Some(index) => {
            let place = &place.field("inverseBindMatrices");
            let accessor = source.accessor(index, &MATRICES, place)?;
            if accessor.count < joints.len() {
                let expected = format_args!("{}, one for each joint", joints.len());
                return Err(place.invalid(count(accessor.count, "matrix"), expected));
            }
            let mut matrices: Vec<Mat4> = accessor.floats(place)?;
            matrices.truncate(joints.len());
            mend_last_rows(&mut matrices, source, place);
            if let Some(joint) = matrices.iter().position(|matrix| matrix.determinant() == 0.0) {
                let message =
                    format_args!("the matrix of joint {joint} is singular: it squashes what the joint moves");
                source.report.warn(place, WarningCode::SingularBindMatrix, message);
            }
            matrices
        }
        // The vertices are in the space of each joint already.
        None => vec![Mat4::IDENTITY; joints.len()],
    };
    Skin::new(skeleton, joints, &joint_from_mesh)
        .map_err(|source| LoadError::Skin { place: place.to_string(), source }.into())
}

/// The last row must be 0, 0, 0, 1; an exporter that inverts matrices leaves rounding there.
fn mend_last_rows(matrices: &mut [Mat4], source: &Source<'_>, place: &Place<'_>) {
    const ROUNDING: f32 = 1e-4;
    let mut odd = 0_usize;
    for matrix in matrices {
        odd += usize::from(!matrix.row(3).abs_diff_eq(Vec4::W, ROUNDING));
        for (column, last) in [(0, 0.0), (1, 0.0), (2, 0.0), (3, 1.0)] {
            matrix.col_mut(column).w = last;
        }
    }
    if odd > 0 {
        let message = format_args!(
            "the last row of {} is not 0, 0, 0, 1; it is read as if it were",
            count(odd, "matrix")
        );
        source.report.warn(place, WarningCode::BindMatrixLastRow, message);
    }
}

/// Checks that the joints of skinned meshes are in the skins of their nodes.
pub(crate) fn check_joints(source: &Source<'_>, nodes: &[Node], meshes: &[Mesh]) -> Result<(), Failure> {
    // Once for each mesh: a file may show one large mesh at a million nodes.
    let largest: Vec<Vec<Option<u16>>> = (meshes.iter())
        .map(|mesh| {
            let largest = |sets: &[Influences]| sets.iter().filter_map(Influences::largest_joint).max();
            mesh.primitives.iter().map(|primitive| largest(&primitive.influences)).collect()
        })
        .collect();
    for (index, node) in nodes.iter().enumerate() {
        let Some(skin) = node.skin else { continue };
        let joints = source.document.skins[skin].joints.len();
        let drawn = node.mesh.iter().chain(&node.coarser);
        for (mesh, primitive, largest) in drawn.flat_map(|&mesh| {
            largest[mesh].iter().enumerate().map(move |(primitive, largest)| (mesh, primitive, largest))
        }) {
            let list = Place::list("meshes");
            let (mesh_place, nodes_place) = (list.item(mesh), Place::list("nodes"));
            match largest {
                Some(largest) if usize::from(*largest) >= joints => {
                    let primitives = mesh_place.field("primitives");
                    let place = primitives.item(primitive);
                    let expected = format_args!("a joint below {joints}, as skin {skin} of node {index} has");
                    return Err(place.field("attributes").invalid(format_args!("joint {largest}"), expected));
                }
                None if !meshes[mesh].primitives[primitive].positions.is_empty() => {
                    let place = nodes_place.item(index);
                    let message = format_args!(
                        "the node has a skin, but primitive {primitive} of mesh {mesh} has no joints; it follows the node"
                    );
                    source.report.warn(&place, WarningCode::SkinWithoutJoints, message);
                }
                _ => {}
            }
        }
    }
    Ok(())
}
