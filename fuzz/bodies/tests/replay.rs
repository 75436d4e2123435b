//! Replays the fuzzers without a fuzzer: the cases that are kept, and changed copies of them, the same in
//! every run.
//!
//! A find of a fuzzer becomes a case in `fuzz/corpus`, and a test with its story beside the code that it is
//! about.

use std::fs;
use std::path::Path;

use canter_fuzz_bodies::{TARGETS, Target};

/// Changed copies of each target's cases; those of the hero are large files.
const CHANGED: [(&str, usize); 6] = [
    ("bytes", 4_000),
    ("play", 3_000),
    ("accessor", 4_000),
    ("hero", 1_000),
    ("draco", 4_000),
    ("ktx2", 4_000),
];

/// The cases of a target, in the order of their names.
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus").join(name);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() > 10, "{} has hardly any cases", folder.display());
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// A small generator, known as `SplitMix64`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() >> 33).unwrap() % end.max(1)
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[7]
    }

    /// Flips, overwrites, cuts, repeats, and takes over parts of another case.
    fn change(&mut self, case: &mut Vec<u8>, other: &[u8]) {
        for _ in 0..=self.below(6) {
            let at = self.below(case.len());
            match self.below(6) {
                0 | 1 if !case.is_empty() => case[at] ^= 1 << self.below(8),
                2 if !case.is_empty() => case[at] = self.byte(),
                3 => case.truncate(case.len() - self.below(case.len().min(16) + 1)),
                4 => case.insert(at, self.byte()),
                _ => {
                    let from = self.below(other.len());
                    let part = &other[from..other.len().min(from + 1 + self.below(32))];
                    case.splice(at..at, part.iter().copied());
                }
            }
        }
    }
}

fn replay(name: &str) {
    let (_, target): (_, Target) = *TARGETS.iter().find(|(other, _)| *other == name).unwrap();
    let (_, changed) = *CHANGED.iter().find(|(other, _)| *other == name).unwrap();
    let cases = corpus(name);
    cases.iter().for_each(|case| target(case));
    let mut random = Random(11);
    for _ in 0..changed {
        let mut case = cases[random.below(cases.len())].clone();
        let other = &cases[random.below(cases.len())];
        random.change(&mut case, other);
        // A panic does not say which case it was.
        if std::panic::catch_unwind(|| target(&case)).is_err() {
            panic!("{name}: this case is one: {case:?}");
        }
    }
}

#[test]
fn any_bytes_are_answered() {
    replay("bytes");
}

#[test]
fn any_operations_leave_the_mixer_sound() {
    replay("play");
}

#[test]
fn any_accessors_are_answered() {
    replay("accessor");
}

#[test]
fn any_changed_hero_is_answered() {
    replay("hero");
}

#[test]
fn any_draco_streams_are_answered() {
    replay("draco");
}

#[test]
fn any_ktx2_pictures_are_answered() {
    replay("ktx2");
}
