//! Handles to drag: hands, feet, and what the figure looks at.

use canter::glam::DVec3;
use egui::{Color32, Painter, PointerButton, Pos2, Response, Shape, Stroke, Ui};

use super::lens::Lens;
use crate::window::theme::{BLUE, ORANGE};
use crate::window::view::View;

/// A handle is gripped from so many points.
const GRIP: f32 = 11.0;
/// How long arrows are, in points.
const ARROW: f32 = 52.0;
/// How far before the head the look is first put, as a part of the figure's height.
const LOOK_DISTANCE: f64 = 0.6;
const AXES: [(DVec3, Color32); 3] = [
    (DVec3::X, Color32::from_rgb(214, 60, 60)),
    (DVec3::Y, Color32::from_rgb(60, 160, 70)),
    (DVec3::Z, Color32::from_rgb(60, 100, 220)),
];

/// What a handle moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::window) enum Handle {
    Limb(usize),
    Look,
}

/// A handle that is dragged: along an axis, or in the plane of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::window) struct GizmoGrip {
    handle: Handle,
    axis: Option<usize>,
    /// Where it was, and where the pointer met its plane or its axis.
    from: DVec3,
    pressed: DVec3,
}

/// The handles that there are, with their places.
fn handles(view: &View) -> Vec<(Handle, DVec3)> {
    let session = &view.session;
    let place = |index: usize| {
        session.limb_target(index).unwrap_or_else(|| session.joint_place(session.limbs()[index].end()))
    };
    let mut handles: Vec<_> = (0..session.limbs().len()).map(|it| (Handle::Limb(it), place(it))).collect();
    handles.extend(look_place(view).map(|place| (Handle::Look, place)));
    handles
}

fn look_place(view: &View) -> Option<DVec3> {
    let session = &view.session;
    let head = session.joint_place(session.head()?);
    let ahead = DVec3::Z * (LOOK_DISTANCE * f64::from(session.height()));
    session.look_target().filter(|_| !view.looks_at_cursor).or(Some(head + ahead))
}

/// Drags handles; returns whether the pointer is busy with one, so that the camera stays.
pub(super) fn act(view: &mut View, ui: &Ui, response: &Response, lens: &Lens<'_>) -> bool {
    if !view.overlays.handles {
        view.gizmo = None;
        return false;
    }
    let origin = ui.input(|input| input.pointer.press_origin());
    if let (true, Some(at)) = (response.drag_started_by(PointerButton::Primary), origin) {
        view.gizmo = grip(view, lens, at);
    }
    if let (Some(grip), Some(at)) =
        (view.gizmo, response.interact_pointer_pos().filter(|_| response.dragged()))
        && let Some(now) = meet(lens, at, grip.from, grip.axis)
    {
        set(view, grip.handle, Some(grip.from + now - grip.pressed));
        view.chosen_handle = Some(grip.handle);
    }
    let was_busy = view.gizmo.is_some();
    if response.drag_stopped() || !response.is_pointer_button_down_on() {
        view.gizmo = None;
    }
    if let Some(at) =
        response.interact_pointer_pos().filter(|_| response.clicked() || response.secondary_clicked())
        && let Some((handle, _)) = nearest(view, lens, at)
    {
        view.chosen_handle = Some(handle);
        if response.double_clicked() || response.secondary_clicked() {
            set(view, handle, None);
        }
        return true;
    }
    was_busy
}

fn set(view: &mut View, handle: Handle, place: Option<DVec3>) {
    match handle {
        Handle::Limb(index) => view.session.set_limb_target(index, place),
        Handle::Look => {
            view.looks_at_cursor = false;
            view.session.look_towards(place);
        }
    }
}

fn nearest(view: &View, lens: &Lens<'_>, at: Pos2) -> Option<(Handle, DVec3)> {
    let near = handles(view).into_iter().filter_map(|(handle, place)| {
        let distance = lens.point(place)?.distance(at);
        (distance < GRIP).then_some((handle, place, distance))
    });
    near.min_by(|a, b| a.2.total_cmp(&b.2)).map(|(handle, place, _)| (handle, place))
}

