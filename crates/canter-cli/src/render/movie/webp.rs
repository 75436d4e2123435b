//! Animated WebP without loss: the frames of a still encoder, in the container that makes them a film.

use std::fs::File;
use std::io::{BufWriter, Write as _};

use canter_soft::Picture;
use image_webp::{ColorType, WebPEncoder};

use super::delta::Delta;
use super::{Movie, unwritten};
use crate::failure::Failure;
use crate::render::options::Size;

pub(super) struct WebP {
    file: BufWriter<File>,
    size: Size,
    /// The chunks of the frames: the header before them tells their size.
    frames: Vec<u8>,
    last: Option<Picture>,
}

impl WebP {
    pub(super) fn create(file: BufWriter<File>, size: Size) -> Self {
        Self { file, size, frames: Vec::new(), last: None }
    }
}

impl Movie for WebP {
    fn add(&mut self, picture: &Picture, ticks: u16) -> Result<(), Failure> {
        let delta = match self.last.take() {
            Some(last) => Delta::new(&last, picture, 2),
            None => Delta { x: 0, y: 0, picture: picture.clone(), is_over: false },
        };
        let image = encode(&delta.picture)?;
        let mut frame = Vec::new();
        for value in
            [delta.x / 2, delta.y / 2, delta.picture.width - 1, delta.picture.height - 1, ticks.into()]
        {
            frame.extend_from_slice(&value.to_le_bytes()[..3]);
        }
        // The second bit: not over, but instead of what is there.
        frame.push(if delta.is_over { 0 } else { 2 });
        frame.extend_from_slice(&image);
        chunk(&mut self.frames, b"ANMF", &frame);
        self.last = Some(picture.clone());
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), Failure> {
        const ANIMATION: u8 = 2;
        const ALPHA: u8 = 16;
        let mut header = vec![ANIMATION | ALPHA, 0, 0, 0];
        for side in [self.size.width - 1, self.size.height - 1] {
            header.extend_from_slice(&side.to_le_bytes()[..3]);
        }
        let mut body = b"WEBP".to_vec();
        chunk(&mut body, b"VP8X", &header);
        // No background, endlessly.
        chunk(&mut body, b"ANIM", &[0; 6]);
        body.append(&mut self.frames);
        let mut riff = Vec::new();
        chunk(&mut riff, b"RIFF", &body);
        self.file.write_all(&riff).and_then(|()| self.file.flush()).map_err(|error| unwritten(&error))
    }
}

/// The image chunk of a still picture: what is behind `RIFF`, a size, and `WEBP`.
fn encode(picture: &Picture) -> Result<Vec<u8>, Failure> {
    let mut file = Vec::new();
    WebPEncoder::new(&mut file)
        .encode(&picture.pixels, picture.width, picture.height, ColorType::Rgba8)
        .map_err(|error| unwritten(&error))?;
    Ok(file.split_off(12.min(file.len())))
}

/// A name, a size, the data, and a zero if the size is odd.
fn chunk(target: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    target.extend_from_slice(name);
    target.extend_from_slice(&u32::try_from(data.len()).unwrap_or(u32::MAX).to_le_bytes());
    target.extend_from_slice(data);
    if data.len() % 2 == 1 {
        target.push(0);
    }
}
