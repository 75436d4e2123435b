//! The simple way.

use std::sync::Arc;

use bevy_ecs::prelude::*;
use canter::glam::{Mat4, Quat};
use canter::{Clip, Track};
use canter_ecs::{
    AnimationClipLibrary, AnimationMixer, AnimationPlayer, Pose, Time, Update, animation_playback_system,
};

use super::rig::{Fixture, bits, palette_bits, run_for, world};

fn spawn(world: &mut World, rig: &Fixture, player: AnimationPlayer) -> Entity {
    world.spawn((rig.component(), rig.library(), player)).id()
}

fn player(world: &World, entity: Entity) -> &AnimationPlayer {
    world.get(entity).unwrap()
}

#[test]
fn it_starts_at_the_start_and_loops_at_normal_speed() {
    let player = AnimationPlayer::default();
    assert_eq!((player.clip_index, player.time, player.speed), (0, 0.0, 1.0));
    assert!(player.looping && player.playing);
}

#[test]
fn time_wraps_or_stops_in_either_direction() {
    // The clip is one second long. Each row: looping, time, speed, step; then time and whether it still
    // plays.
    let table = [
        (true, 0.0, 1.0, 0.25, 0.25, true),
        (true, 0.75, 1.0, 0.5, 0.25, true),
        (true, 0.25, -1.0, 0.5, 0.75, true),
        (true, 0.25, -3.0, 1.25, 0.5, true),
        (true, 0.5, 1.0, 1000.0, 0.5, true),
        (true, 0.5, 1.0, 0.5, 0.0, true),
        (true, -7.75, 0.0, 1.0, 0.25, true),
        (false, 0.75, 1.0, 0.5, 1.0, false),
        (false, 0.25, -1.0, 0.5, 0.0, false),
        (false, 0.0, -1.0, 0.1, 0.0, false),
        (false, 0.5, 2.0, 0.25, 1.0, false),
        (false, 0.5, 0.0, 9.0, 0.5, true),
        (false, 9.0, -1.0, 0.25, 0.75, true),
        (false, -9.0, 1.0, 0.25, 0.25, true),
        (false, 9.0, 1.0, 0.25, 1.0, false),
        (true, 0.5, f32::MAX, f32::MAX, 0.0, true),
    ];
    let rig = Fixture::new(3);
    for (looping, time, speed, step, time_after, plays) in table {
        let mut world = world();
        let entity = spawn(&mut world, &rig, AnimationPlayer { time, speed, looping, ..Default::default() });
        run_for(&mut world, step);
        let player = player(&world, entity);
        let case = format!("looping {looping}, {time} s, speed {speed}, step {step}");
        if speed < f32::MAX {
            assert_eq!((player.time, player.playing), (time_after, plays), "{case}");
        }
        assert!((0.0..=1.0).contains(&player.time), "{case}: {}", player.time);
    }
}

#[test]
fn what_is_read_afterwards_is_what_the_core_gives_bit_for_bit() {
    let rig = Fixture::new(21);
    let mut world = world();
    let entity = spawn(&mut world, &rig, AnimationPlayer { clip_index: 1, speed: 0.9, ..Default::default() });
    for _ in 0..100 {
        run_for(&mut world, 0.0131);
        let player = player(&world, entity);
        let mut pose = canter::Pose::rest(&rig.skeleton);
        rig.clips[1].sample(player.time, &mut pose);
        let palette = rig.palette_of(&pose);
        assert_eq!(palette_bits(&world, entity), bits(&palette));
        assert_eq!(world.get::<Pose>(entity).unwrap().joint_count(), 21);
        let locals: Vec<_> = rig.skeleton.joints().map(|joint| pose.joint(joint)).collect();
        assert_eq!(player.local_poses, locals);
        let matrices: Vec<Mat4> = palette.iter().map(|matrix| matrix.to_mat4()).collect();
        assert_eq!(player.joint_matrices, matrices);
    }
}

#[test]
fn the_system_needs_nothing_but_the_time() {
    let rig = Fixture::new(3);
    let mut world = World::new();
    world.insert_resource(Time { delta_secs: 0.25 });
    let mut schedule = Schedule::new(Update);
    schedule.add_systems(animation_playback_system);
    let entity = spawn(&mut world, &rig, AnimationPlayer::default());
    schedule.run(&mut world);
    assert_eq!(player(&world, entity).time, 0.25);
    assert_ne!(palette_bits(&world, entity), bits(&rig.rest_palette()));
}

