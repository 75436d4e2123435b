//! All palettes in one array.

use bevy_ecs::prelude::*;
use canter_ecs::{AnimationMixer, FramePalettes, Palette, PaletteSlot};

use super::rig::{Fixture, run_for, world};

/// Every entity's part is its palette, and the parts fill the whole.
fn check(world: &mut World) {
    let mut palettes = world.query::<(&Palette, &PaletteSlot)>();
    let frame = world.resource::<FramePalettes>();
    let mut parts: Vec<_> =
        palettes.iter(world).map(|(palette, slot)| (slot.first, palette.matrices())).collect();
    parts.sort_by_key(|(first, _)| *first);
    let mut end = 0;
    for (first, matrices) in parts {
        assert_eq!(first, end);
        end += matrices.len();
        assert_eq!(&frame.matrices()[first..end], matrices);
    }
    assert_eq!(frame.matrices().len(), end);
}

#[test]
fn every_part_is_its_entitys_palette_whoever_comes_and_goes() {
    let rigs = [Fixture::new(3), Fixture::new(21), Fixture::new(1)];
    let mut world = world();
    let mut entities = Vec::new();
    let mut random = 1_u32;
    for frame in 0..300 {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let pick = (random >> 8) as usize;
        let rig = &rigs[pick % 3];
        match (pick / 3) % 6 {
            0 | 1 => entities.push(world.spawn((rig.component(), rig.mixer())).id()),
            2 => entities.push(world.spawn((rig.component(), AnimationMixer::new(&rig.component()))).id()),
            3 if !entities.is_empty() => {
                world.despawn(entities.swap_remove(pick % entities.len()));
            }
            4 if !entities.is_empty() => {
                // Another kind, in another place of the tables.
                world.entity_mut(entities[pick % entities.len()]).insert((rig.component(), rig.mixer()));
            }
            5 if !entities.is_empty() => {
                world.entity_mut(entities[pick % entities.len()]).remove::<AnimationMixer>();
            }
            _ => {}
        }
        run_for(&mut world, if frame % 5 == 0 { 0.0 } else { 0.02 });
        check(&mut world);
    }
    assert!(entities.len() > 10);
}

#[test]
fn only_what_moved_is_written() {
    let rig = Fixture::new(3);
    let mut world = world();
    for _ in 0..4 {
        world.spawn((rig.component(), AnimationMixer::new(&rig.component())));
    }
    world.spawn((rig.component(), rig.mixer()));
    world.spawn((rig.component(), AnimationMixer::new(&rig.component())));
    run_for(&mut world, 0.1);
    assert_eq!(world.resource::<FramePalettes>().written(), 0..18);
    run_for(&mut world, 0.1);
    assert_eq!(world.resource::<FramePalettes>().written(), 12..15);
    run_for(&mut world, 0.0);
    assert!(world.resource::<FramePalettes>().written().is_empty());
}
