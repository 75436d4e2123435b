//! What is drawn in a frame: characters that share a mesh are one draw.

use canter::Mat3x4;
use canter::glam::{DAffine3, DVec3, Mat4};
use canter_gltf::AlphaMode;
use canter_scene::{Bounds, Camera, Character, Frustum, Look, Scene};

use super::models::{GpuModel, Models};
use super::shadow_reach::ShadowReach;
use crate::palette_buffer::{Block, PaletteBuffer};

/// One mesh of one character.
#[derive(Clone, Copy, Debug)]
struct Item {
    model: usize,
    mesh: usize,
    is_mirrored: bool,
    is_blended: bool,
    /// From the camera.
    distance: f32,
    instance: [u32; 4],
}

/// Instances of a mesh that are drawn at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Batch {
    pub(super) model: usize,
    pub(super) mesh: usize,
    pub(super) is_mirrored: bool,
    pub(super) is_blended: bool,
    pub(super) first: u32,
    pub(super) count: u32,
}

/// What is drawn in a frame. Memory is kept from frame to frame.
#[derive(Debug)]
pub(super) struct Draws {
    items: Vec<Item>,
    pub(super) batches: Vec<Batch>,
    pub(super) instances: Vec<[u32; 4]>,
    /// A box around all of it, relative to the eye.
    pub(super) bounds: Bounds,
    /// How many characters are drawn.
    pub(super) characters: usize,
}

impl Draws {
    pub(super) fn new() -> Self {
        let (items, batches, instances) = (Vec::new(), Vec::new(), Vec::new());
        Self { items, batches, instances, bounds: Bounds::EMPTY, characters: 0 }
    }

    /// Collects what a camera may see, or whose shadow, and puts the palettes into the buffer.
    pub(super) fn collect(
        &mut self,
        scene: &Scene,
        camera: &Camera,
        look: &Look,
        clip_from_eye: &Mat4,
        models: &Models,
        palettes: &mut PaletteBuffer,
    ) {
        self.items.clear();
        (self.bounds, self.characters) = (Bounds::EMPTY, 0);
        let eye = camera.eye;
        let frustum = Frustum::new(clip_from_eye.as_dmat4());
        let shadows = ShadowReach::new(camera, look);
        palettes.clear();
        for id in scene.characters() {
            let (Some(character), Some(world), Some(true)) =
                (scene.character(id), scene.world(id), scene.is_visible(id))
            else {
                continue;
            };
            let Some((number, model)) = models.find(&character.model) else { continue };
            let eye_from_model = relative(world, eye);
            let bounds = character.bounds();
            let bounds_from_eye = bounds.transformed(&eye_from_model.as_affine3a());
            // What throws its shadow into the picture may itself be outside of it.
            let shadow = shadows.movement(bounds_from_eye.max.y.into());
            if !frustum.sees_swept(&bounds, &eye_from_model, shadow) {
                continue;
            }
            let eye_from_model = Mat4::from(eye_from_model.as_affine3());
            if self.push(character, number, model, &eye_from_model, palettes) {
                self.bounds = self.bounds.union(&bounds_from_eye);
                self.characters += 1;
            }
        }
        self.batch();
    }

    fn push(
        &mut self,
        character: &Character,
        model_number: usize,
        model: &GpuModel,
        eye_from_model: &Mat4,
        palettes: &mut PaletteBuffer,
    ) -> bool {
        let world = Mat3x4::from_mat4(*eye_from_model);
        let block = match palettes.push(Block { matrices: &character.palette, world, key: 0 }) {
            Ok(block) => block,
            Err(error) => {
                log::warn!("a character is not drawn: {error}");
                return false;
            }
        };
        let step = palettes.layout().step_rows();
        for (part, mesh) in character.model.parts().iter().zip(&model.mesh_of_part) {
            let Some(mesh) = *mesh else { continue };
            let drawable = &model.meshes[mesh];
            let morphs = if drawable.mesh.targets.is_some() {
                palettes.push_morphs(character.morph_weights(part))
            } else {
                Ok(0)
            };
            let Ok(morphs) = morphs else { continue };
            let first = u32::try_from(part.palette.start * step).unwrap_or(0);
            let matrix = *eye_from_model * character.palette[part.palette.start].to_mat4();
            self.items.push(Item {
                model: model_number,
                mesh,
                is_mirrored: matrix.determinant() < 0.0,
                is_blended: drawable.surface.alpha_mode == AlphaMode::Blend,
                distance: matrix.transform_point3(drawable.mesh.middle).length(),
                instance: [block.palette, block.palette + first, morphs, 0],
            });
        }
        true
    }

    /// Puts equal meshes together; what is seen through comes last, the farthest first.
    fn batch(&mut self) {
        self.items.sort_by(|a, b| {
            let key = |item: &Item| (item.model, item.mesh, item.is_mirrored);
            let by_distance =
                || if a.is_blended { b.distance.total_cmp(&a.distance) } else { std::cmp::Ordering::Equal };
            a.is_blended.cmp(&b.is_blended).then_with(by_distance).then_with(|| key(a).cmp(&key(b)))
        });
        self.batches.clear();
        self.instances.clear();
        for item in &self.items {
            let first = u32::try_from(self.instances.len()).unwrap_or(u32::MAX);
            self.instances.push(item.instance);
            match self.batches.last_mut() {
                Some(batch)
                    if (batch.model, batch.mesh, batch.is_mirrored)
                        == (item.model, item.mesh, item.is_mirrored) =>
                {
                    batch.count += 1;
                }
                _ => self.batches.push(Batch {
                    model: item.model,
                    mesh: item.mesh,
                    is_mirrored: item.is_mirrored,
                    is_blended: item.is_blended,
                    first,
                    count: 1,
                }),
            }
        }
    }
}

/// A place in the world relative to the eye, where single precision is enough.
pub(super) fn relative(world: DAffine3, eye: DVec3) -> DAffine3 {
    DAffine3 { translation: world.translation - eye, ..world }
}
