//! Meshes with one box each, as most props are: eight of them at once.

use canter::Mat3x4;
use canter::glam::Vec3;
use fearless_simd::{Simd, f32x8, prelude::*};

use super::JointBox;
use super::corners::Corners;
use super::octet::{LANES, MOST_SLACK, Octet, Turn, chosen, eight};
use crate::bounds::Bounds;

/// Boxes, each of which is a mesh's bounds.
#[derive(Clone, Debug, Default)]
pub(super) struct LoneBoxes {
    octets: Vec<Eight>,
    /// Those that are calculated one by one, with the places of their bounds.
    single: Vec<(usize, JointBox)>,
}

#[derive(Clone, Debug)]
struct Eight {
    joints: [usize; LANES],
    /// The places of their bounds.
    places: [usize; LANES],
    boxes: Octet,
    /// By how much they have to be larger, in relation to their distance from the origin.
    slack: f32,
}

/// Fewer are calculated one by one.
const FEWEST: usize = 3;

impl LoneBoxes {
    pub(super) fn new(boxes: &[(usize, JointBox)]) -> Self {
        let (mut single, boxes): (Vec<_>, Vec<_>) =
            boxes.iter().partition(|(_, part)| part.slack() > MOST_SLACK);
        let (many, few): (Vec<_>, Vec<_>) = boxes.chunks(LANES).partition(|some| some.len() >= FEWEST);
        single.extend(few.concat());
        Self { octets: many.into_iter().map(Eight::new).collect(), single }
    }

    /// Writes the bounds of all where the joints are.
    #[inline(always)]
    pub(super) fn write<S: Simd>(
        &self,
        simd: S,
        columns: impl Turn<S>,
        joints: &[Mat3x4],
        bounds: &mut [Bounds],
    ) {
        for (place, part) in &self.single {
            bounds[*place] = Corners::under(simd, &part.region, &joints[part.joint]).bounds();
        }
        for eight in &self.octets {
            let [xy, zx, yz] = eight.boxes.extents(simd, columns, chosen(joints, &eight.joints));
            // Infinite numbers times zero are not zero.
            let probe = (xy.0 + xy.1) * 0.0 + ((zx.0 + zx.1) * 0.0 + (yz.0 + yz.1) * 0.0);
            let is_finite = probe.simd_eq(0.0).all_true();
            let (xy, zx, yz) = (eight.roomy(simd, xy), eight.roomy(simd, zx), eight.roomy(simd, yz));
            for lane in 0..LANES / 2 {
                let (low, high) = (lane, LANES / 2 + lane);
                bounds[eight.places[2 * lane]] = Bounds {
                    min: Vec3::new(xy.0[low], xy.0[high], zx.0[low]),
                    max: Vec3::new(xy.1[low], xy.1[high], zx.1[low]),
                };
                bounds[eight.places[2 * lane + 1]] = Bounds {
                    min: Vec3::new(zx.0[high], yz.0[low], yz.0[high]),
                    max: Vec3::new(zx.1[high], yz.1[low], yz.1[high]),
                };
            }
            if !is_finite {
                eight.places.iter().for_each(|&place| bounds[place] = bounds[place].without_overflow());
            }
        }
    }
}

impl Eight {
    fn new(boxes: &[(usize, JointBox)]) -> Self {
        let slack = boxes.iter().map(|(_, part)| part.slack()).fold(0.0, f32::max);
        let boxes = eight(boxes);
        Self {
            joints: boxes.map(|(_, part)| part.joint),
            places: boxes.map(|(place, _)| place),
            boxes: Octet::new(boxes.map(|(_, part)| part.region)),
            slack,
        }
    }

    #[inline(always)]
    fn roomy<S: Simd>(&self, simd: S, (least, most): (f32x8<S>, f32x8<S>)) -> ([f32; LANES], [f32; LANES]) {
        let room = least.abs().max(most.abs()) * f32x8::splat(simd, self.slack);
        ((least - room).into(), (most + room).into())
    }
}
