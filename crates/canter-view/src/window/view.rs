//! All that is in the window, and the switches that belong to no session.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use canter_scene::Model;
use canter_scene::{Background, Ground, Look};
use egui::Ui;

use super::{keys, panels, stage};
use crate::canvas::{Canvas, Shot};
use crate::orbit::Orbit;
use crate::session::Session;

/// All that is in the window.
pub(super) struct View {
    pub(super) session: Session,
    pub(super) orbit: Orbit,
    pub(super) canvas: Canvas,
    pub(super) sword: Arc<Model>,
    pub(super) shows_skeleton: bool,
    pub(super) shows_ground: bool,
    pub(super) shows_help: bool,
    pub(super) is_dark: bool,
    /// Frame the figure as soon as the size of the picture is known.
    pub(super) wants_frame: bool,
    pub(super) wants_screenshot: bool,
    pub(super) notice: Option<String>,
    pub(super) times: Times,
    screenshots: PathBuf,
    last_frame: Instant,
    last_look: Instant,
    is_getting_finer: bool,
    exits: bool,
}

/// How long the last frames took, in seconds, the newest last.
#[derive(Default)]
pub(super) struct Times {
    pub(super) frame: Vec<f32>,
    pub(super) update: Vec<f32>,
}

impl Times {
    fn add(list: &mut Vec<f32>, secs: f32) {
        const KEPT: usize = 90;
        if list.len() >= KEPT {
            list.remove(0);
        }
        list.push(secs);
    }
}

impl View {
    pub(super) fn new(session: Session, sword: Arc<Model>, screenshots: PathBuf) -> Self {
        Self {
            session,
            orbit: Orbit::default(),
            canvas: Canvas::default(),
            sword,
            shows_skeleton: false,
            shows_ground: true,
            shows_help: false,
            is_dark: false,
            wants_frame: true,
            wants_screenshot: false,
            notice: None,
            times: Times::default(),
            screenshots,
            last_frame: Instant::now(),
            last_look: Instant::now(),
            is_getting_finer: true,
            exits: false,
        }
    }

    pub(super) fn wants_exit(&self) -> bool {
        self.exits
    }

    pub(super) fn exit(&mut self) {
        self.exits = true;
    }

    /// Whether the next frame will differ from this one.
    pub(super) fn is_moving(&self) -> bool {
        self.session.is_playing() || self.is_getting_finer || self.wants_frame
    }

    /// Reads the file again if it has changed.
    pub(super) fn has_news(&mut self) -> bool {
        if self.last_look.elapsed().as_secs_f32() < 0.5 {
            return false;
        }
        self.last_look = Instant::now();
        self.session.refresh()
    }

    /// One frame.
    pub(super) fn show(&mut self, ui: &mut Ui) {
        // A window that was away does not make the figure jump.
        let dt_secs = self.last_frame.elapsed().as_secs_f32().min(0.1);
        self.last_frame = Instant::now();
        Times::add(&mut self.times.frame, dt_secs);
        let start = Instant::now();
        self.session.advance(dt_secs);
        Times::add(&mut self.times.update, start.elapsed().as_secs_f32());
        self.has_news();

        let theme = if self.is_dark { egui::Theme::Dark } else { egui::Theme::Light };
        ui.ctx().set_theme(theme);
        self.take_dropped(ui);
        keys::handle(self, ui);
        panels::show(self, ui);
        self.is_getting_finer = stage::show(self, ui);
        panels::show_floating(self, ui);
    }

    fn take_dropped(&mut self, ui: &Ui) {
        let dropped = ui.input(|input| input.raw.dropped_files.clone());
        for file in dropped {
            self.wants_frame |= self.session.open(file.path());
        }
    }

    pub(super) fn look(&self) -> Look {
        let background = if self.is_dark { Background::Color([38, 41, 46]) } else { Background::Studio };
        let sun_yaw = self.orbit.yaw - 0.8;
        #[expect(clippy::cast_possible_truncation, reason = "a direction")]
        let sun = canter::glam::Vec3::new(sun_yaw.sin() as f32, 1.15, sun_yaw.cos() as f32);
        Look {
            background,
            ground: self.shows_ground.then(Ground::default),
            sun,
            skeleton: self.shows_skeleton,
        }
    }

    /// Writes the picture, without the panels, into a file.
    pub(super) fn take_screenshot(&mut self, shot: &Shot) {
        self.wants_screenshot = false;
        let picture = self.canvas.fine(self.session.scene(), shot);
        let number = (1..).find(|number| !self.screenshot(*number).exists()).unwrap_or(0);
        let path = self.screenshot(number);
        self.notice = Some(match write_png(&path, &picture) {
            Ok(()) => format!("saved {}", path.display()),
            Err(error) => format!("{} cannot be written: {error}", path.display()),
        });
    }

    fn screenshot(&self, number: u32) -> PathBuf {
        self.screenshots.join(format!("canter-{number}.png"))
    }
}

fn write_png(path: &std::path::Path, picture: &canter_soft::Picture) -> Result<(), png::EncodingError> {
    let file = std::io::BufWriter::new(std::fs::File::create(path)?);
    let mut encoder = png::Encoder::new(file, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&picture.pixels)?;
    writer.finish()
}
