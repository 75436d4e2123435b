//! Rows of the inspector: a name and something to change.

use egui::{ComboBox, DragValue, Response, RichText, Ui};

/// A number; returns whether it was changed.
pub(super) fn number(ui: &mut Ui, name: &str, hint: &str, value: &mut f32, least: f32) -> bool {
    row(ui, name, hint, |ui| {
        let drag = DragValue::new(value).range(least..=f32::INFINITY).speed(0.01).max_decimals(3);
        ui.add(drag)
    })
    .changed()
}

/// One of several; returns whether another one was chosen.
pub(super) fn choice<T: PartialEq + Clone>(
    ui: &mut Ui,
    name: &str,
    value: &mut T,
    among: &[(T, &str)],
) -> bool {
    let before = value.clone();
    let text = among.iter().find(|(known, _)| known == value).map_or("…", |(_, text)| *text);
    row(ui, name, "", |ui| {
        let combo = ComboBox::from_id_salt(name).width(104.0).selected_text(text);
        combo
            .show_ui(ui, |ui| {
                for (known, text) in among {
                    ui.selectable_value(value, known.clone(), *text);
                }
            })
            .response
    });
    *value != before
}

pub(super) fn row(
    ui: &mut Ui,
    name: &str,
    hint: &str,
    contents: impl FnOnce(&mut Ui) -> Response,
) -> Response {
    ui.horizontal(|ui| {
        let label = ui
            .add_sized([72.0, 18.0], egui::Label::new(RichText::new(name).small()).halign(egui::Align::LEFT));
        if !hint.is_empty() {
            label.on_hover_text(hint);
        }
        contents(ui)
    })
    .inner
}
