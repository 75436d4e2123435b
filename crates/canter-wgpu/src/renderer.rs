//! A small renderer for those who have none.

mod bones;
mod buffers;
mod draws;
mod headless;
mod material;
mod mesh;
mod models;
mod pipelines;
mod setup;
mod shadow_reach;
mod shadows;
mod texture;
mod uniform;

use canter_gltf::{AlphaMode, Topology};
use canter_scene::{Camera, Figure, Look};

use crate::palette_buffer::PaletteBuffer;
use crate::palette_layout::PaletteLayout;
use bones::Rods;
use buffers::{Growing, Targets};
use draws::{Batch, Draws};
use material::Materials;
use models::{Drawable, Models};
use pipelines::{Key, Layouts, Pass, Pipelines};
use uniform::FrameUniform;

pub use headless::{DeviceLost, Headless, HeadlessError, Offscreen};
pub use shadows::Shadows;

/// What a renderer draws into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RendererOptions {
    /// The format of the views that are drawn into. Colours are right in sRGB formats and in others alike;
    /// what is mixed (edges, what is seen through, the ground) is mixed as light in sRGB formats only, and a
    /// little darker in others.
    pub format: wgpu::TextureFormat,
    /// Samples a pixel: 4 for smooth edges, or 1.
    pub samples: u32,
    /// How much work shadows are.
    pub shadows: Shadows,
}

impl Default for RendererOptions {
    fn default() -> Self {
        Self { format: Offscreen::FORMAT, samples: 4, shadows: Shadows::Fine }
    }
}

/// A view to draw into, and its size in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// The view, of the format of the renderer.
    pub view: &'a wgpu::TextureView,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
}

/// What a frame cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameStats {
    /// Characters that were drawn.
    pub characters: usize,
    /// Draw calls, shadows included.
    pub draws: usize,
    /// Writes of palettes: one, or none where there was nothing to draw.
    pub palette_writes: u64,
}

/// Draws the figures of scenes, or those of yours: metal and rough surfaces with textures, a sun with a soft
/// shadow, sky light, a ground with a grid, skeletons.
///
/// ```no_run
/// use canter::glam::{DAffine3, DVec3};
/// use canter_scene::{Camera, Character, Look, Model, Parent, Scene};
/// use canter_wgpu::{Headless, Offscreen, Renderer, RendererOptions, Target};
///
/// let mut scene = Scene::new();
/// scene.spawn(Character::new(&Model::load("assets/hero.glb")?), Parent::World, DAffine3::IDENTITY)?;
/// scene.update(0.5);
///
/// let Headless { device, queue, .. } = Headless::new()?; // or those of your window
/// let mut renderer = Renderer::new(&device, &queue, RendererOptions::default());
/// let picture = Offscreen::new(&device, 640, 480);
/// let camera = Camera::orbit(DVec3::Y, 5.0, 0.5, 0.2);
/// let target = Target { view: picture.view(), width: 640, height: 480 };
/// renderer.render(&device, &queue, target, &scene, &camera, &Look::default());
/// let rgba = picture.read(&device, &queue)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Renderer {
    options: RendererOptions,
    layouts: Layouts,
    materials: Materials,
    pipelines: Pipelines,
    palettes: PaletteBuffer,
    /// The generation of the palettes that the frame's bind group was made for.
    bound_generation: u64,
    frame_buffer: wgpu::Buffer,
    frame_group: wgpu::BindGroup,
    shadow_view: wgpu::TextureView,
    shadow_group: wgpu::BindGroup,
    models: Models,
    draws: Draws,
    instances: Growing,
    rods: Rods,
    rod_buffer: Growing,
    targets: Option<Targets>,
}

impl Renderer {
    /// How palettes lie in memory, and where: in storage, or in a texture where vertex shaders have no
    /// storage.
    #[must_use]
    pub fn palette_layout(&self) -> &PaletteLayout {
        self.palettes.layout()
    }

