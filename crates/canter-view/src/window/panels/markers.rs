//! Markers of the shown clip: a lane below the keys, and a row of tools above the timeline.

use std::path::Path;

use canter::Marker;
use egui::{
    Align, Align2, Color32, DragValue, FontId, Layout, Pos2, Rect, Shape, Stroke, TextEdit, Ui, pos2, vec2,
};

use super::timeline::Ruler;
use crate::window::theme::{GREEN, ORANGE};
use crate::window::view::View;

/// A marker or its end is gripped from this many points.
const GRIP: f32 = 6.0;

/// What of a marker the pointer drags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::window) enum MarkerGrip {
    /// All of it.
    Whole,
    Start,
    End,
}

/// The marker at a point of the lane, and what of it is there. Of several, the chosen one, or else the last
/// that is drawn.
pub(super) fn at(view: &View, ruler: Ruler, lane: Rect, point: Pos2) -> Option<(usize, MarkerGrip)> {
    if !lane.expand2(vec2(GRIP, 0.0)).contains(point) {
        return None;
    }
    let grip = |marker: &Marker| {
        let [start, end] = [marker.secs, marker.end_secs()].map(|secs| ruler.x(secs));
        let near = |x: f32| (x - point.x).abs() < GRIP;
        match marker.is_window() {
            false => near(start).then_some(MarkerGrip::Whole),
            true if near(end) => Some(MarkerGrip::End),
            true if near(start) => Some(MarkerGrip::Start),
            true => (start..=end).contains(&point.x).then_some(MarkerGrip::Whole),
        }
    };
    let markers = view.session.markers();
    let chosen = view.session.chosen_marker();
    let order = chosen.into_iter().chain((0..markers.len()).rev());
    order.filter_map(|index| Some((index, grip(&markers[index])?))).next()
}

/// Moves the chosen marker, or an end of it, to a time; `before` is what it was when it was gripped.
pub(super) fn drag(view: &mut View, grip: MarkerGrip, before: &Marker, from_secs: f32, to_secs: f32) {
    let Some(index) = view.session.chosen_marker() else { return };
    let clip_secs = view.session.action().map_or(0.0, |action| action.clip().duration_secs());
    let by = to_secs - from_secs;
    let (secs, length) = match grip {
        // A window keeps its length: it stops where its end comes to the clip's.
        MarkerGrip::Whole => {
            ((before.secs + by).clamp(0.0, (clip_secs - before.length_secs).max(0.0)), before.length_secs)
        }
        MarkerGrip::Start => {
            let secs = (before.secs + by).clamp(0.0, before.end_secs());
            (secs, before.end_secs() - secs)
        }
        MarkerGrip::End => (before.secs, (before.length_secs + by).max(0.0)),
    };
    view.session.move_marker(index, secs, length);
}

/// A flag with a name for each instant, a bar for each window. Names that would lie on others are left out.
pub(super) fn lane(view: &View, ui: &Ui, ruler: Ruler, lane: Rect) {
    let (painter, visuals) = (ui.painter(), ui.visuals());
    painter.hline(ruler.rect.x_range(), lane.top() - 1.0, Stroke::new(1.0, visuals.window_stroke.color));
    let markers = view.session.markers();
    if markers.is_empty() {
        let at = pos2(lane.left() + 4.0, lane.center().y);
        let text = "double click here for a marker";
        painter.text(at, Align2::LEFT_CENTER, text, FontId::proportional(11.0), visuals.weak_text_color());
    }
    let font = FontId::proportional(11.5);
    // Where the next name may begin.
    let mut free = f32::NEG_INFINITY;
    for (index, marker) in markers.iter().enumerate() {
        let is_chosen = view.session.chosen_marker() == Some(index);
        let glow = view.session.marker_glow(index);
        let color = if is_chosen { ORANGE } else { GREEN };
        let [start, end] = [marker.secs, marker.end_secs()].map(|secs| ruler.x(secs));
        if marker.is_window() {
            let bar = Rect::from_x_y_ranges(start..=end, lane.top() + 3.0..=lane.bottom() - 3.0);
            painter.rect_filled(bar, 3.0, color.gamma_multiply(0.35 + 0.65 * glow));
            for x in [start, end] {
                painter.vline(x, bar.y_range(), Stroke::new(2.0, color));
            }
        } else {
            painter.vline(
                start,
                ruler.rect.top() + 16.0..=lane.bottom(),
                Stroke::new(1.0 + glow, color.gamma_multiply(0.8)),
            );
            let middle = lane.center().y;
            let size = 4.5 + 2.5 * glow;
            let diamond = [(0.0, -size), (size, 0.0), (0.0, size), (-size, 0.0)];
            let corners = diamond.map(|(x, y)| pos2(start + x, middle + y)).to_vec();
            if glow > 0.0 {
                painter.circle_filled(
                    pos2(start, middle),
                    5.0 + 9.0 * glow,
                    color.gamma_multiply(0.45 * glow),
                );
            }
            painter.add(Shape::convex_polygon(corners, color, Stroke::NONE));
        }
        let text = painter.layout_no_wrap(marker.name.to_string(), font.clone(), Color32::PLACEHOLDER);
        let width = text.size().x;
        // At the end of the clip the name stands before its flag.
        let behind = start + 9.0;
        let left = if behind + width > lane.right() { start - 9.0 - width } else { behind };
        if left >= free {
            // On a bar of the same colour it could not be read.
            let color = if is_chosen && !marker.is_window() { ORANGE } else { visuals.text_color() };
            painter.galley(pos2(left, lane.center().y - text.size().y / 2.0), text, color);
            free = left + width + 6.0;
        }
        free = free.max(start + 8.0);
    }
}

