//! The clip from its start to its end: a ruler, its keys, what is repeated of it, its markers, and the time.

use canter::{JointId, Marker, TrackTarget};
use egui::{Align2, CursorIcon, FontId, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, pos2, vec2};

use super::markers::{self, MarkerGrip};
use crate::session::Session;
use crate::window::theme::{BLUE, ORANGE};
use crate::window::view::View;

/// An end of the range is gripped from this many points.
const GRIP: f32 = 7.0;

/// Seconds as places on the screen.
#[derive(Clone, Copy)]
pub(super) struct Ruler {
    pub(super) rect: Rect,
    length_secs: f32,
}

impl Ruler {
    pub(super) fn x(&self, secs: f32) -> f32 {
        self.rect.left() + self.rect.width() * (secs / self.length_secs).clamp(0.0, 1.0)
    }

    fn secs(&self, x: f32) -> f32 {
        ((x - self.rect.left()) / self.rect.width()).clamp(0.0, 1.0) * self.length_secs
    }
}

/// What the pointer drags.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::window) enum Grip {
    Time,
    Start,
    End,
    /// The chosen marker, what it was when it was gripped, and where.
    Marker(MarkerGrip, Marker, f32),
}

/// How high the ruler with the keys is, and the lane of markers below it.
const RULER: f32 = 44.0;
const LANE: f32 = 22.0;

pub(super) fn show(view: &mut View, ui: &mut Ui) {
    let size = vec2(ui.available_width(), RULER + LANE);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    ui.painter().rect_filled(rect, 5.0, ui.visuals().extreme_bg_color);
    let length_secs = view.session.action().map_or(0.0, |action| action.clip().duration_secs());
    if length_secs <= 0.0 {
        return;
    }
    let (mut upper, mut lower) = (rect.shrink2(vec2(8.0, 0.0)), rect.shrink2(vec2(8.0, 0.0)));
    upper.max.y = rect.top() + RULER;
    lower.min.y = upper.max.y;
    let ruler = Ruler { rect: upper, length_secs };
    let range = view.session.range_secs().unwrap_or([0.0, length_secs]);
    drag(view, &response, ruler, lower, range);
    if response.double_clicked() {
        add(view, &response, ruler, lower, range);
    }
    ticks(ui, ruler);
    show_range(ui, ruler, range);
    keys(ui, &view.session, ruler);
    markers::lane(view, ui, ruler, lower);
    let now = ruler.x(view.session.action().map_or(0.0, canter::Action::time_secs));
    ui.painter().vline(now, rect.y_range(), Stroke::new(2.0, ORANGE));
    let head = [pos2(now - 5.0, rect.top()), pos2(now + 5.0, rect.top()), pos2(now, rect.top() + 8.0)];
    ui.painter().add(Shape::convex_polygon(head.to_vec(), ORANGE, Stroke::NONE));
}

/// Scrubs, or moves an end of the range, or a marker.
fn drag(view: &mut View, response: &Response, ruler: Ruler, lane: Rect, range: [f32; 2]) {
    if let Some(at) = response.hover_pos() {
        let grip = view.grip.clone().unwrap_or_else(|| grip_at(view, ruler, lane, range, at).0);
        match grip {
            Grip::Time => {}
            Grip::Marker(MarkerGrip::Whole, ..) => response.ctx.set_cursor_icon(CursorIcon::Grab),
            _ => response.ctx.set_cursor_icon(CursorIcon::ResizeHorizontal),
        }
    }
    // Both may lie between two frames that take long.
    if !(response.is_pointer_button_down_on() || response.clicked() || response.drag_stopped()) {
        view.grip = None;
        return;
    }
    let Some(at) = response.interact_pointer_pos() else { return };
    if view.grip.is_none() {
        let (grip, chosen) = grip_at(view, ruler, lane, range, at);
        view.session.choose_marker(chosen);
        view.grip = Some(grip);
    }
    let secs = ruler.secs(at.x);
    match view.grip.clone() {
        Some(Grip::Start) => view.session.set_range(Some([secs.min(range[1] - 1e-3), range[1]])),
        Some(Grip::End) => view.session.set_range(Some([range[0], secs])),
        // A click chooses it and leaves it where it is.
        Some(Grip::Marker(grip, before, from)) => markers::drag(view, grip, &before, from, secs),
        Some(Grip::Time) | None => view.session.scrub(secs.clamp(range[0], range[1])),
    }
    // The next press may come with the next frame, on something else.
    if !response.is_pointer_button_down_on() {
        view.grip = None;
    }
}

