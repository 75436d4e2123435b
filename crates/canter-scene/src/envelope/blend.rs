//! A box that travels with a mixture of joints.

use canter::Mat3x4;
use canter::glam::{Vec3, Vec4};

use super::Region;
use crate::bounds::Bounds;

/// A box that travels with a mixture of the joints of a skin, along the axes of the mesh.
#[derive(Clone, Debug)]
pub(super) struct Blend {
    pub(super) mixture: Vec<(usize, f32)>,
    pub(super) region: Region,
    /// The joint at whose expense vertices lean towards others.
    pub(super) anchor: usize,
    pub(super) deviations: Vec<Deviation>,
}

/// By how much the vertices of a blend can deviate because they lean towards `joint` more or less than the mixture, at the
/// expense of the anchor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deviation {
    pub(super) joint: usize,
    /// Where both agree when the joint only turns, with a fourth coordinate of one.
    pub(super) pivot: Vec4,
    /// `lean * (position - pivot)` and `lean` itself.
    pub(super) region: Region,
    /// The most that a vertex leans either way.
    pub(super) lean: f32,
}

impl Blend {
    /// Its box where a palette takes it, with what morph targets add.
    pub(super) fn under(&self, palette: &[Mat3x4], swollen: Region, reach: Vec3) -> Bounds {
        let region = self.region.plus(swollen);
        // Numbers are added up lane by lane; the sums over the lanes come last.
        let (mut centers, mut halves) = ([Vec4::ZERO; 3], [Vec4::ZERO; 3]);
        let mut mixed = [Vec4::ZERO; 3];
        for &(joint, weight) in &self.mixture {
            for (mixed, row) in mixed.iter_mut().zip(&palette[joint].rows) {
                *mixed += Vec4::from_array(*row) * weight;
            }
        }
        for ((row, center), half) in mixed.iter().zip(&mut centers).zip(&mut halves) {
            *center = *row * region.center;
            *half = row.abs() * region.half;
        }
        let anchor = &palette[self.anchor].rows;
        for deviation in &self.deviations {
            let joint = &palette[deviation.joint].rows;
            let Region { center: lean_center, half: lean_half } = deviation.region;
            let lean_half = lean_half + (reach * deviation.lean).extend(0.0);
            for axis in 0..3 {
                let mut difference = Vec4::from_array(joint[axis]) - Vec4::from_array(anchor[axis]);
                difference.w = difference.dot(deviation.pivot);
                centers[axis] += difference * lean_center;
                halves[axis] += difference.abs() * lean_half;
            }
        }
        let center = Vec3::from_array(centers.map(Vec4::element_sum));
        let half = Vec3::from_array(halves.map(Vec4::element_sum));
        Bounds { min: center - half, max: center + half }
    }
}
