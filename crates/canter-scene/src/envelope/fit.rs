//! Decides which vertices are covered by which box, so that the envelope is tight where the file's own clips take it.
//!
//! It starts with one box per joint and mends what is worst in some sample poses, step by step: vertices are shared out among
//! their joints, or taken out, or a box is divided. Then it glances at many more poses, looks at those in which the bounds are
//! too large, and goes on. Whatever it decides, every vertex stays covered in every pose: the samples only say where effort
//! pays.

mod glance;
mod mend;

use std::collections::BTreeMap;

use canter::glam::Vec3;

use super::blends::Blends;
use super::hinge::{Hinge, Hinges};
use super::morphs::Morphs;
use super::octets::Octets;
use super::piece::{Kind, Piece, Shape};
use super::shares::Room;
use super::{Envelope, Sample, Vertices};
use crate::bounds::Bounds;

use glance::{Glance, holds};

/// By how much of its size the bounds of a mesh may be too large in a sample pose. Other poses differ from the samples, so this
/// is less than what is promised.
const GOAL: f32 = 0.21;
/// How often other poses are looked at in the end.
const ROUNDS: usize = 16;
/// Boxes beyond one per joint.
const MORE_BOXES: usize = 200;

/// Fits an envelope to vertices.
pub(crate) fn fit(vertices: Vertices, poses: &[Sample<'_>]) -> Envelope {
    // A box is what everyone expects around a thing that follows a node as a whole.
    if vertices.is_rigid {
        return Cover::new(vertices, Vec::new()).envelope();
    }
    let outline = vertices.outline();
    let glances: Vec<_> = poses.iter().map(|pose| Glance::new(&vertices, &outline, pose)).collect();
    let mut cover = Cover::new(vertices, glances);
    cover.look_at_some();
    let mut steps = MORE_BOXES + cover.pieces.len();
    for _ in 0..ROUNDS {
        while let Some(fault) = cover.worst()
            && steps > 0
        {
            cover.mend(&fault);
            steps -= 1;
        }
        cover.reunite();
        if cover.look_at_overlooked() == 0 {
            break;
        }
    }
    cover.envelope()
}

/// The vertices of a mesh, and how they are covered.
struct Cover<'a> {
    vertices: Vertices,
    /// The poses that are looked at, and where points should be in them.
    rooms: Vec<Room<'a>>,
    /// The others.
    glances: Vec<Glance<'a>>,
    /// Of each joint, whether its hinge holds.
    is_hinge: Vec<bool>,
    /// By how much vertices lean on each hinge.
    leans: Vec<f32>,
    /// How many poses were looked at when a vertex was shared out.
    shared_for: BTreeMap<usize, usize>,
    searches: usize,
    pieces: Vec<Piece>,
}

/// A face of the bounds in a pose that lies too far out.
struct Fault {
    pose: usize,
    /// Outwards.
    direction: Vec3,
    /// The piece that reaches so far.
    piece: usize,
    /// Up to where nothing is wrong.
    right: f32,
}

impl<'a> Cover<'a> {
    fn new(vertices: Vertices, glances: Vec<Glance<'a>>) -> Self {
        let joint_count = vertices.joints.pivots.len();
        let is_hinge = (0..joint_count).map(|joint| holds(&vertices, joint, &glances)).collect();
        let mut moved_by = vec![Vec::new(); joint_count];
        for vertex in 0..vertices.positions.len() {
            for &(joint, _) in vertices.influences(vertex) {
                if moved_by[joint].last() != Some(&vertex) {
                    moved_by[joint].push(vertex);
                }
            }
        }
        let leans = vec![0.0; joint_count];
        let mut cover = Self {
            vertices,
            rooms: Vec::new(),
            glances,
            is_hinge,
            leans,
            shared_for: BTreeMap::new(),
            searches: 0,
            pieces: Vec::new(),
        };
        for (joint, members) in moved_by.into_iter().enumerate().filter(|(_, members)| !members.is_empty()) {
            cover.add(Piece::new(&cover.vertices, Kind::Box(joint), members));
        }
        cover
    }

    fn add(&mut self, mut piece: Piece) {
        self.measure(&mut piece);
        self.pieces.push(piece);
    }

    fn measure(&self, piece: &mut Piece) {
        piece.bounds = self.rooms.iter().map(|room| piece.under(room.pose)).collect();
    }

    /// The face that lies too far out along the axis where the bounds are largest in relation to the mesh, of those that can
    /// be mended.
    fn worst(&self) -> Option<Fault> {
        let mut worst = (GOAL, None);
        for (pose, Room { truth, size, .. }) in self.rooms.iter().enumerate() {
            let all = self.union(pose, |piece| !piece.is_final);
            let excess =
                ((truth.min - all.min).max(Vec3::ZERO) + (all.max - truth.max).max(Vec3::ZERO)) / *size;
            let axis = excess.max_position();
            if excess[axis] > worst.0 {
                let is_below = truth.min[axis] - all.min[axis] > all.max[axis] - truth.max[axis];
                worst =
                    (excess[axis], Some((pose, if is_below { -Vec3::AXES[axis] } else { Vec3::AXES[axis] })));
            }
        }
        let (pose, direction) = worst.1?;
        let Room { allowed, .. } = &self.rooms[pose];
        let piece = self.farthest(pose, direction)?;
        Some(Fault { pose, direction, piece, right: support(allowed, direction) })
    }

