//! Decides which vertices are covered by which box, so that the envelope is tight where the file's own clips take it.
//!
//! It starts with one box per joint and mends what is worst in sample poses, step by step. Whatever it decides, every
//! vertex stays covered in every pose: the samples only say where effort pays.

use std::collections::BTreeMap;

use canter::Mat3x4;
use canter::glam::{Vec3, Vec4};

use super::dop::Dop;
use super::pairs::BoxPairs;
use super::{Blend, Deviation, Envelope, JointBox, Region, Swelling, Vertices, swell};
use crate::bounds::Bounds;

/// By how much of its size the bounds of a mesh may be too large in a sample pose. Where a mesh follows
/// few joints, or needs blends, other poses differ more from the samples.
const GOAL: f32 = 0.19;
const STRICTER_GOAL: f32 = 0.13;
/// Thinner than this part of its largest size, a mesh counts as that thick: no box can be tight in relation to nothing.
const THINNEST: f32 = 0.02;
/// Boxes beyond one per joint.
const MORE_BOXES: usize = 60;
/// Meshes that follow fewer joints than this get shapes of many faces, each of which costs as much as eight boxes.
const FEW_JOINTS: usize = 20;
/// Joints in the mixture of a blend.
const MIXED: usize = 6;
/// Rounding, in relation to the numbers that are added up.
const ROUNDING: f32 = 1e-5;

/// A pose to be tight in.
#[derive(Clone, Copy)]
pub(crate) struct Sample<'a> {
    pub(crate) palette: &'a [Mat3x4],
    pub(crate) morph_weights: &'a [f32],
}

/// Fits an envelope to vertices.
pub(crate) fn fit(vertices: &Vertices, poses: &[Sample<'_>]) -> Envelope {
    let mut cover = Cover::new(vertices, poses);
    // What follows a node as a whole is not worth many shapes.
    let joints = cover.pieces.len();
    let steps = if vertices.is_rigid() { 3 } else { MORE_BOXES + joints };
    if joints < FEW_JOINTS {
        (cover.may_be_round, cover.goal) = (true, STRICTER_GOAL);
    }
    for _ in 0..steps {
        let Some(fault) = cover.worst() else { break };
        cover.mend(&fault);
    }
    cover.into_envelope()
}

struct Cover<'a> {
    vertices: &'a Vertices,
    poses: &'a [Sample<'a>],
    /// The true bounds in each pose.
    truth: Vec<Bounds>,
    pieces: Vec<Piece>,
    may_be_round: bool,
    goal: f32,
}

/// Some vertices and what covers them.
struct Piece {
    members: Vec<usize>,
    shape: Shape,
    swellings: Vec<Swelling>,
    /// Its box in each pose.
    bounds: Vec<Bounds>,
    /// It cannot be divided any more.
    is_final: bool,
}

/// What a piece becomes.
type Parts = Vec<(Vec<usize>, Shape)>;

enum Shape {
    Box(JointBox),
    Dop(Box<Dop>),
    Blend(Blend),
}

/// A face of the bounds in a pose that lies too far out.
struct Fault {
    pose: usize,
    /// Outwards.
    direction: Vec3,
    /// The piece that reaches so far.
    piece: usize,
    /// Up to where nothing is wrong, and up to where it will do.
    right: f32,
    tolerable: f32,
}

