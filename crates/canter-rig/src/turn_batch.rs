//! Turns of up to eight joints, brought into the spaces of their parents and written into poses side by side.
//!
//! What a joint costs to be turned is mostly waiting: for roots and quotients that follow on each other. Eight
//! joints wait no longer than one.

use canter::glam::Quat;
use canter::{JointId, Mat3x4, ModelPose, Pose};
use fearless_simd::{Level, Simd, f32x4, f32x8, prelude::*};

use crate::end::turn_joint;
use crate::lane::{Lane, Rotation, Vector, VectorLanes, dispatch};
use crate::space::{Axes, linear};
use crate::turn::Turn;
use crate::vector::Vector3;

/// As many joints as a batch has.
pub(crate) const LANES: usize = 8;

/// A number of each joint.
type Numbers = [f32; LANES];

/// What [`TurnBatch::run`] found about a joint, in rising order.
const IS_FLAT: f32 = 0.0;
const IS_TURNED: f32 = 1.0;
const IS_ODD: f32 = 2.0;

/// Eight joints and how they are to be turned.
pub(crate) struct TurnBatch {
    /// How joints are turned, beyond what they hang on: four numbers of each joint after those of another, or,
    /// where `are_turns_in_lanes`, one number of all joints after another.
    turns: [f32; 4 * LANES],
    are_turns_in_lanes: bool,
    /// The rows of what takes axes of turns into the model.
    outer: [[Numbers; 3]; 3],
    /// What the joints hang on. Whole rows are copied, and turned to lanes in registers: what is stored number by
    /// number is waited for when eight of them are loaded at once.
    parents: [Mat3x4; LANES],
    /// The rotations of the pose, before and after.
    rotations: [[f32; 4]; LANES],
    turned: [Numbers; 4],
    weights: Numbers,
    kinds: Numbers,
}

impl TurnBatch {
    /// Joints that are not turned, with turns that are in the model, in full.
    const NONE: Self = {
        const AXES: [[Numbers; 3]; 3] = [
            [[1.0; LANES], [0.0; LANES], [0.0; LANES]],
            [[0.0; LANES], [1.0; LANES], [0.0; LANES]],
            [[0.0; LANES], [0.0; LANES], [1.0; LANES]],
        ];
        Self {
            turns: [0.0; 4 * LANES],
            are_turns_in_lanes: false,
            outer: AXES,
            parents: [Mat3x4::IDENTITY; LANES],
            rotations: [[0.0, 0.0, 0.0, 1.0]; LANES],
            turned: [[0.0; LANES]; 4],
            weights: [1.0; LANES],
            kinds: [IS_FLAT; LANES],
        }
    };

    /// For [`set_turns`](Self::set_turns) of so many joints at once: one, or all.
    #[inline]
    pub(crate) fn of_turns<const N: usize>() -> Self {
        Self { are_turns_in_lanes: N == LANES, ..Self::NONE }
    }

    /// What part of all turns is made, and the rows of what takes their axes into the model.
    #[inline]
    pub(crate) fn set_all_outer(&mut self, outer: [Vector3; 3], weight: f32) {
        for (rows, row) in self.outer.iter_mut().zip(outer) {
            let [x, y, z] = row.to_array();
            *rows = [[x; LANES], [y; LANES], [z; LANES]];
        }
        self.weights = [weight; LANES];
    }

    /// The same for one lane.
    #[inline]
    pub(crate) fn set_outer(&mut self, lane: usize, outer: [Vector3; 3], weight: f32) {
        for (rows, row) in self.outer.iter_mut().zip(outer) {
            for (numbers, number) in rows.iter_mut().zip(row.to_array()) {
                numbers[lane] = number;
            }
        }
        self.weights[lane] = weight;
    }

    /// The joint in a lane, as pose and model have it.
    #[inline(always)]
    pub(crate) fn set_joint(
        &mut self,
        lane: usize,
        pose: &Pose,
        model: &ModelPose,
        (joint, parent): (JointId, Option<JointId>),
    ) {
        self.parents[lane] = parent.map_or(Mat3x4::IDENTITY, |parent| model.joints()[parent.index()]);
        self.rotations[lane] = pose.rotation(joint).to_array();
    }

    /// How joints from a lane on are turned: one or all, see [`of_turns`](Self::of_turns).
    #[inline(always)]
    pub(crate) fn set_turns<const N: usize>(&mut self, lane: usize, turns: &[[f32; N]; 4]) {
        self.turns[4 * lane..][..4 * N].copy_from_slice(turns.as_flattened());
    }

    /// How the joint in a lane is turned.
    #[inline]
    fn turn(&self, lane: usize) -> Turn {
        let number = |index: usize| {
            self.turns[if self.are_turns_in_lanes { index * LANES + lane } else { 4 * lane + index }]
        };
        Turn::from_numbers(std::array::from_fn(number))
    }

