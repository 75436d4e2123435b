//! Events of the system in, pictures out.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::{Context, ViewportId};
use egui_wgpu::winit::Painter;
use egui_wgpu::{RendererOptions, WgpuConfiguration, WgpuSetup};
use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::window::{Window, WindowId};

use super::ViewError;
use super::view::View;

/// The window and all that belongs to it.
pub(super) struct App {
    view: View,
    context: Context,
    shown: Option<OpenWindow>,
    software: bool,
    error: Option<ViewError>,
}

struct OpenWindow {
    window: Arc<Window>,
    state: egui_winit::State,
    painter: Painter,
    title: String,
    /// When the next frame is due, for what fades in or blinks.
    repaint_at: Option<Instant>,
}

impl App {
    pub(super) fn new(view: View, software: bool) -> Self {
        Self { view, context: Context::default(), shown: None, software, error: None }
    }

    pub(super) fn result(self) -> Result<(), ViewError> {
        self.error.map_or(Ok(()), Err)
    }

    fn open(&mut self, events: &ActiveEventLoop) -> Result<OpenWindow, ViewError> {
        let attributes = Window::default_attributes()
            .with_title("Canter")
            .with_inner_size(LogicalSize::new(1280.0, 800.0));
        let window =
            events.create_window(attributes).map_err(|error| ViewError::NoWindow(error.to_string()))?;
        let window = Arc::new(window);
        let configuration = WgpuConfiguration {
            wgpu_setup: WgpuSetup::from_display_handle(events.owned_display_handle()),
            ..WgpuConfiguration::default()
        };
        let context = self.context.clone();
        // What is shown has eight bits a channel already.
        let options = RendererOptions { dithering: false, ..RendererOptions::default() };
        let mut painter = pollster::block_on(Painter::new(context, configuration, false, options));
        pollster::block_on(painter.set_window(ViewportId::ROOT, Some(Arc::clone(&window))))
            .map_err(|error| ViewError::NoDriver(error.to_string()))?;
        if let Some(state) = painter.render_state().filter(|_| !self.software) {
            self.view.canvas.move_to_gpu(state);
        }
        let state = egui_winit::State::new(
            self.context.clone(),
            ViewportId::ROOT,
            &*window,
            None,
            None,
            painter.max_texture_side(),
        );
        Ok(OpenWindow { window, state, painter, title: String::new(), repaint_at: None })
    }

    fn draw(&mut self) {
        let Some(shown) = &mut self.shown else { return };
        // A window that is folded away has nothing to draw on.
        let size = shown.window.inner_size();
        if size.width == 0 || size.height == 0 {
            return;
        }
        let input = shown.state.take_egui_input(&shown.window);
        let mut output = self.context.run_ui(input, |ui| self.view.show(ui));
        shown.state.handle_platform_output(&shown.window, output.platform_output);
        let title = self.view.title();
        if shown.title != title {
            shown.window.set_title(&title);
            shown.title = title;
        }
        let delay = output.viewport_output.get(&ViewportId::ROOT).map(|viewport| viewport.repaint_delay);
        shown.repaint_at = delay.and_then(|delay| Instant::now().checked_add(delay));
        let shapes = self.context.tessellate(output.shapes, output.pixels_per_point);
        shown.painter.paint_and_update_textures(
            ViewportId::ROOT,
            output.pixels_per_point,
            self.context.global_style().visuals.panel_fill.to_normalized_gamma_f32(),
            &shapes,
            &mut output.textures_delta,
            Vec::new(),
            &shown.window,
        );
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if self.shown.is_none() {
            match self.open(events) {
                Ok(shown) => {
                    shown.window.request_redraw();
                    self.shown = Some(shown);
                }
                Err(error) => {
                    self.error = Some(error);
                    events.exit();
                }
            }
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _id: WindowId, event: WindowEvent) {
        let Some(shown) = &mut self.shown else { return };
        let response = shown.state.on_window_event(&shown.window, &event);
        // A frame is no reason for another frame: what stands still costs nothing.
        if response.repaint && event != WindowEvent::RedrawRequested {
            shown.window.request_redraw();
        }
        match event {
            WindowEvent::CloseRequested => events.exit(),
            WindowEvent::Resized(size) => {
                if let (Some(width), Some(height)) =
                    (NonZeroU32::new(size.width), NonZeroU32::new(size.height))
                {
                    shown.painter.on_window_resized(ViewportId::ROOT, width, height);
                }
            }
            WindowEvent::RedrawRequested => self.draw(),
            _ => {}
        }
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        let Some(shown) = &self.shown else { return };
        if self.view.wants_exit {
            events.exit();
        } else if self.view.is_moving() || self.view.has_news() {
            shown.window.request_redraw();
            events.set_control_flow(ControlFlow::Poll);
        } else {
            // Now and then: the file may have changed.
            let now = Instant::now();
            let soon = now + Duration::from_millis(500);
            match shown.repaint_at {
                Some(due) if due <= now => shown.window.request_redraw(),
                due => events.set_control_flow(ControlFlow::WaitUntil(due.map_or(soon, |due| due.min(soon)))),
            }
        }
    }
}
