//! A thousand characters: the core's bits, whatever the number of threads.

use bevy_ecs::prelude::*;
use bevy_ecs::schedule::SingleThreadedExecutor;
use bevy_tasks::{ComputeTaskPool, TaskPoolBuilder};
use canter::{Mixer, Play};
use canter_ecs::{AnimationEvent, AnimationMixer, AnimationPlayer, Update};

use super::rig::{Fixture, STEP_SECS, bits, palette_bits, run_for, world};

const CHARACTERS: u16 = 1_000;
const FRAMES: usize = 40;

fn start(mixer: &mut Mixer, rig: &Fixture, index: u16) {
    let start_secs = Some(f32::from(index) * 0.037);
    mixer.play(&rig.clips[usize::from(index % 3)], Play { start_secs, ..Play::default() });
}

/// Everybody crossfades at a moment of their own.
fn act(mixer: &mut Mixer, rig: &Fixture, index: u16, frame: usize) {
    if frame == usize::from(index) % 30 {
        mixer.crossfade_to(&rig.clips[usize::from(index + 1) % 3], 0.2);
    }
}

fn spawn(world: &mut World, rig: &Fixture, index: u16) -> Entity {
    let mut mixer = AnimationMixer::new(&rig.component());
    start(&mut mixer, rig, index);
    world.spawn((rig.component(), mixer)).id()
}

/// All palettes and the number of events after each frame.
fn run(world: &mut World, rig: &Fixture, entities: &[(u16, Entity)]) -> Vec<(Vec<Vec<u32>>, usize)> {
    (0..FRAMES)
        .map(|frame| {
            for &(index, entity) in entities {
                act(&mut world.get_mut::<AnimationMixer>(entity).unwrap(), rig, index, frame);
            }
            run_for(world, STEP_SECS);
            let events = world.resource::<Messages<AnimationEvent>>().iter_current_update_messages().len();
            (entities.iter().map(|&(_, entity)| palette_bits(world, entity)).collect(), events)
        })
        .collect()
}

#[test]
fn a_thousand_on_many_threads_equal_groups_on_one_and_the_core() {
    let pool = ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(4).build());
    assert!(pool.thread_num() > 1, "the test needs a pool of several threads");
    let rig = Fixture::new(11);

    let mut together = world();
    let entities: Vec<_> = (0..CHARACTERS).map(|index| (index, spawn(&mut together, &rig, index))).collect();
    let frames = run(&mut together, &rig, &entities);

    // Groups this small stay on one thread.
    let mut groups: Vec<Vec<(Vec<Vec<u32>>, usize)>> = Vec::new();
    for group in 0..CHARACTERS / 100 {
        let mut world = world();
        world.resource_mut::<Schedules>().entry(Update).set_executor(SingleThreadedExecutor::new());
        let indices = group * 100..(group + 1) * 100;
        let entities: Vec<_> = indices.map(|index| (index, spawn(&mut world, &rig, index))).collect();
        groups.push(run(&mut world, &rig, &entities));
    }
    for (frame, (palettes, events)) in frames.iter().enumerate() {
        let apart: Vec<_> = groups.iter().flat_map(|group| group[frame].0.clone()).collect();
        assert!(*palettes == apart, "frame {frame}");
        assert_eq!(*events, groups.iter().map(|group| group[frame].1).sum::<usize>(), "frame {frame}");
    }

    for index in (0..CHARACTERS).step_by(7) {
        let mut mixer = Mixer::new(&rig.skeleton);
        start(&mut mixer, &rig, index);
        for (frame, (palettes, _)) in frames.iter().enumerate() {
            act(&mut mixer, &rig, index, frame);
            mixer.advance(STEP_SECS);
            assert!(palettes[usize::from(index)] == bits(&rig.palette(&mut mixer)), "{index}, frame {frame}");
        }
    }
}

#[test]
fn a_thousand_players_equal_one() {
    ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(4).build());
    let rig = Fixture::new(11);
    let mut together = world();
    let player =
        |index: u16| AnimationPlayer { time: f32::from(index) * 0.001, ..AnimationPlayer::default() };
    let entities: Vec<_> = (0..CHARACTERS)
        .map(|index| together.spawn((rig.component(), rig.library(), player(index))).id())
        .collect();
    (0..FRAMES).for_each(|_| run_for(&mut together, STEP_SECS));
    for index in (0..CHARACTERS).step_by(50) {
        let mut world = world();
        let entity = world.spawn((rig.component(), rig.library(), player(index))).id();
        (0..FRAMES).for_each(|_| run_for(&mut world, STEP_SECS));
        let alone = world.get::<AnimationPlayer>(entity);
        assert_eq!(together.get::<AnimationPlayer>(entities[usize::from(index)]), alone);
    }
}
