//! Boxes and normals, drawn over the picture.

use canter::glam::{DAffine3, Vec3};
use canter_scene::{Bounds, Character};
use egui::{Color32, Painter, Stroke};

use super::lens::Lens;
use crate::window::theme::BLUE;
use crate::window::view::View;

/// More boxes than this are a blur, and more normals fur.
const MOST_BOXES: usize = 300;
const MOST_NORMALS: usize = 3000;

pub(super) fn show(view: &View, painter: &Painter, lens: &Lens<'_>) {
    let scene = view.session.scene();
    if view.overlays.bounds {
        for id in scene.characters().take(MOST_BOXES) {
            if let (Some(character), Some(world)) = (scene.character(id), scene.world(id)) {
                outline(painter, lens, &character.bounds(), &world);
            }
        }
    }
    if view.overlays.normals {
        for id in scene.characters().filter(|&id| view.session.is_main(id)) {
            if let (Some(character), Some(world)) = (scene.character(id), scene.world(id)) {
                normals(painter, lens, character, &world);
            }
        }
    }
}

fn outline(painter: &Painter, lens: &Lens<'_>, bounds: &Bounds, world: &DAffine3) {
    if bounds.is_empty() {
        return;
    }
    let corner = |index: usize| {
        let pick = |axis: usize| if index >> axis & 1 == 0 { bounds.min[axis] } else { bounds.max[axis] };
        lens.point(world.transform_point3(Vec3::new(pick(0), pick(1), pick(2)).as_dvec3()))
    };
    let stroke = Stroke::new(1.3, BLUE);
    for axis in 0..3 {
        for from in (0..8).filter(|from| from >> axis & 1 == 0) {
            if let (Some(from), Some(to)) = (corner(from), corner(from | 1 << axis)) {
                painter.line_segment([from, to], stroke);
            }
        }
    }
}

/// A line upright on the surface at every vertex that faces the camera, or at some of them where there are
/// many.
fn normals(painter: &Painter, lens: &Lens<'_>, character: &Character, world: &DAffine3) {
    let parts = character.model.parts();
    let vertices: usize = parts.iter().map(|part| character.model.primitive(part).positions.len()).sum();
    let step = vertices.div_ceil(MOST_NORMALS).max(1);
    let length = character.bounds().size().max_element() * 0.02;
    for part in parts {
        let posed = character.posed(part);
        for (&position, &normal) in posed.positions.iter().zip(&posed.normals).step_by(step) {
            let from = world.transform_point3(position.as_dvec3());
            let along = world.transform_vector3((normal * length).as_dvec3());
            if !lens.faces(from, along) {
                continue;
            }
            if let (Some(start), Some(end)) = (lens.point(from), lens.point(from + along)) {
                painter.line_segment([start, end], Stroke::new(1.0, color(normal)));
            }
        }
    }
}

/// Directions as colours, the way normal maps show them.
fn color(normal: Vec3) -> Color32 {
    let channel = |value: f32| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 255")]
        let channel = ((value * 0.5 + 0.5).clamp(0.0, 1.0) * 235.0) as u8;
        channel
    };
    Color32::from_rgb(channel(normal.x), channel(normal.y), channel(normal.z))
}
