//! Many boxes of joints at once: two in a register of eight.

use std::ops::Range;

use canter::Mat3x4;
use canter::glam::{Vec3, Vec4};
use fearless_simd::{Level, Simd, dispatch, f32x4, f32x8, mask32x8, prelude::*, u8x16, u8x32};

use super::JointBox;
use crate::bounds::Bounds;

/// All boxes of an envelope.
#[derive(Clone, Debug, Default)]
pub(super) struct BoxPairs {
    pairs: Vec<BoxPair>,
    /// Pairs that travel with joints next to each other, as most do: they are read one after the other.
    runs: Vec<Run>,
    /// The joints of the pairs that are left, which are the last ones.
    others: Vec<[usize; 2]>,
}

/// Two boxes, each in four lanes. A matrix is read along its diagonals, `x0 y1 z2`, `x1 y2 z3`, `x2 y3 z0` and `x3 y0 z1`:
/// these need fewer instructions than its columns. Middle and half size are stored likewise; the fourth lanes are 0.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
struct BoxPair {
    centers: [[f32; 8]; 4],
    halves: [[f32; 8]; 4],
}

#[derive(Clone, Debug)]
struct Run {
    joints: Range<usize>,
    pairs: Range<usize>,
}

impl BoxPairs {
    /// Boxes as pairs; one that is left over is paired with itself.
    pub(super) fn new(boxes: &[JointBox]) -> Self {
        let mut all = Self::default();
        let mut single: Vec<&JointBox> = Vec::new();
        let mut waiting: Vec<_> = boxes.iter().collect();
        waiting.sort_by_key(|part| part.joint);
        while !waiting.is_empty() {
            // One box per joint in each round; the next ones of the same joint wait.
            let mut left = Vec::new();
            let mut round: Vec<&JointBox> = Vec::new();
            for part in waiting {
                let is_next = round.last().is_none_or(|last| last.joint != part.joint);
                if is_next { round.push(part) } else { left.push(part) }
            }
            waiting = left;
            for run in round.chunk_by(|a, b| a.joint + 1 == b.joint) {
                let (even, odd) = run.split_at(run.len() / 2 * 2);
                if !even.is_empty() {
                    let first = all.pairs.len();
                    all.pairs.extend(even.chunks_exact(2).map(|pair| BoxPair::new([pair[0], pair[1]])));
                    let joints = even[0].joint..even[0].joint + even.len();
                    all.runs.push(Run { joints, pairs: first..all.pairs.len() });
                }
                single.extend(odd);
            }
        }
        for pair in single.chunks(2) {
            let pair = [pair[0], pair[pair.len() - 1]];
            all.others.push(pair.map(|part| part.joint));
            all.pairs.push(BoxPair::new(pair));
        }
        all
    }

    /// The box around all of them under a palette.
    pub(super) fn bounds(&self, palette: &[Mat3x4]) -> Bounds {
        dispatch!(Level::new(), simd => self.bounds_in(simd, palette))
    }

    #[inline(always)]
    fn bounds_in<S: Simd>(&self, simd: S, palette: &[Mat3x4]) -> Bounds {
        let mut around = (f32x8::splat(simd, f32::INFINITY), f32x8::splat(simd, f32::NEG_INFINITY));
        for run in &self.runs {
            let matrices = palette[run.joints.clone()].chunks_exact(2);
            for (pair, matrices) in self.pairs[run.pairs.clone()].iter().zip(matrices) {
                around = pair.add_to(simd, around, &matrices[0], &matrices[1]);
            }
        }
        let others = &self.pairs[self.pairs.len() - self.others.len()..];
        for (pair, joints) in others.iter().zip(&self.others) {
            around = pair.add_to(simd, around, &palette[joints[0]], &palette[joints[1]]);
        }
        let ((a, b), (c, d)) = (around.0.split(), around.1.split());
        let (least, most) = (a.min(b), c.max(d));
        Bounds { min: Vec3::new(least[0], least[1], least[2]), max: Vec3::new(most[0], most[1], most[2]) }
    }
}

