//! What a picture shows besides the figures, and how.

use canter::glam::{DVec2, Vec3};

/// What a picture shows besides the figures, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// What is behind the figures.
    pub background: Background,
    /// The ground, if any.
    pub ground: Option<Ground>,
    /// Toward the sun. Its length does not matter.
    pub sun: Vec3,
    /// Whether the skeletons are drawn on top.
    pub skeleton: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            background: Background::Studio,
            ground: Some(Ground::default()),
            sun: Vec3::new(0.45, 0.9, 0.65),
            skeleton: false,
        }
    }
}

/// What is behind the figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Background {
    /// Soft light grey, white in the middle.
    #[default]
    Studio,
    /// One colour, sRGB.
    Color([u8; 3]),
    /// Nothing: the picture has an alpha channel (premultiplied). Of the ground only shadow and grid are drawn.
    Transparent,
}

impl Background {
    /// The linear colours of the middle and of the edge, and alpha.
    pub(super) fn colors(self) -> ([f32; 4], [f32; 4]) {
        match self {
            Self::Studio => ([0.93, 0.935, 0.94, 1.0], [0.60, 0.62, 0.65, 1.0]),
            Self::Color(bytes) => {
                let [r, g, b] = bytes.map(linear);
                ([r, g, b, 1.0], [r, g, b, 1.0])
            }
            Self::Transparent => ([0.0; 4], [0.0; 4]),
        }
    }
}

/// Light of an sRGB byte.
pub(super) fn linear(byte: u8) -> f32 {
    let value = f32::from(byte) / 255.0;
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// A level ground with a grid that fades. It is seen from above only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// How high it is in the world.
    pub height: f64,
    /// Metres between two lines of the grid; `None`: by the size of what is shown.
    pub spacing: Option<f64>,
    /// How far the grid is shifted along x and z. A figure that walks on the spot seems to walk over a grid that moves.
    pub offset: DVec2,
}

impl Default for Ground {
    fn default() -> Self {
        Self { height: 0.0, spacing: None, offset: DVec2::ZERO }
    }
}
