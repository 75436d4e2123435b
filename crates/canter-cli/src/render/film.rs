//! A story seen by a camera, frame by frame.

use std::f64::consts::TAU;
use std::path::Path;

use canter::FadeKind;
use canter::glam::{DAffine3, DQuat, DVec2, DVec3};
use canter_scene::{Background, Camera, Framing, Ground, Look};
use canter_soft::Picture;
use indicatif::{ProgressBar, ProgressStyle};

use super::beside::Beside;
use super::footprint::{self, Print};
use super::movie::{self, Format};
use super::options::{self, MAX_FRAMES, Size};
use super::painter::{Painter, Shot};
use super::stage::Stage;
use super::story::Story;
use crate::failure::Failure;

/// From where and how a story is seen.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) size: Size,
    pub(crate) fps: f64,
    /// Radians.
    pub(crate) yaw: f64,
    /// Radians.
    pub(crate) pitch: f64,
    pub(crate) turntable: bool,
    pub(crate) background: Background,
    pub(crate) ground: bool,
    /// Metres a second of the first and the second clip.
    pub(crate) travel: Vec<f64>,
    /// Whether the camera stands still while the figure travels.
    pub(crate) still_camera: bool,
    pub(crate) footprints: bool,
    pub(crate) skeleton: bool,
}

impl Default for View {
    fn default() -> Self {
        Self {
            size: Size::square(512),
            fps: 25.0,
            yaw: 30_f64.to_radians(),
            pitch: 9_f64.to_radians(),
            turntable: false,
            background: Background::Studio,
            ground: true,
            travel: Vec::new(),
            still_camera: false,
            footprints: false,
            skeleton: false,
        }
    }
}

/// A story, a camera that sees all of it, and how long each frame is.
#[derive(Debug)]
pub(crate) struct Film {
    story: Story,
    view: View,
    framing: Framing,
    frames: u32,
    /// How far the ground has moved below the figure, [`STEPS`] times a frame.
    slid: Vec<f64>,
    spacing: Option<f64>,
    /// In the order of time.
    prints: Vec<Print>,
}

const STEPS: u32 = 8;

/// So many moments of a story show how far the figure reaches.
const LOOKS: u32 = 48;

impl Film {
    pub(crate) fn new(stage: &mut Stage, story: Story, view: View) -> Self {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
        let frames = (story.secs() * view.fps).round().clamp(1.0, MAX_FRAMES) as u32;
        let aspect = f64::from(view.size.width) / f64::from(view.size.height);
        let mut framing = Framing::new(view.yaw, view.pitch, aspect);
        if view.turntable {
            framing = framing.turning();
        }
        // The figure on the spot: how large it is does not depend on how far it goes.
        let mut on_the_spot = framing.clone();
        let looks = frames.min(LOOKS);
        stage.set_ground_visible(false);
        for look in 0..=looks {
            let way = stage.pose(&story, story.secs() * f64::from(look) / f64::from(looks));
            if view.still_camera {
                framing.include_scene(&stage.scene);
            }
            // The end of a film that does not travel is its beginning.
            if look < looks {
                stage.place(DAffine3 { translation: DVec3::ZERO, ..way });
                on_the_spot.include_scene(&stage.scene);
            }
        }
        stage.set_ground_visible(true);
        if !view.still_camera {
            framing = on_the_spot.clone();
        }
        let size = on_the_spot.bounds().map_or(1.0, |(min, max)| (max - min).length());
        let mut film =
            Self { story, view, framing, frames, slid: Vec::new(), spacing: None, prints: Vec::new() };
        let way = stage.pose(&film.story, film.secs());
        film.slide();
        film.space_lines(way, size);
        if film.view.footprints {
            film.find_prints(stage, way);
        }
        film
    }

    /// Adds up how far the ground moves below a figure on the spot.
    fn slide(&mut self) {
        let speeds = &self.view.travel;
        if speeds.iter().all(|&speed| speed == 0.0) {
            return;
        }
        let step_secs = self.story.secs() / f64::from(self.frames * STEPS);
        let mut playback = self.story.playback();
        let mut slid = 0.0;
        for step in 0..self.frames * STEPS {
            self.slid.push(slid);
            let before = playback.mixer.clone();
            playback.advance_to(f64::from(step + 1) * step_secs);
            slid += match self.story.fade_kind() {
                FadeKind::Cross => playback.slide(&before, |clip| self.story.speed_of(clip, speeds)),
                // What was on screen plays on in no action.
                _ => self.story.ground_speed((f64::from(step) + 0.5) * step_secs, speeds) * step_secs,
            };
        }
        self.slid.push(slid);
    }

