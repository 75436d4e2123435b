//! Markers are told as messages.

use std::sync::Arc;

use bevy_ecs::prelude::*;
use bevy_ecs::schedule::SingleThreadedExecutor;
use bevy_tasks::{ComputeTaskPool, TaskPoolBuilder};
use canter::{Clip, MarkerEvent, MarkerKind, Mixer, Play};
use canter_ecs::{
    AnimationClipLibrary, AnimationMarker, AnimationMixer, AnimationPlayer, AnimationSet, Rig, Update,
};

use super::rig::{Fixture, STEP_SECS, run_for, world};

#[derive(Resource, Default)]
struct Heard(Vec<AnimationMarker>);

fn listen(mut reader: MessageReader<'_, '_, AnimationMarker>, mut heard: ResMut<'_, Heard>) {
    heard.0.extend(reader.read().cloned());
}

fn listening() -> World {
    let mut world = world();
    world.init_resource::<Heard>();
    world.resource_mut::<Schedules>().add_systems(Update, listen.after(AnimationSet::Palette));
    world
}

/// What a frame tells, by name and kind.
fn frame(world: &mut World, delta_secs: f32) -> Vec<(String, MarkerKind)> {
    world.resource_mut::<Heard>().0.clear();
    run_for(world, delta_secs);
    let heard = &world.resource::<Heard>().0;
    heard.iter().map(|marker| (marker.event.name.to_string(), marker.event.kind)).collect()
}

fn mixer(rig: &Fixture, clip: &Arc<Clip>) -> AnimationMixer {
    let mut mixer = AnimationMixer::new(&rig.component());
    mixer.play(clip, Play::default());
    mixer
}

fn player(clips: &[&Arc<Clip>]) -> (AnimationClipLibrary, AnimationPlayer) {
    let clips: Vec<_> = clips.iter().map(|clip| Arc::clone(clip)).collect();
    (AnimationClipLibrary::new(clips), AnimationPlayer::default())
}

fn told(event: &MarkerEvent) -> (String, MarkerKind, i64) {
    (event.name.to_string(), event.kind, event.loops)
}

fn at(name: &str) -> (String, MarkerKind) {
    (name.to_owned(), MarkerKind::At)
}

fn window(kind: MarkerKind) -> (String, MarkerKind) {
    ("blade".to_owned(), kind)
}

#[test]
fn each_is_told_once_however_time_is_cut_and_whoever_reads() {
    const WHOLE_SECS: f32 = 7.3;
    let rig = Fixture::new(3);
    let walk = rig.walk(1.0);
    let mut alone = Mixer::new(&rig.skeleton);
    alone.play(&walk, Play::default());
    alone.advance(WHOLE_SECS);
    let expected: Vec<_> = alone.markers().map(|event| told(&event)).collect();
    assert_eq!(expected.len(), 7 * 4 + 1);
    for step_secs in [1.0 / 144.0, STEP_SECS, 0.0131, 0.25, 0.5, 1.0, 2.9, WHOLE_SECS] {
        for is_before in [true, false] {
            let mut world = world();
            world.init_resource::<Heard>();
            let system = if is_before {
                listen.before(AnimationSet::Advance)
            } else {
                listen.after(AnimationSet::Palette)
            };
            world.resource_mut::<Schedules>().add_systems(Update, system);
            let mixed = world.spawn((rig.component(), mixer(&rig, &walk))).id();
            let played = world.spawn((rig.component(), player(&[&walk]))).id();
            let mut left_secs = WHOLE_SECS;
            while left_secs > 0.0 {
                run_for(&mut world, step_secs.min(left_secs));
                left_secs -= step_secs;
            }
            run_for(&mut world, 0.0);
            for entity in [mixed, played] {
                let heard = world.resource::<Heard>().0.iter().filter(|marker| marker.entity == entity);
                let heard: Vec<_> = heard.map(|marker| told(&marker.event)).collect();
                assert_eq!(heard, expected, "steps of {step_secs} s");
            }
        }
    }
}

