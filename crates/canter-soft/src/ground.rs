//! The ground: a grid that fades, and the shadows on it.

use canter::glam::{Mat4, Vec2, Vec3, Vec4};
use canter_scene::{Camera, Ground};

use crate::footprint::{Footprint, Print};
use crate::light::smooth;
use crate::shadow::{bounds, casters, fill_solid};
use crate::surface::{Surface, corners_of};

/// Texels along each side of the map of shadows.
const SIDE: usize = 512;

/// The ground below the figures of one picture.
pub(crate) struct Floor {
    height: f32,
    spacing: f32,
    offset: Vec2,
    /// Around what the grid is seen, and how far.
    middle: Vec2,
    reach: f32,
    shadows: Map,
    prints: Vec<Print>,
    eye: Vec3,
    origin_from_clip: Mat4,
}

/// What the ground does to the light at a pixel.
pub(crate) struct Spot {
    /// How much of a line of the grid is there.
    pub(crate) line: f32,
    /// How much of the light is kept away.
    pub(crate) shadow: f32,
    /// How much of a footprint is there.
    pub(crate) print: f32,
}

impl Floor {
    /// `min` and `max`: around all figures.
    pub(crate) fn new(
        ground: &Ground,
        camera: &Camera,
        surfaces: &[Surface<'_>],
        (min, max): (Vec3, Vec3),
        sun: Vec3,
        clip_from_origin: Mat4,
    ) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "near the camera's target")]
        let height = (ground.height - camera.target.y) as f32;
        let size = (max - min).length().max(1e-3);
        let middle = flat((min + max) / 2.0);
        let spacing = ground.line_spacing(size);
        Self {
            height,
            spacing,
            offset: ground.line_offset(camera.target, spacing),
            middle,
            reach: size * 1.9,
            shadows: Map::new(surfaces, sun, height, size),
            prints: Vec::new(),
            eye: (camera.eye - camera.target).as_vec3(),
            origin_from_clip: clip_from_origin.inverse(),
        }
    }

    /// The same with marks where feet were.
    pub(crate) fn with_footprints(self, prints: &[Footprint], camera: &Camera) -> Self {
        Self { prints: prints.iter().filter_map(|print| Print::new(print, camera.target)).collect(), ..self }
    }

    /// The ground at a point of the picture (x and y from -1 to 1, y up); `pixel` is the size of a pixel
    /// there. `None` if it is not seen.
    pub(crate) fn spot(&self, at: Vec2, pixel: Vec2) -> Option<Spot> {
        // From below there would be nothing else to see.
        if self.eye.y <= self.height {
            return None;
        }
        let place = self.hit(at)?;
        let away = (place - self.middle).length() / self.reach;
        let fade = smooth((1.0 - away).clamp(0.0, 1.0));
        let (mut line, mut print) = (0.0, 0.0);
        if fade > 0.0 || !self.prints.is_empty() {
            let right = self.hit(at + Vec2::new(pixel.x, 0.0)).unwrap_or(place) - place;
            let down = self.hit(at - Vec2::new(0.0, pixel.y)).unwrap_or(place) - place;
            let footprint = right.abs() + down.abs();
            line = fade * self.line(place + self.offset, footprint);
            print =
                self.prints.iter().map(|print| print.ink(place, footprint.max_element())).fold(0.0, f32::max);
        }
        Some(Spot { line, shadow: self.shadows.sample(place), print })
    }

    /// Where the ray through a point of the picture meets the ground.
    fn hit(&self, at: Vec2) -> Option<Vec2> {
        let through = self.origin_from_clip.project_point3(Vec3::new(at.x, at.y, 0.0));
        let ray = through - self.eye;
        let steps = (self.height - self.eye.y) / ray.y;
        let place = flat(self.eye + ray * steps);
        (steps > 0.0 && place.is_finite()).then_some(place)
    }

    /// How much of a pixel the lines cover. Every fourth line is stronger.
    fn line(&self, place: Vec2, footprint: Vec2) -> f32 {
        let covered = |spacing: f32, place: f32, footprint: f32| {
            let half = spacing * 0.006;
            let distance = (place / spacing - (place / spacing).round()).abs() * spacing;
            let footprint = footprint.max(1e-6);
            let cover = ((half + footprint / 2.0 - distance) / footprint).clamp(0.0, 1.0);
            cover.min((half * 2.0 / footprint).max(0.35))
                * (1.0 - footprint / (spacing * 0.6)).clamp(0.0, 1.0)
        };
        covered(self.spacing, place.x, footprint.x).max(covered(self.spacing, place.y, footprint.y))
    }
}

fn flat(at: Vec3) -> Vec2 {
    Vec2::new(at.x, at.z)
}

/// How much of the light is kept away from the ground, seen from above.
struct Map {
    min: Vec2,
    texel: f32,
    shadow: Vec<f32>,
}

/// Shadows grow softer with the height of what casts them: up to this part of the figure's size, and how soft
/// in that part.
const LAYERS: [(f32, f32); 3] = [(0.06, 0.007), (0.3, 0.014), (f32::INFINITY, 0.028)];