impl<'a> Cover<'a> {
    fn new(vertices: &'a Vertices, poses: &'a [Sample<'a>]) -> Self {
        let all = 0..vertices.positions.len();
        let truth = poses
            .iter()
            .map(|pose| Bounds::around(all.clone().map(|vertex| vertices.posed(vertex, pose))))
            .collect();
        let mut moved_by = vec![Vec::new(); vertices.joints.pivots.len()];
        for vertex in all {
            for &(joint, _) in vertices.influences(vertex) {
                if moved_by[joint].last() != Some(&vertex) {
                    moved_by[joint].push(vertex);
                }
            }
        }
        let mut cover = Self { vertices, poses, truth, pieces: Vec::new(), may_be_round: false, goal: GOAL };
        for (joint, members) in moved_by.into_iter().enumerate().filter(|(_, members)| !members.is_empty()) {
            let shape = cover.joint_box(joint, &members);
            cover.add(members, shape);
        }
        cover
    }

    fn add(&mut self, members: Vec<usize>, shape: Shape) {
        let swellings = swellings(self.vertices, &members);
        let bounds = self.measure(&shape, &swellings);
        self.pieces.push(Piece { members, shape, swellings, bounds, is_final: false });
    }

    fn measure(&self, shape: &Shape, swellings: &[Swelling]) -> Vec<Bounds> {
        self.poses.iter().map(|pose| shape.under(pose, swellings)).collect()
    }

    /// The face that lies too far out along the axis where the bounds are largest in relation to the mesh, of those that can
    /// be mended.
    fn worst(&self) -> Option<Fault> {
        let mut worst = (self.goal, None);
        for (pose, truth) in self.truth.iter().enumerate() {
            let size = truth.size().max(Vec3::splat(truth.size().max_element() * THINNEST));
            for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                let length = size.dot(axis);
                let faces = [axis, -axis].map(|direction| (direction, self.farthest(pose, direction)));
                let excess = |(direction, (reach, _)): (Vec3, (f32, usize))| {
                    ((reach - support(truth, direction)) / length).max(0.0)
                };
                let total = excess(faces[0]) + excess(faces[1]);
                if total > worst.0 {
                    let further = usize::from(excess(faces[1]) > excess(faces[0]));
                    let (direction, (_, piece)) = faces[further];
                    let true_face = support(truth, direction);
                    let (right, tolerable) =
                        (true_face + length * self.goal * 0.25, true_face + length * self.goal * 0.5);
                    worst = (total, Some(Fault { pose, direction, piece, right, tolerable }));
                }
            }
        }
        worst.1
    }

    /// How far the pieces that can be mended reach in a direction, and the one that reaches farthest.
    fn farthest(&self, pose: usize, direction: Vec3) -> (f32, usize) {
        let reach = |(index, piece): (usize, &Piece)| (support(&piece.bounds[pose], direction), index);
        let pieces = self.pieces.iter().enumerate().filter(|(_, piece)| !piece.is_final).map(reach);
        pieces.fold((f32::NEG_INFINITY, 0), |most, one| if one.0 > most.0 { one } else { most })
    }

    fn mend(&mut self, fault: &Fault) {
        if let Some(joint) = self.pieces[fault.piece].shape.joint() {
            let pose = &self.poses[fault.pose];
            // Those that the joint alone takes too far, while they are moved by others as well.
            let astray = |&&vertex: &&usize| {
                let position = self.vertices.morphed(vertex, pose.morph_weights);
                let place = pose.palette[joint].transform_point(position);
                place.dot(fault.direction) > fault.right && self.vertices.influences(vertex).len() > 1
            };
            let astray: Vec<_> = self.pieces[fault.piece].members.iter().filter(astray).copied().collect();
            if !astray.is_empty() {
                return self.take_out(&astray);
            }
        }
        self.divide(fault);
    }

    /// Covers vertices by blends instead of the boxes of their joints.
    fn take_out(&mut self, vertices: &[usize]) {
        self.goal = STRICTER_GOAL;
        let mut is_out = vec![false; self.vertices.positions.len()];
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for &vertex in vertices {
            is_out[vertex] = true;
            groups.entry(self.vertices.strongest(vertex)).or_default().push(vertex);
        }
        for index in 0..self.pieces.len() {
            let Some(joint) = self.pieces[index].shape.joint() else { continue };
            let count = self.pieces[index].members.len();
            self.pieces[index].members.retain(|&vertex| !is_out[vertex]);
            if (1..count).contains(&self.pieces[index].members.len()) {
                let members = &self.pieces[index].members;
                let shape = match self.pieces[index].shape {
                    Shape::Dop(_) => self.dop(joint, members),
                    _ => self.joint_box(joint, members),
                };
                let swellings = swellings(self.vertices, members);
                self.pieces[index].bounds = self.measure(&shape, &swellings);
                (self.pieces[index].shape, self.pieces[index].swellings) = (shape, swellings);
            }
        }
        self.pieces.retain(|piece| !piece.members.is_empty());
        for members in groups.into_values() {
            let shape = self.blend(&members);
            self.add(members, shape);
        }
    }

