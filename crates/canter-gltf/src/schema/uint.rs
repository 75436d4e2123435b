//! Integers of the file. JSON has only numbers, and some exporters write `3.0` where 3 is meant.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};

/// The index of an item in one of the file's lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Index(u32);

impl Index {
    pub(crate) fn get(self) -> usize {
        self.0 as usize
    }
}

/// A count, length or offset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Size(pub(crate) u64);

impl Size {
    /// As a length in memory; what does not fit into the address space becomes its largest value, so that the checks
    /// against real lengths refuse it.
    pub(crate) fn get(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl<'de> Deserialize<'de> for Index {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = deserializer.deserialize_u64(Integer("an index"))?;
        u32::try_from(value)
            .map(Self)
            .map_err(|_| Error::invalid_value(Unexpected::Unsigned(value), &"an index"))
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_u64(Integer("a non-negative integer")).map(Self)
    }
}

struct Integer(&'static str);

impl Visitor<'_> for Integer {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<u64, E> {
        Ok(value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<u64, E> {
        // Integers above 2^53 have no exact float.
        const MOST: f64 = 9_007_199_254_740_992.0;
        if value.fract() == 0.0 && (0.0..=MOST).contains(&value) {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "checked on the line above"
            )]
            return Ok(value as u64);
        }
        Err(Error::invalid_value(Unexpected::Float(value), &self))
    }
}
