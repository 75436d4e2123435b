//! How many figures there are, and what they cost.

use egui::{Align, Color32, Layout, Sense, Slider, Stroke, Ui, pos2, vec2};

use super::heading;
use crate::session::Session;
use crate::window::theme::{BLUE, GREEN, ORANGE};
use crate::window::times::{History, KEPT};
use crate::window::view::View;

pub(super) fn show(view: &mut View, ui: &mut Ui) {
    heading(ui, "Crowd");
    let mut figures = view.session.crowd();
    ui.spacing_mut().slider_width = ui.available_width() - 62.0;
    let slider = Slider::new(&mut figures, 1..=Session::LARGEST_CROWD).logarithmic(true);
    if ui.add(slider).on_hover_text("copies, each at a time of its own").changed() {
        view.session.set_crowd(figures);
        // From a little higher, those behind are seen, too.
        view.orbit.pitch = view.orbit.pitch.max(0.34);
        view.wants_frame = true;
    }
    let times = &view.times;
    let (frame, update) = (times.frame_secs.mean(), times.update_secs.mean());
    plot(ui, "frame", &format!("{:.1} ms", frame * 1e3), &times.frame_secs, BLUE);
    plot(ui, "update", &format!("{:.2} ms", update * 1e3), &times.update_secs, ORANGE);
    plot(ui, "palettes", &bytes(view.session.palette_bytes()), &times.palette_bytes, GREEN);
    ui.label(egui::RichText::new(format!("drawn by {}", view.canvas.name())).small().weak());
}

/// The last numbers as a line, the largest near the top.
fn plot(ui: &mut Ui, name: &str, now: &str, history: &History, color: Color32) {
    ui.horizontal(|ui| {
        ui.small(name);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(egui::RichText::new(now).monospace().small());
        });
    });
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), Sense::hover());
    ui.painter().rect_filled(rect, 4.0, ui.visuals().extreme_bg_color);
    let most = history.numbers().fold(1e-6, f32::max) * 1.15;
    let points = history.numbers().enumerate().map(|(index, number)| {
        let across = index as f32 / (KEPT - 1) as f32;
        pos2(rect.left() + rect.width() * across, rect.bottom() - 1.0 - (rect.height() - 2.0) * number / most)
    });
    ui.painter().line(points.collect(), Stroke::new(1.4, color));
}

fn bytes(count: usize) -> String {
    let kibibytes = count as f32 / 1024.0;
    if kibibytes < 1024.0 { format!("{kibibytes:.1} KiB") } else { format!("{:.1} MiB", kibibytes / 1024.0) }
}
