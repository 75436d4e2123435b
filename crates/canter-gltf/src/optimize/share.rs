//! Tracks that share the times of their keys.
//!
//! Times of their own let tracks do with fewer keys, but cost four bytes a key and an accessor. Tracks are sorted
//! by how many keys they need; neighbours become a group where that takes less room.

use super::keys::{Choice, choose};
use super::lever::Levers;
use super::rig::Rig;

/// Tracks with the same key times.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Indices of tracks.
    pub(super) tracks: Vec<usize>,
    /// Indices of times.
    pub(super) keys: Vec<usize>,
    bytes: usize,
}

/// What an accessor of times takes in the JSON.
const ACCESSOR_BYTES: usize = 105;

/// What keys are chosen by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting<'a> {
    pub(super) grid: &'a [f64],
    pub(super) rig: &'a Rig,
    pub(super) levers: &'a Levers,
}

impl Setting<'_> {
    pub(super) fn choose(&self, choices: &[Choice<'_>], candidates: &[usize]) -> Vec<usize> {
        choose(choices, candidates, self.grid, self.rig, self.levers)
    }
}

/// Bytes that a value of a track takes.
pub(super) fn value_bytes(choice: &Choice<'_>) -> usize {
    choice.track.width * if choice.is_short { 2 } else { 4 }
}

/// Groups of tracks, given the keys that each needs alone.
pub(super) fn groups(
    choices: &[(usize, Choice<'_>)],
    alone: Vec<Vec<usize>>,
    setting: Setting<'_>,
) -> Vec<Group> {
    let choice = |track: usize| choices.iter().find(|(index, _)| *index == track).map(|(_, choice)| *choice);
    let bytes = |tracks: &[usize], keys: usize| {
        let per_key: usize = tracks.iter().filter_map(|&track| choice(track)).map(|c| value_bytes(&c)).sum();
        keys * (4 + per_key) + ACCESSOR_BYTES
    };
    let mut groups: Vec<Group> = Vec::new();
    for ((index, _), keys) in choices.iter().zip(alone) {
        // Equal times are shared in any case.
        match groups.iter_mut().find(|group| group.keys == keys) {
            Some(group) => group.tracks.push(*index),
            None => groups.push(Group { tracks: vec![*index], keys, bytes: 0 }),
        }
    }
    for group in &mut groups {
        group.bytes = bytes(&group.tracks, group.keys.len());
    }
    groups.sort_by_key(|group| group.keys.len());
    let united = |a: &Group, b: &Group| {
        let tracks = [a.tracks.as_slice(), &b.tracks].concat();
        let members: Vec<Choice<'_>> = tracks.iter().filter_map(|&track| choice(track)).collect();
        let mut candidates: Vec<usize> =
            members.iter().flat_map(|member| &member.track.own).copied().collect();
        candidates.sort_unstable();
        candidates.dedup();
        let keys = setting.choose(&members, &candidates);
        let bytes = bytes(&tracks, keys.len());
        Group { tracks, keys, bytes }
    };
    let mut pairs: Vec<Group> = groups.windows(2).map(|pair| united(&pair[0], &pair[1])).collect();
    loop {
        let gain = |index: usize, pair: &Group| {
            (groups[index].bytes + groups[index + 1].bytes).checked_sub(pair.bytes).filter(|&gain| gain > 0)
        };
        let gains = pairs.iter().enumerate().filter_map(|(index, pair)| Some((gain(index, pair)?, index)));
        let Some((_, best)) = gains.max() else { return groups };
        groups[best] = pairs.remove(best);
        groups.remove(best + 1);
        if best > 0 {
            pairs[best - 1] = united(&groups[best - 1], &groups[best]);
        }
        if best + 1 < groups.len() {
            pairs[best] = united(&groups[best], &groups[best + 1]);
        }
    }
}
