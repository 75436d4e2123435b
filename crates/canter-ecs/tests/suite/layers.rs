//! Layers and fades from what is on screen, on entities.

use std::sync::Arc;

use bevy_ecs::prelude::*;
use canter::{
    AdditiveReference, EventKind, Fade, FadeKind, JointMask, Layer, LayerId, LoopMode, Mixer, Play, Pose,
};
use canter_ecs::{AnimationEvent, AnimationMixer, AnimationPlayer, Palette, Update};

use super::rig::{Fixture, STEP_SECS, bits, palette_bits, run_for, world};

/// A figure of five joints that runs, with a layer for those from the third on.
fn runner(rig: &Fixture) -> (Mixer, LayerId) {
    let mut mixer = Mixer::new(&rig.skeleton);
    mixer.play(&rig.clips[1], Play::default());
    let chest = rig.skeleton.joint("joint 2").unwrap();
    let mask = JointMask::subtree(&rig.skeleton, chest).feathered(&rig.skeleton, 2);
    let upper = mixer.add_layer(Layer::over(mask));
    (mixer, upper)
}

fn strike(mixer: &mut Mixer, layer: LayerId, rig: &Fixture) {
    let play = Play { fade: Fade::dead(0.1), ..Play::once() };
    mixer.layer_mut(layer).unwrap().play(&rig.clips[0], play).unwrap();
}

#[test]
fn an_attack_over_a_run_gives_the_bits_of_the_core_on_every_entity() {
    let rig = Fixture::new(5);
    let mut world = world();
    let (mut alone, upper) = runner(&rig);
    let entities: Vec<Entity> =
        (0..100).map(|_| world.spawn((rig.component(), AnimationMixer::from(alone.clone()))).id()).collect();
    for frame in 0..90 {
        // Struck twice: the second time in the midst of the first.
        if frame == 10 || frame == 40 {
            strike(&mut alone, upper, &rig);
            for &entity in &entities {
                strike(&mut world.get_mut::<AnimationMixer>(entity).unwrap(), upper, &rig);
            }
        }
        alone.advance(STEP_SECS);
        world.run_schedule(Update);
        let expected = bits(&rig.palette(&mut alone));
        for &entity in &entities {
            assert_eq!(palette_bits(&world, entity), expected, "frame {frame}");
        }
    }
}

#[test]
fn an_attack_moves_the_upper_body_and_leaves_the_legs_to_the_run() {
    let rig = Fixture::new(5);
    let mut world = world();
    let (mixer, upper) = runner(&rig);
    let entity = world.spawn((rig.component(), AnimationMixer::from(mixer))).id();
    strike(&mut world.get_mut::<AnimationMixer>(entity).unwrap(), upper, &rig);
    run_for(&mut world, 0.3);
    let pose = |clip: usize| {
        let mut pose = Pose::rest(&rig.skeleton);
        rig.clips[clip].sample(0.3, &mut pose);
        pose
    };
    let (run, attack) = (pose(1), pose(0));
    let found = world.get::<canter_ecs::Pose>(entity).unwrap();
    let layer = world.get::<AnimationMixer>(entity).unwrap().layer(upper).unwrap();
    for joint in rig.skeleton.joints() {
        let expected = run.joint(joint).rotation.slerp(attack.joint(joint).rotation, layer.coverage(joint));
        let error = found.joint(joint).rotation.angle_between(expected);
        assert!(error < 2e-3, "{joint:?}: {error}");
    }
    let of_joint = |index| layer.coverage(rig.skeleton.joint_at(index).unwrap());
    assert!(of_joint(0) == 0.0 && (0.1..0.9).contains(&of_joint(2)) && of_joint(4) == 1.0);
}

#[test]
fn events_know_their_layer() {
    let rig = Fixture::new(5);
    let mut world = world();
    let (mixer, upper) = runner(&rig);
    let entity = world.spawn((rig.component(), AnimationMixer::from(mixer))).id();
    strike(&mut world.get_mut::<AnimationMixer>(entity).unwrap(), upper, &rig);
    run_for(&mut world, 1.2);
    let messages = world.resource::<Messages<AnimationEvent>>();
    let told: Vec<_> =
        messages.iter_current_update_messages().map(|event| (event.action.layer(), event.kind)).collect();
    let expected = [(LayerId::BASE, EventKind::Looped { times: 1 }), (upper, EventKind::Finished)];
    assert_eq!(told, expected);
}

/// Runs a frame; returns how far the palettes of entities move in it, at most.
fn largest_step(world: &mut World, entities: [Entity; 2]) -> f32 {
    let numbers = |world: &World| -> Vec<f32> {
        let palettes = entities.iter().flat_map(|&entity| world.get::<Palette>(entity).unwrap().matrices());
        palettes.flat_map(|matrix| matrix.rows.as_flattened().to_vec()).collect()
    };
    let before = numbers(world);
    world.run_schedule(Update);
    let steps = before.into_iter().zip(numbers(world)).map(|(a, b)| (a - b).abs());
    steps.fold(0.0, f32::max)
}

/// The largest step of two entities, one with a mixer and one with a player, while clips are switched every
/// so many frames.
fn largest_step_of(fade: Fade, frames_per_switch: usize) -> f32 {
    let rig = Fixture::new(3);
    let mut world = world();
    let entity = world.spawn((rig.component(), rig.mixer())).id();
    let by_player = world.spawn((rig.component(), rig.library(), AnimationPlayer::default())).id();
    let steps = (0..240_usize).map(|frame| {
        if frame % frames_per_switch == 3 {
            let clip = frame / frames_per_switch % 3;
            world.get_mut::<AnimationMixer>(entity).unwrap().crossfade_to(&rig.clips[clip], fade);
            let mut player = world.get_mut::<AnimationPlayer>(by_player).unwrap();
            (player.clip_index, player.time, player.fade) = (clip, 0.0, fade);
        }
        largest_step(&mut world, [entity, by_player])
    });
    steps.fold(0.0, f32::max)
}

