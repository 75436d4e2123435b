//! The lists of the file.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};

/// One of the file's lists of objects.
///
/// Its length is bounded while it is parsed: `{},` is three bytes of text and some hundred bytes of memory.
#[derive(Debug)]
pub(crate) struct List<T>(Vec<T>);

impl<T> List<T> {
    /// A hundred times what the largest scenes have.
    const MOST: usize = 1 << 20;
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Bounded(PhantomData))
    }
}

struct Bounded<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Bounded<T> {
    type Value = List<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of at most {} items", List::<T>::MOST)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<List<T>, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            if list.len() == List::<T>::MOST {
                return Err(Error::invalid_length(list.len() + 1, &self));
            }
            list.push(item);
        }
        Ok(List(list))
    }
}
