//! On the ground: the way of one loop, the trail of the last seconds, and footprints.

use canter::glam::DVec3;
use egui::{Color32, Painter, Shape, Stroke};

use super::lens::Lens;
use crate::session::Footprint;
use crate::window::theme::{BLUE, GREEN, ORANGE};
use crate::window::view::View;

/// Corners of a footprint.
const CORNERS: u8 = 28;

pub(super) fn show(view: &View, painter: &Painter, lens: &Lens<'_>) {
    if !view.overlays.way || !view.overlays.ground {
        return;
    }
    let height = f64::from(view.session.height());
    for (print, age) in view.session.footprints() {
        footprint(painter, lens, print, 1.0 - age, height);
    }
    trail(view, painter, lens);
    way(view, painter, lens);
}

/// The way of one loop, with its start, its end and where the clip is.
fn way(view: &View, painter: &Painter, lens: &Lens<'_>) {
    let way = view.session.way();
    let (Some(&first), Some(&last)) = (way.first(), way.last()) else { return };
    for pair in way.windows(2) {
        line(painter, lens, [pair[0], pair[1]], Stroke::new(2.0, BLUE));
    }
    // A turn on the spot has no way to see.
    if first.distance(last) < 1e-3 {
        return;
    }
    for (place, radius) in [(first, 3.0), (last, 3.0)] {
        dot(painter, lens, place, radius, BLUE);
    }
    if let Some(now) = view.session.place_on_way() {
        dot(painter, lens, now, 4.5, ORANGE);
    }
}

fn trail(view: &View, painter: &Painter, lens: &Lens<'_>) {
    let mut before: Option<DVec3> = None;
    for (place, age) in view.session.trail() {
        if let Some(from) = before {
            line(painter, lens, [from, place], Stroke::new(2.5, GREEN.gamma_multiply(0.75 * (1.0 - age))));
        }
        before = Some(place);
    }
}

/// The outline of a sole, from behind the ankle to before the toes, darker while it is new.
fn footprint(painter: &Painter, lens: &Lens<'_>, print: &Footprint, strength: f32, height: f64) {
    let along = print.toes - print.ankle;
    let (forward, length) = match along.length() {
        length if length > 0.01 * height => (along / length, length),
        _ => (print.forward, 0.07 * height),
    };
    let side = DVec3::Y.cross(forward);
    let (heel, tip) = (-0.45 * length, 1.55 * length);
    let corner = |index: u8| {
        let angle = std::f64::consts::TAU * f64::from(index) / f64::from(CORNERS);
        let (sin, cos) = angle.sin_cos();
        let at = f64::midpoint(heel, tip) + (tip - heel) / 2.0 * cos;
        // Wider below the ball than below the heel, narrow between.
        let part = (at - heel) / (tip - heel);
        let width = length * (0.30 + 0.10 * part - 0.16 * (-((part - 0.42) / 0.16).powi(2)).exp());
        lens.point(print.ankle + forward * at + side * (width * sin))
    };
    let Some(corners) = (0..CORNERS).map(corner).collect::<Option<Vec<_>>>() else { return };
    let color = ORANGE.gamma_multiply(0.65 * strength);
    // A waist is not convex: fans from the middle are.
    let middle = lens.point(print.ankle + forward * f64::midpoint(heel, tip));
    if let Some(middle) = middle {
        let mut mesh = egui::Mesh::default();
        let fill = ORANGE.gamma_multiply(0.38 * strength);
        mesh.colored_vertex(middle, fill);
        corners.iter().for_each(|corner| mesh.colored_vertex(*corner, fill));
        for index in 0..u32::from(CORNERS) {
            mesh.add_triangle(0, 1 + index, 1 + (index + 1) % u32::from(CORNERS));
        }
        painter.add(Shape::mesh(mesh));
    }
    painter.add(Shape::closed_line(corners, Stroke::new(1.2, color)));
}

fn line(painter: &Painter, lens: &Lens<'_>, ends: [DVec3; 2], stroke: Stroke) {
    if let [Some(from), Some(to)] = ends.map(|place| lens.point(place)) {
        painter.line_segment([from, to], stroke);
    }
}

fn dot(painter: &Painter, lens: &Lens<'_>, place: DVec3, radius: f32, color: Color32) {
    if let Some(at) = lens.point(place) {
        painter.circle(at, radius, color, Stroke::new(1.0, Color32::WHITE));
    }
}
