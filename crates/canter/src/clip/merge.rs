//! Decides which tracks share a timeline.
//!
//! Exporters that drop needless keys leave every track with its own times. Keys can be inserted into linear
//! and step tracks without changing the motion, so such tracks are brought onto common times where that costs
//! little memory: one search and full lanes instead of many searches and mostly empty ones.

use std::sync::Arc;

use super::Interpolation;
use super::prepare::Prepared;
use crate::fingerprint::Fnv;

/// All tracks of a clip may share one timeline if its rows take at most this many times the room of the
/// keys...
const LARGEST_GROWTH: usize = 6;
/// ... or if there are no more numbers in them than this: 256 KiB.
const ALWAYS_FINE: usize = 1 << 16;
/// Otherwise tracks join a timeline that grows by at most this factor, unless many tracks of few keys would join a few of
/// many: one joint with keys at every millisecond must not give all others as many. ...
const LARGEST_JOIN: usize = 2;
/// ... and if it is one of so many latest ones: looking at all would take the square of the number of tracks.
const LOOK_BACK: usize = 32;

/// Tracks that share key times.
pub(crate) struct Shared {
    pub(crate) secs: Arc<[f32]>,
    pub(crate) tracks: Vec<Prepared>,
}

/// Puts tracks onto as few timelines as is cheap.
pub(crate) fn share(tracks: Vec<Prepared>) -> Vec<Shared> {
    let mut sets = same_times(tracks);
    // Splines cannot take further keys.
    let splines = sets.extract_if(.., |set| is_spline(&set.tracks[0])).collect::<Vec<_>>();
    let mut shared = match common_times(&sets) {
        Some(secs) => vec![joined(secs, sets)],
        None => greedy(sets),
    };
    for spline in splines {
        // A spline may join a timeline that has its times already.
        match shared.iter_mut().find(|shared| are_same(&shared.secs, &spline.secs)) {
            Some(shared) => shared.tracks.extend(spline.tracks),
            None => shared.push(spline),
        }
    }
    shared
}

fn is_spline(track: &Prepared) -> bool {
    track.interpolation == Interpolation::CubicSpline
}

/// Sets of tracks whose times are equal as they stand; in the order in which they first appear.
fn same_times(tracks: Vec<Prepared>) -> Vec<Shared> {
    // By a hash of the times, equal ones stand side by side.
    let mut order: Vec<(u64, bool, usize)> = Vec::with_capacity(tracks.len());
    for (index, track) in tracks.iter().enumerate() {
        // Most tracks have the very times of the one before.
        let before = index.checked_sub(1).filter(|&before| Arc::ptr_eq(&tracks[before].secs, &track.secs));
        let hash = before.map_or_else(|| Fnv::of_floats(&track.secs), |before| order[before].0);
        order.push((hash, is_spline(track), index));
    }
    order.sort_unstable();
    // For each track the first that has its times.
    let mut first_of: Vec<usize> = (0..tracks.len()).collect();
    for alike in order.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let mut firsts: Vec<usize> = Vec::new();
        for &(_, _, index) in alike {
            match firsts.iter().find(|&&first| are_same(&tracks[first].secs, &tracks[index].secs)) {
                Some(&first) => first_of[index] = first,
                None => firsts.push(index),
            }
        }
    }
    let mut sets: Vec<Shared> = Vec::new();
    let mut set_of = vec![0; tracks.len()];
    for (index, track) in tracks.into_iter().enumerate() {
        if first_of[index] == index {
            set_of[index] = sets.len();
            sets.push(Shared { secs: Arc::clone(&track.secs), tracks: vec![track] });
        } else {
            sets[set_of[first_of[index]]].tracks.push(track);
        }
    }
    sets
}

fn are_same(a: &Arc<[f32]>, b: &Arc<[f32]>) -> bool {
    // None is NaN, and none is -0.
    Arc::ptr_eq(a, b) || a == b
}

fn width(set: &Shared) -> usize {
    set.tracks.iter().map(|track| track.property.width()).sum()
}

