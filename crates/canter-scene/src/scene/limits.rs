//! How large the numbers of a place may be.

use canter::glam::{DAffine3, DVec3};

/// The same as in the core and in files. Products of such numbers are finite, also in `f32`, for which places are drawn.
const LARGEST: f64 = 1e18;

/// Whether every number of a transform is finite and at most [`LARGEST`] in magnitude.
pub(super) fn is_tame(transform: &DAffine3) -> bool {
    transform.to_cols_array().iter().all(|number| number.abs() <= LARGEST)
}

/// Cuts off what grew too large: scales that multiply from parent to child would overflow.
pub(super) fn cut(transform: DAffine3) -> DAffine3 {
    let cut = |column: DVec3| column.min(DVec3::splat(LARGEST)).max(DVec3::splat(-LARGEST));
    let axes = transform.matrix3;
    DAffine3::from_cols(cut(axes.x_axis), cut(axes.y_axis), cut(axes.z_axis), cut(transform.translation))
}
