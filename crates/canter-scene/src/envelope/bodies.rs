//! All meshes of a model, and their bounds in a pose.

use std::ops::Range;

use canter::{Mat3x4, MorphId, Pose};
use fearless_simd::{Level, Simd};

use super::columns::at_level;
use super::lone::LoneBoxes;
use super::octet::Turn;
use super::{Envelope, Sample};
use crate::bounds::Bounds;

/// Everything that has bounds of its own.
#[derive(Debug, Default)]
pub(crate) struct Bodies {
    /// Those that take more than a box, with the places of their bounds.
    bodies: Vec<(usize, Body)>,
    lone_boxes: LoneBoxes,
    len: usize,
}

/// Where a whole model is, and its bounds.
pub(crate) struct Present<'a> {
    pub(crate) pose: &'a Pose,
    pub(crate) joints: &'a [Mat3x4],
    pub(crate) palette: &'a [Mat3x4],
    pub(crate) bounds: &'a mut [Bounds],
}

/// The parts of a mesh at a node.
#[derive(Debug)]
pub(crate) struct Body {
    /// Where its matrices are in the palette of the model.
    pub(crate) palette: Range<usize>,
    pub(crate) morph: Option<MorphId>,
    pub(crate) envelope: Envelope,
}

impl Bodies {
    pub(crate) fn new(bodies: Vec<Body>) -> Self {
        let len = bodies.len();
        let mut lone_boxes = Vec::new();
        let mut others = Vec::new();
        for (place, body) in bodies.into_iter().enumerate() {
            match body.envelope.lone_box {
                Some(lone_box) => lone_boxes.push((place, lone_box)),
                None => others.push((place, body)),
            }
        }
        Self { bodies: others, lone_boxes: LoneBoxes::new(&lone_boxes), len }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Writes the bounds of all.
    pub(crate) fn write(&self, present: &mut Present<'_>) {
        let level = Level::new();
        at_level!(level, |simd, columns| self.write_in(simd, columns, present));
    }

    #[inline(always)]
    fn write_in<S: Simd>(
        &self,
        simd: S,
        columns: impl Turn<S>,
        Present { pose, joints, palette, bounds }: &mut Present<'_>,
    ) {
        self.lone_boxes.write(simd, columns, joints, bounds);
        for (place, Body { palette: range, morph, envelope }) in &self.bodies {
            let pose = || Sample {
                joints,
                palette: &palette[range.clone()],
                morph_weights: morph.map_or(&[], |morph| pose.morph_weights(morph)),
            };
            bounds[*place] = envelope.bounds(simd, columns, joints, pose);
        }
    }
}
