//! A frame does not allocate once everything has run.

use std::sync::Arc;

use bevy_ecs::prelude::*;
use bevy_ecs::schedule::SingleThreadedExecutor;
use canter::{Clip, LoopMode, Play};
use canter_ecs::{
    AnimationEvent, AnimationMarker, AnimationMixer, AnimationPlayer, AnimationSet, ApplyRootMotion,
    AttachedTo, Update,
};
use canter_testing::allocator::{Counting, allocations};

use super::rig::{Fixture, STEP_SECS, run_for, world};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[derive(Resource)]
struct Heard {
    last: Vec<AnimationEvent>,
    count: usize,
    markers: usize,
}

impl Default for Heard {
    fn default() -> Self {
        Self { last: Vec::with_capacity(1000), count: 0, markers: 0 }
    }
}

fn listen(
    mut reader: MessageReader<'_, '_, AnimationEvent>,
    mut markers: MessageReader<'_, '_, AnimationMarker>,
    mut heard: ResMut<'_, Heard>,
) {
    heard.last.clear();
    heard.last.extend(reader.read().cloned());
    heard.count += heard.last.len();
    heard.markers += markers.read().count();
}

#[test]
fn after_a_warm_up_a_frame_allocates_nothing() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(1_u8)))), 1, "the counter counts");
    let rig = Fixture::new(11);
    let mut world = world();
    // On one thread, and fewer characters than are spread over several.
    world.resource_mut::<Schedules>().entry(Update).set_executor(SingleThreadedExecutor::new());
    // Whoever listens may keep what happened in the last frame.
    world.init_resource::<Heard>();
    world.resource_mut::<Schedules>().add_systems(Update, listen.after(AnimationSet::Palette));
    let mut entities = Vec::new();
    let mut library = rig.library();
    library.clips.push(Arc::new(Clip::builder("one pose", &rig.skeleton).build().unwrap()));
    library.clips.push(rig.walk(1.0));
    // Some walk, most have nothing to tell.
    let clips = [&rig.clips[0], &rig.clips[1], &library.clips[4]];
    for index in 0..60_u8 {
        let mut mixer = rig.mixer();
        mixer.play(&rig.clips[0], Play { loop_mode: LoopMode::Times(3), ..Play::default() });
        mixer.crossfade_to(&rig.clips[1], 0.2);
        mixer.crossfade_to(&rig.clips[2], 0.2);
        entities.push(world.spawn((rig.component(), mixer, ApplyRootMotion)).id());
        world.spawn((
            rig.component(),
            library.clone(),
            AnimationPlayer { clip_index: usize::from(index % 5), ..AnimationPlayer::default() },
            ApplyRootMotion,
        ));
        let hero = entities[usize::from(index)];
        world.spawn(AttachedTo { joint: rig.skeleton.joint_at(3), ..AttachedTo::new(hero) });
    }
    for frame in 0..600_usize {
        for (index, &entity) in entities.iter().enumerate() {
            if (frame + index) % 47 == 0 {
                let clip = clips[(frame / 47) % 3];
                world.get_mut::<AnimationMixer>(entity).unwrap().crossfade_to(clip, 0.3);
            }
        }
        let count = allocations(|| run_for(&mut world, STEP_SECS));
        assert!(frame < 200 || count == 0, "{count} allocations in frame {frame}");
    }
    assert!(world.resource::<Heard>().count > 1000);
    assert!(world.resource::<Heard>().markers > 1000);
}