#[test]
fn without_a_skin_the_matrices_are_the_places_of_the_joints() {
    let rig = Fixture::new(3);
    let mut world = world();
    let skeleton = canter_ecs::Rig::new(&rig.skeleton, []);
    let entity = world.spawn((skeleton, rig.library(), AnimationPlayer::default())).id();
    run_for(&mut world, 0.0);
    let matrices = &player(&world, entity).joint_matrices;
    assert_eq!(matrices.len(), 3);
    assert_eq!(matrices[2].w_axis.y, 3.0);
}

#[test]
fn clips_may_come_later() {
    let rig = Fixture::new(3);
    let mut world = world();
    let entity = world
        .spawn((rig.component(), AnimationPlayer { clip_index: 1, time: 0.1, ..Default::default() }))
        .id();
    run_for(&mut world, 0.1);
    assert_eq!(player(&world, entity).time, 0.1, "nothing to play, no time passes");
    assert_eq!(palette_bits(&world, entity), bits(&rig.rest_palette()));
    world.get_mut::<AnimationClipLibrary>(entity).unwrap().clips = rig.clips.clone();
    run_for(&mut world, 0.1);
    assert!(player(&world, entity).time > 0.19);
    assert_ne!(palette_bits(&world, entity), bits(&rig.rest_palette()));
}

#[test]
fn what_cannot_be_played_stays_at_rest() {
    let rig = Fixture::new(3);
    let other = Fixture::new(4);
    let clips = vec![Arc::clone(&rig.clips[0]), Arc::clone(&other.clips[0])];
    let good = AnimationPlayer { time: 0.25, ..Default::default() };
    let table = [
        AnimationPlayer { clip_index: 7, ..good.clone() },
        AnimationPlayer { clip_index: usize::MAX, ..good.clone() },
        AnimationPlayer { clip_index: 1, ..good.clone() },
        AnimationPlayer { time: f32::NAN, ..good.clone() },
        AnimationPlayer { speed: f32::NAN, ..good.clone() },
        AnimationPlayer { speed: f32::INFINITY, ..good.clone() },
        AnimationPlayer { time: f32::NEG_INFINITY, ..good.clone() },
    ];
    for bad in table {
        let mut world = world();
        let case = format!("{bad:?}");
        let entity =
            world.spawn((rig.component(), AnimationClipLibrary::new(clips.clone()), good.clone())).id();
        run_for(&mut world, 0.1);
        assert_ne!(palette_bits(&world, entity), bits(&rig.rest_palette()), "{case}");
        *world.get_mut::<AnimationPlayer>(entity).unwrap() = bad;
        run_for(&mut world, 0.1);
        assert_eq!(palette_bits(&world, entity), bits(&rig.rest_palette()), "{case}");
        assert_eq!(
            player(&world, entity).local_poses[1],
            rig.skeleton.rest(rig.skeleton.joint_at(1).unwrap())
        );
        *world.get_mut::<AnimationPlayer>(entity).unwrap() = good.clone();
        run_for(&mut world, 0.1);
        assert_ne!(palette_bits(&world, entity), bits(&rig.rest_palette()), "{case}: it recovers");
    }
}

/// A clip of a single key.
fn one_pose(rig: &Fixture) -> Arc<Clip> {
    let mut clip = Clip::builder("a single pose", &rig.skeleton);
    let turn = Quat::from_rotation_x(1.0);
    clip.rotation(rig.skeleton.joint_at(0).unwrap(), Track::linear(vec![0.0], vec![turn]));
    Arc::new(clip.build().unwrap())
}

#[test]
fn a_clip_of_one_pose_shows_it_and_ends_as_others_do() {
    let rig = Fixture::new(3);
    let clip = one_pose(&rig);
    let mut pose = canter::Pose::rest(&rig.skeleton);
    clip.sample(0.0, &mut pose);
    let shown = bits(&rig.palette_of(&pose));
    assert_ne!(shown, bits(&rig.rest_palette()));
    // Each row: looping, speed, time; then whether it still plays after a step.
    let table = [
        (true, 1.0, 0.0, true),
        (true, -2.0, 0.7, true),
        (false, 1.0, 0.0, false),
        (false, -1.0, 0.0, false),
        (false, 1.0, 5.0, false),
        (false, 0.0, 0.0, true),
    ];
    for (looping, speed, time, plays) in table {
        let case = format!("looping {looping}, speed {speed}, {time} s");
        let mut world = world();
        let player_at = AnimationPlayer { looping, speed, time, ..Default::default() };
        let library = AnimationClipLibrary::new([Arc::clone(&clip)]);
        let entity = world.spawn((rig.component(), library, player_at)).id();
        for step in [0.1, 0.0, 99.0] {
            run_for(&mut world, step);
            assert_eq!(palette_bits(&world, entity), shown, "{case}");
            assert_eq!((player(&world, entity).time, player(&world, entity).playing), (0.0, plays), "{case}");
        }
    }
}

