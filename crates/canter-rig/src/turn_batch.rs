//! Turns of up to eight joints, brought into the spaces of their parents and written into poses side by side.
//!
//! What a joint costs to be turned is mostly waiting: for roots and quotients that follow on each other. Eight
//! joints wait no longer than one.

use canter::glam::Quat;
use canter::{JointId, Mat3x4, ModelPose, Pose};
use fearless_simd::{Level, f32x8, prelude::*};

use crate::end::turn_joint;
use crate::lane::{Lane, Rotation, Vector, dispatch};
use crate::space::Axes;
use crate::turn::Turn;
use crate::vector::{Matrix3, Vector3};

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
    /// How joints are turned, beyond what they hang on.
    turns: [Numbers; 4],
    /// The rows of what takes axes of turns into the model.
    outer: [[Numbers; 3]; 3],
    /// The axes of the parents in the model.
    parents: [[Numbers; 3]; 3],
    /// The rotations of the pose.
    rotations: [Numbers; 4],
    weights: Numbers,
    kinds: Numbers,
}

impl TurnBatch {
    /// Joints that are not turned, with turns that are in the model, in full.
    pub(crate) const NONE: Self = {
        const IDENTITY: [Numbers; 4] = [[0.0; LANES], [0.0; LANES], [0.0; LANES], [1.0; LANES]];
        const AXES: [[Numbers; 3]; 3] = [
            [[1.0; LANES], [0.0; LANES], [0.0; LANES]],
            [[0.0; LANES], [1.0; LANES], [0.0; LANES]],
            [[0.0; LANES], [0.0; LANES], [1.0; LANES]],
        ];
        Self {
            turns: IDENTITY,
            outer: AXES,
            parents: AXES,
            rotations: IDENTITY,
            weights: [1.0; LANES],
            kinds: [IS_FLAT; LANES],
        }
    };

    /// What part of a turn is made, and the rows of what takes its axis into the model.
    #[inline]
    pub(crate) fn set_outer(&mut self, lane: usize, outer: [Vector3; 3], weight: f32) {
        set_vectors(&mut self.outer, lane, outer);
        self.weights[lane] = weight;
    }

    /// The joint in a lane, as pose and model have it.
    #[inline]
    pub(crate) fn set_joint(
        &mut self,
        lane: usize,
        pose: &Pose,
        model: &ModelPose,
        (joint, parent): (JointId, Option<JointId>),
    ) {
        let matrix = parent.map_or(&Mat3x4::IDENTITY, |parent| &model.joints()[parent.index()]);
        let [x, y, z] = &mut self.parents;
        for (row, numbers) in matrix.rows.iter().enumerate() {
            (x[row][lane], y[row][lane], z[row][lane]) = (numbers[0], numbers[1], numbers[2]);
        }
        set_numbers(&mut self.rotations, lane, pose.rotation(joint).to_array());
    }

    /// How the joint in a lane is turned.
    #[inline]
    pub(crate) fn set_turn(&mut self, lane: usize, turn: Turn) {
        set_numbers(&mut self.turns, lane, turn.to_numbers());
    }

    /// The same for `N` joints from a lane on.
    #[inline(always)]
    pub(crate) fn set_turns<const N: usize>(&mut self, lane: usize, turns: &[[f32; N]; 4]) {
        for (own, turns) in self.turns.iter_mut().zip(turns) {
            own[lane..lane + N].copy_from_slice(turns);
        }
    }

    /// Turns all of them.
    pub(crate) fn run(&mut self, level: Level) {
        dispatch!(level, simd => self.run_lanes(f32x8::splat(simd, 0.0)));
    }

