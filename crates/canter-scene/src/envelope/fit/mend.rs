//! What is done where bounds are too large.

use std::collections::BTreeMap;

use canter::glam::Vec3;

use super::super::piece::{Kind, Piece, weight_of};
use super::super::shares::{Room, share_out};
use super::{Cover, Fault, GOAL};
use crate::bounds::Bounds;

/// Poses in which ways to divide a piece are compared, and places where it may be cut along each axis.
const LOOKED_AT: usize = 40;
const CUTS: [f32; 3] = [0.25, 0.5, 0.75];
/// How often a way to share a vertex out is looked for: that takes time.
const MOST_SEARCHES: usize = 4000;

impl Cover<'_> {
    pub(super) fn mend(&mut self, fault: &Fault) {
        if let Some(joint) = self.pieces[fault.piece].kind.joint() {
            let pose = self.rooms[fault.pose].pose;
            // Those of whose share the joint makes too much, while they are moved by others as well.
            let astray = |&&vertex: &&usize| {
                let step =
                    self.vertices.morphed(vertex, pose.morph_weights) - self.vertices.positions[vertex];
                let share = self.vertices.share(vertex, joint);
                let place = pose.palette[joint].transform_point(share.position + step * share.stride);
                let is_shared = self.shared_for.get(&vertex) == Some(&self.rooms.len());
                place.dot(fault.direction) > fault.right
                    && self.vertices.influences(vertex).len() > 1
                    && !is_shared
            };
            let astray: Vec<_> = self.pieces[fault.piece].members.iter().filter(astray).copied().collect();
            if !astray.is_empty() {
                let others = self.share_out(&astray);
                if !others.is_empty() {
                    self.take_out(&others);
                }
                return;
            }
        }
        self.divide(fault);
    }

    /// Shares vertices out among their joints. Gives back those where that does not help.
    fn share_out(&mut self, vertices: &[usize]) -> Vec<usize> {
        let mut others = Vec::new();
        let mut changed: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for &vertex in vertices {
            self.searches += 1;
            let found = (self.searches <= MOST_SEARCHES)
                .then(|| share_out(&self.vertices, vertex, &self.rooms, &self.is_hinge));
            let Some(shared) = found.flatten() else {
                others.push(vertex);
                continue;
            };
            self.shared_for.insert(vertex, self.rooms.len());
            for (joint, share) in shared.points {
                self.vertices.shares.insert((vertex, joint), share);
                changed.entry(joint).or_default().push(vertex);
            }
            for (joint, lean) in shared.leans {
                self.leans[joint] = self.leans[joint].max(lean);
            }
        }
        for (joint, mut moved) in changed {
            let mut home = None;
            for index in 0..self.pieces.len() {
                if self.pieces[index].kind.joint() != Some(joint) {
                    continue;
                }
                home = Some(index);
                let members = &self.pieces[index].members;
                let known = moved.len();
                moved.retain(|vertex| members.binary_search(vertex).is_err());
                if moved.len() < known {
                    self.refit(index, members.clone());
                }
            }
            // A joint between others may not have had these.
            if moved.is_empty() {
                continue;
            }
            match home {
                Some(index) => {
                    let mut members = [&self.pieces[index].members[..], &moved].concat();
                    members.sort_unstable();
                    self.refit(index, members);
                }
                None => self.add(Piece::new(&self.vertices, Kind::Box(joint), moved)),
            }
        }
        others
    }

    /// Covers others by a piece, in the way that it is.
    fn refit(&mut self, index: usize, members: Vec<usize>) {
        let mut piece = Piece::new(&self.vertices, self.pieces[index].kind, members);
        self.measure(&mut piece);
        self.pieces[index] = piece;
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
                self.refit(index, members);
            } else {
                piece.members = members;
            }
        }
        self.pieces.retain(|piece| !piece.members.is_empty());
        for members in groups.into_values() {
            self.add(Piece::new(&self.vertices, Kind::Blend, members));
        }
    }

    /// Divides a piece in two, in the way that pulls it in most.
    fn divide(&mut self, fault: &Fault) {
        let piece = &self.pieces[fault.piece];
        let mut best: Option<(f32, [Piece; 2])> = None;
        for is_first in self.ways_to_divide(piece) {
            let (first, second): (Vec<_>, Vec<_>) =
                piece.members.iter().partition(|&&vertex| is_first(vertex));
            if !first.is_empty() && !second.is_empty() {
                let parts = [first, second].map(|members| Piece::new(&self.vertices, piece.kind, members));
                let cost = parts.iter().map(|part| self.cost(part, fault)).sum();
                if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    best = Some((cost, parts));
                }
            }
        }
        match best {
            Some((_, parts)) => {
                self.pieces.swap_remove(fault.piece);
                parts.into_iter().for_each(|part| self.add(part));
            }
            None => self.pieces[fault.piece].is_final = true,
        }
    }

    /// How far a piece is outside in the pose with a fault and some others.
    fn cost(&self, piece: &Piece, fault: &Fault) -> f32 {
        let others = self.rooms.iter().step_by(self.rooms.len() / LOOKED_AT + 1);
        let cost = |room: &Room<'_>| {
            let bounds = piece.under(room.pose);
            let outside = (room.allowed.min - bounds.min).max(bounds.max - room.allowed.max).max(Vec3::ZERO);
            (outside / room.size).length_squared()
        };
        others.map(cost).sum::<f32>() + cost(&self.rooms[fault.pose])
    }

    /// By each coordinate, and for blends by the weight that differs most.
    fn ways_to_divide<'b>(&'b self, piece: &Piece) -> Vec<Box<dyn Fn(usize) -> bool + 'b>> {
        let vertices = &self.vertices;
        let joint = piece.kind.joint();
        let place = move |vertex: usize| {
            joint.map_or(vertices.positions[vertex], |joint| vertices.share(vertex, joint).position)
        };
        let bounds = Bounds::around(piece.members.iter().map(|&vertex| place(vertex)));
        let mut ways: Vec<Box<dyn Fn(usize) -> bool + 'b>> = Vec::new();
        for cut in CUTS.map(|part| bounds.min + bounds.size() * part) {
            for axis in 0..3 {
                ways.push(Box::new(move |vertex| place(vertex)[axis] < cut[axis]));
            }
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
    pub(super) fn reunite(&mut self) {
        let poses = 0..self.rooms.len();
        let allowed = poses.map(|pose| self.excess(pose)).fold(GOAL, f32::max);
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
        let mut united = Piece::new(&self.vertices, self.pieces[index].kind, members);
        self.measure(&mut united);
        let first = std::mem::replace(&mut self.pieces[index], united);
        let second = self.pieces.remove(other);
        let will_do = (0..self.rooms.len()).all(|pose| self.excess(pose) <= allowed);
        if !will_do {
            self.pieces[index] = first;
            self.pieces.insert(other, second);
        }
        will_do
    }
}
