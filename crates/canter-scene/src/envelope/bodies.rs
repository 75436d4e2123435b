//! All meshes of a model, and their bounds in a pose.

use std::ops::Range;

use canter::{Mat3x4, MorphId, Pose};
use fearless_simd::{Level, Simd};

use super::columns::columns;
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
        fearless_simd::dispatch!(level, simd => self.write_in(simd, columns, present));
        // Two ways do for all processors of this kind: each takes long to compile.
        #[cfg(target_arch = "x86_64")]
        match (level.as_avx2(), level.as_sse2()) {
            (Some(avx2), _) => avx2.vectorize(
                #[inline(always)]
                move || self.write_in(avx2, super::columns::avx2::columns, present),
            ),
            (None, Some(sse2)) => self.write_slowly(sse2, present),
            (None, None) => unreachable!("every x86-64 processor has SSE2"),
        }
    }

    /// Apart, so that what old processors need takes nothing from the others.
    #[cfg(target_arch = "x86_64")]
    #[inline(never)]
    fn write_slowly(&self, sse2: fearless_simd::Sse2, present: &mut Present<'_>) {
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

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use canter::glam::Vec3;

    use super::super::fit;
    use super::super::made_up::{bent, chain, numbers};
    use super::*;

    #[test]
    fn old_processors_give_the_same_bits() {
        let mut next = numbers(1);
        let vertices: Vec<_> = (0..300)
            .map(|number| {
                let mut weights = vec![0.0; 40];
                let weak = next().abs() * 0.2;
                weights[number % 40] = 1.0 - weak;
                weights[(number * 7 + 3) % 40] += weak;
                (Vec3::new((number % 40) as f32 + next(), next(), next()), weights)
            })
            .collect();
        let vertices = chain(&vertices);
        let palettes: Vec<_> = (0..10).map(|_| bent(&vertices, &mut next, 0.1)).collect();
        let pose = |palette| Sample { joints: palette, palette, morph_weights: &[] };
        let poses: Vec<_> = palettes.iter().map(|palette| pose(&palette[..])).collect();
        let envelope = fit(vertices.clone(), &poses);
        assert!(!envelope.has_boxes_alone);
        let bodies = Bodies::new(vec![Body { palette: 0..40, morph: None, envelope }]);
        let sse2 = Level::new().as_sse2().unwrap();
        for _ in 0..50 {
            let palette = bent(&vertices, &mut next, 0.5);
            let bounds_by = |write: &dyn Fn(&mut Present<'_>)| {
                let mut bounds = [Bounds::EMPTY];
                let weights = MorphWeights::Same(&[]);
                write(&mut Present { weights, joints: &palette, palette: &palette, bounds: &mut bounds });
                assert!(!bounds[0].is_empty());
                bounds
            };
            let slowly = bounds_by(&|present| bodies.write_slowly(sse2, present));
            assert_eq!(bounds_by(&|present| bodies.write(present)), slowly);
        }
    }
}
