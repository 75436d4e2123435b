//! Some vertices, and the shape that covers them in any pose.

use std::collections::BTreeMap;

use canter::glam::{DVec3, Mat3, Vec3, Vec4};

use super::blend::{Blend, Deviation};
use super::morphs::{Swelling, swell};
use super::{JointBox, Region, Sample, Vertices};
use crate::bounds::Bounds;

/// Joints in the mixture of a blend.
const MIXED: usize = 6;
/// Rounding, in relation to the numbers that are added up.
const ROUNDING: f32 = 1e-5;

/// Some vertices and what covers them.
pub(super) struct Piece {
    pub(super) members: Vec<usize>,
    pub(super) kind: Kind,
    pub(super) shape: Shape,
    pub(super) swellings: Vec<Swelling>,
    /// Its box in each sample pose.
    pub(super) bounds: Vec<Bounds>,
    /// It cannot be divided any more.
    pub(super) is_final: bool,
}

/// How vertices are covered: by a box that travels with a joint of the skin, or by a blend.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Box(usize),
    Blend,
}

pub(super) enum Shape {
    Box(JointBox),
    Blend(Blend),
}

impl Kind {
    /// The joint of the skin that it travels with, if it is one alone.
    pub(super) fn joint(self) -> Option<usize> {
        match self {
            Self::Box(joint) => Some(joint),
            Self::Blend => None,
        }
    }
}

impl Piece {
    pub(super) fn new(vertices: &Vertices, kind: Kind, members: Vec<usize>) -> Self {
        let shape = match kind {
            Kind::Box(joint) => Shape::Box(joint_box(vertices, joint, &members)),
            Kind::Blend => Shape::Blend(blend(vertices, &members)),
        };
        let swellings = swellings(vertices, kind, &members);
        Self { members, kind, shape, swellings, bounds: Vec::new(), is_final: false }
    }

    /// Its box in a pose.
    pub(super) fn under(&self, pose: &Sample<'_>) -> Bounds {
        let (swollen, reach) = swell(&self.swellings, pose.morph_weights);
        match &self.shape {
            Shape::Box(part) => part.under(pose.joints, swollen),
            Shape::Blend(blend) => blend.under(pose.palette, swollen, reach),
        }
    }
}

fn joint_box(vertices: &Vertices, joint: usize, members: &[usize]) -> JointBox {
    let places = members.iter().map(|&vertex| in_joint(vertices, joint, vertex));
    let slack = slack(vertices, members);
    let mut region = Region::around(places.clone().map(|place| place.0.extend(1.0)), slack);
    region.half += room(places, slack).extend(0.0);
    JointBox { joint: vertices.joints.in_skeleton[joint], region }
}

/// Where a vertex is for a joint, and how large the numbers were that this was added up from.
fn in_joint(vertices: &Vertices, joint: usize, vertex: usize) -> (Vec3, Vec3) {
    let position = vertices.share(vertex, joint).position.as_dvec3();
    let rows = vertices.joints.joint_from_mesh[joint].rows.map(|row| row.map(f64::from));
    let sum = |position: DVec3| {
        DVec3::from_array(rows.map(|[x, y, z, w]| DVec3::new(x, y, z).dot(position) + w)).as_vec3()
    };
    let sizes = rows.map(|[x, y, z, w]| DVec3::new(x, y, z).abs().dot(position.abs()) + w.abs());
    (sum(position), DVec3::from_array(sizes).as_vec3())
}

/// What rounding can make of numbers.
fn room(places: impl Iterator<Item = (Vec3, Vec3)>, slack: f32) -> Vec3 {
    places.fold(Vec3::ZERO, |most, place| most.max(place.1)) * slack
}

/// Room for rounding and for weights whose sum is not quite one.
fn slack(vertices: &Vertices, members: &[usize]) -> f32 {
    let off = |&vertex: &usize| {
        let sum: f32 = vertices.influences(vertex).iter().map(|influence| influence.1).sum();
        (sum - 1.0).abs()
    };
    ROUNDING + members.iter().map(off).fold(0.0, f32::max)
}

