//! The renderer: all stages of a picture in order.

use canter::glam::{Vec2, Vec3, Vec4};
use canter_scene::{Background, Bounds, Camera, Figure, Look};
use rayon::prelude::*;

use crate::bones;
use crate::color::{linear_from_srgb3, srgb_from_linear};
use crate::footprint::Footprint;
use crate::ground::{Floor, Spot};
use crate::light::smooth;
use crate::picture::Picture;
use crate::projection::clip_from_origin;
use crate::raster::{Band, Seen, View};
use crate::shade::Shader;
use crate::shadow::{self, ShadowMap};
use crate::surface::{self, Surface};
use crate::texture::Textures;

/// Rows of pixels that are drawn at once.
const BAND_ROWS: u32 = 32;

/// Draws scenes on the CPU. It keeps nothing between pictures but decoded textures and what is set.
#[derive(Debug)]
pub struct SoftRenderer {
    /// Samples along each side of a pixel, from 1 (jagged) to 8. The cost grows with the square.
    pub samples: u32,
    /// Marks on the ground, if the look has one.
    pub footprints: Vec<Footprint>,
    textures: Textures,
}

impl Default for SoftRenderer {
    fn default() -> Self {
        Self { samples: 3, footprints: Vec::new(), textures: Textures::default() }
    }
}

impl SoftRenderer {
    /// A renderer with smooth edges.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Draws figures: `&scene`, as of its last update, or an iterator of [`Figure`]s. Those that do not
    /// [fit](Figure::fits) are left out. A picture without width or height is empty.
    ///
    /// The same figures, camera, look, size, samples and footprints give the same bytes.
    pub fn render<'a>(
        &mut self,
        figures: impl IntoIterator<Item = Figure<'a>>,
        camera: &Camera,
        look: &Look,
        width: u32,
        height: u32,
    ) -> Picture {
        let mut picture = Picture::new(width, height);
        if picture.pixels.is_empty() {
            return picture;
        }
        let figures: Vec<_> = figures.into_iter().filter(Figure::fits).collect();
        let samples = self.samples.clamp(1, 8);
        let clip_from_origin = clip_from_origin(camera, width as f32 / height as f32);
        let sun = look.sun.normalize_or(Vec3::Y);

        let surfaces = surface::surfaces(&figures, camera, height as f32, &mut self.textures);
        let size = Vec2::new((width * samples) as f32, (height * samples) as f32);
        let seen: Vec<_> =
            surfaces.iter().map(|surface| Seen::new(surface, clip_from_origin, size)).collect();
        let shadow = ShadowMap::new(&surfaces, sun);
        let floor = look.ground.map(|ground| {
            let extent = extent(&surfaces, &figures, camera);
            let floor = Floor::new(&ground, camera, &surfaces, extent, sun, clip_from_origin);
            floor.with_footprints(&self.footprints, camera)
        });
        let shader = Shader { eye: (camera.eye - camera.target).as_vec3(), sun, shadow: &shadow };
        let backdrop = Backdrop {
            background: look.background,
            floor: floor.as_ref(),
            size: Vec2::new(width as f32, height as f32),
        };

        let row_bytes = width as usize * 4;
        let bands = picture.pixels.par_chunks_mut(row_bytes * BAND_ROWS as usize);
        bands.enumerate().for_each(|(index, pixels)| {
            let first = u32::try_from(index).unwrap_or(0) * BAND_ROWS;
            let rows = u32::try_from(pixels.len() / row_bytes).unwrap_or(BAND_ROWS);
            let part = |row: u32| row as f32 / height as f32;
            let mut band = Band::new(View {
                width: (width * samples) as usize,
                height: (rows * samples) as usize,
                top: part(first),
                bottom: part(first + rows),
            });
            band.draw(&seen, &shader);
            for (pixel, index) in pixels.chunks_exact_mut(4).zip(0_u32..) {
                let (x, y) = (index % width, index / width);
                let figure = resolved(&band, x as usize, y as usize, samples as usize);
                let color = backdrop.behind(figure, x, first + y);
                pixel.copy_from_slice(&to_bytes(color));
            }
        });
        if look.skeleton {
            bones::draw(&mut picture, &figures, camera.target, clip_from_origin);
        }
        picture
    }
}

