//! Where joints hang together, and what to do when they come apart.

use canter::Mat3x4;
use canter::glam::Vec3;
use fearless_simd::{Simd, f32x4, prelude::*};

use super::corners::{Corners, sums};

/// Where a joint of a skin meets the one above it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hinge {
    pub(super) joint: usize,
    pub(super) parent: usize,
    pub(super) pivot: Vec3,
    /// By how much a vertex leans on it, at most. See [`shares`](super::shares).
    pub(super) lean: f32,
}

/// The hinges that the shares of vertices rely on.
#[derive(Clone, Debug, Default)]
pub(super) struct Hinges {
    hinges: Vec<Hinge>,
}

impl Hinges {
    pub(super) fn new(hinges: Vec<Hinge>) -> Self {
        Self { hinges }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.hinges.is_empty()
    }

    /// Bounds with room for what hinges that are pulled apart move vertices by.
    #[inline(always)]
    pub(super) fn widen<S: Simd>(&self, simd: S, corners: Corners<S>, palette: &[Mat3x4]) -> Corners<S> {
        // A vertex may lean on several.
        let mut room = f32x4::splat(simd, 0.0);
        for hinge in &self.hinges {
            room += hinge.room(simd, palette);
        }
        corners.grown(room)
    }
}

impl Hinge {
    #[inline(always)]
    fn room<S: Simd>(&self, simd: S, palette: &[Mat3x4]) -> f32x4<S> {
        let (joint, parent) = (&palette[self.joint].rows, &palette[self.parent].rows);
        let pivot = f32x4::simd_from(simd, self.pivot.extend(1.0).to_array());
        let apart = |axis: usize| {
            (f32x4::simd_from(simd, joint[axis]) - f32x4::simd_from(simd, parent[axis])) * pivot
        };
        sums(apart(0), apart(1), apart(2)).abs() * self.lean
    }
}
