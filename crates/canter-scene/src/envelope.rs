//! Boxes that travel with joints: the bounds of a skinned mesh in any pose, without touching its vertices.
//!
//! A vertex goes to a weighted mean of the places where its joints would take it. So the box around what *all* its
//! joints would make of it contains it, in every pose: a box per joint around the vertices that the joint moves is enough.
//! That is all there is for most meshes ([`JointBox`]).
//!
//! It is too large where joints disagree about a vertex that one of them moves a little. Such vertices are taken out
//! and covered by a [`Blend`]: a box that travels with a fixed mixture of joints. Its vertices have nearly the weights of the
//! mixture; what they deviate by is a sum over pairs of joints next to each other in the skeleton, `(A - B) * x`, where `x`
//! is bounded by a box, too ([`Deviation`]). [`fit`] decides what is covered how.

mod columns;
mod dop;
mod fit;
mod octets;
mod piece;
mod vertices;

use canter::Mat3x4;
use canter::glam::{Vec3, Vec4};

use crate::bounds::Bounds;

use dop::Dop;
use octets::Octets;

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
    boxes: Vec<JointBox>,
    /// The same boxes, as they are calculated when nothing is morphed.
    octets: Octets,
    /// There are neither shapes nor blends, as for most meshes.
    has_boxes_alone: bool,
    dops: Vec<Dop>,
    blends: Vec<Blend>,
    /// What morph targets add to boxes, box by box, then shape by shape, then blend by blend; empty without targets.
    morphs: Vec<Vec<Swelling>>,
}

/// A box that travels with one joint of the skeleton, along whose axes it lies: limbs are long, and joints mostly lie along
/// them.
#[derive(Clone, Copy, Debug)]
struct JointBox {
    joint: usize,
    region: Region,
}

/// A box that travels with a mixture of the joints of a skin, along the axes of the mesh.
#[derive(Clone, Debug)]
struct Blend {
    mixture: Vec<(usize, f32)>,
    region: Region,
    deviations: Vec<Deviation>,
}

/// By how much the vertices of a blend can deviate because they lean towards `joint` more or less than the mixture, at the
/// expense of its neighbour.
#[derive(Clone, Copy, Debug)]
struct Deviation {
    joint: usize,
    neighbour: usize,
    /// Where both agree when the joint only turns, with a fourth coordinate of one.
    pivot: Vec4,
    /// `lean * (position - pivot)` and `lean` itself.
    region: Region,
    /// The most that a vertex leans either way.
    lean: f32,
}

/// Points with a weight as fourth coordinate (one, for positions): a box in four dimensions.
#[derive(Clone, Copy, Debug)]
struct Region {
    center: Vec4,
    half: Vec4,
}

/// What a morph target at full weight adds to the positions of a box.
#[derive(Clone, Copy, Debug)]
struct Swelling {
    target: usize,
    center: Vec3,
    half: Vec3,
    /// The longest step along each axis.
    reach: Vec3,
}

impl Envelope {
    /// The box around the mesh in a pose.
    pub(crate) fn bounds(&self, pose: &Sample<'_>) -> Bounds {
        let is_morphed = pose.morph_weights.iter().any(|weight| *weight != 0.0) && !self.morphs.is_empty();
        if self.has_boxes_alone && !is_morphed {
            return self.octets.bounds(pose.joints);
        }
        let nothing = (Region::NONE, Vec3::ZERO);
        let morphs = if is_morphed { &self.morphs[..] } else { &[] };
        let mut swellings = morphs.iter().map(|swellings| swell(swellings, pose.morph_weights));
        let mut bounds = if is_morphed {
            let boxes = self.boxes.iter().zip(swellings.by_ref());
            boxes.fold(Bounds::EMPTY, |bounds, (part, (swollen, _))| {
                bounds.union(&part.under(pose.joints, swollen))
            })
        } else {
            self.octets.bounds(pose.joints)
        };
        for dop in &self.dops {
            let (swollen, _) = swellings.next().unwrap_or(nothing);
            bounds = bounds.union(&dop.under(&pose.joints[dop.joint], swollen));
        }
        for blend in &self.blends {
            let (swollen, reach) = swellings.next().unwrap_or(nothing);
            bounds = bounds.union(&blend.under(pose.palette, swollen, reach));
        }
        bounds
    }
}

impl JointBox {
    /// How much room it needs in relation to its distance from the origin.
    fn slack(&self) -> f32 {
        self.region.half.w
    }

    fn under(&self, joints: &[Mat3x4], swollen: Region) -> Bounds {
        self.region.plus(swollen).bounds_under(&joints[self.joint])
    }
}

impl Region {
    const NONE: Self = Self { center: Vec4::ZERO, half: Vec4::ZERO };

    /// The middle and half size of the box around where a matrix takes the points.
    fn under(&self, matrix: &Mat3x4) -> (Vec3, Vec3) {
        let rows = matrix.rows.map(Vec4::from_array);
        (
            Vec3::from_array(rows.map(|row| row.dot(self.center))),
            Vec3::from_array(rows.map(|row| row.abs().dot(self.half))),
        )
    }

    fn bounds_under(&self, matrix: &Mat3x4) -> Bounds {
        let (center, half) = self.under(matrix);
        Bounds { min: center - half, max: center + half }
    }

    fn plus(self, other: Self) -> Self {
        Self { center: self.center + other.center, half: self.half + other.half }
    }
}

impl Blend {
    fn under(&self, palette: &[Mat3x4], swollen: Region, reach: Vec3) -> Bounds {
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
        for deviation in &self.deviations {
            let (joint, neighbour) = (&palette[deviation.joint].rows, &palette[deviation.neighbour].rows);
            let Region { center: lean_center, half: lean_half } = deviation.region;
            let lean_half = lean_half + (reach * deviation.lean).extend(0.0);
            for axis in 0..3 {
                let mut difference = Vec4::from_array(joint[axis]) - Vec4::from_array(neighbour[axis]);
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

/// What the morph targets add to a box, and how far they take any of its vertices.
fn swell(swellings: &[Swelling], morph_weights: &[f32]) -> (Region, Vec3) {
    let mut region = Region::NONE;
    let mut reach = Vec3::ZERO;
    for swelling in swellings {
        let weight = morph_weights.get(swelling.target).copied().unwrap_or(0.0);
        if weight != 0.0 {
            region.center += (swelling.center * weight).extend(0.0);
            region.half += (swelling.half * weight.abs()).extend(0.0);
            reach += swelling.reach * weight.abs();
        }
    }
    (region, reach)
}
