//! A finished picture.

/// Pixels row by row from the top, four bytes each: red, green, blue (sRGB), and alpha, by which the colours
/// are not multiplied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `width * height * 4` bytes.
    pub pixels: Vec<u8>,
}

impl Picture {
    /// A transparent picture.
    #[must_use]
    pub fn new(width: u32, height: u32) -> Self {
        Self { width, height, pixels: vec![0; width as usize * height as usize * 4] }
    }

    /// The pixel in a column and a row; `None` outside.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        if x >= self.width {
            return None;
        }
        let start = (y as usize * self.width as usize + x as usize) * 4;
        self.pixels.get(start..start + 4)?.try_into().ok()
    }
}
