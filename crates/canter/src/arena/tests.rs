use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

#[test]
fn a_stale_id_returns_none() {
    let mut arena = Arena::new();
    let a = arena.insert(1);
    assert_eq!(arena.remove(a), Some(1));
    let b = arena.insert(2);
    assert_eq!((a.slot(), b.slot(), b.generation()), (0, 0, 1));
    assert_eq!(arena.get_mut(a), None);
    assert_eq!(arena.remove(a), None);
    assert_eq!(arena.get(a), None);
    assert_eq!((arena.get(b), arena.len()), (Some(&2), 1));
}

#[test]
fn an_id_of_a_larger_arena_returns_none() {
    let mut other = Arena::new();
    other.insert(());
    let second = other.insert(());
    assert_eq!(Arena::<()>::new().get(second), None);
}

#[test]
fn the_lowest_free_slot_is_used_first_whatever_was_removed_last() {
    let mut arena = Arena::new();
    let ids: Vec<_> = (0..5).map(|value| arena.insert(value)).collect();
    for removed in [1, 3, 0] {
        arena.remove(ids[removed]);
    }
    let slots: Vec<_> = (5..9).map(|value| arena.insert(value).slot()).collect();
    assert_eq!(slots, [0, 1, 3, 5]);
    assert_eq!(arena.iter().map(|(_, value)| *value).collect::<Vec<_>>(), [5, 6, 2, 7, 4, 8]);
}

#[test]
fn a_slot_whose_generations_are_used_up_is_not_used_again() {
    let mut arena = Arena::new();
    let first = arena.insert("first");
    arena.slots[0].id.generation = u32::MAX - 1;
    let last = ArenaId { generation: u32::MAX - 1, ..first };
    assert_eq!(arena.remove(last), Some("first"));
    assert_eq!((arena.insert("second").slot(), arena.len()), (1, 1));
    arena.clear();
    assert_eq!((arena.insert("third").slot(), arena.insert("fourth").slot()), (1, 2));
}

#[test]
fn clearing_makes_all_ids_stale() {
    let mut arena = Arena::new();
    let ids: Vec<_> = (0..3).map(|value| arena.insert(value)).collect();
    arena.remove(ids[1]);
    arena.clear();
    assert!(arena.is_empty() && ids.iter().all(|&id| arena.get(id).is_none()));
    assert_eq!((arena.insert(7).slot(), arena.slot_count(), arena.is_full()), (0, 3, false));
}

/// A value that knows whether it was cloned anew or written over.
#[derive(Debug, Default)]
struct Counted {
    value: u32,
    was_overwritten: bool,
}

impl Clone for Counted {
    fn clone(&self) -> Self {
        Self { value: self.value, was_overwritten: false }
    }

    fn clone_from(&mut self, source: &Self) {
        *self = Self { value: source.value, was_overwritten: true };
    }
}

#[test]
fn clone_from_keeps_what_is_allocated() {
    let mut source = Arena::new();
    let ids: Vec<_> = (0..10).map(|value| source.insert(Counted { value, was_overwritten: false })).collect();
    let mut copy = source.clone();
    source.remove(ids[4]);
    let place = copy.slots.as_ptr();
    let room = (copy.slots.capacity(), copy.free.capacity());
    copy.clone_from(&source);
    assert_eq!((copy.slots.as_ptr(), (copy.slots.capacity(), copy.free.capacity())), (place, room));
    assert!(copy.iter().all(|(_, value)| value.was_overwritten));
    assert_eq!(copy.insert(Counted::default()), source.insert(Counted::default()));
}

#[test]
fn removals_and_reserved_values_do_not_allocate() {
    let mut arena = Arena::new();
    arena.reserve(20);
    let room = (arena.slots.capacity(), arena.free.capacity());
    let ids: Vec<_> = (0..20).map(|value| arena.insert(value)).collect();
    for id in ids {
        arena.remove(id);
    }
    assert_eq!((arena.slots.capacity(), arena.free.capacity()), room);
}

#[cfg(feature = "serde")]
#[test]
fn a_stored_arena_goes_on_with_the_same_ids() {
    let mut arena = Arena::new();
    let ids: Vec<_> = (0..4).map(|value| arena.insert(value)).collect();
    arena.remove(ids[2]);
    arena.remove(ids[0]);
    let text = serde_json::to_string(&arena).unwrap();
    let slot = |generation: u32, value: Option<i32>| {
        let value = value.map_or("null".to_owned(), |value| value.to_string());
        format!("{{\"generation\":{generation},\"value\":{value}}}")
    };
    let slots = [slot(1, None), slot(0, Some(1)), slot(1, None), slot(0, Some(3))];
    assert_eq!(text, format!("[{}]", slots.join(",")));
    let mut again: Arena<i32> = serde_json::from_str(&text).unwrap();
    assert_eq!((again.get(ids[1]), again.get(ids[2]), again.len()), (Some(&1), None, 2));
    for value in 0..3 {
        assert_eq!(again.insert(value), arena.insert(value));
    }
    let id: ArenaId = serde_json::from_str(&serde_json::to_string(&ids[3]).unwrap()).unwrap();
    assert_eq!(id, ids[3]);
}

proptest! {
    #[test]
    fn it_is_a_map_whose_keys_are_never_used_twice(
        steps in prop::collection::vec((0..4_u8, 0..40_usize), 0..200),
    ) {
        let mut arena = Arena::new();
        let (mut known, mut ids) = (BTreeMap::new(), Vec::new());
        for (value, (kind, which)) in steps.into_iter().enumerate() {
            match kind {
                0 | 1 => {
                    let id = arena.insert(value);
                    prop_assert!(!ids.contains(&id));
                    ids.push(id);
                    known.insert(id, value);
                }
                2 => if let Some(id) = ids.get(which) {
                    prop_assert_eq!(arena.remove(*id), known.remove(id));
                },
                _ => arena = arena.clone(),
            }
            prop_assert_eq!(arena.len(), known.len());
            prop_assert!(arena.iter().map(|(id, value)| (id, *value)).eq(known.clone()));
            prop_assert!(ids.iter().all(|id| arena.get(*id) == known.get(id)));
        }
    }
}
