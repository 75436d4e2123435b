//! A binary glTF file under construction: the document and the bytes it describes.

use std::collections::HashMap;

use anyhow::Result;
use glam::Vec3;

use super::coarser::Level;
use super::gltf::{
    ARRAY_BUFFER, Accessor, AssetInfo, Attributes, Buffer, BufferView, Document, ELEMENT_ARRAY_BUFFER, F32,
    MaterialJson, Pbr, Primitive, Scene, U8, U16,
};
use super::surface::{Material, Surface, Vertex};

pub(crate) struct Glb {
    pub document: Document,
    binary: Vec<u8>,
    series_view: Option<usize>,
    /// The accessors of all series so far, by their kind and bytes.
    series: HashMap<(&'static str, Vec<u8>), usize>,
}

impl Glb {
    pub(crate) fn new(scene: &'static str) -> Self {
        let document = Document {
            asset: AssetInfo {
                version: "2.0",
                generator: "cargo xtask assets",
                copyright: "The Canter developers, MIT OR Apache-2.0",
            },
            scene: 0,
            scenes: vec![Scene { name: scene, nodes: Vec::new() }],
            nodes: Vec::new(),
            meshes: Vec::new(),
            materials: Vec::new(),
            skins: Vec::new(),
            animations: Vec::new(),
            extensions_used: Vec::new(),
            accessors: Vec::new(),
            buffer_views: Vec::new(),
            buffers: Vec::new(),
            extensions: None,
        };
        Self { document, binary: Vec::new(), series_view: None, series: HashMap::new() }
    }

    /// Adds a surface with its material. Vertices are interleaved, as a GPU reads them.
    pub(crate) fn primitive(&mut self, surface: &Surface) -> Primitive {
        let skinned = surface.vertices.iter().any(|vertex| vertex.weights != [0; 4]);
        let start = self.binary.len();
        for vertex in &surface.vertices {
            self.f32s(&vertex.position.to_array());
            self.f32s(&vertex.normal.to_array());
            self.binary.extend(vertex.colour);
            if skinned {
                self.binary.extend(vertex.joints);
                self.binary.extend(vertex.weights);
            }
        }
        let stride = if skinned { 36 } else { 28 };
        let view = self.view(start, Some(stride), Some(ARRAY_BUFFER));
        let attributes = self.attributes(view, &surface.vertices, skinned);
        self.document.materials.push(material(surface.material));
        let material = self.document.materials.len() - 1;
        Primitive { attributes, indices: self.indices(&surface.indices), material }
    }

    /// A coarser surface over the first vertices of one that was added.
    pub(crate) fn coarser(&mut self, fine: &Primitive, surface: &Surface, level: &Level) -> Primitive {
        let view = self.document.accessors[fine.attributes.position].buffer_view;
        let skinned = fine.attributes.joints.is_some();
        let attributes = self.attributes(view, &surface.vertices[..level.vertex_count], skinned);
        Primitive { attributes, indices: self.indices(&level.indices), material: fine.material }
    }

    /// Accessors for the first vertices of a view.
    fn attributes(&mut self, view: usize, vertices: &[Vertex], skinned: bool) -> Attributes {
        let count = vertices.len();
        let (low, high) = vertices.iter().fold((Vec3::MAX, Vec3::MIN), |(low, high), vertex| {
            (low.min(vertex.position), high.max(vertex.position))
        });
        let position = self.attribute(view, 0, F32, "VEC3", count);
        self.document.accessors[position].min = low.to_array().into();
        self.document.accessors[position].max = high.to_array().into();
        let normal = self.attribute(view, 12, F32, "VEC3", count);
        let colour = self.attribute(view, 24, U8, "VEC4", count);
        self.document.accessors[colour].normalized = true;
        let joints = skinned.then(|| self.attribute(view, 28, U8, "VEC4", count));
        let weights = skinned.then(|| self.attribute(view, 32, U8, "VEC4", count));
        if let Some(weights) = weights {
            self.document.accessors[weights].normalized = true;
        }
        Attributes { position, normal, colour, joints, weights }
    }

    fn indices(&mut self, indices: &[u16]) -> usize {
        let start = self.binary.len();
        for index in indices {
            self.binary.extend(index.to_le_bytes());
        }
        let view = self.view(start, None, Some(ELEMENT_ARRAY_BUFFER));
        self.attribute(view, 0, U16, "SCALAR", indices.len())
    }

    /// Adds an accessor for plain numbers, with a view of its own; `kind` is a glTF accessor type such as
    /// `"VEC3"`.
    pub(crate) fn floats(&mut self, values: &[f32], width: usize, kind: &'static str) -> usize {
        let start = self.binary.len();
        self.f32s(values);
        let view = self.view(start, None, None);
        self.attribute(view, 0, F32, kind, values.len() / width)
    }

    /// Like [`Self::floats`], in a view that all series share while nothing else is added: clips have
    /// hundreds. Equal series are written once: clips with and without root motion share most of theirs.
    pub(crate) fn series(&mut self, values: &[f32], width: usize, kind: &'static str) -> usize {
        let key = (kind, values.iter().flat_map(|value| value.to_le_bytes()).collect());
        if let Some(&accessor) = self.series.get(&key) {
            return accessor;
        }
        let accessor = self.new_series(values, width, kind);
        self.series.insert(key, accessor);
        accessor
    }

