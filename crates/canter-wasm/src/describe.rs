//! Tells JavaScript what is in a file: one list of bytes, read by `packages/canter/src/description.ts` in the
//! same order.
//!
//! Numbers are little-endian; texts and lists begin with their length; an index is one more than it is, 0 for
//! none.

use canter_gltf::{AlphaMode, Material, Primitive, Topology};

use crate::asset::LoadedAsset;
use crate::host::word;

#[derive(Default)]
pub(crate) struct Writer {
    pub(crate) bytes: Vec<u8>,
}

impl Writer {
    pub(crate) fn number(&mut self, number: u32) {
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    pub(crate) fn count(&mut self, count: usize) {
        self.number(word(count));
    }

    pub(crate) fn index(&mut self, index: Option<usize>) {
        self.number(index.map_or(0, |index| word(index) + 1));
    }

    pub(crate) fn floats(&mut self, floats: &[f32]) {
        for float in floats {
            self.number(float.to_bits());
        }
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes.extend_from_slice(text.as_bytes());
    }
}

impl LoadedAsset {
    pub(crate) fn describe(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        self.bones(&mut writer);
        self.clips(&mut writer);
        self.skins(&mut writer);
        self.nodes(&mut writer);
        self.meshes(&mut writer);
        let materials = drawn(&self.gltf.materials);
        writer.count(materials.len());
        for material in materials {
            self.material(material, &mut writer);
        }
        let images = drawn(&self.gltf.images);
        writer.count(images.len());
        for image in images {
            writer.text(image.name.as_deref().unwrap_or(""));
            writer.text(&image.mime);
        }
        writer.bytes
    }

    /// What clips tell of, those of other files too; the names of markers; and warnings.
    pub(crate) fn describe_clips(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.index(self.root.map(|joint| joint.index()));
        let clips = self.clips.borrow();
        writer.count(clips.len());
        for clip in &*clips {
            writer.floats(&[clip.ground_speed().unwrap_or(f32::NAN)]);
            writer.number(clip.root_motion().is_some().into());
            writer.count(clip.markers().len());
            for marker in clip.markers() {
                writer.number(self.name_place(&marker.name));
                writer.floats(&[marker.secs, marker.length_secs]);
            }
        }
        let names = self.names.borrow();
        writer.count(names.len());
        for name in &*names {
            writer.text(name);
        }
        writer.count(self.gltf.warnings.len());
        for warning in &self.gltf.warnings {
            let colon = if warning.place.is_empty() { "" } else { ": " };
            writer.text(&[&warning.place, colon, &warning.message].concat());
        }
        writer.bytes
    }

    fn bones(&self, writer: &mut Writer) {
        let skeleton = &self.gltf.skeleton;
        writer.count(skeleton.joint_count());
        for joint in skeleton.joints() {
            writer.text(skeleton.name(joint));
            writer.index(skeleton.parent(joint).map(|parent| parent.index()));
        }
    }

    fn clips(&self, writer: &mut Writer) {
        writer.count(self.gltf.clips.len());
        for clip in &self.gltf.clips {
            writer.text(clip.name());
            writer.floats(&[clip.duration_secs()]);
        }
    }

    fn skins(&self, writer: &mut Writer) {
        writer.count(self.gltf.skins.len());
        for (skin, name) in self.gltf.skins.iter().zip(&self.gltf.info.skin_names) {
            writer.text(name.as_deref().unwrap_or(""));
            writer.count(skin.len());
            for (joint, matrix) in skin.joints().iter().zip(skin.joint_from_mesh()) {
                writer.count(joint.index());
                writer.floats(&matrix.to_mat4().to_cols_array());
            }
        }
    }

    fn nodes(&self, writer: &mut Writer) {
        writer.count(self.gltf.nodes.len());
        for node in &self.gltf.nodes {
            writer.count(node.joint.index());
            writer.index(node.mesh);
            writer.index(node.skin);
            writer.index(node.morph.map(|morph| morph.index()));
            writer.count(node.coarser.len());
            for mesh in &node.coarser {
                writer.count(*mesh);
            }
        }
    }

    fn meshes(&self, writer: &mut Writer) {
        writer.count(self.gltf.meshes.len());
        for mesh in &self.gltf.meshes {
            writer.text(mesh.name.as_deref().unwrap_or(""));
            writer.count(mesh.target_count());
            let primitives = drawn(&mesh.primitives);
            writer.count(primitives.len());
            for primitive in primitives {
                write_primitive(primitive, writer);
            }
        }
    }

    fn material(&self, material: &Material, writer: &mut Writer) {
        let texture =
            material.base_color_texture.map(|texture| (texture, &self.gltf.textures[texture.texture]));
        let (alpha_mode, cutoff) = match material.alpha_mode {
            AlphaMode::Opaque => (0, 0.0),
            AlphaMode::Mask { cutoff } => (1, cutoff),
            AlphaMode::Blend => (2, 0.0),
        };
        writer.text(material.name.as_deref().unwrap_or(""));
        writer.floats(&material.base_color.to_array());
        writer.floats(&[material.metallic, material.roughness]);
        writer.floats(&material.emissive.to_array());
        writer.index(texture.and_then(|(_, texture)| texture.image));
        writer.count(texture.map_or(0, |(reference, _)| reference.tex_coord));
        writer.number(alpha_mode);
        writer.floats(&[cutoff]);
        writer.number(u32::from(material.double_sided) | u32::from(material.unlit) << 1);
    }
}

/// A list of what is drawn. Without meshes it is empty, which the compiler cannot see.
fn drawn<T>(list: &[T]) -> &[T] {
    if cfg!(feature = "meshes") { list } else { &[] }
}

fn write_primitive(primitive: &Primitive, writer: &mut Writer) {
    writer.number(match primitive.topology {
        Topology::Triangles => 0,
        Topology::Lines => 1,
        Topology::Points => 2,
    });
    writer.index(primitive.material);
    writer.count(primitive.positions.len());
    writer.count(primitive.influences.len());
}