/// What is gripped at a point, and the marker that is chosen with it.
fn grip_at(view: &View, ruler: Ruler, lane: Rect, range: [f32; 2], at: Pos2) -> (Grip, Option<usize>) {
    if let Some((index, grip)) = markers::at(view, ruler, lane, at) {
        let before = view.session.markers()[index].clone();
        return (Grip::Marker(grip, before, ruler.secs(at.x)), Some(index));
    }
    let is_below = at.y > ruler.rect.center().y && at.y < lane.top();
    let near = |secs: f32| is_below && (ruler.x(secs) - at.x).abs() < GRIP;
    // A click beside all markers lets go of the chosen one; scrubbing does not.
    let chosen = view.session.chosen_marker().filter(|_| at.y < lane.top());
    let grip = if near(range[1]) {
        Grip::End
    } else if near(range[0]) {
        Grip::Start
    } else {
        Grip::Time
    };
    (grip, chosen)
}

/// A marker at the pointer, if that is in the lane and not on another one.
fn add(view: &mut View, response: &Response, ruler: Ruler, lane: Rect, range: [f32; 2]) {
    let Some(at) = response.interact_pointer_pos().filter(|at| lane.contains(*at)) else { return };
    if markers::at(view, ruler, lane, at).is_none() {
        view.session.scrub(ruler.secs(at.x).clamp(range[0], range[1]));
        markers::add_here(view);
    }
}

/// A line with a number now and then, in steps that are easy to read.
fn ticks(ui: &Ui, ruler: Ruler) {
    let most = (ruler.rect.width() / 60.0).max(1.0);
    let steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0, 3600.0];
    let step = steps.into_iter().find(|step| ruler.length_secs / step <= most).unwrap_or(ruler.length_secs);
    let color = ui.visuals().weak_text_color();
    let (top, count) = (ruler.rect.top(), (ruler.length_secs / step).floor());
    let mut tick = 0.0;
    while tick <= count {
        let x = ruler.x(tick * step);
        ui.painter().vline(x, top..=top + 5.0, Stroke::new(1.0, color.gamma_multiply(0.6)));
        let text = if step < 0.1 { format!("{:.2}", tick * step) } else { format!("{:.1}", tick * step) };
        // The last one would hang over the edge.
        let is_last = x + 24.0 > ruler.rect.right();
        let (side, align) = if is_last { (-3.0, Align2::RIGHT_TOP) } else { (3.0, Align2::LEFT_TOP) };
        ui.painter().text(pos2(x + side, top + 2.0), align, text, FontId::proportional(10.0), color);
        tick += 1.0;
    }
}

/// What is repeated, with an end to drag at each side.
fn show_range(ui: &Ui, ruler: Ruler, range: [f32; 2]) {
    let [left, right] = range.map(|secs| ruler.x(secs));
    let bottom = ruler.rect.bottom() - 4.0;
    let band = Rect::from_min_max(pos2(left, ruler.rect.top() + 18.0), pos2(right, bottom));
    ui.painter().rect_filled(band, 3.0, BLUE.gamma_multiply(0.22));
    for x in [left, right] {
        let handle = Rect::from_min_max(pos2(x - 2.0, band.top()), pos2(x + 2.0, bottom));
        ui.painter().rect_filled(handle, 2.0, BLUE);
    }
}

/// The keys of the picked joint, or else of the track with the most of them. Keys nearer than two points to
/// each other are one line.
fn keys(ui: &Ui, session: &Session, ruler: Ruler) {
    let Some(action) = session.action() else { return };
    let is_of = |joint: JointId| move |target: &TrackTarget| matches!(target, TrackTarget::Joint(of, _) if *of == joint);
    let tracks = || action.clip().tracks();
    let picked = session.picked().and_then(|joint| {
        tracks().filter(|track| is_of(joint)(&track.target)).max_by_key(|track| track.curve.times().len())
    });
    let color = if picked.is_some() { ORANGE } else { ui.visuals().text_color().gamma_multiply(0.55) };
    let Some(track) = picked.or_else(|| tracks().max_by_key(|track| track.curve.times().len())) else {
        return;
    };
    let mut last = f32::NEG_INFINITY;
    for x in track.curve.times().iter().map(|&secs| ruler.x(secs)) {
        if x - last >= 2.0 {
            let middle = ruler.rect.bottom() - 14.0;
            ui.painter().vline(x, middle - 5.0..=middle + 5.0, Stroke::new(1.3, color));
            last = x;
        }
    }
}
