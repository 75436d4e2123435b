//! Samples on a plane as corners of triangles: at any place at most three count.

use super::SMALLEST;
use super::hull::{Hull, triangulate};
use super::line::write_pair;

#[derive(Clone, Debug)]
pub(super) struct Triangles {
    corners: Vec<[u8; 3]>,
    /// For each triangle its first corner, and what leads from there to the weights of the others.
    maps: Vec<Map>,
    hull: Hull,
}

#[derive(Clone, Copy, Debug)]
struct Map {
    origin: [f64; 2],
    to_second: [f64; 2],
    to_third: [f64; 2],
}

impl Map {
    #[inline]
    fn weights(&self, at: [f64; 2]) -> [f64; 3] {
        let (x, y) = (at[0] - self.origin[0], at[1] - self.origin[1]);
        let second = self.to_second[0] * x + self.to_second[1] * y;
        let third = self.to_third[0] * x + self.to_third[1] * y;
        [1.0 - second - third, second, third]
    }
}

impl Triangles {
    pub(super) fn new(samples: &[[f32; 2]]) -> Self {
        let (triangles, hull) = triangulate(samples);
        let map = |[a, b, c]: &[usize; 3]| {
            let [a, b, c] = [*a, *b, *c].map(|corner| samples[corner].map(f64::from));
            let (bx, by, cx, cy) = (b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]);
            let area = bx * cy - by * cx;
            Map { origin: a, to_second: [cy / area, -cx / area], to_third: [-by / area, bx / area] }
        };
        // What is as thin as a line has no inside.
        let is_sound = |map: &Map| map.to_second.iter().chain(&map.to_third).all(|x| x.is_finite());
        let (mut corners, mut maps) = (Vec::new(), Vec::new());
        for triangle in &triangles {
            let map = map(triangle);
            if is_sound(&map) {
                corners.push(triangle.map(|corner| u8::try_from(corner).expect("there are few samples")));
                maps.push(map);
            }
        }
        Self { corners, maps, hull }
    }

    pub(super) fn corners(&self) -> &[[u8; 3]] {
        &self.corners
    }

    /// Whether a place is inside of any.
    pub(super) fn contains(&self, at: [f64; 2]) -> bool {
        self.maps.iter().any(|map| map.weights(at).iter().all(|weight| *weight >= -SMALLEST))
    }

    pub(super) fn weigh(&self, at: [f64; 2], weights: &mut [f32]) {
        for (map, corners) in self.maps.iter().zip(&self.corners) {
            let found = map.weights(at);
            if found[0] >= -SMALLEST && found[1] >= -SMALLEST && found[2] >= -SMALLEST {
                let claims = found.map(|weight| if weight < SMALLEST { 0.0 } else { weight });
                let sum: f64 = claims.iter().sum();
                for (corner, claim) in corners.iter().zip(claims) {
                    #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
                    let weight = (claim / sum) as f32;
                    weights[usize::from(*corner)] = weight;
                }
                return;
            }
        }
        match self.hull.nearest(at) {
            Some(place) => write_pair(place.first, place.second, place.part, weights),
            None => weights[0] = 1.0,
        }
    }
}
