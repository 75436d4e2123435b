//! Decides which vertices are covered by which box, so that the envelope is tight where the file's own clips take it.
//!
//! It starts with one box per joint and mends what is worst in sample poses, step by step. Whatever it decides, every
//! vertex stays covered in every pose: the samples only say where effort pays.

use std::collections::BTreeMap;

use canter::glam::Vec3;

use super::octets::Octets;
use super::piece::{Kind, Piece, Shape, weight_of};
use super::{Envelope, Sample, Vertices};
use crate::bounds::Bounds;

/// By how much of its size the bounds of a mesh may be too large in a sample pose. Other poses differ from the samples, so this
/// is less than what is promised.
const GOAL: f32 = 0.19;
/// Thinner than this part of its largest size, a mesh counts as that thick: no box can be tight in relation to nothing.
const THINNEST: f32 = 0.02;
/// Boxes beyond one per joint.
const MORE_BOXES: usize = 60;
/// Meshes that follow fewer joints than this get shapes of many faces, each of which costs as much as many boxes.
const FEW_JOINTS: usize = 20;

/// Fits an envelope to vertices.
pub(crate) fn fit(vertices: &Vertices, poses: &[Sample<'_>]) -> Envelope {
    let mut cover = Cover::new(vertices, poses);
    // A box is what everyone expects around a thing that follows a node as a whole.
    let joints = cover.pieces.len();
    let steps = if vertices.is_rigid { 0 } else { MORE_BOXES + joints };
    cover.may_be_round = joints < FEW_JOINTS;
    for _ in 0..steps {
        let Some(fault) = cover.worst() else { break };
        cover.mend(&fault);
    }
    cover.reunite();
    cover.into_envelope()
}

struct Cover<'a> {
    vertices: &'a Vertices,
    poses: &'a [Sample<'a>],
    /// The true bounds in each pose.
    truth: Vec<Bounds>,
    pieces: Vec<Piece>,
    may_be_round: bool,
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
        let mut cover = Self { vertices, poses, truth, pieces: Vec::new(), may_be_round: false };
        for (joint, members) in moved_by.into_iter().enumerate().filter(|(_, members)| !members.is_empty()) {
            cover.add(Piece::new(vertices, Kind::Box(joint), members));
        }
        cover
    }

    fn add(&mut self, mut piece: Piece) {
        self.measure(&mut piece);
        self.pieces.push(piece);
    }

    fn measure(&self, piece: &mut Piece) {
        piece.bounds = self.poses.iter().map(|pose| piece.under(pose)).collect();
    }

    /// The face that lies too far out along the axis where the bounds are largest in relation to the mesh, of those that can
    /// be mended.
    fn worst(&self) -> Option<Fault> {
        let mut worst = (GOAL, None);
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
                        (true_face + length * GOAL * 0.25, true_face + length * GOAL * 0.5);
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
        if let Some(joint) = self.pieces[fault.piece].kind.joint() {
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
        let mut is_out = vec![false; self.vertices.positions.len()];
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for &vertex in vertices {
            is_out[vertex] = true;
            groups.entry(self.vertices.strongest(vertex)).or_default().push(vertex);
        }
        for index in 0..self.pieces.len() {
            let piece = &mut self.pieces[index];
            if piece.kind == Kind::Blend {
                continue;
            }
            let count = piece.members.len();
            let mut members = std::mem::take(&mut piece.members);
            members.retain(|&vertex| !is_out[vertex]);
            if members.len() < count && !members.is_empty() {
                let mut smaller = Piece::new(self.vertices, self.pieces[index].kind, members);
                self.measure(&mut smaller);
                self.pieces[index] = smaller;
            } else {
                piece.members = members;
            }
        }
        self.pieces.retain(|piece| !piece.members.is_empty());
        for members in groups.into_values() {
            self.add(Piece::new(self.vertices, Kind::Blend, members));
        }
    }

    /// Divides a piece in two, in the way that pulls the face in most, or gives it a shape with more faces if that is
    /// needed.
    fn divide(&mut self, fault: &Fault) {
        let piece = &self.pieces[fault.piece];
        let reach = |parts: &[Piece]| {
            let reach = |part: &Piece| support(&part.under(&self.poses[fault.pose]), fault.direction);
            parts.iter().map(reach).fold(f32::NEG_INFINITY, f32::max)
        };
        let mut best: Option<(f32, Vec<Piece>)> = None;
        let mut consider = |parts: Vec<Piece>| {
            let reach = reach(&parts);
            if best.as_ref().is_none_or(|(least, _)| reach < *least) {
                best = Some((reach, parts));
            }
            best.as_ref().is_none_or(|(least, _)| *least > fault.tolerable)
        };
        let mut is_needed = true;
        for is_first in self.ways_to_divide(piece) {
            let (first, second): (Vec<_>, Vec<_>) =
                piece.members.iter().partition(|&&vertex| is_first(vertex));
            if !first.is_empty() && !second.is_empty() {
                let parts = [first, second].map(|members| Piece::new(self.vertices, piece.kind, members));
                is_needed = consider(parts.into());
            }
        }
        if let Kind::Box(joint) = piece.kind
            && self.may_be_round
            && is_needed
        {
            consider(vec![Piece::new(self.vertices, Kind::Dop(joint), piece.members.clone())]);
        }
        match best {
            Some((_, parts)) => {
                self.pieces.swap_remove(fault.piece);
                parts.into_iter().for_each(|part| self.add(part));
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
        if piece.kind == Kind::Blend {
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

    /// Puts boxes of the same joint together again that need not be apart, once the others are as they are.
    fn reunite(&mut self) {
        let allowed = self.excess().max(GOAL);
        let mut index = 0;
        while index < self.pieces.len() {
            let kind = self.pieces[index].kind;
            let is_like = |&other: &usize| kind != Kind::Blend && self.pieces[other].kind == kind;
            let others: Vec<_> = (index + 1..self.pieces.len()).filter(is_like).collect();
            if !others.into_iter().any(|other| self.is_united(index, other, allowed)) {
                index += 1;
            }
        }
    }

    /// Puts two pieces together if that makes the bounds no larger than allowed.
    fn is_united(&mut self, index: usize, other: usize, allowed: f32) -> bool {
        let mut members = [&self.pieces[index].members[..], &self.pieces[other].members].concat();
        members.sort_unstable();
        let mut united = Piece::new(self.vertices, self.pieces[index].kind, members);
        self.measure(&mut united);
        let first = std::mem::replace(&mut self.pieces[index], united);
        let second = self.pieces.remove(other);
        let will_do = self.excess() <= allowed;
        if !will_do {
            self.pieces[index] = first;
            self.pieces.insert(other, second);
        }
        will_do
    }

    /// By how much the bounds are too large at most.
    fn excess(&self) -> f32 {
        let mut most: f32 = 0.0;
        for (pose, truth) in self.truth.iter().enumerate() {
            let all = self.pieces.iter().fold(Bounds::EMPTY, |all, piece| all.union(&piece.bounds[pose]));
            let size = truth.size().max(Vec3::splat(truth.size().max_element() * THINNEST));
            most = most.max(((all.size() - truth.size()) / size).max_element());
        }
        most
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
        envelope.octets = Octets::new(&envelope.boxes);
        if !self.vertices.targets.is_empty() {
            envelope.morphs = [of_boxes, of_dops, of_blends].concat();
        }
        envelope.has_boxes_alone = envelope.dops.is_empty() && envelope.blends.is_empty();
        envelope
    }
}

/// How far a box reaches in a direction along an axis.
fn support(bounds: &Bounds, direction: Vec3) -> f32 {
    (bounds.min * direction).max(bounds.max * direction).element_sum()
}
