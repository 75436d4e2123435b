//! Coarser surfaces over the vertices of a fine one, for figures that are small in the picture.
//!
//! Edges collapse onto one of their ends, cheapest first, by the quadrics of `decimate`: no vertex is made, so that
//! levels share them. Those of the coarsest level come first, then what the next one needs: a level is a list of
//! triangles over so many first vertices, and a file holds every vertex once.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use glam::DVec3;

use super::decimate::quadric::Quadric;
use super::surface::{Surface, Vertex};

/// How much coarser levels are, the finer one first.
pub(crate) const LEVELS: [Coarseness; 2] =
    [Coarseness { tolerance: 0.006, longest_edge: 0.12 }, Coarseness { tolerance: 0.02, longest_edge: 0.3 }];

/// What a level may differ by, in metres.
#[derive(Clone, Copy)]
pub(crate) struct Coarseness {
    /// Root of the mean squared distance that a collapse may move the surface.
    pub tolerance: f64,
    /// No edge becomes longer: limbs must still bend.
    pub longest_edge: f64,
}

/// A coarser surface: its triangles, over so many first vertices of the fine one.
pub(crate) struct Level {
    pub vertex_count: usize,
    pub indices: Vec<u16>,
}

/// A colour that differs by all of its range counts as so many metres.
const COLOUR_METRES: f64 = 0.03;

/// Makes the levels of a surface, the finer one first, and puts its vertices into their order.
pub(crate) fn levels(surface: &mut Surface) -> [Level; 2] {
    let mut work = Work::new(surface);
    let triangles = LEVELS.map(|coarseness| {
        work.collapse(coarseness);
        work.alive()
    });
    let mut order: Vec<usize> = Vec::new();
    let mut place = vec![usize::MAX; surface.vertices.len()];
    let mut put = |vertex: usize, order: &mut Vec<usize>| {
        if place[vertex] == usize::MAX {
            place[vertex] = order.len();
            order.push(vertex);
        }
    };
    let mut counts = [0; 2];
    for level in [1, 0] {
        triangles[level].iter().flatten().for_each(|&vertex| put(vertex, &mut order));
        counts[level] = order.len();
    }
    (0..surface.vertices.len()).for_each(|vertex| put(vertex, &mut order));

    let number =
        |vertex: usize| u16::try_from(place[vertex]).expect("a surface has fewer than 65536 vertices");
    surface.vertices = order.iter().map(|&vertex| surface.vertices[vertex].clone()).collect();
    surface.indices.iter_mut().for_each(|index| *index = number(usize::from(*index)));
    let level = |level: usize| Level {
        vertex_count: counts[level],
        indices: triangles[level].iter().flatten().map(|&vertex| number(vertex)).collect(),
    };
    [level(0), level(1)]
}

/// An edge whose first end moves to the other one.
struct Collapse {
    cost: f64,
    gone: usize,
    kept: usize,
    versions: [u32; 2],
}

impl Ord for Collapse {
    /// Cheapest first; equal costs in the order of the ends, so that the result is always the same.
    fn cmp(&self, other: &Self) -> Ordering {
        let ends = |collapse: &Self| (collapse.gone, collapse.kept);
        other.cost.total_cmp(&self.cost).then_with(|| ends(other).cmp(&ends(self)))
    }
}

impl PartialOrd for Collapse {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Collapse {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Collapse {}

struct Work {
    positions: Vec<DVec3>,
    colours: Vec<DVec3>,
    triangles: Vec<Option<[usize; 3]>>,
    triangles_of: Vec<Vec<usize>>,
    quadrics: Vec<Quadric>,
    versions: Vec<u32>,
}

impl Work {
    fn new(surface: &Surface) -> Self {
        let count = surface.vertices.len();
        let colour = |vertex: &Vertex| {
            DVec3::new(vertex.colour[0].into(), vertex.colour[1].into(), vertex.colour[2].into()) / 255.0
        };
        let corners = surface.indices.chunks_exact(3);
        let mut work = Self {
            positions: surface.vertices.iter().map(|vertex| vertex.position.as_dvec3()).collect(),
            colours: surface.vertices.iter().map(colour).collect(),
            triangles: corners
                .map(|corners| Some([0, 1, 2].map(|corner| usize::from(corners[corner]))))
                .collect(),
            triangles_of: vec![Vec::new(); count],
            quadrics: vec![Quadric::ZERO; count],
            versions: vec![0; count],
        };
        for (index, corners) in work.triangles.iter().enumerate() {
            let corners = corners.expect("all are there at first");
            let plane = Quadric::of_triangle(corners.map(|corner| work.positions[corner]));
            for corner in corners {
                work.quadrics[corner] += plane;
                work.triangles_of[corner].push(index);
            }
        }
        work
    }

    fn alive(&self) -> Vec<[usize; 3]> {
        self.triangles.iter().flatten().copied().collect()
    }

    /// Collapses what costs no more than a level allows.
    fn collapse(&mut self, coarseness: Coarseness) {
        let mut queue = BinaryHeap::new();
        for vertex in 0..self.positions.len() {
            self.consider_around(vertex, coarseness, &mut queue);
        }
        while let Some(Collapse { gone, kept, versions, .. }) = queue.pop() {
            let is_fresh = versions == [self.versions[gone], self.versions[kept]];
            if is_fresh && self.keeps_manifold(gone, kept) && self.keeps_shape(gone, kept, coarseness) {
                self.move_to(gone, kept);
                self.consider_around(kept, coarseness, &mut queue);
                for neighbour in self.neighbours(kept) {
                    self.consider(neighbour, kept, coarseness, &mut queue);
                }
            }
        }
    }

