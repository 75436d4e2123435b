//! All that is in the window, and the switches that belong to no session.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use canter::JointId;
use canter::glam::DVec3;
use canter_scene::{Background, Ground, Look, Model};
use egui::Ui;

use super::dialog::{Dialog, Purpose};
use super::overlays::Overlays;
use super::panels::{GraphView, Grip};
use super::stage::{GizmoGrip, Handle};
use super::times::Times;
use super::{keys, panels, screenshot, stage, theme};
use crate::canvas::{Canvas, Shot};
use crate::orbit::Orbit;
use crate::session::Session;

/// Of a larger crowd, the first rows are framed.
const FRAMED_FIGURES: usize = 80;

/// Down to four frames a second everything has its true speed. Beyond that the window was away, and the
/// figure does not jump.
const LONGEST_STEP_SECS: f32 = 0.25;

/// All that is in the window.
pub(super) struct View {
    pub(super) session: Session,
    pub(super) orbit: Orbit,
    pub(super) canvas: Canvas,
    pub(super) overlays: Overlays,
    pub(super) dialog: Option<Dialog>,
    /// What of the graph is looked at.
    pub(super) graph: GraphView,
    /// The layer whose coverage colours the joints.
    pub(super) shown_layer: Option<usize>,
    /// What the pointer drags on the timeline.
    pub(super) grip: Option<Grip>,
    /// The handle that is dragged in the picture, and the one that was last.
    pub(super) gizmo: Option<GizmoGrip>,
    pub(super) chosen_handle: Option<Handle>,
    /// Whether the figure looks at the pointer.
    pub(super) looks_at_cursor: bool,
    /// Where the picture is in the window.
    #[cfg(test)]
    pub(super) picture: egui::Rect,
    /// What the next marker is called.
    pub(super) marker_name: String,
    /// Whether the camera goes where the figure goes.
    pub(super) follows: bool,
    /// Where the figure was in the last frame.
    last_place: DVec3,
    pub(super) shows_help: bool,
    pub(super) is_dark: bool,
    /// Frame the figure as soon as the size of the picture is known.
    pub(super) wants_frame: bool,
    pub(super) wants_screenshot: bool,
    pub(super) wants_exit: bool,
    /// What has just happened, and when.
    pub(super) notice: Option<(String, Instant)>,
    pub(super) times: Times,
    sword: Arc<Model>,
    screenshots: PathBuf,
    pub(super) last_frame: Instant,
    last_look: Instant,
    is_getting_finer: bool,
    has_theme: bool,
}

impl View {
    pub(super) fn new(session: Session, sword: Arc<Model>, screenshots: PathBuf) -> Self {
        Self {
            session,
            orbit: Orbit::default(),
            canvas: Canvas::default(),
            overlays: Overlays::default(),
            dialog: None,
            graph: GraphView::default(),
            shown_layer: None,
            grip: None,
            gizmo: None,
            #[cfg(test)]
            picture: egui::Rect::ZERO,
            chosen_handle: None,
            looks_at_cursor: false,
            marker_name: "marker".to_owned(),
            follows: true,
            last_place: DVec3::ZERO,
            shows_help: false,
            is_dark: false,
            wants_frame: true,
            wants_screenshot: false,
            wants_exit: false,
            notice: None,
            times: Times::default(),
            sword,
            screenshots,
            last_frame: Instant::now(),
            last_look: Instant::now(),
            is_getting_finer: true,
            has_theme: false,
        }
    }

    /// Whether the next frame will differ from this one.
    pub(super) fn is_moving(&self) -> bool {
        let session = &self.session;
        session.is_playing()
            || session.is_glowing()
            || self.is_getting_finer
            || self.wants_frame
            || self.notice.is_some()
    }

    /// Reads the file again if it has changed.
    pub(super) fn has_news(&mut self) -> bool {
        if self.last_look.elapsed().as_secs_f32() < 0.5 {
            return false;
        }
        self.last_look = Instant::now();
        let had_error = self.session.error().is_some();
        self.session.refresh() || self.session.error().is_some() != had_error
    }

    /// One frame.
    pub(super) fn show(&mut self, ui: &mut Ui) {
        if !std::mem::replace(&mut self.has_theme, true) {
            theme::set(ui.ctx());
        }
        keys::handle(self, ui);
        ui.ctx().set_theme(if self.is_dark { egui::Theme::Dark } else { egui::Theme::Light });
        self.pass_time();
        self.has_news();
        let dropped = ui.input(|input| input.raw.dropped_files.clone());
        for file in dropped {
            self.open(file.path());
        }
        panels::show(self, ui);
        self.is_getting_finer = stage::show(self, ui);
        panels::show_floating(self, ui);
    }