impl BoxPair {
    fn new(pair: [&JointBox; 2]) -> Self {
        let diagonals = |regions: [Vec4; 2]| {
            std::array::from_fn(|diagonal| {
                std::array::from_fn(|lane| match lane % 4 {
                    3 => 0.0,
                    axis => regions[lane / 4][(diagonal + axis) % 4],
                })
            })
        };
        Self {
            centers: diagonals(pair.map(|part| part.region.center)),
            halves: diagonals(pair.map(|part| part.region.half)),
        }
    }

    #[inline(always)]
    fn add_to<S: Simd>(
        &self,
        simd: S,
        (least, most): (f32x8<S>, f32x8<S>),
        first: &Mat3x4,
        second: &Mat3x4,
    ) -> (f32x8<S>, f32x8<S>) {
        let [a, b, c, d] = diagonals(simd, first, second);
        let center = (a * load(simd, &self.centers[0]) + b * load(simd, &self.centers[1]))
            + (c * load(simd, &self.centers[2]) + d * load(simd, &self.centers[3]));
        let half = (a.abs() * load(simd, &self.halves[0]) + b.abs() * load(simd, &self.halves[1]))
            + (c.abs() * load(simd, &self.halves[2]) + d.abs() * load(simd, &self.halves[3]));
        (least.min(center - half), most.max(center + half))
    }
}

#[inline(always)]
fn diagonals<S: Simd>(simd: S, first: &Mat3x4, second: &Mat3x4) -> [f32x8<S>; 4] {
    let x = row(simd, &first.rows[0], &second.rows[0]);
    let y = row(simd, &first.rows[1], &second.rows[1]);
    let z = row(simd, &first.rows[2], &second.rows[2]);
    [
        // x in lane 0, y in lane 1, z in lane 2; each next diagonal one lane on, and turned back.
        choose::<S, 0>(simd, x, y, z),
        turn::<S, 1>(choose::<S, 1>(simd, x, y, z)),
        turn::<S, 2>(choose::<S, 2>(simd, x, y, z)),
        turn::<S, 3>(choose::<S, 3>(simd, x, y, z)),
    ]
}

#[inline(always)]
fn load<S: Simd>(simd: S, numbers: &[f32; 8]) -> f32x8<S> {
    f32x8::simd_from(simd, *numbers)
}

#[inline(always)]
fn row<S: Simd>(simd: S, first: &[f32; 4], second: &[f32; 4]) -> f32x8<S> {
    f32x4::simd_from(simd, *first).combine(f32x4::simd_from(simd, *second))
}

/// Lane `START` of `x`, the next of `y`, the one after that of `z`, and what is left of `z`, in each block of four.
#[inline(always)]
fn choose<S: Simd, const START: usize>(simd: S, x: f32x8<S>, y: f32x8<S>, z: f32x8<S>) -> f32x8<S> {
    let is_x = lane_mask(simd, START % 4);
    let is_y = lane_mask(simd, (START + 1) % 4);
    is_x.select(x, is_y.select(y, z))
}

#[inline(always)]
fn lane_mask<S: Simd>(simd: S, lane: usize) -> mask32x8<S> {
    let on = |at: usize| if at == lane { -1 } else { 0 };
    mask32x8::simd_from(simd, [on(0), on(1), on(2), on(3), on(0), on(1), on(2), on(3)])
}

/// Brings lane `START` to the front of each block of four.
#[inline(always)]
fn turn<S: Simd, const START: u8>(numbers: f32x8<S>) -> f32x8<S> {
    let mut bytes = [0; 16];
    let mut at = 0;
    while at < 16 {
        bytes[at as usize] = (at + 4 * START) % 16;
        at += 1;
    }
    numbers.swizzle_dyn_within_blocks(u8x32::block_splat(u8x16::simd_from(numbers.token(), bytes)))
}
