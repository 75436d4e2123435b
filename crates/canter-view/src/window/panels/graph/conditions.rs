//! What has to hold for a transition.

use canter_graph::{ConditionData, GraphData, OpData, ParameterKind, ValueData};
use egui::{ComboBox, DragValue, Ui};

use super::choices::OPS;

/// A condition in a few words.
pub(super) fn label(condition: &ConditionData) -> String {
    let op = OPS.iter().find(|(op, _)| Some(*op) == condition.op).map_or("=", |(_, text)| *text);
    match condition.value {
        None | Some(ValueData::Bool(true)) => condition.parameter.clone(),
        Some(ValueData::Bool(false)) => format!("not {}", condition.parameter),
        Some(ValueData::Number(number)) => format!("{} {op} {number}", condition.parameter),
    }
}

/// Rows to change, add and remove them; returns whether that was done.
pub(super) fn show(ui: &mut Ui, data: &GraphData, conditions: &mut Vec<ConditionData>) -> bool {
    let before = conditions.clone();
    let mut removed = None;
    for (index, condition) in conditions.iter_mut().enumerate() {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let combo = ComboBox::from_id_salt(("condition", index)).width(62.0);
            let name = condition.parameter.clone();
            combo.selected_text(name).show_ui(ui, |ui| {
                for parameter in &data.parameters {
                    if ui.selectable_label(parameter.name == condition.parameter, &parameter.name).clicked() {
                        *condition = of(&parameter.name, parameter.kind);
                    }
                }
            });
            compare(ui, index, condition);
            if ui.small_button("✖").on_hover_text("remove the condition").clicked() {
                removed = Some(index);
            }
        });
    }
    if let Some(index) = removed {
        conditions.remove(index);
    }
    if let Some(first) = data.parameters.first()
        && ui.small_button("+  condition").clicked()
    {
        conditions.push(of(&first.name, first.kind));
    }
    *conditions != before
}

/// A condition that a parameter of a kind can have.
fn of(name: &str, kind: ParameterKind) -> ConditionData {
    match kind {
        ParameterKind::Trigger | ParameterKind::Bool => ConditionData::is_set(name),
        ParameterKind::Float => ConditionData::compare(name, OpData::Greater, 0.5),
        ParameterKind::Int => ConditionData::compare(name, OpData::Equal, 1.0),
    }
}

fn compare(ui: &mut Ui, index: usize, condition: &mut ConditionData) {
    match &mut condition.value {
        Some(ValueData::Number(number)) => {
            let op = condition.op.get_or_insert(OpData::Equal);
            let text = OPS.iter().find(|(known, _)| known == op).map_or("", |(_, text)| *text);
            ComboBox::from_id_salt(("op", index)).width(30.0).selected_text(text).show_ui(ui, |ui| {
                for (known, text) in OPS {
                    ui.selectable_value(op, *known, *text);
                }
            });
            ui.add(DragValue::new(number).speed(0.01).max_decimals(3));
        }
        value => {
            let mut holds = *value != Some(ValueData::Bool(false));
            let hint = "whether it has to be set";
            if ui.checkbox(&mut holds, "").on_hover_text(hint).changed() {
                *value = (!holds).then_some(ValueData::Bool(false));
            }
        }
    }
}