impl Map {
    fn new(surfaces: &[Surface<'_>], sun: Vec3, ground: f32, size: f32) -> Self {
        let margin = size * 0.25;
        let (min, max) = bounds(surfaces).unwrap_or((Vec3::ZERO, Vec3::ZERO));
        // A sun at the horizon would cast shadows without end.
        let slant = flat(sun) / sun.y.max(0.25);
        let tip = -slant * (max.y - ground).max(0.0);
        let low = flat(min).min(flat(min) + tip) - margin;
        let high = flat(max).max(flat(max) + tip) + margin;
        let texel = ((high - low).max_element() / SIDE as f32).max(1e-6);
        let mut map = Self { min: low, texel, shadow: vec![0.0; SIDE * SIDE] };

        let mut layer = vec![0.0; SIDE * SIDE];
        let mut from = f32::NEG_INFINITY;
        if sun.y > 0.0 {
            for (to, softness) in LAYERS {
                layer.fill(0.0);
                let range = from * size..to * size;
                map.project(
                    surfaces,
                    ground,
                    &range,
                    |at, height| (flat(at) - slant * height, 1.0),
                    &mut layer,
                );
                blur(&mut layer, softness * size / texel);
                for (sum, part) in map.shadow.iter_mut().zip(&layer) {
                    *sum += part;
                }
                from = to;
            }
        }
        // What is close above the ground keeps the sky away from it.
        layer.fill(0.0);
        let sky = |at: Vec3, height: f32| (flat(at), (1.0 - height / (size * 0.3)).clamp(0.0, 1.0));
        map.project(surfaces, ground, &(f32::NEG_INFINITY..f32::INFINITY), sky, &mut layer);
        blur(&mut layer, 0.035 * size / texel);
        for (sun, sky) in map.shadow.iter_mut().zip(&layer) {
            *sun = 1.0 - (1.0 - 0.36 * sun.min(1.0)) * (1.0 - 0.45 * sky);
        }
        map
    }

    /// Draws the triangles whose middle is within a range of heights, where a function says and as strong as
    /// it says.
    fn project(
        &self,
        surfaces: &[Surface<'_>],
        ground: f32,
        heights: &std::ops::Range<f32>,
        place: impl Fn(Vec3, f32) -> (Vec2, f32),
        layer: &mut [f32],
    ) {
        for surface in casters(surfaces) {
            for &triangle in surface.indices.as_chunks::<3>().0 {
                let corners = corners_of(&surface.positions, triangle);
                let height = (corners[0].y + corners[1].y + corners[2].y) / 3.0 - ground;
                if !heights.contains(&height) || !corners.iter().all(|at| at.is_finite()) {
                    continue;
                }
                let placed = corners.map(|at| {
                    let (place, strength) = place(at, (at.y - ground).max(0.0));
                    ((place - self.min) / self.texel, strength)
                });
                fill_solid(surface, triangle, placed, |x, y, strength| {
                    if x < SIDE && y < SIDE {
                        let old = &mut layer[y * SIDE + x];
                        *old = old.max(strength);
                    }
                });
            }
        }
    }

    fn sample(&self, place: Vec2) -> f32 {
        let at = (place - self.min) / self.texel - 0.5;
        let corner = at.floor();
        if corner.min_element() < 0.0 || corner.max_element() >= (SIDE - 1) as f32 {
            return 0.0;
        }
        let part = at - corner;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is inside the map")]
        let index = corner.y as usize * SIDE + corner.x as usize;
        let at = |step: usize| self.shadow[index + step];
        let four = Vec4::new(at(0), at(1), at(SIDE), at(SIDE + 1));
        let x = four.x + (four.y - four.x) * part.x;
        let y = four.z + (four.w - four.z) * part.x;
        x + (y - x) * part.y
    }
}

/// Three means over neighbours in each direction: close to a bell curve.
fn blur(map: &mut [f32], radius: f32) {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let radius = radius.clamp(1.0, SIDE as f32 / 8.0) as usize;
    let mut line = vec![0.0; SIDE];
    for _ in 0..3 {
        for index in 0..SIDE {
            blur_line(map, index * SIDE, 1, radius, &mut line);
        }
        for index in 0..SIDE {
            blur_line(map, index, SIDE, radius, &mut line);
        }
    }
}

fn blur_line(map: &mut [f32], start: usize, step: usize, radius: usize, line: &mut [f32]) {
    let at = |index: usize| map[start + index * step];
    let mut sum: f32 = (0..radius).map(at).sum();
    for (index, mean) in line.iter_mut().enumerate() {
        if index + radius < SIDE {
            sum += at(index + radius);
        }
        if index > radius {
            sum -= at(index - radius - 1);
        }
        *mean = sum.max(0.0) / (2 * radius + 1) as f32;
    }
    for (index, mean) in line.iter().enumerate() {
        map[start + index * step] = *mean;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blur_keeps_the_sum() {
        let mut map = vec![0.0; SIDE * SIDE];
        map[SIDE * SIDE / 2 + SIDE / 2] = 1.0;
        blur(&mut map, 9.0);
        let sum: f32 = map.iter().sum();
        assert!((sum - 1.0).abs() < 1e-3, "{sum}");
        assert!(map.iter().all(|&value| (0.0..0.1).contains(&value)));
    }
}
