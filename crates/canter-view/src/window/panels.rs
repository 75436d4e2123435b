//! The panels around the picture.

mod clips;
mod joints;
mod numbers;
mod timeline;

use egui::{Panel, ScrollArea, Ui};

use super::keys;
use super::view::View;

/// Clips at the left, joints at the right, time at the bottom.
pub(super) fn show(view: &mut View, ui: &mut Ui) {
    Panel::bottom("timeline").show(ui, |ui| timeline::show(view, ui));
    Panel::left("clips").default_size(190.0).show(ui, |ui| {
        ScrollArea::vertical().id_salt("clips").show(ui, |ui| clips::show(view, ui));
    });
    Panel::right("joints").default_size(220.0).show(ui, |ui| {
        numbers::show(view, ui);
        joints::show(view, ui);
    });
}

/// What lies above the picture: errors, notices, help.
pub(super) fn show_floating(view: &mut View, ui: &mut Ui) {
    let context = ui.ctx().clone();
    if let Some(error) = view.session.error().map(str::to_owned) {
        egui::Window::new("The file cannot be shown").collapsible(false).show(&context, |ui| {
            ui.colored_label(ui.visuals().error_fg_color, error);
            if ui.button("Keep the old one").clicked() {
                view.session.dismiss_error();
            }
        });
    }
    if let Some(notice) = view.notice.clone() {
        egui::Window::new("Picture").collapsible(false).resizable(false).show(&context, |ui| {
            ui.label(notice);
            if ui.button("Fine").clicked() {
                view.notice = None;
            }
        });
    }
    let mut shows_help = view.shows_help;
    egui::Window::new("Keys and pointer").open(&mut shows_help).resizable(false).show(&context, |ui| {
        egui::Grid::new("keys").striped(true).show(ui, |ui| {
            for (key, what) in keys::HELP {
                ui.strong(*key);
                ui.label(*what);
                ui.end_row();
            }
        });
    });
    view.shows_help = shows_help;
}
