//! The outline of samples on a plane.

use delaunator::{EMPTY, Point};

/// Lines from sample to sample round the outside.
#[derive(Clone, Debug)]
pub(super) struct Hull {
    edges: Vec<Edge>,
    /// Somewhere near: distances are compared from there.
    middle: [f64; 2],
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    first: usize,
    second: usize,
    from: [f64; 2],
    way: [f64; 2],
    /// Its square.
    length2: f64,
}

/// A place on the outline.
pub(super) struct OnHull {
    pub(super) first: usize,
    pub(super) second: usize,
    /// Of the way from one to the other.
    pub(super) part: f64,
    pub(super) at: [f64; 2],
}

/// Triangles between samples, by their numbers; and the outline. Samples on one line have no triangles, and
/// the line is the outline; a single sample has none.
pub(super) fn triangulate(samples: &[[f32; 2]]) -> (Vec<[usize; 3]>, Hull) {
    let place = |sample: usize| samples[sample].map(f64::from);
    let points: Vec<_> = samples.iter().map(|[x, y]| Point { x: f64::from(*x), y: f64::from(*y) }).collect();
    let found = delaunator::triangulate(&points);
    let triangles: Vec<[usize; 3]> =
        found.triangles.chunks_exact(3).map(|corners| [corners[0], corners[1], corners[2]]).collect();
    let mut ends: Vec<[usize; 2]> = Vec::new();
    if triangles.is_empty() {
        let mut along: Vec<usize> = (0..samples.len()).collect();
        along.sort_by(|a, b| place(*a).partial_cmp(&place(*b)).expect("places are finite"));
        ends.extend(along.windows(2).map(|pair| [pair[0], pair[1]]));
    } else {
        let outer = (0..found.triangles.len()).filter(|edge| found.halfedges[*edge] == EMPTY);
        ends.extend(
            outer.map(|edge| [found.triangles[edge], found.triangles[delaunator::next_halfedge(edge)]]),
        );
    }
    let edge = |[first, second]: [usize; 2]| {
        let (from, to) = (place(first), place(second));
        let way = [to[0] - from[0], to[1] - from[1]];
        Edge { first, second, from, way, length2: way[0] * way[0] + way[1] * way[1] }
    };
    (triangles, Hull { edges: ends.into_iter().map(edge).collect(), middle: place(0) })
}

impl Hull {
    /// The place on the outline that is nearest; `None` if there is a single sample.
    pub(super) fn nearest(&self, at: [f64; 2]) -> Option<OnHull> {
        let mut nearest: Option<(f64, OnHull)> = None;
        for &Edge { first, second, from, way, length2 } in &self.edges {
            let along = (at[0] - from[0]) * way[0] + (at[1] - from[1]) * way[1];
            let part = (along / length2).clamp(0.0, 1.0);
            let place = [from[0] + way[0] * part, from[1] + way[1] * part];
            // Their squares, without that of the place itself: far outside nothing else would be left of
            // them.
            let [(x, away_x), (y, away_y)] =
                [0, 1].map(|axis| (place[axis] - self.middle[axis], at[axis] - self.middle[axis]));
            let distance = x * x + y * y - 2.0 * (x * away_x + y * away_y);
            if nearest.as_ref().is_none_or(|(least, _)| distance < *least) {
                nearest = Some((distance, OnHull { first, second, part, at: place }));
            }
        }
        nearest.map(|(_, place)| place)
    }
}
