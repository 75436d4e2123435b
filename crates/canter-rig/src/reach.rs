//! What came of it.

/// Whether a solver got where it was asked to, and what is left of the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// Whether the target is reached: within 1e-4 of the length of the chain, or within a milliradian of the
    /// direction.
    pub is_reached: bool,
    /// What remains between the end of the chain and its target, in the pose as it is now: metres, or radians
    /// where a direction was asked for. Infinite if the target was not a number.
    pub remaining: f32,
}

impl Reach {
    /// What a target that is not a number, or a chain without length, is answered with.
    pub(crate) const NOTHING: Self = Self { is_reached: false, remaining: f32::INFINITY };

    /// By the distance that is left for a chain of so many metres.
    pub(crate) fn within(remaining: f32, length: f32) -> Self {
        if remaining.is_finite() {
            Self { is_reached: remaining <= 1e-4 * length, remaining }
        } else {
            Self::NOTHING
        }
    }
}
