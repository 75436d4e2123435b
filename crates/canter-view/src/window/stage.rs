//! The middle of the window: the picture, and the pointer on it.

use canter::JointId;
use canter::glam::{DVec2, DVec3};
use egui::{Align2, Color32, FontId, PointerButton, Pos2, Rect, Sense, Stroke, Ui};

use super::view::View;
use crate::canvas::Shot;

/// A joint is picked from this near, in points.
const REACH: f32 = 14.0;

/// Shows the picture; returns whether a finer one is to come.
pub(super) fn show(view: &mut View, ui: &mut Ui) -> bool {
    let rect = ui.available_rect_before_wrap();
    if rect.width() < 2.0 || rect.height() < 2.0 {
        return false;
    }
    let response = ui.allocate_rect(rect, Sense::click_and_drag());
    let aspect = rect.width() / rect.height();
    let by = response.drag_delta() / rect.height();
    let by = DVec2::new(f64::from(by.x), f64::from(by.y));
    let shift = ui.input(|input| input.modifiers.shift);
    if response.dragged_by(PointerButton::Secondary)
        || response.dragged_by(PointerButton::Middle)
        || (shift && response.dragged_by(PointerButton::Primary))
    {
        view.orbit.pan(by);
    } else if response.dragged_by(PointerButton::Primary) {
        view.orbit.turn(by);
    }
    if response.hovered() {
        let wheel = ui.input(|input| input.smooth_scroll_delta.y);
        view.orbit.zoom((-f64::from(wheel) * 0.003).exp());
    }
    if view.wants_frame {
        view.wants_frame = false;
        let scene = view.session.scene();
        view.orbit.frame(f64::from(aspect), |framing| framing.include_scene(scene));
    }

    let pixels = ui.ctx().pixels_per_point();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the sides of a window")]
    let size = [rect.width(), rect.height()].map(|side| ((side * pixels) as u32).max(1));
    let shot = Shot { version: view.session.version(), camera: view.orbit.camera(), look: view.look(), size };
    let is_coarse = view.canvas.draw(ui.ctx(), view.session.scene(), shot);
    if let Some(texture) = view.canvas.texture() {
        let whole = Rect::from_min_max(Pos2::ZERO, Pos2::new(1.0, 1.0));
        ui.painter().image(texture.id(), rect, whole, Color32::WHITE);
    }
    if view.wants_screenshot {
        view.take_screenshot(&shot);
    }
    let near = response.hover_pos().and_then(|pointer| joint_at(view, rect, pointer));
    if response.clicked() {
        view.session.pick(near);
    }
    mark(view, ui, rect, near);
    is_coarse
}

/// Where a place of the world is on the screen.
fn on_screen(view: &View, rect: Rect, place: DVec3) -> Option<Pos2> {
    let at = view.orbit.camera().project(rect.width() / rect.height(), place)?;
    Some(rect.center() + egui::vec2(at.x * rect.width(), -at.y * rect.height()) / 2.0)
}

fn joint_at(view: &View, rect: Rect, pointer: Pos2) -> Option<JointId> {
    view.session.nearest_joint(|place| {
        let distance = on_screen(view, rect, place)?.distance(pointer);
        (distance < REACH).then_some(distance)
    })
}

/// Names the joint below the pointer, and the one that is picked.
fn mark(view: &View, ui: &Ui, rect: Rect, near: Option<JointId>) {
    let painter = ui.painter().with_clip_rect(rect);
    let picked = view.session.picked();
    // Names without being asked for would be in the way of looking, unless the skeleton is shown.
    let near = near.filter(|_| view.shows_skeleton || picked.is_some());
    for (joint, color) in [(near, Color32::from_rgb(60, 130, 220)), (picked, Color32::from_rgb(230, 120, 20))]
    {
        let Some(joint) = joint else { continue };
        let Some(at) = on_screen(view, rect, view.session.joint_place(joint)) else { continue };
        painter.circle(at, 5.0, color.gamma_multiply(0.5), Stroke::new(1.5, color));
        let name = view.session.model().asset.skeleton.name(joint);
        let font = FontId::proportional(13.0);
        let galley = painter.layout_no_wrap(name.to_owned(), font.clone(), Color32::WHITE);
        let corner = at + egui::vec2(10.0, -8.0);
        let label = Rect::from_min_size(corner - egui::vec2(4.0, 2.0), galley.size() + egui::vec2(8.0, 4.0));
        painter.rect_filled(label, 4.0, color);
        painter.text(corner, Align2::LEFT_TOP, name, font, Color32::WHITE);
    }
}