    /// Turns all of them.
    pub(crate) fn run(&mut self, level: Level) {
        dispatch!(level, simd => self.run_lanes(simd));
    }

    #[inline(always)]
    fn run_lanes<S: Simd>(&mut self, simd: S) {
        let like = f32x8::splat(simd, 0.0);
        let (zero, one) = (like.all(0.0), like.all(1.0));
        let own = Rotation::from_parts(self.turn_lanes(simd)).or_none(like.all(0.5), like.all(2.0));
        let weight = like.load(&self.weights);
        let side = f32x8::select(own.w.less(zero) & weight.less(one), -weight, weight);
        let own = own.times(side);
        let own = Rotation { vector: own.vector, w: own.w + (one - weight) };

        // Cofactors take axes into the space of the parent, as `Axes` does.
        let parents = &self.parents;
        let [first, second, third] =
            [lanes(simd, row(parents, 0)), lanes(simd, row(parents, 1)), lanes(simd, row(parents, 2))];
        let [x, y, z] = [
            VectorLanes::from_parts([first[0], second[0], third[0]]),
            VectorLanes::from_parts([first[1], second[1], third[1]]),
            VectorLanes::from_parts([first[2], second[2], third[2]]),
        ];
        let (yz, zx, xy) = (y.cross(z), z.cross(x), x.cross(y));
        let determinant = z.dot(xy);
        let box_squared = (x.dot(x) * y.dot(y)) * z.dot(z);
        let is_usual = like.all(1e-20).less(box_squared) & box_squared.less(like.all(1e20));
        let is_full = (like.all(1e-10) * box_squared).less(determinant * determinant);
        let outer = [
            VectorLanes::load(like, &self.outer[0]),
            VectorLanes::load(like, &self.outer[1]),
            VectorLanes::load(like, &self.outer[2]),
        ];
        let axis = own.vector.along(outer).along([yz, zx, xy]);

        let ratio = own.vector.dot(own.vector) / axis.dot(axis);
        let has_axis = zero.less(ratio) & ratio.less(like.all(f32::MAX));
        let factor = f32x8::select(has_axis, Lane::sqrt(ratio), zero);
        let turn = Rotation { vector: axis.times(factor), w: own.w };

        let before = Rotation::from_parts(lanes(simd, self.rotations.each_ref()));
        let before = before.or_none(like.all(1e-30), like.all(1e30));
        let turned = turn.after(before);
        let squared = turned.squared();
        // A step of Newton's is more exact than a root where it is enough, as in `Turn::normalized`.
        let is_nearly_one = like.all(0.9999).less(squared) & squared.less(like.all(1.0001));
        let mut factor = like.all(1.5) - like.all(0.5) * squared;
        if !is_nearly_one.all_true() {
            factor = f32x8::select(is_nearly_one, factor, one / Lane::sqrt(squared));
        }
        turned.times(factor).store(&mut self.turned);
        let kind = f32x8::select(is_full, like.all(IS_TURNED), like.all(IS_FLAT));
        f32x8::select(is_usual, kind, like.all(IS_ODD)).store(&mut self.kinds);
    }

    /// The numbers of all turns.
    #[inline(always)]
    fn turn_lanes<S: Simd>(&self, simd: S) -> [f32x8<S>; 4] {
        if let (false, ([a, b, c, d, e, f, g, h], _)) = (self.are_turns_in_lanes, self.turns.as_chunks::<4>())
        {
            return lanes(simd, [a, b, c, d, e, f, g, h]);
        }
        let (numbers, _) = self.turns.as_chunks::<LANES>();
        [
            f32x8::simd_from(simd, numbers[0]),
            f32x8::simd_from(simd, numbers[1]),
            f32x8::simd_from(simd, numbers[2]),
            f32x8::simd_from(simd, numbers[3]),
        ]
    }

    /// Writes the joint of a lane into its pose; returns whether it could be turned. It stays as it is if what
    /// it hangs on is flat.
    #[inline]
    pub(crate) fn write(&self, lane: usize, pose: &mut Pose, joint: JointId) -> bool {
        if self.kinds[lane] > IS_TURNED {
            return self.write_oddly(lane, pose, joint);
        }
        let is_turned = self.kinds[lane] > IS_FLAT;
        if is_turned {
            let [x, y, z, w] = &self.turned;
            pose.set_rotation(joint, Quat::from_xyzw(x[lane], y[lane], z[lane], w[lane]));
        }
        is_turned
    }