    /// How far the ground has moved at a moment.
    fn slid_at(&self, secs: f64) -> DVec2 {
        let (Some(&last), true) = (self.slid.last(), self.secs() > 0.0) else { return DVec2::ZERO };
        let step = (secs / self.secs() * f64::from(self.frames * STEPS)).max(0.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index, cut off at 0")]
        let index = step as usize;
        let at = |index: usize| self.slid.get(index).copied().unwrap_or(last);
        DVec2::new(0.0, at(index) + (at(index + 1) - at(index)) * step.fract())
    }

    /// Spaces the grid so that the last frame leads to the first, if the way is along its lines.
    fn space_lines(&mut self, way: DAffine3, size: f64) {
        let slid = self.slid.last().copied().unwrap_or(0.0);
        let DVec3 { x, z, .. } = way.translation;
        let metres = slid.abs() + x.abs().max(z.abs());
        if metres <= size * 1e-3 {
            return;
        }
        let turned = way.matrix3.z_axis.distance(DVec3::Z) > 1e-3;
        self.spacing = if turned || x.abs().min(z.abs()) > size * 1e-3 {
            // Fixed all the same: lines must not jump when the figure spreads its arms.
            #[expect(clippy::cast_possible_truncation, reason = "metres")]
            let spacing = Ground::default().line_spacing(size as f32);
            Some(f64::from(spacing))
        } else {
            let lines = (metres / (size / 4.0)).round().max(1.0);
            Some(metres / lines).filter(|&spacing| spacing > size * 1e-3)
        };
    }

    /// Looks where feet are when their markers come, in this film and in those before it in the loop.
    fn find_prints(&mut self, stage: &mut Stage, way: DAffine3) {
        for footfall in self.story.footfalls() {
            stage.pose(&self.story, footfall.secs);
            if let Some(mut print) = stage.footprint(&footfall.name) {
                print.middle += self.slid_at(footfall.secs);
                self.prints.push(Print { secs: footfall.secs, print });
            }
        }
        let slid = self.slid_at(self.secs());
        let whole_way = DAffine3::from_translation(DVec3::new(slid.x, 0.0, slid.y)) * way;
        let mut before = self.prints.clone();
        for _ in 0..footprint::films_before(self.secs()) {
            before.iter_mut().for_each(|print| *print = print.of_film_before(self.secs(), whole_way));
            self.prints.extend(&before);
        }
    }

    /// Gives all films a camera that sees all of all of them.
    pub(crate) fn share_camera(films: &mut [Self]) {
        let Some(first) = films.first() else { return };
        let mut all = first.framing.clone();
        films.iter().for_each(|film| all.join(&film.framing));
        films.iter_mut().for_each(|film| film.framing = all.clone());
    }

    pub(crate) fn size(&self) -> Size {
        self.view.size
    }

    pub(crate) fn secs(&self) -> f64 {
        self.story.secs()
    }

    pub(crate) fn frames(&self) -> u32 {
        self.frames
    }

    /// The picture at a moment.
    pub(crate) fn draw_at(
        &self,
        secs: f64,
        stage: &mut Stage,
        painter: &mut Painter,
    ) -> Result<Picture, Failure> {
        let shot = self.shot(secs, stage);
        painter.paint(&stage.scene, &shot, self.view.size)
    }

    /// Poses the figure as it is at a moment, and gives how it is seen then.
    fn shot(&self, secs: f64, stage: &mut Stage) -> Shot {
        let way = stage.pose(&self.story, secs);
        let part = if self.secs() > 0.0 { secs / self.secs() } else { 0.0 };
        let turn = if self.view.turntable { part * TAU } else { 0.0 };
        let slid = self.slid_at(secs);
        let mut camera = self.camera(turn);
        if !self.view.still_camera {
            camera.eye += way.translation;
            camera.target += way.translation;
        }
        let footprints = self.prints.iter().filter_map(|print| print.at(secs, slid)).collect();
        Shot { camera, look: self.look(turn, slid), footprints }
    }

    /// Whether anything but background and ground is seen: at a moment, or at some time of the film. A few
    /// small pictures by the same painter, who has all textures already, tell.
    pub(crate) fn shows_something(
        &self,
        secs: Option<f64>,
        stage: &mut Stage,
        painter: &mut Painter,
    ) -> bool {
        const PROBES: u32 = 8;
        let mut is_seen = |secs: f64| {
            let shot = self.shot(secs, stage);
            let look = Look { background: Background::Transparent, ground: None, ..shot.look };
            let shot = Shot { look, footprints: Vec::new(), ..shot };
            // A painter that fails now has drawn the film before: it knows of nothing that is missing.
            let picture = painter.paint(&stage.scene, &shot, Size::square(64));
            picture.map_or(true, |picture| picture.pixels.chunks_exact(4).any(|pixel| pixel[3] > 0))
        };
        match secs {
            Some(secs) => is_seen(secs),
            None => (0..PROBES).any(|probe| is_seen(self.secs() * f64::from(probe) / f64::from(PROBES))),
        }
    }

    /// What the kind of its fades is called.
    pub(crate) fn kind_name(&self) -> &'static str {
        options::fade_kind_name(self.story.fade_kind())
    }

