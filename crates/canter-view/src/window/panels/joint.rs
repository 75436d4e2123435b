//! How the picked joint stands.

use canter::Transform;
use canter::glam::{EulerRot, Vec3};
use egui::{Grid, RichText, Ui};

use super::heading;
use crate::window::view::View;

pub(super) fn show(view: &mut View, ui: &mut Ui) {
    heading(ui, "Picked joint");
    let Some(joint) = view.session.picked() else {
        ui.weak("Click on the figure.");
        return;
    };
    ui.colored_label(crate::window::theme::ORANGE, view.joint_name(joint));
    let [local, model] = view.session.transforms(joint);
    Grid::new("transforms").num_columns(4).spacing([6.0, 2.0]).show(ui, |ui| {
        rows(ui, "from its parent", local);
        rows(ui, "from the figure", model);
    });
}

fn rows(ui: &mut Ui, name: &str, transform: Transform) {
    ui.label(RichText::new(name).small().weak());
    ui.end_row();
    let (x, y, z) = transform.rotation.to_euler(EulerRot::XYZ);
    let turn = Vec3::new(x.to_degrees(), y.to_degrees(), z.to_degrees());
    for (label, hint, values, decimals) in [
        ("at", "metres", transform.translation, 3),
        ("turn", "degrees about x, y, z", turn, 1),
        ("scale", "", transform.scale, 3),
    ] {
        ui.label(RichText::new(label).small()).on_hover_text(hint);
        for value in values.to_array() {
            ui.label(RichText::new(format!("{value:>8.decimals$}")).monospace().size(11.0));
        }
        ui.end_row();
    }
}