/// Add, detect, save; and what can be changed about the chosen marker.
pub(super) fn tools(view: &mut View, ui: &mut Ui) {
    ui.horizontal(|ui| {
        ui.strong("Markers");
        let add = ui.button("+  Add").on_hover_text("at the present time, with the name beside it");
        let name = TextEdit::singleline(&mut view.marker_name).desired_width(96.0).hint_text("name");
        ui.add(name);
        if add.clicked() {
            add_here(view);
        }
        if ui.button("Detect").on_hover_text("find where feet come down").clicked() {
            let added = view.session.detect_markers();
            view.say(match added {
                0 => "no footfall that is not there already".to_owned(),
                1 => "1 footfall".to_owned(),
                _ => format!("{added} footfalls"),
            });
        }
        save(view, ui);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| chosen(view, ui));
    });
}

/// Adds a marker at the present time.
pub(super) fn add_here(view: &mut View) {
    let Some(secs) = view.session.action().map(canter::Action::time_secs) else { return };
    let name = if view.marker_name.trim().is_empty() { "marker" } else { view.marker_name.trim() }.to_owned();
    view.session.add_marker(&name, secs);
}

fn save(view: &mut View, ui: &mut Ui) {
    let label = if view.session.has_unsaved_markers() { "Save *" } else { "Save" };
    let file = view.session.path().map(canter_gltf::markers_path);
    let hint = match &file {
        Some(path) => format!("into {}", path.display()),
        None => "only beside a model's file".to_owned(),
    };
    if ui.button(label).on_hover_text(hint).clicked()
        && view.session.save_markers()
        && let Some(path) = file
    {
        view.say(format!("saved {}", path.display()));
    }
    let Some(model) = view.session.path().map(Path::to_owned) else { return };
    let hint = format!("into {} itself", model.display());
    if ui.button("Save into model").on_hover_text(hint).clicked() && view.session.save_markers_into_model() {
        view.say(format!("saved {}", model.display()));
    }
}

/// From the right: delete, how long, when, and the name.
fn chosen(view: &mut View, ui: &mut Ui) {
    let Some(index) = view.session.chosen_marker() else {
        ui.weak("drag a marker to move it");
        return;
    };
    let marker = view.session.markers()[index].clone();
    if ui.button("✖").on_hover_text("Delete: delete the marker").clicked() {
        view.session.remove_marker(index);
        return;
    }
    let (mut secs, mut length) = (marker.secs, marker.length_secs);
    let drag = |value| DragValue::new(value).speed(0.002).fixed_decimals(3).suffix(" s");
    let lasts = ui.add(drag(&mut length)).on_hover_text("how long it lasts; 0: an instant");
    ui.label("for");
    let when = ui.add(drag(&mut secs)).on_hover_text("when");
    ui.label("at");
    if lasts.changed() || when.changed() {
        view.session.move_marker(index, secs, length);
    }
    let mut name = marker.name.to_string();
    if ui.add(TextEdit::singleline(&mut name).id_salt("marker").desired_width(96.0)).changed() {
        view.session.rename_marker(index, &name);
    }
}