#[test]
fn fades_from_what_is_on_screen_never_jump_however_often_they_are_interrupted() {
    // The largest step that a clip makes by itself, and some more for the way to another one.
    let rig = Fixture::new(3);
    let mut world = world();
    let alone = rig.clips.iter().map(|clip| {
        let mut mixer = AnimationMixer::new(&rig.component());
        mixer.play(clip, Play::default());
        let entity = world.spawn((rig.component(), mixer)).id();
        world.run_schedule(Update);
        (0..120).map(|_| largest_step(&mut world, [entity; 2])).fold(0.0, f32::max)
    });
    let most = 1.5 * alone.fold(0.0, f32::max) + 0.02;
    assert!(largest_step_of(Fade::default(), 7) > most, "a switch at once jumps");
    for fade in [Fade::dead(0.25), Fade::inertial(0.25)] {
        for frames_per_switch in [4, 7, 13] {
            let largest = largest_step_of(fade, frames_per_switch);
            assert!(largest < most, "{fade:?}, {frames_per_switch}: {largest} of {most}");
        }
    }
}

#[test]
fn a_player_without_a_fade_switches_at_once_and_one_with_a_fade_arrives() {
    let rig = Fixture::new(3);
    for fade in [Fade::default(), Fade::cross(0.2), Fade::dead(0.2), Fade::cross(f32::NAN)] {
        let mut world = world();
        let player = AnimationPlayer { fade, ..AnimationPlayer::default() };
        let entity = world.spawn((rig.component(), rig.library(), player)).id();
        run_for(&mut world, 0.4);
        let mut player = world.get_mut::<AnimationPlayer>(entity).unwrap();
        (player.clip_index, player.time) = (2, 0.0);
        let mut pose = Pose::rest(&rig.skeleton);
        let is_at_once = fade.secs.is_nan() || fade.secs <= 0.0;
        for (secs, is_there) in [(0.1, is_at_once), (0.1, true), (0.3, true)] {
            run_for(&mut world, secs);
            let time = world.get::<AnimationPlayer>(entity).unwrap().time;
            rig.clips[2].sample(time, &mut pose);
            let is_clip = palette_bits(&world, entity) == bits(&rig.palette_of(&pose));
            assert_eq!(is_clip, is_there, "{fade:?} at {time} s");
        }
    }
}

#[test]
fn an_additive_clip_is_added_by_its_layer_and_refused_by_a_player() {
    let rig = Fixture::new(3);
    let mut world = world();
    let lean = Arc::new(rig.clips[2].additive(AdditiveReference::FirstKey).unwrap());
    let mut mixer = rig.mixer();
    let layer = mixer.add_layer(Layer::additive());
    mixer.layer_mut(layer).unwrap().play(&lean, Play { weight: 0.5, ..Play::default() }).unwrap();
    assert!(mixer.layer_mut(layer).unwrap().play(&rig.clips[0], Play::default()).is_err());
    let mut alone = Mixer::clone(&mixer);
    let entity = world.spawn((rig.component(), mixer)).id();
    let library = canter_ecs::AnimationClipLibrary::new([lean]);
    let refused = world.spawn((rig.component(), library, AnimationPlayer::default())).id();
    run_for(&mut world, 0.4);
    alone.advance(0.4);
    assert_eq!(palette_bits(&world, entity), bits(&rig.palette(&mut alone)));
    assert_eq!(palette_bits(&world, refused), bits(&rig.rest_palette()));
}

/// A pose that a fade or a layer changes is written anew, also while all clocks stand still.
#[test]
fn fades_run_while_clocks_stand_still() {
    for &kind in FadeKind::ALL {
        let rig = Fixture::new(3);
        let mut world = world();
        let mut mixer = rig.mixer();
        let layer = mixer.add_layer(Layer::over(JointMask::all(&rig.skeleton)));
        let still = Play { loop_mode: LoopMode::Repeat, speed: 0.0, ..Play::default() };
        let raised = Play { start_secs: Some(0.3), ..still.clone() };
        mixer.layer_mut(layer).unwrap().play(&rig.clips[0], raised).unwrap();
        let base = mixer.actions().next().unwrap().0;
        mixer.stop(base).unwrap();
        mixer.play(&rig.clips[1], still);
        let entity = world.spawn((rig.component(), mixer)).id();
        run_for(&mut world, 0.1);
        run_for(&mut world, 0.1);
        let moves = |world: &mut World| {
            let before = palette_bits(world, entity);
            run_for(world, 0.05);
            before != palette_bits(world, entity)
        };
        assert!(!moves(&mut world));
        // The weight of the layer, then what it plays.
        let mut mixer = world.get_mut::<AnimationMixer>(entity).unwrap();
        mixer.layer_mut(layer).unwrap().fade_weight(0.5, 0.2).unwrap();
        assert!((0..4).all(|_| moves(&mut world)) && !moves(&mut world));
        let mut mixer = world.get_mut::<AnimationMixer>(entity).unwrap();
        let fade = Fade { kind, ..Fade::cross(0.2) };
        let id = mixer.layer_mut(layer).unwrap().crossfade_to(&rig.clips[2], fade).unwrap();
        let mut action = mixer.get_mut(id).unwrap();
        action.set_speed(0.0).unwrap();
        action.seek(0.5).unwrap();
        let moved = (0..4).filter(|_| moves(&mut world)).count();
        assert!(moved >= 3 && !moves(&mut world), "{kind:?}: {moved}");
    }
}
