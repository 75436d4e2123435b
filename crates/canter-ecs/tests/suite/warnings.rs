//! Warnings come once per cause.

use std::cell::RefCell;
use std::sync::Once;

use bevy_ecs::prelude::*;
use canter_ecs::{AnimationClipLibrary, AnimationMarker, AnimationMixer, AnimationPlayer};

use super::rig::{Fixture, run_for, world};

thread_local! {
    /// Of this thread: tests run side by side.
    static LINES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

struct Keep;

impl log::Log for Keep {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        if record.target().starts_with("canter") {
            LINES.with_borrow_mut(|lines| lines.push(record.args().to_string()));
        }
    }

    fn flush(&self) {}
}

/// The lines logged while a schedule runs on this very thread.
fn lines(run: impl FnOnce()) -> Vec<String> {
    static LOGGER: Once = Once::new();
    LOGGER.call_once(|| {
        log::set_logger(&Keep).unwrap();
        log::set_max_level(log::LevelFilter::Warn);
    });
    LINES.take();
    run();
    LINES.take()
}

fn run_frames(world: &mut World, player: AnimationPlayer, entity: Entity) -> Vec<String> {
    *world.get_mut::<AnimationPlayer>(entity).unwrap() = player;
    lines(|| (0..5).for_each(|_| run_for(world, 0.1)))
}

#[test]
fn each_cause_is_told_of_once() {
    let rig = Fixture::new(3);
    let mut world = world();
    let mut schedules = world.resource_mut::<Schedules>();
    schedules.entry(canter_ecs::Update).set_executor(bevy_ecs::schedule::SingleThreadedExecutor::new());
    let entity = world.spawn((rig.component(), rig.library(), AnimationPlayer::default())).id();
    let good = AnimationPlayer::default();
    assert_eq!(run_frames(&mut world, good.clone(), entity), Vec::<String>::new());
    let missing = AnimationPlayer { clip_index: 9, ..good.clone() };
    let told = run_frames(&mut world, missing.clone(), entity);
    assert_eq!(told.len(), 1);
    assert!(told[0].ends_with("there is no clip 9 among 3; it stays at rest"), "{told:?}");
    let told = run_frames(&mut world, AnimationPlayer { time: f32::NAN, ..good.clone() }, entity);
    assert!(told.len() == 1 && told[0].contains("time NaN, speed 1: expected finite numbers"), "{told:?}");
    run_frames(&mut world, good, entity);
    assert_eq!(run_frames(&mut world, missing, entity), Vec::<String>::new());
}

#[test]
fn of_a_step_over_very_many_markers_the_first_are_told_with_one_warning() {
    let rig = Fixture::new(3);
    let walk = rig.walk(1.0);
    for is_player in [true, false] {
        let mut world = world();
        let mut schedules = world.resource_mut::<Schedules>();
        schedules.entry(canter_ecs::Update).set_executor(bevy_ecs::schedule::SingleThreadedExecutor::new());
        for _ in 0..3 {
            if is_player {
                let library = AnimationClipLibrary::new([walk.clone()]);
                world.spawn((rig.component(), library, AnimationPlayer::default()));
            } else {
                let mut mixer = AnimationMixer::new(&rig.component());
                mixer.play(&walk, canter::Play::default());
                world.spawn((rig.component(), mixer));
            }
        }
        // Four of each loop, in their order, up to the bound.
        for secs in [255.9, 3600.0, 1e9, f32::MAX] {
            let told = lines(|| run_for(&mut world, secs));
            assert_eq!(told.len(), usize::from(secs == 3600.0), "{secs} s: {told:?}");
            assert!(told.iter().all(|line| line.contains("more than 1024 markers")), "{told:?}");
            let messages = world.resource::<Messages<AnimationMarker>>();
            let now: Vec<_> = messages.iter_current_update_messages().collect();
            assert_eq!(now.len(), 3 * 1024, "{secs} s");
            assert!(now[..1024].iter().all(|marker| marker.entity == now[0].entity));
            assert!(now[..1024].is_sorted_by(|a, b| a.event.secs_ago >= b.event.secs_ago));
        }
        // And then as ever.
        run_for(&mut world, 0.1);
        assert!(world.resource::<Messages<AnimationMarker>>().iter_current_update_messages().count() <= 9);
    }
}

#[test]
fn a_mixer_of_another_skeleton_is_told_of_once_and_leaves_the_rest_pose() {
    let (rig, other) = (Fixture::new(3), Fixture::new(3));
    let mut world = world();
    let mut schedules = world.resource_mut::<Schedules>();
    schedules.entry(canter_ecs::Update).set_executor(bevy_ecs::schedule::SingleThreadedExecutor::new());
    let entity = world.spawn((rig.component(), other.mixer())).id();
    let told = lines(|| (0..5).for_each(|_| run_for(&mut world, 0.1)));
    assert!(told.len() == 1 && told[0].contains("another skeleton"), "{told:?}");
    assert_eq!(super::rig::palette_bits(&world, entity), super::rig::bits(&rig.rest_palette()));
}
