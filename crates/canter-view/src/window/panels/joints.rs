//! The tree of joints, the picked one, and what hangs on it.

use canter::glam::{EulerRot, Vec3};
use canter::{JointId, Skeleton, Transform};
use egui::{DragValue, Label, RichText, ScrollArea, Sense, Ui};

use crate::window::view::View;

pub(super) fn show(view: &mut View, ui: &mut Ui) {
    ui.separator();
    held(view, ui);
    if let Some(joint) = view.session.picked() {
        ui.separator();
        picked(view, ui, joint);
    }
    ui.separator();
    ui.label("Joints");
    ScrollArea::both().id_salt("tree").auto_shrink(false).show(ui, |ui| tree(view, ui));
}

fn held(view: &mut View, ui: &mut Ui) {
    if ui.button("Attach the sword (S)").clicked() {
        let sword = view.sword.clone();
        view.session.attach(&sword, "sword");
    }
    let mut removed = None;
    for (index, held) in view.session.held().to_vec().into_iter().enumerate() {
        let (mut offset, mut turn) = (held.offset, held.turn);
        let joint = view.session.model().asset.skeleton.name(held.joint).to_owned();
        ui.horizontal(|ui| {
            ui.strong(format!("{} on {joint}", held.name));
            if ui.small_button("x").clicked() {
                removed = Some(index);
            }
        });
        numbers(ui, &mut offset, 0.005, " m");
        numbers(ui, &mut turn, 1.0, "°");
        if (offset, turn) != (held.offset, held.turn) {
            view.session.move_held(index, offset, turn);
        }
    }
    if let Some(index) = removed {
        view.session.detach(index);
    }
}

fn numbers(ui: &mut Ui, values: &mut Vec3, speed: f32, unit: &str) {
    ui.horizontal(|ui| {
        for value in values.as_mut() {
            ui.add(DragValue::new(value).speed(speed).suffix(unit).max_decimals(3));
        }
    });
}

fn picked(view: &View, ui: &mut Ui, joint: JointId) {
    let figure = view.session.figure();
    ui.strong(view.session.model().asset.skeleton.name(joint));
    transform(ui, "local", figure.pose.joint(joint));
    transform(ui, "model", Transform::from_mat4(figure.model_pose.joint(joint)));
}

fn transform(ui: &mut Ui, name: &str, transform: Transform) {
    let Transform { translation, rotation, scale } = transform;
    let (x, y, z) = rotation.to_euler(EulerRot::XYZ);
    let turn = Vec3::new(x, y, z) * (180.0 / std::f32::consts::PI);
    let line = |values: Vec3| format!("{:8.3} {:8.3} {:8.3}", values.x, values.y, values.z);
    ui.label(name);
    ui.monospace(
        RichText::new(format!("{}\n{}°\n{}", line(translation), line(turn), line(scale))).size(11.0),
    );
}

/// All joints, those below others further to the right. Files have few thousands of them at most: a list will do.
fn tree(view: &mut View, ui: &mut Ui) {
    let skeleton = view.session.model().asset.skeleton.clone();
    let mut clicked = None;
    for joint in in_order(&skeleton) {
        let is_picked = view.session.picked() == Some(joint);
        ui.horizontal(|ui| {
            ui.add_space(10.0 * depth(&skeleton, joint));
            let name = skeleton.name(joint);
            let text = RichText::new(if name.is_empty() { "-" } else { name }).size(12.0);
            let text =
                if is_picked { text.strong().background_color(ui.visuals().selection.bg_fill) } else { text };
            if ui.add(Label::new(text).selectable(false).sense(Sense::click())).clicked() {
                clicked = Some(joint);
            }
        });
    }
    if let Some(joint) = clicked {
        view.session.pick(Some(joint));
    }
}

/// Each joint behind its parent, with all that is below it before the next.
fn in_order(skeleton: &Skeleton) -> Vec<JointId> {
    let mut children = vec![Vec::new(); skeleton.joint_count()];
    let mut waiting = Vec::new();
    for joint in skeleton.joints() {
        match skeleton.parent(joint) {
            Some(parent) => children[parent.index()].push(joint),
            None => waiting.push(joint),
        }
    }
    waiting.reverse();
    let mut order = Vec::new();
    while let Some(joint) = waiting.pop() {
        order.push(joint);
        waiting.extend(children[joint.index()].iter().rev());
    }
    order
}

fn depth(skeleton: &Skeleton, joint: JointId) -> f32 {
    let above = std::iter::successors(skeleton.parent(joint), |&joint| skeleton.parent(joint));
    above.take(60).count() as f32
}