    fn pass_time(&mut self) {
        let dt_secs = self.last_frame.elapsed().as_secs_f32();
        self.last_frame = Instant::now();
        let start = Instant::now();
        self.session.advance(dt_secs.min(LONGEST_STEP_SECS));
        if self.session.is_playing() {
            self.times.frame_secs.add(dt_secs);
            self.times.update_secs.add(start.elapsed().as_secs_f32());
            self.times.palette_bytes.add(self.session.palette_bytes() as f32);
        }
    }

    pub(super) fn open(&mut self, path: &Path) {
        if Session::is_graph(path) {
            self.open_graph(path);
        } else if self.session.open(path) {
            self.wants_frame = true;
            self.shown_layer = None;
        }
    }

    pub(super) fn open_graph(&mut self, path: &Path) {
        if self.session.open_graph(path) {
            self.graph = GraphView::default();
        }
    }

    /// Lets the figure look at the pointer, or where its clips look.
    pub(super) fn look_at_cursor(&mut self, looks: bool) {
        self.looks_at_cursor = looks;
        if !looks {
            self.session.look_towards(None);
        }
    }

    /// Shows the dialog, in the folder of the present file.
    pub(super) fn ask_for(&mut self, purpose: Purpose) {
        let folder = self.session.path().and_then(Path::parent).unwrap_or(Path::new(""));
        self.dialog = Some(Dialog::new(purpose, folder));
    }

    pub(super) fn attach_sword(&mut self) {
        let sword = Arc::clone(&self.sword);
        self.session.attach(&sword, "sword");
    }

    /// What a joint is called, in a way that can be shown.
    pub(super) fn joint_name(&self, joint: JointId) -> String {
        match self.session.model().asset.skeleton.name(joint) {
            "" => format!("joint {}", joint.index()),
            name => name.to_owned(),
        }
    }

    /// What stands above the window: the file, and what is done with it.
    pub(super) fn title(&self) -> String {
        let mut title = self.session.name().to_owned();
        if let (true, Some(graph)) = (self.session.runs_graph(), self.session.graph()) {
            let state = graph.state().and_then(|state| state.state(0));
            title += &format!(" · {}", state.map_or("", |state| graph.graph().state_path(state)));
        } else if let (Some(clip), Some(action)) = (self.session.current_clip(), self.session.action()) {
            title += &format!(" · {}", self.session.clip_name(clip));
            if !self.session.is_playing() {
                title += &format!(" at {:.2} s", action.time_secs());
            }
        }
        if let Some(joint) = self.session.picked() {
            title += &format!(" · {}", self.joint_name(joint));
        }
        title + " - Canter"
    }

    /// Looks at the figure, or at the first rows of the crowd.
    pub(super) fn frame(&mut self, aspect: f64) {
        let session = &self.session;
        self.orbit.frame(aspect, |framing| {
            if session.crowd() == 1 && !session.has_stairs() {
                framing.include_scene(session.scene());
            } else {
                session.corners(FRAMED_FIGURES).for_each(|corner| framing.include(corner));
            }
        });
    }

    pub(super) fn look(&self) -> Look {
        let background = if self.is_dark { Background::Color([38, 41, 46]) } else { Background::Studio };
        let sun_yaw = self.orbit.yaw - 0.8;
        #[expect(clippy::cast_possible_truncation, reason = "a direction")]
        let sun = canter::glam::Vec3::new(sun_yaw.sin() as f32, 1.15, sun_yaw.cos() as f32);
        Look {
            background,
            ground: self.overlays.ground.then(Ground::default),
            sun,
            // A file of motion alone has nothing else to show.
            skeleton: self.overlays.skeleton || self.session.model().parts().is_empty(),
        }
    }

    /// Moves the camera as the figure has moved over the ground.
    pub(super) fn follow(&mut self) {
        let place = self.session.place();
        let by = place - std::mem::replace(&mut self.last_place, place);
        if self.follows {
            self.orbit.target += DVec3::new(by.x, 0.0, by.z);
        }
    }

    /// Where a place of the world is seen in the window.
    #[cfg(test)]
    pub(super) fn seen_at(&self, place: DVec3) -> Option<egui::Pos2> {
        stage::seen_at(&self.orbit, self.picture, place)
    }

    /// Shows a line for a while.
    pub(super) fn say(&mut self, text: String) {
        self.notice = Some((text, Instant::now()));
    }

    /// Writes the picture, without the panels, into a file.
    pub(super) fn take_screenshot(&mut self, shot: &Shot) {
        self.wants_screenshot = false;
        let picture = self.canvas.picture(self.session.scene(), shot);
        let text = match picture.and_then(|picture| screenshot::save(&self.screenshots, &picture)) {
            Ok(path) => format!("saved {}", path.display()),
            Err(error) => format!("the picture cannot be saved: {error}"),
        };
        self.say(text);
    }
}