/// The times of all sets together, if it does not cost too much to bring all tracks onto them.
fn common_times(sets: &[Shared]) -> Option<Arc<[f32]>> {
    let [first, others @ ..] = sets else { return None };
    if others.is_empty() {
        return Some(Arc::clone(&first.secs));
    }
    let mut all: Vec<(u32, bool)> = sets.iter().flat_map(|set| with_jumps(&set.secs)).collect();
    all.sort_unstable();
    all.dedup();
    let keys: usize = sets.iter().map(|set| set.secs.len() * width(set)).sum();
    let numbers = all.len() * sets.iter().map(width).sum::<usize>();
    let is_fine = numbers <= (keys * LARGEST_GROWTH).max(ALWAYS_FINE);
    is_fine.then(|| all.iter().map(|(bits, _)| f32::from_bits(*bits)).collect())
}

/// Times as bits, which sort as the times do since none is negative; and whether each is the second of two at
/// one time (a jump). There are no more than two.
fn with_jumps(secs: &[f32]) -> impl Iterator<Item = (u32, bool)> {
    let is_second = |key: usize| key > 0 && secs[key - 1].to_bits() == secs[key].to_bits();
    secs.iter().enumerate().map(move |(key, secs)| (secs.to_bits(), is_second(key)))
}

/// The longest sets first; each joins a timeline that it does not make much longer.
fn greedy(mut sets: Vec<Shared>) -> Vec<Shared> {
    sets.sort_by_key(|set| std::cmp::Reverse(set.secs.len()));
    let mut timelines: Vec<(Vec<f32>, Vec<Shared>)> = Vec::new();
    for set in sets {
        let place = timelines.iter_mut().rev().take(LOOK_BACK).find_map(|(secs, members)| {
            let most = members[0].secs.len() * LARGEST_JOIN;
            let is_wide = width(&set) > members.iter().map(width).sum::<usize>();
            let is_fine = |union: &Vec<f32>| !is_wide || union.len() <= set.secs.len() * LARGEST_GROWTH;
            let union = united(secs, &set.secs, most).filter(is_fine);
            union.map(|union| (secs, members, union))
        });
        match place {
            Some((secs, members, union)) => {
                *secs = union;
                members.push(set);
            }
            None => timelines.push((set.secs.to_vec(), vec![set])),
        }
    }
    timelines.into_iter().map(|(secs, members)| joined(secs.into(), members)).collect()
}

/// Brings tracks onto times that include theirs.
fn joined(secs: Arc<[f32]>, sets: Vec<Shared>) -> Shared {
    let on_times = |track: Prepared| {
        if are_same(&track.secs, &secs) { track } else { track.with_keys_at(&secs) }
    };
    let tracks = sets.into_iter().flat_map(|set| set.tracks).map(on_times).collect();
    Shared { secs, tracks }
}

/// All times of both, sorted; a time that one of them has twice (a jump) is there twice. `None` if there are
/// more than `most`.
fn united(a: &[f32], b: &[f32], most: usize) -> Option<Vec<f32>> {
    let mut union = Vec::with_capacity(most.min(a.len() + b.len()));
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        if union.len() == most {
            return None;
        }
        let (left, right) = (a.get(i), b.get(j));
        let next = match (left, right) {
            (Some(&x), Some(&y)) => x.min(y),
            (Some(&x), None) | (None, Some(&x)) => x,
            (None, None) => break,
        };
        union.push(next);
        i += usize::from(left == Some(&next));
        j += usize::from(right == Some(&next));
    }
    Some(union)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_union_keeps_jumps() {
        let table: [(&[f32], &[f32], &[f32]); 4] = [
            (&[0.0, 1.0, 1.0, 2.0], &[0.5, 1.0, 3.0], &[0.0, 0.5, 1.0, 1.0, 2.0, 3.0]),
            (&[], &[1.0], &[1.0]),
            (&[1.0, 1.0], &[1.0, 1.0], &[1.0, 1.0]),
            (&[0.0, 1.0], &[1.0, 1.0, 5.0], &[0.0, 1.0, 1.0, 5.0]),
        ];
        for (a, b, expected) in table {
            assert_eq!(united(a, b, 9).unwrap(), expected);
            assert!(united(a, b, expected.len()).is_some() && united(a, b, expected.len() - 1).is_none());
            // The other way to the same end.
            let mut all: Vec<_> = with_jumps(a).chain(with_jumps(b)).collect();
            all.sort_unstable();
            all.dedup();
            assert!(all.iter().map(|(bits, _)| f32::from_bits(*bits)).eq(expected.iter().copied()));
        }
    }
}
