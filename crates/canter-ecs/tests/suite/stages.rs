//! The full way: stages in order, events, coming and going.

use std::sync::Arc;

use bevy_ecs::prelude::*;
use canter::glam::Quat;
use canter::{EventKind, LoopMode, Play};
use canter_ecs::{
    AnimationEvent, AnimationMixer, AnimationSet, FramePalettes, ModelPose, Palette, PaletteSlot, Pose, Rig,
    Update,
};

use super::rig::{Fixture, STEP_SECS, bits, palette_bits, run_for, world};

#[derive(Resource, Default)]
struct Seen(Vec<(&'static str, u32, u32)>);

/// What a system sees that runs between two stages: where a joint is turned in the pose, and where its end
/// is.
fn look(name: &'static str) -> impl Fn(ResMut<'_, Seen>, Single<'_, '_, (&Pose, &ModelPose)>) {
    move |mut seen, figure| {
        let (pose, model) = *figure;
        let joint = pose.skeleton().joint_at(1).unwrap();
        seen.0.push((name, pose.joint(joint).rotation.x.to_bits(), model.joints()[2].rows[2][3].to_bits()));
    }
}

#[test]
fn systems_of_yours_go_between_the_stages() {
    use AnimationSet::{Advance, Attach, Compose, Palette, Sample};
    let rig = Fixture::new(3);
    let mut world = world();
    world.init_resource::<Seen>();
    let mut schedules = world.resource_mut::<Schedules>();
    schedules.add_systems(
        Update,
        (
            look("end").after(Palette),
            look("attached").after(Attach).before(Palette),
            look("composed").after(Compose).before(Attach),
            look("sampled").after(Sample).before(Compose),
            look("advanced").after(Advance).before(Sample),
            look("begin").before(Advance),
        ),
    );
    world.spawn((rig.component(), rig.mixer()));
    run_for(&mut world, 0.2);
    let seen = &world.resource::<Seen>().0;
    let names: Vec<_> = seen.iter().map(|(name, ..)| *name).collect();
    assert_eq!(names, ["begin", "advanced", "sampled", "composed", "attached", "end"]);
    let poses: Vec<_> = seen.iter().map(|(_, pose, _)| *pose).collect();
    let places: Vec<_> = seen.iter().map(|(.., place)| *place).collect();
    assert!(poses[0] == poses[1] && poses[1] != poses[2] && poses[2] == poses[5]);
    assert!(places[0] == places[1] && places[1] != places[2] && places[2] == places[5]);
}

#[test]
fn what_is_edited_after_sampling_is_composed_anew() {
    use AnimationSet::{Attach, Compose, Sample};
    let rig = Fixture::new(3);
    let mut world = world();
    world.init_resource::<Seen>();
    world.resource_mut::<Schedules>().add_systems(
        Update,
        (
            (look("sampled"), nod).chain().after(Sample).before(Compose),
            look("composed").after(Compose).before(Attach),
        ),
    );
    world.spawn((rig.component(), rig.mixer()));
    // Edited in one frame and again in the next: what was composed then is older than the edit.
    for _ in 0..2 {
        world.resource_mut::<Seen>().0.clear();
        run_for(&mut world, 0.2);
        let seen = &world.resource::<Seen>().0;
        assert!(seen[0].1 != seen[1].1 && seen[0].2 != seen[1].2, "{seen:?}");
    }
}

fn nod(mut poses: Query<'_, '_, &mut Pose>) {
    for mut pose in &mut poses {
        let joint = pose.skeleton().joint_at(1).unwrap();
        pose.joint_mut(joint).rotation *= Quat::from_rotation_x(0.2);
    }
}

#[test]
fn edits_reach_the_palette_and_do_not_add_up_even_when_paused() {
    let rig = Fixture::new(3);
    let mut world = world();
    world
        .resource_mut::<Schedules>()
        .add_systems(Update, nod.after(AnimationSet::Sample).before(AnimationSet::Compose));
    let entity = world.spawn((rig.component(), rig.mixer())).id();
    run_for(&mut world, 0.1);
    let mut mixer = world.get_mut::<AnimationMixer>(entity).unwrap();
    let action = mixer.actions().next().unwrap().0;
    mixer.get_mut(action).unwrap().pause();
    for _ in 0..3 {
        run_for(&mut world, 0.1);
        let mut pose = canter::Pose::rest(&rig.skeleton);
        world.get::<AnimationMixer>(entity).unwrap().clone().sample(&mut pose);
        pose.joint_mut(rig.skeleton.joint_at(1).unwrap()).rotation *= Quat::from_rotation_x(0.2);
        assert_eq!(palette_bits(&world, entity), bits(&rig.palette_of(&pose)));
    }
}

#[derive(Resource, Default)]
struct Heard(Vec<AnimationEvent>);

fn listen(mut reader: MessageReader<'_, '_, AnimationEvent>, mut heard: ResMut<'_, Heard>) {
    heard.0.extend(reader.read().cloned());
}

#[test]
fn readers_before_and_after_hear_every_event_once() {
    for is_before in [true, false] {
        let rig = Fixture::new(3);
        let mut world = world();
        world.init_resource::<Heard>();
        let system = if is_before {
            listen.before(AnimationSet::Advance)
        } else {
            listen.after(AnimationSet::Palette)
        };
        world.resource_mut::<Schedules>().add_systems(Update, system);
        let mut mixer = rig.mixer();
        let once = mixer.play(&rig.clips[1], Play { loop_mode: LoopMode::Once, ..Play::default() });
        let first = mixer.actions().next().unwrap().0;
        let entity = world.spawn((rig.component(), mixer)).id();
        for frame in 0..120 {
            if frame == 100 {
                world.get_mut::<AnimationMixer>(entity).unwrap().fade_out(first, 0.05);
            }
            run_for(&mut world, STEP_SECS);
        }
        run_for(&mut world, 0.0);
        let heard: Vec<_> =
            world.resource::<Heard>().0.iter().map(|event| (event.action, event.kind)).collect();
        assert!(world.resource::<Heard>().0.iter().all(|event| event.entity == entity));
        let looped = EventKind::Looped { times: 1 };
        assert_eq!(heard, [(once, EventKind::Finished), (first, looped), (first, EventKind::FadedOut)]);
        let clips: Vec<_> = world.resource::<Heard>().0.iter().map(|event| event.clip.name()).collect();
        assert_eq!(clips, ["0.7 s", "1 s", "1 s"], "also of the action that is gone");
    }
}

#[test]
fn events_say_how_long_ago_they_happened() {
    let rig = Fixture::new(3);
    let mut world = world();
    world.init_resource::<Heard>();
    world.resource_mut::<Schedules>().add_systems(Update, listen.after(AnimationSet::Palette));
    let mut mixer = AnimationMixer::new(&rig.component());
    mixer.play(&rig.clips[0], Play { speed: 2.0, ..Play::default() });
    world.spawn((rig.component(), mixer));
    // At double speed the clip of a second has looped after half a second.
    run_for(&mut world, 0.75);
    let heard = &world.resource::<Heard>().0;
    assert_eq!(heard.len(), 1);
    assert_eq!((heard[0].kind, heard[0].secs_ago), (EventKind::Looped { times: 1 }, 0.25));
    assert!(Arc::ptr_eq(&heard[0].clip, &rig.clips[0]));
}

#[test]
fn a_character_may_go_in_mid_fade() {
    let rig = Fixture::new(3);
    let mut world = world();
    let entities: Vec<Entity> = (0..10).map(|_| world.spawn((rig.component(), rig.mixer())).id()).collect();
    run_for(&mut world, 0.1);
    for &entity in &entities {
        world.get_mut::<AnimationMixer>(entity).unwrap().crossfade_to(&rig.clips[1], 0.3);
    }
    run_for(&mut world, 0.1);
    for &entity in entities.iter().step_by(3) {
        world.despawn(entity);
    }
    let (clip, skeleton) = (Arc::strong_count(&rig.clips[1]), Arc::strong_count(&rig.skeleton));
    run_for(&mut world, 0.1);
    let left: Vec<Entity> = entities.into_iter().filter(|entity| world.get_entity(*entity).is_ok()).collect();
    assert_eq!(left.len(), 6);
    assert_eq!(world.resource::<FramePalettes>().matrices().len(), 6 * 3);
    for &entity in &left {
        let mut mixer = world.get::<AnimationMixer>(entity).unwrap().clone();
        assert_eq!(palette_bits(&world, entity), bits(&rig.palette(&mut mixer)));
        world.despawn(entity);
    }
    run_for(&mut world, 0.1);
    assert!(world.resource::<FramePalettes>().matrices().is_empty());
    assert_eq!(clip - Arc::strong_count(&rig.clips[1]), 6, "mixers that are gone let go of their clips");
    assert!(skeleton > Arc::strong_count(&rig.skeleton));
}

#[test]
fn components_come_and_go_in_any_order() {
    let (rig, large) = (Fixture::new(3), Fixture::new(21));
    let mut world = world();
    let entity = world.spawn(rig.mixer()).id();
    run_for(&mut world, 0.1);
    assert!(world.get::<Pose>(entity).is_none());
    world.entity_mut(entity).insert(rig.component());
    run_for(&mut world, 0.1);
    let played = palette_bits(&world, entity);
    assert_ne!(played, bits(&rig.rest_palette()));
    // A character without a mixer stands as it stood; its pose is in your hands.
    let mixer = world.entity_mut(entity).take::<AnimationMixer>().unwrap();
    run_for(&mut world, 0.1);
    assert_eq!(palette_bits(&world, entity), played);
    world.get_mut::<Pose>(entity).unwrap().reset();
    run_for(&mut world, 0.1);
    assert_eq!(palette_bits(&world, entity), bits(&rig.rest_palette()));
    world.entity_mut(entity).insert(mixer);
    run_for(&mut world, 0.0);
    assert_eq!(palette_bits(&world, entity), played);
    // Another kind of character, with a mixer that does not fit yet; then with one that does.
    world.entity_mut(entity).insert(large.component());
    run_for(&mut world, 0.1);
    assert_eq!(palette_bits(&world, entity), bits(&large.rest_palette()));
    world.entity_mut(entity).insert(large.mixer());
    run_for(&mut world, 0.1);
    let mut mixer = world.get::<AnimationMixer>(entity).unwrap().clone();
    assert_eq!(palette_bits(&world, entity), bits(&large.palette(&mut mixer)));
    world.entity_mut(entity).remove::<Rig>();
    run_for(&mut world, 0.1);
    let figure = world.entity(entity);
    assert!(!figure.contains::<Pose>() && !figure.contains::<ModelPose>());
    assert!(!figure.contains::<Palette>() && !figure.contains::<PaletteSlot>());
}

#[test]
fn swapped_components_are_left_alone() {
    let (small, large) = (Fixture::new(3), Fixture::new(21));
    let mut world = world();
    let entities = [&small, &large].map(|rig| world.spawn((rig.component(), rig.mixer())).id());
    run_for(&mut world, 0.1);
    let mut poses = world.query::<(&mut Pose, &mut ModelPose, &mut Palette)>();
    let [mut a, mut b] = poses.get_many_mut(&mut world, entities).unwrap();
    std::mem::swap(&mut *a.0, &mut *b.0);
    run_for(&mut world, 0.1);
    let [mut a, mut b] = poses.get_many_mut(&mut world, entities).unwrap();
    std::mem::swap(&mut *a.1, &mut *b.1);
    run_for(&mut world, 0.1);
    let [mut a, mut b] = poses.get_many_mut(&mut world, entities).unwrap();
    std::mem::swap(&mut *a.2, &mut *b.2);
    run_for(&mut world, 0.1);
    assert_eq!(world.resource::<FramePalettes>().matrices().len(), 24);
}
