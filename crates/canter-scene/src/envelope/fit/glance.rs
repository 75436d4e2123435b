//! Poses that are looked at only where that seems to be needed.

use canter::glam::Vec3;

use super::super::shares::Room;
use super::super::{Sample, Vertices};
use super::{Cover, GOAL};
use crate::bounds::Bounds;

/// In poses that were not looked at before, a little more than the goal will do.
const TOLERABLE: f32 = 0.225;
/// Thinner than this part of its largest size, a mesh counts as that thick: no box can be tight in relation to nothing.
const THINNEST: f32 = 0.02;
/// About so many vertices are posed in one go.
const POSED_VERTICES: usize = 500_000;
/// A hinge holds if its joints come apart by no more than this part of the mesh's size.
const HOLDS: f32 = 0.003;

/// A pose of which no more is known than where some vertices are.
pub(super) struct Glance<'a> {
    pose: &'a Sample<'a>,
    /// The box around them, or around all.
    inner: Bounds,
    is_exact: bool,
}

impl<'a> Glance<'a> {
    pub(super) fn new(vertices: &Vertices, outline: &[usize], pose: &'a Sample<'a>) -> Self {
        let places = outline.iter().map(|&vertex| vertices.posed(vertex, pose));
        Self { pose, inner: Bounds::around(places), is_exact: false }
    }

    fn make_exact(&mut self, vertices: &Vertices) {
        if !self.is_exact {
            let all = 0..vertices.positions.len();
            self.inner = Bounds::around(all.map(|vertex| vertices.posed(vertex, self.pose)));
            self.is_exact = true;
        }
    }

    /// By how much bounds seem to be too large.
    fn excess(&self, bounds: &Bounds) -> f32 {
        ((bounds.size() - self.inner.size()) / self.size()).max_element()
    }

    fn size(&self) -> Vec3 {
        self.inner.size().max(Vec3::splat(self.inner.size().max_element() * THINNEST))
    }
}

impl<'a> Cover<'a> {
    /// How many poses are looked at in one go: fewer the more vertices there are.
    fn at_once(&self) -> usize {
        (POSED_VERTICES / self.vertices.positions.len().max(1)).clamp(8, 64)
    }

    /// Looks at poses here and there.
    pub(super) fn look_at_some(&mut self) {
        let step = (self.glances.len() / self.at_once()).max(1);
        let (mut chosen, mut others) = (Vec::new(), Vec::new());
        for (number, glance) in std::mem::take(&mut self.glances).into_iter().enumerate() {
            if number % step == 0 { chosen.push(glance) } else { others.push(glance) }
        }
        self.glances = others;
        chosen.into_iter().for_each(|glance| self.look_at(glance));
    }

    /// Looks at the worst of the poses in which the bounds are too large although nobody has looked at them. Says how many
    /// there were.
    pub(super) fn look_at_overlooked(&mut self) -> usize {
        let all_bounds = self.envelope().all_bounds(self.glances.iter().map(|glance| glance.pose));
        let excess = |(glance, bounds): (&Glance<'_>, &Bounds)| glance.excess(bounds);
        let mut excesses: Vec<f32> = self.glances.iter().zip(&all_bounds).map(excess).collect();
        let by_excess = |excesses: &[f32]| {
            let mut order: Vec<_> =
                (0..excesses.len()).filter(|&index| excesses[index] > TOLERABLE).collect();
            order.sort_by(|&a, &b| excesses[b].total_cmp(&excesses[a]));
            order
        };
        // A glance shows too little of the mesh, so this may be too much: only what seems worst is looked at exactly.
        for index in by_excess(&excesses).into_iter().take(2 * self.at_once()) {
            self.glances[index].make_exact(&self.vertices);
            excesses[index] = self.glances[index].excess(&all_bounds[index]);
        }
        let mut overlooked = by_excess(&excesses);
        overlooked.retain(|&index| self.glances[index].is_exact);
        overlooked.truncate(self.at_once());
        // From the last one on, so that the others keep their places.
        overlooked.sort_unstable_by(|a, b| b.cmp(a));
        for &index in &overlooked {
            let glance = self.glances.swap_remove(index);
            self.look_at(glance);
        }
        overlooked.len()
    }

    fn look_at(&mut self, mut glance: Glance<'a>) {
        glance.make_exact(&self.vertices);
        let (truth, size) = (glance.inner, glance.size());
        let allowed = Bounds { min: truth.min - size * (GOAL * 0.25), max: truth.max + size * (GOAL * 0.25) };
        for piece in &mut self.pieces {
            piece.bounds.push(piece.under(glance.pose));
        }
        self.rooms.push(Room { pose: glance.pose, truth, allowed, size });
    }
}

/// Whether a joint and the one above it agree about where they meet.
pub(super) fn holds(vertices: &Vertices, joint: usize, glances: &[Glance<'_>]) -> bool {
    let pivot = vertices.joints.pivots[joint];
    vertices.joints.parents[joint].is_some_and(|parent| {
        glances.iter().all(|glance| {
            let palette = glance.pose.palette;
            let apart = palette[joint].transform_point(pivot) - palette[parent].transform_point(pivot);
            (apart.abs() / glance.size()).max_element() <= HOLDS
        })
    })
}
