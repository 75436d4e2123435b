//! How finely a picture is drawn: coarsely while something moves, finely when all stands still.

use super::Shot;

/// A picture may take so long while something moves. The panels around it take about half of that again on a
/// software driver: fifteen frames a second are the aim.
const PATIENCE_SECS: f32 = 0.035;

/// How finely the next picture is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// At a smaller size, with jagged edges.
    Coarse([u32; 2]),
    /// At its full size.
    Fine([u32; 2]),
}

/// Remembers what was drawn last, and how long it took.
#[derive(Clone, Copy, Debug)]
pub(super) struct Detail {
    /// Whether every picture is fine, because there is somebody who draws quickly.
    is_quick: bool,
    drawn: Option<(Shot, bool)>,
    /// Pixels of a coarse picture for each of the screen, along a side.
    scale: f32,
}

impl Detail {
    pub(super) fn new(is_quick: bool) -> Self {
        Self { is_quick, drawn: None, scale: 0.8 }
    }

    /// How to draw a shot; `None` if that has been done as finely as it can be.
    pub(super) fn level(&self, shot: &Shot) -> Option<Level> {
        match self.drawn {
            Some((drawn, is_fine)) if drawn == *shot => (!is_fine).then_some(Level::Fine(shot.size)),
            _ if self.is_quick => Some(Level::Fine(shot.size)),
            _ => Some(Level::Coarse(shot.size.map(|side| scaled(side, self.scale)))),
        }
    }

    /// Notes what was drawn and how long it took. Returns whether a finer picture is still to come.
    pub(super) fn note(&mut self, shot: Shot, level: Level, secs: f32) -> bool {
        let is_fine = matches!(level, Level::Fine(_));
        if !is_fine {
            // By the root: the cost grows with the area. Vertices and shadows cost the same at any size, so
            // that less would hardly be quicker, but ugly.
            let better = self.scale * (PATIENCE_SECS / secs.max(1e-4)).sqrt();
            self.scale = (self.scale * 0.8 + better * 0.2).clamp(0.6, 1.0);
        }
        self.drawn = Some((shot, is_fine));
        !is_fine
    }
}

fn scaled(side: u32, scale: f32) -> u32 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a smaller side than before")]
    let side = (side as f32 * scale) as u32;
    side.max(1)
}

#[cfg(test)]
mod tests {
    use canter::glam::DVec3;
    use canter_scene::{Camera, Look};

    use super::*;

    #[test]
    fn what_moves_is_coarse_and_what_stands_still_gets_finer_once() {
        let shot = |version| {
            let camera = Camera::orbit(DVec3::ZERO, 5.0, 0.0, 0.0);
            Shot { version, camera, look: Look::default(), size: [800, 600] }
        };
        let mut detail = Detail::new(false);
        for version in 0..20 {
            let level = detail.level(&shot(version)).unwrap();
            assert!(matches!(level, Level::Coarse([width, _]) if width <= 800), "{level:?}");
            // Slow at first, quick later.
            assert!(detail.note(shot(version), level, if version < 10 { 1.0 } else { 0.001 }));
        }
        assert_eq!(detail.level(&shot(19)), Some(Level::Fine([800, 600])));
        assert!(!detail.note(shot(19), Level::Fine([800, 600]), 3.0));
        assert_eq!(detail.level(&shot(19)), None);
        assert_eq!(Detail::new(true).level(&shot(20)), Some(Level::Fine([800, 600])));
    }
}
