//! Turns of up to eight joints, brought into the spaces of their parents and written into poses side by side.
//!
//! What a joint costs to be turned is mostly waiting: for roots and quotients that follow on each other. Eight
//! joints wait no longer than one.

use canter::glam::Quat;
use canter::{JointId, Mat3x4, ModelPose, Pose};
use fearless_simd::{Level, Simd, f32x4, f32x8, prelude::*};

use crate::lane::{Lane, Rotation, Vector, VectorLanes, dispatch, flat};
use crate::space::{Axes, linear};
use crate::turn::Turn;
use crate::vector::Vector3;

/// As many joints as a batch has.
pub(crate) const LANES: usize = 8;

/// A number of each joint.
type Numbers = [f32; LANES];

/// A joint and what it hangs on.
pub(crate) type Link = (JointId, Option<JointId>);

/// A quaternion of each joint.
pub(crate) type Quaternions = [Numbers; 4];

/// A quaternion, as it lies in memory.
pub(crate) type TurnNumbers = [[f32; 1]; 4];

/// Joints that are turned at once, one to a lane. Their numbers go from poses to registers without being stored between:
/// what is stored number by number is waited for when eight of them are loaded at once.
pub(crate) trait Joints {
    /// How a joint is turned, beyond what it hangs on.
    fn turn(&self, lane: usize) -> Turn;
    /// The same of all of them.
    fn turn_lanes<S: Simd>(&self, simd: S) -> [f32x8<S>; 4];
    /// The rotation that a pose has. Lanes without a joint have some other one's.
    fn rotation(&self, lane: usize) -> [f32; 4];
    /// What the joint hangs on.
    fn parent(&self, lane: usize) -> &Mat3x4;
}

/// How turns of up to eight joints are brought into poses.
pub(crate) struct TurnBatch {
    /// The rows of what takes axes of turns into the model.
    outer: [[Numbers; 3]; 3],
    weights: Numbers,
}

impl TurnBatch {
    /// Of turns that are in the model, in full.
    pub(crate) const IN_MODEL: Self = {
        const AXES: [[Numbers; 3]; 3] = [
            [[1.0; LANES], [0.0; LANES], [0.0; LANES]],
            [[0.0; LANES], [1.0; LANES], [0.0; LANES]],
            [[0.0; LANES], [0.0; LANES], [1.0; LANES]],
        ];
        Self { outer: AXES, weights: [1.0; LANES] }
    };