fn blend(vertices: &Vertices, members: &[usize]) -> Blend {
    let mixture = mean_weights(vertices, members);
    let anchor = mixture[0].0;
    let mut leaning: Vec<usize> = mixture[1..].iter().map(|&(joint, _)| joint).collect();
    for &vertex in members {
        leaning.extend(vertices.influences(vertex).iter().map(|&(joint, _)| joint));
    }
    leaning.sort_unstable();
    leaning.dedup();
    leaning.retain(|&joint| joint != anchor);
    let mut deviations = Vec::new();
    for joint in leaning {
        // By how much each vertex leans towards the joint more than the mixture does, at the expense of the anchor.
        let mixed = weight_of(&mixture, joint);
        let leans = members.iter().map(|&vertex| {
            let influences = vertices.influences(vertex);
            let sum: f32 = influences.iter().map(|influence| influence.1).sum();
            (vertex, weight_of(influences, joint) / sum - mixed)
        });
        let lean = leans.clone().map(|lean| lean.1.abs()).fold(0.0, f32::max);
        let pivot = vertices.joints.pivot_between(joint, anchor);
        let points = leans.map(|(vertex, lean)| ((vertices.positions[vertex] - pivot) * lean).extend(lean));
        let region = Region::around(points, ROUNDING);
        deviations.push(Deviation { joint, pivot: pivot.extend(1.0), region, lean });
    }
    // What is rounding only is in the region of the mixture already.
    deviations.retain(|deviation| deviation.lean > ROUNDING * 0.1);
    let positions = members.iter().map(|&vertex| vertices.positions[vertex].extend(1.0));
    Blend { mixture, region: Region::around(positions, slack(vertices, members)), anchor, deviations }
}

/// The mean weights of vertices: those of the strongest joints, with a sum of one.
fn mean_weights(vertices: &Vertices, members: &[usize]) -> Vec<(usize, f32)> {
    let mut sums: BTreeMap<usize, f32> = BTreeMap::new();
    for &(joint, weight) in members.iter().flat_map(|&vertex| vertices.influences(vertex)) {
        *sums.entry(joint).or_default() += weight;
    }
    let mut mixture: Vec<_> = sums.into_iter().collect();
    mixture.sort_by(|a, b| b.1.total_cmp(&a.1));
    mixture.truncate(MIXED);
    let sum: f32 = mixture.iter().map(|pair| pair.1).sum();
    mixture.iter_mut().for_each(|pair| pair.1 /= sum);
    mixture
}

pub(super) fn weight_of(influences: &[(usize, f32)], joint: usize) -> f32 {
    influences.iter().filter(|influence| influence.0 == joint).map(|influence| influence.1).sum()
}

fn swellings(vertices: &Vertices, kind: Kind, members: &[usize]) -> Vec<Swelling> {
    let joint_from_mesh = kind
        .joint()
        .map_or(Mat3::IDENTITY, |joint| Mat3::from_mat4(vertices.joints.joint_from_mesh[joint].to_mat4()));
    let of_target = |(target, steps): (usize, &Vec<Vec3>)| {
        let stride = |vertex| kind.joint().map_or(1.0, |joint| vertices.share(vertex, joint).stride);
        let step = |&vertex: &usize| joint_from_mesh * (steps[vertex] * stride(vertex));
        let steps = Bounds::around(members.iter().map(step));
        let half = steps.half_size() + (steps.center().abs() + steps.half_size()) * ROUNDING;
        let reach = steps.min.abs().max(steps.max.abs());
        let region = Region { center: steps.center().extend(0.0), half: half.extend(0.0) };
        (reach != Vec3::ZERO).then_some(Swelling { target, region, reach })
    };
    vertices.targets.iter().enumerate().filter_map(of_target).collect()
}

impl Region {
    /// The box around points, larger by a part of their distance from the origin.
    fn around(points: impl Iterator<Item = Vec4>, slack: f32) -> Self {
        let none = (Vec4::INFINITY, Vec4::NEG_INFINITY);
        let (least, most) = points.fold(none, |(least, most), point| (least.min(point), most.max(point)));
        let (center, half) = (least.midpoint(most), (most - least) * 0.5);
        Self { center, half: half + (center.abs() + half) * slack }
    }
}
