//! Eyes, brows and mouth: thin sheets laid on the face.

use glam::{DVec2, DVec3, dvec2, dvec3};

use super::head;
use super::palette::{BROW, EYE_WHITE, IRIS, IRIS_LIGHT, LASH, MOUTH, PUPIL};
use crate::assets::colour::Colour;
use crate::assets::landmarks::EYE;
use crate::assets::math::{ramp, sin_cos};
use crate::assets::mesh::Mesh;
use crate::assets::part::{Material, Part, Shape, region};
use crate::assets::side::Side;
use crate::assets::weights::Binding;

/// Sheets are this far from the skin and from each other, in metres: enough for any depth buffer.
const LAYER: f64 = 0.0008;

pub(super) fn parts() -> Vec<Part> {
    let mut parts = vec![sheet(
        Material::Skin,
        Binding::Rigid("head"),
        MOUTH,
        mouth(),
    )];
    for side in Side::BOTH {
        let (eye, lid) = match side {
            Side::Left => (Binding::Rigid("eye_L"), Binding::Rigid("lid_L")),
            Side::Right => (Binding::Rigid("eye_R"), Binding::Rigid("lid_R")),
        };
        let at = |x: f64, y: f64| dvec2(side.sign() * (EYE.x + x), EYE.y + y);
        let gaze = |x: f64, y: f64| dvec2(side.sign() * EYE.x + x, EYE.y + y);
        parts.push(sheet(
            Material::Eyes,
            eye,
            EYE_WHITE,
            oval(at(0.0, 0.0), dvec2(0.032, 0.042), 1),
        ));
        let rim = oval(gaze(0.0, -0.001), dvec2(0.0262, 0.0375), 2);
        parts.push(sheet(Material::Eyes, eye, PUPIL, rim));
        let iris = oval(gaze(0.0, -0.001), dvec2(0.0232, 0.0345), 3);
        parts.push(sheet(Material::Eyes, eye, IRIS, iris).painted(|p| {
            Colour::srgb(IRIS).mix(
                Colour::srgb(IRIS_LIGHT),
                ramp(p.y, EYE.y + 0.004, EYE.y - 0.026),
            )
        }));
        parts.push(sheet(
            Material::Eyes,
            eye,
            PUPIL,
            oval(gaze(0.0, 0.001), dvec2(0.0125, 0.0195), 4),
        ));
        // The light comes from the same side in both eyes.
        parts.push(sheet(
            Material::Eyes,
            eye,
            EYE_WHITE,
            oval(gaze(0.0095, 0.016), dvec2(0.0080, 0.0105), 5),
        ));
        parts.push(sheet(
            Material::Eyes,
            eye,
            EYE_WHITE,
            oval(gaze(-0.0095, -0.017), dvec2(0.0042, 0.0055), 5),
        ));
        let lash = [
            at(-0.034, 0.020),
            at(-0.018, 0.041),
            at(0.010, 0.046),
            at(0.034, 0.026),
            at(0.044, 0.024),
        ];
        parts.push(sheet(
            Material::Eyes,
            lid,
            LASH,
            stroke(&lash, [0.0012, 0.0045, 0.0060, 0.0060, 0.0008], side, 6),
        ));
        let brow = [
            at(-0.030, 0.064),
            at(-0.010, 0.075),
            at(0.012, 0.079),
            at(0.030, 0.074),
            at(0.044, 0.062),
        ];
        parts.push(sheet(
            Material::Hair,
            Binding::Rigid("head"),
            BROW,
            stroke(&brow, [0.004, 0.0065, 0.0065, 0.005, 0.0015], side, 3),
        ));
    }
    parts
}

fn sheet(material: Material, binding: Binding, hex: u32, mesh: Mesh) -> Part {
    let bounds = region([-0.2, 1.3, 0.0], [0.2, 1.7, 0.25]);
    let part = Part::solid(material, bounds, head::field)
        .coloured(hex)
        .bound_to(binding);
    Part {
        shape: Shape::Sheet(mesh),
        ..part
    }
}

/// The face's surface below a point seen from the front, raised by a number of layers.
fn on_face(at: DVec2, layer: u8) -> DVec3 {
    let mut z = 0.24;
    // Sphere tracing toward the back of the head.
    for _ in 0..64 {
        z -= head::field(dvec3(at.x, at.y, z)) * 0.8;
    }
    dvec3(at.x, at.y, z + LAYER * f64::from(layer))
}

fn oval(centre: DVec2, radii: DVec2, layer: u8) -> Mesh {
    const SPOKES: usize = 24;
    const RINGS: usize = 3;
    let mut mesh = Mesh {
        positions: vec![on_face(centre, layer)],
        triangles: Vec::new(),
    };
    for ring in 1..=RINGS {
        for spoke in 0..SPOKES {
            let (sin, cos) = sin_cos(std::f64::consts::TAU * spoke as f64 / SPOKES as f64);
            let reach = ring as f64 / RINGS as f64;
            mesh.positions
                .push(on_face(centre + dvec2(cos, sin) * radii * reach, layer));
        }
    }
    for spoke in 0..SPOKES {
        let next = (spoke + 1) % SPOKES;
        mesh.triangles.push([0, 1 + spoke, 1 + next]);
        for ring in 0..RINGS - 1 {
            let (inner, outer) = (1 + ring * SPOKES, 1 + (ring + 1) * SPOKES);
            mesh.triangles
                .push([inner + spoke, outer + spoke, outer + next]);
            mesh.triangles
                .push([inner + spoke, outer + next, inner + next]);
        }
    }
    mesh
}

/// A brush stroke through five points with half-widths.
fn stroke(points: &[DVec2; 5], half_widths: [f64; 5], side: Side, layer: u8) -> Mesh {
    const STEPS: usize = 14;
    let mut mesh = Mesh::default();
    for step in 0..=STEPS {
        let t = step as f64 / STEPS as f64;
        let (centre, half) = along_stroke(points, half_widths, t);
        let ahead = along_stroke(points, half_widths, t + 0.01).0;
        let behind = along_stroke(points, half_widths, t - 0.01).0;
        let across = (ahead - behind).normalize().perp() * half * side.sign();
        mesh.positions.extend([
            on_face(centre - across, layer),
            on_face(centre, layer),
            on_face(centre + across, layer),
        ]);
    }
    for step in 0..STEPS {
        for lane in 0..2 {
            let a = step * 3 + lane;
            let mut quad = [a, a + 3, a + 4, a + 1];
            if side == Side::Right {
                quad.reverse();
            }
            mesh.triangles.push([quad[0], quad[1], quad[2]]);
            mesh.triangles.push([quad[0], quad[2], quad[3]]);
        }
    }
    mesh
}

/// The uniform quartic Bezier curve of five points, and the width on it, straight on beyond its ends.
fn along_stroke(points: &[DVec2; 5], half_widths: [f64; 5], t: f64) -> (DVec2, f64) {
    let s = 1.0 - t;
    let shares = [
        s * s * s * s,
        4.0 * s * s * s * t,
        6.0 * s * s * t * t,
        4.0 * s * t * t * t,
        t * t * t * t,
    ];
    let centre = shares
        .iter()
        .zip(points)
        .map(|(share, point)| *point * *share)
        .sum();
    let half: f64 = shares
        .iter()
        .zip(half_widths)
        .map(|(share, half)| share * half)
        .sum();
    (centre, half.max(2e-4))
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
    stroke(
        &points,
        [0.0012, 0.0032, 0.0045, 0.0032, 0.0012],
        Side::Left,
        2,
    )
}
