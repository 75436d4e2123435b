//! Where joints hang together, and what to do when they come apart.

use canter::Mat3x4;
use canter::glam::{Vec3, Vec4};

use crate::bounds::Bounds;

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

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.hinges.is_empty()
    }

    /// Bounds with room for what hinges that are pulled apart move vertices by.
    #[inline(always)]
    pub(super) fn widen(&self, bounds: Bounds, palette: &[Mat3x4]) -> Bounds {
        if self.hinges.is_empty() {
            return bounds;
        }
        // A vertex may lean on several.
        let room = self.hinges.iter().map(|hinge| hinge.room(palette)).sum::<Vec3>();
        Bounds { min: bounds.min - room, max: bounds.max + room }
    }
}

impl Hinge {
    #[inline(always)]
    fn room(&self, palette: &[Mat3x4]) -> Vec3 {
        let (joint, parent) = (&palette[self.joint].rows, &palette[self.parent].rows);
        let pivot = self.pivot.extend(1.0);
        let apart = |axis: usize| (Vec4::from_array(joint[axis]) - Vec4::from_array(parent[axis])).dot(pivot);
        Vec3::new(apart(0), apart(1), apart(2)).abs() * self.lean
    }
}
