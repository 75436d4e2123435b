//! Where the JSON holds indices of accessors and of views.

use super::json::Json;

/// What an accessor is used for. Data of different uses must not share a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Use {
    /// Attributes of vertices, and their morph targets.
    Vertices,
    /// Indices of triangles.
    Triangles,
    /// Other indices.
    Indices,
    /// Times of keys.
    Times,
    /// Values of keys.
    Values,
    /// Anything else: inverse bind matrices, instances.
    Other,
}

/// Calls `visit` for every index of an accessor.
pub(super) fn accessors<'a>(json: &mut Json<'a>, visit: &mut dyn FnMut(Use, &mut Json<'a>)) {
    for mesh in json.each("meshes") {
        for primitive in mesh.each("primitives") {
            let mode = primitive.number_at(&["mode"]).unwrap_or(4);
            members(primitive.get("attributes"), Use::Vertices, visit);
            for target in primitive.each("targets") {
                members(Some(target), Use::Vertices, visit);
            }
            if let Some(index) = primitive.get("indices") {
                visit(if mode == 4 { Use::Triangles } else { Use::Indices }, index);
            }
        }
    }
    for skin in json.each("skins") {
        if let Some(index) = skin.get("inverseBindMatrices") {
            visit(Use::Other, index);
        }
    }
    for animation in json.each("animations") {
        for sampler in animation.each("samplers") {
            for (name, is_for) in [("input", Use::Times), ("output", Use::Values)] {
                if let Some(index) = sampler.get(name) {
                    visit(is_for, index);
                }
            }
        }
    }
    for node in json.each("nodes") {
        let attributes = node.path(&["extensions", "EXT_mesh_gpu_instancing", "attributes"]);
        members(attributes, Use::Other, visit);
    }
}

fn members<'a>(object: Option<&mut Json<'a>>, is_for: Use, visit: &mut dyn FnMut(Use, &mut Json<'a>)) {
    for (_, index) in object.and_then(Json::members).into_iter().flatten() {
        visit(is_for, index);
    }
}

/// Calls `visit` for every index of a view that no accessor holds: that view is needed as it is.
pub(super) fn whole_views<'a>(json: &mut Json<'a>, visit: &mut dyn FnMut(&mut Json<'a>)) {
    for image in json.each("images") {
        if let Some(index) = image.get("bufferView") {
            visit(index);
        }
    }
    for mesh in json.each("meshes") {
        for primitive in mesh.each("primitives") {
            if let Some(index) = primitive.path(&["extensions", "KHR_draco_mesh_compression", "bufferView"]) {
                visit(index);
            }
        }
    }
}

/// The parts of an accessor that lie in views.
pub(super) const PARTS: [&[&str]; 3] = [&[], &["sparse", "indices"], &["sparse", "values"]];
