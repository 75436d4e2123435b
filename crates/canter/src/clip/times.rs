//! Key times that many tracks share, and the search among them.

use std::sync::Arc;

/// Sorted key times with a table that finds the place of any instant at once.
///
/// The table cuts the span into as many buckets as there are keys. With keys at about even distances, as
/// files have them, a bucket holds one or two keys and the search looks at no more, wherever the time jumps;
/// there is no cursor to keep, so a seek costs what playing on costs. Keys that crowd together in one bucket
/// are searched by halving. Where each bucket holds one key, as with keys at even distances, there is no table.
#[derive(Clone, Debug)]
pub(crate) struct KeyTimes {
    secs: Arc<[f32]>,
    /// How many keys lie in the buckets before each one. Empty if every bucket holds one.
    keys_before: Vec<u32>,
    buckets_per_sec: f32,
    /// How often the keys of the fullest bucket are halved. As often as that are those of any: how full a bucket is,
    /// nobody could foretell.
    halvings: u32,
}

/// Whether keys at even distances go without a table. The npm package, which is to be small, has one way.
const HAS_EVEN: bool = cfg!(not(canter_web));

/// A place between two keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    /// The key on the left.
    pub(crate) key: usize,
    /// How far from it to the next, from 0 to below 1.
    pub(crate) alpha: f32,
    /// The time between the two keys, or 0 where only the left one counts.
    pub(crate) interval_secs: f32,
}

impl KeyTimes {
    /// `secs` is sorted, finite and not empty.
    pub(crate) fn new(secs: impl Into<Arc<[f32]>>) -> Self {
        let secs = secs.into();
        let buckets = secs.len();
        let span_secs = secs[buckets - 1] - secs[0];
        #[expect(clippy::cast_precision_loss, reason = "a rough division is enough")]
        let buckets_per_sec = if span_secs > 0.0 { buckets as f32 / span_secs } else { 0.0 };
        // A span so short that the division overflows: one bucket will do.
        let buckets_per_sec = if buckets_per_sec.is_finite() { buckets_per_sec } else { 0.0 };
        let mut times = Self { secs, keys_before: vec![0; buckets + 1], buckets_per_sec, halvings: 0 };
        for key in 0..times.secs.len() {
            let bucket = times.bucket(times.secs[key]);
            times.keys_before[bucket + 1] += 1;
        }
        let fullest = times.keys_before.iter().max().copied().unwrap_or(0);
        times.halvings = u32::BITS - (fullest / 2).leading_zeros();
        for bucket in 0..buckets {
            times.keys_before[bucket + 1] += times.keys_before[bucket];
        }
        let is_even = |(bucket, before): (usize, &u32)| bucket == *before as usize;
        if HAS_EVEN && times.keys_before.iter().enumerate().all(is_even) {
            times.keys_before = Vec::new();
        }
        times
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.secs[..]) + size_of_val(&self.keys_before[..])
    }

    pub(crate) fn secs(&self) -> &[f32] {
        &self.secs
    }

    /// The bucket of a time that is not before the first key. Never decreases with the time, since
    /// subtracting, multiplying and rounding do not: what the search relies on.
    fn bucket(&self, secs: f32) -> usize {
        // By way of the smallest integers that will do: others take a dozen instructions more.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
        let bucket = ((secs - self.secs[0]) * self.buckets_per_sec) as i32 as usize;
        bucket.min(self.secs.len() - 1)
    }

    /// Where a time lies among the keys; before the first and after the last key those hold. Any
    /// time is answered, NaN as a time before the first key.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn place(&self, secs: f32) -> Place {
        let key = self.last_key_at_or_before(secs);
        let hold = Place { key: key.unwrap_or(0), alpha: 0.0, interval_secs: 0.0 };
        match key {
            Some(key) if key + 1 < self.secs.len() => between(key, self.secs[key], self.secs[key + 1], secs),
            _ => hold,
        }
    }

    /// The last key that is not after a time; the first before that.
    #[inline(always)]
    pub(crate) fn key_before(&self, secs: f32) -> usize {
        self.last_key_at_or_before(secs).unwrap_or(0)
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn last_key_at_or_before(&self, secs: f32) -> Option<usize> {
        // `false` for NaN, too.
        let is_among_them = secs >= self.secs[0];
        if !is_among_them {
            return None;
        }
        let bucket = self.bucket(secs);
        if HAS_EVEN && self.keys_before.is_empty() {
            return (bucket + usize::from(self.secs[bucket] <= secs)).checked_sub(1);
        }
        // Keys of earlier buckets are before this time, keys of later buckets after it.
        let mut low = self.keys_before[bucket] as usize;
        let mut high = self.keys_before[bucket + 1] as usize;
        for _ in 0..self.halvings {
            let middle = usize::midpoint(low, high);
            let is_before = self.secs[middle.min(self.secs.len() - 1)] <= secs;
            (low, high) = if is_before { ((middle + 1).min(high), high) } else { (low, middle) };
        }
        // Mostly there is one left from the start, of which nobody can foretell on which side it is: without a branch.
        let is_before = self.secs[low.min(self.secs.len() - 1)] <= secs;
        low += usize::from((low < high) & is_before);
        low.checked_sub(1)
    }

    /// How many keys a search for this time may have to compare, for tests of the promise that
    /// it does not grow with the number of keys.
    #[cfg(test)]
    pub(crate) fn comparisons(&self, secs: f32) -> u32 {
        if self.keys_before.is_empty() {
            return 1;
        }
        let bucket = self.bucket(secs.max(self.secs[0]));
        let keys = self.keys_before[bucket + 1] - self.keys_before[bucket];
        u32::BITS - keys.leading_zeros()
    }
}

