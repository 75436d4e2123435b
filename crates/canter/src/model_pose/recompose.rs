//! Composes a part of the tree again, after a few of its joints were edited.

use std::ops::Range;

use fearless_simd::{Level, Simd};

use super::ModelPose;
use super::compose::{Limb, Locals, Squares, compose_joint, local_matrices, local_rows};
use crate::kernel::dispatch;
use crate::mat3x4::Mat3x4;
use crate::pose::{JointGroup, LANES, Pose};
use crate::skeleton::{JointId, Skeleton};

/// Joints and all that hangs on them, in the order in which they are composed; see [`ModelPose::recompose`].
#[derive(Clone, Debug)]
pub struct Subtree {
    /// Each with one more than the place of its parent; 0 for roots.
    joints: Vec<(JointId, u32)>,
    /// Which of them are in one group of a pose, group by group.
    groups: Vec<Range<usize>>,
    joint_count: usize,
}

impl Subtree {
    /// Of one joint or several.
    ///
    /// # Panics
    /// If a joint belongs to a larger skeleton.
    #[must_use]
    pub fn new(skeleton: &Skeleton, tops: &[JointId]) -> Self {
        let mut inside = vec![false; skeleton.joint_count()];
        for top in tops {
            inside[top.index()] = true;
        }
        let slots = skeleton.parent_slots().as_flattened();
        let mut joints = Vec::new();
        for joint in skeleton.joints() {
            let slot = slots[joint.index()];
            inside[joint.index()] |= slot > 0 && inside[slot as usize - 1];
            if inside[joint.index()] {
                joints.push((joint, slot));
            }
        }
        let mut groups = Vec::new();
        for group in joints.chunk_by(|(a, _), (b, _)| a.index() / LANES == b.index() / LANES) {
            let start = groups.last().map_or(0, |before: &Range<usize>| before.end);
            groups.push(start..start + group.len());
        }
        Self { joints, groups, joint_count: skeleton.joint_count() }
    }

    /// Its joints, parents before children.
    pub fn joints(&self) -> impl ExactSizeIterator<Item = JointId> + DoubleEndedIterator + '_ {
        self.joints.iter().map(|&(joint, _)| joint)
    }
}

impl ModelPose {
    /// Composes the joints of a subtree again: the same bits as [`compose`](Self::compose) gives, if nothing
    /// above the subtree has moved since.
    ///
    /// # Panics
    /// If `pose` or this was made for another number of joints than the subtree's skeleton has.
    pub fn recompose(&mut self, subtree: &Subtree, pose: &Pose) {
        self.recompose_at(Level::new(), subtree, pose);
    }

    /// Composes the joints of a subtree again in the poses of several characters, in less time than one after
    /// another: down a limb each joint waits for the one above it, and meanwhile those of the others are composed.
    ///
    /// # Panics
    /// If a pose or a model pose was made for another number of joints than the subtree's skeleton has.
    pub fn recompose_group(members: &mut [Option<(&mut Self, &Pose)>], subtree: &Subtree) {
        Self::recompose_group_at(Level::new(), members, subtree);
    }

    pub(crate) fn recompose_group_at(
        level: Level,
        members: &mut [Option<(&mut Self, &Pose)>],
        subtree: &Subtree,
    ) {
        // The module of the npm package, which is to be small, has one way.
        for members in members.chunks_mut(MEMBERS) {
            let are_small = !cfg!(canter_web)
                && dispatch!(level, simd => Members::new(members, subtree).walk(simd, subtree));
            if !are_small {
                for (model, pose) in members.iter_mut().flatten() {
                    model.recompose_at(level, subtree, pose);
                }
            }
        }
    }

    fn assert_fits(&self, subtree: &Subtree, pose: &Pose) {
        let counts = [self.joint_count, pose.joint_count()];
        assert!(
            counts == [subtree.joint_count; 2],
            "poses of {counts:?} joints for a subtree of another skeleton"
        );
    }

    pub(crate) fn recompose_at(&mut self, level: Level, subtree: &Subtree, pose: &Pose) {
        self.assert_fits(subtree, pose);
        let matrices = &mut self.matrices;
        let is_small = dispatch!(level, simd => walk::<_, false>(simd, subtree, &pose.groups, matrices));
        if !is_small {
            // Hardly ever, as when all joints are composed.
            dispatch!(level, simd => walk::<_, true>(simd, subtree, &pose.groups, matrices));
        }
    }
}

/// As many characters as are composed at once.
const MEMBERS: usize = 8;

/// Characters that are composed at once.
struct Members<'a> {
    groups: [&'a [JointGroup]; MEMBERS],
    matrices: [&'a mut [Mat3x4]; MEMBERS],
    count: usize,
}

impl<'a> Members<'a> {
    #[inline(always)]
    fn new(members: &'a mut [Option<(&mut ModelPose, &Pose)>], subtree: &Subtree) -> Self {
        let mut all = Self { groups: [&[]; MEMBERS], matrices: Default::default(), count: 0 };
        for (model, pose) in members.iter_mut().flatten() {
            model.assert_fits(subtree, pose);
            all.groups[all.count] = &pose.groups;
            all.matrices[all.count] = &mut model.matrices;
            all.count += 1;
        }
        all
    }

    /// The walk over the subtree, with each joint of all characters before the next one.
    #[inline(always)]
    fn walk<S: Simd>(self, simd: S, subtree: &Subtree) -> bool {
        let Self { groups, mut matrices, count } = self;
        let mut locals = [const { Locals::new() }; MEMBERS];
        let mut squares = Squares::new(simd);
        for range in &subtree.groups {
            let joints = &subtree.joints[range.clone()];
            let group = joints[0].0.index() / LANES;
            for (groups, locals) in groups.iter().zip(&mut locals).take(count) {
                local_matrices(simd, &groups[group], locals);
            }
            for &(joint, parent_slot) in joints {
                let slots = [parent_slot as usize, joint.index() + 1];
                for (locals, matrices) in locals.iter().zip(&mut matrices).take(count) {
                    let rows = locals.joint::<S>(joint.index() % LANES);
                    compose_joint(simd, rows, slots, matrices, &mut squares, false);
                }
            }
        }
        squares.are_small()
    }
}

/// The walk of the kernel that composes all joints, over some of them.
#[inline(always)]
fn walk<S: Simd, const CUT: bool>(
    simd: S,
    subtree: &Subtree,
    groups: &[JointGroup],
    matrices: &mut [Mat3x4],
) -> bool {
    let mut locals = Locals::new();
    let mut squares = Squares::new(simd);
    let mut limb = Limb::new(simd, matrices);
    for range in &subtree.groups {
        let joints = &subtree.joints[range.clone()];
        let group = &groups[joints[0].0.index() / LANES];
        // All eight at once only if most are needed: what was just written joint by joint is waited for. The module of the
        // npm package, which is to be small, has one way.
        let at_once = cfg!(not(canter_web)) && joints.len() > LANES / 2;
        if at_once {
            local_matrices(simd, group, &mut locals);
        }
        for &(joint, parent_slot) in joints {
            let lane = joint.index() % LANES;
            let slots = [parent_slot as usize, joint.index() + 1];
            if at_once {
                limb.compose(simd, locals.joint::<S>(lane), slots, matrices, &mut squares, CUT);
            } else {
                // By itself, so that the rows stay in registers: stored by parts, they would be waited for, too.
                let rows = local_rows(&group.joint(lane));
                limb.compose(simd, rows.each_ref(), slots, matrices, &mut squares, CUT);
            }
        }
    }
    squares.are_small()
}
