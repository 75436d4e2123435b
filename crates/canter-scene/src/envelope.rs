//! Boxes that travel with joints: the bounds of a skinned mesh in any pose, without touching its vertices.
//!
//! A vertex goes to a weighted mean of the places where its joints would take it. So the box around what *all* its
//! joints would make of it contains it, in every pose: a box per joint around the vertices that the joint moves is enough.
//! That is all there is for most meshes ([`JointBox`]).
//!
//! It is too large where joints disagree about a vertex that one of them moves a little. Mostly there is a way to write the
//! same mean with other points, of which that joint gets one near its hinge ([`shares`]). Where there is none, vertices are
//! taken out and covered by a [`Blend`](blend::Blend): a box that travels with a fixed mixture of joints. Its vertices have
//! nearly the weights of the mixture; what they deviate by is a sum over pairs of joints, `(A - B) * x`, where `x` is bounded by
//! a box, too ([`Deviation`](blend::Deviation)). [`fit`](mod@fit) decides what is covered how.

mod blend;
mod blends;
mod bodies;
mod bunch;
mod columns;
mod corners;
mod fit;
mod hinge;
mod lone;
#[cfg(test)]
mod made_up;
mod morphs;
mod octet;
mod octets;
mod piece;
mod shares;
mod vertices;

use canter::Mat3x4;
use canter::glam::{Vec3, Vec4};
use fearless_simd::Simd;

use crate::bounds::Bounds;

use blends::Blends;
use hinge::Hinges;
use morphs::Morphs;
use octet::Turn;
use octets::Octets;

pub(crate) use bodies::{Bodies, Body, MorphWeights, Present};
pub(crate) use fit::fit;
pub(crate) use vertices::Vertices;

/// A pose of a mesh.
#[derive(Clone, Copy)]
pub(crate) struct Sample<'a> {
    /// Where the joints of the skeleton are.
    pub(crate) joints: &'a [Mat3x4],
    /// The palette of the mesh's skin.
    pub(crate) palette: &'a [Mat3x4],
    pub(crate) morph_weights: &'a [f32],
}

/// Contains every vertex of a skinned and morphed mesh, whatever the pose.
#[derive(Clone, Debug, Default)]
pub(crate) struct Envelope {
    boxes: Octets,
    /// There is nothing else, as for most meshes.
    has_boxes_alone: bool,
    hinges: Hinges,
    blends: Blends,
    morphs: Morphs,
    /// The only box, if that is all there is.
    lone_box: Option<JointBox>,
}

/// A box that travels with one joint of the skeleton, along whose axes it lies: limbs are long, and joints mostly lie along
/// them.
#[derive(Clone, Copy, Debug)]
struct JointBox {
    joint: usize,
    region: Region,
}

/// Points with a weight as fourth coordinate (one, for positions): a box in four dimensions.
#[derive(Clone, Copy, Debug)]
struct Region {
    center: Vec4,
    half: Vec4,
}

impl Envelope {
    /// The boxes around a mesh with this envelope in many poses.
    fn all_bounds<'a>(self, poses: impl Iterator<Item = &'a Sample<'a>>) -> Vec<Bounds> {
        let mut poses = poses.peekable();
        let palette = 0..poses.peek().map_or(0, |pose| pose.palette.len());
        let body = Bodies::new(vec![Body { palette, morph: None, envelope: self }]);
        let bounds_in = |&Sample { joints, palette, morph_weights }: &Sample<'_>| {
            let mut bounds = [Bounds::EMPTY];
            let weights = MorphWeights::Same(morph_weights);
            body.write(&mut Present { weights, joints, palette, bounds: &mut bounds });
            bounds[0]
        };
        poses.map(bounds_in).collect()
    }

    /// The box around the mesh where the joints are, and in a pose with this palette and these morph weights if they matter.
    #[inline(always)]
    fn bounds<'a, S: Simd>(
        &self,
        simd: S,
        columns: impl Turn<S>,
        joints: &'a [Mat3x4],
        pose: impl FnOnce() -> Sample<'a>,
    ) -> Bounds {
        let pose = if self.has_boxes_alone { None } else { Some(pose()) };
        let morphs = pose.as_ref().and_then(|pose| self.morphs.in_use(pose.morph_weights));
        let boxes = morphs.map_or(&self.boxes, |morphs| &morphs.still_boxes);
        let mut corners = boxes.bounds(simd, columns, joints);
        let Some(Sample { palette, morph_weights, .. }) = pose else { return corners.bounds() };
        if let Some(morphs) = morphs {
            corners = morphs.add_boxes_to(simd, corners, joints, morph_weights);
        }
        corners = self.hinges.widen(simd, corners, palette);
        let blends = morphs.map_or(&self.blends, |morphs| &morphs.still_blends);
        corners = blends.add_to(simd, columns, corners, palette);
        if let Some(morphs) = morphs {
            corners = morphs.add_blends_to(simd, corners, palette, morph_weights);
        }
        corners.bounds()
    }
}

impl JointBox {
    /// How much room it needs in relation to its distance from the origin.
    fn slack(&self) -> f32 {
        self.region.half.w
    }

    fn under(&self, joints: &[Mat3x4], swollen: Region) -> Bounds {
        self.region.plus(swollen).under(&joints[self.joint])
    }
}

impl Region {
    const NONE: Self = Self { center: Vec4::ZERO, half: Vec4::ZERO };

    /// The box around where a matrix takes the points.
    fn under(&self, matrix: &Mat3x4) -> Bounds {
        let rows = matrix.rows.map(Vec4::from_array);
        let center = Vec3::from_array(rows.map(|row| row.dot(self.center)));
        let half = Vec3::from_array(rows.map(|row| row.abs().dot(self.half)));
        Bounds { min: center - half, max: center + half }
    }

    fn plus(self, other: Self) -> Self {
        Self { center: self.center + other.center, half: self.half + other.half }
    }
}
