//! On the ground: the way of one loop, the trail of the last seconds, and footprints.

use canter::glam::DVec3;
use egui::{Color32, Painter, Pos2, Shape, Stroke};

use super::lens::Lens;
use super::silhouette::Silhouette;
use crate::session::Footprint;
use crate::window::theme::{BLUE, GREEN, ORANGE};
use crate::window::view::View;

/// Corners of a footprint.
const CORNERS: u16 = 32;
/// Places of the trail in a piece of one colour.
const TRAIL_PIECE: usize = 12;

pub(super) fn show(view: &View, painter: &Painter, lens: &Lens<'_>) {
    if !view.overlays.way || !view.overlays.ground {
        return;
    }
    let ground = Ground { painter, lens, silhouette: Silhouette::new(view, lens) };
    let height = f64::from(view.session.height());
    for (print, age) in view.session.footprints() {
        ground.footprint(print, 1.0 - age, height);
    }
    let trail: Vec<(DVec3, f32)> = view.session.trail().collect();
    // Pieces of one colour: where lines that can be seen through meet, they are darker.
    for start in (0..trail.len()).step_by(TRAIL_PIECE) {
        let piece = &trail[start..(start + TRAIL_PIECE + 1).min(trail.len())];
        let places: Vec<DVec3> = piece.iter().map(|(place, _)| *place).collect();
        ground.line(&places, Stroke::new(2.5, GREEN.gamma_multiply(0.75 * (1.0 - piece[0].1))));
    }
    ground.way(view);
}

/// What lies on the ground is drawn unless the figure hides it.
struct Ground<'a> {
    painter: &'a Painter,
    lens: &'a Lens<'a>,
    silhouette: Silhouette,
}

impl Ground<'_> {
    /// The way of one loop, with its start, its end and where the clip is.
    fn way(&self, view: &View) {
        let way = view.session.way();
        let (Some(&first), Some(&last)) = (way.first(), way.last()) else { return };
        // A turn on the spot has no way to see.
        if way.iter().all(|place| place.distance(first) < 1e-3) {
            return;
        }
        self.line(&way, Stroke::new(2.0, BLUE));
        self.dot(first, 3.0, BLUE);
        self.dot(last, 3.0, BLUE);
        if let Some(now) = view.session.place_on_way() {
            self.dot(now, 4.5, ORANGE);
        }
    }

    /// The outline of a sole, from behind the ankle to before the toes, darker while it is new.
    fn footprint(&self, print: &Footprint, strength: f32, height: f64) {
        let along = print.toes - print.ankle;
        let (forward, length) = match along.length() {
            length if length > 0.01 * height => (along / length, length),
            _ => (print.forward, 0.07 * height),
        };
        let side = DVec3::Y.cross(forward);
        let (heel, tip) = (-0.45 * length, 1.5 * length);
        let middle = print.ankle + forward * f64::midpoint(heel, tip);
        let corner = |index: u16| {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(index) / f64::from(CORNERS)).sin_cos();
            let part = 0.5 + 0.5 * cos;
            // Wider below the ball than below the heel, narrow between.
            let waist = (-((part - 0.42) / 0.16).powi(2)).exp();
            let width = length * (0.28 + 0.10 * part - 0.08 * waist);
            middle + forward * ((tip - heel) / 2.0 * cos) + side * (width * sin)
        };
        let places: Vec<DVec3> = (0..CORNERS).map(corner).collect();
        let Some(center) = self.lens.point(middle) else { return };
        // With a waist it is not convex: a fan from the middle is right for both.
        let mut mesh = egui::Mesh::default();
        let fill = |place| {
            let is_hidden = self.silhouette.hides(self.lens, place);
            if is_hidden { Color32::TRANSPARENT } else { ORANGE.gamma_multiply(0.4 * strength) }
        };
        mesh.colored_vertex(center, fill(middle));
        for &place in &places {
            let Some(at) = self.lens.point(place) else { return };
            mesh.colored_vertex(at, fill(place));
        }
        for index in 0..u32::from(CORNERS) {
            mesh.add_triangle(0, 1 + index, 1 + (index + 1) % u32::from(CORNERS));
        }
        self.painter.add(Shape::mesh(mesh));
        let outline: Vec<DVec3> = places.iter().chain(places.first()).copied().collect();
        self.line(&outline, Stroke::new(1.2, ORANGE.gamma_multiply(0.65 * strength)));
    }

    /// The parts of a line that are seen.
    fn line(&self, places: &[DVec3], stroke: Stroke) {
        let seen = |place: &DVec3| {
            let is_seen = !self.silhouette.hides(self.lens, *place);
            self.lens.point(*place).filter(|_| is_seen)
        };
        let points: Vec<Option<Pos2>> = places.iter().map(seen).collect();
        for run in points.split(Option::is_none).filter(|run| run.len() > 1) {
            self.painter.line(run.iter().copied().flatten().collect(), stroke);
        }
    }

    fn dot(&self, place: DVec3, radius: f32, color: Color32) {
        if let Some(at) = self.lens.point(place).filter(|_| !self.silhouette.hides(self.lens, place)) {
            self.painter.circle(at, radius, color, Stroke::new(1.0, Color32::WHITE));
        }
    }
}
