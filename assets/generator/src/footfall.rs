//! Where feet come down: the markers of a clip.

use super::side::Side;

/// A foot that meets the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Footfall {
    pub side: Side,
    pub time_secs: f64,
}

/// The times at which a curve of `(time, height)` keys comes down to zero.
pub(crate) fn landings(lift: &[(f64, f64)]) -> impl Iterator<Item = f64> {
    lift.windows(2).filter(|pair| pair[0].1 > 0.0 && pair[1].1 == 0.0).map(|pair| pair[1].0)
}