#[test]
fn time_is_as_exact_as_that_of_a_mixer_however_long_it_plays() {
    let rig = Fixture::new(3);
    let mut world = world();
    let entity = spawn(&mut world, &rig, AnimationPlayer { clip_index: 1, ..Default::default() });
    let mut clock = canter::Clock::new(rig.clips[1].duration_secs());
    for frame in 0..20_000 {
        run_for(&mut world, 1.0 / 144.0);
        let _ = clock.advance(f64::from(1.0_f32 / 144.0));
        assert_eq!(player(&world, entity).time.to_bits(), clock.time_secs().to_bits(), "frame {frame}");
    }
    // What is written into the fields counts at once.
    let mut player_mut = world.get_mut::<AnimationPlayer>(entity).unwrap();
    (player_mut.time, player_mut.speed) = (0.5, -1.0);
    run_for(&mut world, 0.25);
    assert_eq!(player(&world, entity).time, 0.25);
}

#[test]
fn one_that_has_ended_can_be_started_again() {
    let rig = Fixture::new(3);
    let mut world = world();
    let entity = spawn(&mut world, &rig, AnimationPlayer { looping: false, ..Default::default() });
    run_for(&mut world, 9.0);
    assert!(!player(&world, entity).playing);
    let restart = |world: &mut World, time: f32, speed: f32, looping: bool| {
        let mut player = world.get_mut::<AnimationPlayer>(entity).unwrap();
        (player.time, player.speed, player.looping, player.playing) = (time, speed, looping, true);
        run_for(world, 0.25);
        let player = world.get::<AnimationPlayer>(entity).unwrap();
        (player.time, player.playing)
    };
    assert_eq!(restart(&mut world, 1.0, 1.0, false), (1.0, false), "it is at its end already");
    assert_eq!(restart(&mut world, 1.0, -1.0, false), (0.75, true), "back from its end");
    assert_eq!(restart(&mut world, 0.0, 1.0, false), (0.25, true));
    run_for(&mut world, 9.0);
    assert_eq!(restart(&mut world, 1.0, 1.0, true), (0.25, true), "around");
}

#[test]
fn a_step_that_is_no_time_moves_nothing() {
    let rig = Fixture::new(3);
    let mut world = world();
    let entity = spawn(&mut world, &rig, AnimationPlayer { time: 0.5, ..Default::default() });
    for step in [f32::NAN, f32::INFINITY, -1.0] {
        run_for(&mut world, step);
        assert_eq!(player(&world, entity).time, 0.5);
        assert!(player(&world, entity).joint_matrices.iter().all(|matrix| matrix.is_finite()));
    }
}

#[test]
fn a_paused_player_shows_the_time_it_is_given() {
    let rig = Fixture::new(3);
    let mut world = world();
    let entity = spawn(&mut world, &rig, AnimationPlayer { playing: false, ..Default::default() });
    // The clip is one second long. Each row: looping, the time given, the time shown.
    let table = [
        (true, 0.5, 0.5),
        (true, 1.0, 1.0),
        (true, 3.25, 0.25),
        (true, -0.75, 0.25),
        (false, 0.25, 0.25),
        (false, 3.25, 1.0),
        (false, -0.75, 0.0),
    ];
    for (looping, time, shown) in table {
        let mut player = world.get_mut::<AnimationPlayer>(entity).unwrap();
        (player.looping, player.time) = (looping, time);
        run_for(&mut world, 0.1);
        let mut pose = canter::Pose::rest(&rig.skeleton);
        rig.clips[0].sample(shown, &mut pose);
        assert_eq!(palette_bits(&world, entity), bits(&rig.palette_of(&pose)), "looping {looping}, {time} s");
    }
}

#[test]
fn an_entity_with_a_mixer_goes_by_the_mixer() {
    let rig = Fixture::new(3);
    let mut world = world();
    let entity = spawn(&mut world, &rig, AnimationPlayer { clip_index: 1, ..Default::default() });
    world.entity_mut(entity).insert(rig.mixer());
    run_for(&mut world, 0.25);
    assert_eq!(player(&world, entity).time, 0.0);
    let mut mixer = world.get::<AnimationMixer>(entity).unwrap().clone();
    assert_eq!(palette_bits(&world, entity), bits(&rig.palette(&mut mixer)));
}
