//! Decides which tracks share a timeline.
//!
//! Exporters that drop needless keys leave every track with its own times. Keys can be inserted into linear and
//! step tracks without changing the motion, so such tracks are brought onto common times where that costs little
//! memory: one search and full lanes instead of many searches and mostly empty ones.

use std::collections::HashMap;

use super::Interpolation;
use super::prepare::Prepared;

/// All tracks of a clip may share one timeline if its rows take at most this many times the room of the keys...
const LARGEST_GROWTH: usize = 6;
/// ... or if there are no more numbers in them than this: 256 KiB.
const ALWAYS_FINE: usize = 1 << 16;
/// Otherwise tracks join a timeline that grows by at most this factor.
const LARGEST_JOIN: usize = 2;

/// Tracks that share key times.
pub(crate) struct Shared {
    pub(crate) secs: Vec<f32>,
    pub(crate) tracks: Vec<Prepared>,
}

/// Puts tracks onto as few timelines as is cheap.
pub(crate) fn share(tracks: Vec<Prepared>) -> Vec<Shared> {
    let mut sets = same_times(tracks);
    // Splines cannot take further keys.
    let splines = sets.extract_if(.., |set| is_spline(&set.tracks[0])).collect::<Vec<_>>();
    let mut shared = if fit_on_one(&sets) { one(sets) } else { greedy(sets) };
    for spline in splines {
        // A spline may join a timeline that has its times already.
        match shared.iter_mut().find(|shared| bits(&shared.secs).eq(bits(&spline.secs))) {
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
    let mut index_of: HashMap<(bool, Vec<u32>), usize> = HashMap::new();
    let mut sets: Vec<Shared> = Vec::new();
    for track in tracks {
        let key = (is_spline(&track), bits(&track.secs).collect());
        let index = *index_of.entry(key).or_insert(sets.len());
        match sets.get_mut(index) {
            Some(set) => set.tracks.push(track),
            None => sets.push(Shared { secs: track.secs.clone(), tracks: vec![track] }),
        }
    }
    sets
}

fn bits(secs: &[f32]) -> impl Iterator<Item = u32> {
    secs.iter().map(|secs| secs.to_bits())
}

fn width(set: &Shared) -> usize {
    set.tracks.iter().map(|track| track.property.width()).sum()
}

fn fit_on_one(sets: &[Shared]) -> bool {
    let keys: usize = sets.iter().map(|set| set.secs.len() * width(set)).sum();
    let total_width: usize = sets.iter().map(width).sum();
    let allowed = (keys * LARGEST_GROWTH).max(ALWAYS_FINE);
    let mut union = Vec::new();
    for set in sets {
        union = united(&union, &set.secs);
        if union.len() * total_width > allowed {
            return false;
        }
    }
    true
}

fn one(sets: Vec<Shared>) -> Vec<Shared> {
    let secs = sets.iter().fold(Vec::new(), |union, set| united(&union, &set.secs));
    if sets.is_empty() { Vec::new() } else { vec![joined(secs, sets)] }
}

/// The longest sets first; each joins the first timeline that it does not make much longer.
fn greedy(mut sets: Vec<Shared>) -> Vec<Shared> {
    sets.sort_by_key(|set| std::cmp::Reverse(set.secs.len()));
    let mut timelines: Vec<(Vec<f32>, Vec<Shared>)> = Vec::new();
    for set in sets {
        let place = timelines.iter_mut().find_map(|(secs, members)| {
            let union = united(secs, &set.secs);
            let longest = members[0].secs.len();
            (union.len() <= longest * LARGEST_JOIN).then_some((secs, members, union))
        });
        match place {
            Some((secs, members, union)) => {
                *secs = union;
                members.push(set);
            }
            None => timelines.push((set.secs.clone(), vec![set])),
        }
    }
    timelines.into_iter().map(|(secs, members)| joined(secs, members)).collect()
}

/// Brings tracks onto times that include theirs.
fn joined(secs: Vec<f32>, sets: Vec<Shared>) -> Shared {
    let on_times = |track: Prepared| {
        if bits(&track.secs).eq(bits(&secs)) { track } else { track.with_keys_at(&secs) }
    };
    let tracks = sets.into_iter().flat_map(|set| set.tracks).map(on_times).collect();
    Shared { secs, tracks }
}

/// All times of both, sorted; a time that one of them has twice (a jump) is there twice.
fn united(a: &[f32], b: &[f32]) -> Vec<f32> {
    let mut union = Vec::with_capacity(a.len().max(b.len()));
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
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
    union
}

#[cfg(test)]
mod tests {
    use super::united;

    #[test]
    fn a_union_keeps_jumps() {
        assert_eq!(united(&[0.0, 1.0, 1.0, 2.0], &[0.5, 1.0, 3.0]), [0.0, 0.5, 1.0, 1.0, 2.0, 3.0]);
        assert_eq!(united(&[], &[1.0]), [1.0]);
        assert_eq!(united(&[1.0, 1.0], &[1.0, 1.0]), [1.0, 1.0]);
    }
}
