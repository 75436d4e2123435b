//! Animated PNG: true colour without loss.

use std::fs::File;
use std::io::BufWriter;

use canter_soft::Picture;
use png::{BlendOp, Writer};

use super::delta::Delta;
use super::{Movie, unwritten};
use crate::failure::Failure;
use crate::render::options::Size;

pub(super) struct Apng {
    writer: Writer<BufWriter<File>>,
    last: Option<Picture>,
    is_animated: bool,
}

impl Apng {
    pub(super) fn create(file: BufWriter<File>, size: Size, frames: u32) -> Result<Self, Failure> {
        let mut encoder = png::Encoder::new(file, size.width, size.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        if frames > 1 {
            encoder.set_animated(frames, 0).map_err(|error| unwritten(&error))?;
        }
        let writer = encoder.write_header().map_err(|error| unwritten(&error))?;
        Ok(Self { writer, last: None, is_animated: frames > 1 })
    }

    fn write(&mut self, picture: &Picture, ticks: u16) -> Result<(), png::EncodingError> {
        if self.is_animated {
            self.writer.set_frame_delay(ticks, 1000)?;
        }
        match self.last.take() {
            None => self.writer.write_image_data(&picture.pixels)?,
            Some(last) => {
                let delta = Delta::new(&last, picture, 1);
                self.writer.reset_frame_position()?;
                self.writer.set_frame_dimension(delta.picture.width, delta.picture.height)?;
                self.writer.set_frame_position(delta.x, delta.y)?;
                self.writer.set_blend_op(if delta.is_over { BlendOp::Over } else { BlendOp::Source })?;
                self.writer.write_image_data(&delta.picture.pixels)?;
            }
        }
        self.last = Some(picture.clone());
        Ok(())
    }
}

impl Movie for Apng {
    fn add(&mut self, picture: &Picture, ticks: u16) -> Result<(), Failure> {
        self.write(picture, ticks).map_err(|error| unwritten(&error))
    }

    fn finish(self: Box<Self>) -> Result<(), Failure> {
        self.writer.finish().map_err(|error| unwritten(&error))
    }
}
