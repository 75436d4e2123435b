//! All clips that play, how strong each was made, and what share of the pose it has.

use egui::{Rect, Sense, Slider, Ui, vec2};

use super::heading;
use crate::session::Mixed;
use crate::window::theme::BLUE;
use crate::window::view::View;

pub(super) fn show(view: &mut View, ui: &mut Ui) {
    let mix = view.session.mix();
    let clips = view.session.clips().len();
    if clips == 0 {
        return;
    }
    heading(ui, "Mix");
    for mixed in &mix {
        row(view, ui, mixed, mix.len() > 1);
    }
    let mut is_in_step = view.session.is_in_step();
    let text =
        "keep clips in step: by the markers that they have in common, or by how much of them has passed";
    if ui.checkbox(&mut is_in_step, "Sync").on_hover_text(text).changed() {
        view.session.set_in_step(is_in_step);
    }
    if mix.len() < clips {
        ui.menu_button("+  add a clip", |ui| {
            for index in (0..clips).filter(|index| mix.iter().all(|mixed| mixed.clip != *index)) {
                if ui.button(view.session.clip_name(index)).clicked() {
                    view.session.add_to_mix(index);
                }
            }
        });
    }
}

fn row(view: &mut View, ui: &mut Ui, mixed: &Mixed, has_others: bool) {
    ui.horizontal(|ui| {
        let name = egui::RichText::new(&mixed.name);
        let name = if mixed.is_leaving { name.weak() } else { name };
        if ui.add(egui::Label::new(name).sense(Sense::click())).on_hover_text("show its timeline").clicked() {
            view.session.look_at(mixed.clip);
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui
                .add_enabled(has_others, egui::Button::new("✖").small())
                .on_hover_text("fade it out")
                .clicked()
            {
                view.session.take_from_mix(mixed.clip);
            }
            ui.monospace(format!("{:3.0} %", mixed.effective_weight * 100.0))
                .on_hover_text("its share of the pose");
        });
    });
    ui.horizontal(|ui| {
        let mut weight = mixed.weight;
        ui.spacing_mut().slider_width = ui.available_width() - 52.0;
        let slider = Slider::new(&mut weight, 0.0..=1.0).fixed_decimals(2);
        if ui.add(slider).on_hover_text("how strong it is").changed() {
            view.session.set_weight(mixed.clip, weight);
        }
    });
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 4.0), Sense::hover());
    ui.painter().rect_filled(rect, 2.0, ui.visuals().extreme_bg_color);
    let share = Rect::from_min_size(rect.min, vec2(rect.width() * mixed.effective_weight, rect.height()));
    ui.painter().rect_filled(share, 2.0, BLUE);
    ui.add_space(2.0);
}
