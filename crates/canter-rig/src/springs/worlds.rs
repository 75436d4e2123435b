//! Where characters are turned to, side by side.

use super::state::{Point, set};
use crate::lane::Vectors;
use crate::vector::Matrix3;

/// The axes of `N` characters in the world.
pub(super) struct Worlds<const N: usize> {
    axes: [Vectors<N>; 3],
}

impl<const N: usize> Worlds<N> {
    /// Those of characters that are not turned.
    pub(super) const NONE: Self = Self {
        axes: [
            [[1.0; N], [0.0; N], [0.0; N]],
            [[0.0; N], [1.0; N], [0.0; N]],
            [[0.0; N], [0.0; N], [1.0; N]],
        ],
    };

    pub(super) fn set(&mut self, lane: usize, world: &Matrix3) {
        for (axis, vector) in self.axes.iter_mut().zip([world.x_axis, world.y_axis, world.z_axis]) {
            set(axis, lane, vector);
        }
    }

    /// Brings where the points of a chain are from the model to the world, and measures its bones.
    // Loops over lanes, which the compiler makes into whole registers.
    pub(super) fn place(&self, points: &mut [Point<N>]) {
        let [x, y, z] = &self.axes;
        let mut before = [[0.0; N]; 3];
        for point in points {
            let local = point.now;
            for (axis, now) in point.now.iter_mut().enumerate() {
                for (lane, now) in now.iter_mut().enumerate() {
                    *now = (x[axis][lane] * local[0][lane] + y[axis][lane] * local[1][lane])
                        + z[axis][lane] * local[2][lane];
                }
            }
            for (lane, length) in point.length.iter_mut().enumerate() {
                let way = |axis: usize| point.now[axis][lane] - before[axis][lane];
                let [x, y, z] = [way(0), way(1), way(2)];
                *length = ((x * x + y * y) + z * z).sqrt();
            }
            before = point.now;
        }
    }
}
