//! Meshes that tests make up.

use std::collections::BTreeMap;
use std::iter;

use canter::Mat3x4;
use canter::glam::{Affine3A, EulerRot, Mat4, Quat, Vec3};

use super::vertices::Joints;
use super::{Envelope, Sample, Vertices};
use crate::bounds::Bounds;

/// The bounds of a mesh in a pose.
pub(super) fn bounds_in(envelope: &Envelope, pose: &Sample<'_>) -> Bounds {
    envelope.clone().all_bounds(iter::once(pose))[0]
}

/// Numbers between -1 and 1.
pub(super) fn numbers(seed: u32) -> impl FnMut() -> f32 {
    let mut state = seed.wrapping_mul(2_654_435_761) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 8) as f32 / (1 << 23) as f32 - 1.0
    }
}

/// A chain of joints along x, one unit apart, and vertices with their weights, as many as there are joints.
pub(super) fn chain(vertices: &[(Vec3, Vec<f32>)]) -> Vertices {
    let count = vertices[0].1.len();
    Vertices {
        positions: vertices.iter().map(|vertex| vertex.0).collect(),
        ends: (1..=vertices.len()).map(|number| number * count).collect(),
        influences: vertices.iter().flat_map(|vertex| vertex.1.iter().copied().enumerate()).collect(),
        targets: Vec::new(),
        joints: Joints {
            in_skeleton: (0..count).collect(),
            joint_from_mesh: vec![Mat3x4::IDENTITY; count],
            parents: (0..count).map(|joint| joint.checked_sub(1)).collect(),
            depths: (0_u32..).take(count).collect(),
            pivots: (0..count).map(|joint| Vec3::X * joint as f32).collect(),
        },
        is_rigid: false,
        shares: BTreeMap::new(),
    }
}

/// The joints of a chain, each turned about its hinge and pulled away from it by up to a distance.
pub(super) fn bent(vertices: &Vertices, next: &mut impl FnMut() -> f32, apart: f32) -> Vec<Mat3x4> {
    let mut above = Affine3A::IDENTITY;
    let turn = |pivot: &Vec3| {
        let turn = Quat::from_euler(EulerRot::XYZ, next() * 2.0, next() * 2.0, next() * 2.0);
        let place = *pivot + Vec3::new(next(), next(), next()) * apart;
        above =
            above * Affine3A::from_rotation_translation(turn, place) * Affine3A::from_translation(-*pivot);
        Mat3x4::from_mat4(Mat4::from(above))
    };
    vertices.joints.pivots.iter().map(turn).collect()
}
