//! The chart in pixels, with the letters of an old computer.

use std::path::Path;

use canter_soft::Picture;

use super::chart::{BACKGROUND, Color, LETTER, Shape, WIDTH};
use crate::failure::Failure;
use crate::letters;
use crate::render::write_still;

/// Pixels per unit: letters of eight pixels are small on the screens of today.
const ZOOM: u32 = 2;

pub(super) fn write(path: &Path, shapes: &[Shape], height: u32) -> Result<(), Failure> {
    let mut canvas = Canvas(Picture::new(WIDTH * ZOOM, height * ZOOM));
    canvas.fill(0.0, 0.0, f64::from(WIDTH), f64::from(height), BACKGROUND);
    for shape in shapes {
        match shape {
            Shape::Bar { left, top, width, height, color } => {
                canvas.fill(*left, *top, *width, *height, *color);
            }
            Shape::Text { left, base, text, color } => canvas.text(*left, *base, text, *color),
        }
    }
    write_still(path, &canvas.0)
}

struct Canvas(Picture);

impl Canvas {
    fn fill(&mut self, left: f64, top: f64, width: f64, height: f64, [r, g, b]: Color) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
        let pixel = |units: f64, most: u32| ((units * f64::from(ZOOM)).round() as u32).min(most) as usize;
        let (columns, rows) = (self.0.width, self.0.height);
        let (from, to) = (pixel(left, columns), pixel(left + width, columns));
        for y in pixel(top, rows)..pixel(top + height, rows) {
            let row = &mut self.0.pixels[y * columns as usize * 4..][..columns as usize * 4];
            for pixel in row[from * 4..to * 4].chunks_exact_mut(4) {
                pixel.copy_from_slice(&[r, g, b, 255]);
            }
        }
    }

    fn text(&mut self, mut left: f64, base: f64, text: &str, color: Color) {
        for letter in text.chars() {
            for (x, y) in letters::dots(letter) {
                self.fill(left + f64::from(x), base - 7.0 + f64::from(y), 1.0, 1.0, color);
            }
            left += LETTER;
        }
    }
}
