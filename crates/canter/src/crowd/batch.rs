//! Members that are composed side by side, one to a lane.
//!
//! One character's matrices do not fit lanes well: what is multiplied has to be spread over registers first, a third of
//! the work fills half of a register, and joints wait for their parents. Eight characters side by side need none of
//! that. A crowd takes a tenth less time, to the same bits.

mod kernel;
#[cfg(test)]
mod tests;

use std::array;

use fearless_simd::Level;

use super::output::OutputMut;
use super::worker::Kind;
use crate::kernel::dispatch;
use crate::mat3x4::Mat3x4;
use crate::mixer::Mixer;
use crate::palette::PaletteMatrix;
use crate::pose::{LANES, Lanes, Pose};
use crate::skeleton::Skeleton;

/// Whether members are composed side by side. Not in the npm package, which is to be small.
pub(super) const IS_USED: bool = cfg!(not(canter_web));

/// Working memory for as many members as there are lanes.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    /// One for each lane.
    poses: Vec<Pose>,
    /// `model_from_joint` of all: the identity, which roots hang on; then the joints.
    matrices: Vec<MatrixLanes>,
    /// Which members they are, in their order.
    members: [usize; LANES],
    count: usize,
}

/// A matrix of each of eight members, number by number.
#[derive(Clone, Copy, Debug)]
struct MatrixLanes([[Lanes; 4]; 3]);

impl MatrixLanes {
    const IDENTITY: Self = {
        const ZERO: Lanes = Lanes([0.0; LANES]);
        const ONE: Lanes = Lanes([1.0; LANES]);
        Self([[ONE, ZERO, ZERO, ZERO], [ZERO, ONE, ZERO, ZERO], [ZERO, ZERO, ONE, ZERO]])
    };

    fn of(&self, lane: usize) -> Mat3x4 {
        Mat3x4 { rows: self.0.each_ref().map(|row| row.each_ref().map(|number| number.0[lane])) }
    }
}

impl Batch {
    pub(super) fn new(skeleton: &Skeleton) -> Self {
        Self {
            poses: if IS_USED { vec![Pose::rest(skeleton); LANES] } else { Vec::new() },
            matrices: vec![MatrixLanes::IDENTITY; if IS_USED { 1 + skeleton.joint_count() } else { 0 }],
            members: [0; LANES],
            count: 0,
        }
    }

    /// Samples a member, which comes after those that are there. Returns whether there is room for no more.
    pub(super) fn sample(&mut self, mixer: &mut Mixer, member: usize) -> bool {
        mixer.sample(&mut self.poses[self.count]);
        self.members[self.count] = member;
        self.count += 1;
        self.count == LANES
    }

    /// The members that are there, if they fill all lanes: fewer take less time one after another.
    pub(super) fn full(&self) -> Option<[usize; LANES]> {
        (self.count == LANES).then_some(self.members)
    }

    /// The members that are there, with their poses. They leave.
    pub(super) fn take(&mut self) -> impl Iterator<Item = (usize, &Pose)> {
        let count = std::mem::take(&mut self.count);
        self.members.into_iter().zip(&self.poses).take(count)
    }

    /// Writes the members of all lanes. Returns a bit for each for whom that was right: not for those whose scales
    /// multiply until numbers have to be cut off.
    pub(super) fn write<M: PaletteMatrix>(
        &mut self,
        kind: Kind<'_>,
        outputs: [OutputMut<'_, M>; LANES],
    ) -> u8 {
        self.write_at(Level::new(), kind, outputs)
    }

    fn write_at<M: PaletteMatrix>(
        &mut self,
        level: Level,
        kind: Kind<'_>,
        mut outputs: [OutputMut<'_, M>; LANES],
    ) -> u8 {
        let Self { poses, matrices, .. } = self;
        let groups = array::from_fn(|lane| &*poses[lane].groups);
        let are_small = dispatch!(level, simd => kernel::compose(simd, kind.skeleton, groups, matrices));
        for (lane, (output, pose)) in outputs.iter_mut().zip(poses).enumerate() {
            for (out, joint) in output.joints.iter_mut().zip(kind.kept_joints) {
                *out = M::from_rows(&matrices[1 + joint.index()].of(lane));
            }
            output.morph_weights.copy_from_slice(&pose.morph_weights);
        }
        let mut palettes = outputs.map(|output| output.palette);
        for skin in kind.skins {
            let of_skin = palettes.each_mut().map(|palette| {
                palette.split_off_mut(..skin.len()).expect("a member has the matrices of all skins")
            });
            dispatch!(level, simd => kernel::write_palettes(simd, skin, &matrices[1..], of_skin));
        }
        are_small
    }
}