    #[inline(always)]
    fn run_lanes<L: Lane<Numbers = Numbers>>(&mut self, like: L) {
        let (zero, one) = (like.all(0.0), like.all(1.0));
        let own = Rotation::load(like, &self.turns).or_none(like.all(0.5), like.all(2.0));
        let weight = like.load(&self.weights);
        let side = L::select(own.w.less(zero) & weight.less(one), -weight, weight);
        let own = own.times(side);
        let own = Rotation { vector: own.vector, w: own.w + (one - weight) };

        // Cofactors take axes into the space of the parent, as `Axes` does.
        let [x, y, z] = [
            L::Vector::load(like, &self.parents[0]),
            L::Vector::load(like, &self.parents[1]),
            L::Vector::load(like, &self.parents[2]),
        ];
        let (yz, zx, xy) = (y.cross(z), z.cross(x), x.cross(y));
        let determinant = z.dot(xy);
        let box_squared = (x.dot(x) * y.dot(y)) * z.dot(z);
        let is_usual = like.all(1e-20).less(box_squared) & box_squared.less(like.all(1e20));
        let is_full = (like.all(1e-10) * box_squared).less(determinant * determinant);
        let outer = [
            L::Vector::load(like, &self.outer[0]),
            L::Vector::load(like, &self.outer[1]),
            L::Vector::load(like, &self.outer[2]),
        ];
        let axis = own.vector.along(outer).along([yz, zx, xy]);

        let ratio = own.vector.dot(own.vector) / axis.dot(axis);
        let has_axis = zero.less(ratio) & ratio.less(like.all(f32::MAX));
        let factor = L::select(has_axis, ratio.sqrt(), zero);
        let turn = Rotation { vector: axis.times(factor), w: own.w };

        let before = Rotation::load(like, &self.rotations).or_none(like.all(1e-30), like.all(1e30));
        let turned = turn.after(before);
        let squared = turned.squared();
        // A step of Newton's is more exact than a root where it is enough, as in `Turn::normalized`.
        let is_nearly_one = like.all(0.9999).less(squared) & squared.less(like.all(1.0001));
        let newton = like.all(1.5) - like.all(0.5) * squared;
        let factor = L::select(is_nearly_one, newton, one / squared.sqrt());
        turned.times(factor).store(&mut self.rotations);
        let kind = L::select(is_full, like.all(IS_TURNED), like.all(IS_FLAT));
        L::select(is_usual, kind, like.all(IS_ODD)).store(&mut self.kinds);
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
            pose.set_rotation(joint, Quat::from_array(get_numbers(&self.rotations, lane)));
        }
        is_turned
    }

    /// The same for scales whose powers are next to nothing or immense.
    #[cold]
    fn write_oddly(&self, lane: usize, pose: &mut Pose, joint: JointId) -> bool {
        let [x, y, z] = get_vectors(&self.parents, lane);
        let Some(axes) = Axes::new(&Matrix3::from_cols(x, y, z)) else { return false };
        let own = Turn::from_numbers(get_numbers(&self.turns, lane)).part(self.weights[lane]);
        let outer = get_vectors(&self.outer, lane).map(|row| row.dot(own.vector()));
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
        for (rows, row) in turns.batch.outer.iter_mut().zip(outer) {
            *rows = row.to_array().map(|number| [number; LANES]);
        }
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
        self.batch.set_turn(self.count, turn);
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

#[inline(always)]
fn set_numbers<const COUNT: usize>(lanes: &mut [Numbers; COUNT], lane: usize, numbers: [f32; COUNT]) {
    for (lanes, number) in lanes.iter_mut().zip(numbers) {
        lanes[lane] = number;
    }
}

#[inline(always)]
fn get_numbers<const COUNT: usize>(lanes: &[Numbers; COUNT], lane: usize) -> [f32; COUNT] {
    std::array::from_fn(|index| lanes[index][lane])
}

#[inline(always)]
fn set_vectors(lanes: &mut [[Numbers; 3]; 3], lane: usize, vectors: [Vector3; 3]) {
    for (lanes, vector) in lanes.iter_mut().zip(vectors) {
        set_numbers(lanes, lane, vector.to_array());
    }
}

fn get_vectors(lanes: &[[Numbers; 3]; 3], lane: usize) -> [Vector3; 3] {
    std::array::from_fn(|index| Vector3::from_array(get_numbers(&lanes[index], lane)))
}