    /// The box around some pieces in a pose.
    fn union(&self, pose: usize, is_in: impl Fn(&Piece) -> bool) -> Bounds {
        let pieces = self.pieces.iter().filter(|piece| is_in(piece));
        pieces.fold(Bounds::EMPTY, |all, piece| all.union(&piece.bounds[pose]))
    }

    /// The piece that reaches farthest in a direction, of those that can be mended.
    fn farthest(&self, pose: usize, direction: Vec3) -> Option<usize> {
        let reach = |piece: &Piece| support(&piece.bounds[pose], direction);
        let pieces = self.pieces.iter().enumerate().filter(|(_, piece)| !piece.is_final);
        pieces.max_by(|(_, a), (_, b)| reach(a).total_cmp(&reach(b))).map(|(index, _)| index)
    }

    /// By how much the bounds are too large in a pose.
    fn excess(&self, pose: usize) -> f32 {
        let Room { truth, size, .. } = &self.rooms[pose];
        ((self.union(pose, |_| true).size() - truth.size()) / *size).max_element()
    }

    /// What it is so far.
    fn envelope(&self) -> Envelope {
        let mut envelope = Envelope::default();
        let (mut boxes, mut blends) = (Vec::new(), Vec::new());
        for piece in &self.pieces {
            match &piece.shape {
                Shape::Box(part) => boxes.push((*part, piece.swellings.clone())),
                Shape::Blend(blend) => blends.push((blend.clone(), piece.swellings.clone())),
            }
        }
        let all_boxes: Vec<_> = boxes.iter().map(|(part, _)| *part).collect();
        envelope.boxes = Octets::new(&all_boxes);
        envelope.blends = Blends::new(blends.iter().map(|(blend, _)| blend.clone()).collect());
        let is_morphed = !self.vertices.targets.is_empty();
        if is_morphed {
            envelope.morphs = Morphs::new(boxes, blends);
        }
        let joints = &self.vertices.joints;
        let hinges = self.leans.iter().enumerate().filter(|(_, lean)| **lean > 0.0);
        let hinge = |(joint, &lean): (usize, &f32)| {
            joints.parents[joint].map(|parent| Hinge { joint, parent, pivot: joints.pivots[joint], lean })
        };
        envelope.hinges = Hinges::new(hinges.filter_map(hinge).collect());
        envelope.has_boxes_alone = envelope.hinges.is_empty() && envelope.blends.is_empty() && !is_morphed;
        if let ([lone_box], true) = (&all_boxes[..], envelope.has_boxes_alone) {
            envelope.lone_box = Some(*lone_box);
        }
        envelope
    }
}

/// How far a box reaches in a direction along an axis.
fn support(bounds: &Bounds, direction: Vec3) -> f32 {
    (bounds.min * direction).max(bounds.max * direction).element_sum()
}

#[cfg(test)]
mod tests {
    use canter::Mat3x4;

    use super::super::made_up::{bent, bounds_in, chain, numbers};
    use super::*;

    /// Chains with weak joints are shared out. Then hinges are pulled apart as no sample pose did, and joints go anywhere.
    #[test]
    fn vertices_stay_inside_when_hinges_come_apart() {
        let mut shared = 0;
        for seed in 0..60 {
            let mut next = numbers(seed);
            // The outermost ones are those that several joints move.
            let vertices: Vec<_> = (0..80)
                .map(|number| {
                    let (reach, weak) = if number < 60 { (0.5, 0.0) } else { (3.0, 0.1) };
                    let weights = [next().abs(), next().abs().powi(4) * weak, next().abs().powi(4) * weak];
                    let sum: f32 = weights.iter().sum();
                    let place = Vec3::new(next(), next(), next()) * reach;
                    (place, weights.map(|weight| weight / sum).to_vec())
                })
                .collect();
            let vertices = chain(&vertices);
            let palettes: Vec<Vec<Mat3x4>> = (0..20).map(|_| bent(&vertices, &mut next, 0.0)).collect();
            let poses: Vec<_> = (palettes.iter())
                .map(|palette| Sample { joints: palette, palette, morph_weights: &[] })
                .collect();
            let envelope = fit(vertices.clone(), &poses);
            shared += usize::from(!envelope.hinges.is_empty());
            for number in 0..40 {
                let mut row = || [next() * 2.0, next() * 2.0, next() * 2.0, next() * 2.0];
                let palette = match number % 2 {
                    0 => (0..3).map(|_| Mat3x4 { rows: [row(), row(), row()] }).collect(),
                    _ => bent(&vertices, &mut next, number as f32 * 0.1),
                };
                let pose = Sample { joints: &palette, palette: &palette, morph_weights: &[] };
                let bounds = bounds_in(&envelope, &pose);
                let places = (0..vertices.positions.len()).map(|vertex| vertices.posed(vertex, &pose));
                let truth = Bounds::around(places);
                let inside = bounds.contains(truth.min) && bounds.contains(truth.max);
                assert!(inside, "{seed}, {number}: {bounds:?} does not contain {truth:?}");
            }
        }
        assert!(shared > 10, "with hinges that vertices lean on: {shared}");
    }
}
