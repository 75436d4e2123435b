//! The tree of joints.

use canter::{JointId, Skeleton};
use egui::{Button, Color32, RichText, ScrollArea, Sense, Ui, vec2};

use super::heading;
use crate::window::view::View;

/// All joints, those below others further to the right. Only those that are seen are laid out: files have up
/// to thousands.
pub(super) fn show(view: &mut View, ui: &mut Ui) {
    heading(ui, "Joints");
    let skeleton = view.session.model().asset.skeleton.clone();
    let order = in_order(&skeleton);
    let height = 18.0;
    let area = ScrollArea::both().id_salt("tree").auto_shrink(false);
    let spacing = std::mem::replace(&mut ui.spacing_mut().item_spacing.y, 0.0);
    area.show_rows(ui, height, order.len(), |ui, rows| {
        for &(joint, depth) in &order[rows] {
            ui.horizontal(|ui| {
                ui.set_height(height);
                ui.add_space(9.0 * f32::from(depth));
                let is_picked = view.session.picked() == Some(joint);
                let text = RichText::new(view.joint_name(joint)).size(12.0);
                if let Some(layer) = view.shown_layer {
                    let [red, green, blue] = view.session.coverage_color(layer, joint);
                    let (rect, _) = ui.allocate_exact_size(vec2(8.0, 8.0), Sense::hover());
                    ui.painter().rect_filled(rect, 2.0, Color32::from_rgb(red, green, blue));
                    ui.add_space(-4.0);
                }
                let button = Button::selectable(is_picked, text).small();
                if ui.add(button).clicked() {
                    view.session.pick((!is_picked).then_some(joint));
                }
            });
        }
    });
    ui.spacing_mut().item_spacing.y = spacing;
}

/// Each joint behind its parent, with all that is below it before the next, and how deep it is.
pub(super) fn in_order(skeleton: &Skeleton) -> Vec<(JointId, u8)> {
    let mut children = vec![Vec::new(); skeleton.joint_count()];
    let mut waiting = Vec::new();
    for joint in skeleton.joints() {
        match skeleton.parent(joint) {
            Some(parent) => children[parent.index()].push(joint),
            None => waiting.push((joint, 0_u8)),
        }
    }
    waiting.reverse();
    let mut order = Vec::with_capacity(skeleton.joint_count());
    while let Some((joint, depth)) = waiting.pop() {
        order.push((joint, depth));
        // Deeper than that, all are equally deep: the panel is not wider.
        let below = (depth + 1).min(60);
        waiting.extend(children[joint.index()].iter().rev().map(|&child| (child, below)));
    }
    order
}
