//! Layers above what plays.

use canter::{JointId, LayerMode, LoopMode};
use egui::{Align, ComboBox, Layout, ProgressBar, RichText, Slider, Ui, vec2};

use super::heading;
use super::tree::in_order;
use crate::session::{LayerSettings, Reference, Session};
use crate::window::theme::BLUE;
use crate::window::view::View;

pub(super) fn show(view: &mut View, ui: &mut Ui) {
    if view.session.clips().is_empty() {
        return;
    }
    heading(ui, "Layers");
    ui.horizontal(|ui| {
        let joints = match view.session.picked() {
            Some(joint) => format!("{} and all that hangs on it", view.joint_name(joint)),
            None => "all joints".to_owned(),
        };
        for (mode, text, what) in
            [(LayerMode::Over, "+  over", "covers"), (LayerMode::Additive, "+  additive", "adds to")]
        {
            if ui.button(text).on_hover_text(format!("{what} {joints}")).clicked() {
                view.session.add_layer(mode);
                view.shown_layer = Some(view.session.layers().len() - 1);
            }
        }
    });
    let mut removed = None;
    // As they lie upon one another.
    for index in (0..view.session.layers().len()).rev() {
        ui.push_id(("layer", index), |ui| {
            ui.separator();
            if layer(view, ui, index) {
                removed = Some(index);
            }
        });
    }
    if let Some(index) = removed {
        view.session.remove_layer(index);
        view.shown_layer =
            view.shown_layer.filter(|shown| *shown != index).map(|shown| match shown > index {
                true => shown - 1,
                false => shown,
            });
    }
}

/// One layer; returns whether it is to be removed.
fn layer(view: &mut View, ui: &mut Ui, index: usize) -> bool {
    let mode = view.session.layers()[index].mode();
    let before = view.session.layers()[index].settings();
    let mut settings = before;
    let mut is_removed = false;
    ui.horizontal(|ui| {
        ui.strong(if mode == LayerMode::Over { "over" } else { "additive" });
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            is_removed = ui.small_button("✖").on_hover_text("remove it").clicked();
            let is_shown = view.shown_layer == Some(index);
            let text =
                "colour the joints by how much of them the layer is, from slate (nothing) to red (all)";
            if ui.selectable_label(is_shown, "👁").on_hover_text(text).clicked() {
                view.shown_layer = (!is_shown).then_some(index);
            }
            once(ui, &mut settings.loop_mode);
        });
    });
    playing(view, ui, index);
    row(ui, "weight", |ui| {
        ui.spacing_mut().slider_width = ui.available_width() - 52.0;
        ui.add(Slider::new(&mut settings.weight, 0.0..=1.0).fixed_decimals(2));
    });
    row(ui, "joints", |ui| joints(view, ui, &mut settings.top));
    if settings.top.is_some() {
        row(ui, "feather", |ui| {
            ui.spacing_mut().slider_width = ui.available_width() - 52.0;
            let slider = Slider::new(&mut settings.feather, 0..=Session::LONGEST_FEATHER);
            ui.add(slider).on_hover_text("over how many joints it comes in");
        });
    }
    if mode == LayerMode::Additive {
        row(ui, "minus", |ui| reference(view, ui, &mut settings));
    }
    if settings != before {
        view.session.set_layer(index, settings);
    }
    is_removed
}

fn once(ui: &mut Ui, loop_mode: &mut LoopMode) {
    let is_once = *loop_mode == LoopMode::Once;
    let (text, hint) = if is_once {
        ("once", "plays once, and then it leaves")
    } else {
        ("repeat", "plays again and again")
    };
    if ui.small_button(text).on_hover_text(hint).clicked() {
        *loop_mode = if is_once { LoopMode::Repeat } else { LoopMode::Once };
    }
}

/// What it plays, and what it could play.
fn playing(view: &mut View, ui: &mut Ui, index: usize) {
    ui.horizontal(|ui| {
        let clips = view.session.clips().len();
        ui.menu_button("▶  play", |ui| {
            for clip in 0..clips {
                if ui.button(view.session.clip_name(clip)).clicked() {
                    view.session.play_on_layer(index, clip);
                }
            }
        });
        let last = view.session.layers()[index].clip();
        let Some(action) = view.session.layer_action(index) else {
            if let Some(clip) = last
                && ui.button(format!("↺  {}", view.session.clip_name(clip))).on_hover_text("again").clicked()
            {
                view.session.play_on_layer(index, clip);
            }
            return;
        };
        let length = action.clip().duration_secs().max(f32::MIN_POSITIVE);
        let part = action.time_secs() / length;
        let name = RichText::new(action.clip().name()).small();
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.small_button("⏹").on_hover_text("fade it out").clicked() {
                view.session.fade_out_layer(index);
            }
            let bar = ProgressBar::new(part).text(name).fill(BLUE.gamma_multiply(0.55));
            // By itself it is never narrower than 96 points.
            ui.add(bar.corner_radius(4).desired_width(ui.available_width()).desired_height(18.0));
        });
    });
}

fn row(ui: &mut Ui, name: &str, content: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.add_sized(
            vec2(44.0, 18.0),
            egui::Label::new(RichText::new(name).small().weak()).halign(Align::Min),
        );
        content(ui);
    });
}

/// All joints as a tree, to choose where the mask begins.
fn joints(view: &View, ui: &mut Ui, top: &mut Option<JointId>) {
    let name = |top: Option<JointId>| top.map_or_else(|| "all joints".to_owned(), |it| view.joint_name(it));
    let combo = ComboBox::from_id_salt("top").width(ui.available_width() - 8.0).selected_text(name(*top));
    combo.show_ui(ui, |ui| {
        ui.selectable_value(top, None, name(None));
        if let Some(picked) = view.session.picked() {
            ui.selectable_value(top, Some(picked), format!("{} (picked)", view.joint_name(picked)));
        }
        for (joint, depth) in in_order(&view.session.model().asset.skeleton) {
            let indent = "  ".repeat(usize::from(depth));
            ui.selectable_value(top, Some(joint), indent + &view.joint_name(joint));
        }
    });
}

fn reference(view: &View, ui: &mut Ui, settings: &mut LayerSettings) {
    let name = |reference| match reference {
        Reference::FirstKey => "its first key".to_owned(),
        Reference::Rest => "the rest pose".to_owned(),
        Reference::Clip(clip) => format!("the start of {}", view.session.clip_name(clip)),
    };
    let combo = ComboBox::from_id_salt("reference").width(ui.available_width() - 8.0);
    combo.selected_text(name(settings.reference)).show_ui(ui, |ui| {
        let clips = (0..view.session.clips().len()).map(Reference::Clip);
        for reference in [Reference::FirstKey, Reference::Rest].into_iter().chain(clips) {
            ui.selectable_value(&mut settings.reference, reference, name(reference));
        }
    });
}
