//! What a picture shows besides the figures, and how.

use canter::glam::{DVec2, DVec3, Vec2, Vec3};

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
    /// Nothing: the picture has an alpha channel. Of the ground there is only what lies on it.
    Transparent,
}

/// A level ground with a grid that fades. It is seen from above only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// How high it is in the world.
    pub height: f64,
    /// Metres between two lines of the grid; `None`: by the size of what is shown.
    pub spacing: Option<f64>,
    /// How far the grid is shifted along x and z. A figure that walks on the spot seems to walk over a grid
    /// that moves.
    pub offset: DVec2,
}

impl Default for Ground {
    fn default() -> Self {
        Self { height: 0.0, spacing: None, offset: DVec2::ZERO }
    }
}

impl Ground {
    /// Metres between two lines of the grid below something of a size in metres.
    #[must_use]
    pub fn line_spacing(&self, size: f32) -> f32 {
        let wanted = self.spacing.filter(|spacing| *spacing > 0.0 && spacing.is_finite());
        #[expect(clippy::cast_possible_truncation, reason = "a distance between lines")]
        wanted.map_or_else(|| round_spacing(size / 4.0), |spacing| spacing as f32).clamp(1e-4, 1e9)
    }

    /// How far a place in the world is from the last lines before it along x and z, so that lines stay where
    /// they are when a camera moves.
    #[must_use]
    pub fn line_offset(&self, place: DVec3, spacing: f32) -> Vec2 {
        let (shifted, step) = (self.offset + DVec2::new(place.x, place.z), f64::from(spacing));
        (shifted - (shifted / step).floor() * step).as_vec2()
    }
}

/// 1, 2 or 5 times a power of ten.
fn round_spacing(wanted: f32) -> f32 {
    let mut power = 1e-4_f32;
    while power * 10.0 <= wanted && power < 1e9 {
        power *= 10.0;
    }
    [5.0, 2.0, 1.0].map(|step| step * power).into_iter().find(|&step| step <= wanted).unwrap_or(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_round_numbers_apart() {
        for (wanted, spacing) in [(0.49, 0.2), (0.5, 0.5), (0.7, 0.5), (1.9, 1.0), (3.0, 2.0), (75.0, 50.0)] {
            let lines = Ground::default().line_spacing(wanted * 4.0);
            assert!((lines - spacing).abs() < 1e-4 * spacing, "{wanted}");
        }
    }

    #[test]
    fn a_spacing_is_taken_if_it_makes_sense() {
        let spacing = |spacing: f64| Ground { spacing: Some(spacing), ..Ground::default() }.line_spacing(4.0);
        assert!((spacing(0.3) - 0.3).abs() < 1e-6);
        for nonsense in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!((spacing(nonsense) - 1.0).abs() < 1e-3, "{nonsense}");
        }
        for extreme in [1e-300, 1e300] {
            assert!(spacing(extreme).is_normal(), "{extreme}");
        }
    }

    #[test]
    fn the_offset_is_within_a_step_however_far_away() {
        let ground = Ground { offset: DVec2::new(0.25, 0.0), ..Ground::default() };
        let offset = ground.line_offset(DVec3::new(1e6, 7.0, -0.25), 0.5);
        assert!((offset - Vec2::new(0.25, 0.25)).length() < 1e-6, "{offset}");
    }
}
