//! Play, pause, step, speed, loop.

use canter::LoopMode;
use egui::{Align, ComboBox, Layout, Slider, Ui, vec2};

use crate::window::view::View;

pub(super) fn show(view: &mut View, ui: &mut Ui) {
    ui.horizontal(|ui| {
        if ui.button("⏮").on_hover_text("Left: a step back").clicked() {
            view.session.step(-1);
        }
        let label = if view.session.is_playing() { "⏸" } else { "▶" };
        let play = egui::Button::new(label).min_size(vec2(38.0, 0.0));
        if ui.add(play).on_hover_text("Space: play and pause").clicked() {
            view.session.toggle();
        }
        if ui.button("⏭").on_hover_text("Right: a step forward").clicked() {
            view.session.step(1);
        }
        ui.separator();
        let mut speed = view.session.speed();
        ui.label("speed");
        let slider = Slider::new(&mut speed, -2.0..=2.0).fixed_decimals(2).suffix("×");
        let response = ui.add(slider).on_hover_text("negative runs backwards; double click: 1");
        if response.double_clicked() {
            view.session.set_speed(1.0);
        } else if response.changed() {
            view.session.set_speed(speed);
        }
        ui.separator();
        let mut loop_mode = view.session.loop_mode();
        let combo = ComboBox::from_id_salt("loop").width(112.0).selected_text(name(loop_mode));
        combo.show_ui(ui, |ui| {
            for mode in [LoopMode::Repeat, LoopMode::PingPong, LoopMode::Once] {
                ui.selectable_value(&mut loop_mode, mode, name(mode));
            }
        });
        if loop_mode != view.session.loop_mode() {
            view.session.set_loop_mode(loop_mode);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if let Some(action) = view.session.action() {
                let length = action.clip().duration_secs();
                ui.monospace(format!("{:.2} / {length:.2} s", action.time_secs()));
                ui.strong(
                    view.session.current_clip().map_or_else(String::new, |clip| view.session.clip_name(clip)),
                );
            }
        });
    });
}

fn name(loop_mode: LoopMode) -> &'static str {
    match loop_mode {
        LoopMode::Repeat => "🔁  repeat",
        LoopMode::PingPong => "⇄  there and back",
        _ => "→  once",
    }
}
