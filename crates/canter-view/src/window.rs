//! The window.

mod app;
mod dialog;
mod keys;
mod overlays;
mod panels;
mod screenshot;
mod stage;
mod theme;
mod times;
mod view;

use std::path::PathBuf;
use std::sync::Arc;

use canter_scene::Model;
use winit::event_loop::EventLoop;

use crate::session::Session;
use app::App;
use view::View;

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// The system has no windows for the program.
    #[error("no window can be opened: {0}")]
    NoWindow(String),
    /// There is no graphics driver to show the window's contents.
    #[error("there is no graphics driver: {0}")]
    NoDriver(String),
}

impl ViewError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoWindow(_) => {
                "is there a display? On Debian and Ubuntu, windows need libx11-6 libxcursor1 libxi6 libxrandr2 libxkbcommon-x11-0"
            }
            Self::NoDriver(_) => {
                "on Debian and Ubuntu, mesa-vulkan-drivers and libvulkan1 have one that works everywhere"
            }
        }
    }
}

/// Whether there seems to be a display for a window.
#[must_use]
pub fn has_display() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(all(unix, not(target_os = "macos"))) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// What a window is opened with.
#[derive(Clone, Debug)]
pub struct ViewOptions {
    /// A model that can be attached with one click.
    pub sword: Arc<Model>,
    /// The folder that saved pictures are put into; empty for the present one.
    pub screenshots: PathBuf,
    /// Whether the figure is drawn on the CPU even where there is a GPU.
    pub software: bool,
}

/// Opens a window and shows a session until it is closed.
///
/// # Errors
/// If there is no display, or no graphics driver.
pub fn run(session: Session, options: ViewOptions) -> Result<(), ViewError> {
    let events = EventLoop::new().map_err(|error| ViewError::NoWindow(error.to_string()))?;
    let mut app = App::new(View::new(session, options.sword, options.screenshots), options.software);
    events.run_app(&mut app).map_err(|error| ViewError::NoWindow(error.to_string()))?;
    app.result()
}

#[cfg(test)]
mod tests;
