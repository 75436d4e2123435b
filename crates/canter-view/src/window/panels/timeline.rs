//! Time: play, pause, step, scrub.

use canter::LoopMode;
use egui::{Color32, ComboBox, Rect, Sense, Slider, Stroke, Ui, pos2, vec2};

use crate::window::view::View;

pub(super) fn show(view: &mut View, ui: &mut Ui) {
    ui.horizontal(|ui| {
        if ui.button("<").on_hover_text("a step back").clicked() {
            view.session.step(-1);
        }
        let label = if view.session.is_playing() { "pause" } else { "play" };
        if ui.button(label).on_hover_text("Space").clicked() {
            view.session.toggle();
        }
        if ui.button(">").on_hover_text("a step forward").clicked() {
            view.session.step(1);
        }
        let mut speed = view.session.speed();
        if ui.add(Slider::new(&mut speed, -2.0..=2.0).text("speed")).changed() {
            view.session.set_speed(speed);
        }
        let mut loop_mode = view.session.loop_mode();
        ComboBox::from_id_salt("loop").width(90.0).selected_text(name(loop_mode)).show_ui(ui, |ui| {
            for mode in [LoopMode::Repeat, LoopMode::PingPong, LoopMode::Once] {
                ui.selectable_value(&mut loop_mode, mode, name(mode));
            }
        });
        if loop_mode != view.session.loop_mode() {
            view.session.set_loop_mode(loop_mode);
        }
        if let Some(action) = view.session.action() {
            let length = action.clip().duration_secs();
            ui.monospace(format!("{:.2} of {length:.2} s", action.time_secs()));
        }
    });
    track(view, ui);
}

/// The clip from its start to its end, its keys, and where it is.
fn track(view: &mut View, ui: &mut Ui) {
    let size = vec2(ui.available_width(), 22.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let visuals = ui.visuals();
    ui.painter().rect_filled(rect, 4.0, visuals.extreme_bg_color);
    let Some(action) = view.session.action() else { return };
    let length = action.clip().duration_secs();
    if length <= 0.0 {
        return;
    }
    let x = |secs: f32| rect.left() + rect.width() * (secs / length).clamp(0.0, 1.0);
    let ink = Stroke::new(1.0, visuals.weak_text_color().gamma_multiply(0.6));
    // Keys nearer than two points to each other are one line.
    let mut last = f32::NEG_INFINITY;
    let longest = action.clip().tracks().max_by_key(|track| track.times.len());
    for &secs in longest.map_or(&[][..], |track| track.times) {
        let at = x(secs);
        if at - last >= 2.0 {
            ui.painter().vline(at, rect.bottom() - 8.0..=rect.bottom() - 2.0, ink);
            last = at;
        }
    }
    let now = x(action.time_secs());
    let played = Rect::from_min_max(rect.min, pos2(now, rect.bottom()));
    ui.painter().rect_filled(played, 4.0, visuals.selection.bg_fill.gamma_multiply(0.45));
    ui.painter().vline(now, rect.y_range(), Stroke::new(2.0, Color32::from_rgb(230, 120, 20)));
    if let Some(pointer) = response.interact_pointer_pos().filter(|_| response.is_pointer_button_down_on()) {
        let part = ((pointer.x - rect.left()) / rect.width()).clamp(0.0, 0.999);
        view.session.scrub(part * length);
    }
}

fn name(loop_mode: LoopMode) -> &'static str {
    match loop_mode {
        LoopMode::Repeat => "repeat",
        LoopMode::PingPong => "there and back",
        _ => "once",
    }
}
