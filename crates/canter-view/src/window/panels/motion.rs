//! The way over the ground: in place or travelling, and how fast.

use canter::glam::Vec3;
use egui::{DragValue, Grid, RichText, Ui};

use crate::window::view::View;

pub(super) fn show(view: &mut View, ui: &mut Ui) {
    ui.label(RichText::new("Motion").heading().strong());
    let root = view.session.root_joint().map(|joint| view.joint_name(joint));
    ui.horizontal(|ui| {
        let travels = view.session.travels();
        for (wanted, name, hint) in [
            (false, "In place", "M: the figure stays where it is"),
            (true, "Travel", "M: the figure goes where its clips lead, and leaves footprints"),
        ] {
            if ui.selectable_label(travels == wanted, name).on_hover_text(hint).clicked() {
                view.session.set_travels(wanted);
            }
        }
        if ui
            .button("↺  Reset")
            .on_hover_text("reset place: back to the middle, with a clean ground")
            .clicked()
        {
            view.session.reset_place();
        }
    });
    ui.horizontal(|ui| {
        ui.checkbox(&mut view.follows, "follow").on_hover_text("the camera goes where the figure goes");
        ui.checkbox(&mut view.overlays.way, "way").on_hover_text("R: root path, trail and footprints");
    });
    Grid::new("motion").num_columns(2).spacing([10.0, 3.0]).show(ui, |ui| {
        let hint = "the joint whose way is taken out of the clips";
        row(ui, "root joint", hint, root.as_deref().unwrap_or("no clip travels"));
        let step = view.session.root_motion();
        let Vec3 { x, z, .. } = step.velocity;
        let turn = step.yaw_rate.to_degrees();
        let text = if turn.abs() < 0.05 {
            format!("{:.2} m/s", x.hypot(z))
        } else {
            format!("{:.2} m/s, {turn:.0}°/s", x.hypot(z))
        };
        row(ui, "root speed", "how fast the root moves and turns", &text);
        let known = view.session.ground_speed();
        let text = known.map_or("unknown".to_owned(), |speed| format!("{speed:.2} m/s"));
        row(ui, "ground speed", "how fast the clip walks at its own speed", &text);
        if let Some(speed) = known.filter(|speed| *speed > 1e-6) {
            ui.label(RichText::new("play at").small()).on_hover_text("sets the speed of all clips");
            let mut wanted = speed * view.session.speed();
            let range = -2.0 * speed..=2.0 * speed;
            let drag = DragValue::new(&mut wanted).range(range).speed(0.01).fixed_decimals(2).suffix(" m/s");
            if ui.add(drag).changed() {
                view.session.set_ground_speed(wanted);
            }
            ui.end_row();
        }
    });
}

fn row(ui: &mut Ui, name: &str, hint: &str, text: &str) {
    ui.label(RichText::new(name).small()).on_hover_text(hint);
    ui.label(RichText::new(text).monospace().size(11.5));
    ui.end_row();
}
