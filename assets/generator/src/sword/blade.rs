//! The blade: facets with hard edges, which a meshed distance field would round off.

use glam::{DVec3, dvec3};

use crate::colour::Colour;
use crate::surface::{Surface, Vertex};

const STEEL: u32 = 0xc4ced8;
const BEVEL: u32 = 0xe8eef2;
const FULLER: u32 = 0x8f9cac;

const START_Y: f64 = 0.080;
const TIP_Y: f64 = 0.760;

/// A cut through the blade: share of the length, half width, half thickness, depth of the fuller.
struct Section(f64, f64, f64, f64);

const SECTIONS: [Section; 10] = [
    Section(0.00, 0.0326, 0.0068, 0.0031),
    Section(0.05, 0.0320, 0.0066, 0.0037),
    Section(0.30, 0.0292, 0.0062, 0.0035),
    Section(0.55, 0.0275, 0.0057, 0.0031),
    Section(0.63, 0.0278, 0.0055, 0.0015),
    Section(0.68, 0.0282, 0.0055, 0.0000),
    Section(0.80, 0.0271, 0.0051, 0.0000),
    Section(0.90, 0.0211, 0.0042, 0.0000),
    Section(0.96, 0.0113, 0.0029, 0.0000),
    Section(1.00, 0.0005, 0.0004, 0.0000),
];

/// Facets across one half of one face, from the edge to the middle, and their colours.
const FACETS: [u32; 3] = [BEVEL, STEEL, FULLER];

pub(super) fn append(surface: &mut Surface) {
    // Four quarters: both edges of both faces.
    for (edge, face) in [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)] {
        for pair in SECTIONS.windows(2) {
            let (low, high) = (outline(&pair[0], edge, face), outline(&pair[1], edge, face));
            for (facet, colour) in FACETS.into_iter().enumerate() {
                let mut corners = [low[facet], low[facet + 1], high[facet + 1], high[facet]];
                if edge * face < 0.0 {
                    corners.reverse();
                }
                quad(surface, corners, colour);
            }
        }
    }
}

/// From the cutting edge over the bevel and the flat to the middle.
fn outline(section: &Section, edge: f64, face: f64) -> [DVec3; 4] {
    let Section(share, width, thick, depth) = *section;
    let y = START_Y + (TIP_Y - START_Y) * share;
    [(width, 0.0), (width * 0.62, thick * 0.72), (width * 0.30, thick), (0.0, thick * 1.12 - depth)]
        .map(|(x, z)| dvec3(x * edge, y, z * face))
}

fn quad(surface: &mut Surface, corners: [DVec3; 4], hex: u32) {
    let first = u16::try_from(surface.vertices.len()).expect("a surface has fewer than 65536 vertices");
    let normal = (corners[2] - corners[0]).cross(corners[3] - corners[1]).normalize();
    for position in corners {
        surface.vertices.push(Vertex {
            position: position.as_vec3(),
            normal: normal.as_vec3(),
            colour: Colour::srgb(hex).quantised(),
            joints: [0; 4],
            weights: [0; 4],
        });
    }
    surface.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
}
