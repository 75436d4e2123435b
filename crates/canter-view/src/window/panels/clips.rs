//! The clips, and how one fades to another.

use canter::{Easing, FadeKind};
use egui::{Align, Button, ComboBox, Layout, Slider, Ui};

use super::heading;
use crate::window::view::View;

pub(super) fn show(view: &mut View, ui: &mut Ui) {
    ui.label(egui::RichText::new("Clips").heading().strong());
    let clips: Vec<(String, f32)> = (view.session.clips().iter().enumerate())
        .map(|(index, clip)| (view.session.clip_name(index), clip.duration_secs()))
        .collect();
    if clips.is_empty() {
        ui.weak("The file has no clips.");
        return;
    }
    let current = view.session.current_clip();
    for (index, (name, secs)) in clips.iter().enumerate() {
        let button = Button::selectable(current == Some(index), name.as_str())
            .right_text(egui::RichText::new(format!("{secs:.2} s")).small().weak());
        let response = ui.add(button.min_size(egui::vec2(ui.available_width(), 0.0)));
        let response =
            response.on_hover_text("click: crossfade to it\nright click: play it beside the others");
        if response.clicked() {
            let _ = view.session.fade_to(index);
        }
        if response.secondary_clicked() {
            view.session.add_to_mix(index);
        }
    }
    heading(ui, "Fade");
    ui.horizontal(|ui| {
        for &kind in FadeKind::ALL {
            let (name, hint) = kind_texts(kind);
            if ui.selectable_label(view.session.fade_kind == kind, name).on_hover_text(hint).clicked() {
                view.session.fade_kind = kind;
            }
        }
    });
    ui.add(Slider::new(&mut view.session.fade_secs, 0.0..=2.0).suffix(" s").fixed_decimals(2));
    // The other kinds have curves of their own.
    if view.session.fade_kind != FadeKind::Cross {
        return;
    }
    ui.with_layout(Layout::top_down_justified(Align::Min), |ui| {
        let combo = ComboBox::from_id_salt("easing").width(ui.available_width());
        combo.selected_text(name(view.session.easing)).show_ui(ui, |ui| {
            for &easing in Easing::ALL {
                ui.selectable_value(&mut view.session.easing, easing, name(easing));
            }
        });
    });
}

fn kind_texts(kind: FadeKind) -> (&'static str, &'static str) {
    match kind {
        FadeKind::Inertial => ("inertial", "the difference to what is on screen dies away; quick and lively"),
        FadeKind::Dead => ("dead", "what is on screen moves on, dies away and is blended over; never jumps"),
        _ => ("cross", "both play, and their shares change"),
    }
}

fn name(easing: Easing) -> &'static str {
    match easing {
        Easing::Linear => "evenly",
        Easing::QuadraticIn => "slow at the start",
        Easing::QuadraticOut => "slow at the end",
        Easing::QuadraticInOut => "slow at both ends",
        Easing::SmoothStep => "smooth",
        Easing::SmootherStep => "smoother",
        _ => "in another way",
    }
}
