//! Edge collapse by quadrics: fewer triangles where a surface is flat.
//!
//! Each point remembers the planes of the triangles it stands for, weighted by area; a collapse
//! costs the mean squared distance of the new point to all of these planes.

pub(super) mod quadric;

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use glam::DVec3;

use super::mesh::Mesh;
use quadric::Quadric;

#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// Root of the mean squared distance that a collapse may move the surface, in metres.
    pub tolerance: f64,
    /// No edge becomes longer: flat cloth must still bend.
    pub longest_edge: f64,
}

pub(crate) fn decimate(mesh: Mesh, limits: Limits) -> Mesh {
    let mut work = Work::new(mesh, limits);
    while let Some(candidate) = work.queue.pop() {
        work.try_collapse(candidate);
    }
    let mut mesh = Mesh { positions: work.positions, triangles: work.triangles };
    let alive = work.alive;
    let mut number = 0..;
    mesh.triangles.retain(|_| number.next().is_some_and(|i: usize| alive[i]));
    mesh.retain(|_| true);
    mesh
}

struct Candidate {
    cost: f64,
    ends: [usize; 2],
    /// Both ends' versions when the cost was computed; a later change makes the candidate stale.
    versions: [u32; 2],
    place: DVec3,
}

impl Ord for Candidate {
    /// Cheapest first; equal costs in the order of the ends, so that the result is always the same.
    fn cmp(&self, other: &Self) -> Ordering {
        other.cost.total_cmp(&self.cost).then_with(|| other.ends.cmp(&self.ends))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}

struct Work {
    limits: Limits,
    positions: Vec<DVec3>,
    quadrics: Vec<Quadric>,
    versions: Vec<u32>,
    triangles: Vec<[usize; 3]>,
    alive: Vec<bool>,
    triangles_of: Vec<Vec<usize>>,
    queue: BinaryHeap<Candidate>,
}

impl Work {
    fn new(mesh: Mesh, limits: Limits) -> Self {
        let count = mesh.positions.len();
        let mut work = Self {
            limits,
            quadrics: vec![Quadric::ZERO; count],
            versions: vec![0; count],
            alive: vec![true; mesh.triangles.len()],
            triangles_of: vec![Vec::new(); count],
            queue: BinaryHeap::new(),
            positions: mesh.positions,
            triangles: mesh.triangles,
        };
        for (index, corners) in work.triangles.iter().enumerate() {
            let plane = Quadric::of_triangle(corners.map(|corner| work.positions[corner]));
            for &corner in corners {
                work.quadrics[corner] += plane;
                work.triangles_of[corner].push(index);
            }
        }
        for point in 0..count {
            for neighbour in work.neighbours(point) {
                if point < neighbour {
                    work.consider(point, neighbour);
                }
            }
        }
        work
    }

    /// Points that share a triangle with `point`, in ascending order.
    fn neighbours(&self, point: usize) -> Vec<usize> {
        let corners = self.triangles_of[point].iter().flat_map(|&t| self.triangles[t]);
        let mut found: Vec<usize> = corners.filter(|&corner| corner != point).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn consider(&mut self, a: usize, b: usize) {
        let sum = self.quadrics[a] + self.quadrics[b];
        let (pa, pb) = (self.positions[a], self.positions[b]);
        let best = [pa.midpoint(pb), pa, pb]
            .into_iter()
            .map(|place| (sum.mean_squared_distance(place), place))
            .min_by(|x, y| x.0.total_cmp(&y.0));
        let Some((cost, place)) = best else { return };
        // A little of the length breaks ties on flat ground in favour of short edges.
        let cost = cost + 1e-6 * pa.distance_squared(pb);
        if cost <= self.limits.tolerance * self.limits.tolerance {
            let versions = [self.versions[a], self.versions[b]];
            self.queue.push(Candidate { cost, ends: [a, b], versions, place });
        }
    }

    fn try_collapse(&mut self, candidate: Candidate) {
        let [kept, gone] = candidate.ends;
        if candidate.versions != [self.versions[kept], self.versions[gone]] {
            return;
        }
        if !self.keeps_manifold(kept, gone)
            || !self.keeps_shape(kept, gone, candidate.place)
            || !self.keeps_shape(gone, kept, candidate.place)
        {
            return;
        }
        self.positions[kept] = candidate.place;
        self.quadrics[kept] = self.quadrics[kept] + self.quadrics[gone];
        self.versions[kept] += 1;
        self.versions[gone] += 1;
        for triangle in std::mem::take(&mut self.triangles_of[gone]) {
            let corners = self.triangles[triangle];
            if corners.contains(&kept) {
                self.alive[triangle] = false;
                for corner in corners {
                    self.triangles_of[corner].retain(|&t| t != triangle);
                }
            } else {
                self.triangles[triangle] = corners.map(|c| if c == gone { kept } else { c });
                self.triangles_of[kept].push(triangle);
            }
        }
        for neighbour in self.neighbours(kept) {
            self.consider(kept.min(neighbour), kept.max(neighbour));
        }
    }

    /// An edge may go if exactly the two triangles beside it connect its ends otherwise.
    fn keeps_manifold(&self, a: usize, b: usize) -> bool {
        let around_b = self.neighbours(b);
        self.neighbours(a).iter().filter(|point| around_b.contains(point)).count() == 2
    }

    /// Whether the triangles of `moved` may follow it to `place`: none turns over, becomes a
    /// sliver, or gets an edge that is too long.
    fn keeps_shape(&self, moved: usize, partner: usize, place: DVec3) -> bool {
        self.triangles_of[moved].iter().all(|&triangle| {
            let corners = self.triangles[triangle];
            if corners.contains(&partner) {
                return true;
            }
            let old = corners.map(|corner| self.positions[corner]);
            let new = corners.map(|c| if c == moved { place } else { self.positions[c] });
            let edges = [new[1] - new[0], new[2] - new[1], new[0] - new[2]];
            let longest = edges.iter().map(|edge| edge.length()).fold(0.0, f64::max);
            let normal = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a);
            let (before, after) = (normal(old), normal(new));
            longest <= self.limits.longest_edge
                && before.dot(after) > 0.5 * before.length() * after.length()
                // Twice the area over the squared longest edge is 0.87 for an equilateral triangle.
                && after.length() > 0.12 * longest * longest
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesher::{Region, mesh_surface};
    use crate::sdf::sphere;

    #[test]
    fn a_ball_loses_most_points_and_stays_round() {
        let region = Region { low: DVec3::splat(-0.6), high: DVec3::splat(0.6) };
        let fine = mesh_surface(&|p| sphere(p, DVec3::ZERO, 0.5), region, 0.04);
        let before = fine.positions.len();
        let coarse = decimate(fine, Limits { tolerance: 0.005, longest_edge: 1.0 });
        assert!(coarse.positions.len() * 3 < before, "{} of {before}", coarse.positions.len());
        assert!(coarse.positions.iter().all(|p| (p.length() - 0.5).abs() < 0.02));
        let edges = coarse.triangles.len() * 3 / 2;
        assert_eq!(coarse.positions.len() + coarse.triangles.len() - edges, 2);
    }
}