    fn new_series(&mut self, values: &[f32], width: usize, kind: &'static str) -> usize {
        let start = self.binary.len();
        self.f32s(values);
        let view = match self.series_view {
            Some(view) => view,
            None => self.view(start, None, None),
        };
        self.series_view = Some(view);
        let described = &mut self.document.buffer_views[view];
        let offset = start - described.byte_offset;
        described.byte_length = offset + size_of_val(values);
        self.attribute(view, offset, F32, kind, values.len() / width)
    }

    fn f32s(&mut self, values: &[f32]) {
        for value in values {
            self.binary.extend(value.to_le_bytes());
        }
    }

    /// A view of everything written since `start`.
    fn view(&mut self, start: usize, byte_stride: Option<usize>, target: Option<u32>) -> usize {
        let byte_length = self.binary.len() - start;
        // The next view starts on four bytes, whatever it holds.
        self.binary.resize(self.binary.len().next_multiple_of(4), 0);
        self.document.buffer_views.push(BufferView {
            buffer: 0,
            byte_offset: start,
            byte_length,
            byte_stride,
            target,
        });
        self.document.buffer_views.len() - 1
    }

    fn attribute(
        &mut self,
        buffer_view: usize,
        byte_offset: usize,
        component_type: u32,
        kind: &'static str,
        count: usize,
    ) -> usize {
        let (min, max) = (Vec::new(), Vec::new());
        self.document.accessors.push(Accessor {
            buffer_view,
            byte_offset,
            component_type,
            normalized: false,
            count,
            kind,
            min,
            max,
        });
        self.document.accessors.len() - 1
    }

    /// The file: header, JSON chunk, binary chunk.
    pub(crate) fn into_bytes(mut self) -> Result<Vec<u8>> {
        self.document.buffers.push(Buffer { byte_length: self.binary.len() });
        let mut json = serde_json::to_vec(&self.document)?;
        json.resize(json.len().next_multiple_of(4), b' ');
        let mut bytes = Vec::new();
        let word = |value: usize| -> Result<[u8; 4]> { Ok(u32::try_from(value)?.to_le_bytes()) };
        bytes.extend(b"glTF");
        bytes.extend(word(2)?);
        bytes.extend(word(12 + 8 + json.len() + 8 + self.binary.len())?);
        for (kind, chunk) in [(b"JSON", &json), (b"BIN\0", &self.binary)] {
            bytes.extend(word(chunk.len())?);
            bytes.extend(kind);
            bytes.extend(chunk);
        }
        Ok(bytes)
    }
}

fn material(material: Material) -> MaterialJson {
    // Metals are half metallic only: without surroundings to mirror, a full metal is black.
    let (name, metallic_factor, roughness_factor) = match material {
        Material::Skin => ("skin", 0.0, 0.6),
        Material::Hair => ("hair", 0.0, 0.5),
        Material::Cloth => ("cloth", 0.0, 0.9),
        Material::Leather => ("leather", 0.0, 0.6),
        Material::Metal => ("metal", 0.5, 0.32),
        Material::Eyes => ("eyes", 0.0, 0.2),
    };
    MaterialJson { name, pbr_metallic_roughness: Pbr { metallic_factor, roughness_factor } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_series_are_written_once() {
        let mut glb = Glb::new("test");
        let first = glb.series(&[1.0, 2.0, 3.0], 3, "VEC3");
        let of_other_kind = glb.series(&[1.0, 2.0, 3.0], 1, "SCALAR");
        assert_eq!(glb.series(&[1.0, 2.0, 3.0], 3, "VEC3"), first);
        assert_ne!(of_other_kind, first);
        assert_eq!(glb.document.accessors.len(), 2);
    }

    #[test]
    fn chunks_are_aligned_and_views_lie_within_the_buffer() {
        let mut glb = Glb::new("test");
        glb.floats(&[1.0, 2.0, 3.0], 3, "VEC3");
        let first = glb.series(&[0.0, 1.0], 1, "SCALAR");
        let second = glb.series(&[5.0; 8], 4, "VEC4");
        let [first, second] = [first, second].map(|accessor| &glb.document.accessors[accessor]);
        assert_eq!(first.buffer_view, second.buffer_view);
        assert_eq!(second.byte_offset, 8);
        let bytes = glb.into_bytes().unwrap();
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((&bytes[..4], word(8)), (&b"glTF"[..], bytes.len()));
        let json_length = word(12);
        assert_eq!(json_length % 4, 0);
        let json: serde_json::Value = serde_json::from_slice(&bytes[20..20 + json_length]).unwrap();
        let buffer_length = json["buffers"][0]["byteLength"].as_u64().unwrap();
        assert_eq!(word(20 + json_length) as u64, buffer_length);
        for view in json["bufferViews"].as_array().unwrap() {
            let end = view["byteOffset"].as_u64().unwrap() + view["byteLength"].as_u64().unwrap();
            assert!(end <= buffer_length);
        }
    }
}
