//! What is drawn in a frame: characters that share a mesh are one draw.

use canter::Mat3x4;
use canter::glam::{DAffine3, DMat4, DVec3, Mat4};
use canter_gltf::AlphaMode;
use canter_scene::{Bounds, Camera, Detail, Figure, Frustum, Look};

use super::models::GpuModel;
use super::shadow_reach::ShadowReach;
use crate::palette_buffer::{Block, PaletteBuffer};

/// One mesh of one character.
#[derive(Clone, Copy, Debug)]
struct Item {
    model: usize,
    mesh: usize,
    is_mirrored: bool,
    is_blended: bool,
    /// Which of the model's figures it is, where materials tell them apart.
    figure: u32,
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
    pub(super) figure: u32,
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
    eye: DVec3,
    /// What the camera sees, relative to the eye.
    frustum: Frustum,
    detail: Detail,
    shadows: ShadowReach,
    /// Working memory: the matrices of a figure with rigid parts.
    palette: Vec<Mat3x4>,
}

impl Draws {
    pub(super) fn new() -> Self {
        Self {
            items: Vec::new(),
            batches: Vec::new(),
            instances: Vec::new(),
            bounds: Bounds::EMPTY,
            characters: 0,
            eye: DVec3::ZERO,
            frustum: Frustum::new(DMat4::IDENTITY),
            detail: Detail::new(Camera::FOV_Y, 0.0),
            shadows: ShadowReach::NONE,
            palette: Vec::new(),
        }
    }

    /// Begins a frame of so many pixels in height.
    pub(super) fn begin(&mut self, camera: &Camera, look: &Look, clip_from_eye: &Mat4, height: f32) {
        self.items.clear();
        (self.bounds, self.characters) = (Bounds::EMPTY, 0);
        (self.eye, self.frustum) = (camera.eye, Frustum::new(clip_from_eye.as_dmat4()));
        self.detail = Detail::new(camera.fov_y, height);
        self.shadows = ShadowReach::new(camera, look);
    }

    pub(super) fn eye(&self) -> DVec3 {
        self.eye
    }

    /// Adds a figure if the camera may see it, and puts its palette into the buffer.
    pub(super) fn add(
        &mut self,
        figure: &Figure<'_>,
        (model_number, figure_number): (usize, u32),
        model: &GpuModel,
        palettes: &mut PaletteBuffer,
    ) {
        let eye_from_model = relative(figure.world_from_model, self.eye);
        let bounds = figure.bounds.unwrap_or_else(|| self.calculated_bounds(figure));
        let bounds_from_eye = bounds.transformed(&eye_from_model.as_affine3a());
        // What throws its shadow into the picture may itself be outside of it.
        let shadow = self.shadows.movement(bounds_from_eye.max.y.into());
        if bounds.is_empty() || !self.frustum.sees_swept(&bounds, &eye_from_model, shadow) {
            return;
        }
        let eye_from_model = Mat4::from(eye_from_model.as_affine3());
        let level = self.detail.level(&bounds_from_eye);
        if self.push(figure, (model_number, figure_number), (model, level), &eye_from_model, palettes) {
            self.bounds = self.bounds.union(&bounds_from_eye);
            self.characters += 1;
        }
    }

    /// A figure that has nothing but bones is as large as they are.
    pub(super) fn include_bones(&mut self, figure: &Figure<'_>) {
        if figure.model.parts().is_empty() {
            let bones = figure.bone_places().map(|at| (at - self.eye).as_vec3());
            self.bounds = self.bounds.union(&Bounds::around(bones));
        }
    }

    /// The box around a figure of which nobody knows one.
    fn calculated_bounds(&mut self, figure: &Figure<'_>) -> Bounds {
        let palette = figure.whole_palette(&mut self.palette);
        figure.model.bounds(figure.pose, figure.model_pose, palette)
    }

    fn push(
        &mut self,
        figure: &Figure<'_>,
        (model_number, figure_number): (usize, u32),
        (model, level): (&GpuModel, usize),
        eye_from_model: &Mat4,
        palettes: &mut PaletteBuffer,
    ) -> bool {
        // The world of a block is the surroundings of the eye.
        let world = Mat3x4::from_mat4(*eye_from_model);
        let matrices = figure.whole_palette(&mut self.palette);
        let block = match palettes.push(Block { matrices, world, key: 0 }) {
            Ok(block) => block,
            Err(error) => {
                log::warn!("a character is not drawn: {error}");
                return false;
            }
        };
        let step = palettes.layout().step_rows();
        for (part, meshes) in figure.model.parts().iter().zip(&model.meshes_of_part) {
            let mesh = meshes.get(level).or(meshes.last()).copied().flatten();
            let Some((mesh, drawable)) = mesh.and_then(|mesh| Some((mesh, model.drawable(mesh)?))) else {
                continue;
            };
            if !figure.model.is_shown(part, figure.pose) {
                continue;
            }
            let morphs = if drawable.mesh.targets.is_some() {
                palettes.push_morphs(figure.morph_weights(part))
            } else {
                Ok(0)
            };
            let Ok(morphs) = morphs else { continue };
            let first = u32::try_from(part.palette.start * step).unwrap_or(0);
            let matrix = *eye_from_model * matrices[part.palette.start].to_mat4();
            self.items.push(Item {
                model: model_number,
                mesh,
                is_mirrored: matrix.determinant() < 0.0,
                is_blended: drawable.surface.alpha_mode == AlphaMode::Blend,
                figure: if drawable.surface.is_animated() { figure_number } else { 0 },
                distance: matrix.transform_point3(drawable.mesh.middle).length(),
                instance: [block.palette, block.palette + first, morphs, 0],
            });
        }
        true
    }

    /// Ends the frame: puts equal meshes together; what is seen through comes last, the farthest first.
    pub(super) fn batch(&mut self) {
        self.items.sort_by(|a, b| {
            let key = |item: &Item| (item.model, item.mesh, item.figure, item.is_mirrored);
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
                    if (batch.model, batch.mesh, batch.figure, batch.is_mirrored)
                        == (item.model, item.mesh, item.figure, item.is_mirrored) =>
                {
                    batch.count += 1;
                }
                _ => self.batches.push(Batch {
                    model: item.model,
                    mesh: item.mesh,
                    is_mirrored: item.is_mirrored,
                    is_blended: item.is_blended,
                    figure: item.figure,
                    first,
                    count: 1,
                }),
            }
        }
    }
}

/// `eye_from_model`: relative to the eye, along the axes of the world, single precision is enough.
pub(super) fn relative(world_from_model: DAffine3, eye: DVec3) -> DAffine3 {
    DAffine3 { translation: world_from_model.translation - eye, ..world_from_model }
}
