//! The letters of an old computer, in dots.

use canter_soft::Picture;
use font8x8::{BASIC_FONTS, UnicodeFonts as _};

/// How many dots a letter is wide and high, with the space beside and below it.
pub(crate) const SIDE: u8 = 8;

/// The dots of a letter: columns and rows from 0 to 7, from the top.
pub(crate) fn dots(letter: char) -> impl Iterator<Item = (u8, u8)> {
    let rows = BASIC_FONTS.get(letter).or_else(|| BASIC_FONTS.get('?')).unwrap_or_default();
    let row_dots = |(y, row): (u8, u8)| (0..SIDE).filter(move |x| row >> x & 1 == 1).map(move |x| (x, y));
    (0..SIDE).zip(rows).flat_map(row_dots)
}

/// Writes a line into a picture, `zoom` pixels for each dot. What lies outside is left out.
pub(crate) fn write(picture: &mut Picture, left: u32, top: u32, zoom: u32, text: &str, color: [u8; 3]) {
    for (index, letter) in (0_u32..).zip(text.chars()) {
        let left = left + index * u32::from(SIDE) * zoom;
        for (x, y) in dots(letter) {
            let (x, y) = (left + u32::from(x) * zoom, top + u32::from(y) * zoom);
            for row in y..(y + zoom).min(picture.height) {
                for column in x..(x + zoom).min(picture.width) {
                    let at = (row as usize * picture.width as usize + column as usize) * 4;
                    picture.pixels[at..at + 3].copy_from_slice(&color);
                    picture.pixels[at + 3] = 255;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_cut_off_at_the_edges() {
        let mut picture = Picture::new(20, 9);
        write(&mut picture, 3, 2, 2, "II€", [1, 2, 3]);
        write(&mut picture, 900, 900, 1, "I", [1, 2, 3]);
        let drawn = picture.pixels.chunks_exact(4).filter(|pixel| **pixel == [1, 2, 3, 255]).count();
        assert!(drawn > 10 && dots(' ').count() == 0);
    }
}
