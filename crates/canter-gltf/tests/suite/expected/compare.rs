//! Comparing, counting, and keeping the largest error.

use canter_gltf::canter::Transform;
use canter_gltf::canter::glam::{Mat4, Vec3};
use canter_scene::PosedVertices;

use super::format;

/// Matrices and positions, relative to the model's size (the largest number that goes into them).
const TOLERANCE: f64 = 5e-6;
/// Numbers of a joint's own transform, relative to their size where it is above one.
const LOCAL_TOLERANCE: f64 = 2e-6;
const NORMAL_TOLERANCE: f64 = 1e-4;

pub(crate) struct Comparison {
    model: String,
    size: f64,
    pub(crate) values: usize,
    pub(crate) largest_error: f64,
    pub(crate) largest_place: String,
}

impl Comparison {
    pub(crate) fn new(model: &str, size: f64) -> Self {
        Self { model: model.to_owned(), size, values: 0, largest_error: 0.0, largest_place: String::new() }
    }

    pub(crate) fn matrix(&mut self, found: &Mat4, expected: &[f64; 16], place: &str) {
        self.numbers(&found.to_cols_array(), expected, place);
    }

    pub(crate) fn weights(&mut self, found: &[f32], expected: &[f64], place: &str) {
        assert_eq!(found.len(), expected.len(), "{}, {place}: the number of weights", self.model);
        self.within(found, expected, LOCAL_TOLERANCE, place);
    }

    pub(crate) fn local(&mut self, found: &Transform, expected: &format::Local, place: &str) {
        let place = format!("{place}, local of node {}", expected.node);
        for (found, expected) in [(found.translation, expected.t), (found.scale, expected.s)] {
            let size = expected.iter().fold(1.0, |size: f64, number| size.max(number.abs()));
            self.within(&found.to_array(), &expected, LOCAL_TOLERANCE * size, &place);
        }
        // A quaternion and its negative are the same rotation.
        let dot: f64 = found.rotation.to_array().iter().zip(expected.r).map(|(&a, b)| f64::from(a) * b).sum();
        let rotation = if dot < 0.0 { -found.rotation } else { found.rotation };
        self.within(&rotation.to_array(), &expected.r, LOCAL_TOLERANCE, &place);
    }

    pub(crate) fn primitive(&mut self, found: &PosedVertices, expected: &format::Primitive, place: &str) {
        let (min, max) = found.bounds().expect("vertices");
        self.numbers(&min.to_array(), &expected.min_r.unwrap_or(expected.min), &format!("{place}, min"));
        self.numbers(&max.to_array(), &expected.max_r.unwrap_or(expected.max), &format!("{place}, max"));
        let mean = mean(&found.positions);
        for (found, expected) in mean.into_iter().zip(expected.mean_r.unwrap_or(expected.mean)) {
            self.number(found, expected, self.size, TOLERANCE * self.size, &format!("{place}, mean"));
        }
        for vertex in &expected.verts {
            let place = format!("{place}, vertex {}", vertex.i);
            let position = found.positions[vertex.i].to_array();
            self.numbers(&position, &vertex.pr.unwrap_or(vertex.p), &place);
            let normal = match vertex.nt {
                Some(upright) => upright,
                None => vertex.n,
            };
            if let Some(normal) = normal {
                self.within(
                    &found.normals[vertex.i].to_array(),
                    &normal,
                    NORMAL_TOLERANCE,
                    &format!("{place}, normal"),
                );
            }
        }
    }

    /// Numbers in the model's space. (The size counts skins only: a node may be scaled by more.)
    fn numbers(&mut self, found: &[f32], expected: &[f64], place: &str) {
        let size = expected.iter().fold(self.size, |size, number| size.max(number.abs()));
        for (&found, &expected) in found.iter().zip(expected) {
            self.number(f64::from(found), expected, size, TOLERANCE * size, place);
        }
    }

    /// Numbers of order one.
    fn within(&mut self, found: &[f32], expected: &[f64], tolerance: f64, place: &str) {
        for (&found, &expected) in found.iter().zip(expected) {
            let size = expected.abs().max(1.0);
            self.number(f64::from(found), expected, size, tolerance, place);
        }
    }

    fn number(&mut self, found: f64, expected: f64, size: f64, tolerance: f64, place: &str) {
        self.values += 1;
        let error = (found - expected).abs();
        assert!(
            error <= tolerance,
            "{}, {place}: {found} instead of {expected}, off by {error:.2e}",
            self.model
        );
        if error / size > self.largest_error {
            self.largest_error = error / size;
            self.largest_place = place.to_owned();
        }
    }
}

fn mean(positions: &[Vec3]) -> [f64; 3] {
    #[expect(clippy::cast_precision_loss, reason = "meshes have fewer than 2^52 vertices")]
    let count = positions.len() as f64;
    [0, 1, 2].map(|axis| positions.iter().map(|position| f64::from(position[axis])).sum::<f64>() / count)
}