/// The place of a time between a key and the next one.
#[inline]
fn between(key: usize, left: f32, right: f32, secs: f32) -> Place {
    let interval_secs = right - left;
    // Rounding may reach the next key, which belongs to the next place.
    let alpha = ((secs - left) / interval_secs).min(LARGEST_BELOW_ONE);
    Place { key, alpha, interval_secs }
}

const LARGEST_BELOW_ONE: f32 = 1.0 - f32::EPSILON / 2.0;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plain_search(secs: &[f32], time: f32) -> Option<usize> {
        secs.iter().rposition(|&key| key <= time)
    }

    proptest! {
        #[test]
        fn any_time_finds_what_a_plain_search_finds(
            mut secs in prop::collection::vec(prop_oneof![0.0f32..10.0, 0.0f32..1e-30, 0.0f32..1e18], 1..80),
            times in prop::collection::vec(any::<f32>(), 20),
        ) {
            secs.sort_by(f32::total_cmp);
            let table = KeyTimes::new(secs.clone());
            for &time in times.iter().chain(&secs) {
                prop_assert_eq!(table.last_key_at_or_before(time), plain_search(&secs, time));
                let place = table.place(time);
                prop_assert!((0.0..1.0).contains(&place.alpha), "{:?}", place);
            }
        }
    }

    #[test]
    fn the_search_does_not_grow_with_the_number_of_keys() {
        for keys in [2_u16, 30, 1_000, 30_000] {
            let even = KeyTimes::new((0..keys).map(|key| f32::from(key) / 30.0).collect::<Vec<_>>());
            let most = even.secs().iter().map(|&secs| even.comparisons(secs)).max();
            assert!(most <= Some(2), "{keys} keys: {most:?}");
        }
    }

    #[test]
    fn crowded_keys_are_searched_by_halving() {
        let mut secs: Vec<f32> = (0..1_000_u16).map(|key| f32::from(key) * 1e-6).collect();
        secs.push(1e6);
        assert!(KeyTimes::new(secs).comparisons(0.0005) <= 11);
    }

    #[test]
    fn of_two_keys_at_one_time_the_later_one_holds() {
        let times = KeyTimes::new(vec![0.0, 1.0, 1.0, 2.0]);
        assert_eq!(times.place(1.0), Place { key: 2, alpha: 0.0, interval_secs: 1.0 });
        assert_eq!(times.place(0.5), Place { key: 0, alpha: 0.5, interval_secs: 1.0 });
        assert_eq!(KeyTimes::new(vec![1.0, 1.0]).place(0.0).key, 0);
        assert_eq!(KeyTimes::new(vec![1.0, 1.0]).place(1.0).key, 1);
    }
}
