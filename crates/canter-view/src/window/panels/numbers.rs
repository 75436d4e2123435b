//! How many figures there are, and what they cost.

use egui::{Color32, Sense, Slider, Stroke, Ui, pos2, vec2};

use crate::session::Session;
use crate::window::view::View;

pub(super) fn show(view: &mut View, ui: &mut Ui) {
    let mut figures = view.session.crowd();
    let slider = Slider::new(&mut figures, 1..=Session::LARGEST_CROWD).logarithmic(true).text("figures");
    if ui.add(slider).changed() {
        view.session.set_crowd(figures);
        view.wants_frame = true;
    }
    plot(ui, "frame", &view.times.frame);
    plot(ui, "update", &view.times.update);
    let palette = view.session.figure().palette.len() * 48 * figures;
    ui.small(format!(
        "picture {:.0} ms, palettes {:.1} KiB",
        view.canvas.secs() * 1e3,
        palette as f32 / 1024.0
    ));
}

/// The last times as a line, the largest at the top.
fn plot(ui: &mut Ui, name: &str, secs: &[f32]) {
    let last = secs.last().copied().unwrap_or(0.0);
    ui.small(format!("{name} {:.2} ms", last * 1e3));
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 22.0), Sense::hover());
    ui.painter().rect_filled(rect, 3.0, ui.visuals().extreme_bg_color);
    let most = secs.iter().copied().fold(1e-5, f32::max);
    let points = secs.iter().enumerate().map(|(index, secs)| {
        pos2(
            rect.left() + rect.width() * index as f32 / 90.0,
            rect.bottom() - rect.height() * 0.9 * secs / most,
        )
    });
    ui.painter().line(points.collect(), Stroke::new(1.0, Color32::from_rgb(60, 130, 220)));
}