    /// What part of all turns is made, and the rows of what takes their axes into the model.
    #[inline]
    pub(crate) fn new(outer: [Vector3; 3], weight: f32) -> Self {
        let mut batch = Self { weights: [weight; LANES], ..Self::IN_MODEL };
        for (rows, row) in batch.outer.iter_mut().zip(outer) {
            let [x, y, z] = row.to_array();
            *rows = [[x; LANES], [y; LANES], [z; LANES]];
        }
        batch
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

    /// Turns all joints. Returns a bit for each that could be: not where what it hangs on is flat.
    #[inline(never)]
    pub(crate) fn run(&self, level: Level, joints: &impl Joints, turned: &mut Quaternions) -> u8 {
        let (mut has_turned, is_odd) = dispatch!(level, simd => self.run_lanes(simd, joints, turned));
        if is_odd > 0 {
            has_turned |= self.turn_oddly(joints, is_odd, turned);
        }
        has_turned
    }

    /// Returns a bit for each joint that is turned, and for each that is left to be.
    #[inline(always)]
    fn run_lanes<S: Simd>(&self, simd: S, joints: &impl Joints, turned: &mut Quaternions) -> (u8, u8) {
        let like = f32x8::splat(simd, 0.0);
        let (zero, one) = (like.all(0.0), like.all(1.0));
        let own = Rotation::from_parts(joints.turn_lanes(simd)).or_none(like.all(0.5), like.all(2.0));
        let weight = like.load(&self.weights);
        let side = f32x8::select(own.w.less(zero) & weight.less(one), -weight, weight);
        let own = own.times(side);
        let own = Rotation { vector: own.vector, w: own.w + (one - weight) };

        // Cofactors take axes into the space of the parent, as `Axes` does.
        let parents = [
            joints.parent(0),
            joints.parent(1),
            joints.parent(2),
            joints.parent(3),
            joints.parent(4),
            joints.parent(5),
            joints.parent(6),
            joints.parent(7),
        ];
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
        let [[a, b, c], [d, e, f], [g, h, i]] = &self.outer;
        let outer = [
            VectorLanes::from_parts([like.load(a), like.load(b), like.load(c)]),
            VectorLanes::from_parts([like.load(d), like.load(e), like.load(f)]),
            VectorLanes::from_parts([like.load(g), like.load(h), like.load(i)]),
        ];
        let axis = own.vector.along(outer).along([yz, zx, xy]);

        let ratio = own.vector.dot(own.vector) / axis.dot(axis);
        let has_axis = zero.less(ratio) & ratio.less(like.all(f32::MAX));
        let factor = f32x8::select(has_axis, Lane::sqrt(ratio), zero);
        let turn = Rotation { vector: axis.times(factor), w: own.w };

        let before = [
            &joints.rotation(0),
            &joints.rotation(1),
            &joints.rotation(2),
            &joints.rotation(3),
            &joints.rotation(4),
            &joints.rotation(5),
            &joints.rotation(6),
            &joints.rotation(7),
        ];
        let before = Rotation::from_parts(lanes(simd, before));
        let before = before.or_none(like.all(1e-30), like.all(1e30));
        let after = turn.after(before);
        let squared = after.squared();
        // A step of Newton's is more exact than a root where it is enough, as in `Turn::normalized`.
        let is_nearly_one = like.all(0.9999).less(squared) & squared.less(like.all(1.0001));
        let mut factor = like.all(1.5) - like.all(0.5) * squared;
        if !is_nearly_one.all_true() {
            factor = f32x8::select(is_nearly_one, factor, one / Lane::sqrt(squared));
        }
        after.times(factor).store(turned);
        #[expect(clippy::cast_possible_truncation, reason = "eight lanes are eight bits")]
        let bits = ((is_full & is_usual).to_bitmask() as u8, (!is_usual).to_bitmask() as u8);
        bits
    }

    /// The same for joints below scales whose powers are next to nothing or immense.
    #[cold]
    fn turn_oddly(&self, joints: &impl Joints, is_odd: u8, turned: &mut Quaternions) -> u8 {
        let mut has_turned = 0;
        for lane in (0..LANES).filter(|lane| is_odd >> lane & 1 > 0) {
            let Some(axes) = Axes::new(&linear(joints.parent(lane))) else { continue };
            let own = joints.turn(lane).part(self.weights[lane]);
            let outer = self.outer.each_ref().map(|[x, y, z]| Vector3::new(x[lane], y[lane], z[lane]));
            let outer = outer.map(|row| row.dot(own.vector()));
            let turn = own.with_axis(axes.axis(Vector3::from_array(outer)));
            let after = turn.turn_quat(Quat::from_array(joints.rotation(lane)));
            for (numbers, number) in turned.iter_mut().zip(after.to_array()) {
                numbers[lane] = number;
            }
            has_turned |= 1 << lane;
        }
        has_turned
    }
}

/// One of eight quaternions.
#[inline(always)]
pub(crate) fn quaternion([x, y, z, w]: &Quaternions, lane: usize) -> Quat {
    Quat::from_xyzw(x[lane], y[lane], z[lane], w[lane])
}

/// Up to eight joints of one pose, but no fewer than one.
struct PoseJoints<'a> {
    pose: &'a Pose,
    matrices: &'a [Mat3x4],
    joints: &'a [Link],
    turns: &'a [TurnNumbers],
}

