//! What is drawn, in a page and natively alike.

use std::error::Error;
use std::sync::Arc;

use canter::glam::DAffine3;
use canter_scene::{Character, Framing, Look, Model, Parent, Scene};
use canter_wgpu::{PaletteLayout, PaletteLocation, Renderer, RendererOptions, Target};

use crate::own_pipeline;

/// Width and height in pixels: those of the other example.
pub(crate) const SIZE: (u32, u32) = own_pipeline::SIZE;

/// What draws.
#[derive(Clone, Copy)]
pub(crate) enum Drawing {
    /// The renderer, a scene.
    Renderer,
    /// The pipeline of the example `own_pipeline`, two figures.
    OwnPipeline(PaletteLocation),
}

impl Drawing {
    /// By the memory that palettes are wanted in; without a name it is the renderer, which chooses itself.
    pub(crate) fn named(palettes: Option<&str>) -> Result<Self, Box<dyn Error>> {
        Ok(match palettes {
            None => Self::Renderer,
            Some("uniform") => Self::OwnPipeline(PaletteLocation::Uniform),
            Some("storage") => Self::OwnPipeline(PaletteLocation::Storage),
            Some("texture") => Self::OwnPipeline(PaletteLocation::Texture),
            Some(other) => {
                return Err(format!("palettes in {other}; expected uniform, storage or texture").into());
            }
        })
    }

    /// Draws a model into a view of a format; gives where the palettes were.
    pub(crate) fn draw(
        self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        model: &Arc<Model>,
        (view, format): (&wgpu::TextureView, wgpu::TextureFormat),
    ) -> Result<PaletteLocation, Box<dyn Error>> {
        if let Self::OwnPipeline(location) = self {
            let layout = PaletteLayout { location, ..own_pipeline::LAYOUT };
            own_pipeline::draw(device, queue, model, layout, (view, format))?;
            return Ok(location);
        }
        let mut figure = Character::new(model);
        if let Some(clip) = model.asset.clips.first() {
            figure.fade_to(clip, 0.0)?;
        }
        let mut scene = Scene::new();
        scene.spawn(figure, Parent::World, DAffine3::IDENTITY)?;
        scene.update(0.45);
        let (width, height) = SIZE;
        let mut framing = Framing::new(0.6, 0.25, f64::from(width) / f64::from(height));
        framing.include_scene(&scene);
        let options = RendererOptions { format, ..RendererOptions::default() };
        let mut renderer = Renderer::new(device, queue, options);
        let target = Target { view, width, height };
        renderer.render(device, queue, target, &scene, &framing.camera(), &Look::default());
        Ok(renderer.palette_layout().location)
    }
}
