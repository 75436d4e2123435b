//! Pictures on surfaces.

use std::collections::HashMap;
use std::io::Cursor;
use std::sync::Arc;

use canter::glam::{UVec2, Vec2, Vec4};
use canter_gltf::{Filter, PictureLimits, Sampler, Wrap};
use canter_scene::Model;

use crate::color::{linear_from_srgb, srgb_from_linear};

/// Larger pictures are refused: nobody can see that many texels.
const MAX_SIDE: u32 = 16_384;
const MOST_BYTES: u64 = 1 << 30;

/// Whether the numbers of a picture are colours, which are encoded, or plain numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Numbers {
    Color,
    Plain,
}

/// A decoded texture: light and alpha, at full size and at half of it, and so on down to a single texel.
#[derive(Debug)]
pub(crate) struct Texture {
    numbers: Numbers,
    levels: Vec<Level>,
    sampler: Sampler,
}

#[derive(Debug)]
struct Level {
    size: UVec2,
    /// sRGB, or its mean; four bytes a texel.
    texels: Vec<[u8; 4]>,
}

/// Decodes each picture once.
#[derive(Debug, Default)]
pub(crate) struct Textures {
    /// By the address of the model, which cannot be another's as long as it is kept here.
    models: HashMap<usize, Decoded>,
    grey: Option<Arc<Texture>>,
}

#[derive(Debug)]
struct Decoded {
    model: Arc<Model>,
    textures: HashMap<(usize, Numbers), Option<Arc<Texture>>>,
}

impl Textures {
    /// `None` where its picture is missing or cannot be decoded.
    pub(crate) fn texture(
        &mut self,
        model: &Arc<Model>,
        index: usize,
        numbers: Numbers,
    ) -> Option<Arc<Texture>> {
        let key = Arc::as_ptr(model).addr();
        let new = || Decoded { model: Arc::clone(model), textures: HashMap::new() };
        let Decoded { model, textures } = self.models.entry(key).or_insert_with(new);
        let load = || load(model, index, numbers).map(Arc::new);
        textures.entry((index, numbers)).or_insert_with(load).clone()
    }

    /// What is seen of a picture that nobody can read.
    pub(crate) fn grey(&mut self) -> Arc<Texture> {
        let grey = self.grey.get_or_insert_with(|| {
            let level = Level { size: UVec2::ONE, texels: vec![[128, 128, 128, 255]] };
            Arc::new(Texture { numbers: Numbers::Color, levels: vec![level], sampler: Sampler::default() })
        });
        Arc::clone(grey)
    }
}

fn load(model: &Model, index: usize, numbers: Numbers) -> Option<Texture> {
    let texture = model.asset.textures.get(index)?;
    let image = model.asset.images.get(texture.image?)?;
    let name = image.name.as_deref().or(image.uri.as_deref()).unwrap_or("without a name");
    match decode(&image.bytes) {
        Ok(level) => Some(Texture { numbers, levels: levels(level, numbers), sampler: texture.sampler }),
        Err(_) if image.bytes.is_empty() => None, // the loader has said so
        Err(error) => {
            log::warn!("the image {name} cannot be decoded, its surfaces are grey: {error}");
            None
        }
    }
}

fn decode(bytes: &[u8]) -> Result<Level, Box<dyn std::error::Error>> {
    if canter_gltf::is_ktx2(bytes) {
        let limits = PictureLimits { side: MAX_SIDE, bytes: MOST_BYTES };
        let picture = canter_gltf::decode_ktx2(bytes, &limits)?;
        let texels = picture.rgba.as_chunks::<4>().0.to_vec();
        return Ok(Level { size: UVec2::new(picture.width, picture.height), texels });
    }
    let mut reader = image::ImageReader::new(Cursor::new(bytes)).with_guessed_format()?;
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MOST_BYTES);
    reader.limits(limits);
    let picture = reader.decode()?.into_rgba8();
    let size = UVec2::new(picture.width().max(1), picture.height().max(1));
    let mut texels: Vec<[u8; 4]> = picture.pixels().map(|pixel| pixel.0).collect();
    texels.resize(size.x as usize * size.y as usize, [0; 4]);
    Ok(Level { size, texels })
}

/// Halves a picture until a single texel is left. Colours are averaged as light: dark and bright stripes do
/// not grow darker from afar.
fn levels(first: Level, numbers: Numbers) -> Vec<Level> {
    let mut levels = vec![first];
    while let Some(last) = levels.last().filter(|last| last.size.max_element() > 1) {
        let size = (last.size / 2).max(UVec2::ONE);
        let texels = (0..size.y)
            .flat_map(|y| (0..size.x).map(move |x| UVec2::new(x, y)))
            .map(|at| {
                let four =
                    [UVec2::ZERO, UVec2::X, UVec2::Y, UVec2::ONE].map(|step| last.texel(at * 2 + step));
                std::array::from_fn(|lane| mean(four.map(|texel| texel[lane]), numbers, lane))
            })
            .collect();
        levels.push(Level { size, texels });
    }
    levels
}

