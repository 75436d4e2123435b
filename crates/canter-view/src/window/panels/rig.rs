//! What corrects the pose: handles, a look, stairs, springs, the mirror.

use egui::{RichText, Ui};

use super::heading;
use crate::window::view::View;

pub(super) fn show(view: &mut View, ui: &mut Ui) {
    heading(ui, "Rig");
    ui.horizontal_wrapped(|ui| {
        let can_reach = !view.session.limbs().is_empty() || view.session.can_look();
        ui.add_enabled_ui(can_reach, |ui| {
            let hint = "I: drag hands, feet and what is looked at; a double click lets go";
            ui.toggle_value(&mut view.overlays.handles, "Handles").on_hover_text(hint);
        });
        ui.add_enabled_ui(view.session.can_look(), |ui| {
            let mut looks = view.looks_at_cursor;
            if ui.toggle_value(&mut looks, "Look").on_hover_text("L: look at the pointer").clicked() {
                view.look_at_cursor(looks);
            }
        });
        ui.add_enabled_ui(view.session.can_climb(), |ui| {
            let mut has_stairs = view.session.has_stairs();
            let hint = "E: stairs and a slope along z, with feet on them; let the figure travel";
            if ui.toggle_value(&mut has_stairs, "Stairs").on_hover_text(hint).clicked() {
                view.session.set_stairs(has_stairs);
            }
        });
        let mut is_mirrored = view.session.is_mirrored();
        if ui.toggle_value(&mut is_mirrored, "Mirror").on_hover_text("X: clips left for right").clicked() {
            view.session.set_mirrored(is_mirrored);
        }
    });
    springs(view, ui);
    if view.overlays.handles {
        reaches(view, ui);
    }
}

fn springs(view: &mut View, ui: &mut Ui) {
    ui.horizontal(|ui| {
        let count = view.session.springs();
        if count > 0 {
            let mut swings = view.session.swings();
            let text = if count == 1 { "1 spring".to_owned() } else { format!("{count} springs") };
            if ui.checkbox(&mut swings, text).on_hover_text("on or off, to compare").changed() {
                view.session.set_swings(swings);
            }
        }
        let ends = view.session.loose_ends();
        if count == 0 && !ends.is_empty() {
            let hint = "springs for hair, scarfs, capes and the like, found by their names";
            if ui.button("Let hair and cloth swing").on_hover_text(hint).clicked() {
                ends.iter().for_each(|end| _ = view.session.set_spring(*end, true));
            }
        }
        if let Some(joint) = view.session.picked() {
            let mut is_spring = view.session.is_spring(joint);
            let text = RichText::new(format!("{} swings", view.joint_name(joint))).small();
            let hint = "a spring from the picked joint along what hangs on it";
            if ui.checkbox(&mut is_spring, text).on_hover_text(hint).changed() {
                view.session.set_spring(joint, is_spring);
            }
        }
    });
}

/// The limbs that have a target, and how near they are.
fn reaches(view: &mut View, ui: &mut Ui) {
    for index in 0..view.session.limbs().len() {
        let Some(reach) = view.session.limb_reach(index) else { continue };
        ui.horizontal(|ui| {
            ui.label(RichText::new(view.session.limbs()[index].name()).small());
            let text = match reach.is_reached {
                true => "reached".to_owned(),
                false => format!("{:.0} cm off", 100.0 * reach.remaining),
            };
            ui.label(RichText::new(text).small().weak());
            if ui.small_button("✖").on_hover_text("let go").clicked() {
                view.session.set_limb_target(index, None);
            }
        });
    }
}
