//! What the sun does not reach, as seen from the sun.

use canter::glam::{Vec2, Vec3};
use canter_gltf::AlphaMode;
use retrofire_core::render::raster::tri_fill;

use crate::raster::on_screen;
use crate::surface::{Place, Surface, corners_of};
use crate::varying::Varying;

/// Texels along each side.
const SIDE: usize = 1024;

/// The distance from the sun of what it sees first.
pub(crate) struct ShadowMap {
    right: Vec3,
    up: Vec3,
    sun: Vec3,
    middle: Vec3,
    /// Metres of a texel.
    texel: f32,
    /// Heights toward the sun, row by row.
    heights: Vec<f32>,
}

impl ShadowMap {
    pub(crate) fn new(surfaces: &[Surface<'_>], sun: Vec3) -> Self {
        let right = Vec3::Y.cross(sun).normalize_or(Vec3::X);
        let up = sun.cross(right);
        let (min, max) = bounds(surfaces).unwrap_or((Vec3::ZERO, Vec3::ONE));
        let middle = (min + max) / 2.0;
        let texel = ((max - min).length() / (SIDE - 8) as f32).max(1e-6);
        let mut map = Self { right, up, sun, middle, texel, heights: vec![f32::NEG_INFINITY; SIDE * SIDE] };
        for surface in casters(surfaces) {
            for &corners in surface.indices.as_chunks::<3>().0 {
                let placed = corners_of(&surface.positions, corners).map(|at| map.place(at));
                if placed.iter().all(|(at, height)| at.is_finite() && height.is_finite()) {
                    fill_solid(surface, corners, placed, |x, y, height| map.raise(x, y, height));
                }
            }
        }
        map
    }

    /// The texel and the height toward the sun of a point.
    fn place(&self, position: Vec3) -> (Vec2, f32) {
        let at = position - self.middle;
        let texel = Vec2::new(at.dot(self.right), at.dot(self.up)) / self.texel;
        (texel + SIDE as f32 / 2.0, at.dot(self.sun))
    }

    fn raise(&mut self, x: usize, y: usize, height: f32) {
        if x < SIDE && y < SIDE {
            let old = &mut self.heights[y * SIDE + x];
            *old = old.max(height);
        }
    }

    /// How much of the sun reaches a point, from 0 to 1. `slope` is the cosine between the surface and the
    /// sun.
    pub(crate) fn light(&self, position: Vec3, normal: Vec3, slope: f32) -> f32 {
        // Away from the surface, the more the flatter the light, so that it does not shade itself.
        let lift = self.texel * (1.5 + 2.5 * (1.0 - slope));
        let (at, height) = self.place(position + normal * lift);
        let height = height + self.texel * 1.5;
        let corner = (at - 1.5).floor();
        let part = at - 1.5 - corner;
        let mut sum = 0.0;
        // Four by four texels, those at the edges in part.
        for y in 0..4_u8 {
            for x in 0..4_u8 {
                let weight = edge(x, part.x) * edge(y, part.y);
                sum += weight * self.is_lit(corner + Vec2::new(f32::from(x), f32::from(y)), height);
            }
        }
        sum / 9.0
    }

    fn is_lit(&self, texel: Vec2, height: f32) -> f32 {
        if texel.min_element() < 0.0 || texel.max_element() >= SIDE as f32 {
            return 1.0;
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is inside the map")]
        let index = texel.y as usize * SIDE + texel.x as usize;
        if self.heights[index] > height { 0.0 } else { 1.0 }
    }
}

/// How much the column of four texels counts when three are wanted.
fn edge(column: u8, part: f32) -> f32 {
    match column {
        0 => 1.0 - part,
        3 => part,
        _ => 1.0,
    }
}

/// What casts a shadow.
pub(crate) fn casters<'a, 'b>(surfaces: &'a [Surface<'b>]) -> impl Iterator<Item = &'a Surface<'b>> {
    surfaces.iter().filter(|surface| surface.casts_shadow())
}

/// Scans a triangle whose corners are somewhere in a map, each with a number; gives column, row and number of
/// the texels that have no hole.
pub(crate) fn fill_solid(
    surface: &Surface<'_>,
    corners: [u32; 3],
    placed: [(Vec2, f32); 3],
    mut draw: impl FnMut(usize, usize, f32),
) {
    if !matches!(surface.material.alpha_mode, AlphaMode::Mask { .. }) {
        tri_fill(placed.map(|(at, number)| on_screen(at, number)), |line| {
            for (x, (_, number)) in line.xs.zip(line.vs) {
                draw(x, line.y, number);
            }
        });
        return;
    }
    let [a, b, c] = placed;
    let with_weights = [(a, [1.0, 0.0]), (b, [0.0, 1.0]), (c, [0.0, 0.0])]
        .map(|((at, number), [first, second])| on_screen(at, Varying([number, first, second])));
    tri_fill(with_weights, |line| {
        for (x, (_, Varying([number, first, second]))) in line.xs.zip(line.vs) {
            if !surface.has_hole(&Place::new(corners, Varying([first, second]))) {
                draw(x, line.y, number);
            }
        }
    });
}

/// The min and max coordinates of all surfaces.
pub(crate) fn bounds(surfaces: &[Surface<'_>]) -> Option<(Vec3, Vec3)> {
    let positions = surfaces.iter().flat_map(|surface| &surface.positions).filter(|at| at.is_finite());
    positions.fold(None, |bounds, &at| match bounds {
        None => Some((at, at)),
        Some((min, max)) => Some((at.min(min), at.max(max))),
    })
}
