//! Change detection tells the truth.

use bevy_ecs::prelude::*;
use canter::{LoopMode, Play, SyncGroup};
use canter_ecs::{
    AnimationMixer, AnimationPlayer, AnimationSet, ModelPose, Palette, PaletteSlot, Placement, Pose, Update,
};

use super::rig::{Fixture, run_for, world};

/// How many entities had each component changed in the last frame.
#[derive(Resource, Default, Debug, PartialEq, Clone, Copy)]
struct Changes {
    mixers: usize,
    players: usize,
    poses: usize,
    models: usize,
    palettes: usize,
    others: usize,
}

#[expect(clippy::type_complexity, reason = "a query of a test")]
fn watch(
    mixers: Query<'_, '_, (), Changed<AnimationMixer>>,
    players: Query<'_, '_, (), Changed<AnimationPlayer>>,
    poses: Query<'_, '_, (), Changed<Pose>>,
    models: Query<'_, '_, (), Changed<ModelPose>>,
    palettes: Query<'_, '_, (), Changed<Palette>>,
    others: Query<'_, '_, (), Or<(Changed<PaletteSlot>, Changed<Placement>)>>,
    mut changes: ResMut<'_, Changes>,
) {
    *changes = Changes {
        mixers: mixers.iter().count(),
        players: players.iter().count(),
        poses: poses.iter().count(),
        models: models.iter().count(),
        palettes: palettes.iter().count(),
        others: others.iter().count(),
    };
}

fn watched() -> World {
    let mut world = world();
    world.init_resource::<Changes>();
    world.resource_mut::<Schedules>().add_systems(Update, watch.after(AnimationSet::Palette));
    world
}

fn frame(world: &mut World, delta_secs: f32) -> Changes {
    run_for(world, delta_secs);
    *world.resource::<Changes>()
}

const NONE: Changes = Changes { mixers: 0, players: 0, poses: 0, models: 0, palettes: 0, others: 0 };
const MIXED: Changes = Changes { mixers: 1, poses: 1, models: 1, palettes: 1, ..NONE };
const PLAYED: Changes = Changes { players: 1, poses: 1, models: 1, palettes: 1, ..NONE };

#[test]
fn mixers_that_stand_still_change_nothing() {
    let rig = Fixture::new(3);
    let mut world = watched();
    let mut mixer = AnimationMixer::new(&rig.component());
    let action = mixer.play(&rig.clips[0], Play { loop_mode: LoopMode::Once, ..Play::default() });
    let entity = world.spawn((rig.component(), mixer)).id();
    frame(&mut world, 0.1);
    assert_eq!(frame(&mut world, 0.1), MIXED);
    assert_eq!(frame(&mut world, 0.0), NONE, "no time, no change");
    assert_eq!(frame(&mut world, 0.1), MIXED);
    let with = |world: &mut World, change: &dyn Fn(&mut AnimationMixer)| {
        change(&mut world.get_mut::<AnimationMixer>(entity).unwrap());
    };
    with(&mut world, &|mixer| mixer.get_mut(action).unwrap().pause());
    assert_eq!(frame(&mut world, 0.1), MIXED, "it was asked something");
    assert_eq!(frame(&mut world, 0.1), NONE, "paused");
    with(&mut world, &|mixer| mixer.get_mut(action).unwrap().seek(0.5).unwrap());
    assert_eq!(frame(&mut world, 0.1), MIXED, "a seek shows while paused");
    with(&mut world, &|mixer| mixer.get_mut(action).unwrap().resume());
    assert_eq!(frame(&mut world, 0.1), MIXED);
    assert_eq!(frame(&mut world, 9.0), MIXED, "it reaches its end");
    assert_eq!(frame(&mut world, 0.1), NONE, "it has ended");
    with(&mut world, &|mixer| mixer.get_mut(action).unwrap().set_speed(-1.0).unwrap());
    assert_eq!(frame(&mut world, 0.1), MIXED);
    assert_eq!(frame(&mut world, 0.1), MIXED, "back from its end");
    with(&mut world, &|mixer| mixer.get_mut(action).unwrap().set_speed(0.0).unwrap());
    frame(&mut world, 0.1);
    assert_eq!(frame(&mut world, 0.1), NONE, "speed 0");
    with(&mut world, &|mixer| mixer.fade_out(action, 0.25).unwrap());
    assert_eq!(frame(&mut world, 0.1), MIXED);
    assert_eq!(frame(&mut world, 0.1), MIXED, "a fade runs on");
    assert_eq!(frame(&mut world, 0.1), MIXED, "and ends");
    assert_eq!(frame(&mut world, 0.1), NONE, "nothing plays");
    assert_eq!(frame(&mut world, f32::NAN), NONE);
}