/// What is gripped at a point: an arrow of the chosen handle, or a handle.
fn grip(view: &View, lens: &Lens<'_>, at: Pos2) -> Option<GizmoGrip> {
    let chosen = handles(view).into_iter().find(|(handle, _)| view.chosen_handle == Some(*handle));
    let on_arrow = chosen.and_then(|(handle, place)| {
        let from = lens.point(place)?;
        let is_on = |axis: &usize| {
            tip(lens, place, *axis).is_some_and(|tip| {
                let along = tip - from;
                let part = ((at - from).dot(along) / along.length_sq().max(1e-3)).clamp(0.25, 1.0);
                (from + along * part).distance(at) < 7.0
            })
        };
        (0..3).find(is_on).map(|axis| (handle, place, Some(axis)))
    });
    let found = on_arrow.or_else(|| nearest(view, lens, at).map(|(handle, place)| (handle, place, None)));
    let (handle, from, axis) = found?;
    Some(GizmoGrip { handle, axis, from, pressed: meet(lens, at, from, axis)? })
}

/// Where the end of an arrow is seen.
fn tip(lens: &Lens<'_>, place: DVec3, axis: usize) -> Option<Pos2> {
    let (_, points) = lens.depth(place, 1.0);
    lens.point(place + AXES[axis].0 * f64::from(ARROW / points.max(1e-3)))
}

/// Where the ray through a point meets the plane of the picture at a place, or comes nearest to an axis.
fn meet(lens: &Lens<'_>, at: Pos2, place: DVec3, axis: Option<usize>) -> Option<DVec3> {
    let ray = lens.ray(at);
    let direction = ray.direction.normalize();
    let met = match axis {
        None => {
            let facing = lens.toward_camera();
            let along = direction.dot(facing);
            ray.origin + direction * ((place - ray.origin).dot(facing) / along)
        }
        Some(axis) => {
            let axis = AXES[axis].0;
            let (between, cosine) = (place - ray.origin, axis.dot(direction));
            let sine = 1.0 - cosine * cosine;
            place + axis * ((cosine * between.dot(direction) - between.dot(axis)) / sine)
        }
    };
    met.is_finite().then_some(met)
}

pub(super) fn show(view: &View, painter: &Painter, lens: &Lens<'_>) {
    if !view.overlays.handles {
        return;
    }
    for (handle, place) in handles(view) {
        let Some(at) = lens.point(place) else { continue };
        let is_chosen = view.chosen_handle == Some(handle);
        let (is_set, is_reached) = match handle {
            Handle::Limb(index) => {
                let reach = view.session.limb_reach(index);
                (reach.is_some(), reach.is_none_or(|reach| reach.is_reached))
            }
            Handle::Look => (view.session.look_target().is_some() && !view.looks_at_cursor, true),
        };
        let color = if is_set { ORANGE } else { BLUE };
        if let (Handle::Limb(index), false) = (handle, is_reached) {
            // What remains to the target.
            let end = view.session.joint_place(view.session.limbs()[index].end());
            painter.extend(
                lens.point(end)
                    .map(|end| Shape::dashed_line(&[end, at], Stroke::new(1.5, color), 4.0, 3.0))
                    .unwrap_or_default(),
            );
        }
        if is_chosen {
            for (axis, (_, color)) in AXES.iter().enumerate() {
                if let Some(tip) = tip(lens, place, axis) {
                    painter.arrow(at, tip - at, Stroke::new(2.0, *color));
                }
            }
        }
        match handle {
            Handle::Limb(_) => {
                let fill = if is_set { color } else { color.gamma_multiply(0.35) };
                painter.circle(at, 7.0, fill, Stroke::new(1.5, Color32::WHITE));
            }
            Handle::Look => {
                painter.circle_stroke(at, 8.0, Stroke::new(2.0, color));
                painter.circle_filled(at, 3.0, color);
            }
        }
    }
}

/// Where the figure looks that looks at the pointer: somewhat nearer to the camera than its head.
pub(super) fn look_at_pointer(view: &mut View, lens: &Lens<'_>, pointer: Option<Pos2>) {
    if !view.looks_at_cursor {
        return;
    }
    let Some(head) = view.session.head().map(|joint| view.session.joint_place(joint)) else { return };
    let Some(pointer) = pointer else { return };
    let ray = lens.ray(pointer);
    let before = f64::from(view.session.height()) * 0.8;
    let distance = (ray.origin.distance(head) - before).max(0.1 * before);
    view.session.look_towards(Some(ray.origin + ray.direction.normalize() * distance));
}
