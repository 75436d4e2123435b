//! A contact sheet: many moments on one picture.

use canter_soft::Picture;

use super::film::Film;
use super::options::Grid;
use super::painter::Painter;
use super::stage::Stage;
use crate::failure::Failure;

/// Draws the films at even times, one behind another, each with its share of the pictures.
pub(crate) fn draw(
    grid: Grid,
    stage: &mut Stage,
    films: &[Film],
    painter: &mut Painter,
) -> Result<Picture, Failure> {
    let Some(first) = films.first() else { return Ok(Picture::default()) };
    let size = first.size();
    let mut sheet = Picture::new(grid.columns * size.width, grid.rows * size.height);
    let cells = grid.columns * grid.rows;
    let films_len = u32::try_from(films.len()).unwrap_or(u32::MAX);
    let share = (cells / films_len).max(1);
    for cell in 0..cells {
        let Some(film) = films.get((cell / share) as usize) else { break };
        let secs = film.secs() * f64::from(cell % share) / f64::from(share);
        let picture = film.draw_at(secs, stage, painter)?;
        let (column, row) = (cell % grid.columns, cell / grid.columns);
        paste(&mut sheet, &picture, column * size.width, row * size.height);
    }
    Ok(sheet)
}

/// Copies a picture into a larger one.
pub(super) fn paste(sheet: &mut Picture, picture: &Picture, left: u32, top: u32) {
    let row_bytes = picture.width as usize * 4;
    let sheet_bytes = sheet.width as usize * 4;
    let start = top as usize * sheet_bytes + left as usize * 4;
    for (line, pixels) in picture.pixels.chunks_exact(row_bytes).enumerate() {
        let at = start + line * sheet_bytes;
        sheet.pixels[at..at + row_bytes].copy_from_slice(pixels);
    }
}
