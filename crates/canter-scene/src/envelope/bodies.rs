//! All meshes of a model, and their bounds in a pose.

use std::ops::Range;

use canter::{Mat3x4, MorphId, Pose};
#[cfg(target_arch = "x86_64")]
use fearless_simd::Sse2;
#[cfg(not(target_arch = "x86_64"))]
use fearless_simd::dispatch;
use fearless_simd::{Level, Simd};

use super::columns::{self, columns};
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
    pub(crate) weights: MorphWeights<'a>,
    pub(crate) joints: &'a [Mat3x4],
    pub(crate) palette: &'a [Mat3x4],
    pub(crate) bounds: &'a mut [Bounds],
}

/// The weights of morph targets.
#[derive(Clone, Copy)]
pub(crate) enum MorphWeights<'a> {
    Of(&'a Pose),
    /// The same for every mesh.
    Same(&'a [f32]),
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
        #[cfg(not(target_arch = "x86_64"))]
        dispatch!(level, simd => self.write_in(simd, columns, present));
        // Two ways do for all processors of this kind: each takes long to compile.
        #[cfg(target_arch = "x86_64")]
        match (level.as_avx2(), level.as_sse2()) {
            (Some(avx2), _) => avx2.vectorize(
                #[inline(always)]
                move || self.write_in(avx2, columns::avx2::columns, present),
            ),
            (None, Some(sse2)) => self.write_slowly(sse2, present),
            (None, None) => unreachable!("every x86-64 processor has SSE2"),
        }
    }

    /// Apart, so that what old processors need takes nothing from the others.
    #[cfg(target_arch = "x86_64")]
    #[inline(never)]
    fn write_slowly(&self, sse2: Sse2, present: &mut Present<'_>) {
        sse2.vectorize(
            #[inline(always)]
            move || self.write_in(sse2, columns, present),
        );
    }

    #[inline(always)]
    fn write_in<S: Simd>(
        &self,
        simd: S,
        columns: impl Turn<S>,
        Present { weights, joints, palette, bounds }: &mut Present<'_>,
    ) {
        self.lone_boxes.write(simd, columns, joints, bounds);
        for (place, Body { palette: range, morph, envelope }) in &self.bodies {
            let pose =
                || Sample { joints, palette: &palette[range.clone()], morph_weights: weights.of(*morph) };
            bounds[*place] = envelope.bounds(simd, columns, joints, pose);
        }
    }
}

impl<'a> MorphWeights<'a> {
    fn of(self, morph: Option<MorphId>) -> &'a [f32] {
        match self {
            Self::Of(pose) => morph.map_or(&[], |morph| pose.morph_weights(morph)),
            Self::Same(weights) => weights,
        }
    }
}