#[test]
fn those_of_several_actions_come_in_the_order_of_time() {
    let rig = Fixture::new(3);
    let mut world = listening();
    let mut mixer = mixer(&rig, &rig.walk(1.0));
    mixer.play(&rig.walk(0.7), Play::default());
    world.spawn((rig.component(), mixer));
    let heard = frame(&mut world, 5.0);
    assert!(heard.len() > 40, "{}", heard.len());
    let heard = &world.resource::<Heard>().0;
    assert!(heard.is_sorted_by(|a, b| a.event.secs_ago >= b.event.secs_ago));
}

#[test]
fn what_stands_still_tells_a_scrub_once_and_a_seek_only_where_it_leads() {
    let rig = Fixture::new(3);
    // Paused, at speed 0, and with all time stopped; with and without a step of time.
    for (case, step_secs) in [(0, 0.1), (1, 0.1), (2, 0.1), (0, 0.0), (1, 0.0), (2, 0.0)] {
        let mut world = listening();
        let entity = world.spawn((rig.component(), mixer(&rig, &rig.walk(1.0)))).id();
        let mut mixer = world.get_mut::<AnimationMixer>(entity).unwrap();
        let action = mixer.actions().next().unwrap().0;
        frame(&mut world, 0.1);
        mixer = world.get_mut::<AnimationMixer>(entity).unwrap();
        match case {
            0 => mixer.get_mut(action).unwrap().pause(),
            1 => mixer.get_mut(action).unwrap().set_speed(0.0).unwrap(),
            _ => mixer.set_speed(0.0),
        }
        assert_eq!(frame(&mut world, 0.1), []);
        let mut mixer = world.get_mut::<AnimationMixer>(entity).unwrap();
        mixer.get_mut(action).unwrap().scrub(0.7).unwrap();
        let expected = [at("foot_R"), window(MarkerKind::Enter)];
        assert_eq!(frame(&mut world, step_secs), expected, "case {case}");
        assert_eq!(frame(&mut world, step_secs), []);
        let mut mixer = world.get_mut::<AnimationMixer>(entity).unwrap();
        mixer.stop(action);
        assert_eq!(frame(&mut world, step_secs), [window(MarkerKind::Leave)], "case {case}");
        assert_eq!(frame(&mut world, step_secs), []);
    }
}

#[test]
fn one_that_fades_out_leaves_its_windows() {
    let rig = Fixture::new(3);
    let mut world = listening();
    let entity = world.spawn((rig.component(), mixer(&rig, &rig.walk(1.0)))).id();
    assert_eq!(frame(&mut world, 0.65), [at("foot_L"), at("foot_R"), window(MarkerKind::Enter)]);
    world.get_mut::<AnimationMixer>(entity).unwrap().crossfade_to(&rig.clips[0], 0.1);
    assert_eq!(frame(&mut world, 0.05), []);
    assert_eq!(frame(&mut world, 0.2), [window(MarkerKind::Leave)]);
    assert_eq!(frame(&mut world, 5.0), [], "it has gone");
}

#[test]
fn a_player_tells_nothing_while_it_is_paused_or_cannot_play() {
    let rig = Fixture::new(3);
    let mut world = listening();
    let entity = world.spawn((rig.component(), player(&[&rig.walk(1.0), &rig.clips[0]]))).id();
    let edit = |world: &mut World, edit: &dyn Fn(&mut AnimationPlayer)| {
        edit(&mut world.get_mut::<AnimationPlayer>(entity).unwrap());
    };
    assert_eq!(frame(&mut world, 0.1), [at("foot_L")]);
    edit(&mut world, &|player| player.playing = false);
    assert_eq!(frame(&mut world, 0.1), []);
    assert_eq!(frame(&mut world, 9.0), []);
    edit(&mut world, &|player| (player.playing, player.time) = (true, 0.45));
    assert_eq!(frame(&mut world, 0.1), [at("foot_R")]);
    edit(&mut world, &|player| player.clip_index = 7);
    assert_eq!(frame(&mut world, 0.1), []);
    edit(&mut world, &|player| player.clip_index = 0);
    assert_eq!(frame(&mut world, 0.1), [window(MarkerKind::Enter)]);
    // Another clip: at once, what was entered is left.
    edit(&mut world, &|player| player.clip_index = 1);
    assert_eq!(frame(&mut world, 0.1), [window(MarkerKind::Leave)]);
    assert_eq!(frame(&mut world, 3.0), []);
    // Backwards, from the end.
    edit(&mut world, &|player| (player.clip_index, player.time, player.speed) = (0, 0.9, -1.0));
    let back = [window(MarkerKind::Enter), window(MarkerKind::Leave), at("foot_R")];
    assert_eq!(frame(&mut world, 0.5), back);
    assert!(world.resource::<Heard>().0.iter().all(|marker| marker.event.is_backward));
    world.entity_mut(entity).remove::<Rig>();
    assert_eq!(frame(&mut world, 3.0), []);
}

