//! The clips, and how one fades to another.

use canter::Easing;
use egui::{ComboBox, Slider, Ui};

use crate::window::view::View;

pub(super) fn show(view: &mut View, ui: &mut Ui) {
    ui.heading(view.session.name());
    ui.separator();
    let current = view.session.action().map(|action| action.clip().name().to_owned());
    let clips: Vec<String> =
        view.session.model().asset.clips.iter().map(|clip| clip.name().to_owned()).collect();
    if clips.is_empty() {
        ui.label("The file has no clips.");
    }
    for (index, clip) in clips.iter().enumerate() {
        let is_current = current.as_deref() == Some(clip);
        let label = if clip.is_empty() { format!("clip {index}") } else { clip.clone() };
        if ui.selectable_label(is_current, label).clicked() {
            view.session.play_index(index);
        }
    }
    ui.separator();
    ui.label("Crossfade");
    ui.add(Slider::new(&mut view.session.fade_secs, 0.0..=2.0).suffix(" s"));
    ComboBox::from_id_salt("easing").selected_text(name(view.session.easing)).show_ui(ui, |ui| {
        for easing in EASINGS {
            ui.selectable_value(&mut view.session.easing, easing, name(easing));
        }
    });
    ui.separator();
    ui.label("Weights");
    let weights: Vec<(String, f32)> =
        view.session.weights().map(|(clip, weight)| (clip.to_owned(), weight)).collect();
    for (clip, weight) in weights {
        ui.add(egui::ProgressBar::new(weight).text(format!("{clip} {:.0} %", weight * 100.0)));
    }
    ui.separator();
    ui.checkbox(&mut view.shows_skeleton, "Skeleton (K)");
    ui.checkbox(&mut view.shows_ground, "Ground (G)");
    ui.checkbox(&mut view.is_dark, "Dark (T)");
    if ui.button("Frame (F)").clicked() {
        view.wants_frame = true;
    }
    if ui.button("Save picture (P)").clicked() {
        view.wants_screenshot = true;
    }
    if ui.button("Help (H)").clicked() {
        view.shows_help = !view.shows_help;
    }
}

const EASINGS: [Easing; 6] = [
    Easing::Linear,
    Easing::QuadraticIn,
    Easing::QuadraticOut,
    Easing::QuadraticInOut,
    Easing::SmoothStep,
    Easing::SmootherStep,
];

fn name(easing: Easing) -> &'static str {
    match easing {
        Easing::Linear => "straight",
        Easing::QuadraticIn => "slow at the start",
        Easing::QuadraticOut => "slow at the end",
        Easing::QuadraticInOut => "slow at both ends",
        Easing::SmoothStep => "smooth",
        Easing::SmootherStep => "smoother",
        _ => "other",
    }
}