    /// Draws figures (`&scene`, or an iterator of [`Figure`]s) and submits the work. Models are put on the
    /// GPU when they are first seen, and forgotten when nobody holds them any more. Figures that do not
    /// [fit](Figure::fits) are left out. A target without any pixels is left alone. Colours on a transparent
    /// background are multiplied by their alpha.
    pub fn render<'a>(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        target: Target<'_>,
        figures: impl IntoIterator<Item = Figure<'a>>,
        camera: &Camera,
        look: &Look,
    ) -> FrameStats {
        let size = (target.width, target.height);
        let most = device.limits().max_texture_dimension_2d;
        if size.0 == 0 || size.1 == 0 || size.0.max(size.1) > most || !camera.eye.is_finite() {
            return FrameStats::default();
        }
        let writes = self.palettes.writes();
        #[expect(clippy::cast_precision_loss, reason = "pixels")]
        let pixels = (target.width as f32, target.height as f32);
        self.begin(camera, look, pixels);
        for figure in figures {
            self.add(device, queue, &figure, look.skeleton);
        }
        self.upload(device, queue);
        let uniform = FrameUniform::new(camera, look, pixels, self.draws.bounds, self.options);
        queue.write_buffer(&self.frame_buffer, 0, bytemuck::bytes_of(&uniform));
        if !self.targets.as_ref().is_some_and(|targets| targets.fits(size)) {
            self.targets = Some(Targets::new(device, size, self.options.samples, self.options.format));
        }
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut draws = self.draw_shadows(&mut encoder);
        draws += self.draw_picture(&mut encoder, target.view, uniform.has_ground());
        queue.submit([encoder.finish()]);
        FrameStats {
            characters: self.draws.characters,
            draws,
            palette_writes: self.palettes.writes() - writes,
        }
    }

    /// Begins a frame without anything in it.
    fn begin(&mut self, camera: &Camera, look: &Look, (width, height): (f32, f32)) {
        self.models.begin();
        self.palettes.clear();
        self.rods.clear();
        self.draws.begin(camera, look, &camera.clip_from_eye(width / height), height);
    }

    /// Puts a figure into the frame, if it is seen.
    fn add(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, figure: &Figure<'_>, shows_skeleton: bool) {
        if !figure.fits() {
            log::warn!("a figure is not drawn: its poses are not of its model");
            return;
        }
        let layouts = (&self.materials, &self.layouts.targets);
        let number = self.models.add(device, queue, layouts, figure.model);
        let figure_number = self.models.push(number, figure);
        if let Some(model) = self.models.get(number) {
            self.draws.add(figure, (number, figure_number), model, &mut self.palettes);
        }
        if shows_skeleton {
            self.rods.add(figure, self.draws.eye());
            self.draws.include_bones(figure);
        }
    }

    /// Puts what was collected on the GPU.
    fn upload(&mut self, device: &wgpu::Device, queue: &wgpu::Queue) {
        self.draws.batch();
        self.models.write(device, queue, &self.materials);
        self.rod_buffer.write(device, queue, bytemuck::cast_slice(self.rods.in_order()));
        self.palettes.upload(device, queue);
        if self.bound_generation != self.palettes.generation() {
            self.bound_generation = self.palettes.generation();
            self.frame_group =
                setup::frame_group(device, &self.layouts.frame, &self.frame_buffer, &self.palettes);
        }
        self.instances.write(device, queue, bytemuck::cast_slice(&self.draws.instances));
        for batch in &self.draws.batches {
            let Some(drawable) = drawable(&self.models, batch) else { continue };
            for key in [seen_key(batch, drawable), shadow_key(batch, drawable, self.options.shadows)] {
                self.pipelines.prepare(device, &self.layouts, key);
            }
        }
    }

    fn draw_shadows(&self, encoder: &mut wgpu::CommandEncoder) -> usize {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("canter shadow"),
            depth_stencil_attachment: Some(depth_attachment(&self.shadow_view, 1.0, wgpu::StoreOp::Store)),
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_bind_group(0, &self.frame_group, &[]);
        let casting = self.draws.batches.iter().filter(|batch| !batch.is_blended);
        let key = |batch| move |drawable: Drawable<'_>| shadow_key(batch, drawable, self.options.shadows);
        casting.filter(|batch| self.draw_batch(&mut pass, batch, key(batch))).count()
    }

    fn draw_picture(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        view: &wgpu::TextureView,
        has_ground: bool,
    ) -> usize {
        let Some(targets) = &self.targets else { return 0 };
        let (view, resolve_target) = match &targets.color {
            Some(color) => (color, Some(view)),
            None => (view, None),
        };
        let store = if resolve_target.is_some() { wgpu::StoreOp::Discard } else { wgpu::StoreOp::Store };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("canter picture"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT), store },
            })],
            depth_stencil_attachment: Some(depth_attachment(&targets.depth, 0.0, wgpu::StoreOp::Discard)),
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_bind_group(0, &self.frame_group, &[]);
        pass.set_bind_group(2, &self.shadow_group, &[]);
        let mut draws = 1;
        pass.set_pipeline(&self.pipelines.background);
        pass.draw(0..4, 0..1);
        if has_ground {
            draws += 1;
            pass.set_pipeline(&self.pipelines.ground);
            pass.draw(0..4, 0..1);
        }
        for batch in &self.draws.batches {
            let key = |drawable: Drawable<'_>| seen_key(batch, drawable);
            draws += usize::from(self.draw_batch(&mut pass, batch, key));
        }
        if let Ok(rods @ 1..) = u32::try_from(self.rods.len()) {
            draws += 1;
            pass.set_pipeline(&self.pipelines.bones);
            pass.set_vertex_buffer(0, self.rod_buffer.from(0));
            pass.draw(0..4, 0..rods);
        }
        draws
    }

    /// Draws the instances of a mesh; gives whether there was anything to draw.
    fn draw_batch(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        batch: &Batch,
        key: impl Fn(Drawable<'_>) -> Key,
    ) -> bool {
        let Some(drawable) = drawable(&self.models, batch) else { return false };
        let Some(pipeline) = self.pipelines.surface(&key(drawable)) else { return false };
        let mesh = &drawable.mesh;
        pass.set_pipeline(pipeline);
        let surface = drawable.surface;
        pass.set_bind_group(1, &surface.bind_group, &[surface.offset(batch.figure)]);
        if let Some(targets) = &mesh.targets {
            pass.set_bind_group(3, targets, &[]);
        }
        pass.set_vertex_buffer(0, mesh.vertices.slice(..));
        // WebGL2 has no first instance: the buffer begins at it.
        pass.set_vertex_buffer(1, self.instances.from(u64::from(batch.first) * 16));
        if let Some(influences) = &mesh.influences {
            pass.set_vertex_buffer(2, influences.slice(..));
        }
        pass.set_index_buffer(mesh.indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..mesh.index_count, 0, 0..batch.count);
        true
    }
}

