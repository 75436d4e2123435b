//! Values behind small numbers.

use canter::Arena;

/// An arena for JavaScript, which holds numbers of slots, from 1: 0 is no value.
#[derive(Debug)]
pub(crate) struct Slab<T>(Arena<T>);

impl<T> Slab<T> {
    pub(crate) const fn new() -> Self {
        Self(Arena::new())
    }

    pub(crate) fn insert(&mut self, value: T) -> u32 {
        self.0.insert(value).slot() + 1
    }

    pub(crate) fn get(&self, id: u32) -> Option<&T> {
        Some(self.0.at(id.checked_sub(1)?)?.1)
    }

    pub(crate) fn get_mut(&mut self, id: u32) -> Option<&mut T> {
        Some(self.0.at_mut(id.checked_sub(1)?)?.1)
    }

    pub(crate) fn remove(&mut self, id: u32) -> Option<T> {
        let (id, _) = self.0.at(id.checked_sub(1)?)?;
        self.0.remove(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_used_again_and_removed_values_are_gone() {
        let mut slab = Slab::new();
        let (a, b) = (slab.insert("a"), slab.insert("b"));
        assert_eq!((a, b), (1, 2));
        assert_eq!(slab.remove(a), Some("a"));
        assert_eq!((slab.remove(a), slab.get(a), slab.get(0), slab.get(7)), (None, None, None, None));
        assert_eq!(slab.insert("c"), a);
        assert_eq!(slab.get(a), Some(&"c"));
        assert_eq!(slab.get_mut(b), Some(&mut "b"));
    }
}
