//! Files that films are written to.

mod apng;
mod delta;
mod folder;
mod gif;
mod webp;

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;

use canter_soft::Picture;

use super::options::Size;
use crate::failure::Failure;

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Png,
    Gif,
    WebP,
    /// A PNG for every frame.
    Folder,
}

impl Format {
    /// By the extension.
    pub(crate) fn of(path: &Path, is_still: bool) -> Result<Self, Failure> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
        let format = match extension.to_ascii_lowercase().as_str() {
            _ if path.is_dir() => Self::Folder,
            "png" | "apng" => Self::Png,
            "gif" => Self::Gif,
            "webp" => Self::WebP,
            "" => Self::Folder,
            other => {
                return Err(Failure::new(
                    format!("canter cannot write .{other} files"),
                    "write to NAME.png (a film, too), NAME.gif, NAME.webp, or into a folder",
                ));
            }
        };
        if is_still && format != Self::Png {
            return Err(Failure::new("a single picture is a .png", "give --output NAME.png"));
        }
        Ok(format)
    }

    /// The unit of the delays.
    pub(crate) fn ticks_per_sec(self) -> f64 {
        if self == Self::Gif { 100.0 } else { 1000.0 }
    }
}

/// A film that is being written.
pub(crate) trait Movie {
    /// Adds a frame that is shown for so many ticks.
    fn add(&mut self, picture: &Picture, ticks: u16) -> Result<(), Failure>;

    /// Writes what is left.
    fn finish(self: Box<Self>) -> Result<(), Failure>;
}

/// Begins a film. `palette_of` has pictures whose colours stand for all; only GIF needs them.
pub(crate) fn create(
    format: Format,
    path: &Path,
    size: Size,
    frames: u32,
    palette_of: &[Picture],
) -> Result<Box<dyn Movie>, Failure> {
    Ok(match format {
        Format::Folder => Box::new(folder::Folder::create(path)?),
        Format::Png => Box::new(apng::Apng::create(writer(path)?, size, frames)?),
        Format::Gif => Box::new(gif::Gif::create(writer(path)?, size, palette_of)?),
        Format::WebP => Box::new(webp::WebP::create(writer(path)?, size)),
    })
}

/// Writes a single picture as PNG.
pub(crate) fn write_still(path: &Path, picture: &Picture) -> Result<(), Failure> {
    let mut encoder = png::Encoder::new(writer(path)?, picture.width, picture.height);
    encoder.set_depth(png::BitDepth::Eight);
    let is_opaque = picture.pixels.chunks_exact(4).all(|pixel| pixel[3] == 255);
    encoder.set_color(if is_opaque { png::ColorType::Rgb } else { png::ColorType::Rgba });
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().map_err(|error| unwritten(&error))?;
    let result = if is_opaque {
        let rgb: Vec<u8> = picture.pixels.chunks_exact(4).flat_map(|pixel| &pixel[..3]).copied().collect();
        writer.write_image_data(&rgb)
    } else {
        writer.write_image_data(&picture.pixels)
    };
    result.and_then(|()| writer.finish()).map_err(|error| unwritten(&error))
}

/// How large a file is, or all frames in a folder.
pub(crate) fn size_on_disk(path: &Path) -> u64 {
    let size = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.len());
    let is_frame = |entry: &fs::DirEntry| entry.file_name().as_encoded_bytes().starts_with(b"frame-");
    match fs::read_dir(path) {
        Ok(entries) => entries.flatten().filter(is_frame).map(|entry| size(&entry.path())).sum(),
        Err(_) => size(path),
    }
}

fn writer(path: &Path) -> Result<BufWriter<File>, Failure> {
    File::create(path).map(BufWriter::new).map_err(|error| {
        Failure::new(format!("{} cannot be written: {error}", path.display()), "give another --output")
    })
}

fn unwritten(error: &dyn std::error::Error) -> Failure {
    Failure::new(format!("the picture cannot be written: {error}"), "is the disk full?")
}
