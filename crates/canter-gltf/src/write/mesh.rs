//! Meshes with fewer bytes: equal vertices become one, and what no vertex needs goes.

use std::collections::HashMap;

use super::document::Document;
use super::json::Json;
use super::pool::AccessorKey;
use super::quantize::{self, Weights};
use super::view::{Elements, View};
use crate::accessor::{Component, Kind};

/// An attribute of vertices: its name (of a morph target with its number) and its accessor.
type Attribute = (String, usize);

/// Primitives that show the same vertices.
struct Group {
    attributes: Vec<Attribute>,
    /// Indices of mesh and primitive.
    primitives: Vec<(usize, usize)>,
}

/// What became of the vertices of a group.
struct Welded {
    attributes: Vec<(String, AccessorKey)>,
    /// New indices of each primitive; `None` if it has none and needs none.
    indices: Vec<Option<AccessorKey>>,
    needs_extension: bool,
}

impl Document<'_> {
    /// Lets equal vertices be one, with indices of as few bits as they need; leaves out joints and weights of
    /// meshes that no skin moves. With `quantize`, attributes have fewer bits, too.
    pub(crate) fn shrink_meshes(&mut self, quantize: bool) {
        self.drop_skins_of_rigid_meshes();
        let views = self.views();
        let groups = self.vertex_groups();
        let mut users: HashMap<usize, usize> = HashMap::new();
        for (_, accessor) in groups.iter().flat_map(|group| &group.attributes) {
            *users.entry(*accessor).or_default() += 1;
        }
        for group in groups {
            // What other vertices show, too, would be there twice.
            if group.attributes.iter().any(|(_, accessor)| users[accessor] > 1) {
                continue;
            }
            let Some(welded) = self.weld(&group, &views, quantize) else { continue };
            if welded.needs_extension {
                self.use_extension("KHR_mesh_quantization", true);
            }
            self.replace(&group, welded);
        }
    }

    /// Joints and weights count only for nodes with skins.
    fn drop_skins_of_rigid_meshes(&mut self) {
        let mut skinned = vec![false; self.json.each("meshes").len()];
        for node in self.json.each("nodes") {
            if let (Some(mesh), Some(_)) =
                (node.number_at(&["mesh"]), node.get("skin").is_some().then_some(()))
                && let Some(skinned) = skinned.get_mut(mesh)
            {
                *skinned = true;
            }
        }
        for (mesh, _) in self.json.each("meshes").iter_mut().zip(skinned).filter(|(_, skinned)| !skinned) {
            for primitive in mesh.each("primitives") {
                if let Some(attributes) = primitive.get("attributes").and_then(Json::members) {
                    attributes
                        .retain(|(name, _)| !name.starts_with(b"JOINTS_") && !name.starts_with(b"WEIGHTS_"));
                }
            }
        }
    }

    fn vertex_groups(&mut self) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut known: HashMap<Vec<Attribute>, usize> = HashMap::new();
        for (mesh_index, mesh) in self.json.each("meshes").iter_mut().enumerate() {
            for (index, primitive) in mesh.each("primitives").iter_mut().enumerate() {
                let Some(attributes) = attributes_of(primitive) else { continue };
                let group = *known.entry(attributes.clone()).or_insert_with(|| {
                    groups.push(Group { attributes, primitives: Vec::new() });
                    groups.len() - 1
                });
                groups[group].primitives.push((mesh_index, index));
            }
        }
        groups
    }

    /// The vertices of a group without doubles, if that takes less room.
    fn weld(&mut self, group: &Group, views: &[View], quantize: bool) -> Option<Welded> {
        let mut indices = Vec::new();
        for &(mesh, primitive) in &group.primitives {
            let primitive = self.json.each("meshes").get_mut(mesh)?.each("primitives").get_mut(primitive)?;
            indices.push(primitive.number_at(&["indices"]));
        }
        let accessors = self.json.each("accessors");
        let mut elements = Vec::new();
        for (_, accessor) in &group.attributes {
            elements.push(Elements::new(accessors.get_mut(*accessor)?, views, &self.buffers)?);
        }
        let vertices = elements.first()?.count;
        if elements.iter().any(|elements| elements.count != vertices) {
            return None;
        }
        let mut lists = Vec::new();
        for &index in &indices {
            lists.push(match index {
                None => Some((0..vertices).collect()),
                Some(index) => read_indices(&Elements::new(accessors.get_mut(index)?, views, &self.buffers)?),
            }?);
        }
        let (kept, numbers) = weld(&elements, &lists)?;
        let weights = quantize.then(|| Weights::new(&group.attributes, &elements));
        let mut welded = Welded { attributes: Vec::new(), indices: Vec::new(), needs_extension: false };
        let mut before = 0;
        for ((name, _), elements) in group.attributes.iter().zip(&elements) {
            before += vertices * elements.format.size();
            let (key, needs_extension) = quantize::encode(name, elements, &kept, weights.as_ref());
            welded.needs_extension |= needs_extension;
            welded.attributes.push((name.clone(), key));
        }
        let is_same = kept.len() == vertices;
        for (list, index) in lists.iter().zip(&indices) {
            let old = index.and_then(|index| Elements::new(accessors.get_mut(index)?, views, &self.buffers));
            before += old.map_or(0, |old| old.count * old.format.size());
            let smallest = old.map_or(Component::U16, |old| old.format.component);
            let new: Vec<usize> = list.iter().map(|&vertex| numbers[vertex]).collect();
            let key = (index.is_some() || !is_same).then(|| index_key(&new, kept.len(), smallest));
            welded.indices.push(key);
        }
        let after: usize = welded.attributes.iter().map(|(_, key)| key.bytes.len()).sum::<usize>()
            + welded.indices.iter().flatten().map(|key| key.bytes.len()).sum::<usize>();
        (after < before).then_some(welded)
    }

    fn replace(&mut self, group: &Group, welded: Welded) {
        let attributes: Vec<(String, usize)> =
            welded.attributes.into_iter().map(|(name, key)| (name, self.add_accessor(key))).collect();
        for (&(mesh, primitive), indices) in group.primitives.iter().zip(welded.indices) {
            let indices = indices.map(|key| self.add_accessor(key));
            let Some(primitive) = self.json.list("meshes")[mesh].each("primitives").get_mut(primitive) else {
                continue;
            };
            for (name, accessor) in &attributes {
                match name.split_once('/') {
                    None => primitive.get("attributes").map(|object| object.set(name, *accessor)),
                    Some((target, name)) => {
                        let target = target
                            .parse()
                            .ok()
                            .and_then(|target: usize| primitive.each("targets").get_mut(target));
                        target.map(|object| object.set(name, *accessor))
                    }
                };
            }
            if let Some(indices) = indices {
                primitive.set("indices", indices);
            }
        }
    }
}