    fn consider_around(&self, vertex: usize, coarseness: Coarseness, queue: &mut BinaryHeap<Collapse>) {
        for neighbour in self.neighbours(vertex) {
            self.consider(vertex, neighbour, coarseness, queue);
        }
    }

    fn consider(&self, gone: usize, kept: usize, coarseness: Coarseness, queue: &mut BinaryHeap<Collapse>) {
        let place = self.positions[kept];
        let colour = self.colours[gone].distance_squared(self.colours[kept]);
        let cost = (self.quadrics[gone] + self.quadrics[kept]).mean_squared_distance(place)
            + COLOUR_METRES * COLOUR_METRES * colour
            // A little of the length breaks ties on flat ground in favour of short edges.
            + 1e-5 * place.distance_squared(self.positions[gone]);
        if cost <= coarseness.tolerance * coarseness.tolerance {
            let versions = [self.versions[gone], self.versions[kept]];
            queue.push(Collapse { cost, gone, kept, versions });
        }
    }

    fn move_to(&mut self, gone: usize, kept: usize) {
        self.quadrics[kept] = self.quadrics[kept] + self.quadrics[gone];
        self.versions[kept] += 1;
        self.versions[gone] += 1;
        for triangle in std::mem::take(&mut self.triangles_of[gone]) {
            let Some(corners) = self.triangles[triangle] else { continue };
            if corners.contains(&kept) {
                self.triangles[triangle] = None;
                for corner in corners {
                    self.triangles_of[corner].retain(|&other| other != triangle);
                }
            } else {
                self.triangles[triangle] =
                    Some(corners.map(|corner| if corner == gone { kept } else { corner }));
                self.triangles_of[kept].push(triangle);
            }
        }
    }

    fn corners_around(&self, vertex: usize) -> impl Iterator<Item = [usize; 3]> {
        self.triangles_of[vertex].iter().filter_map(|&triangle| self.triangles[triangle])
    }

    /// Vertices that share a triangle with one, in ascending order.
    fn neighbours(&self, vertex: usize) -> Vec<usize> {
        let mut found: Vec<usize> =
            self.corners_around(vertex).flatten().filter(|&other| other != vertex).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn sides_of_edge(&self, a: usize, b: usize) -> usize {
        self.corners_around(a).filter(|corners| corners.contains(&b)).count()
    }

    /// An edge may go if only the triangles beside it connect its ends otherwise, and if a rim stays where it is.
    fn keeps_manifold(&self, gone: usize, kept: usize) -> bool {
        let (around_gone, around_kept) = (self.neighbours(gone), self.neighbours(kept));
        let sides = self.sides_of_edge(gone, kept);
        let is_on_rim = around_gone.iter().any(|&other| self.sides_of_edge(gone, other) == 1);
        let shared = around_gone.iter().filter(|other| around_kept.contains(other)).count();
        // The last that is left of a small closed piece is a tetrahedron.
        shared == sides && (sides == 1 || !is_on_rim) && around_gone.len() + around_kept.len() > 6
    }

    /// Whether no triangle turns over, or gets an edge that is too long.
    fn keeps_shape(&self, gone: usize, kept: usize, coarseness: Coarseness) -> bool {
        self.corners_around(gone).filter(|corners| !corners.contains(&kept)).all(|corners| {
            let normal = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a);
            let old = corners.map(|corner| self.positions[corner]);
            let new = corners.map(|corner| self.positions[if corner == gone { kept } else { corner }]);
            let edges = [new[1] - new[0], new[2] - new[1], new[0] - new[2]];
            let longest = edges.iter().map(|edge| edge.length()).fold(0.0, f64::max);
            let (before, after) = (normal(old), normal(new));
            longest <= coarseness.longest_edge
                && before.dot(after) > 0.3 * before.length() * after.length()
                // Twice the area over the squared longest edge is 0.87 for an equilateral triangle.
                && after.length() > 0.05 * longest * longest
        })
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::mesher::{Region, mesh_surface};
    use crate::sdf::sphere;
    use crate::surface::Material;

    fn ball() -> Surface {
        let region = Region { low: DVec3::splat(-0.3), high: DVec3::splat(0.3) };
        let mesh = mesh_surface(&|p| sphere(p, DVec3::ZERO, 0.25), region, 0.02);
        let vertex = |position: &DVec3| Vertex {
            position: position.as_vec3(),
            normal: Vec3::Y,
            colour: [200; 4],
            joints: [0; 4],
            weights: [0; 4],
        };
        Surface {
            material: Material::Metal,
            vertices: mesh.positions.iter().map(vertex).collect(),
            indices: mesh.triangles.iter().flatten().map(|&corner| u16::try_from(corner).unwrap()).collect(),
        }
    }

    /// The corners of each triangle, whatever numbers its vertices have.
    fn corners(surface: &Surface, indices: &[u16]) -> Vec<[Vec3; 3]> {
        let place = |index: u16| surface.vertices[usize::from(index)].position;
        indices
            .chunks_exact(3)
            .map(|corners| [place(corners[0]), place(corners[1]), place(corners[2])])
            .collect()
    }

    #[test]
    fn levels_have_fewer_and_fewer_triangles_over_first_vertices_and_stay_closed() {
        let mut surface = ball();
        let before = corners(&surface, &surface.indices);
        let levels = levels(&mut surface);
        assert_eq!(corners(&surface, &surface.indices), before, "the surface itself stays as it was");
        let mut finer = before.len();
        for level in &levels {
            let triangles = level.indices.len() / 3;
            assert!(2 * triangles < finer, "{triangles} of {finer}");
            assert!(level.indices.iter().all(|&index| usize::from(index) < level.vertex_count));
            // Euler's formula for what has no holes.
            assert_eq!(level.vertex_count + triangles, triangles * 3 / 2 + 2);
            finer = triangles;
        }
    }
}