fn mean(four: [u8; 4], numbers: Numbers, lane: usize) -> u8 {
    if four.iter().all(|&byte| byte == four[0]) {
        four[0]
    } else if numbers == Numbers::Color && lane < 3 {
        srgb_from_linear(four.map(linear_from_srgb).iter().sum::<f32>() / 4.0)
    } else {
        let sum: u16 = four.map(u16::from).iter().sum();
        u8::try_from((sum + 2) / 4).unwrap_or(u8::MAX)
    }
}

impl Level {
    fn texel(&self, at: UVec2) -> [u8; 4] {
        let at = at.min(self.size - UVec2::ONE);
        self.texels[(at.y * self.size.x + at.x) as usize]
    }
}

impl Texture {
    /// Texels along each side, at full size.
    pub(crate) fn size(&self) -> Vec2 {
        self.levels[0].size.as_vec2()
    }

    /// The level whose texels are about as large as the samples, of a triangle that has so many of each.
    pub(crate) fn level(&self, texels: f32, samples: f32) -> usize {
        if self.sampler.mip_filter.is_none() {
            return 0;
        }
        let mut level = 0;
        let mut texels = texels / samples;
        while texels >= 2.25 && level + 1 < self.levels.len() {
            texels /= 4.0;
            level += 1;
        }
        level
    }

    /// Light and alpha at a place, or plain numbers.
    pub(crate) fn sample(&self, uv: Vec2, level: usize) -> Vec4 {
        let level = &self.levels[level.min(self.levels.len() - 1)];
        let filter = if std::ptr::eq(level, &raw const self.levels[0]) {
            self.sampler.mag_filter
        } else {
            self.sampler.min_filter
        };
        // Beyond this, a float has no places behind the point left.
        let uv = if uv.is_finite() { uv.clamp(Vec2::splat(-1e5), Vec2::splat(1e5)) } else { Vec2::ZERO };
        let place = uv * level.size.as_vec2();
        let across = |x: f32| wrap(self.sampler.wrap_u, x, level.size.x) as usize;
        let down = |y: f32| wrap(self.sampler.wrap_v, y, level.size.y) as usize * level.size.x as usize;
        let at = |index: usize| self.values(level.texels[index]);
        if filter == Filter::Nearest {
            let place = place.floor();
            return at(down(place.y) + across(place.x));
        }
        let corner = (place - 0.5).floor();
        let part = place - 0.5 - corner;
        let (left, right) = (across(corner.x), across(corner.x + 1.0));
        let (top, bottom) = (down(corner.y), down(corner.y + 1.0));
        let upper = at(top + left).lerp(at(top + right), part.x);
        let lower = at(bottom + left).lerp(at(bottom + right), part.x);
        upper.lerp(lower, part.y)
    }

    #[inline]
    fn values(&self, texel: [u8; 4]) -> Vec4 {
        let [r, g, b, alpha] = texel;
        match self.numbers {
            Numbers::Color => {
                let [r, g, b] = [r, g, b].map(linear_from_srgb);
                Vec4::new(r, g, b, f32::from(alpha) / 255.0)
            }
            Numbers::Plain => Vec4::from_array(texel.map(f32::from)) / 255.0,
        }
    }
}

/// The texel that is at a place which may be beyond the edge.
fn wrap(wrap: Wrap, place: f32, size: u32) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "places are bounded")]
    let place = place as i64;
    // Most places are within the picture.
    if let Ok(texel) = u32::try_from(place)
        && texel < size
    {
        return texel;
    }
    let size = i64::from(size);
    let texel = match wrap {
        Wrap::Clamp => place.clamp(0, size - 1),
        Wrap::Repeat => place.rem_euclid(size),
        Wrap::Mirror => {
            let place = place.rem_euclid(2 * size);
            if place < size { place } else { 2 * size - 1 - place }
        }
    };
    u32::try_from(texel).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_beyond_the_edge_wrap() {
        let table = [
            (Wrap::Clamp, [0, 0, 0, 1, 2, 2, 2]),
            (Wrap::Repeat, [1, 2, 0, 1, 2, 0, 1]),
            (Wrap::Mirror, [1, 0, 0, 1, 2, 2, 1]),
        ];
        for (mode, expected) in table {
            let found: Vec<_> = (-2_i8..5).map(|place| wrap(mode, f32::from(place), 3)).collect();
            assert_eq!(found, expected, "{mode:?}");
        }
    }

    #[test]
    fn the_last_level_is_the_mean() {
        let texels = vec![[0, 0, 0, 255], [200, 0, 0, 255], [0, 100, 0, 255], [200, 100, 0, 255]];
        for (numbers, mean) in [(Numbers::Plain, [100, 50, 0, 255]), (Numbers::Color, [146, 71, 0, 255])] {
            let levels = levels(Level { size: UVec2::splat(2), texels: texels.clone() }, numbers);
            assert_eq!(levels.len(), 2);
            assert_eq!(levels[1].texels, [mean], "{numbers:?}");
        }
    }

    #[test]
    fn what_is_no_picture_is_an_error() {
        assert!(decode(b"").is_err());
        assert!(decode(b"\x89PNG\r\n\x1a\n").is_err());
    }
}
