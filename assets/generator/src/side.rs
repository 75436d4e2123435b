//! Left and right: the figure is drawn once, on its left (+X), and mirrored.

use glam::DVec3;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    Left,
    Right,
}

impl Side {
    pub(crate) const BOTH: [Self; 2] = [Self::Left, Self::Right];

    pub(crate) fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// The sign of X on this side.
    pub(crate) fn sign(self) -> f64 {
        match self {
            Self::Left => 1.0,
            Self::Right => -1.0,
        }
    }

    /// Takes a point of the left side to this side, and back.
    pub(crate) fn mirror(self, p: DVec3) -> DVec3 {
        DVec3::new(p.x * self.sign(), p.y, p.z)
    }

    /// `hand` becomes `hand_L` or `hand_R`.
    pub(crate) fn name(self, stem: &str) -> String {
        match self {
            Self::Left => format!("{stem}_L"),
            Self::Right => format!("{stem}_R"),
        }
    }
}
