//! Shapes painted on the face: flat meshes, bent to its surface.

use glam::{DVec2, DVec3, dvec2, dvec3};

use crate::hero::head;
use crate::math::sin_cos;
use crate::mesh::Mesh;
use crate::side::Side;

/// Sheets are this far from the skin and from each other, in metres: enough for any depth buffer.
const LAYER: f64 = 0.0008;

/// The face's surface below a point seen from the front, raised by a number of layers.
fn on_face(at: DVec2, layer: u8) -> DVec3 {
    let mut z = 0.24;
    // Sphere tracing toward the back of the head.
    for _ in 0..64 {
        z -= head::field(dvec3(at.x, at.y, z)) * 0.8;
    }
    dvec3(at.x, at.y, z + LAYER * f64::from(layer))
}

pub(super) fn oval(centre: DVec2, radii: DVec2, layer: u8) -> Mesh {
    const SPOKES: usize = 24;
    const RINGS: usize = 3;
    let mut mesh = Mesh { positions: vec![on_face(centre, layer)], triangles: Vec::new() };
    for ring in 1..=RINGS {
        for spoke in 0..SPOKES {
            let (sin, cos) = sin_cos(std::f64::consts::TAU * spoke as f64 / SPOKES as f64);
            let reach = ring as f64 / RINGS as f64;
            mesh.positions.push(on_face(centre + dvec2(cos, sin) * radii * reach, layer));
        }
    }
    for spoke in 0..SPOKES {
        let next = (spoke + 1) % SPOKES;
        mesh.triangles.push([0, 1 + spoke, 1 + next]);
        for ring in 0..RINGS - 1 {
            let (inner, outer) = (1 + ring * SPOKES, 1 + (ring + 1) * SPOKES);
            mesh.triangles.push([inner + spoke, outer + spoke, outer + next]);
            mesh.triangles.push([inner + spoke, outer + next, inner + next]);
        }
    }
    mesh
}

/// A brush stroke through five points with half-widths.
pub(super) fn stroke(points: &[DVec2; 5], half_widths: [f64; 5], side: Side, layer: u8) -> Mesh {
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
    let shares =
        [s * s * s * s, 4.0 * s * s * s * t, 6.0 * s * s * t * t, 4.0 * s * t * t * t, t * t * t * t];
    let centre = shares.iter().zip(points).map(|(share, point)| *point * *share).sum();
    let half: f64 = shares.iter().zip(half_widths).map(|(share, half)| share * half).sum();
    (centre, half.max(2e-4))
}
