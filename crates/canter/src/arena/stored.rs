//! An arena in a file: its slots in order, each with its generation, so that ids mean the same when it is
//! read back.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Arena, ArenaId, ArenaSlot};

#[derive(Serialize, Deserialize)]
struct StoredSlot<V> {
    generation: u32,
    value: Option<V>,
}

impl<T: Serialize> Serialize for Arena<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(
            self.slots
                .iter()
                .map(|slot| StoredSlot { generation: slot.id.generation, value: slot.value.as_ref() }),
        )
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Arena<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stored = Vec::<StoredSlot<T>>::deserialize(deserializer)?;
        let slot =
            |(slot, StoredSlot { generation, value })| ArenaSlot { id: ArenaId { slot, generation }, value };
        let slots: Vec<_> = (0..u32::MAX).zip(stored).map(slot).collect();
        let mut free = BinaryHeap::with_capacity(slots.len());
        free.extend(slots.iter().filter(|slot| slot.is_free()).map(|slot| Reverse(slot.id.slot)));
        let len = slots.iter().filter(|slot| slot.value.is_some()).count();
        Ok(Self { slots, free, len })
    }
}
