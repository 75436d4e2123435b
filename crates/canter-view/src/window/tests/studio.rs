//! Pictures of the whole window without a display: the view is drawn by the GPU into a texture.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use canter_soft::Picture;
use canter_wgpu::Offscreen;
use egui::{Pos2, RawInput, Rect};
use egui_wgpu::{RenderState, Renderer, RendererOptions, ScreenDescriptor};

use super::bench::Bench;

/// A bench whose frames are drawn.
pub(super) struct Studio {
    pub(super) bench: Bench,
    state: RenderState,
}

/// The folder that pictures to look at are put into, if somebody wants them.
pub(super) fn folder() -> Option<PathBuf> {
    let folder = PathBuf::from(std::env::var_os("CANTER_FILMS")?);
    std::fs::create_dir_all(&folder).expect("a folder for pictures");
    Some(folder)
}

impl Studio {
    /// `None` where there is no graphics driver.
    pub(super) fn new(size: [f32; 2]) -> Option<Self> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()));
        let Ok(adapter) = adapter else {
            canter_testing::requirement::skip("there is no graphics driver", "pictures of the window are");
            return None;
        };
        let device = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor::default()));
        let (device, queue) = device.expect("a device");
        let options = RendererOptions { dithering: false, ..RendererOptions::default() };
        let renderer = Renderer::new(&device, Offscreen::FORMAT, options);
        let state = RenderState {
            adapter,
            available_adapters: Vec::new(),
            instance,
            device,
            queue,
            target_format: Offscreen::FORMAT,
            renderer: Arc::new(egui::mutex::RwLock::new(renderer)),
        };
        let mut bench = Bench::unseen();
        bench.size = size.into();
        bench.view.canvas.move_to_gpu(state.clone());
        bench.view.wants_frame = true;
        Some(Self { bench, state })
    }

    /// Lets time pass in the session, whatever the clock of the machine says.
    pub(super) fn advance(&mut self, dt_secs: f32) {
        let session = &mut self.bench.view.session;
        let was_playing = session.is_playing();
        if !was_playing {
            session.toggle();
        }
        session.advance(dt_secs);
        if session.is_playing() {
            session.toggle();
        }
    }

    /// What the window shows, as finely as it gets; panels need some frames to find their places.
    pub(super) fn picture(&mut self) -> Picture {
        self.draw();
        self.draw();
        self.draw()
    }

    fn draw(&mut self) -> Picture {
        let Self { bench, state } = self;
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, bench.size));
        let input = RawInput { screen_rect, ..RawInput::default() };
        let mut output = bench.context.run_ui(input, |ui| bench.view.show(ui));
        let shapes = bench.context.tessellate(output.shapes, 1.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the size of a window")]
        let [width, height] = [bench.size.x as u32, bench.size.y as u32];
        let screen = ScreenDescriptor { size_in_pixels: [width, height], pixels_per_point: 1.0 };
        let RenderState { device, queue, renderer, .. } = &*state;
        let mut renderer = renderer.write();
        for (id, deltas) in &output.textures_delta.set {
            deltas.iter().for_each(|delta| renderer.update_texture(device, queue, *id, delta));
        }
        output.textures_delta.clear();
        let target = Offscreen::new(device, width, height);
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let buffers = renderer.update_buffers(device, queue, &mut encoder, &shapes, &screen);
        let fill = bench.context.global_style().visuals.panel_fill;
        let [red, green, blue] = [fill.r(), fill.g(), fill.b()].map(|it| (f64::from(it) / 255.0).powf(2.2));
        {
            let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: target.view(),
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color { r: red, g: green, b: blue, a: 1.0 }),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..wgpu::RenderPassDescriptor::default()
            });
            renderer.render(&mut pass.forget_lifetime(), &shapes, &screen);
        }
        queue.submit(buffers.into_iter().chain([encoder.finish()]));
        Picture { width, height, pixels: target.read(device, queue).expect("a picture") }
    }
}

/// Pictures of one size side by side, row after row.
pub(super) fn sheet(pictures: &[Picture], columns: usize) -> Picture {
    let (width, height) = (pictures[0].width as usize, pictures[0].height as usize);
    let rows = pictures.len().div_ceil(columns);
    let mut pixels = vec![255; columns * width * rows * height * 4];
    for (index, picture) in pictures.iter().enumerate() {
        let (left, top) = (index % columns * width, index / columns * height);
        for (row, line) in picture.pixels.chunks_exact(width * 4).enumerate() {
            let start = ((top + row) * columns * width + left) * 4;
            pixels[start..start + width * 4].copy_from_slice(line);
        }
    }
    let size = |side: usize| u32::try_from(side).expect("some thousands of pixels");
    Picture { width: size(columns * width), height: size(rows * height), pixels }
}

pub(super) fn save(path: &Path, picture: &Picture) {
    let file = BufWriter::new(File::create(path).expect("a file"));
    let mut encoder = png::Encoder::new(file, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header().and_then(|mut it| it.write_image_data(&picture.pixels)).expect("a picture");
}