impl PoseJoints<'_> {
    #[inline(always)]
    fn numbers(&self, lane: usize) -> &[f32; 4] {
        flat(&self.turns[lane.min(self.turns.len() - 1)])
    }

    #[inline(always)]
    fn link(&self, lane: usize) -> Link {
        self.joints[lane.min(self.joints.len() - 1)]
    }
}

impl Joints for PoseJoints<'_> {
    fn turn(&self, lane: usize) -> Turn {
        Turn::from_numbers(*self.numbers(lane))
    }

    #[inline(always)]
    fn turn_lanes<S: Simd>(&self, simd: S) -> [f32x8<S>; 4] {
        let numbers = [
            self.numbers(0),
            self.numbers(1),
            self.numbers(2),
            self.numbers(3),
            self.numbers(4),
            self.numbers(5),
            self.numbers(6),
            self.numbers(7),
        ];
        lanes(simd, numbers)
    }

    #[inline(always)]
    fn rotation(&self, lane: usize) -> [f32; 4] {
        self.pose.rotation(self.link(lane).0).to_array()
    }

    #[inline(always)]
    fn parent(&self, lane: usize) -> &Mat3x4 {
        self.link(lane).1.map_or(&Mat3x4::IDENTITY, |parent| &self.matrices[parent.index()])
    }
}

/// Turns joints of a pose, eight at once. Returns whether one could be turned.
pub(crate) fn turn_joints(
    level: Level,
    batch: &TurnBatch,
    (pose, model): (&mut Pose, &ModelPose),
    joints: &[Link],
    turns: &[TurnNumbers],
) -> bool {
    let mut has_turned = 0;
    for (joints, turns) in joints.chunks(LANES).zip(turns.chunks(LANES)) {
        let mut turned = [[0.0; LANES]; 4];
        let of_pose = PoseJoints { pose, matrices: model.joints(), joints, turns };
        let are_turned = batch.run(level, &of_pose, &mut turned);
        for (lane, &(joint, _)) in joints.iter().enumerate().take(LANES) {
            if are_turned >> lane & 1 > 0 {
                pose.set_rotation(joint, quaternion(&turned, lane));
            }
        }
        has_turned |= are_turned;
    }
    has_turned > 0
}

/// Turns of joints of one pose, which are written when all of them are known, or eight.
pub(crate) struct PoseTurns {
    batch: TurnBatch,
    joints: [Link; LANES],
    turns: [TurnNumbers; LANES],
    count: usize,
}

impl PoseTurns {
    /// None yet. `outer` are the rows of what takes axes of turns into the model.
    pub(crate) fn new(outer: [Vector3; 3], weight: f32, first: JointId) -> Self {
        let (joints, turns) = ([(first, None); LANES], [[[0.0]; 4]; LANES]);
        Self { batch: TurnBatch::new(outer, weight), joints, turns, count: 0 }
    }

    /// Turns a joint with its parent, beyond what it hangs on.
    #[inline]
    pub(crate) fn push(&mut self, pose: &mut Pose, model: &ModelPose, joint: Link, turn: Turn) {
        if self.count == LANES {
            self.write(pose, model);
        }
        self.joints[self.count] = joint;
        self.turns[self.count] = turn.to_numbers().map(|number| [number]);
        self.count += 1;
    }

    /// Writes all turns into the pose. Joints whose parents are flat stay as they are.
    pub(crate) fn write(&mut self, pose: &mut Pose, model: &ModelPose) {
        let (joints, turns) = (&self.joints[..self.count], &self.turns[..self.count]);
        turn_joints(Level::new(), &self.batch, (pose, model), joints, turns);
        self.count = 0;
    }
}

/// A row of each matrix.
#[inline(always)]
fn row([a, b, c, d, e, f, g, h]: [&Mat3x4; LANES], index: usize) -> [&[f32; 4]; LANES] {
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
