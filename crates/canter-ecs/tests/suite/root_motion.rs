//! Entities go where their clips lead them.

use std::sync::Arc;

use bevy_ecs::prelude::*;
use canter::glam::{DAffine3, DVec3};
use canter::{Clip, Mixer, Play, RootStep};
use canter_ecs::{
    AnimationClipLibrary, AnimationMixer, AnimationPlayer, AnimationSet, ApplyRootMotion, Placement, Rig,
    StepMotion, Update,
};

use super::rig::{Fixture, run_for, world};

fn mixer(rig: &Fixture, clip: &Arc<Clip>) -> AnimationMixer {
    let mut mixer = AnimationMixer::new(&rig.component());
    mixer.play(clip, Play::default());
    mixer
}

fn player(clip: &Arc<Clip>) -> (AnimationClipLibrary, AnimationPlayer) {
    (AnimationClipLibrary::new([Arc::clone(clip)]), AnimationPlayer::default())
}

/// One that goes by a mixer and one that goes by a player.
fn spawn(world: &mut World, rig: &Fixture, clip: &Arc<Clip>) -> [Entity; 2] {
    let mixed = world.spawn((rig.component(), mixer(rig, clip))).id();
    [mixed, world.spawn((rig.component(), player(clip))).id()]
}

fn place(world: &World, entity: Entity) -> DAffine3 {
    world.get::<Placement>(entity).unwrap().0
}

#[test]
fn it_is_what_the_core_gives_in_every_frame() {
    let rig = Fixture::new(3);
    let circle = rig.circle(2.0);
    let mut world = world();
    let entities = spawn(&mut world, &rig, &circle);
    let mut alone = Mixer::new(&rig.skeleton);
    alone.play(&circle, Play::default());
    for entity in entities {
        world.entity_mut(entity).insert(StepMotion::default());
    }
    for frame in 0..100 {
        alone.advance(0.037);
        run_for(&mut world, 0.037);
        for entity in entities {
            assert_eq!(world.get::<StepMotion>(entity).unwrap().0, alone.root_motion(), "frame {frame}");
            assert_eq!(place(&world, entity), DAffine3::IDENTITY, "nobody asked for that");
        }
    }
}

#[test]
fn placements_go_the_same_way_in_any_steps_from_anywhere() {
    let rig = Fixture::new(3);
    let circle = rig.circle(2.0);
    let mut alone = Mixer::new(&rig.skeleton);
    alone.play(&circle, Play::default());
    alone.advance(0.75);
    let step = alone.root_motion().transform;
    let start = DAffine3::from_scale_rotation_translation(
        DVec3::splat(2.0),
        canter::glam::DQuat::from_rotation_y(1.0),
        DVec3::new(1e7, 3.0, -5.0),
    );
    let end =
        start * DAffine3::from_rotation_translation(step.rotation.as_dquat(), step.translation.as_dvec3());
    for steps in [1_u8, 3, 50, 250] {
        let mut world = world();
        let entities = spawn(&mut world, &rig, &circle);
        for entity in entities {
            world.entity_mut(entity).insert((ApplyRootMotion, Placement(start)));
        }
        (0..steps).for_each(|_| run_for(&mut world, 0.75 / f32::from(steps)));
        for entity in entities {
            let place = place(&world, entity);
            assert!(place.abs_diff_eq(end, 2e-5), "{steps} steps: {place} instead of {end}");
        }
    }
}

#[test]
fn who_turns_for_hours_stays_as_large() {
    let rig = Fixture::new(3);
    let mut world = world();
    let entity = world.spawn((rig.component(), mixer(&rig, &rig.circle(2.0)), ApplyRootMotion)).id();
    (0..20_000).for_each(|_| run_for(&mut world, 0.0171));
    let axes = place(&world, entity).matrix3;
    assert!((axes.determinant() - 1.0).abs() < 1e-11, "{}", axes.determinant());
}

#[derive(Resource, Default, Debug, PartialEq, Clone, Copy)]
struct Changes {
    motions: usize,
    placements: usize,
}

fn watch(
    motions: Query<'_, '_, (), Changed<StepMotion>>,
    placements: Query<'_, '_, (), Changed<Placement>>,
    mut changes: ResMut<'_, Changes>,
) {
    *changes = Changes { motions: motions.iter().count(), placements: placements.iter().count() };
}

fn watched() -> World {
    let mut world = world();
    world.init_resource::<Changes>();
    world.resource_mut::<Schedules>().add_systems(Update, watch.after(AnimationSet::Palette));
    world
}

fn frame(world: &mut World, delta_secs: f32) -> (usize, usize) {
    run_for(world, delta_secs);
    let changes = world.resource::<Changes>();
    (changes.motions, changes.placements)
}

