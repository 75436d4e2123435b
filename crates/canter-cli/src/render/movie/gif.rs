//! GIF: 255 colours for the whole film, and transparency that is all or nothing.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write as _};

use canter_soft::Picture;
use color_quant::NeuQuant;
use gif::{DisposalMethod, Encoder, Frame, Repeat};

use super::{Movie, unwritten};
use crate::failure::Failure;
use crate::render::options::Size;

/// The index that stands for no colour.
const NONE: u8 = 255;
const COLORS: usize = 255;
/// The fewest pixels that the palette is learnt from, one in eight of them.
const LEARNED: usize = 16 * 1024;

pub(super) struct Gif {
    encoder: Encoder<BufWriter<File>>,
    size: (u16, u16),
    palette: NeuQuant,
    known: HashMap<[u8; 3], u8>,
    last: Vec<u8>,
}

impl Gif {
    pub(super) fn create(file: BufWriter<File>, size: Size, palette_of: &[Picture]) -> Result<Self, Failure> {
        let seen = palette_of.iter().flat_map(|picture| picture.pixels.chunks_exact(4));
        let mut opaque: Vec<u8> = seen.filter(|pixel| pixel[3] >= 128).flatten().copied().collect();
        if opaque.is_empty() {
            opaque = vec![0, 0, 0, 255];
        }
        // Fewer pixels than it wants to learn from would be too few: a small picture is looked at again and
        // again.
        if opaque.len() < 4 * LEARNED {
            opaque = opaque.repeat((4 * LEARNED).div_ceil(opaque.len()));
        }
        let palette = NeuQuant::new(8, COLORS, &opaque);
        let mut colors = palette.color_map_rgb();
        colors.resize(256 * 3, 0);
        let too_large = || Failure::new("a GIF has at most 65535 pixels a side", "give a smaller --size");
        let side = |side: u32| u16::try_from(side).map_err(|_| too_large());
        let size = (side(size.width)?, side(size.height)?);
        let mut encoder = Encoder::new(file, size.0, size.1, &colors).map_err(|error| unwritten(&error))?;
        encoder.set_repeat(Repeat::Infinite).map_err(|error| unwritten(&error))?;
        Ok(Self { encoder, size, palette, known: HashMap::new(), last: Vec::new() })
    }

    /// The nearest colour of the palette, lighter and darker by turns: a pattern instead of edges in soft
    /// shades.
    fn index(&mut self, pixel: &[u8], x: usize, y: usize) -> u8 {
        const PATTERN: [[i16; 4]; 4] = [[-4, 0, -3, 1], [2, -2, 3, -1], [-3, 1, -4, 0], [3, -1, 2, -2]];
        if pixel[3] < 128 {
            return NONE;
        }
        let shift = PATTERN[y % 4][x % 4] / 2;
        let color = [0, 1, 2]
            .map(|lane| u8::try_from((i16::from(pixel[lane]) + shift).clamp(0, 255)).unwrap_or(pixel[lane]));
        let palette = &self.palette;
        *self.known.entry(color).or_insert_with(|| {
            let [red, green, blue] = color;
            u8::try_from(palette.index_of(&[red, green, blue, 255])).unwrap_or(0).min(NONE - 1)
        })
    }
}

impl Movie for Gif {
    fn add(&mut self, picture: &Picture, ticks: u16) -> Result<(), Failure> {
        let width = usize::from(self.size.0);
        let indices: Vec<u8> = (picture.pixels.chunks_exact(4).enumerate())
            .map(|(at, pixel)| self.index(pixel, at % width, at / width))
            .collect();
        // What is transparent has to be cleared; else only what has changed is drawn over the frame before.
        let has_holes = indices.contains(&NONE);
        let mut buffer = indices.clone();
        if !has_holes && self.last.len() == indices.len() {
            for (index, last) in buffer.iter_mut().zip(&self.last) {
                if index == last {
                    *index = NONE;
                }
            }
        }
        let frame = Frame {
            delay: ticks,
            dispose: if has_holes { DisposalMethod::Background } else { DisposalMethod::Keep },
            transparent: Some(NONE),
            width: self.size.0,
            height: self.size.1,
            buffer: buffer.into(),
            ..Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(|error| unwritten(&error))?;
        self.last = if has_holes { Vec::new() } else { indices };
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), Failure> {
        let mut file = self.encoder.into_inner().map_err(|error| unwritten(&error))?;
        file.flush().map_err(|error| unwritten(&error))
    }
}