    /// The same for scales whose powers are next to nothing or immense.
    #[cold]
    fn write_oddly(&self, lane: usize, pose: &mut Pose, joint: JointId) -> bool {
        let Some(axes) = Axes::new(&linear(&self.parents[lane])) else { return false };
        let own = self.turn(lane).part(self.weights[lane]);
        let outer = self.outer.each_ref().map(|[x, y, z]| Vector3::new(x[lane], y[lane], z[lane]));
        let outer = outer.map(|row| row.dot(own.vector()));
        turn_joint(pose, joint, own.with_axis(axes.axis(Vector3::from_array(outer))));
        true
    }
}

/// Turns of joints of one pose, which are written when all of them are known, or eight.
pub(crate) struct PoseTurns {
    batch: TurnBatch,
    joints: [Option<JointId>; LANES],
    count: usize,
}

impl PoseTurns {
    /// None yet, of those that are told in the model; `weight` is what part of each turn is made.
    #[inline]
    pub(crate) fn in_model(weight: f32) -> Self {
        let batch = TurnBatch { weights: [weight; LANES], ..TurnBatch::NONE };
        Self { batch, joints: [None; LANES], count: 0 }
    }

    /// None yet. `outer` are the rows of what takes axes of turns into the model.
    pub(crate) fn new(outer: [Vector3; 3], weight: f32) -> Self {
        let mut turns = Self::in_model(weight);
        turns.batch.set_all_outer(outer, weight);
        turns
    }

    /// Turns a joint with its parent, beyond what it hangs on.
    #[inline]
    pub(crate) fn push(
        &mut self,
        pose: &mut Pose,
        model: &ModelPose,
        joint: (JointId, Option<JointId>),
        turn: Turn,
    ) {
        if self.count == LANES {
            self.write(pose);
        }
        self.batch.set_joint(self.count, pose, model, joint);
        self.batch.set_turns(self.count, &turn.to_numbers().map(|number| [number]));
        self.joints[self.count] = Some(joint.0);
        self.count += 1;
    }

    /// Writes all turns into the pose. Joints whose parents are flat stay as they are.
    pub(crate) fn write(&mut self, pose: &mut Pose) {
        self.batch.run(Level::new());
        for (lane, joint) in self.joints.iter().take(self.count).flatten().enumerate() {
            self.batch.write(lane, pose, *joint);
        }
        self.count = 0;
    }
}

/// A row of each matrix.
#[inline(always)]
fn row([a, b, c, d, e, f, g, h]: &[Mat3x4; LANES], index: usize) -> [&[f32; 4]; LANES] {
    let ([a, b, c, d], [e, f, g, h]) =
        ([&a.rows, &b.rows, &c.rows, &d.rows], [&e.rows, &f.rows, &g.rows, &h.rows]);
    [&a[index], &b[index], &c[index], &d[index], &e[index], &f[index], &g[index], &h[index]]
}

/// Four numbers of each joint as lanes.
#[cfg_attr(not(all(canter_web, not(target_feature = "simd128"))), inline(always))]
fn lanes<S: Simd>(simd: S, rows: [&[f32; 4]; LANES]) -> [f32x8<S>; 4] {
    // Where lanes are single numbers, shuffling them is moving each of them several times.
    if cfg!(all(canter_web, not(target_feature = "simd128"))) {
        let mut numbers = [[0.0; LANES]; 4];
        for (lane, row) in rows.iter().enumerate() {
            for (numbers, number) in numbers.iter_mut().zip(*row) {
                numbers[lane] = *number;
            }
        }
        let [x, y, z, w] = numbers;
        return [
            f32x8::simd_from(simd, x),
            f32x8::simd_from(simd, y),
            f32x8::simd_from(simd, z),
            f32x8::simd_from(simd, w),
        ];
    }
    let [a, b, c, d, e, f, g, h] = rows;
    let (a, b, c, d) = (both(simd, a, e), both(simd, b, f), both(simd, c, g), both(simd, d, h));
    let ([a, b], [c, d]) = (zip_in_blocks(a, c), zip_in_blocks(b, d));
    let ([x, y], [z, w]) = (zip_in_blocks(a, c), zip_in_blocks(b, d));
    [x, y, z, w]
}

#[inline(always)]
fn both<S: Simd>(simd: S, first: &[f32; 4], second: &[f32; 4]) -> f32x8<S> {
    f32x4::simd_from(simd, *first).combine(f32x4::simd_from(simd, *second))
}

/// The numbers of both in turns: the first two of each block of four, and the last two. An instruction each,
/// which the compiler finds.
#[inline(always)]
fn zip_in_blocks<S: Simd>(a: f32x8<S>, b: f32x8<S>) -> [f32x8<S>; 2] {
    let (low, high) = a.interleave(b);
    let ((first, second), (third, last)) = (low.split(), high.split());
    [first.combine(third), second.combine(last)]
}