/// All attributes of a primitive; `None` if extensions may know more about its vertices.
fn attributes_of(primitive: &mut Json<'_>) -> Option<Vec<Attribute>> {
    let extensions = primitive.get("extensions").and_then(Json::members);
    if extensions.is_some_and(|members| members.iter().any(|(name, _)| &**name != b"KHR_materials_variants"))
    {
        return None;
    }
    let mut list = Vec::new();
    for (name, accessor) in primitive.get("attributes")?.members()? {
        list.push((String::from_utf8(name.to_vec()).ok()?, accessor.number()?));
    }
    for (number, target) in primitive.each("targets").iter_mut().enumerate() {
        for (name, accessor) in target.members()? {
            list.push((format!("{number}/{}", str::from_utf8(name).ok()?), accessor.number()?));
        }
    }
    (!list.is_empty()).then_some(list)
}

fn read_indices(elements: &Elements<'_>) -> Option<Vec<usize>> {
    let read = |index: usize| {
        let mut bytes = [0; 4];
        let element = elements.get(index);
        bytes[..element.len()].copy_from_slice(element);
        u32::from_le_bytes(bytes) as usize
    };
    let is_index = matches!(elements.format.component, Component::U8 | Component::U16 | Component::U32);
    (is_index && elements.format.kind == Kind::Scalar).then(|| (0..elements.count).map(read).collect())
}

/// The vertices that are kept, in the order of their first use, and the new number of each old one.
fn weld(elements: &[Elements<'_>], lists: &[Vec<usize>]) -> Option<(Vec<usize>, Vec<usize>)> {
    let vertices = elements.first()?.count;
    let mut numbers = vec![usize::MAX; vertices];
    let mut kept = Vec::new();
    let mut known: HashMap<Vec<u8>, usize> = HashMap::new();
    for &vertex in lists.iter().flatten() {
        let number = numbers.get_mut(vertex)?;
        if *number == usize::MAX {
            let row: Vec<u8> = elements.iter().flat_map(|elements| elements.get(vertex)).copied().collect();
            *number = *known.entry(row).or_insert_with(|| {
                kept.push(vertex);
                kept.len() - 1
            });
        }
    }
    // The order of the file is kept: it may have been made for the caches of a GPU.
    let mut order: Vec<usize> = (0..kept.len()).collect();
    order.sort_by_key(|&number| kept[number]);
    let mut place = vec![0; kept.len()];
    for (new, &old) in order.iter().enumerate() {
        place[old] = new;
    }
    kept.sort_unstable();
    let numbers = numbers.into_iter().map(|number| place.get(number).copied().unwrap_or(0)).collect();
    Some((kept, numbers))
}

/// Indices of as few bits as they need, but no fewer than a GPU likes unless they had fewer before.
fn index_key(indices: &[usize], vertices: usize, smallest: Component) -> AccessorKey {
    let component = match vertices {
        0..=255 if smallest == Component::U8 => Component::U8,
        0..=65535 => Component::U16,
        _ => Component::U32,
    };
    #[expect(clippy::cast_possible_truncation, reason = "cut to as many bytes as they need")]
    let bytes =
        indices.iter().flat_map(|&index| (index as u32).to_le_bytes().into_iter().take(component.size()));
    AccessorKey::new(component, Kind::Scalar, false, bytes.collect()).for_indices()
}
