//! Pictures in files.

use std::io;
use std::path::{Path, PathBuf};

use canter_soft::Picture;

/// Writes a picture into a folder, under the first name that is free.
pub(super) fn save(folder: &Path, picture: &Picture) -> io::Result<PathBuf> {
    let path = |number: u32| folder.join(format!("canter-{number}.png"));
    let path = (1..).map(path).find(|path| !path.exists()).unwrap_or_else(|| path(0));
    let file = io::BufWriter::new(std::fs::File::create(&path)?);
    let mut encoder = png::Encoder::new(file, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&picture.pixels)?;
    writer.finish()?;
    Ok(path)
}
