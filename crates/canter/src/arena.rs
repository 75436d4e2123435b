//! Values with small ids that are never reused for another value.

#[cfg(feature = "serde")]
mod stored;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A value in an [`Arena`]: its slot, and how many values the slot had before it. The id of a value that was
/// removed is stale: it returns `None`, and never means another value of its arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ArenaId {
    slot: u32,
    generation: u32,
}

impl ArenaId {
    /// Which slot the value is in; below [`Arena::slot_count`].
    #[must_use]
    pub fn slot(self) -> u32 {
        self.slot
    }

    /// How many values were in the slot before.
    #[must_use]
    pub fn generation(self) -> u32 {
        self.generation
    }
}

/// A list whose values keep their ids while others come and go.
///
/// A new value gets the free slot of the lowest number, whatever happened before: two arenas with the same
/// slots give the same ids, also when one of them was stored and read back. Values are visited in the order
/// of their slots.
///
/// ```
/// use canter::Arena;
///
/// let mut arena = Arena::new();
/// let (a, b) = (arena.insert("a"), arena.insert("b"));
/// assert_eq!(arena.remove(a), Some("a"));
/// let c = arena.insert("c"); // in the slot of `a`, with an id of its own
/// assert_eq!((arena.get(a), arena.get(b), arena.get(c)), (None, Some(&"b"), Some(&"c")));
/// ```
#[derive(Debug)]
pub struct Arena<T> {
    slots: Vec<ArenaSlot<T>>,
    /// The slots that can be used again, the lowest number on top.
    free: BinaryHeap<Reverse<u32>>,
    len: usize,
}

/// A place of an [`Arena`], with a value or without one.
#[derive(Debug)]
pub struct ArenaSlot<T> {
    id: ArenaId,
    value: Option<T>,
}

impl<T> ArenaSlot<T> {
    /// The value and its id.
    #[must_use]
    pub fn get(&self) -> Option<(ArenaId, &T)> {
        Some((self.id, self.value.as_ref()?))
    }

    /// The value and its id.
    pub fn get_mut(&mut self) -> Option<(ArenaId, &mut T)> {
        Some((self.id, self.value.as_mut()?))
    }

    fn take(&mut self) -> Option<T> {
        let value = self.value.take()?;
        self.id.generation = self.id.generation.saturating_add(1);
        Some(value)
    }

    /// A slot at its last generation is not used again: an id never means another value.
    fn is_free(&self) -> bool {
        self.value.is_none() && self.id.generation < u32::MAX
    }
}

impl<T> Arena<T> {
    /// How many slots there can be. So [`u32::MAX`] is the number of none.
    const MOST_SLOTS: usize = u32::MAX as usize;

    /// Without values.
    #[must_use]
    pub const fn new() -> Self {
        Self { slots: Vec::new(), free: BinaryHeap::new(), len: 0 }
    }

    /// How many values there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether there is room for no other value.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.free.is_empty() && self.slots.len() >= Self::MOST_SLOTS
    }

    /// How many slots there are, with those that are free.
    #[must_use]
    pub fn slot_count(&self) -> usize {
        self.slots.len()
    }

    /// Adds a value.
    ///
    /// # Panics
    /// If it [is full](Self::is_full), which is after 2³² - 1 values at once.
    pub fn insert(&mut self, value: T) -> ArenaId {
        assert!(!self.is_full(), "an arena has room for 2³² - 1 values");
        self.len += 1;
        if let Some(Reverse(slot)) = self.free.pop() {
            let slot = &mut self.slots[slot as usize];
            slot.value = Some(value);
            return slot.id;
        }
        #[expect(clippy::cast_possible_truncation, reason = "it is not full")]
        let id = ArenaId { slot: self.slots.len() as u32, generation: 0 };
        self.slots.push(ArenaSlot { id, value: Some(value) });
        // Room for all slots to become free, so that a removal never allocates.
        self.free.reserve(self.slots.len());
        id
    }

    /// Takes a value out; `None` if the id is stale.
    pub fn remove(&mut self, id: ArenaId) -> Option<T> {
        let slot = self.slots.get_mut(id.slot as usize).filter(|slot| slot.id == id)?;
        let value = slot.take()?;
        self.len -= 1;
        if slot.is_free() {
            self.free.push(Reverse(id.slot));
        }
        Some(value)
    }

    /// Drops all values; their ids are stale from then on.
    pub fn clear(&mut self) {
        for slot in &mut self.slots {
            if slot.take().is_some() && slot.is_free() {
                self.free.push(Reverse(slot.id.slot));
            }
        }
        self.len = 0;
    }

    /// A value; `None` if the id is stale.
    #[must_use]
    pub fn get(&self, id: ArenaId) -> Option<&T> {
        self.slots.get(id.slot as usize).filter(|slot| slot.id == id)?.value.as_ref()
    }

    /// A value; `None` if the id is stale.
    pub fn get_mut(&mut self, id: ArenaId) -> Option<&mut T> {
        self.slots.get_mut(id.slot as usize).filter(|slot| slot.id == id)?.value.as_mut()
    }

    /// The value in a slot, for those who keep numbers of slots instead of ids.
    #[must_use]
    pub fn at(&self, slot: u32) -> Option<(ArenaId, &T)> {
        self.slots.get(slot as usize)?.get()
    }

    /// The value in a slot, for those who keep numbers of slots instead of ids.
    pub fn at_mut(&mut self, slot: u32) -> Option<(ArenaId, &mut T)> {
        self.slots.get_mut(slot as usize)?.get_mut()
    }

    /// All values with their ids, in the order of their slots.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (ArenaId, &T)> + Clone {
        self.slots.iter().filter_map(ArenaSlot::get)
    }

    /// All values with their ids, in the order of their slots.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (ArenaId, &mut T)> {
        self.slots.iter_mut().filter_map(ArenaSlot::get_mut)
    }

    /// All slots, to be divided among threads.
    pub fn slots_mut(&mut self) -> &mut [ArenaSlot<T>] {
        &mut self.slots
    }

    /// Reserves slots, so that [`insert`](Self::insert) does not allocate until there are so many values.
    pub fn reserve(&mut self, values: usize) {
        self.slots.reserve(values.saturating_sub(self.slots.len()));
        self.free.reserve(values.saturating_sub(self.free.len()));
    }
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// `clone_from` allocates nothing where the slots suffice, and hands that promise on to its values.
impl<T: Clone> Clone for Arena<T> {
    fn clone(&self) -> Self {
        let mut clone = Self { slots: self.slots.clone(), free: BinaryHeap::new(), len: self.len };
        clone.free.reserve(self.slots.len());
        clone.free.extend(&self.free);
        clone
    }

    fn clone_from(&mut self, source: &Self) {
        self.slots.clone_from(&source.slots);
        self.free.clear();
        self.free.extend(&source.free);
        self.len = source.len;
    }
}

impl<T: Clone> Clone for ArenaSlot<T> {
    fn clone(&self) -> Self {
        Self { id: self.id, value: self.value.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.id = source.id;
        self.value.clone_from(&source.value);
    }
}
