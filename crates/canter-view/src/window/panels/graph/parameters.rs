//! What the graph is told: sliders, boxes to check, and buttons.

use canter_graph::{ParameterKind, Value};
use egui::{DragValue, RichText, Slider, Ui};

use crate::session::range;
use crate::window::view::View;

pub(super) fn show(view: &mut View, ui: &mut Ui) {
    let Some(graph) = view.session.graph() else { return };
    let runs = view.session.runs_graph();
    let parameters: Vec<_> = graph
        .data()
        .parameters
        .iter()
        .enumerate()
        .map(|(index, data)| {
            (data.name.clone(), data.kind, graph.value(index), range(graph.data(), &data.name))
        })
        .collect();
    ui.add_enabled_ui(runs, |ui| {
        // Buttons share a row, others have one each.
        ui.horizontal_wrapped(|ui| {
            for (index, (name, kind, value, _)) in parameters.iter().enumerate() {
                if *kind == ParameterKind::Trigger {
                    let is_set = *value == Some(Value::Trigger(true));
                    let text = if is_set { RichText::new(name).strong() } else { RichText::new(name) };
                    let hint = if is_set { "set, and not taken yet" } else { "a trigger: click to set it" };
                    if ui.add(egui::Button::new(text).selected(is_set)).on_hover_text(hint).clicked() {
                        view.session.set_parameter(index, Value::Trigger(!is_set));
                    }
                }
            }
        });
        for (index, (name, _, value, range)) in parameters.iter().enumerate() {
            if let Some(changed) = value.and_then(|value| row(ui, name, value, *range)) {
                view.session.set_parameter(index, changed);
            }
        }
    });
}

/// A row for one parameter; returns what it was changed to.
fn row(ui: &mut Ui, name: &str, value: Value, [least, most]: [f32; 2]) -> Option<Value> {
    match value {
        Value::Float(mut number) => {
            ui.horizontal(|ui| {
                ui.spacing_mut().slider_width = (ui.available_width() - 118.0).max(40.0);
                let slider = Slider::new(&mut number, least..=most).fixed_decimals(2);
                let response = ui.add(slider.clamping(egui::SliderClamping::Never));
                ui.label(RichText::new(name).small()).on_hover_text("double click on the slider: 0");
                if response.double_clicked() {
                    return Some(Value::Float(0.0));
                }
                response.changed().then_some(Value::Float(number))
            })
            .inner
        }
        Value::Int(mut number) => {
            ui.horizontal(|ui| {
                let changed = ui.add(DragValue::new(&mut number).speed(0.05)).changed();
                ui.label(RichText::new(name).small());
                changed.then_some(Value::Int(number))
            })
            .inner
        }
        Value::Bool(mut is_set) => ui.checkbox(&mut is_set, name).changed().then_some(Value::Bool(is_set)),
        Value::Trigger(_) => None,
    }
}
