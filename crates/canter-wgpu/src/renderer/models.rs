//! What files look like on the GPU, kept as long as somebody holds the model.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use canter_scene::{Figure, Model};

use super::material::{Materials, Surface};
use super::mesh::Mesh;

/// A model on the GPU.
#[derive(Debug)]
pub(super) struct GpuModel {
    /// Who it is; a model that is gone is dropped here, too.
    model: Weak<Model>,
    /// One for each primitive that is drawn, however many nodes show it, and which of the surfaces it has.
    meshes: Vec<(Mesh, usize)>,
    surfaces: Vec<Surface>,
    /// How many figures of it are in the frame, as far as surfaces have to tell them apart.
    figures: u32,
    /// The mesh of each part of the model at each level of detail, the finest first; `None` where nothing is drawn.
    pub(super) meshes_of_part: Vec<Vec<Option<usize>>>,
}

/// A primitive with its material.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drawable<'a> {
    pub(super) mesh: &'a Mesh,
    pub(super) surface: &'a Surface,
}

/// All models that are on the GPU.
#[derive(Debug, Default)]
pub(super) struct Models {
    places: HashMap<usize, usize>,
    models: Vec<Option<GpuModel>>,
}

impl Models {
    /// Begins a frame: forgets the models that nobody holds any more.
    pub(super) fn begin(&mut self) {
        for model in &mut self.models {
            if model.as_ref().is_some_and(|model| model.model.strong_count() == 0) {
                *model = None;
            }
        }
        let models = &self.models;
        self.places.retain(|_, place| models[*place].is_some());
        for model in self.models.iter_mut().flatten() {
            model.figures = 0;
            model.surfaces.iter_mut().for_each(Surface::clear);
        }
    }

    /// Keeps how a figure looks whose clips animate materials. Gives its number among those of its model.
    pub(super) fn push(&mut self, place: usize, figure: &Figure<'_>) -> u32 {
        let Some(Some(model)) = self.models.get_mut(place) else { return 0 };
        let number = model.figures;
        if model.surfaces.iter().any(Surface::is_animated) {
            model.surfaces.iter_mut().for_each(|surface| surface.push(figure));
            model.figures += 1;
        }
        number
    }

    /// Puts how figures look on the GPU.
    pub(super) fn write(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, materials: &Materials) {
        for model in self.models.iter_mut().flatten() {
            model.surfaces.iter_mut().for_each(|surface| materials.write(device, queue, surface));
        }
    }

    /// Puts a model on the GPU unless it is there; gives its number.
    pub(super) fn add(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        layouts: (&Materials, &wgpu::BindGroupLayout),
        model: &Arc<Model>,
    ) -> usize {
        if let Some(place) = self.places.get(&address(model)) {
            return *place;
        }
        let gpu = Some(GpuModel::new(device, queue, layouts, model));
        let place = match self.models.iter().position(Option::is_none) {
            Some(place) => {
                self.models[place] = gpu;
                place
            }
            None => {
                self.models.push(gpu);
                self.models.len() - 1
            }
        };
        self.places.insert(address(model), place);
        place
    }

    /// A model that is on the GPU.
    pub(super) fn get(&self, place: usize) -> Option<&GpuModel> {
        self.models.get(place)?.as_ref()
    }
}

/// Who a model is: nobody else has this address while a weak reference to it is held.
fn address(model: &Arc<Model>) -> usize {
    Arc::as_ptr(model) as usize
}

impl GpuModel {
    fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        (materials, targets_layout): (&Materials, &wgpu::BindGroupLayout),
        model: &Arc<Model>,
    ) -> Self {
        let mut surfaces = Vec::new();
        let mut surface_places: HashMap<Option<usize>, usize> = HashMap::new();
        let mut places: HashMap<(usize, usize, Option<usize>), Option<usize>> = HashMap::new();
        let (mut meshes, mut meshes_of_part) = (Vec::new(), Vec::new());
        for part in model.parts() {
            let palette = part.skin.map(|_| part.palette.len());
            let levels = 1 + model.asset.nodes[part.node].coarser.len();
            let mut at = |level: usize| {
                let (mesh, primitive) = model.mesh_at(part, level);
                *places.entry((mesh, part.primitive, palette)).or_insert_with(|| {
                    let mesh = Mesh::new(device, queue, targets_layout, primitive, palette)?;
                    let surface = *surface_places.entry(primitive.material).or_insert_with(|| {
                        surfaces.push(materials.surface(device, queue, model, primitive.material));
                        surfaces.len() - 1
                    });
                    meshes.push((mesh, surface));
                    Some(meshes.len() - 1)
                })
            };
            meshes_of_part.push((0..levels).map(&mut at).collect());
        }
        Self { model: Arc::downgrade(model), meshes, surfaces, figures: 0, meshes_of_part }
    }

    /// A primitive with its material.
    pub(super) fn drawable(&self, mesh: usize) -> Option<Drawable<'_>> {
        let (mesh, surface) = self.meshes.get(mesh)?;
        Some(Drawable { mesh, surface: self.surfaces.get(*surface)? })
    }
}