    /// Divides a piece in two, in the way that pulls the face in most, or gives it a shape with more faces if that is
    /// needed.
    fn divide(&mut self, fault: &Fault) {
        let piece = &self.pieces[fault.piece];
        let reach = |members: &[usize], shape: &Shape| {
            let swellings = swellings(self.vertices, members);
            support(&shape.under(&self.poses[fault.pose], &swellings), fault.direction)
        };
        let mut best: Option<(f32, Parts)> = None;
        for is_first in self.ways_to_divide(piece) {
            let (first, second): (Vec<_>, Vec<_>) =
                piece.members.iter().partition(|&&vertex| is_first(vertex));
            if first.is_empty() || second.is_empty() {
                continue;
            }
            let halves: Vec<_> = [first, second]
                .into_iter()
                .map(|members| {
                    let shape = match &piece.shape {
                        Shape::Box(part) => self.joint_box(part.joint, &members),
                        Shape::Dop(part) => self.dop(part.joint, &members),
                        Shape::Blend(_) => self.blend(&members),
                    };
                    (members, shape)
                })
                .collect();
            let reach =
                halves.iter().map(|(members, shape)| reach(members, shape)).fold(f32::NEG_INFINITY, f32::max);
            if best.as_ref().is_none_or(|(least, _)| reach < *least) {
                best = Some((reach, halves));
            }
        }
        if let Shape::Box(part) = &piece.shape
            && self.may_be_round
            && best.as_ref().is_none_or(|(least, _)| *least > fault.tolerable)
        {
            let shape = self.dop(part.joint, &piece.members);
            let reach = reach(&piece.members, &shape);
            if best.as_ref().is_none_or(|(least, _)| reach < *least) {
                best = Some((reach, vec![(piece.members.clone(), shape)]));
            }
        }
        match best {
            Some((_, parts)) => {
                self.pieces.swap_remove(fault.piece);
                for (members, shape) in parts {
                    self.add(members, shape);
                }
            }
            None => self.pieces[fault.piece].is_final = true,
        }
    }

    /// By each coordinate, and for blends by the weight that differs most.
    fn ways_to_divide<'b>(&'b self, piece: &Piece) -> Vec<Box<dyn Fn(usize) -> bool + 'b>> {
        let vertices = self.vertices;
        let bounds = Bounds::around(piece.members.iter().map(|&vertex| vertices.positions[vertex]));
        let middle = bounds.center();
        let mut ways: Vec<Box<dyn Fn(usize) -> bool + 'b>> = Vec::new();
        for axis in 0..3 {
            ways.push(Box::new(move |vertex| vertices.positions[vertex][axis] < middle[axis]));
        }
        if let Shape::Blend(_) = piece.shape {
            let mut ranges: BTreeMap<usize, (usize, f32, f32)> = BTreeMap::new();
            for &(joint, weight) in piece.members.iter().flat_map(|&vertex| vertices.influences(vertex)) {
                let range = ranges.entry(joint).or_insert((0, f32::INFINITY, 0.0));
                *range = (range.0 + 1, range.1.min(weight), range.2.max(weight));
            }
            let width = |&(count, least, most): &(usize, f32, f32)| {
                most - if count < piece.members.len() { 0.0 } else { least }
            };
            if let Some((joint, (count, least, most))) =
                ranges.into_iter().max_by(|a, b| width(&a.1).total_cmp(&width(&b.1)))
            {
                let least = if count < piece.members.len() { 0.0 } else { least };
                let middle = least.midpoint(most);
                ways.push(Box::new(move |vertex| weight_of(vertices.influences(vertex), joint) < middle));
            }
        }
        ways
    }

    fn joint_box(&self, joint: usize, members: &[usize]) -> Shape {
        Shape::Box(JointBox { joint, region: self.region(members) })
    }

    fn dop(&self, joint: usize, members: &[usize]) -> Shape {
        let positions = members.iter().map(|&vertex| self.vertices.positions[vertex]);
        Shape::Dop(Box::new(Dop::around(joint, positions, self.slack(members))))
    }

    /// The box around the positions of vertices, with room for rounding and for weights whose sum is not quite one.
    fn region(&self, members: &[usize]) -> Region {
        let positions = members.iter().map(|&vertex| self.vertices.positions[vertex].extend(1.0));
        Region::around(positions, self.slack(members))
    }

    fn slack(&self, members: &[usize]) -> f32 {
        let off = |&vertex: &usize| {
            let sum: f32 = self.vertices.influences(vertex).iter().map(|influence| influence.1).sum();
            (sum - 1.0).abs()
        };
        ROUNDING + members.iter().map(off).fold(0.0, f32::max)
    }

    fn blend(&self, members: &[usize]) -> Shape {
        let mixture = self.mean_weights(members);
        let anchor = mixture[0].0;
        // By how much each vertex leans towards a joint more than the mixture does, at the expense of the anchor.
        let mut leans: BTreeMap<usize, Vec<(usize, f32)>> =
            mixture[1..].iter().map(|&(joint, _)| (joint, Vec::new())).collect();
        for &vertex in members {
            for &(joint, _) in self.vertices.influences(vertex) {
                leans.entry(joint).or_default();
            }
        }
        leans.remove(&anchor);
        let mut deviations = Vec::new();
        for joint in leans.into_keys() {
            let mixed = weight_of(&mixture, joint);
            let leans = members.iter().map(|&vertex| {
                let influences = self.vertices.influences(vertex);
                let sum: f32 = influences.iter().map(|influence| influence.1).sum();
                (vertex, weight_of(influences, joint) / sum - mixed)
            });
            let lean = leans.clone().map(|lean| lean.1.abs()).fold(0.0, f32::max);
            let pivot = self.vertices.joints.pivot_between(joint, anchor);
            let points =
                leans.map(|(vertex, lean)| ((self.vertices.positions[vertex] - pivot) * lean).extend(lean));
            let region = Region::around(points, ROUNDING);
            deviations.push(Deviation { joint, neighbour: anchor, pivot: pivot.extend(1.0), region, lean });
        }
        // What is rounding only is in the region of the mixture already.
        deviations.retain(|deviation| deviation.lean > ROUNDING * 0.1);
        Shape::Blend(Blend { mixture, region: self.region(members), deviations })
    }

    /// The mean weights of vertices: those of the strongest joints, with a sum of one.
    fn mean_weights(&self, members: &[usize]) -> Vec<(usize, f32)> {
        let mut sums: BTreeMap<usize, f32> = BTreeMap::new();
        for &(joint, weight) in members.iter().flat_map(|&vertex| self.vertices.influences(vertex)) {
            *sums.entry(joint).or_default() += weight;
        }
        let mut mixture: Vec<_> = sums.into_iter().collect();
        mixture.sort_by(|a, b| b.1.total_cmp(&a.1));
        mixture.truncate(MIXED);
        let sum: f32 = mixture.iter().map(|pair| pair.1).sum();
        mixture.iter_mut().for_each(|pair| pair.1 /= sum);
        mixture
    }

    fn into_envelope(self) -> Envelope {
        let mut envelope = Envelope::default();
        let (mut of_boxes, mut of_dops, mut of_blends) = (Vec::new(), Vec::new(), Vec::new());
        for piece in self.pieces {
            let swellings = piece.swellings;
            match piece.shape {
                Shape::Box(part) => {
                    envelope.boxes.push(part);
                    of_boxes.push(swellings);
                }
                Shape::Dop(dop) => {
                    envelope.dops.push(*dop);
                    of_dops.push(swellings);
                }
                Shape::Blend(blend) => {
                    envelope.blends.push(blend);
                    of_blends.push(swellings);
                }
            }
        }
        envelope.pairs = BoxPairs::new(&envelope.boxes);
        if !self.vertices.targets.is_empty() {
            envelope.morphs = [of_boxes, of_dops, of_blends].concat();
        }
        envelope
    }
}

