//! The row at the top: files, what is shown, how it is seen.

use egui::{Align, Layout, Ui};

use crate::window::dialog::Purpose;
use crate::window::view::View;

pub(super) fn show(view: &mut View, ui: &mut Ui) {
    ui.horizontal(|ui| {
        if ui.button("🗁  Open…").on_hover_text("O, or drop a file on the window").clicked() {
            view.ask_for(Purpose::Open);
        }
        ui.strong(view.session.name());
        ui.separator();
        let overlays = &mut view.overlays;
        for (shows, name, key) in [
            (&mut overlays.skeleton, "Skeleton", "K"),
            (&mut overlays.bounds, "Bounds", "B"),
            (&mut overlays.normals, "Normals", "N"),
            (&mut overlays.ground, "Ground", "G"),
        ] {
            if ui.selectable_label(*shows, name).on_hover_text(key).clicked() {
                *shows = !*shows;
            }
        }
        let shows = view.session.shows_weights();
        let text = "W: how much the picked joint moves each place, from slate (not at all) to red (alone)";
        if ui.selectable_label(shows, "Weights").on_hover_text(text).clicked() {
            view.session.show_weights(!shows);
        }
        if view.session.graph().is_some() {
            let shows = !view.graph.is_hidden;
            if ui.selectable_label(shows, "Diagram").on_hover_text("D: states of the graph").clicked() {
                view.graph.is_hidden = shows;
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.button("❓").on_hover_text("H: keys and pointer").clicked() {
                view.shows_help = !view.shows_help;
            }
            let theme = if view.is_dark { "☀" } else { "🌙" };
            if ui.button(theme).on_hover_text("T: light or dark").clicked() {
                view.is_dark = !view.is_dark;
            }
            if ui.button("📷").on_hover_text("P: save the picture").clicked() {
                view.wants_screenshot = true;
            }
            if ui.button("⛶").on_hover_text("F: frame the figure").clicked() {
                view.wants_frame = true;
            }
        });
    });
}
