//! Slots: used again, but for those whose generations are used up.

use std::sync::Arc;

use crate::testing::chain;
use crate::{Clip, Mixer, Play};

#[test]
fn slots_are_used_again() {
    let skeleton = chain(1);
    let clips = ["A", "B"].map(|name| Arc::new(Clip::builder(name, &skeleton).build().unwrap()));
    let mut mixer = Mixer::new(&skeleton);
    for round in 0..200 {
        let id = mixer.crossfade_to(&clips[round % 2], 0.1);
        mixer.advance(0.1);
        if round % 3 == 0 {
            mixer.stop(id);
        }
    }
    assert!(mixer.base.slots.len() <= 2);
}

#[test]
fn a_slot_at_its_last_generation_is_not_used_again() {
    let skeleton = chain(1);
    let clip = Arc::new(Clip::builder("A", &skeleton).build().unwrap());
    let mut mixer = Mixer::new(&skeleton);
    let first = mixer.play(&clip, Play::default());
    mixer.base.slots[0].generation = u32::MAX - 1;
    let last = mixer.action(&clip);
    assert_ne!(first, last);
    mixer.stop(last);
    let next = mixer.play(&clip, Play::default());
    assert_eq!((next.slot, next.generation), (1, 0));
    assert!(mixer.get(last).is_none());
}
