//! What hangs on joints.

use canter::glam::Vec3;
use egui::{Align, Layout, Slider, Ui};

use super::heading;
use crate::session::Held;
use crate::window::dialog::Purpose;
use crate::window::view::View;

pub(super) fn show(view: &mut View, ui: &mut Ui) {
    heading(ui, "Attached");
    ui.horizontal(|ui| {
        let joint =
            view.session.picked().map_or_else(|| "the right hand".to_owned(), |joint| view.joint_name(joint));
        if ui.button("⚔  Sword").on_hover_text(format!("S: onto {joint}")).clicked() {
            view.attach_sword();
        }
        if ui.button("File…").on_hover_text(format!("another model onto {joint}")).clicked() {
            view.ask_for(Purpose::Attach);
        }
    });
    let mut removed = None;
    for (index, held) in view.session.held().to_vec().into_iter().enumerate() {
        ui.push_id(index, |ui| {
            ui.horizontal(|ui| {
                ui.label(format!("{} on {}", held.name, view.joint_name(held.joint)));
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    if ui.small_button("✖").on_hover_text("take it away").clicked() {
                        removed = Some(index);
                    }
                });
            });
            // Closed as long as it lies well in the hand.
            egui::CollapsingHeader::new("move and turn").show(ui, |ui| sliders(view, ui, index, &held));
        });
    }
    if let Some(index) = removed {
        view.session.detach(index);
    }
}

fn sliders(view: &mut View, ui: &mut Ui, index: usize, held: &Held) {
    let (mut offset, mut turn) = (held.offset, held.turn);
    let reach = view.session.height().max(1e-3) * 0.5;
    ui.spacing_mut().slider_width = ui.available_width() - 82.0;
    let mut rows = |values: &mut Vec3, range: std::ops::RangeInclusive<f32>, unit: &str, decimals| {
        for (value, axis) in values.as_mut().iter_mut().zip(["x", "y", "z"]) {
            ui.horizontal(|ui| {
                ui.monospace(axis);
                ui.add(Slider::new(value, range.clone()).suffix(unit).fixed_decimals(decimals));
            });
        }
    };
    rows(&mut offset, -reach..=reach, " m", 2);
    rows(&mut turn, -180.0..=180.0, "°", 0);
    if (offset, turn) != (held.offset, held.turn) {
        view.session.move_held(index, offset, turn);
    }
}