#[test]
fn it_is_marked_as_changed_only_when_it_is_another_one() {
    let rig = Fixture::new(3);
    let mut world = watched();
    let mixed = world.spawn((rig.component(), mixer(&rig, &rig.walk(1.0)), ApplyRootMotion)).id();
    // Who does not travel, and who is not asked.
    world.spawn((rig.component(), rig.mixer(), ApplyRootMotion));
    world.spawn((rig.component(), mixer(&rig, &rig.walk(1.0))));
    frame(&mut world, 0.1);
    assert_eq!(frame(&mut world, 0.15), (1, 1));
    assert_eq!(frame(&mut world, 0.0), (1, 0), "no time: it does not move");
    assert_eq!(frame(&mut world, 0.0), (0, 0));
    assert_eq!(frame(&mut world, 0.1), (1, 1));
    let mut mixer = world.get_mut::<AnimationMixer>(mixed).unwrap();
    let action = mixer.actions().next().unwrap().0;
    mixer.get_mut(action).unwrap().pause();
    assert_eq!(frame(&mut world, 0.1), (1, 0), "it stops");
    assert_eq!(world.get::<StepMotion>(mixed).unwrap().0, RootStep::default());
    assert_eq!(frame(&mut world, 0.1), (0, 0), "it stands");
    let mut mixer = world.get_mut::<AnimationMixer>(mixed).unwrap();
    mixer.get_mut(action).unwrap().seek(0.9).unwrap();
    assert_eq!(frame(&mut world, 0.1), (0, 0), "a seek leads nowhere");
    // It stands, and fades to one that stands.
    world.get_mut::<AnimationMixer>(mixed).unwrap().crossfade_to(&rig.clips[0], 0.3);
    assert_eq!(frame(&mut world, 0.1), (0, 0));
    // Back to one that goes: more in every frame, as long as it fades.
    world.get_mut::<AnimationMixer>(mixed).unwrap().crossfade_to(&rig.walk(1.0), 0.3);
    for _ in 0..4 {
        assert_eq!(frame(&mut world, 0.1), (1, 1));
    }
    world.get_mut::<AnimationMixer>(mixed).unwrap().set_speed(0.0);
    assert_eq!(frame(&mut world, 0.1), (1, 0), "a hit-stop");
    assert_eq!(frame(&mut world, 0.1), (0, 0));
}

#[test]
fn a_player_that_is_paused_or_has_ended_stands() {
    let rig = Fixture::new(3);
    let mut world = watched();
    let entity = world.spawn((rig.component(), player(&rig.walk(1.0)), ApplyRootMotion)).id();
    frame(&mut world, 0.1);
    assert_eq!(frame(&mut world, 0.15), (1, 1));
    assert!((place(&world, entity).translation.z - 0.35).abs() < 1e-6);
    world.get_mut::<AnimationPlayer>(entity).unwrap().playing = false;
    assert_eq!(frame(&mut world, 0.1), (1, 0));
    assert_eq!(frame(&mut world, 0.1), (0, 0));
    let mut player = world.get_mut::<AnimationPlayer>(entity).unwrap();
    (player.playing, player.looping) = (true, false);
    assert_eq!(frame(&mut world, 9.0), (1, 1));
    assert!((place(&world, entity).translation.z - 1.4).abs() < 1e-6, "to its end");
    assert_eq!(frame(&mut world, 0.1), (1, 0), "it has ended");
    assert_eq!(frame(&mut world, 0.1), (0, 0));
    assert_eq!(world.get::<StepMotion>(entity).unwrap().0, RootStep::default());
}

#[test]
fn who_loses_what_leads_it_stands() {
    let rig = Fixture::new(3);
    let mut world = watched();
    let entities = spawn(&mut world, &rig, &rig.walk(1.0));
    for entity in entities {
        world.entity_mut(entity).insert(ApplyRootMotion);
    }
    frame(&mut world, 0.1);
    assert_eq!(frame(&mut world, 0.15), (2, 2));
    let mixer = world.entity_mut(entities[0]).take::<AnimationMixer>().unwrap();
    let rig_component = world.entity_mut(entities[1]).take::<Rig>().unwrap();
    assert_eq!(frame(&mut world, 0.1), (2, 0));
    assert_eq!(frame(&mut world, 0.1), (0, 0));
    world.entity_mut(entities[0]).insert(mixer);
    world.entity_mut(entities[1]).insert(rig_component);
    assert_eq!(frame(&mut world, 0.1), (2, 2), "both go on");
    for entity in entities {
        assert!((place(&world, entity).translation.z - 0.49).abs() < 1e-6);
    }
    // Without a place there is nothing to move.
    world.entity_mut(entities[0]).remove::<Placement>();
    world.entity_mut(entities[1]).remove::<AnimationPlayer>();
    assert_eq!(frame(&mut world, 0.2), (2, 0));
    assert_eq!(world.get::<StepMotion>(entities[1]).unwrap().0, RootStep::default());
}
