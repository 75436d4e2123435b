//! What files look like on the GPU, kept as long as somebody holds the model.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use canter_scene::Model;

use super::material::{Materials, Surface};
use super::mesh::Mesh;

/// A model on the GPU.
#[derive(Debug)]
pub(super) struct GpuModel {
    /// Who it is; a model that is gone is dropped here, too.
    model: Weak<Model>,
    /// One for each primitive that is drawn, however many nodes show it.
    pub(super) meshes: Vec<Drawable>,
    /// The mesh of each part of the model.
    pub(super) mesh_of_part: Vec<Option<usize>>,
}

/// A primitive with its material.
#[derive(Debug)]
pub(super) struct Drawable {
    pub(super) mesh: Mesh,
    pub(super) surface: Arc<Surface>,
}

/// All models that are on the GPU.
#[derive(Debug, Default)]
pub(super) struct Models {
    places: HashMap<usize, usize>,
    models: Vec<Option<GpuModel>>,
}

impl Models {
    /// Forgets the models that nobody holds any more.
    pub(super) fn sweep(&mut self) {
        for model in &mut self.models {
            if model.as_ref().is_some_and(|model| model.model.strong_count() == 0) {
                *model = None;
            }
        }
        let models = &self.models;
        self.places.retain(|_, place| models[*place].is_some());
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
        let asset = &model.asset;
        let mut surfaces: HashMap<Option<usize>, Arc<Surface>> = HashMap::new();
        let mut places: HashMap<(usize, usize, Option<usize>), Option<usize>> = HashMap::new();
        let (mut meshes, mut mesh_of_part) = (Vec::new(), Vec::new());
        for part in model.parts() {
            let palette = part.skin.map(|_| part.palette.len());
            let place = places.entry((part.mesh, part.primitive, palette)).or_insert_with(|| {
                let primitive = model.primitive(part);
                let mesh = Mesh::new(device, queue, targets_layout, primitive, palette)?;
                let surface = surfaces.entry(primitive.material).or_insert_with(|| {
                    let default = canter_gltf::Material::default();
                    let material = primitive.material.and_then(|index| asset.materials.get(index));
                    Arc::new(materials.surface(device, queue, asset, material.unwrap_or(&default)))
                });
                meshes.push(Drawable { mesh, surface: Arc::clone(surface) });
                Some(meshes.len() - 1)
            });
            mesh_of_part.push(*place);
        }
        Self { model: Arc::downgrade(model), meshes, mesh_of_part }
    }
}
