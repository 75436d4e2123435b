//! The names of joints.

use canter::JointId;
use egui::{Align2, FontId, Painter, Pos2, Rect, Stroke, vec2};

use super::lens::Lens;
use crate::window::theme::{BLUE, ORANGE};
use crate::window::view::View;

/// A joint is near from this many points.
const REACH: f32 = 14.0;

/// The joint below the pointer, where the skeleton is shown.
pub(super) fn joint_near(view: &View, lens: &Lens<'_>, pointer: Pos2) -> Option<JointId> {
    if !view.overlays.skeleton {
        return None;
    }
    view.session.nearest_joint(|place| {
        let distance = lens.point(place)?.distance(pointer);
        (distance < REACH).then_some(distance)
    })
}

/// Names the joint below the pointer, and the one that is picked; not in the same place where they are near
/// each other.
pub(super) fn show(view: &View, painter: &Painter, lens: &Lens<'_>, near: Option<JointId>) {
    let picked = view.session.picked();
    let near = near.filter(|_| near != picked);
    for (joint, color, drop) in [(near, BLUE, 9.0), (picked, ORANGE, -9.0)] {
        let Some(joint) = joint else { continue };
        let Some(at) = lens.point(view.session.joint_place(joint)) else { continue };
        painter.circle(at, 5.0, color.gamma_multiply(0.5), Stroke::new(1.5, color));
        let name = view.joint_name(joint);
        let font = FontId::proportional(13.0);
        let size = painter.layout_no_wrap(name.clone(), font.clone(), egui::Color32::WHITE).size();
        let corner = at + vec2(12.0, drop);
        painter.rect_filled(Rect::from_min_size(corner - vec2(6.0, 2.0), size + vec2(12.0, 4.0)), 5.0, color);
        painter.text(corner, Align2::LEFT_TOP, name, font, egui::Color32::WHITE);
    }
}
