//! Eyes, brows and mouth: thin sheets laid on the face.

mod brush;

use glam::{DVec2, dvec2};

use super::head;
use super::palette::{BROW, EYE_WHITE, IRIS, IRIS_LIGHT, LASH, MOUTH, PUPIL};
use crate::landmarks::EYE;
use crate::mesh::Mesh;
use crate::part::{Material, Part, Shape, region};
use crate::side::Side;
use crate::weights::Binding;
use brush::{oval, stroke};

pub(super) fn parts() -> Vec<Part> {
    let head = Binding::Rigid("head");
    let mut parts = vec![sheet(Material::Skin, MOUTH, mouth()).bound_to(head)];
    for side in Side::BOTH {
        parts.extend(eye(side));
        parts.push(sheet(Material::Hair, BROW, brow(side)).bound_to(head));
    }
    parts
}

fn eye(side: Side) -> Vec<Part> {
    let (eye, lid) = match side {
        Side::Left => (Binding::Rigid("eye_L"), Binding::Rigid("lid_L")),
        Side::Right => (Binding::Rigid("eye_R"), Binding::Rigid("lid_R")),
    };
    // Both eyes look the same way, and the light comes from the same side in both.
    let at = |x: f64, y: f64| dvec2(side.sign() * EYE.x + x, EYE.y + y);
    let ovals = [
        (EYE_WHITE, oval(at(0.0, 0.0), dvec2(0.032, 0.042), 1)),
        (PUPIL, oval(at(0.0, -0.001), dvec2(0.0262, 0.0375), 2)),
        (IRIS, oval(at(0.0, -0.001), dvec2(0.0232, 0.0345), 3)),
        (PUPIL, oval(at(0.0, 0.001), dvec2(0.0125, 0.0195), 4)),
        (EYE_WHITE, oval(at(0.0095, 0.016), dvec2(0.0080, 0.0105), 5)),
        (EYE_WHITE, oval(at(-0.0095, -0.017), dvec2(0.0042, 0.0055), 5)),
    ];
    let mut parts: Vec<_> = ovals
        .into_iter()
        .map(|(hex, mesh)| match hex {
            IRIS => sheet(Material::Eyes, hex, mesh)
                .graded((EYE.y - 0.026, IRIS_LIGHT), (EYE.y + 0.004, IRIS))
                .bound_to(eye),
            _ => sheet(Material::Eyes, hex, mesh).bound_to(eye),
        })
        .collect();
    parts.push(sheet(Material::Eyes, LASH, lash(side)).bound_to(lid));
    parts
}

/// Points beside the left eye, outward and up, taken to `side`.
fn beside_eye<const N: usize>(side: Side, offsets: [(f64, f64); N]) -> [DVec2; N] {
    offsets.map(|(x, y)| dvec2(side.sign() * (EYE.x + x), EYE.y + y))
}

fn lash(side: Side) -> Mesh {
    let line = [(-0.034, 0.020), (-0.018, 0.041), (0.010, 0.046), (0.034, 0.026), (0.044, 0.024)];
    stroke(&beside_eye(side, line), [0.0012, 0.0045, 0.0060, 0.0060, 0.0008], side, 6)
}

fn brow(side: Side) -> Mesh {
    let line = [(-0.030, 0.064), (-0.010, 0.075), (0.012, 0.079), (0.030, 0.074), (0.044, 0.062)];
    stroke(&beside_eye(side, line), [0.004, 0.0065, 0.0065, 0.005, 0.0015], side, 3)
}

fn sheet(material: Material, hex: u32, mesh: Mesh) -> Part {
    let bounds = region([-0.2, 1.3, 0.0], [0.2, 1.7, 0.25]);
    let part = Part::solid(material, bounds, head::field).coloured(hex);
    Part { shape: Shape::Sheet(mesh), ..part }
}

/// A closed smile.
fn mouth() -> Mesh {
    let points = [
        dvec2(-0.036, 1.437),
        dvec2(-0.022, 1.418),
        dvec2(0.0, 1.412),
        dvec2(0.022, 1.418),
        dvec2(0.036, 1.437),
    ];
    stroke(&points, [0.0012, 0.0032, 0.0045, 0.0032, 0.0012], Side::Left, 2)
}