#[test]
fn an_entity_with_a_mixer_and_a_player_tells_those_of_the_mixer() {
    let rig = Fixture::new(3);
    let mut world = listening();
    let entity = world.spawn((rig.component(), player(&[&rig.walk(1.0)]), mixer(&rig, &rig.walk(0.5)))).id();
    assert_eq!(frame(&mut world, 0.1), [at("foot_L")]);
    world.entity_mut(entity).remove::<AnimationMixer>();
    assert_eq!(frame(&mut world, 0.1), [at("foot_L")], "of the player, which begins");
    assert_eq!(frame(&mut world, 0.1), []);
}

#[test]
fn whoever_is_despawned_was_heard_and_is_heard_no_more() {
    let rig = Fixture::new(3);
    let mut world = listening();
    let walk = rig.walk(1.0);
    let entities: Vec<Entity> =
        (0..4).map(|_| world.spawn((rig.component(), mixer(&rig, &walk))).id()).collect();
    let player = world.spawn((rig.component(), player(&[&walk]))).id();
    // In the midst of a frame, after it went its step.
    let (mixed, played) = (entities[1], player);
    let mut is_done = false;
    let end = move |mut commands: Commands<'_, '_>| {
        if !std::mem::replace(&mut is_done, true) {
            commands.entity(mixed).despawn();
            commands.entity(played).despawn();
        }
    };
    world
        .resource_mut::<Schedules>()
        .add_systems(Update, end.after(AnimationSet::Advance).before(AnimationSet::Sample));
    assert_eq!(frame(&mut world, 0.1), vec![at("foot_L"); 4], "the player had not begun");
    assert!(world.get_entity(mixed).is_err());
    assert_eq!(world.resource::<Heard>().0[1].entity, mixed);
    // Between two frames.
    world.despawn(entities[2]);
    assert_eq!(frame(&mut world, 0.45), vec![at("foot_R"); 2]);
    let heard = world.resource::<Heard>().0.iter().map(|marker| marker.entity);
    assert_eq!(heard.collect::<Vec<_>>(), [entities[0], entities[3]]);
}

#[test]
fn a_thousand_on_many_threads_tell_the_same_in_the_same_order() {
    let pool = ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(4).build());
    assert!(pool.thread_num() > 1, "the test needs a pool of several threads");
    let rig = Fixture::new(11);
    let walks = [rig.walk(1.0), rig.walk(0.7), Arc::clone(&rig.clips[0])];
    let run = |is_single: bool| {
        let mut world = listening();
        if is_single {
            world.resource_mut::<Schedules>().entry(Update).set_executor(SingleThreadedExecutor::new());
        }
        for index in 0..1000_u16 {
            let clip = &walks[usize::from(index % 3)];
            let secs = f32::from(index) * 0.0173;
            if index % 2 == 0 {
                let (library, start) = player(&[clip]);
                world.spawn((rig.component(), library, AnimationPlayer { time: secs, ..start }));
            } else {
                let mut mixer = AnimationMixer::new(&rig.component());
                mixer.play(clip, Play { start_secs: Some(secs), ..Play::default() });
                world.spawn((rig.component(), mixer));
            }
        }
        (0..30).for_each(|_| run_for(&mut world, 0.05));
        let heard = std::mem::take(&mut world.resource_mut::<Heard>().0);
        let told = heard.iter().map(|marker| {
            (
                marker.entity,
                told(&marker.event),
                marker.event.secs_ago.to_bits(),
                marker.event.weight.to_bits(),
            )
        });
        told.collect::<Vec<_>>()
    };
    let (many, single) = (run(false), run(true));
    assert!(many.len() > 4000, "{}", many.len());
    assert!(many == single);
}