impl Shape {
    fn joint(&self) -> Option<usize> {
        match self {
            Self::Box(part) => Some(part.joint),
            Self::Dop(dop) => Some(dop.joint),
            Self::Blend(_) => None,
        }
    }

    fn under(&self, pose: &Sample<'_>, swellings: &[Swelling]) -> Bounds {
        let (swollen, reach) = swell(swellings, pose.morph_weights);
        match self {
            Self::Box(part) => part.under(pose.palette, swollen),
            Self::Dop(dop) => dop.under(&pose.palette[dop.joint], swollen),
            Self::Blend(blend) => blend.under(pose.palette, swollen, reach),
        }
    }
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

/// How far a box reaches in a direction along an axis.
fn support(bounds: &Bounds, direction: Vec3) -> f32 {
    (bounds.min * direction).max(bounds.max * direction).element_sum()
}

fn weight_of(influences: &[(usize, f32)], joint: usize) -> f32 {
    influences.iter().filter(|influence| influence.0 == joint).map(|influence| influence.1).sum()
}

fn swellings(vertices: &Vertices, members: &[usize]) -> Vec<Swelling> {
    let of_target = |(target, steps): (usize, &Vec<Vec3>)| {
        let steps = Bounds::around(members.iter().map(|&vertex| steps[vertex]));
        let half = steps.half_size() + (steps.center().abs() + steps.half_size()) * ROUNDING;
        let reach = steps.min.abs().max(steps.max.abs());
        (reach != Vec3::ZERO).then_some(Swelling { target, center: steps.center(), half, reach })
    };
    vertices.targets.iter().enumerate().filter_map(of_target).collect()
}
