//! What lies above the picture: errors, notices, help, the file dialog.

use egui::{Align2, Context, Grid, Ui, Window};

use crate::window::dialog::{Answer, Purpose};
use crate::window::keys;
use crate::window::view::View;

pub(in crate::window) fn show(view: &mut View, ui: &mut Ui) {
    let context = ui.ctx().clone();
    error(view, &context);
    notice(view, &context);
    help(view, &context);
    let answer = view.dialog.as_mut().and_then(|dialog| Some((dialog.purpose, dialog.show(&context)?)));
    if let Some((purpose, answer)) = answer {
        view.dialog = None;
        match (answer, purpose) {
            (Answer::Chosen(path), Purpose::Open) => view.open(&path),
            (Answer::Chosen(path), Purpose::Attach) => {
                view.session.attach_file(&path);
            }
            (Answer::Chosen(path), Purpose::Graph) => view.open_graph(&path),
            (Answer::Cancelled, _) => {}
        }
    }
}

fn error(view: &mut View, context: &Context) {
    let Some(error) = view.session.error().map(str::to_owned) else { return };
    let window = Window::new("This cannot be done").collapsible(false).resizable(false);
    window.anchor(Align2::CENTER_BOTTOM, [0.0, -110.0]).show(context, |ui| {
        ui.set_max_width(420.0);
        ui.colored_label(ui.visuals().error_fg_color, error);
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            if ui.button("All right").clicked() {
                view.session.dismiss_error();
            }
        });
    });
}

/// A line that goes away by itself.
fn notice(view: &mut View, context: &Context) {
    let Some((text, since)) = &view.notice else { return };
    egui::Area::new(egui::Id::unique("notice")).anchor(Align2::CENTER_BOTTOM, [0.0, -110.0]).show(
        context,
        |ui| {
            egui::Frame::popup(ui.style()).show(ui, |ui| ui.label(text));
        },
    );
    if since.elapsed().as_secs_f32() > 4.0 {
        view.notice = None;
    }
}

fn help(view: &mut View, context: &Context) {
    let window =
        Window::new("Keys and pointer").open(&mut view.shows_help).resizable(false).collapsible(false);
    window.anchor(Align2::CENTER_CENTER, [0.0, 0.0]).show(context, |ui| {
        Grid::new("keys").striped(true).num_columns(2).spacing([24.0, 5.0]).show(ui, |ui| {
            for (key, what) in keys::HELP {
                ui.strong(*key);
                ui.label(*what);
                ui.end_row();
            }
        });
    });
}
