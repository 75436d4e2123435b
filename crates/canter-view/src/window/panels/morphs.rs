//! Morph targets.

use egui::{Slider, Ui};

use super::heading;
use crate::window::view::View;

pub(super) fn show(view: &mut View, ui: &mut Ui) {
    let morphs: Vec<_> = view.session.morphs().map(|(morph, weight)| (morph.clone(), weight)).collect();
    if morphs.is_empty() {
        return;
    }
    heading(ui, "Morph targets");
    for (index, (morph, weight)) in morphs.into_iter().enumerate() {
        ui.horizontal(|ui| {
            ui.label(&morph.name);
            if morph.held_weight.is_some() && ui.small_button("↺").on_hover_text("as the clip says").clicked()
            {
                view.session.hold_morph(index, None);
            }
        });
        let mut weight = weight;
        ui.spacing_mut().slider_width = ui.available_width() - 52.0;
        if ui.add(Slider::new(&mut weight, 0.0..=1.0).fixed_decimals(2)).changed() {
            view.session.hold_morph(index, Some(weight));
        }
    }
}
