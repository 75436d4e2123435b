//! How large the numbers of a place may be.

use canter::LARGEST_F64;
use canter::glam::{DAffine3, DVec3};

/// Whether every number of a transform is finite and at most [`LARGEST_F64`] in magnitude.
pub(super) fn is_in_range(transform: &DAffine3) -> bool {
    transform.to_cols_array().iter().all(|number| number.abs() <= LARGEST_F64)
}

/// Cuts off what grew too large: scales that multiply from parent to child would overflow.
pub(super) fn cut(transform: DAffine3) -> DAffine3 {
    let cut = |column: DVec3| column.min(DVec3::splat(LARGEST_F64)).max(DVec3::splat(-LARGEST_F64));
    let axes = transform.matrix3;
    DAffine3::from_cols(cut(axes.x_axis), cut(axes.y_axis), cut(axes.z_axis), cut(transform.translation))
}
