//! A shape of 26 faces that travels with one joint: for what is too round for a box.

use canter::Mat3x4;
use canter::glam::Vec3;

use super::Region;
use crate::bounds::Bounds;

/// How far points reach in the 26 directions of a cube's faces, edges and corners.
///
/// How far they reach at most in any other direction follows: that is a mixture of the nearest face, edge and corner.
#[derive(Clone, Debug)]
pub(super) struct Dop {
    pub(super) joint: usize,
    /// Faces by axis and sign; from 6 on edges, by the axis along which they lie and the signs of the next two; from 18 on
    /// corners, by the signs of all three. Opposite directions differ in the bits of the signs. (A power of two needs
    /// no checks of indices.)
    reach: [f32; 32],
    /// Room in relation to the translation.
    slack: f32,
}

const CORNERS: usize = 18;

impl Dop {
    /// The shape around points. `room` is what has to be added for the largest of their coordinates.
    pub(super) fn around(joint: usize, points: impl Iterator<Item = Vec3>, room: f32, slack: f32) -> Self {
        let mut dop = Self { joint, reach: [f32::NEG_INFINITY; 32], slack };
        for point in points {
            for (direction, reach) in directions().zip(&mut dop.reach) {
                *reach = reach.max(direction.dot(point));
            }
        }
        dop.reach.iter_mut().for_each(|reach| *reach += room);
        dop
    }

    /// The box around where a matrix takes the shape, swollen by what morph targets add.
    pub(super) fn under(&self, matrix: &Mat3x4, swollen: Region) -> Bounds {
        let [x, y, z] = &matrix.rows;
        let (x, y, z) = (self.along(x), self.along(y), self.along(z));
        let more = swollen.bounds_under(matrix);
        Bounds { min: more.min + Vec3::new(x.0, y.0, z.0), max: more.max + Vec3::new(x.1, y.1, z.1) }
    }

    /// The least and the greatest value that a row of a matrix makes of the points.
    #[inline(always)]
    fn along(&self, row: &[f32; 4]) -> (f32, f32) {
        const MAGNITUDE: u32 = 0x7fff_ffff;
        let bits = [row[0].to_bits(), row[1].to_bits(), row[2].to_bits()];
        let signs = (bits[0] >> 31 | bits[1] >> 31 << 1 | bits[2] >> 31 << 2) as usize;
        // Positive numbers are in the same order as their bits.
        let length = [bits[0] & MAGNITUDE, bits[1] & MAGNITUDE, bits[2] & MAGNITUDE];
        let order = usize::from(length[0] >= length[1])
            | usize::from(length[1] >= length[2]) << 1
            | usize::from(length[0] >= length[2]) << 2;
        let [long, middle, short] = AXES[order];
        let (most, some, least) =
            (f32::from_bits(length[long]), f32::from_bits(length[middle]), f32::from_bits(length[short]));
        let mix = |signs: usize| {
            let face = self.reach[(2 * long + (signs >> long & 1)) & 31];
            let edge = self.reach[usize::from(EDGE[short][signs]) & 31];
            let corner = self.reach[(CORNERS + signs) & 31];
            (most - some) * face + ((some - least) * edge + least * corner)
        };
        let room = row[3].abs() * self.slack;
        (row[3] - (mix(signs ^ 7) + room), row[3] + (mix(signs) + room))
    }
}

/// The axes from the longest to the shortest, by whether x is at least y, y at least z, x at least z. (Two of the eight cannot
/// be.)
const AXES: [[usize; 3]; 8] =
    [[2, 1, 0], [2, 0, 1], [1, 2, 0], [0, 1, 2], [2, 1, 0], [0, 2, 1], [1, 0, 2], [0, 1, 2]];

/// Where an edge is kept, by the axis along which it lies and the signs of all three.
const EDGE: [[u8; 8]; 3] =
    [[6, 6, 7, 7, 8, 8, 9, 9], [10, 12, 10, 12, 11, 13, 11, 13], [14, 15, 16, 17, 14, 15, 16, 17]];

/// The directions in the order in which a shape keeps them.
fn directions() -> impl Iterator<Item = Vec3> {
    let sign = |index: usize, bit: usize| if index >> bit & 1 == 0 { 1.0 } else { -1.0 };
    let mut directions = Vec::with_capacity(26);
    let along = |axis: usize, length: f32| Vec3::AXES[axis % 3] * length;
    directions.extend((0..6).map(|index| along(index / 2, sign(index, 0))));
    directions.extend((0..12).map(|index| {
        let axis = index / 4;
        along(axis + 1, sign(index, 0)) + along(axis + 2, sign(index, 1))
    }));
    directions.extend((0..8).map(|index| Vec3::new(sign(index, 0), sign(index, 1), sign(index, 2))));
    directions.into_iter()
}
