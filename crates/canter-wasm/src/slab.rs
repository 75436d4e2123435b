//! Values behind small numbers.

/// A list whose places are used again. JavaScript holds the numbers, from 1: 0 is no value.
#[derive(Debug)]
pub(crate) struct Slab<T> {
    places: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Slab<T> {
    pub(crate) const fn new() -> Self {
        Self { places: Vec::new(), free: Vec::new() }
    }

    pub(crate) fn insert(&mut self, value: T) -> u32 {
        if let Some(id) = self.free.pop() {
            self.places[id as usize - 1] = Some(value);
            return id;
        }
        self.places.push(Some(value));
        #[expect(clippy::cast_possible_truncation, reason = "memory ends before 2³² values")]
        let id = self.places.len() as u32;
        id
    }

    pub(crate) fn get(&self, id: u32) -> Option<&T> {
        self.places.get((id as usize).checked_sub(1)?)?.as_ref()
    }

    pub(crate) fn get_mut(&mut self, id: u32) -> Option<&mut T> {
        self.places.get_mut((id as usize).checked_sub(1)?)?.as_mut()
    }

    pub(crate) fn remove(&mut self, id: u32) -> Option<T> {
        let place = (id as usize).checked_sub(1).and_then(|index| self.places.get_mut(index))?;
        let value = place.take()?;
        self.free.push(id);
        Some(value)
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