/// The min and max coordinates of what is drawn, relative to the camera's target.
fn extent(surfaces: &[Surface<'_>], figures: &[Figure<'_>], camera: &Camera) -> (Vec3, Vec3) {
    let of_bones = || {
        let bones = figures.iter().flat_map(Figure::bone_places);
        let bounds = Bounds::around(bones.map(|at| (at - camera.target).as_vec3()));
        (!bounds.is_empty()).then_some((bounds.min, bounds.max))
    };
    shadow::bounds(surfaces).or_else(of_bones).unwrap_or((Vec3::NEG_ONE, Vec3::ONE))
}

/// The mean of the samples of a pixel.
fn resolved(band: &Band, x: usize, y: usize, samples: usize) -> Vec4 {
    let mut sum = Vec4::ZERO;
    for row in y * samples..(y + 1) * samples {
        let start = row * band.view.width + x * samples;
        sum += band.colors[start..start + samples].iter().sum::<Vec4>();
    }
    sum / (samples * samples) as f32
}

/// What is behind the figures.
struct Backdrop<'a> {
    background: Background,
    floor: Option<&'a Floor>,
    size: Vec2,
}

impl Backdrop<'_> {
    /// Puts the backdrop behind a colour; both are multiplied by their alpha.
    fn behind(&self, figure: Vec4, x: u32, y: u32) -> Vec4 {
        let rest = 1.0 - figure.w;
        if rest <= 0.0 {
            return figure;
        }
        figure + self.color(x, y) * rest
    }

    fn color(&self, x: u32, y: u32) -> Vec4 {
        let pixel = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
        let at = pixel / self.size * 2.0 - 1.0;
        let at = Vec2::new(at.x, -at.y);
        let spot = self.floor.and_then(|floor| floor.spot(at, 2.0 / self.size));
        let Spot { line, shadow, print } = spot.unwrap_or(Spot { line: 0.0, shadow: 0.0, print: 0.0 });
        let wall = match self.background {
            Background::Transparent => {
                const SHADE: Vec3 = Vec3::new(0.010, 0.013, 0.020);
                let dark = 1.0 - (1.0 - shadow) * (1.0 - 0.7 * print);
                return (SHADE * dark).extend(dark);
            }
            Background::Studio => studio(at),
            Background::Color(color) => linear_from_srgb3(color),
        };
        // Lines are darker than a light ground and lighter than a dark one.
        let ink = if wall.element_sum() > 0.6 { Vec3::new(0.30, 0.34, 0.40) } else { Vec3::splat(0.45) };
        let shade = Vec3::new(0.94, 0.97, 1.0) * (1.0 - shadow)
            + Vec3::new(0.06, 0.03, 0.0) * (1.0 - shadow * shadow);
        const PRINT: Vec3 = Vec3::new(0.10, 0.16, 0.26);
        (wall.lerp(ink, line * 0.55).lerp(PRINT, print * 0.75) * shade.min(Vec3::ONE)).extend(1.0)
    }
}

/// White in the middle, light grey at the edges.
fn studio(at: Vec2) -> Vec3 {
    let away = smooth(((at - Vec2::new(0.0, 0.1)).length() / 1.5).clamp(0.0, 1.0));
    Vec3::new(0.955, 0.962, 0.97).lerp(Vec3::new(0.70, 0.735, 0.775), away)
}

fn to_bytes(color: Vec4) -> [u8; 4] {
    let alpha = color.w.clamp(0.0, 1.0);
    if alpha <= 0.0 {
        return [0; 4];
    }
    let [r, g, b] = (color.truncate() / alpha).to_array().map(srgb_from_linear);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "alpha is within 0 and 1")]
    let alpha = (alpha * 255.0 + 0.5) as u8;
    [r, g, b, alpha]
}

#[cfg(test)]
mod tests;
