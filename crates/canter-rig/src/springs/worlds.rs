//! Where characters are turned to, side by side, and their points in the world.

use canter::Mat3x4;

use super::state::{Point, set};
use crate::lane::{Kernel, Lane, Vector, Vectors};
use crate::turn_batch::Link;
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
}

/// Reads where the animated poses have the points of a chain, brings that from the model to the world, and measures its
/// bones. What is remembered of them moves with the characters.
pub(super) struct Place<'a, const N: usize> {
    /// Those of some other character where there is none.
    pub(super) models: [&'a [Mat3x4]; N],
    pub(super) links: &'a [Link],
    /// Where the tails of last joints are, if these have one.
    pub(super) tails: &'a Vectors<N>,
    pub(super) worlds: &'a Worlds<N>,
    pub(super) ways: &'a Vectors<N>,
    pub(super) points: &'a mut [Point<N>],
}

impl<const N: usize> Kernel<N> for Place<'_, N> {
    #[inline(always)]
    fn run<L: Lane<Numbers = [f32; N]>>(self, like: L) {
        let [x, y, z] = &self.worlds.axes;
        let [x, y, z] = [L::Vector::load(like, x), L::Vector::load(like, y), L::Vector::load(like, z)];
        let way = L::Vector::load(like, self.ways);
        let mut last = L::Vector::from_parts([like.all(0.0); 3]);
        for (index, point) in self.points.iter_mut().enumerate() {
            let mut places = *self.tails;
            if let Some((joint, _)) = self.links.get(index) {
                for (lane, matrices) in self.models.iter().enumerate() {
                    let [x, y, z] = &matrices[joint.index()].rows;
                    [places[0][lane], places[1][lane], places[2][lane]] = [x[3], y[3], z[3]];
                }
            }
            let [along_x, along_y, along_z] = L::Vector::load(like, &places).parts();
            let now = x.times(along_x).plus(y.times(along_y)).plus(z.times(along_z));
            let bone = now.minus(last);
            last = now;
            now.store(&mut point.now);
            let (direction, length) = bone.measured();
            direction.store(&mut point.direction);
            length.store(&mut point.length);
            for place in [&mut point.before, &mut point.current, &mut point.previous] {
                L::Vector::load(like, place).plus(way).store(place);
            }
        }
    }
}