    /// The name of the clip that it fades to, or has faded to.
    pub(crate) fn clip_name(&self, secs: f64) -> &str {
        self.story.clip_at(secs).map_or("", |clip| clip.name())
    }

    fn camera(&self, turn: f64) -> Camera {
        let camera = self.framing.camera();
        let turned = DQuat::from_rotation_y(turn);
        Camera { eye: turned * camera.eye, target: turned * camera.target, ..camera }
    }

    fn look(&self, turn: f64, slid: DVec2) -> Look {
        let lowest = self.framing.bounds().map_or(0.0, |(min, _)| min.y);
        let ground = Ground { height: lowest, spacing: self.spacing, offset: slid };
        // From the upper left of whoever looks.
        let sun_yaw = self.view.yaw + turn - 0.8;
        Look {
            background: self.view.background,
            ground: self.view.ground.then_some(ground),
            sun: DVec3::new(sun_yaw.sin(), 1.15, sun_yaw.cos()).as_vec3(),
            skeleton: self.view.skeleton,
        }
    }
}

/// Draws all frames of films, one beside another, into a file; returns how many there are, and how long the
/// film is.
pub(crate) fn shoot(
    films: &[Film],
    stage: &mut Stage,
    painter: &mut Painter,
    format: Format,
    path: &Path,
) -> Result<(usize, f64), Failure> {
    let film = Beside::new(films);
    let frames = film.frames();
    let bar = progress_bar(frames);
    let palette_of = if format == Format::Gif {
        // The colours of a few moments stand for all.
        let looks = frames.min(8);
        let mut pictures = Vec::new();
        for look in 0..looks {
            pictures.push(film.draw(look * frames / looks, stage, painter)?);
        }
        pictures
    } else {
        Vec::new()
    };
    let mut movie = movie::create(format, path, film.size(), frames, &palette_of)?;
    for frame in 0..frames {
        let picture = film.draw(frame, stage, painter)?;
        movie.add(&picture, delay(film.secs(), frame, frames, format.ticks_per_sec()))?;
        bar.inc(1);
    }
    movie.finish()?;
    bar.finish_and_clear();
    Ok((frames as usize, film.secs()))
}

/// How many ticks a frame is shown. What is rounded off one frame comes back in the next.
fn delay(secs: f64, frame: u32, frames: u32, ticks_per_sec: f64) -> u16 {
    let until = |frame: u32| (secs * f64::from(frame) / f64::from(frames) * ticks_per_sec).round();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let ticks = (until(frame + 1) - until(frame)).clamp(1.0, f64::from(u16::MAX)) as u16;
    ticks
}

/// A bar on the standard error output, if that is a terminal.
fn progress_bar(frames: u32) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} frame {pos} of {len}, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(u64::from(frames)).with_style(style)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_add_up_to_the_length() {
        for (secs, frames) in [(1.0, 24), (0.7, 18), (2.0, 60)] {
            let sum: u32 = (0..frames).map(|frame| u32::from(delay(secs, frame, frames, 100.0))).sum();
            assert_eq!(f64::from(sum), (secs * 100.0_f64).round(), "{secs}");
        }
    }
}