#[test]
fn a_mixer_that_is_stopped_changes_nothing_but_for_fades_of_their_own_time() {
    let rig = Fixture::new(3);
    let mut world = watched();
    let entity = world.spawn((rig.component(), rig.mixer())).id();
    frame(&mut world, 0.1);
    assert_eq!(frame(&mut world, 0.1), MIXED);
    world.get_mut::<AnimationMixer>(entity).unwrap().set_speed(0.0);
    assert_eq!(frame(&mut world, 0.1), MIXED, "it was asked something");
    assert_eq!(frame(&mut world, 0.1), NONE, "a hit-stop");
    world.get_mut::<AnimationMixer>(entity).unwrap().crossfade_to(&rig.clips[1], 1.0);
    frame(&mut world, 0.1);
    assert_eq!(frame(&mut world, 0.1), MIXED, "fades go on");
    world.get_mut::<AnimationMixer>(entity).unwrap().set_fades_follow_speed(true);
    frame(&mut world, 0.1);
    assert_eq!(frame(&mut world, 0.1), NONE, "fades are stopped as well");
}

#[test]
fn an_action_at_the_end_of_its_range_changes_nothing() {
    let rig = Fixture::new(3);
    let mut world = watched();
    let mut mixer = AnimationMixer::new(&rig.component());
    let action = mixer.play(&rig.clips[0], Play::once());
    mixer.get_mut(action).unwrap().set_range_secs(0.0, 0.5).unwrap();
    world.spawn((rig.component(), mixer));
    frame(&mut world, 0.1);
    assert_eq!(frame(&mut world, 0.1), MIXED);
    assert_eq!(frame(&mut world, 0.5), MIXED, "it reaches its end");
    assert_eq!(frame(&mut world, 0.1), NONE, "it has ended");
}

#[test]
fn mixers_in_step_change_only_when_their_leader_leads_them_on() {
    let rig = Fixture::new(3);
    for sync in [SyncGroup::by_markers(1), SyncGroup::cyclic(1)] {
        let mut world = watched();
        let mut mixer = AnimationMixer::new(&rig.component());
        let play = |weight: f32| Play { sync: Some(sync), weight, ..Play::default() };
        let leader = mixer.play(&rig.walk(1.0), play(3.0));
        let other = mixer.play(&rig.walk(0.7), play(1.0));
        let entity = world.spawn((rig.component(), mixer)).id();
        let set_speed = |world: &mut World, action, speed: f32| {
            let mut mixer = world.get_mut::<AnimationMixer>(entity).unwrap();
            mixer.get_mut(action).unwrap().set_speed(speed).unwrap();
            frame(world, 0.1);
        };
        frame(&mut world, 0.1);
        assert_eq!(frame(&mut world, 0.1), MIXED);
        assert_eq!(frame(&mut world, 0.0), NONE);
        set_speed(&mut world, other, 0.0);
        assert_eq!(frame(&mut world, 0.1), MIXED, "it is led on");
        set_speed(&mut world, other, 1.0);
        set_speed(&mut world, leader, 0.0);
        assert_eq!(frame(&mut world, 0.1), NONE, "all stand with their leader");
        world.get_mut::<AnimationMixer>(entity).unwrap().set_speed(0.0);
        set_speed(&mut world, leader, 1.0);
        assert_eq!(frame(&mut world, 0.1), NONE, "a hit-stop");
    }
}

#[test]
fn players_that_stand_still_change_nothing() {
    let rig = Fixture::new(3);
    let mut world = watched();
    let player = AnimationPlayer { looping: false, ..AnimationPlayer::default() };
    let entity = world.spawn((rig.component(), rig.library(), player)).id();
    frame(&mut world, 0.1);
    assert_eq!(frame(&mut world, 0.1), PLAYED);
    assert_eq!(frame(&mut world, 0.0), NONE);
    world.get_mut::<AnimationPlayer>(entity).unwrap().playing = false;
    assert_eq!(frame(&mut world, 0.1), PLAYED);
    assert_eq!(frame(&mut world, 0.1), NONE, "paused");
    world.get_mut::<AnimationPlayer>(entity).unwrap().playing = true;
    assert_eq!(frame(&mut world, 9.0), PLAYED, "it reaches its end");
    assert_eq!(frame(&mut world, 0.1), NONE, "it has ended");
    world.get_mut::<AnimationPlayer>(entity).unwrap().clip_index = 99;
    assert_eq!(frame(&mut world, 0.1), PLAYED, "it goes to rest");
    assert_eq!(frame(&mut world, 0.1), NONE, "it is at rest");
}

#[test]
fn one_that_moves_does_not_touch_the_others() {
    let rig = Fixture::new(3);
    let mut world = watched();
    for _ in 0..50 {
        world.spawn((rig.component(), AnimationMixer::new(&rig.component())));
        world.spawn((
            rig.component(),
            rig.library(),
            AnimationPlayer { playing: false, ..Default::default() },
        ));
    }
    world.spawn((rig.component(), rig.mixer()));
    frame(&mut world, 0.1);
    assert_eq!(frame(&mut world, 0.1), MIXED);
}
