//! The middle of the window: the picture, and the pointer on it.

mod coverage;
mod gizmo;
mod labels;
mod lens;
mod overlay;
mod silhouette;
mod way;

use canter::glam::DVec2;
use egui::{PointerButton, Response, Sense, Ui};

use super::view::View;
use crate::canvas::Shot;
pub(super) use gizmo::{GizmoGrip, Handle};
use lens::Lens;

/// Shows the picture; returns whether a finer one is to come.
pub(super) fn show(view: &mut View, ui: &mut Ui) -> bool {
    let rect = ui.available_rect_before_wrap();
    if rect.width() < 2.0 || rect.height() < 2.0 {
        return false;
    }
    let response = ui.allocate_rect(rect, Sense::click_and_drag());
    #[cfg(test)]
    {
        view.picture = rect;
    }
    let orbit = view.orbit;
    let lens = Lens::new(&orbit, rect);
    let is_busy = gizmo::act(view, ui, &response, &lens);
    gizmo::look_at_pointer(view, &lens, ui.input(|input| input.pointer.latest_pos()));
    if !is_busy {
        steer(view, ui, &response);
    }
    view.follow();
    if view.wants_frame {
        view.wants_frame = false;
        view.frame(f64::from(rect.width() / rect.height()));
    }

    let pixels = ui.ctx().pixels_per_point();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the sides of a window")]
    let size = [rect.width(), rect.height()].map(|side| ((side * pixels) as u32).max(1));
    let shot = Shot { version: view.session.version(), camera: view.orbit.camera(), look: view.look(), size };
    let is_coarse = view.canvas.draw(ui.ctx(), view.session.scene(), shot);
    ui.painter().extend(view.canvas.shape(rect));
    if view.wants_screenshot {
        view.take_screenshot(&shot);
    }

    let orbit = view.orbit;
    let lens = Lens::new(&orbit, rect);
    let painter = ui.painter().with_clip_rect(rect);
    way::show(view, &painter, &lens);
    overlay::show(view, &painter, &lens);
    coverage::show(view, &painter, &lens);
    let near = response.hover_pos().and_then(|pointer| labels::joint_near(view, &lens, pointer));
    gizmo::show(view, &painter, &lens);
    if !is_busy
        && response.clicked()
        && let Some(pointer) = response.interact_pointer_pos()
    {
        // Where the skeleton is seen, joints are picked; where it is not, what is seen is.
        let joint = near.or_else(|| view.session.joint_on_ray(&lens.ray(pointer)));
        view.session.pick(joint);
    }
    labels::show(view, &painter, &lens, near);
    is_coarse
}

#[cfg(test)]
pub(super) fn seen_at(
    orbit: &crate::Orbit,
    rect: egui::Rect,
    place: canter::glam::DVec3,
) -> Option<egui::Pos2> {
    Lens::new(orbit, rect).point(place)
}

/// Goes round, sideways, nearer and further.
fn steer(view: &mut View, ui: &Ui, response: &Response) {
    let by = response.drag_delta() / response.rect.height();
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
        let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta.y, input.zoom_delta()));
        view.orbit.zoom((-f64::from(wheel) * 0.003).exp() / f64::from(pinch));
    }
    if response.double_clicked() {
        view.wants_frame = true;
    }
}
