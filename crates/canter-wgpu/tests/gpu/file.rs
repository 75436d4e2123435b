//! Small glTF files, written by the tests.

use std::sync::Arc;

use base64::Engine as _;
use canter_gltf::{Asset, LoadError};
use canter_scene::Model;
use serde_json::{Value, json};

/// A file that grows.
pub(crate) struct File {
    json: Value,
    bytes: Vec<u8>,
}

/// The corners of a square of a metre around the origin that faces +Z: lower left, lower right, upper right,
/// upper left.
pub(crate) const CORNERS: [[f32; 3]; 4] =
    [[-0.5, -0.5, 0.0], [0.5, -0.5, 0.0], [0.5, 0.5, 0.0], [-0.5, 0.5, 0.0]];

impl File {
    pub(crate) fn new() -> Self {
        let json = json!({
            "asset": { "version": "2.0" },
            "scene": 0,
            "scenes": [{ "nodes": [] }],
            "nodes": [], "meshes": [], "materials": [], "textures": [], "images": [], "skins": [], "animations": [],
            "accessors": [], "bufferViews": [], "buffers": [],
        });
        Self { json, bytes: Vec::new() }
    }

    /// Adds to a list of the file; gives the index.
    pub(crate) fn add(&mut self, list: &str, value: Value) -> usize {
        let list = self.json[list].as_array_mut().expect("a list of the file");
        list.push(value);
        list.len() - 1
    }

    fn accessor(&mut self, bytes: &[u8], component: u32, kind: &str, count: usize) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let offset = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        let view = json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() });
        let view = self.add("bufferViews", view);
        let accessor =
            json!({ "bufferView": view, "componentType": component, "type": kind, "count": count });
        self.add("accessors", accessor)
    }

    /// An accessor of vectors of numbers.
    pub(crate) fn floats<const N: usize>(&mut self, values: &[[f32; N]]) -> usize {
        let kind = ["", "SCALAR", "VEC2", "VEC3", "VEC4"].get(N).copied().unwrap_or("MAT4");
        let accessor = self.accessor(bytemuck::cast_slice(values.as_flattened()), 5126, kind, values.len());
        let bound = |better: fn(f32, f32) -> f32| {
            values.iter().copied().reduce(|a, b| std::array::from_fn(|i| better(a[i], b[i]))).map(Vec::from)
        };
        self.json["accessors"][accessor]["min"] = json!(bound(f32::min));
        self.json["accessors"][accessor]["max"] = json!(bound(f32::max));
        accessor
    }

    /// An accessor of indices.
    pub(crate) fn indices(&mut self, indices: &[u16]) -> usize {
        self.accessor(bytemuck::cast_slice(indices), 5123, "SCALAR", indices.len())
    }

    /// An accessor of four joints for each vertex.
    pub(crate) fn joints(&mut self, joints: &[[u16; 4]]) -> usize {
        self.accessor(bytemuck::cast_slice(joints), 5123, "VEC4", joints.len())
    }

    /// A texture of a few pixels that are not blurred.
    pub(crate) fn texture(&mut self, width: u32, pixels: &[[u8; 4]]) -> usize {
        let image = self.image(width, pixels);
        self.json["samplers"] =
            json!([{ "magFilter": 9728, "minFilter": 9728, "wrapS": 33071, "wrapT": 33071 }]);
        self.add("textures", json!({ "source": image, "sampler": 0 }))
    }

    /// A texture that is blurred, has smaller versions, and repeats itself.
    pub(crate) fn smooth_texture(&mut self, width: u32, pixels: &[[u8; 4]]) -> usize {
        let image = self.image(width, pixels);
        self.add("textures", json!({ "source": image }))
    }

    fn image(&mut self, width: u32, pixels: &[[u8; 4]]) -> usize {
        let mut png = std::io::Cursor::new(Vec::new());
        let height = u32::try_from(pixels.len()).unwrap() / width;
        let picture = image::RgbaImage::from_raw(width, height, pixels.as_flattened().to_vec()).unwrap();
        picture.write_to(&mut png, image::ImageFormat::Png).unwrap();
        self.encoded_image("image/png", &png.into_inner())
    }

    /// A picture in its bytes.
    pub(crate) fn encoded_image(&mut self, kind: &str, bytes: &[u8]) -> usize {
        self.add("images", json!({ "uri": uri(kind, bytes) }))
    }

    /// A node at the top of the scene.
    pub(crate) fn node(&mut self, node: Value) -> usize {
        let index = self.add("nodes", node);
        self.json["scenes"][0]["nodes"].as_array_mut().expect("a list").push(json!(index));
        index
    }

    /// A square with a material, as a mesh.
    pub(crate) fn square(&mut self, material: Value) -> usize {
        let material = self.add("materials", material);
        let attributes = json!({
            "POSITION": self.floats(&CORNERS),
            "NORMAL": self.floats(&[[0.0, 0.0, 1.0]; 4]),
            "TANGENT": self.floats(&[[1.0, 0.0, 0.0, 1.0]; 4]),
            "TEXCOORD_0": self.floats(&[[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]),
        });
        let indices = self.indices(&[0, 1, 2, 0, 2, 3]);
        let primitive = json!({ "attributes": attributes, "indices": indices, "material": material });
        self.add("meshes", json!({ "primitives": [primitive] }))
    }

    /// Gives a mesh an attribute.
    pub(crate) fn set_attribute(&mut self, mesh: usize, name: &str, accessor: usize) {
        self.json["meshes"][mesh]["primitives"][0]["attributes"][name] = json!(accessor);
    }

    /// Takes an attribute away from a mesh.
    pub(crate) fn without_attribute(&mut self, mesh: usize, name: &str) {
        let attributes = &mut self.json["meshes"][mesh]["primitives"][0]["attributes"];
        attributes.as_object_mut().expect("a mesh").remove(name);
    }

    /// Gives a mesh a morph target, which counts fully.
    pub(crate) fn set_target(&mut self, mesh: usize, target: Value) {
        self.json["meshes"][mesh]["primitives"][0]["targets"] = json!([target]);
        self.json["meshes"][mesh]["weights"] = json!([1.0]);
    }

    /// Reads the file, which has to be right.
    pub(crate) fn model(self) -> Arc<Model> {
        Arc::new(Model::new(self.read().expect("the file is right")))
    }

    /// Reads the file.
    pub(crate) fn read(mut self) -> Result<Asset, LoadError> {
        let buffer =
            json!({ "byteLength": self.bytes.len(), "uri": uri("application/octet-stream", &self.bytes) });
        self.add("buffers", buffer);
        // Lists must not be empty.
        self.json
            .as_object_mut()
            .unwrap()
            .retain(|_, value| value.as_array().is_none_or(|list| !list.is_empty()));
        canter_gltf::load_bytes(self.json.to_string().as_bytes())
    }
}

fn uri(kind: &str, bytes: &[u8]) -> String {
    format!("data:{kind};base64,{}", base64::engine::general_purpose::STANDARD.encode(bytes))
}
