//! How much work shadows are.

/// How much work shadows are: at once the finest and the dearest part of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Shadows {
    /// Smooth ones. No GPU has trouble with them.
    #[default]
    Fine,
    /// A sixteenth of the texels, a quarter of the looks at them, and of surfaces with one side only those
    /// that face the sun: for drivers that draw on the CPU, while something moves.
    Coarse,
}

impl Shadows {
    /// Texels along each side of the map.
    pub(super) fn side(self) -> u16 {
        match self {
            Self::Fine => 2048,
            Self::Coarse => 512,
        }
    }

    /// What `shadow.wgsl` and those that use it are told: in how many places of the map they look.
    pub(super) fn constants(self) -> &'static str {
        match self {
            Self::Fine => "const FIGURE_TAPS = 16u;\nconst GROUND_TAPS = 24u;",
            Self::Coarse => "const FIGURE_TAPS = 4u;\nconst GROUND_TAPS = 6u;",
        }
    }
}
