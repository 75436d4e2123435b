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
    /// Samples along each side of a pixel, from 1 (jagged) to 8. The cost grows with the square.
    pub samples: u32,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            background: Background::Studio,
            ground: Some(Ground::default()),
            sun: Vec3::new(0.45, 0.9, 0.65),
            skeleton: false,
            samples: 3,
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
    /// Nothing: the picture has an alpha channel. Of the ground only the shadow is drawn.
    Transparent,
}

/// A level ground with a grid that fades.
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
