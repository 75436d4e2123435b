//! Samples on a plane by gradient bands: each counts less towards every other sample, and nothing beyond it.
//!
//! A sample's claim is the least, over all others, of one minus how far the place is on the way there. Behind
//! the sample, as seen from another one, nothing is taken away, so that some claim is left everywhere.

use super::grid::{Cell, Grid, Pair};
use super::hull::{Hull, triangulate};
use super::triangles::Triangles;
use super::{MOST_SAMPLES, write_shares};

#[derive(Clone, Debug)]
pub(super) struct Bands {
    /// For each sample the ways to all others, the shortest first: the near ones take most away.
    ways: Vec<Way>,
    /// What each of them leaves of a claim.
    slopes: Vec<Slope>,
    samples: usize,
    grid: Grid,
    /// Of each cell, whether all of it is inside of the outline.
    is_inside: Vec<bool>,
    /// The inside of the outline, and the outline.
    inside: Triangles,
    hull: Hull,
}

#[derive(Clone, Copy, Debug)]
struct Way {
    from: [f64; 2],
    /// To the other sample, divided by the square of its length.
    way: [f64; 2],
}

impl Way {
    /// How far a place is on it, from 0 to 1 and beyond.
    #[inline]
    fn along(&self, at: [f64; 2]) -> f64 {
        (at[0] - self.from[0]) * self.way[0] + (at[1] - self.from[1]) * self.way[1]
    }
}

/// One minus how far a place is on a way.
#[derive(Clone, Copy, Debug)]
struct Slope {
    at_origin: f64,
    per_unit: [f64; 2],
}

impl Slope {
    fn new(Way { from, way }: &Way) -> Self {
        Self { at_origin: 1.0 + (from[0] * way[0] + from[1] * way[1]), per_unit: *way }
    }

    #[inline]
    fn at(&self, at: [f64; 2]) -> f64 {
        self.at_origin - (at[0] * self.per_unit[0] + at[1] * self.per_unit[1])
    }
}

impl Pair for Way {
    fn range(&self, cell: &Cell) -> [f64; 2] {
        let of_axis = |axis: usize| {
            let ends = [cell.min[axis], cell.max[axis]].map(|x| (x - self.from[axis]) * self.way[axis]);
            [ends[0].min(ends[1]), ends[0].max(ends[1])]
        };
        let [x, y] = [of_axis(0), of_axis(1)];
        [x[0] + y[0], x[1] + y[1]]
    }

    fn is_at_most(&self, other: &Self, cell: &Cell) -> bool {
        // From one sample, the difference is a way, too.
        let way = [other.way[0] - self.way[0], other.way[1] - self.way[1]];
        Self { way, ..*self }.range(cell)[0] >= 0.0
    }

    fn slopes(&self, pair: usize, _: &Cell, slopes: &mut Vec<usize>) {
        slopes.push(pair);
    }
}

impl Bands {
    pub(super) fn new(samples: &[[f32; 2]]) -> Self {
        let places: Vec<_> = samples.iter().map(|sample| sample.map(f64::from)).collect();
        let mut ways = Vec::new();
        for (from, a) in places.iter().enumerate() {
            let others = places.iter().enumerate().filter(|(to, _)| *to != from);
            let mut found: Vec<_> = others
                .map(|(_, b)| {
                    let (x, y) = (b[0] - a[0], b[1] - a[1]);
                    (x * x + y * y, x, y)
                })
                .collect();
            found.sort_by(|a, b| a.0.total_cmp(&b.0));
            let way = |(length2, x, y)| Way { from: *a, way: [x / length2, y / length2] };
            ways.extend(found.into_iter().map(way));
        }
        let bounds = places.iter().fold(
            Cell { min: [f64::MAX; 2], max: [f64::MIN; 2] },
            |Cell { min, max }, place| Cell {
                min: [0, 1].map(|axis| min[axis].min(place[axis])),
                max: [0, 1].map(|axis| max[axis].max(place[axis])),
            },
        );
        let inside = Triangles::new(samples);
        let grid = Grid::new(bounds, 16, samples.len(), &ways);
        // The outline has no dents: where all corners are inside, everything between them is.
        let is_all = |Cell { min, max }: Cell| {
            [[min[0], min[1]], [min[0], max[1]], [max[0], min[1]], max].iter().all(|at| inside.contains(*at))
        };
        let is_inside = grid.cells().into_iter().map(is_all).collect();
        let slopes = ways.iter().map(Slope::new).collect();
        Self { ways, slopes, samples: samples.len(), grid, is_inside, inside, hull: triangulate(samples).1 }
    }

    pub(super) fn weigh(&self, at: [f64; 2], weights: &mut [f32]) {
        if self.samples == 1 {
            weights[0] = 1.0;
            return;
        }
        let mut at = at;
        let mut cell = self.grid.find(at);
        let is_inside = cell.is_some_and(|cell| self.is_inside[cell] || self.inside.contains(at));
        if !is_inside && let Some(place) = self.hull.nearest(at) {
            at = place.at;
            cell = self.grid.find(at);
        }
        let Some(cell) = cell else { return self.weigh_all(at, weights) };
        self.grid.weigh(cell, |slope| self.slopes[slope].at(at), weights);
    }

    /// The same by asking all.
    fn weigh_all(&self, at: [f64; 2], weights: &mut [f32]) {
        let mut claims = [0.0_f64; MOST_SAMPLES];
        for (claim, ways) in claims.iter_mut().zip(self.ways.chunks_exact(self.samples - 1)) {
            *claim = ways.iter().fold(1.0, |claim: f64, way| claim.min(1.0 - way.along(at)));
        }
        write_shares(&mut claims[..self.samples], |claim| claim, weights);
    }
}

#[cfg(test)]
mod tests {
    use canter_testing::random::Random;

    use super::*;

    #[test]
    fn asking_those_who_matter_is_asking_all() {
        let mut random = Random(1);
        for count in [2, 3, 5, 12, 20, 40] {
            let samples: Vec<_> =
                (0..count).map(|_| [random.between(-2.0, 3.0), random.between(-1.0, 1.0)]).collect();
            let bands = Bands::new(&samples);
            for _ in 0..500 {
                let at = [random.between(-2.0, 3.0), random.between(-1.0, 1.0)].map(f64::from);
                if !bands.inside.contains(at) {
                    continue;
                }
                let (mut few, mut all) = (vec![0.0; count], vec![0.0; count]);
                bands.weigh(at, &mut few);
                bands.weigh_all(at, &mut all);
                let apart = few.iter().zip(&all).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                assert!(apart <= 1e-7, "{apart} at {at:?} of {samples:?}");
            }
        }
    }
}
