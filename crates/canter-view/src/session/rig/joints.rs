//! Joints by what they are called.

use canter::{JointId, Skeleton};

/// The joints whose names have a word in them and that hang on none of the kind: hands, and not their fingers.
pub(super) fn named(skeleton: &Skeleton, word: &str) -> Vec<JointId> {
    let is_named = |joint: JointId| skeleton.name(joint).to_lowercase().contains(word);
    let is_below = |joint: JointId| {
        let above = std::iter::successors(skeleton.parent(joint), |&above| skeleton.parent(above));
        above.into_iter().any(is_named)
    };
    skeleton.joints().filter(|&joint| is_named(joint) && !is_below(joint)).collect()
}

/// The ball of a foot, where toes bend.
pub(super) fn toe(skeleton: &Skeleton, foot: JointId) -> Option<JointId> {
    let is_toe = |joint: JointId| {
        let name = skeleton.name(joint).to_lowercase();
        (name.contains("toe") || name.contains("ball")) && !name.contains("end")
    };
    skeleton.joints().find(|&joint| skeleton.parent(joint) == Some(foot) && is_toe(joint))
}

/// A joint and what it hangs on, from the top: as many as there are, at most `count`.
pub(super) fn line(skeleton: &Skeleton, joint: JointId, count: usize) -> Vec<JointId> {
    let mut line: Vec<_> =
        std::iter::successors(Some(joint), |&joint| skeleton.parent(joint)).take(count).collect();
    line.reverse();
    line
}
