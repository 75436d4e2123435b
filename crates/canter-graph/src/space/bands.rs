//! Samples on a plane by gradient bands: each counts less towards every other sample, and nothing beyond it.
//!
//! A sample's claim is the least, over all others, of one minus how far the place is on the way there. Behind
//! the sample, as seen from another one, nothing is taken away, so that some claim is left everywhere.

use super::hull::{Hull, triangulate};
use super::triangles::Triangles;
use super::{MOST_SAMPLES, write_shares};

#[derive(Clone, Debug)]
pub(super) struct Bands {
    places: Vec<[f64; 2]>,
    /// For each sample the ways to all others, divided by the squares of their lengths, the shortest first:
    /// near ones mostly leave nothing, and then the rest need not be asked.
    ways: Vec<[f64; 2]>,
    /// The inside of the outline, and the outline.
    inside: Triangles,
    hull: Hull,
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
            ways.extend(found.into_iter().map(|(length2, x, y)| [x / length2, y / length2]));
        }
        Self { places, ways, inside: Triangles::new(samples), hull: triangulate(samples).1 }
    }

    pub(super) fn weigh(&self, at: [f64; 2], weights: &mut [f32]) {
        let others = self.places.len() - 1;
        if others == 0 {
            weights[0] = 1.0;
            return;
        }
        let at =
            if self.inside.contains(at) { at } else { self.hull.nearest(at).map_or(at, |place| place.at) };
        let mut claims = [0.0_f64; MOST_SAMPLES];
        for ((claim, place), ways) in claims.iter_mut().zip(&self.places).zip(self.ways.chunks_exact(others))
        {
            let (x, y) = (at[0] - place[0], at[1] - place[1]);
            *claim = 1.0;
            for way in ways {
                *claim = claim.min(1.0 - (x * way[0] + y * way[1]));
                if *claim <= 0.0 {
                    break;
                }
            }
        }
        write_shares(&claims[..self.places.len()], weights);
    }
}