fn drawable<'a>(models: &'a Models, batch: &Batch) -> Option<Drawable<'a>> {
    models.get(batch.model)?.drawable(batch.mesh)
}

fn has_holes(drawable: Drawable<'_>) -> bool {
    matches!(drawable.surface.alpha_mode, AlphaMode::Mask { .. })
}

fn seen_key(batch: &Batch, drawable: Drawable<'_>) -> Key {
    let mesh = &drawable.mesh;
    Key {
        pass: if batch.is_blended { Pass::Blend } else { Pass::Opaque { has_holes: has_holes(drawable) } },
        joints: mesh.joints,
        morphs: mesh.targets.is_some(),
        topology: mesh.topology,
        is_flat: mesh.is_flat,
        is_textured: drawable.surface.is_textured,
        cull: unseen_side(batch, drawable),
    }
}

/// The side of the triangles that is not seen.
fn unseen_side(batch: &Batch, drawable: Drawable<'_>) -> Option<wgpu::Face> {
    let side = match (drawable.surface.double_sided, batch.is_mirrored) {
        (true, _) => None,
        // A mirror turns triangles round.
        (false, true) => Some(wgpu::Face::Front),
        (false, false) => Some(wgpu::Face::Back),
    };
    side.filter(|_| drawable.mesh.topology == Topology::Triangles)
}

fn shadow_key(batch: &Batch, drawable: Drawable<'_>, shadows: Shadows) -> Key {
    let mesh = &drawable.mesh;
    Key {
        pass: Pass::Shadow { has_holes: has_holes(drawable) },
        joints: mesh.joints,
        morphs: mesh.targets.is_some(),
        topology: mesh.topology,
        is_flat: false,
        is_textured: drawable.surface.is_textured,
        cull: match shadows {
            Shadows::Fine => None,
            Shadows::Coarse => unseen_side(batch, drawable),
        },
    }
}

fn depth_attachment(
    view: &wgpu::TextureView,
    clear: f32,
    store: wgpu::StoreOp,
) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(clear), store }),
        stencil_ops: None,
    }
}
