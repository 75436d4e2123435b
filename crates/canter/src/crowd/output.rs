//! What a crowd writes of its members: palettes, the joints that it keeps, and morph weights.

use std::ops::Range;

use super::layout::PaletteLayout;
use crate::model_pose::ModelPose;
use crate::palette::PaletteMatrix;
use crate::pose::{LANES, Pose};
use crate::skeleton::JointId;
use crate::skins::Skins;

/// How much of everything a member has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) layout: PaletteLayout,
    pub(super) joints: usize,
    pub(super) morph_weights: usize,
}

/// Of all members, in their order.
#[derive(Clone, Debug)]
pub(super) struct Output<M> {
    pub(super) palette: Vec<M>,
    /// Of the joints that are kept, member by member.
    pub(super) joints: Vec<M>,
    pub(super) morph_weights: Vec<f32>,
}

impl Shape {
    /// Of what is not there.
    pub(super) const EMPTY: Self = Self { layout: PaletteLayout::NONE, joints: 0, morph_weights: 0 };

    /// Whether a member has anything to write at all.
    pub(super) fn is_seen(&self) -> bool {
        self.layout.matrices + self.joints + self.morph_weights > 0
    }
}

impl<M: PaletteMatrix> Output<M> {
    pub(super) const fn new() -> Self {
        Self { palette: Vec::new(), joints: Vec::new(), morph_weights: Vec::new() }
    }

    /// Makes room for so many members; what is new is to be written.
    pub(super) fn resize(&mut self, shape: &Shape, members: usize) {
        self.palette.resize(shape.layout.len(members), M::IDENTITY);
        self.joints.resize(shape.joints * members, M::IDENTITY);
        self.morph_weights.resize(shape.morph_weights * members, 0.0);
    }

    /// Puts what was written of the last member where that of another is, which has left.
    pub(super) fn swap_remove(&mut self, shape: &Shape, member: usize, last: usize) {
        let (joints, weights) = (shape.joints, shape.morph_weights);
        self.palette.copy_within(shape.layout.range(last), shape.layout.range(member).start);
        self.joints.copy_within(joints * last..joints * (last + 1), joints * member);
        self.morph_weights.copy_within(weights * last..weights * (last + 1), weights * member);
        self.resize(shape, last);
    }

    pub(super) fn as_mut(&mut self) -> OutputMut<'_, M> {
        let Self { palette, joints, morph_weights } = self;
        OutputMut { palette, joints, morph_weights }
    }
}

/// Of members in succession, to write; the first begins a block of the layout.
pub(super) struct OutputMut<'a, M> {
    pub(super) palette: &'a mut [M],
    pub(super) joints: &'a mut [M],
    pub(super) morph_weights: &'a mut [f32],
}

impl<'a, M: PaletteMatrix> OutputMut<'a, M> {
    /// At a member that begins a block.
    pub(super) fn split_at(self, shape: &Shape, members: usize) -> (Self, Self) {
        let palette = self.palette.split_at_mut(shape.layout.len(members));
        let joints = self.joints.split_at_mut(shape.joints * members);
        let morph_weights = self.morph_weights.split_at_mut(shape.morph_weights * members);
        let part = |palette, joints, morph_weights| OutputMut { palette, joints, morph_weights };
        (part(palette.0, joints.0, morph_weights.0), part(palette.1, joints.1, morph_weights.1))
    }

    /// Of one member.
    pub(super) fn member(&mut self, shape: &Shape, member: usize) -> OutputMut<'_, M> {
        let (joints, weights) = (shape.joints, shape.morph_weights);
        OutputMut {
            palette: &mut self.palette[shape.layout.range(member)],
            joints: &mut self.joints[joints * member..joints * (member + 1)],
            morph_weights: &mut self.morph_weights[weights * member..weights * (member + 1)],
        }
    }

    /// Of several members, which come in their order.
    pub(super) fn lanes(&mut self, shape: &Shape, members: &[usize; LANES]) -> [OutputMut<'_, M>; LANES] {
        let Self { palette, joints, morph_weights } = self;
        let (mut palette, mut joints, mut weights) =
            (Rest::of(palette), Rest::of(joints), Rest::of(morph_weights));
        members.map(|member| OutputMut {
            palette: palette.take(shape.layout.range(member)),
            joints: joints.take(shape.joints * member..shape.joints * (member + 1)),
            morph_weights: weights.take(shape.morph_weights * member..shape.morph_weights * (member + 1)),
        })
    }

    /// Writes all of one member.
    pub(super) fn write(self, skins: &Skins, kept: &[JointId], pose: &Pose, model: &ModelPose) {
        skins.write_palettes(model, self.palette);
        for (out, joint) in self.joints.iter_mut().zip(kept) {
            *out = M::from_rows(&model.joints()[joint.index()]);
        }
        self.morph_weights.copy_from_slice(&pose.morph_weights);
    }
}

/// What is left of a slice when parts of it have been taken from the front.
struct Rest<'a, T> {
    start: usize,
    values: &'a mut [T],
}

impl<'a, T> Rest<'a, T> {
    fn of(values: &'a mut [T]) -> Self {
        Self { start: 0, values }
    }

    /// A range behind those that were taken.
    fn take(&mut self, range: Range<usize>) -> &'a mut [T] {
        let (_, values) = std::mem::take(&mut self.values).split_at_mut(range.start - self.start);
        let (taken, values) = values.split_at_mut(range.len());
        (self.start, self.values) = (range.end, values);
        taken
    }
}

/// Goes a part of the way from matrices to others; all of it is exact.
#[cfg_attr(canter_web, optimize(speed))]
pub(super) fn approach_matrices<M: PaletteMatrix>(from: &mut [M], to: &[M], part: f32) {
    if part >= 1.0 {
        return from.copy_from_slice(to);
    }
    for (from, to) in from.iter_mut().zip(to) {
        for (number, to) in from.numbers_mut().iter_mut().zip(to.numbers()) {
            *number += (to - *number) * part;
        }
    }
}

/// The same of weights.
pub(super) fn approach(from: &mut [f32], to: &[f32], part: f32) {
    if part >= 1.0 {
        return from.copy_from_slice(to);
    }
    for (number, to) in from.iter_mut().zip(to) {
        *number += (to - *number) * part;
    }
}
