//! The joints of a chain, turned in the poses of one character or of eight.

use canter::{Mat3x4, Pose};
use fearless_simd::{Level, Simd, f32x8, prelude::*};

use super::{MAX_JOINTS, Spring, SpringsMember};
use crate::lane::{Lone, Runner};
use crate::turn::Turn;
use crate::turn_batch::{Joints, LANES, Link, Quaternions, TurnBatch, TurnNumbers, quaternion, turn_joints};

/// What turns the joints of a chain in all poses.
pub(super) trait TurnJoints<const N: usize>: Runner<N> {
    /// In those of the characters that show it. Returns a bit for each in which it could.
    fn turn(
        self,
        chain: &Spring,
        turns: &mut [[[f32; N]; 4]],
        batch: &TurnBatch,
        members: &mut [SpringsMember<'_>],
        is_shown: &[bool; N],
    ) -> u8;
}

/// Eight joints of a character at once.
impl TurnJoints<1> for Lone {
    #[inline]
    fn turn(
        self,
        chain: &Spring,
        turns: &mut [TurnNumbers],
        batch: &TurnBatch,
        members: &mut [SpringsMember<'_>],
        is_shown: &[bool; 1],
    ) -> u8 {
        let ([member], [true]) = (members, is_shown) else { return 0 };
        let links = &chain.links[..chain.bone_count()];
        u8::from(turn_joints(self.0, batch, (member.pose, member.model), links, turns))
    }
}

/// The same joint of eight characters at once.
impl TurnJoints<LANES> for Level {
    #[inline]
    fn turn(
        self,
        chain: &Spring,
        turns: &mut [Quaternions],
        batch: &TurnBatch,
        members: &mut [SpringsMember<'_>],
        is_shown: &[bool; LANES],
    ) -> u8 {
        let Some(first) = is_shown.iter().position(|is_shown| *is_shown) else { return 0 };
        let links = &chain.links[..chain.bone_count()];
        let mut are_turned = [0; MAX_JOINTS];
        let shown = |lane: usize| &members[if is_shown[lane] { lane } else { first }];
        let mut joints = GroupJoints {
            poses: std::array::from_fn(|lane| &*shown(lane).pose),
            matrices: std::array::from_fn(|lane| shown(lane).model.joints()),
            link: links[0],
            turns: turns[0],
        };
        for ((link, turns), are_turned) in links.iter().zip(&mut *turns).zip(&mut are_turned) {
            (joints.link, joints.turns) = (*link, *turns);
            *are_turned = batch.run(self, &joints, turns);
        }
        let mut has_turned = 0;
        for (((joint, _), turns), are_turned) in links.iter().zip(turns).zip(are_turned) {
            for (lane, member) in members.iter_mut().enumerate().take(LANES) {
                if is_shown[lane] && are_turned >> lane & 1 > 0 {
                    member.pose.set_rotation(*joint, quaternion(turns, lane));
                    has_turned |= 1 << lane;
                }
            }
        }
        has_turned
    }
}

/// The same joint of up to eight characters; those of one of them where there is none.
struct GroupJoints<'a> {
    poses: [&'a Pose; LANES],
    matrices: [&'a [Mat3x4]; LANES],
    link: Link,
    turns: Quaternions,
}

impl Joints for GroupJoints<'_> {
    fn turn(&self, lane: usize) -> Turn {
        Turn::from_numbers(quaternion(&self.turns, lane).to_array())
    }

    #[inline(always)]
    fn turn_lanes<S: Simd>(&self, simd: S) -> [f32x8<S>; 4] {
        let [x, y, z, w] = self.turns;
        [
            f32x8::simd_from(simd, x),
            f32x8::simd_from(simd, y),
            f32x8::simd_from(simd, z),
            f32x8::simd_from(simd, w),
        ]
    }

    #[inline(always)]
    fn rotation(&self, lane: usize) -> [f32; 4] {
        self.poses[lane].rotation(self.link.0).to_array()
    }

    #[inline(always)]
    fn parent(&self, lane: usize) -> &Mat3x4 {
        self.link.1.map_or(&Mat3x4::IDENTITY, |parent| &self.matrices[lane][parent.index()])
    }
}
