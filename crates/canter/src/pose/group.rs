//! Eight joints side by side.

use glam::{Quat, Vec3};

use crate::transform::Transform;

/// How many joints stand side by side: what one AVX2 register holds.
pub(crate) const LANES: usize = 8;

/// One number of each of eight joints.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Lanes(pub(crate) [f32; LANES]);

/// The transforms of eight joints, number by number.
///
/// A skeleton whose joint count is no multiple of eight has identity transforms at the end.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub(crate) struct JointGroup {
    pub(crate) translation: [Lanes; 3],
    pub(crate) rotation: [Lanes; 4],
    pub(crate) scale: [Lanes; 3],
}

impl JointGroup {
    pub(crate) const IDENTITY: Self = {
        const ZERO: Lanes = Lanes([0.0; LANES]);
        const ONE: Lanes = Lanes([1.0; LANES]);
        Self { translation: [ZERO; 3], rotation: [ZERO, ZERO, ZERO, ONE], scale: [ONE; 3] }
    };

    /// What changes nothing that is added to it, not even the sign of zero.
    pub(crate) const NEGATIVE_ZERO: Self = {
        const ZERO: Lanes = Lanes([-0.0; LANES]);
        Self { translation: [ZERO; 3], rotation: [ZERO; 4], scale: [ZERO; 3] }
    };

    pub(crate) fn from_transforms(transforms: &[Transform]) -> Vec<Self> {
        let group = |eight: &[Transform]| {
            let mut group = Self::IDENTITY;
            for (lane, &transform) in eight.iter().enumerate() {
                group.set_joint(lane, transform);
            }
            group
        };
        transforms.chunks(LANES).map(group).collect()
    }

    #[inline(always)]
    pub(crate) fn joint(&self, lane: usize) -> Transform {
        let ([px, py, pz], [sx, sy, sz]) = (&self.translation, &self.scale);
        let [x, y, z, w] = &self.rotation;
        Transform {
            translation: Vec3::new(px.0[lane], py.0[lane], pz.0[lane]),
            rotation: Quat::from_xyzw(x.0[lane], y.0[lane], z.0[lane], w.0[lane]),
            scale: Vec3::new(sx.0[lane], sy.0[lane], sz.0[lane]),
        }
    }

    pub(crate) fn set_joint(&mut self, lane: usize, transform: Transform) {
        put(&mut self.translation, lane, transform.translation.to_array());
        put(&mut self.rotation, lane, transform.rotation.to_array());
        put(&mut self.scale, lane, transform.scale.to_array());
    }
}

/// Writes one joint's numbers into its lane.
fn put<const N: usize>(lanes: &mut [Lanes; N], lane: usize, numbers: [f32; N]) {
    for (lanes, number) in lanes.iter_mut().zip(numbers) {
        lanes.0[lane] = number;
    }
}
